//! Hash slots.

use homing_core::{Build as _, Change, Members, Node, NodeId, Placement as _, Plan};
use homing_slots::{Config, Coverage, SlotRange, Slots, Unserved, crc16, slot};
use homing_tests::bridge::{add, owner_at};

use crate::{build, owners};

fn assert_slots(expected: &[(&str, u16)]) {
    for (key, expected) in expected {
        assert_eq!(slot(key.as_bytes()), *expected, "{key:?}");
    }
}

fn of_ranges(ids: &[&str], ranges: &[(u16, u16, &str)]) -> Slots {
    let range =
        |&(first, last, id): &(u16, u16, &str)| SlotRange { first, last, node: NodeId::new(id) };
    let config = Config { ranges: Some(ranges.iter().map(range).collect()) };
    Slots::build(config, Members::named(ids.iter().copied()).unwrap()).unwrap()
}

fn moved(before: &Slots, after: &Slots) -> u128 {
    Plan::between(before, after).unwrap().moves().iter().map(homing_core::Move::positions).sum()
}

fn sizes(slots: &Slots) -> Vec<u16> {
    slots.members().iter().map(|(index, _)| slots.slots_of(index)).collect()
}

#[test]
fn c01_an_empty_first_pair_of_braces_hashes_the_whole_key() {
    assert_slots(&[
        ("foo{}{bar}", 8363),
        ("{}{user1}", 14_830),
        ("a{}b}c", 2041),
        ("{}", 15_257),
        ("cart:{}:77", 10_245),
        ("{}}", 14_790),
    ]);
}

#[test]
fn c02_a_tag_ends_at_the_first_closing_brace_and_may_hold_an_opening_one() {
    assert_slots(&[
        ("foo{{bar}}zap", 4015),
        ("cfg{'a':{'b':2}}", 703),
        ("{'a':{'b':2}}", 703),
        ("order{a{b}c}", 13_340),
        ("p{x}{y}", 16_287),
        ("p{x}z", 16_287),
        ("{{{x}", 965),
    ]);
}

#[test]
fn c03_a_tag_counts_wherever_it_stands() {
    for key in ["session{u7}", "{u7}", "x{u7}y", "deep:path:{u7}:leaf", "u7"] {
        assert_eq!(slot(key.as_bytes()), 12_568, "{key:?}");
    }
}

#[test]
fn c04_keys_of_other_scripts_are_hashed_by_their_utf8_bytes() {
    assert_slots(&[
        ("профиль:42", 9613),
        ("naïve:é", 7089),
        ("商品:{购物车}:9", 4452),
        ("emoji:🦀", 3056),
        ("ascii-only", 11_597),
    ]);
}

#[test]
fn c05_brace_bytes_in_binary_keys_are_a_tag() {
    for (key, expected) in [
        ("7b3e4567e89b12d3a456426614177d00", 13_599),
        ("00ff7b7d11", 8015),
        ("7b41427d43", 5755),
        ("c3287b616263", 15_349),
        ("ff00fe", 434),
    ] {
        assert_eq!(slot(&hex::decode(key).unwrap()), expected, "{key}");
    }
}

#[test]
fn c06_a_slot_beyond_the_assigned_ones_has_no_owner() {
    assert_slots(&[("k2", 449), ("k3", 4576), ("k6", 325)]);
    assert_slots(&[("k0", 8579), ("k1", 12_706), ("k4", 8455)]);
    let slots = of_ranges(&["A"], &[(0, 8191, "A")]);
    let keys = ["k2", "k3", "k6", "k0", "k1", "k4"].map(str::to_owned);
    let a = Some("A".to_owned());
    assert_eq!(owners(&slots, &keys), [a.clone(), a.clone(), a, None, None, None]);
    assert_eq!(
        slots.serve(8579, Coverage::Partial).unwrap_err(),
        Unserved::Uncovered { slot: 8579 }
    );
    assert!(slots.serve(449, Coverage::Partial).is_ok());
}

#[test]
fn c07_uncovered_slots_are_named_exactly() {
    let slots = of_ranges(
        &["A", "B", "C"],
        &[
            (0, 5460, "A"),
            (5461, 10_922, "B"),
            (10_923, 12_926, "C"),
            (12_928, 16_000, "C"),
            (16_002, 16_382, "C"),
        ],
    );
    let uncovered = vec![12_927..=12_927, 16_001..=16_001, 16_383..=16_383];
    assert_eq!(slots.uncovered(), uncovered);
    let refused = slots.serve(0, Coverage::Full).unwrap_err();
    assert_eq!(refused.to_string(), "cluster down: without an owner are slots 12927, 16001, 16383");
    assert_eq!(refused, Unserved::ClusterDown { uncovered });
}

#[test]
fn c08_one_full_node_is_rebalanced_over_201_to_within_one_slot() {
    let mut slots: Slots = build(&["node000"]);
    let before = slots.clone();
    let joining = (1..=200).map(|i| Change::Add(Node::new(format!("node{i:03}"))));
    let changes: Vec<Change> = joining.chain([Change::Rebalance]).collect();
    slots.apply(&changes).unwrap();
    let sizes = sizes(&slots);
    assert_eq!(sizes.iter().filter(|&&size| size == 82).count(), 103);
    assert_eq!(sizes.iter().filter(|&&size| size == 81).count(), 98);
    assert_eq!(moved(&before, &slots), 16_302);
}

#[test]
fn c09_a_split_that_is_even_to_one_slot_is_left_alone() {
    for [a, b, c] in [[5461, 5462, 5461], [5462, 5461, 5461], [5461, 5461, 5462_u16]] {
        let slots = of_ranges(
            &["A", "B", "C"],
            &[(0, a - 1, "A"), (a, a + b - 1, "B"), (a + b, a + b + c - 1, "C")],
        );
        let after = slots.with_changes(&[Change::Rebalance]).unwrap();
        assert_eq!(moved(&slots, &after), 0, "{a}, {b}, {c}");
        assert!(slots.rebalance_moves().is_empty());
    }
}

#[test]
fn c10_three_to_four_nodes_move_4096_slots_all_to_the_fourth() {
    let three =
        of_ranges(&["A", "B", "C"], &[(0, 5460, "A"), (5461, 10_922, "B"), (10_923, 16_383, "C")]);
    let four = three.with_changes(&[add("D"), Change::Rebalance]).unwrap();
    assert_eq!(sizes(&four), [4096; 4]);
    assert_eq!(moved(&three, &four), 4096);
    let plan = Plan::between(&three, &four).unwrap();
    for each in plan.moves() {
        assert_eq!(four.node(each.to.unwrap()).id.as_str(), "D");
    }
    assert_eq!(moved(&three, &build(&["A", "B", "C", "D"])), 8192, "laid out afresh");
}

#[test]
fn c11_the_remainder_is_not_lumped_on_one_node() {
    for (count, small, large) in [
        (3, (5461, 2), (5462, 1)),
        (6, (2730, 2), (2731, 4)),
        (7, (2340, 3), (2341, 4)),
        (45, (364, 41), (365, 4)),
        (1000, (16, 616), (17, 384)),
    ] {
        let members = Members::new((0..count).map(|i| Node::new(format!("n{i:04}")))).unwrap();
        let sizes = sizes(&Slots::build(Config::default(), members).unwrap());
        for (size, expected) in [small, large] {
            let found = sizes.iter().filter(|&&each| each == size).count();
            assert_eq!(found, expected, "{size} slots of {count} nodes");
        }
    }
}

#[test]
fn c49_the_crc_of_published_texts() {
    for (text, crc) in [("", 0x0000), ("123456789", 0x31C3), ("apple", 0x5BB4)] {
        assert_eq!(crc16(text.as_bytes()), crc, "{text:?}");
    }
}

#[test]
fn overlapping_ranges_are_named_with_their_nodes() {
    let range = |first, last, id: &str| SlotRange { first, last, node: NodeId::new(id) };
    let config = Config { ranges: Some(vec![range(0, 100, "a"), range(100, 200, "b")]) };
    let error = Slots::build(config, Members::named(["a", "b"]).unwrap()).unwrap_err();
    let told = error.to_string();
    for part in ["100-200 of \"b\"", "0-100 of \"a\""] {
        assert!(told.contains(part), "{told}");
    }
}

#[test]
fn c06_a_removed_owner_leaves_null_and_nobody_inherits() {
    let slots: Slots = build(&["a", "b"]);
    let left = slots.with_changes(&[homing_tests::bridge::remove("a")]).unwrap();
    assert_eq!(owner_at(&left, 0), None);
    assert_eq!(owner_at(&left, 16_383).as_deref(), Some("b"));
}
