//! The golden files are what the oracles write, and what the crates place.

use std::fs;

use homing_core::{Build, Change, KeyHash, Node, NodeId, Spread};
use homing_jump::Jump;
use homing_maglev::Maglev;
use homing_modulo::Modulo;
use homing_rendezvous::Rendezvous;
use homing_ring::{Points, Ring};
use homing_slots::Slots;
use homing_tests::bridge::{members, owner_at, replicas_at};
use homing_tests::golden::{self, GoldenRow};
use homing_tests::oracle::OracleNode;

#[test]
fn the_golden_files_are_what_the_oracles_write() {
    for family in golden::FILES {
        let path = golden::path(family);
        let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let fresh = golden::text(family);
        for (i, (stands, written)) in text.lines().zip(fresh.lines()).enumerate() {
            assert!(stands == written, "{}:{}: not what the oracle writes", path.display(), i + 1);
        }
        assert_eq!(text.len(), fresh.len(), "{}", path.display());
    }
}

fn check<P: Build>(config: P::Config, row: &GoldenRow) {
    let nodes: Vec<OracleNode> = row
        .nodes
        .iter()
        .map(|(id, weight, zone)| OracleNode {
            id: id.clone(),
            weight: *weight,
            zone: zone.clone(),
        })
        .collect();
    let mut layout = P::build(config, members(&nodes)).unwrap();
    for (key, position, expected, nodes, zones) in &row.lookups {
        if let Some(key) = key {
            assert_eq!(layout.position(&hex::decode(key).unwrap()), *position, "{key}");
        }
        assert_eq!(owner_at(&layout, *position), *expected, "{row:?} at {position}");
        if P::FAMILY.capabilities.replicas {
            assert_eq!(replicas_at(&layout, *position, 3, Spread::Nodes), *nodes, "{position}");
            assert_eq!(replicas_at(&layout, *position, 3, Spread::Zones), *zones, "{position}");
        }
    }
    for step in &row.steps {
        let id = || NodeId::new(step.id.as_ref().expect("the step names its node"));
        let weight = || step.weight.expect("the step states a weight");
        let change = match step.step.as_str() {
            "even split" => None,
            "add" => Some(Change::Add(Node::new(id()).weighing(weight()))),
            "remove" => Some(Change::Remove(id())),
            "reweight" => Some(Change::Reweight(id(), weight())),
            "rebalance" => Some(Change::Rebalance),
            other => panic!("step is {other:?}"),
        };
        layout.apply(change.as_slice()).unwrap();
        for (first, last, expected) in &step.ranges {
            for slot in *first..=*last {
                let slot = u64::try_from(slot).unwrap();
                assert_eq!(owner_at(&layout, slot), *expected, "slot {slot} after {step:?}");
            }
        }
    }
}

fn read(family: &str) -> Vec<GoldenRow> {
    let text = fs::read_to_string(golden::path(family)).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn hash(row: &GoldenRow) -> KeyHash {
    row.hash.parse().unwrap()
}

#[test]
fn the_ring_places_as_its_golden_file_says() {
    for row in read("ring") {
        let per_weight = row.points.unwrap_or_default();
        let points = match (&row.labels, &row.assigned) {
            (Some((prefix, separator)), _) => Points::Labelled {
                prefix: prefix.clone(),
                separator: separator.clone(),
                per_weight,
            },
            (_, Some(points)) => Points::Assigned(
                points.iter().map(|(point, id)| (*point, NodeId::new(id))).collect(),
            ),
            _ => Points::Drawn { per_weight },
        };
        check::<Ring>(
            homing_ring::Config { hash: hash(&row), points, ..homing_ring::Config::default() },
            &row,
        );
    }
}

#[test]
fn slots_place_as_their_golden_file_says() {
    for row in read("slots") {
        check::<Slots>(homing_slots::Config::default(), &row);
    }
}

#[test]
fn maglev_places_as_its_golden_file_says() {
    for row in read("maglev") {
        let entries = u32::try_from(row.entries.expect("a table states its entries")).unwrap();
        check::<Maglev>(
            homing_maglev::Config { hash: hash(&row), entries, ..Default::default() },
            &row,
        );
    }
}

#[test]
fn rendezvous_places_as_its_golden_file_says() {
    for row in read("rendezvous") {
        check::<Rendezvous>(
            homing_rendezvous::Config { hash: hash(&row), ..Default::default() },
            &row,
        );
    }
}

#[test]
fn jump_places_as_its_golden_file_says() {
    for row in read("jump") {
        check::<Jump>(homing_jump::Config { hash: hash(&row), ..Default::default() }, &row);
    }
}

#[test]
fn modulo_places_as_its_golden_file_says() {
    for row in read("modulo") {
        check::<Modulo>(homing_modulo::Config { hash: hash(&row), ..Default::default() }, &row);
    }
}
