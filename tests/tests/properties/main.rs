//! Each crate agrees with its oracle on random memberships, keys and changes.
//!
//! The seed is fixed: the same cases run everywhere. A counterexample that is ever
//! found is added as a plain test.

mod changes;
mod hashed;
mod maglev;
mod ring;
mod slots;

use homing_core::{Build, Change, Error, Placement, Spread};
use homing_tests::bridge::{members, owner_at, replicas_at};
use homing_tests::oracle::{OracleHash, OracleNode, replicas};
use proptest::collection::{btree_set, vec};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

pub(crate) fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x686F_6D69_6E67),
        ..ProptestConfig::default()
    }
}

pub(crate) fn hashes() -> impl Strategy<Value = OracleHash> {
    prop_oneof![
        Just(OracleHash::Xxh3(0)),
        any::<u64>().prop_map(OracleHash::Xxh3),
        Just(OracleHash::Sha256),
    ]
}

// Ids that are prefixes of one another, with characters whose UTF-8 order is not their
// UTF-16 order.
pub(crate) fn id() -> impl Strategy<Value = String> {
    "[ab{}é\u{FB00}\u{1F600}]{1,3}"
}

pub(crate) fn zone() -> impl Strategy<Value = Option<String>> {
    prop_oneof![Just(None), "[xyz]".prop_map(Some)]
}

pub(crate) fn any_weight() -> impl Strategy<Value = u32> + Clone {
    prop_oneof![Just(0), Just(1), 1..6_u32, any::<u32>(), Just(u32::MAX)]
}

// A membership in any order, with at least one weight above 0.
pub(crate) fn nodes(
    count: usize,
    weight: impl Strategy<Value = u32>,
) -> impl Strategy<Value = Vec<OracleNode>> {
    let ids = btree_set(id(), 1..=count)
        .prop_map(|ids| ids.into_iter().collect::<Vec<String>>())
        .prop_shuffle();
    (ids, vec(weight, count), vec(zone(), count)).prop_map(|(ids, weights, zones)| {
        let rest = weights.into_iter().zip(zones);
        let node = |(id, (weight, zone))| OracleNode { id, weight, zone };
        let mut nodes: Vec<OracleNode> = ids.into_iter().zip(rest).map(node).collect();
        if nodes.iter().all(|node| node.weight == 0) {
            nodes[0].weight = 1;
        }
        nodes
    })
}

pub(crate) fn keys() -> impl Strategy<Value = Vec<Vec<u8>>> {
    vec(vec(any::<u8>(), 0..40), 12)
}

pub(crate) fn positions() -> impl Strategy<Value = Vec<u64>> {
    let edges = prop_oneof![Just(0), Just(u64::MAX), 0..64_u64];
    vec(prop_oneof![3 => any::<u64>(), 1 => edges], 12)
}

pub(crate) fn ids(nodes: &[OracleNode], places: &[usize]) -> Vec<String> {
    places.iter().map(|&place| nodes[place].id.clone()).collect()
}

// A layout gives the owner and the replicas that an oracle's order of nodes says.
pub(crate) fn assert_order(
    layout: &impl Placement,
    nodes: &[OracleNode],
    position: u64,
    order: &[usize],
) {
    assert_eq!(owner_at(layout, position).as_ref(), order.first().map(|&i| &nodes[i].id));
    for count in [0, 1, 2, 3, order.len(), order.len() + 1] {
        for (spread, zones) in [(Spread::Nodes, false), (Spread::Zones, true)] {
            let expected = ids(nodes, &replicas(nodes, order, count, zones));
            let found = replicas_at(layout, position, count, spread);
            assert_eq!(found, expected, "{count} at {position}, {spread:?}");
        }
    }
}

// Every key has the position of its hash.
pub(crate) fn assert_positions(layout: &impl Placement, hash: OracleHash, keys: &[Vec<u8>]) {
    for key in keys {
        let hash = hash.hash(key);
        let position = layout.max_position().checked_add(1).map_or(hash, |range| hash % range);
        assert_eq!(layout.position(key), position, "{key:?}");
    }
}

// Another order of the members gives the same layout, and another id, weight or zone another.
pub(crate) fn assert_fingerprints<P: Build>(config: &P::Config, nodes: &[OracleNode]) {
    let build = |nodes: &[OracleNode]| P::build(config.clone(), members(nodes));
    let layout = build(nodes).unwrap();
    let mut other = nodes.to_vec();
    other.reverse();
    let same = build(&other).unwrap().fingerprint() == layout.fingerprint();
    assert_eq!(same, !P::FAMILY.capabilities.ordered || nodes.len() == 1);

    let last = nodes.len() - 1;
    other = nodes.to_vec();
    other[last].id.push('~');
    assert_ne!(build(&other).unwrap().fingerprint(), layout.fingerprint(), "another id");
    other = nodes.to_vec();
    other[last].zone = Some("elsewhere".to_owned());
    assert_ne!(build(&other).unwrap().fingerprint(), layout.fingerprint(), "another zone");
    other = nodes.to_vec();
    other[last].weight = nodes[last].weight % 3 + 1;
    if let Ok(heavier) = build(&other) {
        assert_ne!(heavier.fingerprint(), layout.fingerprint(), "another weight");
    }
}

// Makes changes to a layout; a list that leaves no weight above 0 is refused whole.
pub(crate) fn apply<P: Build>(layout: &mut P, changes: &[Change], after: &[OracleNode]) -> bool {
    let before = layout.fingerprint();
    match layout.apply(changes) {
        Ok(()) => {
            assert!(after.iter().any(|node| node.weight > 0), "{changes:?} leaves no node");
            true
        }
        Err(error) => {
            assert_eq!(error, Error::NoNodes, "{changes:?}");
            assert!(after.iter().all(|node| node.weight == 0), "{changes:?} leaves a node");
            assert_eq!(layout.fingerprint(), before, "a refused change changes nothing");
            false
        }
    }
}

// The layout is the one that its configuration and members build.
pub(crate) fn assert_rebuilds<P: Build>(layout: &P) -> P {
    let rebuilt = P::build(layout.config(), layout.members().clone()).unwrap();
    assert_eq!(rebuilt.fingerprint(), layout.fingerprint());
    assert_eq!(rebuilt.keying(), layout.keying());
    assert_eq!(rebuilt.config(), layout.config());
    rebuilt
}
