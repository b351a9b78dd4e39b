//! `ketama/`: rings whose points are words of MD5 digests, but those of the proxy.

use std::collections::BTreeMap;

use homing_core::compat::md5;
use homing_core::{Attribute, Node, NodeId, Placement as _};
use homing_ring::Ring;
use serde::Deserialize;
use serde_json::Value;

use crate::answers::{check_answers, check_points, labels_of, order_at, points_of};
use crate::record::{Column, Record};
use crate::system;
use crate::tally::Tally;

const HASHED: [Column; 2] = [Column::Hash, Column::Owner];

/// A server as these records have it.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Server {
    host: String,
    port: u16,
    weight: u32,
}

impl Server {
    fn node(&self) -> Node {
        Node::new(format!("{}:{}", self.host, self.port))
            .weighing(self.weight)
            .with(Attribute::Host, &self.host)
            .with(Attribute::Port, &self.port.to_string())
    }
}

pub(crate) fn libketama(record: &Record, tally: &mut Tally) {
    let params = record.options("params");
    expect(record, &params, "label", &["host:port-k"]);
    expect(record, &params, "key_hash", &["md5[0..4] LE"]);
    check("libketama", 4, record, tally);
}

pub(crate) fn libmemcached(record: &Record, tally: &mut Tally) {
    let params = record.options("params");
    let mode = params["mode"].as_str().expect("a mode is a text");
    let (preset, hash) = match mode {
        "MEMCACHED_BEHAVIOR_KETAMA_WEIGHTED" => ("libmemcached", "md5"),
        "MEMCACHED_BEHAVIOR_KETAMA" => ("libmemcached-ketama", "one_at_a_time"),
        mode if mode.contains("KETAMA_SPY") => ("libmemcached-ketama-spy", "md5"),
        mode => panic!("{record}: unknown mode {mode:?}"),
    };
    expect(record, &params, "key_hash", &[hash]);
    let derived = preset != "libmemcached-ketama"
        || record.field::<Vec<Server>>("servers").iter().any(|server| server.weight > 1);
    check(preset, if derived { 4 } else { 0 }, record, tally);
}

pub(crate) fn spymemcached(record: &Record, tally: &mut Tally) {
    let params = record.options("params");
    let format = params["format"].as_str().expect("a format is a text");
    let preset = match format {
        "SPYMEMCACHED" => "spymemcached",
        "LIBMEMCACHED" => "spymemcached-libmemcached",
        format => panic!("{record}: unknown format {format:?}"),
    };
    // What the program has made of the addresses it was given: resolved names.
    let labels: Vec<String> = serde_json::from_value(params["labels"].clone()).unwrap();
    let servers: Vec<Server> = record.field("servers");
    let nodes = servers.iter().zip(&labels).map(|(server, label)| {
        let port = format!(":{}", server.port);
        let name = label.strip_suffix(&port).unwrap_or(label);
        match name.split_once('/') {
            Some((alias, host)) => {
                server.node().with(Attribute::Alias, alias).with(Attribute::Host, host)
            }
            None if name != server.host => server.node().with(Attribute::Alias, name),
            None => server.node(),
        }
    });
    check_ring(preset, 4, nodes.collect(), record, tally);
}

pub(crate) fn uhashring(record: &Record, tally: &mut Tally) {
    let params = record.options("params");
    expect(record, &params, "hash_fn", &["ketama"]);
    expect(record, &params, "vnodes", &["40"]);
    expect(record, &params, "replicas", &["4"]);
    check("uhashring", 4, record, tally);
}

pub(crate) fn npm_hashring(record: &Record, tally: &mut Tally) {
    let params = record.options("params");
    let options: BTreeMap<String, Value> =
        serde_json::from_value(params["options"].clone()).unwrap();
    let known = options.keys().all(|option| option == "default port");
    assert!(known, "{record}: unknown option in {options:?}");
    let preset = match options.get("default port") {
        Some(port) => format!("npm-hashring:default_port={port}"),
        None => "npm-hashring".to_owned(),
    };
    let ring = check(&preset, 4, record, tally);
    for (key, order) in record.field::<Vec<(String, Vec<usize>)>>("range3_unique") {
        let nodes = order_at(&ring, ring.position(key.as_bytes()), order.len());
        assert_eq!(nodes, order, "{record}: the order of {key:?}");
    }
}

pub(crate) fn pypi_hashring(record: &Record, tally: &mut Tally) {
    expect(record, &record.options("params"), "replicas_per_digest", &["3"]);
    check("pypi-hashring", 3, record, tally);
}

fn check(preset: &str, words: usize, record: &Record, tally: &mut Tally) -> Ring {
    check_ring(preset, words, nodes(record), record, tally)
}

/// The servers of a record as nodes.
pub(crate) fn nodes(record: &Record) -> Vec<Node> {
    record.field::<Vec<Server>>("servers").iter().map(Server::node).collect()
}

// Builds the ring by the preset and checks it. `words` of each digest are points, or, where
// it is 0, points come from another hash.
fn check_ring(
    preset: &str,
    words: usize,
    nodes: Vec<Node>,
    record: &Record,
    tally: &mut Tally,
) -> Ring {
    let count = nodes.len();
    let ids: Vec<NodeId> = nodes.iter().map(|node| node.id.clone()).collect();
    let ring = system::ring(preset, nodes, record);
    let labels = labels_of(&ring);
    // The npm package leaves the port out of what is recorded as the label.
    let first: Vec<String> = record.field("labels_first_two");
    let label = if preset.contains(":default_port=") { ids[0].as_str() } else { &*labels[0] };
    assert_eq!(first, [0, 1].map(|k| format!("{label}-{k}")), "{record}: the labels");

    let mut points = points_of(&ring);
    if points.len() < record.field("point_count") && words > 0 {
        points = with_shadowed(&points, &labels, words, record);
    }
    let compared = check_points(&points, count, record);
    let answers = record.answers(&HASHED);
    tally.agree(preset, check_answers(&ring, &answers, record), compared);
    ring
}

// The points with those that coincide with another node's and so never are found: the
// records have them, `points` does not.
fn with_shadowed(
    points: &[(u64, usize)],
    labels: &[String],
    words: usize,
    record: &Record,
) -> Vec<(u64, usize)> {
    let counts: Vec<usize> = record.field("points_per_server");
    let mut all = Vec::new();
    for (place, (label, count)) in labels.iter().zip(counts).enumerate() {
        for digest in (0..count / words).map(|k| md5(format!("{label}-{k}").as_bytes())) {
            let (quads, _) = digest.as_chunks::<4>();
            all.extend(
                quads[..words].iter().map(|&word| (u64::from(u32::from_le_bytes(word)), place)),
            );
        }
    }
    all.sort_unstable();
    let mut first = all.clone();
    first.dedup_by_key(|(point, _)| *point);
    let mut last = all.clone();
    last.reverse();
    last.dedup_by_key(|(point, _)| *point);
    last.reverse();
    let known = points == first || points == last;
    assert!(known, "{record}: of equal points the first or the last server has the place");
    all
}

// Checks a parameter that has no choice behind it.
fn expect(record: &Record, params: &BTreeMap<String, Value>, name: &str, known: &[&str]) {
    let Some(value) = params.get(name) else { return };
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    assert!(known.contains(&&*text), "{record}: unknown {name} {text:?}");
}
