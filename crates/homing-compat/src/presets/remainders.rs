//! Hash mod N, and jump, which goes by the place in a list as well.

use homing_core::Error;
use homing_jump::Rounding;
use homing_modulo::{Buckets, Config, Order};

use super::memcached::{HASH_TAG, NUTCRACKER_HASH, NUTCRACKER_VARIANTS, libhashkit_hash};
use super::proxies::hash_type;
use super::{hash, tagged, vectors};
use crate::entry::{Configuration, Entry, Limits};
use crate::label::Label;
use crate::options::{Chosen, PresetOption, Values};

pub(super) const LIBMEMCACHED_MODULA: Entry = Entry {
    name: "libmemcached-modula",
    family: "modulo",
    agrees_with: "libmemcached, as it is by default",
    versions: &["1.1.4"],
    hashes: "nothing: the order of the nodes decides",
    vectors: &[vectors("modulo/modulo.jsonl", 18, 1800)],
    options: &[libhashkit_hash("one_at_a_time")],
    variants: &[
        "hash=md5",
        "hash=crc",
        "hash=fnv1_64",
        "hash=fnv1a_64",
        "hash=fnv1_32",
        "hash=fnv1a_32",
        "hash=murmur",
        "hash=murmur3",
        "hash=jenkins",
    ],
    limits: Limits::NONE,
    differs: &["The program passes weights over; here one that is not 1 is refused."],
    label: Label::Id,
    configure: |chosen, _| modulo(hash(chosen.meaning("hash"))?, Buckets::Members, Order::Index),
};

pub(super) const PYTHON_MEMCACHED: Entry = Entry {
    name: "python-memcached",
    agrees_with: "python-memcached",
    versions: &["1.62"],
    vectors: &[vectors("modulo/modulo.jsonl", 2, 322)],
    options: &[],
    variants: &[],
    differs: &["Bits 16 to 30 of the CRC-32 are the hash, and 1 where they are 0."],
    configure: |_, _| modulo(hash("crc32-15-or-1")?, Buckets::Repeated, Order::Index),
    ..LIBMEMCACHED_MODULA
};

pub(super) const TWEMPROXY_MODULA: Entry = Entry {
    name: "twemproxy-modula",
    agrees_with: "twemproxy (nutcracker) with distribution modula",
    versions: &["0.5.0"],
    hashes: "nothing; the alias, or host and :port unless it is 11211, decides the order",
    vectors: &[vectors("ketama/twemproxy.jsonl", 17, 1870)],
    options: &[NUTCRACKER_HASH, HASH_TAG],
    variants: NUTCRACKER_VARIANTS,
    differs: &[
        "Servers are put in order of the length of their names, then of the names, so the order \
         of the configuration does not count, and a name that is one byte longer moves keys.",
    ],
    label: Label::AliasOrMemcached,
    configure: |chosen, _| modulo(tagged(chosen)?, Buckets::Repeated, Order::LabelLength),
    ..LIBMEMCACHED_MODULA
};

pub(super) const NGINX_MODULO: Entry = Entry {
    name: "nginx-modulo",
    agrees_with: "nginx, hash KEY without consistent",
    versions: &["1.22.1", "1.31.3"],
    vectors: &[vectors("nginx/nginx_hash.jsonl", 6, 996)],
    options: &[],
    variants: &[],
    differs: &[
        "Of a server that is down the key is hashed again behind the number of the try, and the \
         sum of the hashes counts: no layout, so it is not part of the preset.",
    ],
    configure: |_, _| modulo(hash("crc32-15")?, Buckets::Repeated, Order::Index),
    ..LIBMEMCACHED_MODULA
};

pub(super) const HAPROXY_MAP_BASED: Entry = Entry {
    name: "haproxy-map-based",
    agrees_with: "HAProxy, hash-type map-based",
    versions: &["2.6.12"],
    vectors: &[vectors("haproxy/haproxy_hash.jsonl", 8, 728)],
    options: &[hash_type("sdbm")],
    variants: &[
        "hash=sdbm avalanche",
        "hash=djb2",
        "hash=djb2 avalanche",
        "hash=wt6",
        "hash=wt6 avalanche",
        "hash=crc32",
        "hash=crc32 avalanche",
    ],
    limits: Limits { label: None, nodes: None, weight: Some(256) },
    differs: &["A bare map-based means sdbm without avalanche, a bare consistent with it."],
    configure: |chosen, _| {
        modulo(hash(chosen.meaning("hash"))?, Buckets::Interleaved, Order::Index)
    },
    ..LIBMEMCACHED_MODULA
};

pub(super) const KAFKA: Entry = Entry {
    name: "kafka",
    agrees_with: "Kafka's default partitioner, of keys",
    versions: &["kafka-python 3.0.12", "librdkafka 2.0.2 (murmur2)"],
    hashes: "nothing: the partitions are the nodes, in order",
    vectors: &[vectors("modulo/modulo.jsonl", 5, 805)],
    options: &[],
    variants: &[],
    differs: &["librdkafka has another partitioner unless it is set to murmur2."],
    configure: |_, _| modulo(hash("murmur2-kafka")?, Buckets::Members, Order::Index),
    ..LIBMEMCACHED_MODULA
};

pub(super) const LIBRDKAFKA_CONSISTENT: Entry = Entry {
    name: "librdkafka-consistent",
    agrees_with: "librdkafka, partitioner consistent",
    versions: &["2.0.2"],
    differs: &["CRC-32 in place of murmur2: a key is on another partition than Kafka's own."],
    configure: |_, _| modulo(hash("crc32")?, Buckets::Members, Order::Index),
    ..KAFKA
};

pub(super) const LIBRDKAFKA_FNV1A: Entry = Entry {
    name: "librdkafka-fnv1a",
    agrees_with: "librdkafka, partitioner fnv1a",
    differs: &["The absolute value of FNV-1a as a signed number of 32 bits."],
    configure: |_, _| modulo(hash("fnv1a-32-abs")?, Buckets::Members, Order::Index),
    ..LIBRDKAFKA_CONSISTENT
};

pub(super) const JUMP: Entry = Entry {
    name: "jump",
    family: "jump",
    agrees_with: "jump consistent hash as published: jump-consistent-hash and jchash of PyPI, \
                  jump-consistent-hash of crates.io",
    versions: &["PyPI 3.6.0", "PyPI jchash 2.2", "crates.io 0.1.0"],
    hashes: "nothing: the order of the nodes decides",
    vectors: &[vectors("jump/jump.csv", 541, 541)],
    options: &[KEYS],
    variants: &[],
    limits: Limits::NONE,
    differs: &["Guava rounds once where the paper rounds twice: a few keys are elsewhere."],
    label: Label::Id,
    configure: |chosen, _| jump(chosen, Rounding::Twice),
};

pub(super) const GUAVA: Entry = Entry {
    name: "guava",
    agrees_with: "Guava, Hashing.consistentHash; guavahash of PyPI",
    versions: &["31.1", "PyPI guavahash 1.0.2"],
    differs: &["The quotient is rounded once: a few keys are elsewhere than in the paper."],
    configure: |chosen, _| jump(chosen, Rounding::Once),
    ..JUMP
};

/// The hash that gives a program numbers, which it takes from its caller.
pub(super) const KEYS: PresetOption = PresetOption {
    name: "hash",
    values: Values::Hash { default: "xxh3" },
    about: "the hash that makes a number of a key, which the program takes from its caller",
};

#[expect(clippy::unnecessary_wraps, reason = "it ends functions of which most can fail")]
fn modulo(
    hash: homing_core::KeyHash,
    buckets: Buckets,
    order: Order,
) -> Result<Configuration, Error> {
    Ok(Configuration::Modulo(Config { hash, buckets, order }))
}

fn jump(chosen: &Chosen, rounding: Rounding) -> Result<Configuration, Error> {
    let hash = hash(&chosen.text("hash"))?;
    Ok(Configuration::Jump(homing_jump::Config { hash, rounding }))
}
