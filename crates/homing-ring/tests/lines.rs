//! The ring as it is looked up, against a search over all points: at counts of
//! nodes where its form changes, in batches, and after long sequences of changes.

use std::collections::BTreeMap;

use homing_core::{
    Build, Change, KeyHash, Members, Node, NodeId, NodeIndex, Placement, Plan, Spread, draw, mix64,
};
use homing_ring::{Config, Points, Ring};

fn drawn(per_weight: u32) -> Config {
    Config { points: Points::Drawn { per_weight }, ..Config::default() }
}

fn nodes(count: usize) -> Members {
    Members::new((0..count).map(|i| Node::new(format!("n{i}")))).unwrap()
}

/// All points as the README defines them, ascending, of equal ones the least id's.
fn points(members: &Members, per_weight: u32) -> BTreeMap<u64, NodeIndex> {
    let mut points = BTreeMap::new();
    for (index, node) in members.iter() {
        let hash = KeyHash::default().hash(node.id.as_str().as_bytes());
        for i in 0..u64::from(per_weight) * u64::from(node.weight) {
            points.entry(draw(hash, i)).or_insert(index);
        }
    }
    points
}

/// Positions all over the circle, and those at and around points.
fn positions(points: &BTreeMap<u64, NodeIndex>, count: u64) -> Vec<u64> {
    let step = (points.len() / 1_000).max(1);
    let near = points.keys().step_by(step);
    let near = near.flat_map(|&at| [at.wrapping_sub(1), at, at.wrapping_add(1)]);
    (0..count).map(mix64).chain(near).chain([0, u64::MAX]).collect()
}

fn owner(points: &BTreeMap<u64, NodeIndex>, position: u64) -> Option<NodeIndex> {
    points.range(position..).chain(points).next().map(|(_, &owner)| owner)
}

fn check(ring: &Ring, per_weight: u32, count: u64) {
    let points = points(ring.members(), per_weight);
    let positions = positions(&points, count);
    let mut batch = vec![None; positions.len()];
    ring.owners_at(&positions, &mut batch);
    for (&position, &found) in positions.iter().zip(&batch) {
        assert_eq!(found, owner(&points, position), "at {position}");
        assert_eq!(found, ring.owner_at(position), "at {position}");
    }
    assert!(ring.points().eq(points));
}

#[test]
fn a_lookup_finds_the_next_point_at_every_count_of_nodes() {
    for count in [1, 2, 3, 15, 16, 17, 31, 100] {
        for per_weight in [1, 2, 7, 160] {
            check(&Ring::build(drawn(per_weight), nodes(count)).unwrap(), per_weight, 2_000);
        }
    }
}

#[test]
fn a_lookup_finds_the_next_point_at_a_million_positions() {
    check(&Ring::build(Config::default(), nodes(1_000)).unwrap(), 160, 1_000_000);
}

#[test]
fn nodes_beyond_those_that_lines_can_name_are_found_too() {
    // 65,535 nodes have 16-bit numbers above 0.
    for count in [65_534, 65_535, 65_536] {
        check(&Ring::build(drawn(1), nodes(count)).unwrap(), 1, 20_000);
    }
    let mut ring = Ring::build(drawn(1), nodes(65_535)).unwrap();
    let joins = Change::Add(Node::new("joins"));
    ring.apply(std::slice::from_ref(&joins)).unwrap();
    check(&ring, 1, 20_000);
    let last = Change::Remove(NodeId::new("n65534"));
    ring.apply(&[Change::Remove(NodeId::new("n7")), last]).unwrap();
    check(&ring, 1, 20_000);
    ring.apply(&[Change::Remove(NodeId::new("joins"))]).unwrap();
    check(&ring, 1, 20_000);
}

#[test]
fn a_node_of_so_many_points_that_they_are_kept_is_no_exception() {
    // Up to 2^13 points are drawn again: at 160 a weight unit, for weights up to 51.
    let mut ring = Ring::build(Config::default(), nodes(5)).unwrap();
    for weight in [51, 52, 1, 300, 51, 0, 1] {
        ring.apply(&[Change::Reweight(NodeId::new("n3"), weight)]).unwrap();
        check(&ring, 160, 2_000);
    }
    ring.apply(&[Change::Add(Node::new("heavy").weighing(200))]).unwrap();
    check(&ring, 160, 2_000);
    ring.apply(&[Change::Remove(NodeId::new("n0"))]).unwrap();
    check(&ring, 160, 2_000);
    ring.apply(&[Change::Remove(NodeId::new("heavy"))]).unwrap();
    check(&ring, 160, 2_000);
}

#[test]
fn kept_points_are_found_wherever_they_crowd() {
    // All in one of 2^32 parts; all at one place; at few places; as sparse as can be.
    let bounds: [u64; 4] = [1 << 32, 1, 50, u64::MAX];
    for (bound, count) in bounds.into_iter().zip([5_000, 40, 3_000, 2_000]) {
        let place = |i: u64| (mix64(i) % bound, NodeId::new(format!("n{}", i % 7)));
        let list: Vec<(u64, NodeId)> = (0..count).map(place).collect();
        let config = Config { points: Points::Assigned(list.clone()), ..Config::default() };
        let mut ring = Ring::build(config, nodes(7)).unwrap();
        for gone in ["", "n0", "n3"] {
            if !gone.is_empty() {
                ring.apply(&[Change::Remove(NodeId::new(gone))]).unwrap();
            }
            let mut points: BTreeMap<u64, NodeId> = BTreeMap::new();
            for (at, id) in list.iter().filter(|(_, id)| ring.members().index_of(id).is_some()) {
                let owner = points.entry(*at).or_insert_with(|| id.clone());
                *owner = owner.clone().min(id.clone());
            }
            let index = |id: &NodeId| ring.members().index_of(id).unwrap();
            let points = points.iter().map(|(&at, id)| (at, index(id))).collect();
            for position in positions(&points, 2_000) {
                assert_eq!(ring.owner_at(position), owner(&points, position), "at {position}");
            }
            assert!(ring.points().eq(points));
        }
    }
}

#[test]
fn labelled_points_are_found_as_their_hashes_say() {
    let (prefix, separator) = (String::from("node:"), String::from(":"));
    let points = Points::Labelled { prefix, separator, per_weight: 50 };
    let ring = Ring::build(Config { points, ..Config::default() }, nodes(40)).unwrap();
    let mut points = BTreeMap::new();
    for (index, node) in ring.members().iter() {
        for i in 0..50 {
            let label = format!("node:{}:{i}", node.id);
            points.entry(KeyHash::default().hash(label.as_bytes())).or_insert(index);
        }
    }
    for position in positions(&points, 100_000) {
        assert_eq!(ring.owner_at(position), owner(&points, position), "at {position}");
    }
}

#[test]
fn batches_of_every_length_give_what_single_lookups_give() {
    for count in [2, 500] {
        let ring = Ring::build(Config::default(), nodes(count)).unwrap();
        let keys: Vec<String> = (0..200).map(|i| format!("key {i}")).collect();
        let keys: Vec<&[u8]> = keys.iter().map(String::as_bytes).collect();
        let positions: Vec<u64> = keys.iter().map(|key| ring.position(key)).collect();
        let single: Vec<_> = positions.iter().map(|&at| ring.owner_at(at)).collect();
        for length in (0..=70).chain([127, 128, 129, 200]) {
            let mut owners = vec![None; length];
            ring.owners(&keys[..length], &mut owners);
            assert_eq!(owners, single[..length]);
            owners.fill(None);
            ring.owners_at(&positions[..length], &mut owners);
            assert_eq!(owners, single[..length]);
        }
    }
}

/// Changes that suit `ring`: nodes of some weight and zone join, leave and are
/// reweighed, up to `most` of them in one step.
fn changes(ring: &Ring, seed: u64, most: u64, growing: bool) -> Vec<Change> {
    let mut members = ring.members().clone();
    let mut changes = Vec::new();
    for i in 0..=mix64(seed) % most {
        let random = mix64(seed * 1_000 + i);
        let some = usize::try_from(random % members.len() as u64).unwrap();
        let id = members.iter().nth(some).unwrap().1.id.clone();
        let weight = u32::try_from(random >> 8 & 3).unwrap();
        let joins = if growing { 5 } else { 2 };
        let change = match random >> 16 & 7 {
            kind if kind < joins => {
                let node = Node::new(format!("x{}", random >> 32)).weighing(weight);
                Change::Add(if (random >> 20).is_multiple_of(4) {
                    node
                } else {
                    node.in_zone(format!("z{}", random >> 24 & 7))
                })
            }
            5 => Change::Reweight(id, weight),
            _ => Change::Remove(id),
        };
        if members.apply(std::slice::from_ref(&change)).is_ok() {
            changes.push(change);
        }
    }
    changes
}

#[test]
fn long_sequences_of_changes_give_what_a_rebuild_gives() {
    for (seed, per_weight, steps) in [(1, 1, 300), (2, 16, 160), (3, 160, 60)] {
        let mut ring = Ring::build(drawn(per_weight), nodes(3)).unwrap();
        for step in 0..steps {
            let growing = step / 20 % 3 < 2;
            let most = if step % 20 == 0 { 30 } else { 3 };
            let before = ring.clone();
            let changes = changes(&ring, seed * 10_000 + step, most, growing);
            ring.apply(&changes).unwrap();
            let rebuilt = Ring::build(ring.config(), ring.members().clone()).unwrap();
            assert_eq!(ring, rebuilt);
            assert_eq!(ring.fingerprint(), rebuilt.fingerprint());
            check(&ring, per_weight, 100);
            assert_eq!(Plan::between(&before, &ring), Plan::between(&before, &rebuilt));
            let (mut found, mut expected) = (Vec::new(), Vec::new());
            for position in (0..20).map(mix64) {
                for spread in [Spread::Nodes, Spread::Zones] {
                    for count in [1, 3, 10, 80] {
                        ring.replicas_at(position, count, spread, &mut found);
                        rebuilt.replicas_at(position, count, spread, &mut expected);
                        assert_eq!(found, expected, "{count} at {position}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_default_point_takes_less_than_eleven_bytes() {
    for count in [10, 100, 1_000] {
        let ring = Ring::build(Config::default(), nodes(count)).unwrap();
        let bytes = ring.memory_usage() - ring.members().memory_usage();
        assert!(bytes * 10 <= count * 160 * 108, "{bytes} bytes for {count} nodes");
    }
}
