//! The contract of `Placement`, over rendezvous.

use homing_core::KeyHash;
use homing_rendezvous::{Config, Rendezvous, Score, Ties};

homing_core::contract!(Rendezvous);

fn hashes() -> Vec<Config> {
    vec![
        Config { hash: KeyHash::Xxh3 { seed: 42 }, ..Config::default() },
        Config { hash: "crc32".parse().unwrap(), ..Config::default() }, // positions of 32 bits
        #[cfg(feature = "sha2")]
        Config { hash: KeyHash::Sha256, ..Config::default() },
    ]
}

mod other_hashes {
    homing_core::contract!(super::Rendezvous, configs: super::hashes());
}

fn murmur(ties: Ties) -> [Config; 2] {
    [None, Some(KeyHash::Xxh3 { seed: 7 })].map(|node_hash| Config {
        score: Score::Murmur,
        node_hash,
        ties,
        ..Config::default()
    })
}

mod scored_by_murmur {
    homing_core::contract!(super::Rendezvous, configs: super::murmur(super::Ties::Id));
}

mod tied_by_index {
    homing_core::contract!(super::Rendezvous, configs: super::murmur(super::Ties::Index));
}

mod scored_by_xorshift {
    homing_core::contract!(
        super::Rendezvous,
        configs: [super::Ties::Id, super::Ties::Index].map(|ties| super::Config {
            score: super::Score::Xorshift,
            node_hash: Some("xxh64".parse().unwrap()),
            ties,
            ..super::Config::default()
        })
    );
}
