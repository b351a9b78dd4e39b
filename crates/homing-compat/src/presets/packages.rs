//! The rings of packages for several languages.

use homing_core::Error;
use homing_ring::{Config, Count, Place, Rounding, Ties};

use super::{after, digests, hash, ring, share, texts, vectors};
use crate::entry::{Entry, Limits};
use crate::label::Label;
use crate::options::{Chosen, PresetOption, Values};

/// The greatest number of points of a node that is not yet a mistake.
const MOST: u32 = 1 << 20;

pub(super) const fn replicas(default: u32) -> PresetOption {
    PresetOption {
        name: "replicas",
        values: Values::Number { default, least: 1, most: MOST },
        about: "points a weight unit",
    }
}

pub(super) const UHASHRING: Entry = Entry {
    name: "uhashring",
    family: "ring",
    agrees_with: "uhashring of PyPI with hash_fn='ketama'",
    versions: &["2.5"],
    hashes: "the id",
    vectors: &[vectors("ketama/uhashring.jsonl", 7, 1010)],
    options: &[],
    variants: &[],
    limits: Limits::NONE,
    differs: &[
        "The points of libketama, but a key on a point belongs to the next one.",
        "The number of digests is reckoned in integers: equal nodes always have 160 points.",
    ],
    label: Label::Id,
    configure: |_, _| {
        ring(after(digests(hash("md5-le32")?, 4, share(Rounding::Exact), Ties::HighestIndex)))
    },
};

pub(super) const NPM_HASHRING: Entry = Entry {
    name: "npm-hashring",
    family: "ring",
    agrees_with: "hashring of npm",
    versions: &["3.2.0"],
    hashes: "host:port; without the port where it is the option's",
    vectors: &[vectors("ketama/npm-hashring.jsonl", 11, 1676)],
    options: &[PresetOption {
        name: "default_port",
        values: Values::Number { default: 0, least: 0, most: 65535 },
        about: "the port that is left out of labels; 0 for none",
    }],
    variants: &["default_port=11211"],
    limits: Limits::NONE,
    differs: &[
        "Of 7, 14, 28, 49, 56, 98, 103 or 112 equal nodes each has 156 points, not 160: the \
         number of digests is reckoned in 64-bit floats, and cut.",
    ],
    label: Label::Default("default_port"),
    configure: |_, _| ring(digests(hash("md5-le32")?, 4, share(Rounding::F64), Ties::LowestIndex)),
};

pub(super) const PYPI_HASHRING: Entry = Entry {
    name: "pypi-hashring",
    family: "ring",
    agrees_with: "hashring of PyPI, the algorithm of hash_ring",
    versions: &["1.5.1"],
    hashes: "the id",
    vectors: &[vectors("ketama/pypi-hashring.jsonl", 5, 834)],
    options: &[],
    variants: &[],
    limits: Limits::NONE,
    differs: &["Three points of a digest, not four, and a key on a point belongs to the next one."],
    label: Label::Id,
    configure: |_, _| {
        ring(after(digests(hash("md5-le32")?, 3, share(Rounding::Exact), Ties::HighestIndex)))
    },
};

pub(super) const GROUPCACHE: Entry = Entry {
    name: "groupcache",
    family: "ring",
    agrees_with: "consistenthash of groupcache",
    versions: &["2c02b82 (2024-11-29)"],
    hashes: "the id, behind the number of the copy",
    vectors: &[vectors("ring/go_crc32_rings.jsonl", 5, 631)],
    options: &[replicas(50)],
    variants: &[],
    limits: Limits::NONE,
    differs: &[
        "The number of the copy stands before the node, without anything between: copy 1 of \
         node 11 is copy 11 of node 1. Of coinciding points the node that came last has it.",
        "stathat has the same points, but a key on a point belongs to the next one.",
    ],
    label: Label::Id,
    configure: |chosen, _| ring(numbered("crc32", chosen)?),
};

/// A ring whose points are hashes of copy and id, with nothing between them.
fn numbered(name: &str, chosen: &Chosen) -> Result<Config, Error> {
    let count = Count::PerWeight(chosen.number("replicas"));
    Ok(texts(hash(name)?, Place::First, "", count, Ties::HighestIndex))
}

pub(super) const STATHAT: Entry = Entry {
    name: "stathat",
    agrees_with: "stathat/consistent",
    versions: &["30ea17e (2019)"],
    vectors: &[vectors("ring/go_crc32_rings.jsonl", 5, 631)],
    options: &[replicas(20)],
    differs: &[
        "The points of groupcache, but a key on a point belongs to the next one, and 20 copies \
         unless set.",
    ],
    configure: |chosen, _| ring(after(numbered("crc32", chosen)?)),
    ..GROUPCACHE
};

pub(super) const STATHAT_FNV: Entry = Entry {
    name: "stathat-fnv",
    agrees_with: "stathat/consistent with UseFnv",
    differs: &["FNV-1a of 32 bits in place of CRC-32, else as stathat."],
    configure: |chosen, _| ring(after(numbered("fnv1a-32", chosen)?)),
    ..STATHAT
};

pub(super) const SERIALX_HASHRING: Entry = Entry {
    name: "serialx-hashring",
    family: "ring",
    agrees_with: "serialx/hashring",
    versions: &["22c0c7a (2020)"],
    hashes: "the id",
    vectors: &[vectors("ring/other_rings.jsonl", 4, 494)],
    options: &[],
    variants: &[],
    limits: Limits::NONE,
    differs: &[
        "One point a weight unit, so nodes of weight 1 have one point each, and shares as \
         uneven as that makes them.",
        "Points are compared as signed numbers; a key on a point belongs to the next one.",
    ],
    label: Label::Id,
    configure: |_, _| {
        let (keys, count) = (hash("md5-le-i64")?, Count::PerWeight(1));
        ring(after(texts(keys, Place::Last, "-", count, Ties::HighestIndex)))
    },
};

pub(super) const CONHASH: Entry = Entry {
    name: "conhash",
    family: "ring",
    agrees_with: "conhash of crates.io",
    versions: &["0.5.1"],
    hashes: "the id, a colon, the number of the copy",
    vectors: &[vectors("ring/other_rings.jsonl", 2, 242)],
    options: &[replicas(20)],
    variants: &[],
    limits: Limits::NONE,
    differs: &[
        "MD5 as 16 bytes in their order, of which the first eight are compared here: a key and \
         a point differ beyond them with probability 2^-64.",
        "The program has a number of replicas for each node: give it as the weight, with \
         replicas=1.",
    ],
    label: Label::Id,
    configure: |chosen, _| {
        let count = Count::PerWeight(chosen.number("replicas"));
        ring(texts(hash("md5-be64")?, Place::Last, ":", count, Ties::HighestIndex))
    },
};
