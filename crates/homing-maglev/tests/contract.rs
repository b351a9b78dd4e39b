//! The contract of `Placement`, over Maglev tables.

use homing_core::KeyHash;
use homing_maglev::{Config, Maglev, Order, Permutation, Stride, Surplus, Turns};

homing_core::contract!(Maglev);

fn sizes<const N: usize>(sizes: [u32; N]) -> [Config; N] {
    sizes.map(|entries| Config {
        hash: KeyHash::Xxh3 { seed: entries.into() },
        entries,
        ..Config::default()
    })
}

mod other_sizes {
    homing_core::contract!(super::Maglev, configs: super::sizes([8_191, 131_101]));
}

// The promise of little extra movement is for more than 100 entries a node.
mod few_entries {
    homing_core::contract!(
        super::Maglev,
        configs: super::sizes([43, 251]), // the greatest membership becomes one of 42
        checks: covers rebuilds ignores_order ignores_lanes keeps_positions_and_indices undoes
            refuses_whole refuses_what_it_cannot batches segments_agree replicates
    );
}

fn rules(order: Order) -> [Config; 4] {
    let hash = KeyHash::Xxh3 { seed: 1 };
    let hashes = Permutation::Hashes { offset: hash, skip: KeyHash::default() };
    [
        (Permutation::Halves(hash), Turns::Apportioned, Stride::Exact),
        (hashes, Turns::Iterated, Stride::Exact),
        (hashes, Turns::FirstRound, Stride::Wrapping),
        (hashes, Turns::Credited, Stride::Exact),
    ]
    .map(|(permutation, turns, stride)| Config {
        permutation,
        order,
        turns,
        stride,
        surplus: Surplus::Idle,
        ..Config::default()
    })
}

mod other_rules {
    homing_core::contract!(super::Maglev, configs: super::rules(super::Order::Label));
}

mod in_order_of_index {
    homing_core::contract!(super::Maglev, configs: super::rules(super::Order::Index));
}
