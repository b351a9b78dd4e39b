//! The ring.

use homing_core::{Build as _, NodeId, Placement as _, Plan, shares};
use homing_ring::{Config, Points, Ring};
use homing_tests::bridge::{key_hash, members, owner_at};
use homing_tests::oracle::ring::OracleRing;
use homing_tests::oracle::{OracleHash, OracleNode};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::changes::{Model, lists};
use crate::{
    apply, assert_fingerprints, assert_order, assert_positions, assert_rebuilds, config, hashes,
    keys, nodes, positions,
};

// The points of a configuration, as the oracle knows them.
fn oracle(config: &Config, hash: OracleHash, nodes: &[OracleNode]) -> OracleRing {
    match &config.points {
        Points::Drawn { per_weight } => OracleRing::drawn(nodes, hash, *per_weight),
        Points::Labelled { prefix, separator, per_weight } => {
            OracleRing::labelled(nodes, hash, *per_weight, prefix, separator)
        }
        Points::Assigned(points) => {
            let points: Vec<(u64, &str)> =
                points.iter().map(|(point, id)| (*point, id.as_str())).collect();
            OracleRing::assigned(nodes, &points)
        }
        other => panic!("the oracle does not know {other:?}"),
    }
}

// Positions a client may ask for, and those at the points themselves and beside them.
fn near_points(ring: &OracleRing, positions: &[u64]) -> Vec<u64> {
    let points = ring.points.iter().map(|&(point, _)| point);
    let step = (ring.points.len() / 8).max(1);
    let near = points.step_by(step);
    let near = near.flat_map(|p| [p.wrapping_sub(1), p, p.wrapping_add(1)]);
    near.chain(positions.iter().copied()).collect()
}

fn assert_points(layout: &Ring, ring: &OracleRing, nodes: &[OracleNode]) {
    let mut points: Vec<(u64, String)> =
        ring.points.iter().map(|&(point, place)| (point, nodes[place].id.clone())).collect();
    points.dedup_by_key(|(point, _)| *point); // the first of equal points has the least id
    let found: Vec<(u64, String)> =
        layout.points().map(|(p, index)| (p, layout.node(index).id.to_string())).collect();
    assert_eq!(found, points);
}

fn assert_ring(layout: &Ring, ring: &OracleRing, nodes: &[OracleNode], positions: &[u64]) {
    assert_points(layout, ring, nodes);
    for position in near_points(ring, positions) {
        assert_eq!(owner_at(layout, position).unwrap(), nodes[ring.owner(position)].id);
        assert_order(layout, nodes, position, &ring.order(position));
    }

    let exact = shares(layout).unwrap();
    for (node, owned) in nodes.iter().zip(ring.shares(nodes.len())) {
        let index = layout.members().index_of(&NodeId::new(&node.id)).unwrap();
        #[expect(clippy::cast_precision_loss, reason = "compared to fewer digits")]
        let share = owned as f64 / 2.0_f64.powi(64);
        assert!((exact[index.get()] - share).abs() < 1e-12, "share of {:?}", node.id);
    }
}

fn small_weight() -> impl Strategy<Value = u32> + Clone {
    0..4_u32
}

fn points() -> impl Strategy<Value = Points> {
    let drawn = (1..24_u32).prop_map(|per_weight| Points::Drawn { per_weight });
    let labelled =
        ("[a:#]{0,2}", "[-:#0-9]{0,2}", 1..24_u32).prop_map(|(prefix, separator, per_weight)| {
            Points::Labelled { prefix, separator, per_weight }
        });
    prop_oneof![drawn, labelled]
}

// Positions that agree in all bytes, or in all but the first, the last or one between.
fn crowded_position() -> impl Strategy<Value = u64> {
    prop_oneof![
        Just(1 << 40),
        (0..4_u64).prop_map(|last| (1 << 40) + last),
        (0..4_u64).prop_map(|first| (1 << 40) + (first << 56)),
        any::<u64>(),
        prop_oneof![Just(0), Just(u64::MAX)],
    ]
}

// One point a node at least, and some more, on few positions, so that many coincide.
fn assigned(nodes: &[OracleNode], more: &[(u64, prop::sample::Index)]) -> Points {
    let own = nodes.iter().zip(more).map(|(node, (at, _))| (at + 1, NodeId::new(&node.id)));
    let others = more.iter().map(|(at, index)| (*at, NodeId::new(&index.get(nodes).id)));
    let mut points: Vec<(u64, NodeId)> = own.chain(others).collect();
    points.sort();
    points.dedup();
    points.reverse();
    Points::Assigned(points)
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn a_ring_agrees_with_its_oracle(
        nodes in nodes(10, small_weight()), hash in hashes(), points in points(), keys in keys(),
        at in positions(),
    ) {
        let config = Config { hash: key_hash(hash), points, ..Config::default() };
        let layout = Ring::build(config.clone(), members(&nodes)).unwrap();
        assert_positions(&layout, hash, &keys);
        assert_ring(&layout, &oracle(&config, hash, &nodes), &nodes, &at);
        assert_rebuilds(&layout);
        assert_digests(&config, &nodes);
    }

    #[test]
    fn assigned_points_that_coincide_agree_with_the_oracle(
        nodes in nodes(10, small_weight()), at in positions(),
        more in vec((0..40_u64, any::<prop::sample::Index>()), 10..30),
    ) {
        let hash = OracleHash::Xxh3(0);
        let config = Config { hash: key_hash(hash), points: assigned(&nodes, &more), ..Config::default() };
        let layout = Ring::build(config.clone(), members(&nodes)).unwrap();
        let ring = oracle(&config, hash, &nodes);
        assert_ring(&layout, &ring, &nodes, &at);
        let all: Vec<u64> = (0..45).collect();
        assert_ring(&layout, &ring, &nodes, &all);
        assert_rebuilds(&layout);
    }

    #[test]
    fn crowds_of_coinciding_points_agree_with_the_oracle(
        nodes in nodes(80, 0..2_u32), at in positions(),
        crowded in vec((crowded_position(), any::<prop::sample::Index>()), 100..400),
    ) {
        let hash = OracleHash::Xxh3(0);
        let mut points: Vec<(u64, NodeId)> =
            nodes.iter().map(|node| (1 << 40, NodeId::new(&node.id))).collect();
        let others = crowded.iter().map(|(at, i)| (*at, NodeId::new(&i.get(&nodes).id)));
        points.extend(others);
        let config = Config { hash: key_hash(hash), points: Points::Assigned(points), ..Config::default() };
        let layout = Ring::build(config.clone(), members(&nodes)).unwrap();
        let ring = oracle(&config, hash, &nodes);
        assert_points(&layout, &ring, &nodes);
        for position in near_points(&ring, &at) {
            let found = owner_at(&layout, position).unwrap();
            prop_assert_eq!(&found, &nodes[ring.owner(position)].id);
        }
    }

    #[test]
    fn a_ring_agrees_with_its_oracle_after_changes(
        nodes in nodes(6, small_weight()), hash in hashes(), points in points(),
        lists in lists(small_weight()), at in positions(),
    ) {
        let config = Config { hash: key_hash(hash), points, ..Config::default() };
        let mut layout = Ring::build(config.clone(), members(&nodes)).unwrap();
        let mut model = Model::new(&nodes);
        for list in lists {
            let mut next = model.clone();
            let changes = next.make(&list);
            let before = layout.clone();
            if apply(&mut layout, &changes, &next.nodes()) {
                model = next;
            }
            let members = model.nodes();
            assert_ring(&layout, &oracle(&config, hash, &members), &members, &at);
            assert_rebuilds(&layout);
            assert_plan(&before, &layout, &at);
        }
    }

    #[test]
    fn assigned_points_that_coincide_agree_with_the_oracle_after_removals(
        nodes in nodes(8, 1..3_u32), order in any::<prop::sample::Index>(),
        more in vec((0..40_u64, any::<prop::sample::Index>()), 10..30),
    ) {
        let hash = OracleHash::Xxh3(0);
        let config = Config { hash: key_hash(hash), points: assigned(&nodes, &more), ..Config::default() };
        let mut layout = Ring::build(config.clone(), members(&nodes)).unwrap();
        let first = layout.fingerprint();
        let mut left = nodes.clone();
        let mut gone = Vec::new();
        let all: Vec<u64> = (0..45).collect();
        while left.len() > 1 {
            let node = left.remove(order.index(left.len()));
            layout.apply(&[homing_tests::bridge::remove(&node.id)]).unwrap();
            gone.push(node);
            assert_ring(&layout, &oracle(&config, hash, &left), &left, &all);
        }
        for node in gone {
            layout.apply(&[homing_core::Change::Add(homing_tests::bridge::node(&node))]).unwrap();
        }
        assert_ring(&layout, &oracle(&config, hash, &nodes), &nodes, &all);
        prop_assert_eq!(layout.fingerprint(), first);
    }
}

fn assert_digests(config: &Config, nodes: &[OracleNode]) {
    assert_fingerprints::<Ring>(config, nodes);
    let other = Config { hash: key_hash(OracleHash::Xxh3(77)), ..config.clone() };
    if other.hash != config.hash {
        let [a, b] =
            [config.clone(), other].map(|config| Ring::build(config, members(nodes)).unwrap());
        assert_ne!(a.fingerprint(), b.fingerprint(), "another hash");
        assert_ne!(a.keying(), b.keying(), "another hash");
    }
}

// A plan holds a position if and only if its owner differs by id.
fn assert_plan(before: &Ring, after: &Ring, positions: &[u64]) {
    let plan = Plan::between(before, after).unwrap();
    let ends = plan.moves().iter().flat_map(|m| [m.first, m.last, m.last.wrapping_add(1)]);
    for position in ends.chain(positions.iter().copied()) {
        let (from, to) = (owner_at(before, position), owner_at(after, position));
        let found = plan.moves().iter().find(|m| (m.first..=m.last).contains(&position));
        let told = found.map(|m| {
            let from = m.from.map(|index| before.node(index).id.to_string());
            (from, m.to.map(|index| after.node(index).id.to_string()))
        });
        assert_eq!(told, (from != to).then_some((from, to)), "position {position}");
    }
}
