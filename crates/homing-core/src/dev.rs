//! The contract of [`Placement`] as checks that run over any family.
//!
//! A family has them as tests by one line, `homing_core::contract!(Ring);`. The
//! checks obey the [`Capabilities`](crate::Capabilities) of the family: what it
//! does not promise is not asked of it. A check that fails panics.

#![expect(clippy::missing_panics_doc, reason = "to panic is how a check fails")]

use core::slice;
use std::format;
use std::string::String;
use std::vec;
use std::vec::Vec;

use crate::{
    Build, Change, Disruption, Error, Members, Node, NodeId, NodeIndex, Placement, Removal, Spread,
    mix64, shares,
};

pub use crate::lanes::allow;

/// Makes a test of each check of [`homing_core::dev`](crate::dev) for a family.
///
/// The family is checked under its default configuration. Name checks after a
/// colon to have only those: `contract!(Ring: covers batches)`.
#[macro_export]
macro_rules! contract {
    ($placement:ty) => {
        $crate::contract!(
            $placement: covers rebuilds ignores_order keeps_positions_and_indices
            disrupts_as_promised undoes refuses_whole refuses_what_it_cannot batches
            segments_agree replicates
        );
    };
    ($placement:ty: $($check:ident)+) => {
        $(
            #[test]
            fn $check() {
                $crate::dev::$check::<$placement>();
            }
        )+
    };
}

/// Every position has an owner, which is a member that is not drained.
pub fn covers<P: Build>() {
    each::<P>(|layout| {
        for key in keys() {
            let position = layout.position(key.as_bytes());
            assert!(position <= layout.max_position(), "position of {key:?}");
        }
        for position in positions(layout) {
            let owner = layout.owner_at(position).expect("a new layout covers every position");
            assert!(layout.node(owner).weight > 0, "{position} is on a drained node");
        }
    });
}

/// The configuration and the members of a layout build it again.
pub fn rebuilds<P: Build>() {
    each::<P>(|layout| {
        let again =
            P::build(layout.config(), layout.members().clone()).expect("it was built before");
        assert_same(layout, &again);
        assert_eq!(layout.config(), again.config());
        assert_eq!(layout.keying(), again.keying());
        assert_eq!(layout.members(), again.members());
    });
}

/// The order of the members plays no part, but in an ordered family.
pub fn ignores_order<P: Build>() {
    if P::FAMILY.capabilities.ordered {
        return;
    }
    for members in memberships::<P>() {
        let nodes: Vec<Node> = members.iter_by_index().map(|(_, node)| node.clone()).collect();
        let reversed = Members::new(nodes.into_iter().rev()).expect("it is the same membership");
        assert_same(&build::<P>(members), &build::<P>(reversed));
    }
}

/// Positions depend on the key alone, and a member keeps its index as long as it
/// stays.
pub fn keeps_positions_and_indices<P: Build>() {
    changed::<P>(|before, after, changes| {
        assert_eq!(before.keying(), after.keying());
        assert_eq!(before.max_position(), after.max_position());
        for key in keys() {
            let key = key.as_bytes();
            assert_eq!(before.position(key), after.position(key), "{key:?} at {changes:?}");
        }
        for (index, node) in before.members().iter() {
            let leaves = changes.contains(&Change::Remove(node.id.clone()));
            let now = after.members().index_of(&node.id);
            assert!(leaves || now == Some(index), "{:?} at {changes:?}", node.id);
        }
    });
}

/// A change moves no more than the family promises: where that is minimal, only
/// to nodes that gain weight or from nodes that lose it.
pub fn disrupts_as_promised<P: Build>() {
    let promise = P::FAMILY.capabilities.disruption;
    changed::<P>(|before, after, changes| {
        let weight = |layout: &P, node: &Node| {
            let index = layout.members().index_of(&node.id);
            index.map_or(0, |index| layout.node(index).weight)
        };
        let loses = |node: &Node| weight(after, node) < weight(before, node);
        let gains = |node: &Node| weight(after, node) > weight(before, node);
        let positions = positions(before);
        let mut strays = 0;
        for &position in &positions {
            let from = before.owner_at(position).map(|index| before.node(index));
            let to = after.owner_at(position).map(|index| after.node(index));
            if from.map(|node| &node.id) == to.map(|node| &node.id) {
                continue;
            }
            if promise == Disruption::Operator {
                let left = from.is_some_and(|node| after.members().index_of(&node.id).is_none());
                assert!(left && to.is_none(), "{position} moved though nobody moved it");
            }
            strays += usize::from(!from.is_some_and(loses) && !to.is_some_and(gains));
        }
        match promise {
            Disruption::Minimal => assert_eq!(strays, 0, "{changes:?}"),
            // The extra of Maglev is below 1 % of all for a change of one of up to 100
            // nodes at M = 65537 (1.6 % moved where 0.99 % is the least). Two changes at
            // once, and weights, are allowed some more.
            Disruption::Near => {
                assert!(strays * 20 < positions.len(), "{strays} strays at {changes:?}");
            }
            Disruption::Operator | Disruption::Unbounded => {}
        }
    });
}

/// Changes in place give what a fresh build gives, and their undoing gives the
/// first layout back.
pub fn undoes<P: Build>() {
    changed::<P>(|before, after, changes| {
        let again = P::build(after.config(), after.members().clone()).expect("it stands");
        assert_same(after, &again);
        let [change] = changes else { return };
        let back = match change {
            Change::Add(node) => Change::Remove(node.id.clone()),
            Change::Reweight(id, _) => {
                let index = before.members().index_of(id).expect("it was a member");
                Change::Reweight(id.clone(), before.node(index).weight)
            }
            Change::Remove(id) if P::FAMILY.capabilities.disruption != Disruption::Operator => {
                let index = before.members().index_of(id).expect("it was a member");
                Change::Add(before.node(index).clone())
            }
            _ => return,
        };
        let mut undone = P::build(after.config(), after.members().clone()).expect("it stands");
        undone.apply(&[back]).expect("it can be undone");
        assert_same(before, &undone);
    });
}

/// A list of changes that fails changes nothing.
pub fn refuses_whole<P: Build>() {
    let members = ids(4);
    let before = build::<P>(members);
    let mut layout = P::build(before.config(), before.members().clone()).expect("it stands");
    let joins = Change::Add(Node::new("joins"));
    let missing = Change::Remove(NodeId::new("missing"));
    let refused = [
        (vec![joins.clone(), missing], Error::UnknownNode { id: NodeId::new("missing") }),
        (vec![joins.clone(), joins], Error::DuplicateNode { id: NodeId::new("joins") }),
        (
            vec![Change::Reweight(NodeId::new("missing"), 1)],
            Error::UnknownNode { id: NodeId::new("missing") },
        ),
    ];
    for (changes, error) in refused {
        assert_eq!(layout.apply(&changes), Err(error));
        assert_same(&before, &layout);
        assert_eq!(before.members(), layout.members());
    }
    let all: Vec<Change> = (0..4).rev().map(|i| Change::Remove(NodeId::new(id(i)))).collect();
    assert_eq!(layout.apply(&all), Err(Error::NoNodes));
    assert_same(&before, &layout);
}

/// What the capabilities deny is refused as unsupported, and changes nothing.
pub fn refuses_what_it_cannot<P: Build>() {
    let capabilities = P::FAMILY.capabilities;
    let mut denied = Vec::new();
    if !capabilities.weights {
        denied.push(Change::Add(Node::new("joins").weighing(2)));
        denied.push(Change::Reweight(NodeId::new(id(1)), 0));
        let uneven = Members::new([Node::new("a"), Node::new("b").weighing(2)]);
        let built = P::build(P::Config::default(), uneven.expect("the ids differ"));
        assert!(matches!(built, Err(Error::Unsupported { .. })), "{built:?}");
    }
    if capabilities.removal == Removal::Last {
        denied.push(Change::Remove(NodeId::new(id(0))));
    }
    let before = build::<P>(ids(4));
    for change in denied {
        let mut layout = P::build(before.config(), before.members().clone()).expect("it stands");
        let refused = layout.apply(slice::from_ref(&change));
        let family = P::FAMILY.name;
        assert!(
            matches!(&refused, Err(Error::Unsupported { family: named, .. }) if *named == family),
            "{change:?}: {refused:?}"
        );
        assert_same(&before, &layout);
    }
}

/// A batch gives what its positions and keys give one by one.
pub fn batches<P: Build>() {
    each::<P>(|layout| {
        let positions = positions(layout);
        let mut owners = vec![None; positions.len()];
        layout.owners_at(&positions, &mut owners);
        for (&position, &owner) in positions.iter().zip(&owners) {
            assert_eq!(owner, layout.owner_at(position), "at {position}");
        }
        let keys = keys();
        let bytes: Vec<&[u8]> = keys.iter().map(String::as_bytes).collect();
        for count in [0, 1, 2, 15, 63, 64, 65, bytes.len()] {
            let mut owners = vec![None; count];
            layout.owners(&bytes[..count], &mut owners);
            for (key, &owner) in bytes.iter().zip(&owners) {
                assert_eq!(owner, layout.owner_at(layout.position(key)));
            }
        }
    });
}

/// Segments cover all positions, in order, with the owners that lookups give.
pub fn segments_agree<P: Build>() {
    each::<P>(|layout| {
        let Some(segments) = layout.segments() else {
            assert_eq!(shares(layout), None);
            return;
        };
        let mut first = 0;
        let mut ended = false;
        for segment in segments {
            assert!(!ended && segment.last >= first, "segments ascend");
            for position in [first, segment.last] {
                assert_eq!(layout.owner_at(position), segment.owner, "at {position}");
            }
            ended = segment.last == layout.max_position();
            first = segment.last.wrapping_add(1);
        }
        assert!(ended, "the last segment ends at the greatest position");
        let sum: f64 = shares(layout).expect("there are segments").iter().sum();
        assert!((sum - 1.0).abs() < 1e-9, "shares add up to {sum}");
    });
}

/// Replicas are distinct nodes, the owner first, in distinct zones first where asked.
pub fn replicates<P: Build>() {
    let many = P::FAMILY.capabilities.replicas;
    each::<P>(|layout| {
        let eligible = layout.members().active();
        let mut zones = Vec::new();
        for (index, node) in layout.members().iter().filter(|(_, node)| node.weight > 0) {
            zones.push(zone(node, index));
        }
        let zones = distinct(zones);
        let mut replicas = vec![NodeIndex::new(7)];
        for &position in &positions(layout)[..64] {
            for count in [0, 1, 2, 3, 5, eligible, eligible + 2] {
                for spread in [Spread::Nodes, Spread::Zones] {
                    layout.replicas_at(position, count, spread, &mut replicas);
                    let full = if many { count.min(eligible) } else { count.min(1) };
                    assert_eq!(replicas.len(), full, "{count} replicas at {position}");
                    assert_eq!(replicas.first().copied(), {
                        layout.owner_at(position).filter(|_| count > 0)
                    });
                    assert_eq!(distinct(replicas.clone()), full, "replicas are distinct");
                    let in_zones =
                        replicas.iter().map(|&index| zone(layout.node(index), index)).collect();
                    if spread == Spread::Zones {
                        assert_eq!(distinct(in_zones), full.min(zones), "zones come first");
                    }
                }
            }
        }
    });
}

/// A node without a zone counts as a zone of its own.
fn zone(node: &Node, index: NodeIndex) -> Result<String, NodeIndex> {
    node.zone.as_ref().map(|zone| String::from(zone.as_str())).ok_or(index)
}

fn distinct<T: Ord>(mut things: Vec<T>) -> usize {
    things.sort();
    things.dedup();
    things.len()
}

fn assert_same<P: Build>(a: &P, b: &P) {
    assert_eq!(a.fingerprint(), b.fingerprint());
    for position in positions(a) {
        let id = |layout: &P| layout.owner_at(position).map(|at| layout.node(at).id.clone());
        assert_eq!(id(a), id(b), "at {position}");
    }
}

fn each<P: Build>(check: impl Fn(&P)) {
    for members in memberships::<P>() {
        check(&build::<P>(members));
    }
}

/// Calls `check` with a layout, the layout after some changes, and the changes.
fn changed<P: Build>(check: impl Fn(&P, &P, &[Change])) {
    let capabilities = P::FAMILY.capabilities;
    for members in memberships::<P>() {
        let before = build::<P>(members);
        let last = before.members().iter_by_index().last().expect("never empty").1.id.clone();
        let first = before.members().iter_by_index().next().expect("never empty").1.id.clone();
        let mut lists = vec![
            vec![Change::Add(Node::new("joins"))],
            vec![Change::Add(Node::new("joins")), Change::Add(Node::new("joins too"))],
            vec![Change::Remove(last)],
            vec![Change::Rebalance],
        ];
        if capabilities.removal == Removal::Any {
            lists.push(vec![Change::Remove(first.clone())]);
            lists.push(vec![Change::Remove(first.clone()), Change::Add(Node::new("replaces"))]);
        }
        if capabilities.weights {
            lists.push(vec![Change::Reweight(first.clone(), 3)]);
            lists.push(vec![Change::Reweight(first, 0)]);
            lists.push(vec![Change::Add(Node::new("joins").weighing(2))]);
        }
        for changes in lists {
            let mut after = P::build(before.config(), before.members().clone()).expect("it stands");
            if before.members().preview(&changes) == Err(Error::NoNodes) {
                assert_eq!(after.apply(&changes), Err(Error::NoNodes));
                continue;
            }
            after.apply(&changes).expect("the family can do it");
            check(&before, &after, &changes);
        }
    }
}

fn build<P: Build>(members: Members) -> P {
    P::build(P::Config::default(), members).expect("the default configuration builds")
}

fn memberships<P: Build>() -> Vec<Members> {
    let mut memberships: Vec<Members> = [1, 2, 3, 8, 40].into_iter().map(ids).collect();
    let zoned = (0..7).map(|i| {
        let node = Node::new(id(i));
        if i == 6 { node } else { node.in_zone(format!("zone-{}", i % 3)) }
    });
    memberships.push(Members::new(zoned).expect("the ids differ"));
    if P::FAMILY.capabilities.weights {
        let weighted = (0..9_u32).map(|i| Node::new(id(i as usize)).weighing(i % 4));
        memberships.push(Members::new(weighted).expect("the ids differ"));
    }
    memberships
}

fn ids(count: usize) -> Members {
    Members::new((0..count).map(|i| Node::new(id(i)))).expect("the ids differ")
}

/// Ids whose order is not the order they are given in.
fn id(i: usize) -> String {
    format!("node-{}", (i * 7) % 41)
}

/// The ends of the range and 4,000 positions in between.
fn positions<P: Placement>(layout: &P) -> Vec<u64> {
    let max = layout.max_position();
    let inner = (0..4_000).map(|i| match max.checked_add(1) {
        Some(range) => mix64(i) % range,
        None => mix64(i),
    });
    [0, max].into_iter().chain(inner).collect()
}

fn keys() -> Vec<String> {
    (0..500).map(|i| format!("key-{i}")).collect()
}
