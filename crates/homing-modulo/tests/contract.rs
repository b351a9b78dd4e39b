//! The contract of `Placement`, over hash mod N.

use homing_modulo::{Buckets, Config, Modulo, Order};

homing_core::contract!(Modulo);

fn hashes() -> Vec<Config> {
    use homing_core::KeyHash;
    vec![
        Config { hash: KeyHash::Xxh3 { seed: 42 }, ..Config::default() },
        #[cfg(feature = "sha2")]
        Config { hash: KeyHash::Sha256, ..Config::default() },
    ]
}

mod other_hashes {
    homing_core::contract!(super::Modulo, configs: super::hashes());
}

fn arrangements() -> Vec<Config> {
    let all = [Buckets::Members, Buckets::Repeated, Buckets::Interleaved]
        .map(|buckets| [Order::Index, Order::LabelLength].map(|order| (buckets, order)));
    all.into_iter()
        .flatten()
        .map(|(buckets, order)| Config { buckets, order, ..Config::default() })
        .collect()
}

mod other_arrangements {
    homing_core::contract!(super::Modulo, configs: super::arrangements());
}
