//! Which check a file has, and that every file has one.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use homing_tests::vectors;

use crate::tally::{Tally, announce};
use crate::{articles, cassandra, hashes, homing, jump, redis, samples, systems};

/// A file with its check, which panics where the rows disagree.
type Check = (&'static str, fn(&str) -> Tally);

/// Every file that a folder of vectors has; the samples are found by their folders.
const FILES: [Check; 38] = [
    ("articles/md5_ring.jsonl", systems::check),
    ("articles/modbus_crc16.csv", articles::modbus),
    ("articles/sha256_ring.jsonl", systems::check),
    ("cassandra/md5_tokens.csv", cassandra::md5_tokens),
    ("cassandra/murmur3_tokens.csv", cassandra::murmur3_tokens),
    ("cassandra/replicas.jsonl", systems::check),
    ("envoy/maglev.jsonl", systems::check),
    ("envoy/ring_hash.jsonl", systems::check),
    ("haproxy/haproxy_hash.jsonl", systems::check),
    ("hashes/libhashkit.csv", hashes::libhashkit),
    ("homing/jump.jsonl", homing::jump),
    ("homing/maglev.jsonl", homing::maglev),
    ("homing/maglev_weighted.jsonl", homing::maglev),
    ("homing/modulo.jsonl", homing::modulo),
    ("homing/pieces.jsonl", homing::pieces),
    ("homing/rendezvous.jsonl", homing::rendezvous),
    ("homing/rendezvous_weighted.jsonl", homing::rendezvous),
    ("homing/ring.jsonl", homing::ring),
    ("hrw/hrw.jsonl", systems::check),
    ("jump/jump.csv", jump::jump),
    ("ketama/libketama.jsonl", systems::check),
    ("ketama/libmemcached.jsonl", systems::check),
    ("ketama/npm-hashring.jsonl", systems::check),
    ("ketama/pypi-hashring.jsonl", systems::check),
    ("ketama/spymemcached.jsonl", systems::check),
    ("ketama/twemproxy.jsonl", systems::check),
    ("ketama/uhashring.jsonl", systems::check),
    ("maglev/crate_maglev.jsonl", systems::check),
    ("maglev/go_maglev.jsonl", systems::check),
    ("maglev/katran.jsonl", systems::check),
    ("modulo/modulo.jsonl", systems::check),
    ("nginx/nginx_hash.jsonl", systems::check),
    ("redis/create_allocation.jsonl", redis::create_allocation),
    ("redis/keyslot.csv", redis::keyslot),
    ("redis/rebalance.jsonl", redis::rebalance),
    ("redis/samples", samples::check),
    ("ring/go_crc32_rings.jsonl", systems::check),
    ("ring/other_rings.jsonl", systems::check),
];

static TALLIES: [OnceLock<Tally>; FILES.len()] = [const { OnceLock::new() }; FILES.len()];

/// The tallies of the files below a folder, each checked and announced once a run.
///
/// # Panics
///
/// Panics if a row disagrees or a file is missing, and says which.
pub(crate) fn below(folder: &str) -> impl Iterator<Item = (&'static str, &'static Tally)> {
    let checks = FILES.iter().zip(&TALLIES).filter(move |((file, _), _)| {
        file.strip_prefix(folder).is_some_and(|rest| folder.is_empty() || rest.starts_with('/'))
    });
    checks.map(|(&(file, check), tally)| {
        let announced = || {
            let tally = check(file);
            if tally.rows > 0 {
                announce(file, &tally);
            }
            tally
        };
        (file, tally.get_or_init(announced))
    })
}

/// Checks the files below a folder.
fn check(folder: &str) {
    assert!(below(folder).count() > 0, "{folder}: no file has a check");
}

macro_rules! folders {
    ($($name:ident),*) => {
        $(
            #[test]
            fn $name() {
                check(stringify!($name));
            }
        )*
    };
}

folders!(
    articles, cassandra, envoy, haproxy, hashes, homing, hrw, jump, ketama, maglev, modulo, nginx,
    redis, ring
);

#[test]
fn every_file_has_a_check() {
    let root = vectors::folder();
    let mut found = BTreeSet::new();
    walk(&root, &root, &mut found);
    let known: BTreeSet<&str> = FILES.iter().map(|(file, _)| *file).collect();
    for file in found {
        let sampled = file.starts_with("redis/samples/");
        let data = file.rsplit_once('.').is_some_and(|(_, kind)| ["csv", "jsonl"].contains(&kind));
        assert!(sampled || !data || known.contains(&*file), "{file}: no check knows this file");
    }
}

fn walk(root: &Path, folder: &Path, found: &mut BTreeSet<String>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            walk(root, &path, found);
        } else {
            let parts = path.strip_prefix(root).unwrap().iter();
            let parts: Vec<_> = parts.map(|part| part.to_str().expect("a name is UTF-8")).collect();
            found.insert(parts.join("/"));
        }
    }
}
