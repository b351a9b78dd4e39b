//! The ring: ownership, replicas and changes.

use std::collections::{BTreeMap, BTreeSet};

use homing_core::{Build as _, Change, Error, Members, Node, NodeId, Placement as _, Spread};
use homing_ring::{Config, Points, Ring};
use homing_tests::bridge::{add, owner, owner_at, remove, replicas_at};
use md5::{Digest as _, Md5};

use crate::{build, fraction, numbered, owners};

fn drawn(per_weight: u32) -> Config {
    Config { points: Points::Drawn { per_weight }, ..Config::default() }
}

fn assigned(points: Vec<(u64, NodeId)>, ids: &[&str]) -> Ring {
    let config = Config { points: Points::Assigned(points), ..Config::default() };
    Ring::build(config, Members::named(ids.iter().copied()).unwrap()).unwrap()
}

// The points and positions of ketama: 40 digests of label-i, each four little-endian words.
fn ketama(ids: &[&str]) -> Vec<(u64, NodeId)> {
    let mut points = Vec::new();
    for id in ids {
        for i in 0..40 {
            let digest = Md5::digest(format!("{id}-{i}"));
            points.extend(digest.chunks(4).map(|word| (little_endian(word), NodeId::new(id))));
        }
    }
    points
}

fn ketama_position(key: &str) -> u64 {
    little_endian(&Md5::digest(key)[..4])
}

fn little_endian(word: &[u8]) -> u64 {
    word.iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
}

#[test]
fn c12_a_shared_point_is_the_least_ids_for_both_orders_of_arrival() {
    let ids = ["cache-349:11211", "cache-450:11211"];
    let points = ketama(&ids);
    assert_eq!(points.len(), 320);
    assert_eq!(points.iter().filter(|(point, _)| *point == 2_493_200_072).count(), 2);

    let one = assigned(points.clone(), &ids);
    let other = assigned(points.into_iter().rev().collect(), &[ids[1], ids[0]]);
    assert_eq!(one.points().count(), 319);
    for key in ["key-221", "key-1395"] {
        let position = ketama_position(key);
        assert_eq!(owner_at(&one, position).as_deref(), Some(ids[0]), "{key}");
        assert_eq!(owner_at(&other, position).as_deref(), Some(ids[0]), "{key}");
        let left = one.with_changes(&[remove(ids[0])]).unwrap();
        assert_eq!(owner_at(&left, position).as_deref(), Some(ids[1]), "{key}");
    }
    assert_eq!(one.fingerprint(), other.fingerprint());
    let left = one.with_changes(&[remove(ids[0])]).unwrap();
    assert_eq!(left.points().count(), 160, "the other node has all its points");
}

#[test]
fn c14_positions_below_the_first_and_above_the_last_point_are_the_first_ones() {
    let points = [(1000, "A"), (5000, "B"), (9000, "C")];
    let ring =
        assigned(points.map(|(point, id)| (point, NodeId::new(id))).to_vec(), &["A", "B", "C"]);
    let positions = [0, 999, 1001, 4999, 5001, 8999, 9001, u64::MAX];
    let found = positions.map(|position| owner_at(&ring, position).unwrap()).concat();
    assert_eq!(found, "AABBCCAA");
}

#[test]
fn c17_replicas_are_distinct_nodes_and_the_owner_comes_first() {
    let ring = Ring::build(drawn(100), Members::named(["p", "q", "s"]).unwrap()).unwrap();
    for key in numbered("k", 10_000) {
        let replicas = replicas_at(&ring, ring.position(key.as_bytes()), 3, Spread::Nodes);
        assert_eq!(replicas.first().cloned(), owner(&ring, key.as_bytes()));
        assert_eq!(replicas.iter().collect::<BTreeSet<_>>().len(), 3, "{key}: {replicas:?}");
    }
}

#[test]
fn c18_zones_hold_one_more_only_when_each_holds_one() {
    let nodes = ["a1", "a2", "b1", "b2", "c1", "c2"].map(|id| Node::new(id).in_zone(&id[..1]));
    let ring = Ring::build(drawn(100), Members::new(nodes).unwrap()).unwrap();
    for key in numbered("k", 5_000) {
        for (count, most) in [(3, 1), (4, 2), (6, 2)] {
            let replicas = replicas_at(&ring, ring.position(key.as_bytes()), count, Spread::Zones);
            assert_eq!(replicas.iter().collect::<BTreeSet<_>>().len(), count, "{replicas:?}");
            let mut zones: BTreeMap<&str, usize> = BTreeMap::new();
            for id in &replicas {
                *zones.entry(&id[..1]).or_default() += 1;
            }
            assert!(zones.values().all(|&held| held <= most), "{replicas:?}");
        }
    }
}

#[test]
fn c19_keys_move_only_to_a_node_that_joins_or_from_one_that_leaves() {
    let weights = [("a", 1), ("b", 2), ("c", 4)].map(|(id, weight)| Node::new(id).weighing(weight));
    let ten = numbered("n", 10);
    let steps = [
        (Members::named(["n1", "n2"]).unwrap(), add("n3"), "n3"),
        (Members::named(ten.iter().map(String::as_str)).unwrap(), add("n10"), "n10"),
        (Members::new(weights).unwrap(), remove("c"), "c"),
    ];
    let keys = numbered("key-", 20_000);
    for (members, change, id) in steps {
        let ring = Ring::build(drawn(100), members).unwrap();
        let after = ring.with_changes(std::slice::from_ref(&change)).unwrap();
        let mut moved = 0;
        for (from, to) in owners(&ring, &keys).into_iter().zip(owners(&after, &keys)) {
            if from != to {
                let end = if matches!(change, Change::Add(_)) { to } else { from };
                assert_eq!(end.as_deref(), Some(id));
                moved += 1;
            }
        }
        assert!(moved > 0, "{id}");
    }
}

#[test]
fn c42_a_renamed_node_moves_nothing_between_the_others() {
    let ids = numbered("n", 10);
    let members = Members::named(ids.iter().map(String::as_str)).unwrap();
    let ring = Ring::build(drawn(100), members).unwrap();
    let renamed = ring.with_changes(&[remove("n0"), add("x9")]).unwrap();
    let keys = numbered("k", 20_000);
    let mut moved = 0;
    for (from, to) in owners(&ring, &keys).into_iter().zip(owners(&renamed, &keys)) {
        if from != to {
            assert!(from.as_deref() == Some("n0") || to.as_deref() == Some("x9"));
            moved += 1;
        }
    }
    let share = fraction(moved, keys.len());
    assert!((0.12..=0.25).contains(&share), "{share}");
    let same = ring.with_changes(&[]).unwrap();
    assert_eq!(owners(&ring, &keys), owners(&same, &keys), "with its id kept nothing moves");
}

#[test]
fn c47_no_points_at_all_are_refused() {
    let told = Ring::build(drawn(0), Members::named(["a", "b"]).unwrap()).unwrap_err();
    assert_eq!(told.to_string(), "points is 0, but must be from 1 to 4294967295");
}

#[test]
fn c48_more_replicas_than_nodes_are_a_short_list() {
    let ring: Ring = build(&["a", "b"]);
    for spread in [Spread::Nodes, Spread::Zones] {
        let mut replicas = replicas_at(&ring, ring.position(b"x"), 3, spread);
        replicas.sort();
        assert_eq!(replicas, ["a", "b"]);
    }
}

#[test]
fn c51_the_label_of_a_node_is_part_of_the_placement() {
    let long = ["10.1.0.1:11211", "10.1.0.2:11211", "10.1.0.3:11211"];
    let short = ["10.1.0.1", "10.1.0.2", "10.1.0.3"];
    let [with_port, without] = [long, short].map(|ids| assigned(ketama(&ids), &ids));
    let hosts = |ring: &Ring, count: u32| -> Vec<String> {
        let position = |i| ketama_position(&format!("user:{i}"));
        (0..count).map(|i| owner_at(ring, position(i)).unwrap()[7..8].to_owned()).collect()
    };
    assert_eq!(hosts(&with_port, 8).concat(), "11311331");
    assert_eq!(hosts(&without, 8).concat(), "11332323");
    let (one, other) = (hosts(&with_port, 1000), hosts(&without, 1000));
    assert_eq!(one.iter().zip(&other).filter(|(a, b)| a != b).count(), 663);
    let count = |host: &str| one.iter().filter(|each| *each == host).count();
    assert_eq!([count("1"), count("2"), count("3")], [343, 318, 339]);
}

#[test]
fn an_assigned_node_without_a_point_is_named() {
    let points = vec![(10, NodeId::new("a"))];
    let config = Config { points: Points::Assigned(points.clone()), ..Config::default() };
    let refused = Ring::build(config, Members::named(["a", "b"]).unwrap()).unwrap_err();
    assert!(refused.to_string().contains("\"b\""), "{refused}");

    let ring = assigned(points, &["a"]);
    let refused = ring.with_changes(&[add("b")]).unwrap_err();
    assert!(!matches!(refused, Error::NoNodes), "{refused}");
    assert!(refused.to_string().contains("\"b\""), "{refused}");
}
