//! The rings of memcached clients and of the proxy before them.

use homing_ring::{Config, Count, Place, Rounding, Ties};

use super::{digests, hash, ring, share, tagged, texts, vectors};
use crate::entry::{Entry, Limits};
use crate::label::Label;
use crate::options::{PresetOption, Values};

/// The hashes of keys of libmemcached, by its names.
const LIBHASHKIT: &[(&str, &str)] = &[
    ("one_at_a_time", "one-at-a-time-signed"),
    ("md5", "md5-le32"),
    ("crc", "crc32-15"),
    ("fnv1_64", "fnv1-64-low32-signed"),
    ("fnv1a_64", "fnv1a-64-low32-signed"),
    ("fnv1_32", "fnv1-32-signed"),
    ("fnv1a_32", "fnv1a-32-signed"),
    ("murmur", "murmur2-length"),
    ("murmur3", "murmur3-32-length"),
    ("jenkins", "lookup3:13"),
];

/// The hash of keys of libmemcached.
pub(super) const fn libhashkit_hash(default: &'static str) -> PresetOption {
    hash_of_keys(LIBHASHKIT, default)
}

/// The hashes of keys of twemproxy, by its names.
const NUTCRACKER: &[(&str, &str)] = &[
    ("fnv1a_64", "fnv1a-64-low32-signed"),
    ("one_at_a_time", "one-at-a-time-signed"),
    ("md5", "md5-le32"),
    ("crc16", "crc16-wide"),
    ("crc32", "crc32-15"),
    ("crc32a", "crc32"),
    ("fnv1_64", "fnv1-64-low32-signed"),
    ("fnv1_32", "fnv1-32-signed"),
    ("fnv1a_32", "fnv1a-32-signed"),
    ("hsieh", "hsieh"),
    ("murmur", "murmur2-length"),
    ("jenkins", "lookup3:13"),
];

/// The hash of keys of twemproxy.
pub(super) const NUTCRACKER_HASH: PresetOption = hash_of_keys(NUTCRACKER, "fnv1a_64");

const fn hash_of_keys(
    words: &'static [(&'static str, &'static str)],
    default: &'static str,
) -> PresetOption {
    PresetOption {
        name: "hash",
        values: Values::Words { words, default },
        about: "the hash of keys",
    }
}

/// The tag of twemproxy.
pub(super) const HASH_TAG: PresetOption = PresetOption {
    name: "hash_tag",
    values: Values::Tag,
    about: "what encloses the part of a key that is hashed",
};

/// Every hash but the default of [`NUTCRACKER`], and the tag in use.
pub(super) const NUTCRACKER_VARIANTS: &[&str] = &[
    "hash_tag={}",
    "hash=one_at_a_time",
    "hash=md5",
    "hash=md5,hash_tag={}",
    "hash=crc16",
    "hash=crc32",
    "hash=crc32a",
    "hash=fnv1_64",
    "hash=fnv1_32",
    "hash=fnv1a_32",
    "hash=hsieh",
    "hash=murmur",
    "hash=jenkins",
];

pub(super) const LIBKETAMA: Entry = Entry {
    name: "libketama",
    family: "ring",
    agrees_with: "libketama, the C library",
    versions: &["RJ/ketama 18cf9a7 (2014)"],
    hashes: "host:port, the port always",
    vectors: &[vectors("ketama/libketama.jsonl", 7, 1010)],
    options: &[],
    variants: &[],
    limits: Limits { label: Some(21), nodes: Some(117), weight: None },
    differs: &[
        "libmemcached leaves the port 11211 out of labels and rounds the number of digests in \
         another way; of 61 equal nodes each has 156 points here, and of 25 each has 160.",
        "A key on a point belongs to it, as in libmemcached and unlike in uhashring.",
    ],
    label: Label::Address { prefix: "", joint: ":" },
    configure: |_, _| {
        ring(digests(hash("md5-le32")?, 4, share(Rounding::F32F64), Ties::LowestIndex))
    },
};

pub(super) const LIBMEMCACHED: Entry = Entry {
    name: "libmemcached",
    family: "ring",
    agrees_with: "libmemcached with MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED",
    versions: &["1.1.4"],
    hashes: "host, and :port unless it is 11211",
    vectors: &[vectors("ketama/libmemcached.jsonl", 7, 1010)],
    options: &[libhashkit_hash("md5")],
    variants: &[],
    limits: Limits { label: None, nodes: Some(100), weight: None },
    differs: &[
        "Of 25, 47, 50, 55, 61, 71, 94 or 100 equal nodes each has 156 points, not 160: the \
         number of digests is reckoned in 32-bit floats.",
        "libketama and npm hashring have the port 11211 in their labels.",
    ],
    label: Label::Memcached,
    configure: |chosen, _| {
        ring(digests(tagged(chosen)?, 4, share(Rounding::F32), Ties::LowestIndex))
    },
};

pub(super) const LIBMEMCACHED_KETAMA: Entry = Entry {
    name: "libmemcached-ketama",
    family: "ring",
    agrees_with: "libmemcached with MEMCACHED_BEHAVIOR_KETAMA",
    versions: &["1.1.4"],
    hashes: "host, and :port unless it is 11211",
    vectors: &[vectors("ketama/libmemcached.jsonl", 5, 834)],
    options: &[libhashkit_hash("one_at_a_time")],
    variants: &["hash=md5"],
    limits: Limits { label: None, nodes: Some(100), weight: None },
    differs: &[
        "Not MD5: 100 points a node and keys are hashed with one-at-a-time over signed bytes.",
        "As soon as one weight is above 1 the points are those of the weighted ring, and keys \
         are hashed with one-at-a-time still.",
    ],
    label: Label::Memcached,
    configure: |chosen, members| {
        let keys = hash(chosen.meaning("hash"))?;
        if members.iter().any(|(_, node)| node.weight > 1) {
            return ring(digests(keys, 4, share(Rounding::F32), Ties::LowestIndex));
        }
        let points = hash("one-at-a-time-signed")?;
        let copies = Count::PerWeight(100);
        ring(Config { hash: keys, ..texts(points, Place::Last, "-", copies, Ties::LowestIndex) })
    },
};

pub(super) const LIBMEMCACHED_KETAMA_SPY: Entry = Entry {
    name: "libmemcached-ketama-spy",
    agrees_with: "libmemcached with MEMCACHED_DISTRIBUTION_CONSISTENT_KETAMA_SPY",
    hashes: "/host:port, the port always",
    differs: &[
        "The slash before the host is the difference to the weighted ring; spymemcached itself \
         has none in either of its formats.",
    ],
    label: Label::Address { prefix: "/", joint: ":" },
    ..LIBMEMCACHED
};

pub(super) const SPYMEMCACHED: Entry = Entry {
    name: "spymemcached",
    family: "ring",
    agrees_with: "spymemcached, KetamaNodeLocator, format SPYMEMCACHED",
    versions: &["2.12.3"],
    hashes: "host:port of a numeric address; alias/host:port of a name that was resolved, the \
             alias being the name",
    vectors: &[vectors("ketama/spymemcached.jsonl", 5, 834)],
    options: &[],
    variants: &[],
    limits: Limits::NONE,
    differs: &[
        "The label is the text of a Java socket address, so a name that is resolved puts its \
         address into it, and the ring moves when the address does.",
        "Where the labels are alike and all weights are 1 the ring is that of libketama, \
         without its rounding: 160 points a node.",
    ],
    label: Label::Resolved,
    configure: |_, members| {
        let even = members.iter().all(|(_, node)| node.weight == 1);
        let count = if even { Count::PerWeight(40) } else { share(Rounding::F32) };
        ring(digests(hash("md5-le32")?, 4, count, Ties::HighestIndex))
    },
};

pub(super) const SPYMEMCACHED_LIBMEMCACHED: Entry = Entry {
    name: "spymemcached-libmemcached",
    agrees_with: "spymemcached, KetamaNodeLocator, format LIBMEMCACHED",
    hashes: "the alias or the host, and :port unless it is 11211",
    differs: &[
        "A numeric loopback address is hashed as the name that it resolves to, localhost: give \
         that as the alias.",
        "Where the labels and the number of digests are alike the ring is that of libmemcached.",
    ],
    label: Label::NameOrMemcached,
    ..SPYMEMCACHED
};

pub(super) const TWEMPROXY: Entry = Entry {
    name: "twemproxy",
    family: "ring",
    agrees_with: "twemproxy (nutcracker) with distribution ketama",
    versions: &["0.5.0"],
    hashes: "the alias, or host and :port unless it is 11211",
    vectors: &[vectors("ketama/twemproxy.jsonl", 21, 2432)],
    options: &[NUTCRACKER_HASH, HASH_TAG],
    variants: NUTCRACKER_VARIANTS,
    limits: Limits::NONE,
    differs: &[
        "The option hash is that of keys; points are MD5 whatever it says.",
        "Bytes from 0x80 on are sign-extended, so standard FNV gives other values for keys \
         that are not ASCII.",
        "crc32 is bits 16 to 30 of the CRC-32, crc32a the whole; crc16 keeps what is shifted \
         out of its 16 bits.",
    ],
    label: Label::AliasOrMemcached,
    configure: |chosen, _| {
        ring(digests(tagged(chosen)?, 4, share(Rounding::F32), Ties::LowestIndex))
    },
};
