//! Slots: keys, the even split, and what an operator does to it.

use homing_core::{Build as _, Change, NodeId, Placement as _, Plan};
use homing_slots::{Config, Slots, crc16, hash_tag, slot};
use homing_tests::bridge::{members, owner_at};
use homing_tests::oracle::slots::{self as oracle, OracleSlots};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::changes::{Model, Step, lists};
use crate::{any_weight, apply, assert_fingerprints, assert_rebuilds, config, nodes};

fn ranges(slots: &Slots) -> Vec<(usize, usize, Option<String>)> {
    let owners: Vec<Option<String>> = (0..16384).map(|slot| owner_at(slots, slot)).collect();
    let mut ranges: Vec<(usize, usize, Option<String>)> = Vec::new();
    for (slot, owner) in owners.into_iter().enumerate() {
        match ranges.last_mut() {
            Some((_, last, same)) if *same == owner => *last = slot,
            _ => ranges.push((slot, slot, owner)),
        }
    }
    ranges
}

// The ranges and the uncovered runs that a layout tells are those of its owners.
fn assert_told(slots: &Slots) {
    let mut covered = Vec::new();
    let mut uncovered = Vec::new();
    for (first, last, owner) in ranges(slots) {
        let (first, last) = (u16::try_from(first).unwrap(), u16::try_from(last).unwrap());
        match owner {
            Some(id) => covered.push((first, last, id)),
            None => uncovered.push(first..=last),
        }
    }
    let told: Vec<(u16, u16, String)> =
        slots.ranges().into_iter().map(|r| (r.first, r.last, r.node.to_string())).collect();
    assert_eq!(told, covered);
    assert_eq!(slots.uncovered(), uncovered);
}

fn step(oracle: &mut OracleSlots, change: &Change) {
    match change {
        Change::Add(node) => oracle.add(homing_tests::oracle::OracleNode {
            id: node.id.to_string(),
            weight: node.weight,
            zone: node.zone.as_ref().map(ToString::to_string),
        }),
        Change::Remove(id) => oracle.remove(id.as_str()),
        Change::Reweight(id, weight) => oracle.reweight(id.as_str(), *weight),
        Change::Rebalance => {
            oracle.rebalance();
        }
        other => panic!("the oracle does not know {other:?}"),
    }
}

proptest! {
    #![proptest_config(config(96))]

    #[test]
    fn a_key_has_the_oracles_tag_and_slot(key in "[a{}]{0,9}", bytes in vec(any::<u8>(), 0..40)) {
        for key in [key.as_bytes(), &bytes] {
            prop_assert_eq!(hash_tag(key), oracle::tag(key));
            prop_assert_eq!(slot(key), oracle::slot(key));
            prop_assert_eq!(crc16(key), oracle::crc16(key));
        }
    }

    #[test]
    fn a_split_agrees_with_its_oracle(nodes in nodes(40, any_weight())) {
        let layout = Slots::build(Config::default(), members(&nodes)).unwrap();
        prop_assert_eq!(ranges(&layout), OracleSlots::even(nodes.clone()).ranges());
        assert_told(&layout);
        assert_rebuilds(&layout);
        assert_fingerprints::<Slots>(&Config::default(), &nodes);
    }

    #[test]
    fn an_equal_split_agrees_with_its_oracle(nodes in nodes(40, Just(3))) {
        let layout = Slots::build(Config::default(), members(&nodes)).unwrap();
        prop_assert_eq!(ranges(&layout), OracleSlots::even(nodes).ranges());
    }

    #[test]
    fn slots_agree_with_their_oracle_after_changes(
        nodes in nodes(8, any_weight()), lists in lists(any_weight()),
    ) {
        let mut layout = Slots::build(Config::default(), members(&nodes)).unwrap();
        let mut oracle = OracleSlots::even(nodes.clone());
        let mut model = Model::new(&nodes);
        // Every other list ends with a rebalance.
        for (i, mut list) in lists.into_iter().enumerate() {
            if i % 2 == 1 {
                list.push(Step::Rebalance);
            }
            let mut next = model.clone();
            let changes = next.make(&list);
            let before = layout.clone();
            if apply(&mut layout, &changes, &next.nodes()) {
                model = next;
                for change in &changes {
                    step(&mut oracle, change);
                }
            }
            prop_assert_eq!(ranges(&layout), oracle.ranges(), "{:?}", changes);
            assert_told(&layout);
            let rebuilt = assert_rebuilds(&layout);
            prop_assert_eq!(ranges(&rebuilt), ranges(&layout));
            assert_plan(&before, &layout);
        }
    }

    #[test]
    fn a_rebalance_moves_the_fewest_slots(
        nodes in nodes(8, any_weight()), joins in nodes(3, 0..5_u32),
    ) {
        let mut layout = Slots::build(Config::default(), members(&nodes)).unwrap();
        let joins: Vec<Change> = joins
            .iter()
            .filter(|joining| layout.members().index_of(&NodeId::new(&joining.id)).is_none())
            .map(|joining| Change::Add(homing_tests::bridge::node(joining)))
            .collect();
        layout.apply(&joins).unwrap();
        let before = layout.clone();
        layout.apply(&[Change::Rebalance]).unwrap();
        // The fewest moves to these counts are those of the nodes that end with less.
        let held = |slots: &Slots, id: &str| {
            (0..16384).filter(|&slot| owner_at(slots, slot).as_deref() == Some(id)).count()
        };
        let surplus: usize = layout
            .members()
            .iter()
            .map(|(_, node)| node.id.as_str())
            .map(|id| held(&before, id).saturating_sub(held(&layout, id)))
            .sum();
        let differs = |slot: &u64| owner_at(&before, *slot) != owner_at(&layout, *slot);
        prop_assert_eq!((0..16384).filter(differs).count(), surplus);

        let again = layout.with_changes(&[Change::Rebalance]).unwrap();
        prop_assert_eq!(ranges(&again), ranges(&layout), "a second one moves nothing");
    }
}

fn assert_plan(before: &Slots, after: &Slots) {
    let plan = Plan::between(before, after).unwrap();
    let mut planned = vec![None; 16384];
    for each in plan.moves() {
        let from = each.from.map(|index| before.node(index).id.to_string());
        let to = each.to.map(|index| after.node(index).id.to_string());
        for slot in each.first..=each.last {
            planned[usize::try_from(slot).unwrap()] = Some((from.clone(), to.clone()));
        }
    }
    for (slot, planned) in (0..).zip(planned) {
        let (from, to) = (owner_at(before, slot), owner_at(after, slot));
        assert_eq!(planned, (from != to).then_some((from, to)), "slot {slot}");
    }
}
