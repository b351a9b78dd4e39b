//! [`Handover`]: which slots change hands when the operator rebalances.

use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use homing_core::{Members, NodeIndex, apportion};

/// A block of slots that one node hands to another.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Handover {
    /// Who hands them over.
    pub from: NodeIndex,
    /// Who gets them.
    pub to: NodeIndex,
    /// The slots, ascending; at least one, not always one run.
    pub slots: Vec<u16>,
}

/// What each node holds, and what it is due.
pub(crate) struct Holdings {
    pub(crate) nodes: Vec<NodeIndex>, // in order of id
    pub(crate) slots: Vec<Vec<u16>>,  // of each of `nodes`, ascending
    pub(crate) quotas: Vec<u32>,      // of each of `nodes`; they add up to the owned slots
}

impl Holdings {
    /// Quotas are in proportion to the weights, of the slots that have an owner;
    /// among equal remainders who holds more comes first, then the least id.
    pub(crate) fn of(members: &Members, owners: &[Option<NodeIndex>]) -> Self {
        let (nodes, weights): (Vec<NodeIndex>, Vec<u32>) =
            members.iter().map(|(index, node)| (index, node.weight)).unzip();
        let mut held = vec![Vec::new(); members.index_bound()];
        for (slot, owner) in (0_u16..).zip(owners) {
            if let Some(owner) = owner {
                held[owner.get()].push(slot);
            }
        }
        let slots: Vec<Vec<u16>> =
            nodes.iter().map(|node| core::mem::take(&mut held[node.get()])).collect();
        #[expect(clippy::cast_possible_truncation, reason = "there are 16384 slots")]
        let counts: Vec<u32> = slots.iter().map(|slots| slots.len() as u32).collect();
        let quotas = apportion(counts.iter().sum(), &weights, &counts);
        Self { nodes, slots, quotas }
    }
}

/// The fewest moves that bring every node to its quota, in the order in which
/// they are found.
///
/// The node with the greatest surplus hands what it can to the node with the
/// greatest want, its highest-numbered slots first, until nobody has a surplus.
pub(crate) fn handovers(members: &Members, owners: &[Option<NodeIndex>]) -> Vec<Handover> {
    let Holdings { nodes, slots: mut held, quotas } = Holdings::of(members, owners);
    // The greatest first; among equals the least place in order of id.
    let mut givers = BinaryHeap::new();
    let mut takers = BinaryHeap::new();
    for (i, (held, &quota)) in held.iter().zip(&quotas).enumerate() {
        #[expect(clippy::cast_possible_truncation, reason = "there are 16384 slots")]
        let count = held.len() as u32;
        if count > quota {
            givers.push((count - quota, Reverse(i)));
        } else if count < quota {
            takers.push((quota - count, Reverse(i)));
        }
    }
    let mut handovers = Vec::new();
    // Surpluses and wants add up to the same, so both heaps empty at once.
    while let (Some((surplus, giver)), Some((want, taker))) = (givers.pop(), takers.pop()) {
        let count = surplus.min(want);
        let held = &mut held[giver.0];
        let slots = held.split_off(held.len() - count as usize);
        handovers.push(Handover { from: nodes[giver.0], to: nodes[taker.0], slots });
        if surplus > count {
            givers.push((surplus - count, giver));
        }
        if want > count {
            takers.push((want - count, taker));
        }
    }
    handovers
}
