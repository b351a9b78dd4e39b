//! What fails at once: each node, each zone, and pairs of nodes.

use std::collections::{BTreeMap, BTreeSet};

use homing_core::{Members, NodeIndex, Zone, draw};

use crate::record::failures::Kind;

/// One failure.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Case {
    pub(super) zone: Option<Zone>,
    pub(super) failed: Vec<NodeIndex>, // at least one, in order of id
}

/// The failures of one kind.
#[derive(Clone, Debug)]
pub(super) struct Failing {
    pub(super) kind: Kind,
    pub(super) cases: Vec<Case>, // at least one
    pub(super) of: u64,          // how many there are of this kind
}

/// Every node, every zone that has a name, and at most `pairs` pairs of nodes, in
/// order of id. A kind of which there is none is left out.
pub(super) fn cases(members: &Members, pairs: usize, seed: u64) -> Vec<Failing> {
    let ids: Vec<NodeIndex> = members.iter().map(|(index, _)| index).collect();
    let nodes = ids.iter().map(|&index| Case { zone: None, failed: vec![index] }).collect();
    let zoned = zones(members)
        .into_iter()
        .map(|(zone, failed)| Case { zone: Some(zone.clone()), failed })
        .collect();
    let all = ids.len() as u64;
    let of_pairs = all * (all - 1) / 2;
    let paired = ranks(of_pairs, pairs as u64, seed)
        .into_iter()
        .map(|rank| {
            let (a, b) = pair(rank);
            Case { zone: None, failed: vec![ids[a], ids[b]] }
        })
        .collect();
    let of = |kind, cases: Vec<Case>, of| Failing { kind, cases, of };
    let mut kinds = vec![of(Kind::Node, nodes, all)];
    let zoned: Vec<Case> = zoned;
    let count = zoned.len() as u64;
    kinds.push(of(Kind::Zone, zoned, count));
    kinds.push(of(Kind::Pair, paired, of_pairs));
    kinds.retain(|kind| !kind.cases.is_empty());
    kinds
}

/// The zones that have a name, each with its nodes in order of id.
pub(super) fn zones(members: &Members) -> BTreeMap<&Zone, Vec<NodeIndex>> {
    let mut zones = BTreeMap::<&Zone, Vec<NodeIndex>>::new();
    for (index, node) in members.iter() {
        if let Some(zone) = &node.zone {
            zones.entry(zone).or_default().push(index);
        }
    }
    zones
}

/// All of `0..of`, or `count` of them drawn with a seed, ascending.
fn ranks(of: u64, count: u64, seed: u64) -> BTreeSet<u64> {
    if of <= count {
        return (0..of).collect();
    }
    let mut ranks = BTreeSet::new();
    let mut next = 0;
    while (ranks.len() as u64) < count {
        // The high half of the product is in 0..of.
        let rank = (u128::from(draw(seed, next)) * u128::from(of)) >> 64;
        ranks.insert(u64::try_from(rank).expect("the product of two 64-bit numbers"));
        next += 1;
    }
    ranks
}

/// The pair with a rank, lesser place first: 01, 02, 12, 03, 13, 23, 04, ...
fn pair(rank: u64) -> (usize, usize) {
    let mut greater = (1 + 8 * rank).isqrt().div_ceil(2);
    // The root is rounded down, so this is at most one off.
    while greater * (greater - 1) / 2 > rank {
        greater -= 1;
    }
    let lesser = rank - greater * (greater - 1) / 2;
    let place = |place| usize::try_from(place).expect("a place in a list in memory");
    (place(lesser), place(greater))
}

#[cfg(test)]
mod tests {
    use homing_core::Node;

    use super::*;

    #[test]
    fn pairs_are_ranked_by_the_greater_then_the_lesser() {
        let found: Vec<_> = (0..10).map(pair).collect();
        let by_hand =
            [(0, 1), (0, 2), (1, 2), (0, 3), (1, 3), (2, 3), (0, 4), (1, 4), (2, 4), (3, 4)];
        assert_eq!(found, by_hand);
        // The last pair of 10,000,000 nodes.
        let last = 10_000_000 * 9_999_999 / 2 - 1;
        assert_eq!(pair(last), (9_999_998, 9_999_999));
    }

    #[test]
    fn a_sample_has_as_many_distinct_pairs_as_asked_for() {
        let found = ranks(1000, 999, 7);
        assert_eq!((found.len(), found.last() < Some(&1000)), (999, true));
        assert_eq!(ranks(1000, 20, 7), ranks(1000, 20, 7));
        assert_ne!(ranks(1000, 20, 7), ranks(1000, 20, 8));
        assert_eq!(ranks(6, 6, 7).len(), 6);
    }

    #[test]
    fn a_kind_of_which_there_is_none_is_left_out() {
        let one = Members::named(["a"]).unwrap();
        let kinds: Vec<Kind> = cases(&one, 10, 0).iter().map(|cases| cases.kind).collect();
        assert_eq!(kinds, [Kind::Node]);
        let zoned = Members::new([Node::new("a").in_zone("z"), Node::new("b")]).unwrap();
        let kinds: Vec<(Kind, u64)> =
            cases(&zoned, 10, 0).iter().map(|cases| (cases.kind, cases.of)).collect();
        assert_eq!(kinds, [(Kind::Node, 2), (Kind::Zone, 1), (Kind::Pair, 1)]);
        assert_eq!(cases(&zoned, 0, 0).len(), 2);
    }
}
