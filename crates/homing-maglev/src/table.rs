//! [`Table`]: the owner of each entry, in two bytes where the indices fit.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use homing_core::{Error, Members, NodeIndex, Segment, Segments};

use crate::populate::{Walk, fill};
use crate::rounds::{Credited, FirstRound, Iterated};
use crate::rule::{Stride, Turns};
use crate::turns::Apportioned;
use crate::{Config, wrapping};

/// The owner of each entry.
///
/// One of the two lists has them all, and the other is empty: a lookup that finds
/// nothing in the first needs no other test to know its form. Which it is depends on
/// the members alone, so equal layouts have equal tables.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Table {
    short: Box<[u16]>,      // indices, where all are below 65536
    long: Box<[NodeIndex]>, // where one is not
}

/// The most short entries that fit the second cache of most processors: 256 KiB.
const NEAR: usize = 1 << 17;

/// A [`Table`] that is near.
#[derive(Clone, Copy)]
pub(crate) struct Near<'a>(&'a [u16]);

impl Near<'_> {
    /// The owner of an entry.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a position is below 2^31")]
    pub(crate) fn owner(self, entry: u64) -> NodeIndex {
        self.0[entry as usize].owner()
    }
}

/// What an entry can be stored as.
trait Entry: Copy + Eq {
    fn of(owner: NodeIndex) -> Self;
    fn owner(self) -> NodeIndex;
}

impl Entry for u16 {
    #[expect(clippy::cast_possible_truncation, reason = "a short table has indices below 65536")]
    fn of(owner: NodeIndex) -> Self {
        owner.get() as u16
    }

    #[inline]
    fn owner(self) -> NodeIndex {
        NodeIndex::new(self.into())
    }
}

impl Entry for NodeIndex {
    fn of(owner: NodeIndex) -> Self {
        owner
    }

    #[inline]
    fn owner(self) -> NodeIndex {
        self
    }
}

impl Table {
    /// The table of `members`, whose number was checked.
    ///
    /// # Errors
    ///
    /// Fails where [`Config::may_fail`], if a node lacks what is known of it, or comes by
    /// no free entry in its turn.
    pub(crate) fn new(config: &Config, members: &Members) -> Result<Self, Error> {
        let mut table = Self::default();
        table.refill(config, members)?;
        Ok(table)
    }

    /// Makes this the table of `members`, where it stands if the form stays.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new); then the table is of no use.
    pub(crate) fn refill(&mut self, config: &Config, members: &Members) -> Result<(), Error> {
        if members.index_bound() <= 1 << 16 {
            self.long = Box::default();
            refill(&mut self.short, config, members, 0)
        } else {
            self.short = Box::default();
            refill(&mut self.long, config, members, NodeIndex::new(0))
        }
    }

    /// The owner of an entry.
    #[inline]
    pub(crate) fn owner(&self, entry: usize) -> NodeIndex {
        match self.short.get(entry) {
            Some(index) => index.owner(),
            None => self.long[entry],
        }
    }

    /// The table, if it is one of short entries that fits the second cache.
    pub(crate) fn near(&self) -> Option<Near<'_>> {
        (1..=NEAR).contains(&self.short.len()).then_some(Near(&self.short))
    }

    /// Writes the owner of the entry `entries[i]` to `owners[i]`, as far as there are
    /// both.
    pub(crate) fn write_owners(&self, entries: &[u64], owners: &mut [Option<NodeIndex>]) {
        if self.long.is_empty() {
            write_owners(&self.short, entries, owners);
        } else {
            write_owners(&self.long, entries, owners);
        }
    }

    /// The owner of each entry, from entry 0.
    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = NodeIndex> {
        (0..self.short.len() + self.long.len()).map(|entry| self.owner(entry))
    }

    pub(crate) fn segments(&self) -> Segments<'_> {
        if self.long.is_empty() { segments(&self.short) } else { segments(&self.long) }
    }

    pub(crate) fn memory_usage(&self) -> usize {
        size_of_val(&*self.short) + size_of_val(&*self.long)
    }
}

/// Makes `table` that of `members`, with a new list only where it has another length.
fn refill<E: Entry>(
    table: &mut Box<[E]>,
    config: &Config,
    members: &Members,
    blank: E,
) -> Result<(), Error> {
    let entries = config.entries as usize;
    if table.len() != entries {
        *table = vec![blank; entries].into_boxed_slice();
    }
    fill_for(table, config, members)
}

#[expect(clippy::cast_possible_truncation, reason = "a position is below 2^31")]
fn write_owners<E: Entry>(table: &[E], entries: &[u64], owners: &mut [Option<NodeIndex>]) {
    for (&entry, owner) in entries.iter().zip(owners) {
        *owner = Some(table[entry as usize].owner());
    }
}

fn segments<E: Entry>(table: &[E]) -> Segments<'_> {
    let mut next = 0;
    Box::new(table.chunk_by(|a, b| a == b).map(move |run| {
        next += run.len() as u64;
        Segment { last: next - 1, owner: Some(run[0].owner()) }
    }))
}

/// Fills `table` for `members`, whose number was checked.
fn fill_for<E: Entry>(table: &mut [E], config: &Config, members: &Members) -> Result<(), Error> {
    let order = config.order.arrange(members);
    let weights = || order.iter().map(|&index| members[index].weight).collect::<Vec<_>>();
    let mut permutations = Vec::with_capacity(order.len());
    for &index in &order {
        let (offset, skip) = config.permutation.of(&members[index], config.entries, config.hash)?;
        permutations.push((offset, skip, E::of(index)));
    }
    if members.weighs_evenly() && config.turns != Turns::FirstRound {
        return walk(table, config, &permutations, (0..order.len()).cycle());
    }
    match config.turns {
        Turns::Apportioned => {
            walk(table, config, &permutations, Apportioned::new(config.entries, &weights()))
        }
        Turns::Iterated => walk(table, config, &permutations, Iterated::new(&weights())),
        Turns::FirstRound => walk(table, config, &permutations, FirstRound::new(&weights())),
        Turns::Credited => walk(table, config, &permutations, Credited::new(&weights())),
    }
}

/// Fills `table` by the turns given, in the stride of the configuration.
fn walk<E: Entry>(
    table: &mut [E],
    config: &Config,
    permutations: &[(u32, u32, E)],
    turns: impl Iterator<Item = usize>,
) -> Result<(), Error> {
    match config.stride {
        Stride::Exact => {
            let walks =
                permutations.iter().map(|&(offset, skip, entry)| Walk::new((offset, skip), entry));
            fill(table, &mut walks.collect::<Vec<_>>(), turns);
            Ok(())
        }
        Stride::Wrapping => wrapping::fill(table, permutations, turns),
    }
}
