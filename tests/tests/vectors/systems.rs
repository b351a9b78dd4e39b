//! Records of foreign programs, each checked by what its `system` says.

use serde_json::Value;

use crate::record::Record;
use crate::tally::{Tally, read};
use crate::{
    articles, cassandra, envoy, haproxy, hrw, ketama, maglev, modulo, nginx, rings, twemproxy,
};

/// Checks one record, and says so in the tally.
type Check = fn(&Record, &mut Tally);

/// How the text of `system` begins, and the check of such a record. A longer beginning
/// stands before a shorter one of the same text.
const SYSTEMS: [(&str, Check); 37] = [
    ("PyPI hashring", ketama::pypi_hashring),
    ("PyPI hrw", hrw::sha256_joined),
    ("article integer", articles::integers),
    ("article md5", articles::md5_ring),
    ("article sha256", articles::sha256_ring),
    ("buraksezer/consistent", rings::bounded),
    ("cassandra", cassandra::replicas),
    ("clandestined Cluster", hrw::clandestined_cluster),
    ("clandestined", hrw::clandestined),
    ("crate conhash", rings::conhash),
    ("crate maglev", maglev::crate_maglev),
    ("envoy-maglev", envoy::maglev),
    ("envoy-ring-hash", envoy::ring),
    ("go-maglev", maglev::go_maglev),
    ("go-rendezvous", hrw::go_rendezvous),
    ("groupcache", rings::groupcache),
    ("grpc-go", rings::grpc),
    ("haproxy", haproxy::check),
    ("hrw-hash", hrw::hrw_hash),
    ("kafka-python", modulo::kafka),
    ("katran", maglev::katran),
    ("libketama", ketama::libketama),
    ("libmemcached modula", modulo::libmemcached),
    ("libmemcached", ketama::libmemcached),
    ("librdkafka", modulo::librdkafka),
    ("maglev-permutations", maglev::permutations),
    ("nginx", nginx::check),
    ("npm-hashring", ketama::npm_hashring),
    ("pymemcache", hrw::pymemcache),
    ("python-memcached", modulo::python_memcached),
    ("rendezvous_hash", hrw::rendezvous_hash),
    ("serialx/hashring", rings::serialx),
    ("spymemcached", ketama::spymemcached),
    ("stathat-fnv", rings::stathat_fnv),
    ("stathat", rings::stathat),
    ("twemproxy", twemproxy::check),
    ("uhashring", ketama::uhashring),
];

/// Checks a file whose records say which system made them.
pub(crate) fn check(file: &str) -> Tally {
    let (rows, mut tally) = read::<Value>(file);
    for (line, row) in rows.into_iter().enumerate() {
        let record = Record::new(row, format!("{file}:{}", line + 1));
        let system = record.text("system");
        let known = SYSTEMS.iter().find(|(beginning, _)| system.starts_with(beginning));
        let (_, check) = known.unwrap_or_else(|| panic!("{record}: unknown system {system:?}"));
        check(&record, &mut tally);
    }
    tally
}
