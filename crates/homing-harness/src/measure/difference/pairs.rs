//! Pairs of owners, in order of their ids, and what moves between them.

use homing_core::{Members, NodeId, NodeIndex};

use super::{Amount, Traffic};

/// Pairs of an owner before and one after as numbers, in order of both ids, no
/// owner last.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pairs {
    before: Ranked,
    after: Ranked,
}

#[derive(Clone, Debug, PartialEq)]
struct Ranked {
    ids: Vec<NodeId>, // by rank, that is in order of id
    ranks: Vec<u32>,  // by index
}

impl Pairs {
    pub(super) fn of(before: &Members, after: &Members) -> Self {
        Self { before: Ranked::of(before), after: Ranked::of(after) }
    }

    pub(super) fn number(&self, from: Option<NodeIndex>, to: Option<NodeIndex>) -> u64 {
        u64::from(self.before.rank(from)) << 32 | u64::from(self.after.rank(to))
    }

    pub(super) fn nodes(&self, pair: u64) -> (Option<&NodeId>, Option<&NodeId>) {
        let (from, to) = ranks(pair);
        (self.before.id(from), self.after.id(to))
    }

    /// The place of a giver, nobody last.
    pub(super) fn giver(&self, from: Option<NodeIndex>) -> usize {
        (self.before.rank(from) as usize).min(self.before.ids.len())
    }

    /// How many there are of each giver and of all before it.
    pub(super) fn counted_by_giver(
        &self,
        givers: impl Iterator<Item = Option<NodeIndex>>,
    ) -> Vec<usize> {
        let mut counts = vec![0; self.before.ids.len() + 1];
        givers.for_each(|from| counts[self.giver(from)] += 1);
        let mut sum = 0;
        for count in &mut counts {
            sum += *count;
            *count = sum;
        }
        counts
    }

    /// Sums up pairs: all, those of nobody, and those of each node.
    pub(super) fn sums<T: Copy>(
        &self,
        flows: impl Iterator<Item = (u64, T)>,
        zero: T,
        add: impl Fn(&mut T, T),
    ) -> Sums<T> {
        let (before, after) = (self.before.ids.len(), self.after.ids.len());
        let mut sums = Sums {
            moved: zero,
            gains_owner: zero,
            loses_owner: zero,
            givers: vec![None; before],
            takers: vec![None; after],
        };
        for (pair, amount) in flows {
            let (from, to) = ranks(pair);
            add(&mut sums.moved, amount);
            // Nobody has a rank above all.
            match sums.givers.get_mut(from as usize) {
                Some(sum) => add(sum.get_or_insert(zero), amount),
                None => add(&mut sums.gains_owner, amount),
            }
            match sums.takers.get_mut(to as usize) {
                Some(sum) => add(sum.get_or_insert(zero), amount),
                None => add(&mut sums.loses_owner, amount),
            }
        }
        sums
    }

    /// What each node gives; those that give nothing are left out.
    pub(super) fn givers(&self, sums: Vec<Option<Amount>>) -> Vec<Traffic> {
        traffic(&self.before.ids, sums)
    }

    /// What each node takes; those that take nothing are left out.
    pub(super) fn takers(&self, sums: Vec<Option<Amount>>) -> Vec<Traffic> {
        traffic(&self.after.ids, sums)
    }
}

/// Sums over pairs.
pub(super) struct Sums<T> {
    pub(super) moved: T,
    pub(super) gains_owner: T,
    pub(super) loses_owner: T,
    pub(super) givers: Vec<Option<T>>, // by rank
    pub(super) takers: Vec<Option<T>>, // by rank
}

impl Ranked {
    fn of(members: &Members) -> Self {
        let mut ranks = vec![u32::MAX; members.index_bound()];
        for (rank, (index, _)) in (0..).zip(members.iter()) {
            ranks[index.get()] = rank;
        }
        Self { ids: members.iter().map(|(_, node)| node.id.clone()).collect(), ranks }
    }

    fn rank(&self, index: Option<NodeIndex>) -> u32 {
        index.map_or(u32::MAX, |index| self.ranks[index.get()])
    }

    fn id(&self, rank: u32) -> Option<&NodeId> {
        self.ids.get(rank as usize)
    }
}

#[expect(clippy::cast_possible_truncation, reason = "a number is two ranks")]
fn ranks(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

fn traffic(ids: &[NodeId], sums: Vec<Option<Amount>>) -> Vec<Traffic> {
    let sums = ids.iter().zip(sums);
    sums.filter_map(|(node, sum)| Some(Traffic { node: node.clone(), amount: sum? })).collect()
}
