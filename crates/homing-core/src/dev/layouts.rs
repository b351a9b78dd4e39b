//! The layouts that the checks run over, and the positions that they look at.

use std::format;
use std::string::String;
use std::vec;
use std::vec::Vec;

use crate::{Build, Capabilities, Change, Error, Members, Node, NodeId, Placement, Removal, mix64};

/// How many nodes the greatest membership has, and one more: their numbers are
/// below it.
const NUMBERS: usize = 41;

/// The nodes that join in the checks.
const JOIN: [&str; 3] = ["joins", "joins too", "replaces"];

/// Returns the ids of all nodes that are, or become, members in the checks.
///
/// For configurations that name nodes. `node-0` is a member from the beginning in
/// each check.
pub fn ids() -> impl Iterator<Item = NodeId> {
    (0..NUMBERS).map(|i| NodeId::new(id(i))).chain(JOIN.map(NodeId::new))
}

/// Calls `check` with the layout of each configuration and membership.
pub(super) fn each<P: Build>(configs: &[P::Config], check: impl Fn(&P)) {
    for (config, members) in descriptions::<P>(configs) {
        check(&build::<P>(config, members));
    }
}

/// Calls `check` with a layout, the layout after some changes, and the changes.
pub(super) fn changed<P: Build>(configs: &[P::Config], check: impl Fn(&P, &P, &[Change])) {
    each::<P>(configs, |before| {
        for changes in changes(before) {
            let mut after = P::build(before.config(), before.members().clone()).expect("it stands");
            if before.members().preview(&changes) == Err(Error::NoNodes) {
                assert_eq!(after.apply(&changes), Err(Error::NoNodes));
                continue;
            }
            after.apply(&changes).expect("the family can do it");
            check(before, &after, &changes);
        }
    });
}

/// Lists of changes that the family can make to a layout, unless no node is left.
fn changes<P: Build>(before: &P) -> Vec<Vec<Change>> {
    let capabilities = before.family().capabilities;
    let mut ids = before.members().iter_by_index().map(|(_, node)| node.id.clone());
    let first = ids.next().expect("never empty");
    let last = ids.last().unwrap_or_else(|| first.clone());
    let [joins, joins_too, replaces] = JOIN.map(|id| Change::Add(Node::new(id)));
    let mut lists = vec![
        vec![joins.clone()],
        vec![joins, joins_too],
        vec![Change::Remove(last)],
        vec![Change::Rebalance],
    ];
    if capabilities.removal == Removal::Any {
        lists.push(vec![Change::Remove(first.clone())]);
        lists.push(vec![Change::Remove(first.clone()), replaces]);
    }
    if capabilities.weights {
        lists.push(vec![Change::Reweight(first.clone(), 3)]);
        lists.push(vec![Change::Reweight(first, 0)]);
        lists.push(vec![Change::Add(Node::new(JOIN[0]).weighing(2))]);
    }
    lists
}

/// Each configuration with each membership.
pub(super) fn descriptions<P: Build>(
    configs: &[P::Config],
) -> impl Iterator<Item = (&P::Config, Members)> {
    assert!(!configs.is_empty(), "a check needs a configuration");
    configs.iter().flat_map(|config| {
        memberships::<P>(config).into_iter().map(move |members| (config, members))
    })
}

pub(super) fn build<P: Build>(config: &P::Config, members: Members) -> P {
    P::build(config.clone(), members).expect("the configuration builds")
}

pub(super) fn assert_same<P: Build>(a: &P, b: &P) {
    assert_eq!(a.fingerprint(), b.fingerprint());
    for position in positions(a) {
        let id = |layout: &P| layout.owner_at(position).map(|at| layout.node(at).id.clone());
        assert_eq!(id(a), id(b), "at {position}");
    }
}

/// What layouts of a configuration can do, which may differ from the others of the family.
pub(super) fn capabilities<P: Build>(config: &P::Config) -> Capabilities {
    build::<P>(config, numbered(4)).family().capabilities
}

fn memberships<P: Build>(config: &P::Config) -> Vec<Members> {
    let mut memberships: Vec<Members> =
        [1, 2, 3, 8, NUMBERS - 1].into_iter().map(numbered).collect();
    let zoned = (0..7).map(|i| {
        let node = Node::new(id(i));
        if i == 6 { node } else { node.in_zone(format!("zone-{}", i % 3)) }
    });
    memberships.push(Members::new(zoned).expect("the ids differ"));
    if capabilities::<P>(config).weights {
        let weighted = (0..9_u32).map(|i| Node::new(id(i as usize)).weighing(i % 4));
        memberships.push(Members::new(weighted).expect("the ids differ"));
    }
    memberships
}

pub(super) fn numbered(count: usize) -> Members {
    Members::new((0..count).map(|i| Node::new(id(i)))).expect("the ids differ")
}

/// Ids whose order is not the order they are given in.
pub(super) fn id(i: usize) -> String {
    format!("node-{}", (i * 7) % NUMBERS)
}

/// The ends of the range and 4,000 positions in between.
pub(super) fn positions<P: Placement>(layout: &P) -> Vec<u64> {
    let max = layout.max_position();
    let inner = (0..4_000).map(|i| match max.checked_add(1) {
        Some(range) => mix64(i) % range,
        None => mix64(i),
    });
    [0, max].into_iter().chain(inner).collect()
}

pub(super) fn keys() -> Vec<String> {
    (0..500).map(|i| format!("key-{i}")).collect()
}
