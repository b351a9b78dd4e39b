//! What a failure does to sets of replicas.

use std::collections::BTreeSet;

use homing_core::{Members, NodeIndex, Placement, Spread, Zone};

use super::by::By;
use super::flow::marked;
use crate::record::failures::Losses;
use crate::statistics::TAIL;
use crate::statistics::evenness::{effective, fraction};
use crate::workload::{Basis as Taken, Workload};

/// What becomes of sets of `count` replicas, kept apart by `spread`.
///
/// Over the keys of a workload, or, without one, over all positions: a family that
/// has segments and replicas has one set for all positions of a segment. Without a
/// layout after, nobody is left.
pub(super) fn losses(
    before: &dyn Placement,
    after: Option<&dyn Placement>,
    failed: &[NodeIndex],
    (count, spread): (usize, Spread),
    over: Option<&Workload>,
) -> By<Losses> {
    let judge = Judge::new(before, failed, count);
    let home = after.map(|after| after.members().matched_in(before.members()));
    let look = |position: u64, set: &mut Vec<NodeIndex>| {
        before.replicas_at(position, count, spread, set);
        judge.before(set)
    };
    let is_few_after = |position: u64, set: &mut Vec<NodeIndex>| {
        set.clear();
        if let (Some(after), Some(home)) = (after, &home) {
            after.replicas_at(position, count, spread, set);
            // Who survives is a member before and after.
            for index in set.iter_mut() {
                *index = home[index.get()].unwrap_or(*index);
            }
        }
        judge.is_few(set)
    };
    let Some(workload) = over else {
        let mut tally = Tally::default();
        let mut set = Vec::new();
        each_segment(before, |position, amount| tally.add(amount, look(position, &mut set)));
        match after {
            Some(after) => each_segment(after, |position, amount| {
                tally.add_after(amount, is_few_after(position, &mut set));
            }),
            None => tally.few_after = tally.all,
        }
        return By::keys(tally.parts(false));
    };
    let tallies = workload.fold(
        || By::each_of(workload, Tally::default),
        |tallies, block| {
            let mut set = Vec::new();
            for (i, key) in block.keys.iter().enumerate() {
                let position = before.position(key);
                let seen = look(position, &mut set);
                let few_after = is_few_after(position, &mut set);
                tallies.add(block, i, |tally, amount| {
                    tally.squares += (amount as f64).powi(2);
                    tally.add(amount.into(), seen);
                    tally.add_after(amount.into(), few_after);
                });
            }
        },
        |a, b| a.zip(b).map(|(a, b)| a.merge(b)),
    );
    let sampled = workload.basis() == Taken::Generated;
    tallies.map(|tally| tally.parts(sampled))
}

/// How many zones the replicas of a key should be in: as many as replicas, or all
/// that own keys.
pub(super) fn due(members: &Members, count: usize) -> usize {
    let zones = zone_of(members);
    let owning = members.iter().filter(|(_, node)| node.weight > 0);
    owning.map(|(index, _)| zones[index.get()]).collect::<BTreeSet<usize>>().len().min(count)
}

/// By index: a number for the zone; a node without one has a number of its own.
fn zone_of(members: &Members) -> Vec<usize> {
    let names: BTreeSet<&Zone> =
        members.iter().filter_map(|(_, node)| node.zone.as_ref()).collect();
    let names: Vec<&Zone> = names.into_iter().collect();
    let mut zones: Vec<usize> = (names.len()..names.len() + members.index_bound()).collect();
    for (index, node) in members.iter() {
        let named = node.zone.as_ref().and_then(|zone| names.binary_search(&zone).ok());
        zones[index.get()] = named.unwrap_or(zones[index.get()]);
    }
    zones
}

struct Judge {
    zone: Vec<usize>,  // by index
    failed: Vec<bool>, // by index
    due: usize,        // how many zones a set should be in
}

impl Judge {
    fn new(before: &dyn Placement, failed: &[NodeIndex], count: usize) -> Self {
        let members = before.members();
        Self { zone: zone_of(members), failed: marked(before, failed), due: due(members, count) }
    }

    /// Judges the set of some positions before the failure, and what is left of it.
    fn before(&self, set: &mut Vec<NodeIndex>) -> Seen {
        let held = set.len();
        let few_before = self.is_few(set);
        set.retain(|index| !self.failed[index.get()]);
        Seen {
            few_before,
            few_left: self.is_few(set),
            all_lost: held > 0 && set.is_empty(),
            some_lost: set.len() < held,
        }
    }

    fn is_few(&self, set: &[NodeIndex]) -> bool {
        let zone = |index: &NodeIndex| self.zone[index.get()];
        let first = |&(at, index): &(usize, &NodeIndex)| {
            !set[..at].iter().any(|earlier| zone(earlier) == zone(index))
        };
        set.iter().enumerate().filter(first).count() < self.due
    }
}

/// What is seen of one set, before the failure and at it.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is counted apart")]
struct Seen {
    all_lost: bool,
    some_lost: bool,
    few_before: bool,
    few_left: bool,
}

/// Amounts of positions, keys, bytes or requests.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    all: u128,
    squares: f64, // of the amounts, summed; 0 over positions
    all_lost: u128,
    some_lost: u128,
    few_before: u128,
    few_left: u128,
    few_after: u128,
}

impl Tally {
    fn add(&mut self, amount: u128, seen: Seen) {
        self.all += amount;
        for (count, seen) in [
            (&mut self.all_lost, seen.all_lost),
            (&mut self.some_lost, seen.some_lost),
            (&mut self.few_before, seen.few_before),
            (&mut self.few_left, seen.few_left),
        ] {
            *count += if seen { amount } else { 0 };
        }
    }

    fn add_after(&mut self, amount: u128, few: bool) {
        self.few_after += if few { amount } else { 0 };
    }

    fn merge(self, other: Self) -> Self {
        Self {
            all: self.all + other.all,
            squares: self.squares + other.squares,
            all_lost: self.all_lost + other.all_lost,
            some_lost: self.some_lost + other.some_lost,
            few_before: self.few_before + other.few_before,
            few_left: self.few_left + other.few_left,
            few_after: self.few_after + other.few_after,
        }
    }

    fn parts(self, sampled: bool) -> Losses {
        let all = self.all as f64;
        let part = |amount: u128| if self.all == 0 { 0.0 } else { amount as f64 / all };
        let draws = if sampled { effective(all, self.squares) } else { f64::INFINITY };
        let interval = fraction(part(self.all_lost), draws, TAIL);
        Losses {
            all_lost: part(self.all_lost),
            all_lost_low: interval.low,
            all_lost_high: interval.high,
            some_lost: part(self.some_lost),
            few_zones_before: part(self.few_before),
            few_zones_left: part(self.few_left),
            few_zones_after: part(self.few_after),
        }
    }
}

fn each_segment(placement: &dyn Placement, mut each: impl FnMut(u64, u128)) {
    let mut first = 0_u128;
    for segment in placement.segments().into_iter().flatten() {
        let next = u128::from(segment.last) + 1;
        each(segment.last, next - first);
        first = next;
    }
}

#[cfg(test)]
mod tests {
    use homing_core::Node;

    use super::*;

    #[test]
    fn a_node_without_a_zone_is_a_zone_of_its_own() {
        let members = Members::new([
            Node::new("a").in_zone("x"),
            Node::new("b").in_zone("x"),
            Node::new("c"),
            Node::new("d"),
            Node::new("e").in_zone("y").weighing(0),
        ])
        .unwrap();
        // x, c and d: e owns nothing.
        assert_eq!([2, 3, 4].map(|count| due(&members, count)), [2, 3, 3]);
    }
}
