//! The checks of the contract.

#![expect(clippy::missing_panics_doc, reason = "to panic is how a check fails")]

use core::slice;
use std::string::String;
use std::sync::{Mutex, PoisonError};
use std::vec;
use std::vec::Vec;

use super::layouts::{
    assert_same, build, capabilities, changed, descriptions, each, id, keys, numbered, positions,
};
use crate::lanes::{Lanes, allow};
use crate::{
    Build, Change, Disruption, Error, Members, Node, NodeId, NodeIndex, Removal, Spread, shares,
};

/// Every position has an owner, which is a member that is not drained.
pub fn covers<P: Build>(configs: &[P::Config]) {
    each::<P>(configs, |layout| {
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
pub fn rebuilds<P: Build>(configs: &[P::Config]) {
    each::<P>(configs, |layout| {
        let again =
            P::build(layout.config(), layout.members().clone()).expect("it was built before");
        assert_same(layout, &again);
        assert_eq!(layout.config(), again.config());
        assert_eq!(layout.keying(), again.keying());
        assert_eq!(layout.members(), again.members());
    });
}

/// The order of the members plays no part, but in an ordered family.
pub fn ignores_order<P: Build>(configs: &[P::Config]) {
    for (config, members) in descriptions::<P>(configs) {
        if capabilities::<P>(config).ordered {
            continue;
        }
        let nodes: Vec<Node> = members.iter_by_index().map(|(_, node)| node.clone()).collect();
        let reversed = Members::new(nodes.into_iter().rev()).expect("it is the same membership");
        assert_same(&build::<P>(config, members), &build::<P>(config, reversed));
    }
}

/// The map is the same whichever vectors kernels may use.
///
/// What a kernel may use is the concern of the whole process: other tests that run
/// meanwhile build layouts under other kernels than they would, which must not
/// matter to them.
pub fn ignores_lanes<P: Build>(configs: &[P::Config]) {
    static LANES: Mutex<()> = Mutex::new(());
    let _turn = LANES.lock().unwrap_or_else(PoisonError::into_inner);
    for (config, members) in descriptions::<P>(configs) {
        let [plain, others @ ..] = [Lanes::Baseline, Lanes::Avx2, Lanes::Avx512].map(|lanes| {
            allow(lanes);
            build::<P>(config, members.clone())
        });
        let keys = keys();
        let keys: Vec<&[u8]> = keys.iter().map(String::as_bytes).collect();
        let owners = |layout: &P| {
            let positions = positions(layout);
            let mut owners = vec![None; positions.len() + keys.len()];
            let (of_positions, of_keys) = owners.split_at_mut(positions.len());
            layout.owners_at(&positions, of_positions);
            layout.owners(&keys, of_keys);
            owners
        };
        let expected = owners(&plain);
        for other in others {
            assert_same(&plain, &other);
            assert_eq!(owners(&other), expected);
            assert_eq!(other.keying(), plain.keying());
        }
    }
}

/// Positions depend on the key alone, and a member keeps its index as long as it
/// stays.
pub fn keeps_positions_and_indices<P: Build>(configs: &[P::Config]) {
    changed::<P>(configs, |before, after, changes| {
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
pub fn disrupts_as_promised<P: Build>(configs: &[P::Config]) {
    changed::<P>(configs, |before, after, changes| {
        let promise = before.family().capabilities.disruption;
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
            if promise == Disruption::Operator && changes.contains(&Change::Rebalance) {
                assert!(from.is_some() && to.is_some(), "{position} has no owner to be moved from");
            } else if promise == Disruption::Operator {
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
pub fn undoes<P: Build>(configs: &[P::Config]) {
    changed::<P>(configs, |before, after, changes| {
        let again = P::build(after.config(), after.members().clone()).expect("it stands");
        assert_same(after, &again);
        let [change] = changes else { return };
        let promise = before.family().capabilities.disruption;
        let back = match change {
            Change::Add(node) => Change::Remove(node.id.clone()),
            Change::Reweight(id, _) => {
                let index = before.members().index_of(id).expect("it was a member");
                Change::Reweight(id.clone(), before.node(index).weight)
            }
            Change::Remove(id) if promise != Disruption::Operator => {
                let index = before.members().index_of(id).expect("it was a member");
                Change::Add(before.node(index).clone())
            }
            Change::Remove(_) | Change::Rebalance => return,
        };
        let mut undone = P::build(after.config(), after.members().clone()).expect("it stands");
        undone.apply(&[back]).expect("it can be undone");
        assert_same(before, &undone);
    });
}

/// A list of changes that fails changes nothing.
pub fn refuses_whole<P: Build>(configs: &[P::Config]) {
    for config in configs {
        refuses_whole_under::<P>(config);
    }
}

fn refuses_whole_under<P: Build>(config: &P::Config) {
    let before = build::<P>(config, numbered(4));
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
pub fn refuses_what_it_cannot<P: Build>(configs: &[P::Config]) {
    for config in configs {
        refuses_what_it_cannot_under::<P>(config);
    }
}

fn refuses_what_it_cannot_under<P: Build>(config: &P::Config) {
    let capabilities = capabilities::<P>(config);
    let mut denied = Vec::new();
    if !capabilities.weights {
        denied.push(Change::Add(Node::new("joins").weighing(2)));
        denied.push(Change::Reweight(NodeId::new(id(1)), 0));
        let uneven = Members::new([Node::new("a"), Node::new("b").weighing(2)]);
        let built = P::build(config.clone(), uneven.expect("the ids differ"));
        assert!(matches!(built, Err(Error::Unsupported { .. })), "{built:?}");
    }
    if capabilities.removal == Removal::Last {
        denied.push(Change::Remove(NodeId::new(id(0))));
    }
    let before = build::<P>(config, numbered(4));
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
pub fn batches<P: Build>(configs: &[P::Config]) {
    each::<P>(configs, |layout| {
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
pub fn segments_agree<P: Build>(configs: &[P::Config]) {
    each::<P>(configs, |layout| {
        let Some(segments) = layout.segments() else {
            assert_eq!(shares(layout), None);
            return;
        };
        let mut first = 0;
        let mut ended = false;
        let mut unowned = 0.0;
        for segment in segments {
            assert!(!ended && segment.last >= first, "segments ascend");
            for position in [first, segment.last] {
                assert_eq!(layout.owner_at(position), segment.owner, "at {position}");
            }
            if segment.owner.is_none() {
                unowned += part(segment.last - first) / part(layout.max_position());
            }
            ended = segment.last == layout.max_position();
            first = segment.last.wrapping_add(1);
        }
        assert!(ended, "the last segment ends at the greatest position");
        let owned: f64 = shares(layout).expect("there are segments").iter().sum();
        let sum = owned + unowned;
        assert!((sum - 1.0).abs() < 1e-9, "shares and what has no owner add up to {sum}");
    });
}

/// Replicas are distinct nodes, the owner first, in distinct zones first where asked.
pub fn replicates<P: Build>(configs: &[P::Config]) {
    each::<P>(configs, |layout| {
        let many = layout.family().capabilities.replicas;
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
                    let most = match layout.owner_at(position) {
                        None => 0,
                        Some(_) => {
                            if many {
                                eligible
                            } else {
                                1
                            }
                        }
                    };
                    let full = count.min(most);
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

/// How many positions there are from 0 to `last`, to the precision of an `f64`.
#[expect(clippy::cast_precision_loss, reason = "compared to nine digits")]
fn part(last: u64) -> f64 {
    last as f64 + 1.0
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
