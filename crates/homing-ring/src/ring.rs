//! [`Ring`], the placement.

use alloc::vec::Vec;
use core::mem;

use homing_core::{
    Build, Capabilities, Change, Disruption, Error, Family, Fingerprint, Fingerprinter, Members,
    NodeId, NodeIndex, Placement, Removal, Segments, Spread,
};

use crate::table::Table;
use crate::throw::{Weights, copies};
use crate::walk::{Zones, meet};
use crate::{Config, Ties};

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

/// The family with another promise.
const fn promising(disruption: Disruption, ordered: bool) -> Family {
    let capabilities = Capabilities { disruption, ordered, ..FAMILY.capabilities };
    Family { capabilities, ..FAMILY }
}

/// Where the order of the members plays a part.
const ORDERED: Family = promising(Disruption::Minimal, true);

/// Where a node may have other points because another one has changed.
const RELATIVE: Family = promising(Disruption::Unbounded, false);

/// Both.
const ORDERED_RELATIVE: Family = promising(Disruption::Unbounded, true);

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
    /// By default a point owns `(predecessor, point]`; the least one also what lies
    /// above the greatest. Takes about as long as building the ring where points are
    /// drawn again, and about 13 bytes a point until the iterator is dropped.
    pub fn points(&self) -> impl Iterator<Item = (u64, NodeIndex)> {
        self.table.points()
    }

    /// The owners of the points as they are met from the one that owns `position`
    /// upwards and once around, each as often as it has points.
    ///
    /// Of nodes that share a point, each is met, but under [`Ties::HighestIndex`] the one
    /// that has it alone.
    ///
    /// # Panics
    ///
    /// May panic if `position > self.max_position()`.
    pub fn owners_from(&self, position: u64) -> impl Iterator<Item = NodeIndex> {
        self.walk(position)
    }

    fn walk(&self, position: u64) -> impl Iterator<Item = NodeIndex> {
        self.table.from(position, self.config.ties == Ties::HighestIndex)
    }

    /// The position of a key, whose line is brought near.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "else a batch calls it for each key")]
    fn near(&self, key: &[u8]) -> u64 {
        let position = self.position(key);
        self.table.prefetch(position);
        position
    }

    /// The nodes that stay, and have another number of points among `members`.
    fn with_other_points(&self, members: &Members) -> Result<Vec<NodeIndex>, Error> {
        if !self.config.is_relative() {
            return Ok(Vec::new());
        }
        let (before, after) =
            (copies(&self.config, &self.members)?, copies(&self.config, members)?);
        let stays = |index: NodeIndex| {
            let node = self.members.get(index);
            node.is_some_and(|node| node.id == members[index].id)
        };
        let other = |&index: &NodeIndex| before[index.get()] != after[index.get()];
        let indices = members.iter_by_index().map(|(index, _)| index);
        Ok(indices.filter(|&index| stays(index)).filter(other).collect())
    }

    /// Refuses a node that `changes` add and that cannot have points.
    fn check_joining(&self, changes: &[Change]) -> Result<(), Error> {
        self.config.points.check_nodes(changes.iter().filter_map(|change| match change {
            Change::Add(node) => Some(node),
            _ => None,
        }))
    }
}

impl Placement for Ring {
    /// Another of the same name where the configuration has other promises: see the
    /// crate documentation.
    fn family(&self) -> &'static Family {
        match (self.config.is_relative(), self.config.is_ordered()) {
            (false, false) => &FAMILY,
            (false, true) => &ORDERED,
            (true, false) => &RELATIVE,
            (true, true) => &ORDERED_RELATIVE,
        }
    }

    fn members(&self) -> &Members {
        &self.members
    }

    #[inline]
    fn position(&self, key: &[u8]) -> u64 {
        self.config.hash.hash(key)
    }

    fn max_position(&self) -> u64 {
        self.config.max_position()
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
        let others = self.with_other_points(&members)?;
        let weights = weights_of(&members, others).chain(weights).collect();
        self.table.replace(&self.config, &self.members, &members, &weights)?;
        self.zones = Zones::new(&members);
        self.members = members;
        Ok(())
    }

    fn fingerprint(&self) -> Fingerprint {
        let digest = self.config.digest(Fingerprinter::new(Self::FAMILY.name));
        self.config.digest_members(digest, &self.members).finish()
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
        let walk = || self.walk(position);
        if spread == Spread::Zones {
            let count = count.min(self.zones.count());
            meet(walk(), count, |node| self.zones.of(node), self.zones.bound(), replicas);
        }
        let count = count.min(self.members.active());
        meet(walk(), count, NodeIndex::get, self.members.index_bound(), replicas);
        // Nodes each of whose points another has replaced come last.
        if replicas.len() < count {
            let every = self.table.from(position, false);
            meet(every, count, NodeIndex::get, self.members.index_bound(), replicas);
        }
    }

    /// One segment a distinct point, and one more for what lies above the
    /// greatest. Costs what [`points`](Self::points) costs.
    fn segments(&self) -> Option<Segments<'_>> {
        Some(self.table.segments())
    }
}

impl Build for Ring {
    type Config = Config;

    const FAMILY: &'static Family = &FAMILY;

    /// # Errors
    ///
    /// Fails if there are 0 points a weight unit, if there would be more than
    /// 2^32 - 1 points in all or than fit in memory, or if points are assigned,
    /// but none to one of `members`; if the hash of the keys has more bits than the
    /// points; and where points are derived, if a weight above 0 comes to no copy,
    /// or a label is no number that must be one.
    fn build(config: Config, members: Members) -> Result<Self, Error> {
        config.check()?;
        config.points.check(members.total_weight())?;
        config.points.check_nodes(members.iter().map(|(_, node)| node))?;
        let config = Config { points: config.points.in_order(), ..config };
        let table = Table::build(&config, &members)?;
        Ok(Self { config, zones: Zones::new(&members), members, table })
    }

    fn config(&self) -> Config {
        self.config.clone()
    }
}

/// The nodes at `indices` with their weights.
fn weights_of(members: &Members, indices: Vec<NodeIndex>) -> impl Iterator<Item = (&NodeId, u32)> {
    indices.into_iter().map(|index| (&members[index].id, members[index].weight))
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
