//! The rings of a data store, whose tokens are given, and of programs in articles.

use alloc::string::ToString;
use alloc::vec::Vec;

use homing_core::{Attribute, Error, Members, NodeId};
use homing_ring::{Config, Count, Place, Points, Ties};

use super::{hash, ring, texts, vectors};
use crate::entry::{Entry, Limits};
use crate::label::{Label, tokens};

pub(super) const CASSANDRA: Entry = Entry {
    name: "cassandra",
    family: "ring",
    agrees_with: "Cassandra, Murmur3Partitioner",
    versions: &["server 3.10 (replicas), 5.1-dev (tokens)", "cassandra-driver 3.30.1"],
    hashes: "nothing: the tokens of each node are given, -2^63 to 2^63 - 1",
    vectors: &[
        vectors("cassandra/murmur3_tokens.csv", 379, 379),
        vectors("cassandra/replicas.jsonl", 41, 2132),
    ],
    options: &[],
    variants: &[],
    limits: Limits::NONE,
    differs: &[
        "Bytes after the last full 16 are sign-extended, so standard MurmurHash3 gives other \
         tokens to keys that end in bytes from 0x80 on.",
        "The empty key has the least token, as in the server; the Python driver gives it 0.",
        "A position is its token plus 2^63. Replicas of NetworkTopologyStrategy are those of \
         the server; the driver has the same nodes in another order, and with several tokens a \
         node can name one twice.",
    ],
    label: Label::Tokens,
    configure: |_, members| {
        assigned("murmur3-token", members, |token| {
            token.parse::<i64>().ok().map(|token| token.cast_unsigned() ^ (1 << 63))
        })
    },
};

pub(super) const CASSANDRA_RANDOM: Entry = Entry {
    name: "cassandra-random",
    agrees_with: "Cassandra, RandomPartitioner",
    versions: &["cassandra-driver 3.30.1"],
    hashes: "nothing: the tokens of each node are given, 0 to 2^127",
    vectors: &[vectors("cassandra/md5_tokens.csv", 60, 60)],
    differs: &[
        "A position is its token in units of 2^63: a key and a token are told apart by their \
         leading 64 bits, beyond which two differ with probability 2^-64.",
    ],
    configure: |_, members| {
        assigned("md5-magnitude", members, |token| {
            let token = token.parse::<u128>().ok().filter(|&token| token <= 1 << 127)?;
            Some(u64::try_from(token >> 63).unwrap_or(u64::MAX))
        })
    },
    ..CASSANDRA
};

/// The ring of the tokens that the members are given.
fn assigned(
    keys: &str,
    members: &Members,
    position: impl Fn(&str) -> Option<u64>,
) -> Result<crate::Configuration, Error> {
    let mut points: Vec<(u64, NodeId)> = Vec::new();
    let mut given: Vec<(u64, &str, &NodeId)> = Vec::new();
    for (_, node) in members.iter() {
        for token in tokens(node.attributes.get(Attribute::Tokens).unwrap_or_default()) {
            let at = position(token).ok_or_else(|| {
                let value = alloc::format!("{token:?} in node {:?}", node.id);
                Error::parameter("tokens", value, "whole numbers of the partitioner's range")
            })?;
            points.push((at, node.id.clone()));
            given.push((at, token, &node.id));
        }
    }
    given.sort();
    let twice = given.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[0].2 != pair[1].2);
    if let Some(&[(_, a, of_a), (_, b, of_b)]) = twice {
        let tokens = if a == b {
            a.to_string()
        } else {
            alloc::format!("{a} and {b}, less than 2^63 apart,")
        };
        let value = alloc::format!("{tokens} in nodes {of_a:?} and {of_b:?}");
        return Err(Error::parameter("tokens", value, "each that of one node"));
    }
    ring(Config { hash: hash(keys)?, points: Points::Assigned(points), ..Config::default() })
}

pub(super) const ARTICLE_MD5_RING: Entry = Entry {
    name: "article-md5-ring",
    family: "ring",
    agrees_with: "a ring of MD5, first four bytes, as articles print it",
    versions: &["as printed"],
    hashes: "the id, a #, the number of the copy",
    vectors: &[vectors("articles/md5_ring.jsonl", 4, 655)],
    options: &[super::packages::replicas(160)],
    variants: &[],
    limits: Limits::NONE,
    differs: &[
        "Where two points coincide the program takes the next number, so that its ring depends \
         on who came first; here the least id has the point.",
    ],
    label: Label::Id,
    configure: |chosen, _| {
        let count = Count::PerWeight(chosen.number("replicas"));
        ring(texts(hash("md5-be32")?, Place::Last, "#", count, Ties::LeastId))
    },
};

pub(super) const ARTICLE_SHA256_RING: Entry = Entry {
    name: "article-sha256-ring",
    family: "ring",
    agrees_with: "a ring of SHA-256, as articles print it",
    versions: &["as printed"],
    hashes: "node:, the id, a colon, the number of the copy",
    vectors: &[vectors("articles/sha256_ring.jsonl", 2, 400)],
    options: &[super::packages::replicas(256)],
    variants: &[],
    limits: Limits::NONE,
    differs: &[
        "The program compares 256 bits, of which the first 64 are compared here: a key and a \
         point differ beyond them with probability 2^-64.",
    ],
    label: Label::Id,
    configure: |chosen, _| {
        ring(Config {
            hash: hash("sha256")?,
            points: Points::Labelled {
                prefix: "node:".to_string(),
                separator: ":".to_string(),
                per_weight: chosen.number("replicas"),
            },
            ..Config::default()
        })
    },
};
