//! [`Ring`], the placement.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::iter;

use homing_core::{
    Build, Capabilities, Change, Disruption, Error, Family, Fingerprint, Fingerprinter, Members,
    NodeId, NodeIndex, Placement, Removal, Segment, Segments, Spread,
};

use crate::Config;
use crate::circle::Circle;
use crate::throw::{self, Weights};
use crate::walk::{Zones, meet};

const FAMILY: Family = Family {
    name: "ring",
    title: "Hash ring",
    source: "David Karger, Eric Lehman, Tom Leighton, Rina Panigrahy, Matthew Levine, Daniel \
             Lewin, \"Consistent Hashing and Random Trees\", 1997",
    lookup: "O(log(V N)), V points a node",
    capabilities: Capabilities {
        weights: true,
        removal: Removal::Any,
        disruption: Disruption::Minimal,
        replicas: true,
        ordered: false,
    },
};

/// A hash ring: a position belongs to the node with the least point not below
/// it, and above the greatest point to the node with the least of all.
///
/// Where points coincide the least id has the position. A lookup is a binary
/// search over all points. The crate documentation defines every point.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Ring {
    config: Config, // assigned points ascending, each once
    members: Members,
    zones: Zones,   // of `members`
    circle: Circle, // at least one point
}

impl Ring {
    /// The distinct points in ascending order, each with the node that has it.
    ///
    /// A point owns `(predecessor, point]`; the least one also what lies above
    /// the greatest.
    pub fn points(&self) -> impl Iterator<Item = (u64, NodeIndex)> {
        self.circle.iter()
    }

    /// Refuses assigned points that lack those of a node that `changes` add.
    fn check_joining(&self, changes: &[Change]) -> Result<(), Error> {
        self.config.points.check_nodes(changes.iter().filter_map(|change| match change {
            Change::Add(node) => Some(&node.id),
            _ => None,
        }))
    }
}

impl Placement for Ring {
    fn family(&self) -> &'static Family {
        Self::FAMILY
    }

    fn members(&self) -> &Members {
        &self.members
    }

    #[inline]
    fn position(&self, key: &[u8]) -> u64 {
        self.config.hash.hash(key)
    }

    #[inline]
    fn owner_at(&self, position: u64) -> Option<NodeIndex> {
        Some(self.circle.owner(position))
    }

    /// Throws the points of the nodes named in `changes`, and drops and merges
    /// in one pass over the others.
    fn apply(&mut self, changes: &[Change]) -> Result<(), Error> {
        let after = self.members.preview(changes)?;
        self.config.points.check(after.total_weight)?;
        self.check_joining(changes)?;
        let weights = weights_after(changes);
        if weights.is_empty() {
            return Ok(());
        }
        let mut gone = vec![false; self.members.index_bound()];
        for index in weights.keys().filter_map(|id| self.members.index_of(id)) {
            gone[index.get()] = true;
        }
        let count = throw::count(&self.config.points, &weights);
        let mut new = Circle::default();
        new.reserve(count)?;
        let stay = self.circle.len() - self.circle.count(&gone);
        self.circle.reserve(stay as u64 + count)?;

        // From here on nothing can fail.
        self.members.apply(changes)?;
        self.zones = Zones::new(&self.members);
        throw::throw(&self.config, &weights, &self.members, &mut new);
        new.sort(&self.members);
        self.circle.drop_points(&gone);
        self.circle.merge(&new, &self.members);
        Ok(())
    }

    fn fingerprint(&self) -> Fingerprint {
        let digest = Fingerprinter::new(Self::FAMILY.name).hash(self.config.hash);
        self.config.points.digest(digest).members(&self.members).finish()
    }

    fn keying(&self) -> Fingerprint {
        Fingerprint::of_keying(self.max_position(), self.config.hash)
    }

    fn memory_usage(&self) -> usize {
        self.circle.memory_usage()
            + self.zones.memory_usage()
            + self.config.points.memory_usage()
            + self.members.memory_usage()
    }

    /// Walks upwards from the owner's point and around; with zones twice, each
    /// time at most once around.
    ///
    /// Allocates, a byte a node, only for more than 64 replicas.
    fn replicas_at(
        &self,
        position: u64,
        count: usize,
        spread: Spread,
        replicas: &mut Vec<NodeIndex>,
    ) {
        replicas.clear();
        let walk = || self.circle.from(position);
        if spread == Spread::Zones {
            let count = count.min(self.zones.count());
            meet(walk(), count, |node| self.zones.of(node), self.zones.count(), replicas);
        }
        let count = count.min(self.members.active());
        meet(walk(), count, NodeIndex::get, self.members.index_bound(), replicas);
    }

    /// One segment a distinct point, and one more for what lies above the
    /// greatest.
    fn segments(&self) -> Option<Segments<'_>> {
        let inner = self.points().map(|(last, owner)| Segment { last, owner: Some(owner) });
        let wraps = self.circle.greatest() < u64::MAX;
        let wrap = Segment { last: u64::MAX, owner: self.owner_at(u64::MAX) };
        Some(Box::new(inner.chain(iter::once(wrap).filter(move |_| wraps))))
    }
}

impl Build for Ring {
    type Config = Config;

    const FAMILY: &'static Family = &FAMILY;

    /// # Errors
    ///
    /// Fails if there are 0 points a weight unit, if there would be more than
    /// 2^32 - 1 points in all or than fit in memory, or if points are assigned,
    /// but none to one of `members`.
    fn build(config: Config, members: Members) -> Result<Self, Error> {
        config.points.check(members.total_weight())?;
        config.points.check_nodes(members.iter().map(|(_, node)| &node.id))?;
        let config = Config { hash: config.hash, points: config.points.in_order() };
        let weights: Weights<'_> =
            members.iter().map(|(_, node)| (&node.id, node.weight)).collect();
        let mut circle = Circle::default();
        circle.reserve(throw::count(&config.points, &weights))?;
        throw::throw(&config, &weights, &members, &mut circle);
        circle.sort(&members);
        Ok(Self { config, zones: Zones::new(&members), members, circle })
    }

    fn config(&self) -> Config {
        self.config.clone()
    }
}

/// The nodes that `changes` name, with the weights that they have in the end.
fn weights_after(changes: &[Change]) -> Weights<'_> {
    changes.iter().filter_map(named).collect()
}

fn named(change: &Change) -> Option<(&NodeId, u32)> {
    match change {
        Change::Add(node) => Some((&node.id, node.weight)),
        Change::Remove(id) => Some((id, 0)),
        Change::Reweight(id, weight) => Some((id, *weight)),
        _ => None,
    }
}
