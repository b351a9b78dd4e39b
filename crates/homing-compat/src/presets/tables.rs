//! Maglev tables, and contests in which a key has a position.

use homing_core::{Error, Members};
use homing_maglev::{Config, Order, Permutation, Stride, Surplus, Turns};
use homing_rendezvous::{Score, Ties};

use super::remainders::KEYS;
use super::{hash, vectors};
use crate::entry::{Configuration, Entry, Limits};
use crate::label::Label;
use crate::options::{Chosen, PresetOption, Values, is_prime};

/// The greatest table.
const MOST: u32 = 2_147_483_647;

/// The greatest table that envoy makes.
///
/// Source: Envoy, `cluster.proto`, `MaglevLbConfig.table_size`, of which the rule is
/// `lte: 5000011`.
const ENVOY_MOST: u32 = 5_000_011;

const fn size(name: &'static str, most: u32) -> PresetOption {
    PresetOption {
        name,
        values: Values::Prime { default: 65_537, most },
        about: "the number of entries",
    }
}

pub(super) const ENVOY_MAGLEV: Entry = Entry {
    name: "envoy-maglev",
    family: "maglev",
    agrees_with: "Envoy, lb_policy MAGLEV",
    versions: &["1.40.0"],
    hashes: "the hash key of the metadata; or the host name, where that is asked for; or \
             host:port",
    vectors: &[vectors("envoy/maglev.jsonl", 10, 1160)],
    options: &[size("table_size", ENVOY_MOST), super::proxies::HOSTNAMES],
    variants: &[],
    limits: Limits::NONE,
    differs: &[
        "Hosts take their turns in order of their labels, so the order of the configuration \
         does not count; of more hosts than entries the last ones own nothing.",
    ],
    label: Label::HashKey("use_hostname_for_hashing"),
    configure: |chosen, _| {
        maglev(Config {
            hash: hash("xxh64")?,
            entries: chosen.number("table_size"),
            permutation: Permutation::Hashes { offset: hash("xxh64")?, skip: hash("xxh64:1")? },
            order: Order::Label,
            turns: Turns::Iterated,
            surplus: Surplus::Idle,
            ..Config::default()
        })
    },
};

pub(super) const KATRAN_V1: Entry = Entry {
    name: "katran-v1",
    family: "maglev",
    agrees_with: "katran, MaglevHash",
    versions: &["19f08fe (2026-08-22)"],
    hashes: "the hash key, a number of 64 bits; or the id, if that is one",
    vectors: &[vectors("maglev/katran.jsonl", 9, 0)],
    options: &[size("ring_size", MOST), KEYS],
    variants: &[],
    limits: Limits::NONE,
    differs: &[
        "A weight gives turns in the first round only, so heavy nodes own hardly more.",
        "The step along a sequence is reckoned in 32 bits and wraps, which shows in tables of \
         131071 entries.",
        "Nodes take their turns in the order of the list, which the program sorts by number \
         before.",
    ],
    label: Label::Number,
    configure: |chosen, _| katran(chosen, Turns::FirstRound),
};

pub(super) const KATRAN_V2: Entry = Entry {
    name: "katran-v2",
    agrees_with: "katran, MaglevHashV2",
    differs: &[
        "A weight gives turns in every round; the first version gives them in the first only.",
        "The step along a sequence is reckoned in 32 bits and wraps, which shows in tables of \
         131071 entries.",
        "Nodes take their turns in the order of the list, which the program sorts by number \
         before.",
    ],
    configure: |chosen, _| katran(chosen, Turns::Credited),
    ..KATRAN_V1
};

fn katran(chosen: &Chosen, turns: Turns) -> Result<Configuration, Error> {
    maglev(Config {
        hash: hash(&chosen.text("hash"))?,
        entries: chosen.number("ring_size"),
        permutation: Permutation::Numbers {
            offset: (hash("murmur3-128")?, 42),
            skip: (hash("murmur3-128:2307")?, 2_718_281_828),
        },
        order: Order::Index,
        turns,
        stride: Stride::Wrapping,
        surplus: Surplus::Idle,
    })
}

pub(super) const GO_MAGLEV: Entry = Entry {
    name: "go-maglev",
    family: "maglev",
    agrees_with: "dgryski/go-maglev",
    versions: &["8961b9b (2020-06-11)"],
    hashes: "the id",
    vectors: &[vectors("maglev/go_maglev.jsonl", 8, 0)],
    options: &[size("M", MOST), KEYS],
    variants: &[],
    limits: Limits { label: None, nodes: None, weight: Some(1) },
    differs: &[
        "Offset and skip are the halves of one SipHash; nodes take their turns in the order of \
         the list. A node that is dead has weight 0.",
    ],
    label: Label::Id,
    configure: |chosen, _| {
        maglev(Config {
            hash: hash(&chosen.text("hash"))?,
            entries: chosen.number("M"),
            permutation: Permutation::Halves(hash("siphash-2-4:16045690984503098046,0")?),
            order: Order::Index,
            ..Config::default()
        })
    },
};

pub(super) const CRATE_MAGLEV: Entry = Entry {
    name: "crate-maglev",
    agrees_with: "maglev of crates.io",
    versions: &["0.2.1"],
    vectors: &[vectors("maglev/crate_maglev.jsonl", 5, 380)],
    options: &[PresetOption {
        name: "capacity",
        values: Values::Number { default: 0, least: 0, most: MOST },
        about: "the least number of entries, of which the next prime is taken; 0 for 100 a node",
    }],
    differs: &["The size of the table follows the number of nodes unless it is set, and when it \
         changes nearly every key moves."],
    configure: |chosen, members| {
        maglev(Config {
            hash: hash("siphash-1-3-str:3735927486")?,
            entries: entries(chosen.number("capacity"), members)?,
            permutation: Permutation::Hashes {
                offset: hash("siphash-1-3-str:3735927486")?,
                skip: hash("siphash-1-3-str:3735928559")?,
            },
            order: Order::Index,
            ..Config::default()
        })
    },
    ..GO_MAGLEV
};

/// The first prime from `capacity` on, or from 100 a node.
fn entries(capacity: u32, members: &Members) -> Result<u32, Error> {
    let least = if capacity == 0 { 100 * members.len() as u64 } else { capacity.into() };
    let found = (least..=MOST.into())
        .find(|&number| is_prime(number))
        .and_then(|prime| u32::try_from(prime).ok());
    found.ok_or_else(|| Error::parameter("capacity", least, alloc::format!("at most {MOST}")))
}

pub(super) const HRW_HASH: Entry = Entry {
    name: "hrw-hash",
    family: "rendezvous",
    agrees_with: "hrw-hash of crates.io",
    versions: &["2.0.3"],
    hashes: "the id",
    vectors: &[vectors("hrw/hrw.jsonl", 4, 384)],
    options: &[],
    variants: &[],
    limits: Limits::NONE,
    differs: &[
        "The hash is rapidhash of the text and a byte 0xff, as the language hashes a text. A \
         capacity is given as the weight.",
    ],
    label: Label::Id,
    configure: |_, _| {
        Ok(Configuration::Rendezvous(homing_rendezvous::Config {
            hash: hash("rapidhash-str")?,
            score: Score::Murmur,
            node_hash: Some(hash("rapidhash-str")?),
            ties: Ties::Index,
        }))
    },
};

pub(super) const GO_REDIS: Entry = Entry {
    name: "go-redis",
    agrees_with: "dgryski/go-rendezvous with XXH64, which go-redis has for its Ring",
    versions: &["9f7001d"],
    vectors: &[vectors("hrw/hrw.jsonl", 2, 192)],
    limits: Limits { label: None, nodes: None, weight: Some(1) },
    differs: &["Of equal scores the first in the list has the key."],
    configure: |_, _| {
        Ok(Configuration::Rendezvous(homing_rendezvous::Config {
            hash: hash("xxh64")?,
            score: Score::Xorshift,
            node_hash: Some(hash("xxh64")?),
            ties: Ties::Index,
        }))
    },
    ..HRW_HASH
};

#[expect(clippy::unnecessary_wraps, reason = "it ends functions of which most can fail")]
fn maglev(config: Config) -> Result<Configuration, Error> {
    Ok(Configuration::Maglev(config))
}
