//! Where points lie, who has them, and what a change moves.

use homing_core::Build;
use homing_core::{
    Change, Error, KeyHash, Members, Move, Node, NodeId, NodeIndex, Placement, Plan, shares,
};
use homing_ring::{Config, Points, Ring};

fn id(text: &str) -> NodeId {
    NodeId::new(text)
}

fn assigned(points: &[(u64, &str)]) -> Config {
    let points = points.iter().map(|&(at, node)| (at, id(node))).collect();
    Config { points: Points::Assigned(points), ..Config::default() }
}

/// The ring of assigned points and, in order of id, the nodes named.
fn ring_of(points: &[(u64, &str)], nodes: &[&str]) -> Ring {
    Ring::build(assigned(points), Members::named(nodes.iter().copied()).unwrap()).unwrap()
}

fn drawn(per_weight: u32, nodes: impl IntoIterator<Item = Node>) -> Result<Ring, Error> {
    let config = Config { points: Points::Drawn { per_weight }, ..Config::default() };
    Ring::build(config, Members::new(nodes).unwrap())
}

fn owner(ring: &Ring, position: u64) -> &str {
    ring.node(ring.owner_at(position).unwrap()).id.as_str()
}

fn owners<'a>(ring: &'a Ring, positions: &[u64]) -> Vec<&'a str> {
    positions.iter().map(|&position| owner(ring, position)).collect()
}

/// The moves as `(first, last, from, to)`.
fn moves(before: &Ring, after: &Ring) -> Vec<(u64, u64, String, String)> {
    let name = |ring: &Ring, node: Option<NodeIndex>| ring.node(node.unwrap()).id.to_string();
    let plan = Plan::between(before, after).unwrap();
    let named = |m: &Move| (m.first, m.last, name(before, m.from), name(after, m.to));
    plan.moves().iter().map(named).collect()
}

fn one_move(first: u64, last: u64, from: &str, to: &str) -> Vec<(u64, u64, String, String)> {
    vec![(first, last, from.into(), to.into())]
}

#[test]
fn a_key_on_a_point_belongs_to_it() {
    // facts.md, section 1: A at 20, B at 50, C at 80; and A at 10, B at 40, C at 80.
    let ring = ring_of(&[(20, "A"), (50, "B"), (80, "C")], &["A", "B", "C"]);
    let positions = [0, 20, 21, 50, 51, 80, 81];
    assert_eq!(owners(&ring, &positions), ["A", "A", "B", "B", "C", "C", "A"]);
    let ring = ring_of(&[(10, "A"), (40, "B"), (80, "C")], &["A", "B", "C"]);
    assert_eq!(owners(&ring, &[5, 25, 50, 75, 95]), ["A", "B", "C", "C", "A"]);
}

#[test]
fn a_node_that_joins_takes_the_arc_before_its_point() {
    // facts.md, section 1: D at 35 takes 21..=35 from B; D at 60 takes 41..=60 from C.
    let before = ring_of(&[(20, "A"), (50, "B"), (80, "C"), (35, "D")], &["A", "B", "C"]);
    let after = before.with_changes(&[Change::Add(Node::new("D"))]).unwrap();
    assert_eq!(moves(&before, &after), one_move(21, 35, "B", "D"));
    let before = ring_of(&[(10, "A"), (40, "B"), (80, "C"), (60, "D")], &["A", "B", "C"]);
    let after = before.with_changes(&[Change::Add(Node::new("D"))]).unwrap();
    assert_eq!(moves(&before, &after), one_move(41, 60, "C", "D"));
}

#[test]
fn a_node_that_leaves_gives_its_arc_to_the_next_point() {
    // facts.md, section 1: without B, 21..=50 are C's.
    let before = ring_of(&[(20, "A"), (50, "B"), (80, "C")], &["A", "B", "C"]);
    let after = before.with_changes(&[Change::Remove(id("B"))]).unwrap();
    assert_eq!(moves(&before, &after), one_move(21, 50, "B", "C"));
}

#[test]
fn the_share_of_a_node_is_that_of_the_arcs_before_its_points() {
    // A quarter ends at 2^62 - 1. A has (3/4, 1] and [0, 1/4], B (1/4, 1/2], C (1/2, 3/4].
    let at = |quarters: u64| quarters * (1 << 62) - 1;
    let ring = ring_of(&[(at(1), "A"), (at(2), "B"), (at(3), "C")], &["A", "B", "C"]);
    assert_eq!(shares(&ring), Some(vec![0.5, 0.25, 0.25]));
}

#[test]
fn a_point_at_the_greatest_position_leaves_nothing_to_wrap() {
    let ring = ring_of(&[(9, "A"), (u64::MAX, "B")], &["A", "B"]);
    let lasts: Vec<u64> = ring.segments().unwrap().map(|segment| segment.last).collect();
    assert_eq!(lasts, [9, u64::MAX]);
    assert_eq!(owners(&ring, &[0, 9, 10, u64::MAX]), ["A", "A", "B", "B"]);
}

#[test]
fn what_lies_above_the_greatest_point_is_a_segment_of_its_own() {
    let ring = ring_of(&[(9, "A"), (20, "B")], &["A", "B"]);
    let segments: Vec<_> = ring.segments().unwrap().collect();
    assert_eq!(segments.len(), 3);
    assert_eq!((segments[2].last, segments[2].owner), (u64::MAX, segments[0].owner));
}

#[test]
fn the_points_of_a_node_are_its_draws() {
    // tests/data/vectors/homing/ring.jsonl: c, a, b with one point a weight unit.
    let ring = drawn(1, ["c", "a", "b"].map(Node::new)).unwrap();
    let points: Vec<_> = ring.points().map(|(at, node)| (at, node.get())).collect();
    assert_eq!(
        points,
        [
            (6_722_211_074_981_501_322, 0),
            (15_829_060_357_068_751_680, 1),
            (17_861_887_122_355_760_099, 2),
        ]
    );
}

#[test]
fn weights_are_not_reduced() {
    // design.md, "Ring, default points": 2, 2 has twice the points of 1, 1.
    let pair = |weight| ["a", "b"].map(|id| Node::new(id).weighing(weight));
    assert_eq!(drawn(160, pair(1)).unwrap().points().count(), 320);
    assert_eq!(drawn(160, pair(2)).unwrap().points().count(), 640);
}

#[test]
fn raising_a_weight_only_adds_points() {
    let before = drawn(160, (0..8).map(|i| Node::new(format!("node-{i}")))).unwrap();
    let after = before.with_changes(&[Change::Reweight(id("node-3"), 2)]).unwrap();
    let points: Vec<_> = after.points().collect();
    assert!(before.points().all(|point| points.contains(&point)));
    assert!(moves(&before, &after).iter().all(|(_, _, _, to)| to == "node-3"));
    // The share goes from 1/8 to 2/9, by 9.7 %; at 160 points each a share has a
    // standard deviation of 7.4 % of itself, so that the move is within 4 x 0.074 x 2/9.
    let moved = Plan::between(&before, &after).unwrap().fraction();
    assert!((moved - 0.0972).abs() < 0.066, "{moved}");
}

#[test]
fn a_drained_node_has_no_points_and_returns_to_them() {
    let before = drawn(160, ["a", "b", "c"].map(Node::new)).unwrap();
    let drained = before.with_changes(&[Change::Reweight(id("b"), 0)]).unwrap();
    let removed = before.with_changes(&[Change::Remove(id("b"))]).unwrap();
    assert!(drained.points().eq(removed.points()));
    assert_eq!(drained.with_changes(&[Change::Reweight(id("b"), 1)]).unwrap(), before);
}

#[test]
fn a_freed_index_can_be_taken_within_one_step() {
    // b frees 1 after a has freed 0, so b returns to 0 and d gets 1.
    let mut ring = drawn(160, ["a", "b", "c"].map(Node::new)).unwrap();
    let add = |id: &str| Change::Add(Node::new(id));
    ring.apply(&[Change::Remove(id("a")), Change::Remove(id("b")), add("b"), add("d")]).unwrap();
    let fresh = drawn(160, ["b", "d", "c"].map(Node::new)).unwrap();
    assert_eq!(ring, fresh);
}

#[test]
fn of_several_weights_in_one_step_the_last_counts() {
    let mut ring = drawn(160, ["a", "b"].map(Node::new)).unwrap();
    let reweight = |id: &str, weight| Change::Reweight(NodeId::new(id), weight);
    let joins = Change::Add(Node::new("c").weighing(5));
    ring.apply(&[joins, reweight("a", 7), reweight("c", 2), reweight("a", 3)]).unwrap();
    let fresh = [("a", 3), ("b", 1), ("c", 2)].map(|(id, w)| Node::new(id).weighing(w));
    assert_eq!(ring, drawn(160, fresh).unwrap());
}

#[test]
fn rebalancing_leaves_a_ring_as_it_is() {
    let ring = drawn(160, ["a", "b"].map(Node::new)).unwrap();
    assert_eq!(ring.with_changes(&[Change::Rebalance]).unwrap(), ring);
}

#[test]
fn a_joining_node_without_an_assigned_point_is_refused_by_name() {
    let mut ring = ring_of(&[(20, "A"), (50, "B")], &["A", "B"]);
    let before = ring.clone();
    let error = ring.apply(&[Change::Remove(id("A")), Change::Add(Node::new("D"))]).unwrap_err();
    let text = "assigned is without a point of \"D\", but must be a list with at least one point \
                of each member";
    assert_eq!(error.to_string(), text);
    assert_eq!(ring, before);
    let drained = Members::new([Node::new("A"), Node::new("D").weighing(0)]).unwrap();
    let error = Ring::build(assigned(&[(20, "A")]), drained).unwrap_err();
    assert_eq!(error.to_string(), text);
}

#[test]
fn an_assigned_point_of_nobody_is_refused() {
    let members = Members::named(["A"]).unwrap();
    let error = Ring::build(assigned(&[(1, "A"), (2, "")]), members).unwrap_err();
    assert_eq!(error.to_string(), "id is \"\", but must be at least one byte long");
}

#[test]
fn assigned_points_wait_for_their_node() {
    let ring = ring_of(&[(20, "A"), (35, "D")], &["A"]);
    assert_eq!(owner(&ring, 30), "A");
    assert_eq!(ring.config(), assigned(&[(20, "A"), (35, "D")]));
    let without = ring_of(&[(20, "A")], &["A"]);
    assert_ne!(ring.fingerprint(), without.fingerprint());
}

#[test]
fn the_order_of_assigned_points_plays_no_part() {
    let one = ring_of(&[(20, "A"), (50, "B"), (20, "A")], &["A", "B"]);
    let other = ring_of(&[(50, "B"), (20, "A")], &["A", "B"]);
    assert_eq!(one, other);
    assert_eq!(one.fingerprint(), other.fingerprint());
}

#[test]
fn a_weight_counts_for_assigned_points_only_as_none_or_some() {
    let config = || assigned(&[(20, "A"), (50, "B")]);
    let build = |a| {
        Members::new([Node::new("A").weighing(a), Node::new("B")])
            .and_then(|members| Ring::build(config(), members))
            .unwrap()
    };
    assert!(build(1).points().eq(build(u32::MAX).points()));
    assert_eq!(owner(&build(0), 10), "B");
}

#[test]
fn what_decides_owners_decides_the_fingerprint() {
    let members = || Members::named(["a", "b"]).unwrap();
    let labelled = |prefix: &str, separator: &str| Points::Labelled {
        prefix: prefix.into(),
        separator: separator.into(),
        per_weight: 160,
    };
    let mut fingerprints: Vec<_> = [
        Points::default(),
        Points::Drawn { per_weight: 161 },
        labelled("", ""),
        labelled("-", ""),
        labelled("", "-"),
    ]
    .into_iter()
    .map(|points| Config { points, ..Config::default() })
    .chain([Config { hash: KeyHash::Xxh3 { seed: 1 }, ..Config::default() }])
    .map(|config| Ring::build(config, members()).unwrap().fingerprint())
    .collect();
    fingerprints.sort();
    fingerprints.dedup();
    assert_eq!(fingerprints.len(), 6);
}

#[test]
fn the_keying_is_that_of_the_hash_alone() {
    let points = assigned(&[(1, "a")]);
    let one = Ring::build(points, Members::named(["a"]).unwrap()).unwrap();
    let other = drawn(3, ["b"].map(Node::new)).unwrap();
    assert_eq!(one.keying(), other.keying());
    let config = Config { hash: KeyHash::Xxh3 { seed: 1 }, ..Config::default() };
    let seeded = Ring::build(config, Members::named(["a"]).unwrap()).unwrap();
    assert_ne!(one.keying(), seeded.keying());
}
