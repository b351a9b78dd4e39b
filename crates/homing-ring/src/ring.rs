//! [`Ring`], the placement.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem;

use homing_core::{
    Build, Capabilities, Change, Disruption, Error, Family, Fingerprint, Fingerprinter, Members,
    NodeId, NodeIndex, Placement, Removal, Segment, Segments, Spread,
};

use crate::Config;
use crate::table::{Either, Table};
use crate::throw::Weights;
use crate::walk::{Zones, meet};

/// How many positions a batch is ahead in bringing lines near.
const AHEAD: usize = 64;

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
        match self.table.circle() {
            Cow::Owned(circle) => Either::This(circle.into_distinct()),
            Cow::Borrowed(circle) => Either::That(circle.distinct()),
        }
    }

    /// The position of a key, whose line is brought near.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "else a batch calls it for each key")]
    fn near(&self, key: &[u8]) -> u64 {
        let position = self.position(key);
        self.table.prefetch(position);
        position
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
        let weights = weights_after(changes)?;
        self.check_joining(changes)?;
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

    /// Brings the lines of the positions near that are 64 places ahead.
    fn owners_at(&self, positions: &[u64], owners: &mut [Option<NodeIndex>]) {
        assert_eq!(positions.len(), owners.len(), "one owner is written for each position");
        for (i, (owner, &position)) in owners.iter_mut().zip(positions).enumerate() {
            if let Some(&next) = positions.get(i + AHEAD) {
                self.table.prefetch(next);
            }
            *owner = self.owner_at(position);
        }
    }

    /// Hashes a key and brings its line near, then looks up the one 64 places before.
    fn owners(&self, keys: &[&[u8]], owners: &mut [Option<NodeIndex>]) {
        assert_eq!(keys.len(), owners.len(), "one owner is written for each key");
        let (first, keys) = keys.split_at(keys.len().min(AHEAD));
        let mut ahead = [0; AHEAD]; // positions that wait, the one of key i at i mod 64
        for (position, key) in ahead.iter_mut().zip(first) {
            *position = self.near(key);
        }
        let (owners, last) = owners.split_at_mut(keys.len());
        for (i, (key, owner)) in keys.iter().zip(owners).enumerate() {
            let position = mem::replace(&mut ahead[i % AHEAD], self.near(key));
            *owner = self.owner_at(position);
        }
        for (i, owner) in last.iter_mut().enumerate() {
            *owner = self.owner_at(ahead[(keys.len() + i) % AHEAD]);
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
        let circle = self.table.circle();
        let above = Segment { last: u64::MAX, owner: Some(self.table.owner(u64::MAX)) };
        let above = (circle.greatest() < u64::MAX).then_some(above);
        let segment = |(last, owner)| Segment { last, owner: Some(owner) };
        Some(match circle {
            Cow::Owned(circle) => Box::new(circle.into_distinct().map(segment).chain(above)),
            Cow::Borrowed(circle) => Box::new(circle.distinct().map(segment).chain(above)),
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

/// The nodes that `changes` name, with the weights that they have in the end.
fn weights_after(changes: &[Change]) -> Result<Weights<'_>, Error> {
    changes.iter().filter_map(|change| named(change).transpose()).collect()
}

fn named(change: &Change) -> Result<Option<(&NodeId, u32)>, Error> {
    match change {
        Change::Add(node) => Ok(Some((&node.id, node.weight))),
        Change::Remove(id) => Ok(Some((id, 0))),
        Change::Reweight(id, weight) => Ok(Some((id, *weight))),
        Change::Rebalance => Ok(None),
        _ => Err(Error::Unsupported { family: FAMILY.name, rule: "knows no such change" }),
    }
}
