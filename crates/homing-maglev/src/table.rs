//! [`Table`]: the owner of each entry, in two bytes where the indices fit.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

use homing_core::{Members, NodeIndex, Segment, Segments, draw};

use crate::Config;
use crate::populate::{Walk, fill};
use crate::turns::Turns;

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
    pub(crate) fn new(config: &Config, members: &Members) -> Self {
        let mut table = Self::default();
        table.refill(config, members);
        table
    }

    /// Makes this the table of `members`, where it stands if the form stays.
    pub(crate) fn refill(&mut self, config: &Config, members: &Members) {
        if members.index_bound() <= 1 << 16 {
            self.long = Box::default();
            refill(&mut self.short, config, members, 0);
        } else {
            self.short = Box::default();
            refill(&mut self.long, config, members, NodeIndex::new(0));
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
fn refill<E: Entry>(table: &mut Box<[E]>, config: &Config, members: &Members, blank: E) {
    let entries = config.entries as usize;
    if table.len() != entries {
        *table = vec![blank; entries].into_boxed_slice();
    }
    fill_for(table, config, members);
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
fn fill_for<E: Entry>(table: &mut [E], config: &Config, members: &Members) {
    let active = || members.iter().filter(|(_, node)| node.weight > 0);
    let turns = (!members.weighs_evenly()).then(|| {
        Turns::new(config.entries, &active().map(|(_, node)| node.weight).collect::<Vec<_>>())
    });
    let walks = active().map(|(index, node)| {
        let hash = config.hash.hash(node.id.as_str().as_bytes());
        Walk::new(permutation(hash, config.entries), E::of(index))
    });
    let mut all = Vec::with_capacity(members.active());
    all.extend(walks);
    match turns {
        Some(turns) => fill(table, &mut all, turns),
        None => fill(table, &mut all, (0..members.active()).cycle()),
    }
}

/// The offset and the skip of a node whose id hashes to `hash`.
#[expect(clippy::cast_possible_truncation, reason = "both are below the number of entries")]
fn permutation(hash: u64, entries: u32) -> (u32, u32) {
    let entries = u64::from(entries);
    let offset = draw(hash, 0) % entries;
    let skip = draw(hash, 1) % (entries - 1) + 1;
    (offset as u32, skip as u32)
}

#[cfg(test)]
mod tests {
    use homing_core::KeyHash;

    use super::*;

    #[test]
    fn offset_and_skip_are_the_first_two_draws() {
        // maglev.jsonl: node-0 and node-1 at m = 101, xxh3.
        let of = |id: &[u8]| permutation(KeyHash::default().hash(id), 101);
        assert_eq!(of(b"node-0"), (99, 13));
        assert_eq!(of(b"node-1"), (66, 15));
    }
}
