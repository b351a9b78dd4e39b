//! `hrw/`: contests of nodes for a key.

use std::collections::BTreeMap;

use homing_core::{Node, Zone};

use crate::answers::check_answers;
use crate::record::{Column, Record};
use crate::system;
use crate::tally::Tally;

/// The nodes of a record, with their capacities where there are some.
pub(crate) fn nodes(record: &Record) -> Vec<Node> {
    let names: Vec<String> = record.field("nodes");
    let weights = record.get::<Vec<u32>>("capacities").unwrap_or_else(|| vec![1; names.len()]);
    assert_eq!(names.len(), weights.len(), "{record}: a capacity is recorded for each node");
    names.iter().zip(weights).map(|(name, weight)| Node::new(&**name).weighing(weight)).collect()
}

pub(crate) fn hrw_hash(record: &Record, tally: &mut Tally) {
    check_node_hashes("rapidhash-str", record);
    let layout = system::layout("hrw-hash", nodes(record), record);
    let answers = record.answers(&[Column::Hash, Column::Order]);
    tally.agree("hrw-hash", check_answers(&*layout, &answers, record), 0);
}

pub(crate) fn go_rendezvous(record: &Record, tally: &mut Tally) {
    assert!(record.text("system").contains("xxhash64"), "{record}: unknown hash");
    check_node_hashes("xxh64", record);
    let layout = system::layout("go-redis", nodes(record), record);
    let answers = record.answers(&[Column::Hash, Column::Owner]);
    tally.agree("go-redis", check_answers(&*layout, &answers, record), 0);
}

fn check_node_hashes(hash: &str, record: &Record) {
    let names: Vec<String> = record.field("nodes");
    for (name, recorded) in names.iter().zip(record.field::<Vec<u64>>("node_hashes")) {
        assert_eq!(system::hash(hash).hash(name.as_bytes()), recorded, "{record}: {name:?}");
    }
}

pub(crate) fn rendezvous_hash(record: &Record, tally: &mut Tally) {
    match &*record.text("mode") {
        "unweighted" | "weighted" => {}
        other => panic!("{record}: unknown mode {other:?}"),
    }
    joined("rendezvous_hash", &[Column::Order], record, tally);
}

pub(crate) fn clandestined(record: &Record, tally: &mut Tally) {
    joined(&seeded("clandestined", record), &[Column::Owner], record, tally);
}

pub(crate) fn pymemcache(record: &Record, tally: &mut Tally) {
    joined(&seeded("pymemcache", record), &[Column::Owner], record, tally);
}

pub(crate) fn sha256_joined(record: &Record, tally: &mut Tally) {
    joined("pypi-hrw", &[Column::Order], record, tally);
}

fn seeded(name: &str, record: &Record) -> String {
    format!("{name}:seed={}", record.field::<u32>("seed"))
}

// A contest that hashes key and node together: the key has no position.
fn joined(preset: &str, columns: &[Column], record: &Record, tally: &mut Tally) {
    let contest = system::contest(preset, nodes(record), record);
    let answers = record.answers(columns);
    for answer in &answers {
        let key = str::from_utf8(&answer.key).unwrap_or_else(|e| panic!("{record}: {e}"));
        assert_eq!(contest.order(key, 1), [answer.owner()], "{record}: {key:?}");
        let order = contest.order(key, answer.order.len());
        assert_eq!(order, answer.order, "{record}: {key:?}");
    }
    tally.agree(preset, answers.len(), 0);
}

pub(crate) fn clandestined_cluster(record: &Record, tally: &mut Tally) {
    let zones: BTreeMap<String, String> = record.field("zones");
    let ids: Vec<&String> = zones.keys().collect();
    let nodes = zones.iter().map(|(id, zone)| Node::new(&**id).in_zone(Zone::new(zone)));
    let preset = seeded("clandestined-cluster", record);
    let contest = system::contest(&preset, nodes.collect(), record);
    let replicas = record.field("replicas");
    let lookups: Vec<(String, Vec<String>)> = record.field("lookups");
    for (key, expected) in &lookups {
        let order: Vec<&String> =
            contest.order(key, replicas).into_iter().map(|place| ids[place]).collect();
        assert_eq!(order, expected.iter().collect::<Vec<_>>(), "{record}: {key:?}");
    }
    tally.agree(&preset, lookups.len(), 0);
}
