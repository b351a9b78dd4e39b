//! [`Zones`], and the walk around the circle that meets replicas.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use homing_core::{Members, Node, NodeIndex, Step, Zone};

/// Up to this many nodes are looked through where they stand; for more, those
/// met are marked aside.
const FEW: usize = 64;

/// The number of a node that has no zone.
const NONE: u32 = u32::MAX;

/// The zones of the members as numbers.
#[derive(Clone, Debug)]
pub(crate) struct Zones {
    of: Vec<u32>, // by index, a place in `sizes` or `NONE`; any where freed
    numbers: BTreeMap<Zone, u32>,
    sizes: Vec<Size>,
    free: Vec<u32>, // places in `sizes` of no zone
    count: usize, // how many zones hold a node of weight above 0; without a zone is one of its own
}

/// How many nodes a zone holds.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    members: usize,
    active: usize, // of weight above 0
}

impl Zones {
    pub(crate) fn new(members: &Members) -> Self {
        let mut zones = Self {
            of: Vec::with_capacity(members.index_bound()),
            numbers: BTreeMap::new(),
            sizes: Vec::new(),
            free: Vec::new(),
            count: 0,
        };
        for (index, node) in members.iter_by_index() {
            zones.enter(index, node);
        }
        zones
    }

    /// Takes in one change; `members` are those after it.
    pub(crate) fn follow(&mut self, members: &Members, step: &Step) {
        match step {
            Step::Joined(index) => self.enter(*index, &members[*index]),
            Step::Left(index, node) => {
                self.leave(*index, node);
                self.of.truncate(members.index_bound());
            }
            Step::Reweighed(index, before) => {
                let node = members[*index].clone();
                self.leave(*index, &node.clone().weighing(*before));
                self.enter(*index, &node);
            }
            Step::Rebalanced => {}
        }
    }

    fn enter(&mut self, index: NodeIndex, node: &Node) {
        let active = usize::from(node.weight > 0);
        if self.of.len() <= index.get() {
            self.of.resize(index.get() + 1, NONE);
        }
        let Some(zone) = &node.zone else {
            self.of[index.get()] = NONE;
            self.count += active;
            return;
        };
        let number = self.numbers.get(zone).copied().unwrap_or_else(|| {
            let number = self.free.pop().unwrap_or_else(|| {
                self.sizes.push(Size::default());
                u32::try_from(self.sizes.len() - 1).expect("there are fewer zones than indices")
            });
            self.numbers.insert(zone.clone(), number);
            number
        });
        self.of[index.get()] = number;
        let size = &mut self.sizes[number as usize];
        self.count += usize::from(size.active == 0 && active > 0);
        size.members += 1;
        size.active += active;
    }

    fn leave(&mut self, index: NodeIndex, node: &Node) {
        let active = usize::from(node.weight > 0);
        let Some(zone) = &node.zone else {
            self.count -= active;
            return;
        };
        let number = self.of[index.get()];
        let size = &mut self.sizes[number as usize];
        size.members -= 1;
        size.active -= active;
        self.count -= usize::from(size.active == 0 && active > 0);
        if size.members == 0 {
            self.numbers.remove(zone);
            self.free.push(number);
        }
    }

    /// How many zones there are.
    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The zone of a node that owns points, below [`bound`](Self::bound).
    pub(crate) fn of(&self, index: NodeIndex) -> usize {
        match self.of[index.get()] {
            NONE => self.sizes.len() + index.get(),
            number => number as usize,
        }
    }

    /// One more than the greatest zone may be.
    pub(crate) fn bound(&self) -> usize {
        self.sizes.len() + self.of.len()
    }

    pub(crate) fn memory_usage(&self) -> usize {
        (self.of.capacity() + self.free.capacity()) * size_of::<u32>()
            + self.sizes.capacity() * size_of::<Size>()
            + self.numbers.len() * size_of::<(Zone, u32)>()
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
