//! `cassandra/`: tokens, and replicas over racks and data centres.

use std::collections::BTreeMap;

use homing_core::compat::md5_magnitude;
use homing_core::{Attribute, Node, Placement as _};
use serde::Deserialize;

use crate::answers::order_at;
use crate::record::Record;
use crate::system;
use crate::tally::{Tally, read};

#[derive(Deserialize)]
struct Murmur3Row {
    key_hex: String,
    token: i64,
    raw_hash: i64,
    standard_murmur3_low64: i64,
}

/// The position of a token: the numbers with a sign in the order of those without.
pub(crate) fn position_of(token: i64) -> u64 {
    token.cast_unsigned() ^ (1 << 63)
}

pub(crate) fn murmur3_tokens(file: &str) -> Tally {
    let (rows, mut tally) = read::<Murmur3Row>(file);
    for row in rows {
        let key = hex::decode(&row.key_hex).unwrap();
        let standard = system::hash("murmur3-128").hash(&key).cast_signed();
        assert_eq!(standard, row.standard_murmur3_low64, "{file}: {}", row.key_hex);
        let token = if row.raw_hash == i64::MIN { i64::MAX } else { row.raw_hash };
        assert_eq!(row.token, token, "{file}: {}", row.key_hex);
        let raw = system::hash("murmur3-128-signed").hash(&key).cast_signed();
        assert_eq!(raw, row.raw_hash, "{file}: {}", row.key_hex);
        // The driver hashes the empty key as any other; in the server it has the least token.
        let position = system::hash("murmur3-token").hash(&key);
        let server = if key.is_empty() { i64::MIN } else { row.token };
        assert_eq!(position, position_of(server), "{file}: {}", row.key_hex);
        tally.agree("cassandra", 1, 1);
    }
    tally
}

#[derive(Deserialize)]
struct Md5Row {
    key_hex: String,
    token: u128,
}

pub(crate) fn md5_tokens(file: &str) -> Tally {
    let (rows, mut tally) = read::<Md5Row>(file);
    for row in rows {
        let key = hex::decode(&row.key_hex).unwrap();
        assert_eq!(md5_magnitude(&key), row.token, "{file}: {}", row.key_hex);
        tally.agree("cassandra-random", 1, 0);
    }
    tally
}

#[derive(Deserialize)]
struct Host {
    addr: String,
    dc: String,
    rack: String,
}

/// `[key_hex, token, replicas of the driver, replicas of the server]`, the last only where
/// the strategy is the server's too.
#[derive(Deserialize)]
#[serde(untagged)]
enum Lookup {
    Driver(String, i64, Vec<usize>),
    Server(String, i64, Vec<usize>, Vec<usize>),
}

pub(crate) fn replicas(record: &Record, tally: &mut Tally) {
    let hosts: Vec<Host> = record.field("hosts");
    let mut tokens = vec![Vec::new(); hosts.len()];
    for (token, place) in record.field::<Vec<(i64, usize)>>("tokens") {
        tokens[place].push(token.to_string());
    }
    let nodes = hosts.iter().zip(&tokens).map(|(host, tokens)| {
        Node::new(&*host.addr)
            .with(Attribute::DataCentre, &host.dc)
            .with(Attribute::Rack, &host.rack)
            .with(Attribute::Tokens, &tokens.join(","))
    });
    let ring = system::ring("cassandra", nodes.collect(), record);
    let options: BTreeMap<String, usize> = record.field("options");
    let strategy = record.text("strategy");
    let lookups: Vec<Lookup> = record.field("lookups");
    for lookup in &lookups {
        let (key, token, driver, server) = match lookup {
            Lookup::Driver(key, token, driver) => (key, *token, driver, None),
            Lookup::Server(key, token, driver, server) => (key, *token, driver, Some(server)),
        };
        let digits = key;
        let key = hex::decode(key).unwrap();
        let position = ring.position(&key);
        assert_eq!(position, position_of(token), "{record}: the token of {digits}");
        match (&*strategy, server) {
            ("SimpleStrategy", None) => {
                let nodes = order_at(&ring, position, options["replication_factor"]);
                assert_eq!(nodes, *driver, "{record}: {digits}");
            }
            ("NetworkTopologyStrategy", Some(server)) => {
                let areas: Vec<(&str, usize)> =
                    options.iter().map(|(area, &count)| (&**area, count)).collect();
                let mut replicas = Vec::new();
                ring.replicas_by_area(position, &areas, &mut replicas);
                let nodes: Vec<usize> = replicas.iter().map(|index| index.get()).collect();
                assert_eq!(nodes, *server, "{record}: {digits}");
                // The driver has them in another order, and with several tokens a node can
                // name one twice in place of another.
                assert_eq!(driver.len(), server.len(), "{record}: {digits} in the driver");
                for (i, node) in driver.iter().enumerate() {
                    let twice = driver[..i].contains(node) && tokens.iter().all(|of| of.len() == 1);
                    let known = server.contains(node) && !twice;
                    assert!(known, "{record}: {digits}: the driver has {driver:?} for {server:?}");
                }
            }
            _ => panic!("{record}: unknown strategy {strategy:?}"),
        }
    }
    tally.agree("cassandra", lookups.len(), 0);
}
