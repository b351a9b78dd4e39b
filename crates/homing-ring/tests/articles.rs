//! The worked ring at scale: SHA-256, 256 labelled points a node.

#![cfg(feature = "sha2")]

use homing_core::{Build, Change, KeyHash, Members, Node, NodeId, Placement};
use homing_ring::{Config, Points, Ring};

/// facts.md, section 1: point i of a node is at `node:{node}:{i}`.
fn ring(per_weight: u32) -> Ring {
    let (prefix, separator) = ("node:".into(), ":".into());
    let points = Points::Labelled { prefix, separator, per_weight };
    let config = Config { hash: KeyHash::Sha256, points, ..Config::default() };
    Ring::build(config, Members::named(["A", "B", "C", "D"]).unwrap()).unwrap()
}

fn owners(ring: &Ring) -> Vec<&str> {
    (0..20_000).map(|i| ring.owner(format!("key:{i}").as_bytes()).unwrap().id.as_str()).collect()
}

fn counts(ring: &Ring) -> [usize; 4] {
    let owners = owners(ring);
    ["A", "B", "C", "D"].map(|id| owners.iter().filter(|&&owner| owner == id).count())
}

#[test]
fn keys_per_node_are_those_of_the_worked_ring() {
    assert_eq!(counts(&ring(1)), [14_455, 3_123, 1_221, 1_201]);
    assert_eq!(counts(&ring(256)), [5_188, 4_895, 5_037, 4_880]);
}

#[test]
fn adding_e_moves_4023_keys_all_to_it() {
    let before = ring(256);
    let after = before.with_changes(&[Change::Add(Node::new("E"))]).unwrap();
    let (before, after) = (owners(&before), owners(&after));
    let moved: Vec<_> = before.iter().zip(&after).filter(|(from, to)| from != to).collect();
    assert_eq!(moved.len(), 4_023);
    assert!(moved.iter().all(|(_, to)| **to == "E"));
}

#[test]
fn removing_b_moves_4895_keys_all_from_it() {
    let before = ring(256);
    let after = before.with_changes(&[Change::Remove(NodeId::new("B"))]).unwrap();
    let (before, after) = (owners(&before), owners(&after));
    let moved: Vec<_> = before.iter().zip(&after).filter(|(from, to)| from != to).collect();
    assert_eq!(moved.len(), 4_895);
    assert!(moved.iter().all(|(from, _)| **from == "B"));
}

#[test]
fn one_hot_key_stays_one_nodes() {
    // facts.md, section 1: `key:hot` is D's.
    assert_eq!(ring(256).owner(b"key:hot").unwrap().id.as_str(), "D");
}
