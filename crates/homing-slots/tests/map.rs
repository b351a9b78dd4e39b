//! From a slot to its node: ranges, the even split, uncovered slots.

use homing_core::{Build, Change, Error, Members, Node, NodeId, Placement, shares};
use homing_slots::{Config, Coverage, SlotRange, Slots, Unserved};

fn range(first: u16, last: u16, node: &str) -> SlotRange {
    SlotRange { first, last, node: NodeId::new(node) }
}

fn mapped<'a>(
    nodes: impl IntoIterator<Item = &'a str>,
    ranges: &[SlotRange],
) -> Result<Slots, Error> {
    let config = Config { ranges: Some(ranges.to_vec()) };
    Slots::build(config, Members::named(nodes).unwrap())
}

fn split(nodes: impl IntoIterator<Item = Node>) -> Slots {
    Slots::build(Config::default(), Members::new(nodes).unwrap()).unwrap()
}

fn text(error: Result<Slots, Error>) -> String {
    error.unwrap_err().to_string()
}

#[test]
fn three_nodes_are_split_as_redis_does() {
    // create_allocation.jsonl, 3 masters; the order is that of the ids.
    let slots = split(["c", "a", "b"].map(Node::new));
    let expected = [range(0, 5_460, "a"), range(5_461, 10_922, "b"), range(10_923, 16_383, "c")];
    assert_eq!(slots.ranges(), expected);
}

#[test]
fn seven_nodes_are_split_as_redis_does() {
    // create_allocation.jsonl, 7 masters.
    let slots = split(["0", "1", "2", "3", "4", "5", "6"].map(Node::new));
    let ends: Vec<u16> = slots.ranges().iter().map(|range| range.last).collect();
    assert_eq!(ends, [2_340, 4_680, 7_021, 9_361, 11_702, 14_042, 16_383]);
}

#[test]
fn c11_the_remainder_is_one_slot_a_node() {
    for (nodes, small, large, larger) in [
        (3, 5_461, 5_462, 1),
        (6, 2_730, 2_731, 4),
        (7, 2_340, 2_341, 4),
        (45, 364, 365, 4),
        (1_000, 16, 17, 384),
    ] {
        let slots = split((0..nodes).map(|i| Node::new(format!("node-{i}"))));
        let counts: Vec<u16> =
            slots.members().iter().map(|(index, _)| slots.slots_of(index)).collect();
        assert_eq!(counts.iter().filter(|&&count| count == large).count(), larger, "{nodes}");
        let rest = counts.iter().filter(|&&count| count == small).count();
        assert_eq!(rest + larger, nodes, "{nodes}");
    }
}

#[test]
fn more_nodes_than_slots_leave_some_without_any() {
    let slots = split((0..40_000).map(|i| Node::new(format!("node-{i}"))));
    assert!(slots.uncovered().is_empty());
    assert_eq!(slots.ranges().len(), 16_384);
}

#[test]
fn unequal_weights_are_quotas() {
    // By hand: 16384 / 8 = 2048 a weight unit.
    let slots =
        split([Node::new("c").weighing(5), Node::new("b").weighing(0), Node::new("a").weighing(3)]);
    assert_eq!(slots.ranges(), [range(0, 6_143, "a"), range(6_144, 16_383, "c")]);
}

#[test]
fn equal_weights_are_split_alike_whatever_they_are() {
    let slots = |weight| split(["a", "b", "c"].map(|id| Node::new(id).weighing(weight)));
    assert_eq!(slots(1).ranges(), slots(u32::MAX).ranges());
}

#[test]
fn c06_a_partial_map_leaves_the_other_keys_without_an_owner() {
    let slots = mapped(["A"], &[range(0, 8_191, "A")]).unwrap();
    for (key, slot, owned) in [
        ("k2", 449, true),
        ("k3", 4_576, true),
        ("k6", 325, true),
        ("k0", 8_579, false),
        ("k1", 12_706, false),
        ("k4", 8_455, false),
    ] {
        assert_eq!(slots.position(key.as_bytes()), slot, "{key}");
        assert_eq!(slots.owner(key.as_bytes()).is_some(), owned, "{key}");
    }
    assert_eq!(shares(&slots), Some(vec![0.5]));
}

#[test]
fn c07_uncovered_slots_are_told_one_by_one() {
    let slots = mapped(
        ["A", "B", "C"],
        &[
            range(0, 5_460, "A"),
            range(5_461, 10_922, "B"),
            range(10_923, 12_926, "C"),
            range(12_928, 16_000, "C"),
            range(16_002, 16_382, "C"),
        ],
    )
    .unwrap();
    let uncovered = [12_927..=12_927, 16_001..=16_001, 16_383..=16_383];
    assert_eq!(slots.uncovered(), uncovered);
    let down = slots.serve(0, Coverage::Full).unwrap_err();
    assert_eq!(down, Unserved::ClusterDown { uncovered: uncovered.to_vec() });
    assert_eq!(down.to_string(), "cluster down: without an owner are slots 12927, 16001, 16383");
}

#[test]
fn partial_coverage_serves_the_covered_rest() {
    let slots = mapped(["a"], &[range(0, 99, "a")]).unwrap();
    let owner = slots.members().index_of(&NodeId::new("a"));
    assert_eq!(slots.serve(99, Coverage::Partial).ok(), owner);
    let unserved = slots.serve(100, Coverage::Partial).unwrap_err();
    assert_eq!(unserved, Unserved::Uncovered { slot: 100 });
    assert_eq!(unserved.to_string(), "slot 100 has no owner");
    assert_eq!(
        slots.serve(0, Coverage::Full).unwrap_err().to_string(),
        "cluster down: without an owner are slots 100-16383"
    );
}

#[test]
fn a_whole_map_is_served_under_full_coverage() {
    let slots = split(["a", "b"].map(Node::new));
    assert_eq!(slots.serve(16_383, Coverage::Full).ok(), slots.owner_at(16_383));
}

#[test]
fn removing_a_slot_owner_uncovers_its_slots() {
    let mut slots = split(["a", "b", "c"].map(Node::new));
    slots.apply(&[Change::Remove(NodeId::new("b"))]).unwrap();
    assert_eq!(slots.uncovered(), [5_461..=10_922]);
    // The index of b goes to d, its slots do not.
    slots.apply(&[Change::Add(Node::new("d"))]).unwrap();
    assert_eq!(slots.uncovered(), [5_461..=10_922]);
}

#[test]
fn an_empty_map_is_one_that_covers_nothing() {
    let slots = mapped(["a"], &[]).unwrap();
    assert_eq!(slots.uncovered(), [0..=16_383]);
    assert_eq!(slots.config().ranges, Some(vec![]));
}

#[test]
fn ranges_that_touch_are_told_as_one() {
    let slots = mapped(["a", "b"], &[range(10, 16_383, "b"), range(5, 9, "a"), range(0, 4, "a")]);
    assert_eq!(slots.unwrap().ranges(), [range(0, 9, "a"), range(10, 16_383, "b")]);
}

#[test]
fn overlapping_ranges_are_named_with_their_nodes() {
    let error = mapped(["a", "b"], &[range(0, 5, "a"), range(6, 9, "b"), range(5, 7, "b")]);
    assert_eq!(text(error), "range is 5-7 of \"b\", but must be apart from 0-5 of \"a\"");
}

#[test]
fn ranges_of_no_slots_are_refused() {
    let error = mapped(["a"], &[range(9, 3, "a")]);
    assert_eq!(text(error), "range is 9-3 of \"a\", but must be from a slot to one not below it");
    let error = mapped(["a"], &[range(0, 16_384, "a")]);
    assert_eq!(text(error), "range is 0-16384 of \"a\", but must be within 0-16383");
    let error = mapped(["a"], &[range(0, 16_383, "x")]);
    assert_eq!(text(error), "node \"x\" is no member");
}

#[test]
fn the_fingerprint_tells_two_maps_apart() {
    let map =
        |last| mapped(["a", "b"], &[range(0, last, "a"), range(last + 1, 16_383, "b")]).unwrap();
    assert_eq!(map(9).fingerprint(), map(9).fingerprint());
    assert_ne!(map(9).fingerprint(), map(10).fingerprint());
    assert_eq!(map(9).keying(), map(10).keying());
}
