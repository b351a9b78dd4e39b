//! The contract of `Placement`, over jump consistent hash.

use homing_jump::{Config, Jump, Rounding};

homing_core::contract!(Jump);

fn hashes() -> Vec<Config> {
    use homing_core::KeyHash;
    vec![
        Config { hash: KeyHash::Xxh3 { seed: 42 }, ..Config::default() },
        #[cfg(feature = "sha2")]
        Config { hash: KeyHash::Sha256, ..Config::default() },
    ]
}

mod other_hashes {
    homing_core::contract!(super::Jump, configs: super::hashes());
}

mod once_rounded {
    homing_core::contract!(
        super::Jump,
        configs: [super::Config { rounding: super::Rounding::Once, ..super::Config::default() }]
    );
}
