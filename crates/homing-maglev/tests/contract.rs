//! The contract of `Placement`, over Maglev tables.

use homing_core::KeyHash;
use homing_maglev::{Config, Maglev};

homing_core::contract!(Maglev);

fn sizes<const N: usize>(sizes: [u32; N]) -> [Config; N] {
    sizes.map(|entries| Config { hash: KeyHash::Xxh3 { seed: entries.into() }, entries })
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
