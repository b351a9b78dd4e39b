//! The slots in one range for each node: where ranges end, and what is kept.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use homing_core::{Members, NodeIndex};

use super::level::shift_of;
use crate::Handover;
use crate::rebalance::Holdings;

/// The slots with an owner, numbered from 0 in ascending order, and the nodes by
/// their place in order of id.
pub(super) struct Line {
    nodes: Vec<NodeIndex>,            // by place
    pub(super) held: Vec<Vec<usize>>, // by place: which of these numbers it holds, ascending
    pub(super) dues: Vec<u64>,        // by place: what it is due, in what `borders` takes
    place_of: Vec<usize>,             // by index
    borders: Borders,
}

/// Where the ranges end of nodes that are due so much together.
enum Borders {
    /// A due is a number of slots.
    Slots,
    /// A due is a weight.
    Loads {
        before: Vec<u128>, // by number: the load of all lower ones; last the load of all
        weights: u128,     // of all nodes
    },
}

impl Line {
    /// The nodes are due their quotas.
    pub(super) fn by_quota(members: &Members, owners: &[Option<NodeIndex>]) -> Self {
        let Holdings { nodes, quotas, .. } = Holdings::of(members, owners);
        let dues = quotas.into_iter().map(u64::from).collect();
        Self::of(nodes, owners, dues, Borders::Slots)
    }

    /// The nodes are due their part of the loads.
    pub(super) fn by_load(members: &Members, owners: &[Option<NodeIndex>], loads: &[u64]) -> Self {
        let (nodes, dues): (Vec<NodeIndex>, Vec<u64>) =
            members.iter().map(|(index, node)| (index, u64::from(node.weight))).unzip();
        // A load and the weights of all nodes are multiplied.
        let shift = shift_of(owners, loads);
        let mut before = vec![0];
        let mut sum = 0;
        for (_, &load) in owners.iter().zip(loads).filter(|(owner, _)| owner.is_some()) {
            sum += u128::from(load >> shift);
            before.push(sum);
        }
        let weights = dues.iter().copied().map(u128::from).sum();
        Self::of(nodes, owners, dues, Borders::Loads { before, weights })
    }

    fn of(
        nodes: Vec<NodeIndex>,
        owners: &[Option<NodeIndex>],
        dues: Vec<u64>,
        borders: Borders,
    ) -> Self {
        let bound = nodes.iter().map(|node| node.get() + 1).max().unwrap_or(0);
        let mut place_of = vec![0; bound];
        for (place, node) in nodes.iter().enumerate() {
            place_of[node.get()] = place;
        }
        let mut held = vec![Vec::new(); nodes.len()];
        for (number, owner) in owners.iter().flatten().enumerate() {
            held[place_of[owner.get()]].push(number);
        }
        Self { nodes, held, dues, place_of, borders }
    }

    /// The places of the nodes that are due anything.
    pub(super) fn places(&self) -> Vec<usize> {
        (0..self.dues.len()).filter(|&place| self.dues[place] > 0).collect()
    }

    /// The number that the ranges of nodes end before that are due so much together.
    pub(super) fn border(&self, due: u64) -> usize {
        match &self.borders {
            Borders::Slots => usize::try_from(due).expect("quotas add up to the owned slots"),
            Borders::Loads { before, weights } => border_of(before, *weights, due.into()),
        }
    }

    /// How many slots a node keeps if the nodes before it are due so much.
    pub(super) fn kept(&self, place: usize, due: u64) -> usize {
        let held = &self.held[place];
        let (start, end) = (self.border(due), self.border(due + self.dues[place]));
        held.partition_point(|&at| at < end) - held.partition_point(|&at| at < start)
    }

    /// The moves that lay the slots out in this order.
    pub(super) fn moves(&self, order: &[usize], owners: &[Option<NodeIndex>]) -> Vec<Handover> {
        let mut moves = BTreeMap::<(usize, usize), Handover>::new();
        let mut covered = (0_u16..).zip(owners).filter_map(|(slot, owner)| Some((slot, (*owner)?)));
        let (mut due, mut start) = (0, 0);
        for &place in order {
            let to = self.nodes[place];
            due += self.dues[place];
            let end = self.border(due);
            for (slot, from) in covered.by_ref().take(end - start) {
                if from != to {
                    let giver = self.place_of[from.get()];
                    let handover = || Handover { from, to, slots: Vec::new() };
                    moves.entry((giver, place)).or_insert_with(handover).slots.push(slot);
                }
            }
            start = end;
        }
        moves.into_values().collect()
    }

    /// How many slots move at least, whatever the order, where quotas are due: all
    /// but what each node would keep if it alone could choose where its range is.
    pub(super) fn least_moved(&self) -> usize {
        let count: usize = self.held.iter().map(Vec::len).sum();
        let most = |place: usize| {
            let held = &self.held[place];
            let length = self.border(self.dues[place]);
            // A range that keeps most can be taken to start at a slot that is held.
            let kept = held
                .iter()
                .enumerate()
                .map(|(i, &start)| held[i..].partition_point(|&at| at < start + length));
            kept.max().unwrap_or(0)
        };
        count - self.places().into_iter().map(most).sum::<usize>()
    }
}

/// The number before which the load is nearest to what is due, of equally near ones
/// the lesser load; where slots of no load leave a choice, the one nearest to the
/// same part of the slots.
fn border_of(before: &[u128], weights: u128, due: u128) -> usize {
    let count = before.len() - 1;
    let wanted = before[count] * due;
    let above = before.partition_point(|&load| load * weights < wanted);
    let nearest = match above.checked_sub(1).map(|below| before[below]) {
        Some(below) if wanted - below * weights <= before[above] * weights - wanted => below,
        _ => before[above],
    };
    let first = before.partition_point(|&load| load < nearest);
    let last = before.partition_point(|&load| load <= nearest) - 1;
    let even = (count as u128 * due + weights / 2) / weights;
    usize::try_from(even).unwrap_or(count).clamp(first, last)
}
