//! The rings of proxies and load balancers.

use homing_core::Error;
use homing_ring::{Boundary, Config, Count, Place, Points, Scheme, Sums, Ties};

use super::{hash, ring, texts, vectors};
use crate::entry::{Entry, Limits};
use crate::label::Label;
use crate::options::{Chosen, PresetOption, Values};

pub(super) const NGINX: Entry = Entry {
    name: "nginx",
    family: "ring",
    agrees_with: "nginx, hash KEY consistent",
    versions: &["1.22.1", "1.31.3"],
    hashes: "host, a zero byte, port, as the configuration has them",
    vectors: &[vectors("nginx/nginx_hash.jsonl", 6, 1188)],
    options: &[],
    variants: &[],
    limits: Limits::NONE,
    differs: &[
        "Each point goes into the next one of its node, and nothing but CRC-32 is used.",
        "Names are hashed as they are written, not as they resolve.",
        "A server that is down stays on the ring, and a key goes on from point to point until \
         a live one; after 20 tries, and for the empty key, nginx falls back to round robin, \
         which is not reproduced.",
    ],
    label: Label::Address { prefix: "", joint: "\0" },
    configure: |_, _| {
        let crc32 = hash("crc32")?;
        ring(Config {
            hash: crc32,
            points: Points::Derived {
                scheme: Scheme::Chain { hash: crc32 },
                count: Count::PerWeight(160),
            },
            ..Config::default()
        })
    },
};

/// The hashes of keys of haproxy, as `hash-type` has them after the method.
const HAPROXY_HASHES: &[(&str, &str)] = &[
    ("sdbm", "sdbm"),
    ("sdbm avalanche", "sdbm-avalanche"),
    ("djb2", "djb2"),
    ("djb2 avalanche", "djb2-avalanche"),
    ("wt6", "wt6"),
    ("wt6 avalanche", "wt6-avalanche"),
    ("crc32", "crc32"),
    ("crc32 avalanche", "crc32-avalanche"),
];

/// The hash of keys of haproxy.
pub(super) const fn hash_type(default: &'static str) -> PresetOption {
    PresetOption {
        name: "hash",
        values: Values::Words { words: HAPROXY_HASHES, default },
        about: "what follows the method in hash-type",
    }
}

pub(super) const HAPROXY: Entry = Entry {
    name: "haproxy",
    family: "ring",
    agrees_with: "HAProxy, hash-type consistent",
    versions: &["2.6.12"],
    hashes: "the server id, or the place in the list from 1, or the next number that is free; \
             neither name nor address",
    vectors: &[vectors("haproxy/haproxy_hash.jsonl", 14, 1310)],
    options: &[hash_type("sdbm avalanche")],
    variants: &[
        "hash=sdbm",
        "hash=djb2",
        "hash=djb2 avalanche",
        "hash=wt6",
        "hash=wt6 avalanche",
        "hash=crc32",
        "hash=crc32 avalanche",
    ],
    limits: Limits { label: None, nodes: None, weight: Some(256) },
    differs: &[
        "The territory of a point is around it, not before it: of the points next to a key on \
         either side the nearer one has it, and of two as near the one before.",
        "A bare consistent means sdbm with avalanche, a written one has it only where it says \
         so.",
        "balance uri hashes what stands before the question mark: cut keys there.",
        "Without ids of their own the servers behind one that is taken out have other numbers, \
         and keys move that need not; a removal as a change leaves the numbers as they are.",
    ],
    label: Label::ServerId,
    configure: |chosen, _| {
        ring(Config {
            hash: hash(chosen.meaning("hash"))?,
            points: Points::Derived {
                scheme: Scheme::Number { stride: 4096 },
                count: Count::PerWeight(16),
            },
            boundary: Boundary::Nearest,
            ..Config::default()
        })
    },
};

/// The greatest ring that envoy makes.
const MOST: u32 = 8_388_608;

pub(super) const HOSTNAMES: PresetOption = PresetOption {
    name: "use_hostname_for_hashing",
    values: Values::Words { words: &[("false", ""), ("true", "")], default: "false" },
    about: "whether the host name, given as the alias, is hashed in place of the address",
};

const fn size(name: &'static str, default: u32, about: &'static str) -> PresetOption {
    PresetOption { name, values: Values::Number { default, least: 1, most: MOST }, about }
}

pub(super) const ENVOY: Entry = Entry {
    name: "envoy",
    family: "ring",
    agrees_with: "Envoy, lb_policy RING_HASH",
    versions: &["1.40.0"],
    hashes: "the hash key of the metadata; or the host name, where that is asked for; or \
             host:port; then _ and the number of the copy",
    vectors: &[vectors("envoy/ring_hash.jsonl", 8, 1028)],
    options: &[
        size("minimum_ring_size", 1024, "the least number of points in all"),
        size("maximum_ring_size", MOST, "the greatest number of points in all"),
        PresetOption {
            name: "hash_function",
            values: Values::Words {
                words: &[("XX_HASH", "xxh64"), ("MURMUR_HASH_2", "murmur2-64a:3339675911")],
                default: "XX_HASH",
            },
            about: "the hash of points",
        },
        HOSTNAMES,
    ],
    variants: &["hash_function=MURMUR_HASH_2"],
    limits: Limits::NONE,
    differs: &[
        "Keys are hashed with XXH64 whatever hash_function says, which is about points.",
        "The running sums go over the hosts in the order of the configuration; gRPC sorts them \
         by label first, so a ring whose counts have fractions is another one.",
    ],
    label: Label::HashKey("use_hostname_for_hashing"),
    configure: |chosen, _| {
        let count = scaled(chosen, "minimum_ring_size", "maximum_ring_size", Sums::ByIndex)?;
        let points = hash(chosen.meaning("hash_function"))?;
        let config = texts(points, Place::Last, "_", count, Ties::LowestIndex);
        ring(Config { hash: hash("xxh64")?, ..config })
    },
};

pub(super) const GRPC: Entry = Entry {
    name: "grpc",
    family: "ring",
    agrees_with: "grpc-go, ring_hash",
    versions: &["4793ad0 (2026-08-21)"],
    hashes: "the hash key, or host:port; then _ and the number of the copy",
    vectors: &[vectors("ring/other_rings.jsonl", 4, 494)],
    options: &[
        size("min_ring_size", 1024, "the least number of points in all"),
        size("max_ring_size", 4096, "the greatest number of points in all"),
    ],
    variants: &[],
    limits: Limits::NONE,
    differs: &[
        "Endpoints are sorted by label before the running sums, which envoy does not.",
        "The program cuts both sizes to 4096 unless GRPC_RING_HASH_CAP allows more: give here \
         what it ends with.",
    ],
    label: Label::HashKey(""),
    configure: |chosen, _| {
        let count = scaled(chosen, "min_ring_size", "max_ring_size", Sums::ByLabel)?;
        ring(texts(hash("xxh64")?, Place::Last, "_", count, Ties::LeastId))
    },
};

/// The number of points between two options, by their names.
fn scaled(
    chosen: &Chosen,
    least: &'static str,
    greatest: &'static str,
    sums: Sums,
) -> Result<Count, Error> {
    let (from, to) = (chosen.number(least), chosen.number(greatest));
    if from > to {
        return Err(Error::parameter(
            greatest,
            to,
            alloc::format!("at least {from}, as {least} is"),
        ));
    }
    Ok(Count::Scaled { least: from, greatest: to, sums })
}
