//! What moves between two layouts: exactly, or counted over keys.

use homing_core::{Members, Node, NodeIndex, Placement, Plan, shares};

use super::{balance, evenness};
use crate::record::{Basis, Weighed};
use crate::statistics::evenness::{effective, fraction};
use crate::statistics::{Interval, TAIL};
use crate::workload::{Block, Workload};

/// The keys of which positions and owners are held at once: they stay in the first
/// cache.
const AT_ONCE: usize = 512;

/// What moved, as parts of a whole, and the loads after.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) moved: f64,
    pub(super) stray: f64,
    pub(super) loads: Vec<f64>, // by index, after the change
    pub(super) draws: f64,      // of equal amounts that tell as much; infinite if exact
}

impl Part {
    /// The figures by bytes or requests; `basis` is that of the row.
    pub(super) fn weighed(self, members: &Members, optimal: f64, basis: Basis) -> Weighed {
        let even = balance(members, &self.loads);
        let (moved, stray) = (self.interval(self.moved, basis), self.interval(self.stray, basis));
        Weighed {
            moved: self.moved,
            moved_low: Some(moved.low),
            moved_high: Some(moved.high),
            optimal,
            stray: self.stray,
            stray_low: Some(stray.low),
            stray_high: Some(stray.high),
            peak_to_mean: even.peak_to_mean,
            cv: even.cv,
            evenness: Some(evenness(members, &self.loads, basis, self.draws)),
        }
    }

    /// The 95 % interval of a part of this whole: itself unless sampled.
    pub(super) fn interval(&self, part: f64, basis: Basis) -> Interval {
        fraction(part, if basis == Basis::Sampled { self.draws } else { f64::INFINITY }, TAIL)
    }
}

/// Keys, bytes or requests, counted.
#[derive(Clone, Debug)]
pub(super) struct Count {
    loads: Vec<u128>, // by index, after the change
    moved: u128,
    stray: u128,
    total: u128,
    squares: f64, // of the amounts, summed; 0 where all of them are 1
}

impl Count {
    fn new(bound: usize) -> Self {
        Self { loads: vec![0; bound], moved: 0, stray: 0, total: 0, squares: 0.0 }
    }

    fn add(&mut self, amount: u64, to: Option<NodeIndex>, moved: bool, stray: bool) {
        let amount = u128::from(amount);
        self.total += amount;
        if let Some(to) = to {
            self.loads[to.get()] += amount;
        }
        if moved {
            self.moved += amount;
        }
        if stray {
            self.stray += amount;
        }
    }

    fn add_unlike(&mut self, amount: u64, to: Option<NodeIndex>, moved: bool, stray: bool) {
        self.squares += (amount as f64).powi(2);
        self.add(amount, to, moved, stray);
    }

    fn merge(mut self, other: &Self) -> Self {
        for (load, more) in self.loads.iter_mut().zip(&other.loads) {
            *load += more;
        }
        self.moved += other.moved;
        self.stray += other.stray;
        self.total += other.total;
        self.squares += other.squares;
        self
    }

    /// As parts of the whole; all 0 where there is nothing.
    pub(super) fn part(&self) -> Part {
        let total = self.total as f64;
        let squares = if self.squares > 0.0 { self.squares } else { total };
        let part = |amount: u128| {
            if self.total == 0 { 0.0 } else { amount as f64 / total }
        };
        Part {
            moved: part(self.moved),
            stray: part(self.stray),
            loads: self.loads.iter().map(|&load| part(load)).collect(),
            draws: effective(total, squares),
        }
    }
}

/// Moves and loads of a workload by keys, by bytes and by requests.
#[derive(Clone, Debug)]
pub struct Tally {
    pub(super) keys: Count,
    pub(super) bytes: Count,
    pub(super) requests: Count,
}

impl Tally {
    fn new(bound: usize) -> Self {
        Self { keys: Count::new(bound), bytes: Count::new(bound), requests: Count::new(bound) }
    }

    fn merge(self, other: &Self) -> Self {
        Self {
            keys: self.keys.merge(&other.keys),
            bytes: self.bytes.merge(&other.bytes),
            requests: self.requests.merge(&other.requests),
        }
    }

    /// How many keys changed owner, or lost it.
    #[must_use]
    #[expect(clippy::missing_panics_doc, reason = "there are fewer than 2^64 keys")]
    pub fn moved_keys(&self) -> u64 {
        u64::try_from(self.keys.moved).expect("there are fewer than 2^64 keys")
    }
}

/// The least that any placement must move from `before` to `after`, of all
/// positions: half the sum of the absolute differences of the ideal shares.
#[must_use]
pub fn optimal(before: &Members, after: &Members) -> f64 {
    let (all_before, all_after) =
        (u128::from(before.total_weight()), u128::from(after.total_weight()));
    let kept = before.matched_in(after);
    // In units of 1 / (all_before * all_after), so that there is no rounding but
    // the last. What some lose others win: half of the differences is the losses.
    let lost = |(index, node): (NodeIndex, &Node)| {
        let then = kept[index.get()].map_or(0, |there| after[there].weight);
        let due = u128::from(node.weight) * all_after;
        due.saturating_sub(u128::from(then) * all_before)
    };
    let lost: u128 = before.iter().map(lost).sum();
    lost as f64 / (all_before * all_after) as f64
}

/// Moves and shares over all positions, where both layouts have segments.
pub(super) fn exact(before: &dyn Placement, after: &dyn Placement) -> Option<Part> {
    let plan = Plan::between(before, after)?;
    let (stays, stay) =
        (steady(before.members(), after.members()), steady(after.members(), before.members()));
    let strays = plan.moves().iter().filter(|step| {
        step.from.is_some_and(|from| stays[from.get()]) && step.to.is_some_and(|to| stay[to.get()])
    });
    let stray: u128 = strays.map(homing_core::Move::positions).sum();
    let all = u128::from(before.max_position()) + 1;
    Some(Part {
        moved: plan.fraction(),
        stray: stray as f64 / all as f64,
        loads: shares(after)?,
        draws: f64::INFINITY,
    })
}

/// Moves and loads over the keys of a workload, counted on all threads.
#[must_use]
pub fn count(before: &dyn Placement, after: &dyn Placement, workload: &Workload) -> Tally {
    let route = Route::between(before, after);
    workload.fold(
        || Tally::new(after.members().index_bound()),
        |tally, block| route.count(tally, block),
        |a, b| a.merge(&b),
    )
}

struct Route<'a> {
    before: &'a dyn Placement,
    after: &'a dyn Placement,
    hashed_alike: bool,           // whether a key has the same position in both
    kept: Vec<Option<NodeIndex>>, // by index before: the same node's index after
    stays: Vec<bool>,             // by index before: whether the node stays with its weight
    stay: Vec<bool>,              // by index after: likewise
}

impl<'a> Route<'a> {
    fn between(before: &'a dyn Placement, after: &'a dyn Placement) -> Self {
        Self {
            before,
            after,
            hashed_alike: before.keying() == after.keying(),
            kept: before.members().matched_in(after.members()),
            stays: steady(before.members(), after.members()),
            stay: steady(after.members(), before.members()),
        }
    }

    fn count(&self, tally: &mut Tally, block: &Block<'_>) {
        let mut positions = [0; AT_ONCE];
        let (mut from, mut to) = ([None; AT_ONCE], [None; AT_ONCE]);
        for (keys, first) in block.keys.chunks(AT_ONCE).zip((0..).step_by(AT_ONCE)) {
            let positions = &mut positions[..keys.len()];
            let (from, to) = (&mut from[..keys.len()], &mut to[..keys.len()]);
            hash(self.before, keys, positions);
            self.before.owners_at(positions, from);
            if !self.hashed_alike {
                hash(self.after, keys, positions);
            }
            self.after.owners_at(positions, to);
            for (i, (&from, &to)) in (first..).zip(from.iter().zip(&*to)) {
                self.add(tally, block, i, from, to);
            }
        }
    }

    /// Counts key `i` of the block.
    fn add(
        &self,
        tally: &mut Tally,
        block: &Block<'_>,
        i: usize,
        from: Option<NodeIndex>,
        to: Option<NodeIndex>,
    ) {
        let moved =
            from.and_then(|from| self.kept[from.get()]) != to || (from.is_some() && to.is_none());
        let stray = moved
            && from.is_some_and(|from| self.stays[from.get()])
            && to.is_some_and(|to| self.stay[to.get()]);
        tally.keys.add(1, to, moved, stray);
        if let Some(bytes) = block.bytes {
            tally.bytes.add_unlike(bytes[i], to, moved, stray);
        }
        if let Some(requests) = block.requests {
            tally.requests.add_unlike(requests[i], to, moved, stray);
        }
    }
}

fn hash(placement: &dyn Placement, keys: &[&[u8]], positions: &mut [u64]) {
    for (position, key) in positions.iter_mut().zip(keys) {
        *position = placement.position(key);
    }
}

/// By index: whether the node is a member of `other` too, with the same weight.
fn steady(members: &Members, other: &Members) -> Vec<bool> {
    let matched = members.matched_in(other);
    let mut steady = vec![false; members.index_bound()];
    for (index, node) in members.iter() {
        steady[index.get()] =
            matched[index.get()].is_some_and(|there| other[there].weight == node.weight);
    }
    steady
}

#[cfg(test)]
mod tests {
    use homing_core::Change;

    use super::*;
    use crate::registry::Choice;
    use crate::workload::{Generated, Source};

    fn nodes(weights: &[u32]) -> Members {
        let nodes = weights.iter().enumerate();
        Members::new(nodes.map(|(i, &weight)| Node::new(format!("n{i}")).weighing(weight))).unwrap()
    }

    #[test]
    fn the_optimum_of_a_ninth_node_is_a_ninth() {
        let least = optimal(&nodes(&[1; 8]), &nodes(&[1; 9]));
        assert!((least - 1.0 / 9.0).abs() < 1e-12);
    }

    #[test]
    fn the_optimum_is_the_nearest_double() {
        // One node more of N is due 1 / (N + 1).
        for (before, least) in [(3, 1.0 / 4.0), (4, 1.0 / 5.0), (9, 0.1), (48, 1.0 / 49.0)] {
            let ones = vec![1; before + 1];
            let found = optimal(&nodes(&ones[..before]), &nodes(&ones));
            assert_eq!(found.to_bits(), f64::to_bits(least), "{found}");
            let found = optimal(&nodes(&ones), &nodes(&ones[..before]));
            assert_eq!(found.to_bits(), f64::to_bits(least), "{found}");
        }
        // The greatest weights do not overflow: 1 : 1 to 1 : 0.
        let found = optimal(&nodes(&[u32::MAX; 2]), &nodes(&[u32::MAX, 0]));
        assert_eq!(found.to_bits(), 0.5_f64.to_bits(), "{found}");
    }

    #[test]
    fn the_optimum_follows_the_weights() {
        // 1 : 1 to 1 : 3 takes the first from a half to a quarter.
        let least = optimal(&nodes(&[1, 1]), &nodes(&[1, 3]));
        assert!((least - 0.25).abs() < 1e-12);
        // A weight common to all plays no part.
        assert!(optimal(&nodes(&[1, 1]), &nodes(&[7, 7])).abs() < 1e-12);
    }

    /// How many keys have an owner of another id in `after`, asked one by one.
    fn moved_one_by_one(before: &dyn Placement, after: &dyn Placement, workload: &Workload) -> u64 {
        let id = |placement: &dyn Placement, key: &[u8]| placement.owner(key).unwrap().id.clone();
        let keys = workload.sample(usize::MAX);
        keys.iter().filter(|key| id(before, key) != id(after, key)).count() as u64
    }

    #[test]
    fn counting_in_batches_is_counting_one_by_one() {
        // Of 10,001 keys the last blocks and batches are not full.
        let source = Source::Generated(Generated { keys: 10_001, ..Generated::default() });
        let workload = Workload::load(&source).unwrap();
        for family in ["modulo", "ring", "slots", "maglev", "rendezvous", "jump"] {
            let before = Choice::parse(family).unwrap().build(nodes(&[1; 8])).unwrap();
            let mut after = before.clone();
            after.apply(&[Change::Add(Node::new("n8")), Change::Rebalance]).unwrap();
            let moved = moved_one_by_one(&*before, &*after, &workload);
            assert_eq!(count(&*before, &*after, &workload).moved_keys(), moved, "{family}");
            assert!(moved > 0, "{family}");
        }
    }

    #[test]
    fn layouts_that_hash_apart_are_compared_by_key() {
        let source = Source::Generated(Generated { keys: 10_001, ..Generated::default() });
        let workload = Workload::load(&source).unwrap();
        let build = |text| Choice::parse(text).unwrap().build(nodes(&[1; 8])).unwrap();
        let (before, after) = (build("ring"), build("ring:hash=xxh3:42"));
        let moved = moved_one_by_one(&*before, &*after, &workload);
        assert_eq!(count(&*before, &*after, &workload).moved_keys(), moved);
    }

    #[test]
    fn a_removed_node_and_a_new_one_move_what_both_have() {
        let before = nodes(&[1; 4]);
        let mut after = before.clone();
        after.apply(&[Change::Remove("n1".into()), Change::Add(Node::new("x"))]).unwrap();
        assert!((optimal(&before, &after) - 0.25).abs() < 1e-12);
    }
}
