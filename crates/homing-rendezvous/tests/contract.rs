//! The contract of `Placement`, over rendezvous.

use homing_rendezvous::{Config, Rendezvous};

homing_core::contract!(Rendezvous);

fn hashes() -> Vec<Config> {
    use homing_core::KeyHash;
    vec![
        Config { hash: KeyHash::Xxh3 { seed: 42 }, ..Config::default() },
        #[cfg(feature = "sha2")]
        Config { hash: KeyHash::Sha256, ..Config::default() },
    ]
}

mod other_hashes {
    homing_core::contract!(super::Rendezvous, configs: super::hashes());
}
