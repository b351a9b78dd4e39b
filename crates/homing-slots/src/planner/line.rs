//! The slots in one range for each node, in the order that moves fewest.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use homing_core::{Members, NodeIndex};

use crate::Handover;
use crate::rebalance::Holdings;

/// Up to so many nodes every order is tried, by subsets: 2^12 of them.
const TRIED: usize = 12;

/// The moves that lay the slots with an owner out in one range for each node.
pub(super) fn laid_out(members: &Members, owners: &[Option<NodeIndex>]) -> Vec<Handover> {
    let holdings = Holdings::of(members, owners);
    let line = Line::of(&holdings, owners);
    let places: Vec<usize> =
        (0..line.lengths.len()).filter(|&place| line.lengths[place] > 0).collect();
    let order =
        if places.len() <= TRIED { line.best_order(&places) } else { line.good_order(&places) };
    let mut moves = BTreeMap::<(usize, usize), Handover>::new();
    let mut covered = (0_u16..).zip(owners).filter_map(|(slot, owner)| Some((slot, (*owner)?)));
    for place in order {
        let to = holdings.nodes[place];
        for (slot, from) in covered.by_ref().take(line.lengths[place]) {
            if from != to {
                let giver = line.place_of[from.get()];
                let handover = || Handover { from, to, slots: Vec::new() };
                moves.entry((giver, place)).or_insert_with(handover).slots.push(slot);
            }
        }
    }
    moves.into_values().collect()
}

/// The slots with an owner, numbered from 0 in ascending order, and the nodes by
/// their place in order of id.
struct Line {
    held: Vec<Vec<usize>>, // by place: which of these numbers it holds, ascending
    lengths: Vec<usize>,   // by place: its quota
    place_of: Vec<usize>,  // by index
}

impl Line {
    fn of(holdings: &Holdings, owners: &[Option<NodeIndex>]) -> Self {
        let bound = holdings.nodes.iter().map(|node| node.get() + 1).max().unwrap_or(0);
        let mut place_of = vec![0; bound];
        for (place, node) in holdings.nodes.iter().enumerate() {
            place_of[node.get()] = place;
        }
        let mut held = vec![Vec::new(); holdings.nodes.len()];
        for (number, owner) in owners.iter().flatten().enumerate() {
            held[place_of[owner.get()]].push(number);
        }
        let lengths = holdings.quotas.iter().map(|&quota| quota as usize).collect();
        Self { held, lengths, place_of }
    }

    /// How many slots a node keeps if its range starts at this number.
    fn kept(&self, place: usize, start: usize) -> usize {
        let held = &self.held[place];
        let end = start + self.lengths[place];
        held.partition_point(|&at| at < end) - held.partition_point(|&at| at < start)
    }

    /// The order that keeps most; of several the one found first.
    fn best_order(&self, places: &[usize]) -> Vec<usize> {
        let all = 1_usize << places.len();
        // By the set of nodes laid out so far: where the next starts, what is kept
        // at most, and which of them is then the last.
        let mut starts = vec![0; all];
        let mut most = vec![(0, usize::MAX); all];
        for set in 1..all {
            let lowest = set.trailing_zeros() as usize;
            starts[set] = starts[set & (set - 1)] + self.lengths[places[lowest]];
            most[set] = (0..places.len())
                .filter(|last| set >> last & 1 == 1)
                .map(|last| {
                    let others = set & !(1 << last);
                    (most[others].0 + self.kept(places[last], starts[others]), last)
                })
                .rev()
                .max_by_key(|&(kept, _)| kept)
                .expect("the set is not empty");
        }
        let mut order = Vec::new();
        let mut set = all - 1;
        while set > 0 {
            let last = most[set].1;
            order.push(places[last]);
            set &= !(1 << last);
        }
        order.reverse();
        order
    }

    /// An order that keeps many: nodes by the middle of what they hold, those that
    /// hold nothing put where most is kept, then neighbours exchanged.
    fn good_order(&self, places: &[usize]) -> Vec<usize> {
        let middle = |place: &usize| self.held[*place].get(self.held[*place].len() / 2).copied();
        let (mut order, new): (Vec<usize>, Vec<usize>) =
            places.iter().partition(|place| middle(place).is_some());
        order.sort_by_key(|place| (middle(place), *place));
        for place in new {
            order.insert(self.best_gap(&order, self.lengths[place]), place);
        }
        self.exchange_neighbours(&mut order);
        order
    }

    /// Before which of `order` a node without slots goes, that the others keep most.
    fn best_gap(&self, order: &[usize], length: usize) -> usize {
        let mut start = 0;
        // What all would keep if they were behind the new node; then one after the
        // other before it.
        let mut kept = 0_usize;
        let shifted: Vec<(usize, usize)> = order
            .iter()
            .map(|&place| {
                let here = self.kept(place, start);
                let behind = self.kept(place, start + length);
                start += self.lengths[place];
                kept += behind;
                (here, behind)
            })
            .collect();
        let mut best = (kept, 0);
        for (i, (here, behind)) in shifted.into_iter().enumerate() {
            kept = kept - behind + here;
            if kept > best.0 {
                best = (kept, i + 1);
            }
        }
        best.1
    }

    fn exchange_neighbours(&self, order: &mut [usize]) {
        loop {
            let mut changed = false;
            let mut start = 0;
            for i in 1..order.len() {
                let (a, b) = (order[i - 1], order[i]);
                let (after_a, after_b) = (start + self.lengths[a], start + self.lengths[b]);
                let as_it_is = self.kept(a, start) + self.kept(b, after_a);
                let exchanged = self.kept(b, start) + self.kept(a, after_b);
                // Each exchange keeps more, so there is an end.
                if exchanged > as_it_is {
                    order.swap(i - 1, i);
                    changed = true;
                }
                start += self.lengths[order[i - 1]];
            }
            if !changed {
                return;
            }
        }
    }
}
