//! [`Zones`], and the walk around the circle that meets replicas.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use homing_core::{Members, NodeIndex, Zone};

/// Up to this many nodes are looked through where they stand; for more, those
/// met are marked aside.
const FEW: usize = 64;

/// The zones of the members as numbers.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Zones {
    of: Vec<u32>, // by index, below `count`; freed and drained nodes have any number
    count: usize, // how many zones hold a node of weight above 0; without a zone is one of its own
}

impl Zones {
    pub(crate) fn new(members: &Members) -> Self {
        let mut of = vec![0; members.index_bound()];
        let mut numbers: BTreeMap<&Zone, u32> = BTreeMap::new();
        let mut next = 0;
        for (index, node) in members.iter().filter(|(_, node)| node.weight > 0) {
            let known = node.zone.as_ref().and_then(|zone| numbers.get(zone).copied());
            of[index.get()] = known.unwrap_or(next);
            if known.is_none() {
                numbers.extend(node.zone.as_ref().map(|zone| (zone, next)));
                next += 1;
            }
        }
        Self { of, count: next as usize }
    }

    /// How many zones there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The zone of a node that owns points.
    pub(crate) fn of(&self, index: NodeIndex) -> usize {
        self.of[index.get()] as usize
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.of.capacity() * size_of::<u32>()
    }
}

/// Adds nodes from `walk` to `replicas` until these are `count`, leaving out
/// each whose `kind`, below `kinds`, one of `replicas` has.
pub(crate) fn meet(
    walk: impl Iterator<Item = NodeIndex>,
    count: usize,
    kind: impl Fn(NodeIndex) -> usize,
    kinds: usize,
    replicas: &mut Vec<NodeIndex>,
) {
    if count <= FEW {
        for node in walk {
            if replicas.len() >= count {
                return;
            }
            if !replicas.iter().any(|&met| kind(met) == kind(node)) {
                replicas.push(node);
            }
        }
        return;
    }
    let mut met = vec![false; kinds];
    for &node in &*replicas {
        met[kind(node)] = true;
    }
    for node in walk {
        if replicas.len() >= count {
            return;
        }
        if !core::mem::replace(&mut met[kind(node)], true) {
            replicas.push(node);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homing_core::Node;

    #[test]
    fn zones_are_counted_over_the_nodes_that_can_own() {
        let members = Members::new([
            Node::new("a").in_zone("x"),
            Node::new("b"),
            Node::new("c").in_zone("x"),
            Node::new("d"),
            Node::new("e").in_zone("y").weighing(0),
        ])
        .unwrap();
        let zones = Zones::new(&members);
        assert_eq!(zones.count(), 3);
        let of = |index| zones.of(NodeIndex::new(index));
        assert_eq!(of(0), of(2));
        assert!(of(0) != of(1) && of(0) != of(3) && of(1) != of(3));
    }

    #[test]
    fn many_nodes_are_met_in_the_same_order_as_few() {
        let steps = |seed: u64| (0..5_000).map(move |i| homing_core::mix64(i + seed) % 100);
        for seed in 0..8 {
            let walk = || steps(seed).map(|step| NodeIndex::new(usize::try_from(step).unwrap()));
            let (mut few, mut many) = (vec![NodeIndex::new(42)], vec![NodeIndex::new(42)]);
            meet(walk(), FEW, NodeIndex::get, 100, &mut few);
            meet(walk(), 100, NodeIndex::get, 100, &mut many);
            assert_eq!(few.len(), FEW);
            assert_eq!(many.len(), 100);
            assert_eq!(few, many[..FEW]);
        }
    }
}
