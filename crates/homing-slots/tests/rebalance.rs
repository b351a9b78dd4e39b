//! The operator's moves: as few as there can be, in the order promised.

use homing_core::{Build, Change, Members, Node, NodeId, Placement, Plan};
use homing_slots::{Config, SlotRange, Slots};

fn range(first: u16, last: u16, node: &str) -> SlotRange {
    SlotRange { first, last, node: NodeId::new(node) }
}

fn split(nodes: impl IntoIterator<Item = Node>) -> Slots {
    Slots::build(Config::default(), Members::new(nodes).unwrap()).unwrap()
}

fn mapped<'a>(nodes: impl IntoIterator<Item = &'a str>, ranges: Vec<SlotRange>) -> Slots {
    Slots::build(Config { ranges: Some(ranges) }, Members::named(nodes).unwrap()).unwrap()
}

fn add(id: &str) -> Change {
    Change::Add(Node::new(id))
}

fn counts(slots: &Slots) -> Vec<u16> {
    slots.members().iter().map(|(index, _)| slots.slots_of(index)).collect()
}

fn moved(before: &Slots, after: &Slots) -> u128 {
    let plan = Plan::between(before, after).expect("both are maps of the same slots");
    plan.moves().iter().map(|it| u128::from(it.last - it.first) + 1).sum()
}

#[test]
fn c08_the_remainder_is_shared_by_all() {
    let mut slots = split([Node::new("node0")]);
    let joining: Vec<Change> = (1..=200).map(|i| add(&format!("node{i}"))).collect();
    slots.apply(&joining).unwrap();
    let after = slots.with_changes(&[Change::Rebalance]).unwrap();
    let counts = counts(&after);
    assert_eq!(counts.iter().filter(|&&count| count == 82).count(), 103);
    assert_eq!(counts.iter().filter(|&&count| count == 81).count(), 98);
    assert_eq!(moved(&slots, &after), 16_302);
}

#[test]
fn c09_a_split_that_is_even_stays() {
    for ends in [[5_461, 10_923], [5_462, 10_923], [5_461, 10_922]] {
        let [a, b] = ends;
        let before = mapped(
            ["A", "B", "C"],
            vec![range(0, a - 1, "A"), range(a, b - 1, "B"), range(b, 16_383, "C")],
        );
        assert!(before.rebalance_moves().is_empty());
        assert_eq!(before.with_changes(&[Change::Rebalance]).unwrap(), before);
    }
}

#[test]
fn c10_a_fourth_node_takes_a_quarter_from_the_ends() {
    let before = split(["A", "B", "C"].map(Node::new));
    let after = before.with_changes(&[add("D"), Change::Rebalance]).unwrap();
    assert_eq!(counts(&after), [4_096; 4]);
    assert_eq!(moved(&before, &after), 4_096);
    let afresh = split(["A", "B", "C", "D"].map(Node::new));
    assert_eq!(moved(&before, &afresh), 8_192, "laid out afresh");
    // By hand, from the rule: B has the greatest surplus, then A and C tie.
    assert_eq!(
        after.ranges(),
        [
            range(0, 4_095, "A"),
            range(4_096, 5_460, "D"),
            range(5_461, 9_556, "B"),
            range(9_557, 10_922, "D"),
            range(10_923, 15_018, "C"),
            range(15_019, 16_383, "D"),
        ]
    );
}

#[test]
fn moves_are_told_before_they_are_made() {
    let joined = split(["A", "B", "C"].map(Node::new)).with_changes(&[add("D")]).unwrap();
    let moves = joined.rebalance_moves();
    let told: Vec<(&str, u16, u16)> = moves
        .iter()
        .map(|it| {
            let ends = (it.slots.first().unwrap(), it.slots.last().unwrap());
            (joined.node(it.from).id.as_str(), *ends.0, *ends.1)
        })
        .collect();
    // By hand, from the rule, as above.
    assert_eq!(told, [("B", 9_557, 10_922), ("A", 4_096, 5_460), ("C", 15_019, 16_383)]);
    assert_eq!(moves.iter().map(|it| it.slots.len()).sum::<usize>(), 4_096);
}

#[test]
fn equal_wants_are_met_in_order_of_id() {
    let before = split([Node::new("m")]);
    let drained = Change::Reweight(NodeId::new("m"), 0);
    let after = before.with_changes(&[add("z"), add("a"), drained, Change::Rebalance]).unwrap();
    assert_eq!(after.ranges(), [range(0, 8_191, "z"), range(8_192, 16_383, "a")]);
}

#[test]
fn weights_are_quotas() {
    // By hand: 16384 / 8 = 2048 a weight unit.
    let before = split(["a", "b"].map(Node::new));
    let after =
        before.with_changes(&[Change::Reweight(NodeId::new("b"), 7), Change::Rebalance]).unwrap();
    assert_eq!(counts(&after), [2_048, 14_336]);
    assert_eq!(moved(&before, &after), 8_192 - 2_048);
}

#[test]
fn a_weight_moves_nothing_until_the_rebalance() {
    let before = split(["a", "b"].map(Node::new));
    let after = before.with_changes(&[Change::Reweight(NodeId::new("b"), 0)]).unwrap();
    assert_eq!(after.ranges(), before.ranges());
}

#[test]
fn a_rebalance_hands_out_no_uncovered_slot() {
    let before = split(["a", "b", "c"].map(Node::new));
    let left =
        before.with_changes(&[Change::Remove(NodeId::new("c")), add("d"), add("e")]).unwrap();
    let after = left.with_changes(&[Change::Rebalance]).unwrap();
    assert_eq!(after.uncovered(), [10_923..=16_383]);
    // By hand: 10923 covered slots over 4 nodes are 2730 and 3 left over: one for b
    // and one for a, who hold more, and one for d, the least id of the others.
    assert_eq!(counts(&after), [2_731, 2_731, 2_731, 2_730]);
}

#[test]
fn the_planned_way_out_uncovers_nothing() {
    let before = split(["a", "b", "c"].map(Node::new));
    let b = NodeId::new("b");
    let after = before
        .with_changes(&[Change::Reweight(b.clone(), 0), Change::Rebalance, Change::Remove(b)])
        .unwrap();
    assert!(after.uncovered().is_empty());
    assert_eq!(counts(&after), [8_192, 8_192]);
    // create_allocation.jsonl, 3 masters: b owns 5462 slots, and no other moves.
    assert_eq!(moved(&before, &after), 5_462);
}

#[test]
fn a_ninth_node_takes_a_ninth_rounded_down() {
    // By hand: 16384 = 9 x 1820 + 4, and the four over stay with nodes that hold more.
    let before = split((0..8).map(|i| Node::new(format!("node-{i}"))));
    let after = before.with_changes(&[add("node-8"), Change::Rebalance]).unwrap();
    assert_eq!(moved(&before, &after), 1_820);
}

#[test]
fn a_map_without_any_owner_is_at_rest() {
    let before = mapped(["a", "b"], vec![]);
    assert_eq!(before.with_changes(&[Change::Rebalance]).unwrap(), before);
}
