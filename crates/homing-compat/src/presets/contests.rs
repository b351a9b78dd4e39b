//! What no family is: contests in which key and node are hashed together, and
//! partitions of which each depends on those before it.

use super::{hash, vectors};
use crate::bounded::BoundedConfig;
use crate::entry::{Configuration, Entry, JOINED, Limits, PARTITIONS};
use crate::joined::Contest;
use crate::label::Label;
use crate::options::{PresetOption, Values};

const SEED: PresetOption = PresetOption {
    name: "seed",
    values: Values::Number { default: 0, least: 0, most: u32::MAX },
    about: "the seed of the hash",
};

pub(super) const RENDEZVOUS_HASH: Entry = Entry {
    name: "rendezvous_hash",
    family: JOINED,
    agrees_with: "rendezvous_hash of crates.io, weighted where weights differ",
    versions: &["0.3.0"],
    hashes: "the id, behind the key",
    vectors: &[vectors("hrw/hrw.jsonl", 4, 384)],
    options: &[],
    variants: &[],
    limits: Limits::NONE,
    differs: &["Of equal hashes the greater id has the key."],
    label: Label::Id,
    configure: |_, _| Ok(Configuration::Joined(Contest::SipHash)),
};

pub(super) const CLANDESTINED: Entry = Entry {
    name: "clandestined",
    agrees_with: "clandestined of PyPI, RendezvousHash",
    versions: &["1.1.0"],
    hashes: "the id, a - and the key",
    options: &[SEED],
    differs: &[
        "Keys are hashed as UTF-8; pymemcache hashes the code points, which is another hash for \
         keys that are not ASCII.",
    ],
    configure: |chosen, _| {
        Ok(Configuration::Joined(Contest::Murmur { seed: chosen.number("seed") }))
    },
    ..RENDEZVOUS_HASH
};

pub(super) const CLANDESTINED_CLUSTER: Entry = Entry {
    name: "clandestined-cluster",
    agrees_with: "clandestined of PyPI, Cluster",
    hashes: "the id, a - and the key, within a zone; the code points of the key choose the \
             first zone",
    vectors: &[vectors("hrw/hrw.jsonl", 2, 186)],
    differs: &["Every node must have a zone, and each replica is in another one."],
    configure: |chosen, _| {
        Ok(Configuration::Zoned(Contest::Murmur { seed: chosen.number("seed") }))
    },
    ..CLANDESTINED
};

pub(super) const PYMEMCACHE: Entry = Entry {
    name: "pymemcache",
    agrees_with: "pymemcache, RendezvousHash",
    versions: &["4.0.0"],
    differs: &[
        "Of a key that is not ASCII the code points are hashed, so that clandestined, which has \
         the same contest, puts it elsewhere.",
    ],
    configure: |chosen, _| {
        let contest = Contest::MurmurCodePoints { seed: chosen.number("seed") };
        Ok(Configuration::Joined(contest))
    },
    ..CLANDESTINED
};

pub(super) const PYPI_HRW: Entry = Entry {
    name: "pypi-hrw",
    agrees_with: "hrw of PyPI",
    versions: &["0.2.0"],
    vectors: &[vectors("hrw/hrw.jsonl", 2, 192)],
    differs: &["The greatest SHA-256 of key and id, as a number of 256 bits."],
    configure: |_, _| Ok(Configuration::Joined(Contest::Sha256)),
    ..RENDEZVOUS_HASH
};

pub(super) const BURAKSEZER_CONSISTENT: Entry = Entry {
    name: "buraksezer-consistent",
    family: PARTITIONS,
    agrees_with: "buraksezer/consistent with XXH64",
    versions: &["v1.0.0"],
    hashes: "the number of the copy, a colon, the id",
    vectors: &[vectors("ring/other_rings.jsonl", 2, 232)],
    options: &[
        PresetOption {
            name: "PartitionCount",
            values: Values::Number { default: 271, least: 1, most: 1 << 20 },
            about: "how many partitions there are",
        },
        PresetOption {
            name: "ReplicationFactor",
            values: Values::Number { default: 20, least: 1, most: 1 << 16 },
            about: "points a node",
        },
        PresetOption {
            name: "Load",
            values: Values::Decimal { default: "1.25", least: 1 },
            about: "the most that a node has, as a multiple of the mean",
        },
    ],
    differs: &[
        "Versions up to 0.10 hash the id and the number of the copy with nothing between them, \
         which is another ring.",
    ],
    configure: |chosen, _| {
        Ok(Configuration::Bounded(BoundedConfig {
            hash: hash("xxh64")?,
            partitions: chosen.number("PartitionCount"),
            points: chosen.number("ReplicationFactor"),
            load: chosen.decimal("Load"),
        }))
    },
    ..RENDEZVOUS_HASH
};
