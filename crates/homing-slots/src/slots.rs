//! [`Slots`]: the slot map, and what can be asked of it.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use homing_core::{
    Build, Capabilities, Change, Disruption, Error, Family, Fingerprint, Fingerprinter, Members,
    NodeIndex, Placement, Removal, Segment, Segments, Step,
};

use crate::kernel::Kernel;
use crate::rebalance::handovers;
use crate::{Config, Coverage, Handover, SLOTS, SlotRange, Unserved};

/// 16384 hash slots, each with one owner or none.
///
/// The map is the operator's: a node that joins owns nothing, and the slots of
/// one that leaves have no owner, until [`Change::Rebalance`] or another map
/// says otherwise. A rebalance moves as few slots as there can be, and never
/// hands out a slot that has no owner.
#[derive(Clone, Debug)]
pub struct Slots {
    members: Members,
    owners: Box<[Option<NodeIndex>]>, // by slot, 16384; each owner is a member
    uncovered: u16,                   // how many of `owners` are `None`
    kernel: Kernel,
}

/// How slots are computed plays no part.
impl PartialEq for Slots {
    fn eq(&self, other: &Self) -> bool {
        self.members == other.members && self.owners == other.owners
    }
}

impl Eq for Slots {}

const FAMILY: &Family = &Family {
    name: "slots",
    title: "hash slots",
    source: "Redis, Redis cluster specification, 2015",
    lookup: "one table load",
    capabilities: Capabilities {
        weights: true,
        removal: Removal::Any,
        disruption: Disruption::Operator,
        replicas: false,
        ordered: false,
    },
};

impl Slots {
    /// The map as ascending ranges, each as long as it can be.
    ///
    /// Slots without an owner are in none of them.
    #[must_use]
    pub fn ranges(&self) -> Vec<SlotRange> {
        let owned = self.runs().filter_map(|(run, owner)| Some((run, owner?)));
        owned
            .map(|(run, owner)| SlotRange {
                first: *run.start(),
                last: *run.end(),
                node: self.members[owner].id.clone(),
            })
            .collect()
    }

    /// The slots without an owner, as ascending runs that do not touch.
    #[must_use]
    pub fn uncovered(&self) -> Vec<RangeInclusive<u16>> {
        self.runs().filter(|(_, owner)| owner.is_none()).map(|(run, _)| run).collect()
    }

    /// Returns the owner of a slot, if the slot is served.
    ///
    /// # Errors
    ///
    /// Under [`Coverage::Full`], fails if any slot has no owner, and tells which;
    /// under [`Coverage::Partial`], fails if this one has none.
    ///
    /// # Panics
    ///
    /// Panics if `slot` is not below 16384.
    pub fn serve(&self, slot: u16, coverage: Coverage) -> Result<NodeIndex, Unserved> {
        let owner = self.owners[usize::from(slot)];
        if coverage == Coverage::Full && self.uncovered > 0 {
            return Err(Unserved::ClusterDown { uncovered: self.uncovered() });
        }
        owner.ok_or(Unserved::Uncovered { slot })
    }

    /// How many slots a node owns, in `0..=16384`. Counts them.
    #[must_use]
    pub fn slots_of(&self, index: NodeIndex) -> u16 {
        self.count(Some(index))
    }

    /// What [`Change::Rebalance`] would hand over, block by block, in its order.
    ///
    /// Empty if every node has its quota. An operator can make the moves one by
    /// one; they are the fewest there can be.
    #[must_use]
    pub fn rebalance_moves(&self) -> Vec<Handover> {
        handovers(&self.members, &self.owners)
    }

    /// Gives one slot to a node.
    pub(crate) fn assign(&mut self, slot: u16, owner: NodeIndex) {
        let before = self.owners[usize::from(slot)].replace(owner);
        self.uncovered -= u16::from(before.is_none());
    }

    fn runs(&self) -> impl Iterator<Item = (RangeInclusive<u16>, Option<NodeIndex>)> {
        let mut next = 0;
        self.owners.chunk_by(|a, b| a == b).map(move |run| {
            let first = next;
            next += length(run);
            (first..=next - 1, run[0])
        })
    }

    fn count(&self, owner: Option<NodeIndex>) -> u16 {
        self.owners.iter().map(|&other| u16::from(other == owner)).sum()
    }
}

impl Placement for Slots {
    fn family(&self) -> &'static Family {
        FAMILY
    }

    fn members(&self) -> &Members {
        &self.members
    }

    /// The slot of the key, [`slot`](crate::slot).
    #[inline]
    fn position(&self, key: &[u8]) -> u64 {
        self.kernel.slot(key).into()
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a position is below 16384")]
    fn owner_at(&self, position: u64) -> Option<NodeIndex> {
        self.owners[position as usize]
    }

    fn owners(&self, keys: &[&[u8]], owners: &mut [Option<NodeIndex>]) {
        assert_eq!(keys.len(), owners.len(), "one owner is written for each key");
        self.kernel.map(keys, owners, |slot| self.owners[usize::from(slot)]);
    }

    fn apply(&mut self, changes: &[Change]) -> Result<(), Error> {
        let owners = &mut self.owners;
        // Nodes whose slots are still theirs in `owners`. If one of their indices goes to a
        // node that joins, that one owns nothing before the next rebalance.
        let mut left = BTreeSet::new();
        self.members.apply_with(changes, |members, step| match step {
            Step::Left(index, _) => {
                left.insert(index);
            }
            Step::Rebalanced => {
                uncover(owners, &mut left);
                for Handover { to, slots, .. } in handovers(members, owners) {
                    for slot in slots {
                        owners[usize::from(slot)] = Some(to);
                    }
                }
            }
            Step::Joined(_) | Step::Reweighed(..) => {}
        })?;
        uncover(owners, &mut left);
        self.uncovered = self.count(None);
        Ok(())
    }

    /// Digests, after the name, the members in order of id, how many ranges there
    /// are, and of each range, ascending, its first slot, its last slot and the id
    /// of its node.
    fn fingerprint(&self) -> Fingerprint {
        let ranges = self.ranges();
        let start =
            Fingerprinter::new(FAMILY.name).members(&self.members).number(ranges.len() as u64);
        let digest = ranges.iter().fold(start, |digest, range| {
            digest.number(range.first.into()).number(range.last.into()).text(range.node.as_str())
        });
        digest.finish()
    }

    /// Digests the greatest slot and the name of the rule.
    fn keying(&self) -> Fingerprint {
        Fingerprinter::new("keying")
            .number(self.max_position())
            .text("crc16-xmodem of the hash tag")
            .finish()
    }

    fn memory_usage(&self) -> usize {
        size_of_val(&*self.owners) + self.members.memory_usage()
    }

    fn max_position(&self) -> u64 {
        u64::from(SLOTS) - 1
    }

    fn segments(&self) -> Option<Segments<'_>> {
        let runs = self.runs();
        Some(Box::new(runs.map(|(run, owner)| Segment { last: (*run.end()).into(), owner })))
    }
}

impl Build for Slots {
    type Config = Config;

    const FAMILY: &'static Family = FAMILY;

    /// Builds the layout of `members` with the slot map of `config`.
    ///
    /// # Errors
    ///
    /// Fails if a range runs past slot 16383 or backwards, overlaps an earlier
    /// one, or is of a node that is no member.
    fn build(config: Config, members: Members) -> Result<Self, Error> {
        let owners = config.owners(&members)?;
        let mut slots = Self { members, owners, uncovered: 0, kernel: Kernel::best() };
        slots.uncovered = slots.count(None);
        Ok(slots)
    }

    /// The map as [`Slots::ranges`].
    fn config(&self) -> Config {
        Config { ranges: Some(self.ranges()) }
    }
}

/// Takes their slots from the nodes that have `left`, in one pass, and forgets them.
fn uncover(owners: &mut [Option<NodeIndex>], left: &mut BTreeSet<NodeIndex>) {
    if left.is_empty() {
        return;
    }
    for owner in owners {
        if owner.is_some_and(|owner| left.contains(&owner)) {
            *owner = None;
        }
    }
    left.clear();
}

#[expect(clippy::cast_possible_truncation, reason = "there are 16384 slots")]
fn length(run: &[Option<NodeIndex>]) -> u16 {
    run.len() as u16
}
