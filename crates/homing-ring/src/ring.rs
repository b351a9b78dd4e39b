//! [`Ring`], the placement.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::iter;

use homing_core::{
    Build, Capabilities, Change, Disruption, Error, Family, Fingerprint, Fingerprinter, Members,
    NodeId, NodeIndex, Placement, Removal, Segment, Segments, Spread,
};

use crate::Config;
use crate::table::{Either, Table};
use crate::throw::Weights;
use crate::walk::{Zones, meet};

/// How many positions a batch is ahead in bringing lines near.
const AHEAD: usize = 32;

/// How many keys are hashed before they are looked up.
const BLOCK: usize = 64;

const FAMILY: Family = Family {
    name: "ring",
    title: "Hash ring",
    source: "David Karger, Eric Lehman, Tom Leighton, Rina Panigrahy, Matthew Levine, Daniel \
             Lewin, \"Consistent Hashing and Random Trees\", 1997",
    lookup: "one line of 64 bytes",
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
/// Where points coincide the least id has the position. A lookup reads one line
/// of 64 bytes; the crate documentation says when it takes more, and defines
/// every point.
///
/// Rings are equal if their configurations and members are: these decide every
/// point.
#[derive(Clone, Debug)]
pub struct Ring {
    config: Config, // assigned points ascending, each once
    members: Members,
    zones: Zones, // of `members`
    table: Table, // at least one point
}

impl PartialEq for Ring {
    fn eq(&self, other: &Self) -> bool {
        self.config == other.config && self.members == other.members
    }
}

impl Eq for Ring {}

impl Ring {
    /// The distinct points in ascending order, each with the node that has it.
    ///
    /// A point owns `(predecessor, point]`; the least one also what lies above
    /// the greatest. Takes about as long as building the ring where points are
    /// drawn again, and about 13 bytes a point until the iterator is dropped.
    pub fn points(&self) -> impl Iterator<Item = (u64, NodeIndex)> {
        self.table.points()
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
        Some(self.table.owner(position))
    }

    /// Draws the points that the nodes named in `changes` lose or gain, and
    /// changes the lines of these points alone. Builds all lines anew once there
    /// are more than 7.5 or fewer than 4 points a line. Where points are kept,
    /// drops and merges them in one pass over all.
    fn apply(&mut self, changes: &[Change]) -> Result<(), Error> {
        let after = self.members.preview(changes)?;
        self.config.points.check(after.total_weight)?;
        self.check_joining(changes)?;
        let weights = weights_after(changes);
        if weights.is_empty() {
            return Ok(());
        }
        if self.table.follows(&self.config, &self.members, &weights, after.total_weight) {
            self.table.lower(&self.config, &self.members, &weights, changes);
            self.members.apply_with(changes, |members, step| self.zones.follow(members, &step))?;
            self.table.raise(&self.config, &self.members, &weights);
            return Ok(());
        }
        let mut members = self.members.clone();
        members.apply(changes)?;
        self.table.replace(&self.config, &self.members, &members, &weights)?;
        self.zones = Zones::new(&members);
        self.members = members;
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
        self.table.memory_usage()
            + self.zones.memory_usage()
            + self.config.points.memory_usage()
            + self.members.memory_usage()
    }

    /// Brings the lines of the positions near that are 32 places ahead.
    fn owners_at(&self, positions: &[u64], owners: &mut [Option<NodeIndex>]) {
        assert_eq!(positions.len(), owners.len(), "one owner is written for each position");
        for (i, (owner, &position)) in owners.iter_mut().zip(positions).enumerate() {
            if let Some(&next) = positions.get(i + AHEAD) {
                self.table.prefetch(next);
            }
            *owner = self.owner_at(position);
        }
    }

    /// Hashes a block of keys and brings their lines near, then looks them up.
    fn owners(&self, keys: &[&[u8]], owners: &mut [Option<NodeIndex>]) {
        assert_eq!(keys.len(), owners.len(), "one owner is written for each key");
        let mut positions = [0; BLOCK];
        for (keys, owners) in keys.chunks(BLOCK).zip(owners.chunks_mut(BLOCK)) {
            for (position, key) in positions.iter_mut().zip(keys) {
                *position = self.position(key);
                self.table.prefetch(*position);
            }
            for (owner, &position) in owners.iter_mut().zip(&positions) {
                *owner = self.owner_at(position);
            }
        }
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
        let walk = || self.table.from(position);
        if spread == Spread::Zones {
            let count = count.min(self.zones.count());
            meet(walk(), count, |node| self.zones.of(node), self.zones.bound(), replicas);
        }
        let count = count.min(self.members.active());
        meet(walk(), count, NodeIndex::get, self.members.index_bound(), replicas);
    }

    /// One segment a distinct point, and one more for what lies above the
    /// greatest. Costs what [`points`](Self::points) costs.
    fn segments(&self) -> Option<Segments<'_>> {
        let above = self.table.owner(u64::MAX);
        Some(match self.table.points() {
            Either::This(points) => Box::new(segments(points, above)),
            Either::That(points) => Box::new(segments(points, above)),
        })
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
        let table = Table::build(&config, &members)?;
        Ok(Self { config, zones: Zones::new(&members), members, table })
    }

    fn config(&self) -> Config {
        self.config.clone()
    }
}

/// The segments that end at `points`, and one of `above` after the last of these.
fn segments(
    mut points: impl Iterator<Item = (u64, NodeIndex)>,
    above: NodeIndex,
) -> impl Iterator<Item = Segment> {
    let mut end = 0;
    iter::from_fn(move || {
        let (last, owner) = match points.next() {
            Some(point) => point,
            None if end < u64::MAX => (u64::MAX, above),
            None => return None,
        };
        end = last;
        Some(Segment { last, owner: Some(owner) })
    })
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
