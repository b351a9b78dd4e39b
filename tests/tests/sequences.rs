//! Long random sequences of changes: a layout changed in place is the one that is
//! built of the members it has come to.

use homing_core::{Build, Change, Members, Node, NodeId, Placement, Removal, mix64};
use homing_jump::Jump;
use homing_maglev::Maglev;
use homing_modulo::Modulo;
use homing_rendezvous::Rendezvous;
use homing_ring::{Points, Ring};
use homing_slots::Slots;
use homing_tests::bridge::owner_at;
use homing_tests::oracle::slots::{OracleSlots, ranges};
use homing_tests::oracle::{OracleNode, jump, modulo};

/// Changes to a membership that a family of these abilities can make, in one step:
/// nodes join, leave, return within the step and are reweighed.
///
/// Grows to some 50 nodes and shrinks to a few, again and again.
fn changes(members: &Members, step: u64, weights: bool, removal: Removal) -> Vec<Change> {
    let mut members = members.clone();
    let mut changes = Vec::new();
    let growing = (step / 40).is_multiple_of(2);
    let most = if step.is_multiple_of(9) { 30 } else { 3 };
    for i in 0..=mix64(step) % most {
        let random = mix64(step << 8 | i);
        let weight = if weights { u32::try_from(random >> 40 & 3).unwrap() } else { 1 };
        let place = usize::try_from(random % members.len() as u64).unwrap();
        let (_, some) = match removal {
            Removal::Any => members.iter_by_index().nth(place).unwrap(),
            _ => members.iter_by_index().last().unwrap(),
        };
        let id = some.id.clone();
        let change = match random >> 32 & 7 {
            kind if kind < if growing { 5 } else { 2 } => {
                let joins = Node::new(format!("n{}", random >> 48 & 127)).weighing(weight);
                Change::Add(joins)
            }
            7 => Change::Reweight(id, weight),
            _ => Change::Remove(id),
        };
        // Left out are nodes that are there already, and what would leave none.
        if members.apply(std::slice::from_ref(&change)).is_ok() {
            changes.push(change);
        }
    }
    changes
}

fn few<P: Build>(config: P::Config) -> P {
    P::build(config, Members::named(["a", "b", "c"]).unwrap()).unwrap()
}

fn positions(max: u64, step: u64) -> impl Iterator<Item = u64> {
    let inner = (0..400).map(move |i| mix64(step << 32 | i));
    inner.map(move |p| max.checked_add(1).map_or(p, |range| p % range)).chain([0, max])
}

/// Makes `steps` steps, and compares after each with a layout built anew.
fn assert_rebuilt<P: Build + PartialEq>(config: &P::Config, steps: u64) {
    let capabilities = P::FAMILY.capabilities;
    let mut layout: P = few(config.clone());
    for step in 0..steps {
        let list = changes(layout.members(), step, capabilities.weights, capabilities.removal);
        layout.apply(&list).unwrap();
        let rebuilt = P::build(config.clone(), layout.members().clone()).unwrap();
        assert_eq!(layout.fingerprint(), rebuilt.fingerprint(), "step {step}: {list:?}");
        assert!(layout == rebuilt, "step {step}: {list:?}");
        if let (Some(segments), Some(expected)) = (layout.segments(), rebuilt.segments()) {
            assert!(segments.eq(expected), "step {step}: {list:?}");
        }
        let at: Vec<u64> = positions(layout.max_position(), step).collect();
        let (mut owners, mut expected) = (vec![None; at.len()], vec![None; at.len()]);
        layout.owners_at(&at, &mut owners);
        rebuilt.owners_at(&at, &mut expected);
        assert_eq!(owners, expected, "step {step}: {list:?}");
    }
}

#[test]
fn a_layout_changed_in_place_is_the_one_built_anew() {
    let ring = |points| homing_ring::Config { points, ..homing_ring::Config::default() };
    assert_rebuilt::<Ring>(&ring(Points::Drawn { per_weight: 1 }), 1_000);
    assert_rebuilt::<Ring>(&ring(Points::Drawn { per_weight: 160 }), 300);
    let (prefix, separator) = (String::new(), String::new());
    assert_rebuilt::<Ring>(&ring(Points::Labelled { prefix, separator, per_weight: 12 }), 600);
    let entries = 1_009;
    let maglev = homing_maglev::Config { entries, ..homing_maglev::Config::default() };
    assert_rebuilt::<Maglev>(&maglev, 600);
    assert_rebuilt::<Rendezvous>(&homing_rendezvous::Config::default(), 2_000);
    assert_rebuilt::<Jump>(&homing_jump::Config::default(), 2_000);
    assert_rebuilt::<Modulo>(&homing_modulo::Config::default(), 2_000);
}

#[test]
fn a_ring_of_assigned_points_changed_in_place_is_the_one_built_anew() {
    // On 300 positions, so that most of some thousand points coincide.
    let ids = ["a", "b", "c"].map(NodeId::new).into_iter();
    let ids = ids.chain((0..128).map(|i| NodeId::new(format!("n{i}"))));
    let points = ids
        .zip(0_u64..)
        .flat_map(|(id, node)| (0..9).map(move |i| (mix64(node << 8 | i) % 300, id.clone())));
    let points = Points::Assigned(points.collect());
    let config = homing_ring::Config { points, ..homing_ring::Config::default() };
    let mut ring: Ring = few(config.clone());
    for step in 0..600 {
        ring.apply(&changes(ring.members(), step, true, Removal::Any)).unwrap();
        let rebuilt = Ring::build(config.clone(), ring.members().clone()).unwrap();
        assert_eq!(ring.fingerprint(), rebuilt.fingerprint());
        assert!(ring.points().eq(rebuilt.points()), "step {step}");
        for position in (0..=300).chain([u64::MAX]) {
            assert_eq!(ring.owner_at(position), rebuilt.owner_at(position), "step {step}");
        }
    }
}

#[test]
fn jump_and_modulo_agree_with_their_oracles_after_many_changes() {
    let (mut last, mut any): (Jump, Modulo) =
        (few(homing_jump::Config::default()), few(homing_modulo::Config::default()));
    for step in 0..2_000 {
        last.apply(&changes(last.members(), step, false, Removal::Last)).unwrap();
        any.apply(&changes(any.members(), step, false, Removal::Any)).unwrap();
        let buckets = u32::try_from(last.members().len()).unwrap();
        let order: Vec<_> = any.members().iter_by_index().map(|(index, _)| index).collect();
        for position in positions(u64::MAX, step) {
            let bucket = usize::try_from(jump::bucket(position, buckets)).unwrap();
            assert_eq!(last.owner_at(position).unwrap().get(), bucket, "step {step}");
            let place = modulo::place(position, order.len());
            assert_eq!(any.owner_at(position), Some(order[place]), "step {step}");
        }
    }
}

#[test]
fn slots_agree_with_their_oracle_after_many_changes() {
    let mut slots: Slots = few(homing_slots::Config::default());
    let nodes = ["a", "b", "c"].map(OracleNode::new).to_vec();
    let mut oracle = OracleSlots::even(nodes);
    for step in 0..300 {
        let mut list = changes(slots.members(), step, true, Removal::Any);
        // A rebalance after some change of the list, and one at the end, or none.
        let weighs = |members: &Members, list: &[Change]| members.preview(list).is_ok();
        for half in [1, 2] {
            let at = list.len() * half / 2;
            if mix64(step << 1 | at as u64).is_multiple_of(2)
                && weighs(slots.members(), &list[..at])
            {
                list.insert(at, Change::Rebalance);
            }
        }
        slots.apply(&list).unwrap();
        for change in list {
            match change {
                Change::Add(node) => {
                    oracle.add(OracleNode::new(node.id.as_str()).weighing(node.weight));
                }
                Change::Remove(id) => oracle.remove(id.as_str()),
                Change::Reweight(id, weight) => oracle.reweight(id.as_str(), weight),
                _ => {
                    oracle.rebalance();
                }
            }
        }
        for (first, last, owner) in ranges(&oracle.map) {
            let expected = owner.map(|place| oracle.nodes[place].id.clone());
            for slot in first..=last {
                let owner = owner_at(&slots, slot as u64);
                assert_eq!(owner, expected, "step {step}, slot {slot}");
            }
        }
        let rebuilt = Slots::build(slots.config(), slots.members().clone()).unwrap();
        assert_eq!(slots, rebuilt, "step {step}");
    }
}
