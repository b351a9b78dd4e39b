//! The presets as data, and what several of them share.

mod contests;
mod memcached;
mod packages;
mod proxies;
mod remainders;
mod stores;
mod tables;

use alloc::string::ToString;

use homing_core::{Error, KeyHash};
use homing_ring::{Boundary, Config, Count, Place, Points, Rounding, Scheme, Ties};

use crate::entry::{Configuration, Entry, Vectors};
use crate::options::Chosen;

/// Every preset, in the order in which they are listed.
pub(crate) static ALL: &[&Entry] = &[
    &memcached::LIBKETAMA,
    &memcached::LIBMEMCACHED,
    &memcached::LIBMEMCACHED_KETAMA,
    &memcached::LIBMEMCACHED_KETAMA_SPY,
    &memcached::SPYMEMCACHED,
    &memcached::SPYMEMCACHED_LIBMEMCACHED,
    &memcached::TWEMPROXY,
    &packages::UHASHRING,
    &packages::NPM_HASHRING,
    &packages::PYPI_HASHRING,
    &proxies::NGINX,
    &proxies::HAPROXY,
    &proxies::ENVOY,
    &proxies::GRPC,
    &packages::GROUPCACHE,
    &packages::STATHAT,
    &packages::STATHAT_FNV,
    &packages::SERIALX_HASHRING,
    &packages::CONHASH,
    &stores::CASSANDRA,
    &stores::CASSANDRA_RANDOM,
    &stores::ARTICLE_MD5_RING,
    &stores::ARTICLE_SHA256_RING,
    &tables::ENVOY_MAGLEV,
    &tables::KATRAN_V1,
    &tables::KATRAN_V2,
    &tables::GO_MAGLEV,
    &tables::CRATE_MAGLEV,
    &tables::HRW_HASH,
    &tables::GO_REDIS,
    &contests::RENDEZVOUS_HASH,
    &contests::CLANDESTINED,
    &contests::CLANDESTINED_CLUSTER,
    &contests::PYMEMCACHE,
    &contests::PYPI_HRW,
    &contests::BURAKSEZER_CONSISTENT,
    &remainders::JUMP,
    &remainders::GUAVA,
    &remainders::LIBMEMCACHED_MODULA,
    &remainders::TWEMPROXY_MODULA,
    &remainders::PYTHON_MEMCACHED,
    &remainders::NGINX_MODULO,
    &remainders::HAPROXY_MAP_BASED,
    &remainders::KAFKA,
    &remainders::LIBRDKAFKA_CONSISTENT,
    &remainders::LIBRDKAFKA_FNV1A,
];

/// The vectors of one file.
const fn vectors(file: &'static str, records: usize, lookups: usize) -> Vectors {
    Vectors { file, records, lookups }
}

/// A hash by its name.
fn hash(name: &str) -> Result<KeyHash, Error> {
    name.parse()
}

/// The hash that the option `hash` names in the words of the program, over what the
/// option `hash_tag` encloses, where there is one.
fn tagged(chosen: &Chosen) -> Result<KeyHash, Error> {
    let (name, tag) = (chosen.meaning("hash"), chosen.text("hash_tag"));
    match tag.as_bytes() {
        [] => hash(name),
        [first, second] if !(first.is_ascii_graphic() && second.is_ascii_graphic()) => {
            hash(&alloc::format!("{name}@{first:02x}{second:02x}"))
        }
        _ => hash(&alloc::format!("{name}@{tag}")),
    }
}

/// A ring whose points are words of the MD5 digests of `label-i`.
fn digests(hash: KeyHash, words: u32, count: Count, ties: Ties) -> Config {
    Config {
        hash,
        points: Points::Derived {
            scheme: Scheme::Digest { copy: Place::Last, separator: "-".to_string(), words },
            count,
        },
        ties,
        ..Config::default()
    }
}

/// 40 digests for a node of mean weight.
const fn share(rounding: Rounding) -> Count {
    Count::Share { average: 40, rounding }
}

/// A ring whose points are hashes of label and copy.
fn texts(hash: KeyHash, copy: Place, separator: &str, count: Count, ties: Ties) -> Config {
    Config {
        hash,
        points: Points::Derived {
            scheme: Scheme::Text { copy, separator: separator.to_string(), hash },
            count,
        },
        ties,
        ..Config::default()
    }
}

/// The same ring where a key on a point belongs to the next one.
fn after(config: Config) -> Config {
    Config { boundary: Boundary::After, ..config }
}

#[expect(clippy::unnecessary_wraps, reason = "it ends functions of which most can fail")]
fn ring(config: Config) -> Result<Configuration, Error> {
    Ok(Configuration::Ring(config))
}
