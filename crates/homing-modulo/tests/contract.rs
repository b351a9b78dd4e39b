//! The contract of `Placement`, over hash mod N.

use homing_modulo::{Config, Modulo};

homing_core::contract!(Modulo);

fn hashes() -> Vec<Config> {
    use homing_core::KeyHash;
    vec![
        Config { hash: KeyHash::Xxh3 { seed: 42 } },
        #[cfg(feature = "sha2")]
        Config { hash: KeyHash::Sha256 },
    ]
}

mod other_hashes {
    homing_core::contract!(super::Modulo, configs: super::hashes());
}
