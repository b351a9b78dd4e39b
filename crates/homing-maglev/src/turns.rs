//! [`Apportioned`]: who takes which turn, where weights differ.

use alloc::collections::BinaryHeap;
use alloc::collections::binary_heap::PeekMut;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use homing_core::apportion;

/// The turns of nodes with these weights, as places among them.
///
/// As many as there are entries. Turn t of a node of weight w, t from 0, is due at
/// the fraction t / w.
pub(crate) struct Apportioned {
    due: BinaryHeap<Turn>, // the next of each node that has one
    entries: Vec<u32>,     // of each node: how many turns it takes
}

impl Apportioned {
    pub(crate) fn new(entries: u32, weights: &[u32]) -> Self {
        let entries = apportion(entries, weights, &vec![0; weights.len()]);
        let turns = (0..).zip(weights).zip(&entries).filter(|&(_, &entries)| entries > 0);
        Self {
            due: turns.map(|((node, &weight), _)| Turn { t: 0, weight, node }).collect(),
            entries,
        }
    }
}

impl Iterator for Apportioned {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let mut turn = self.due.peek_mut()?;
        let node = turn.node as usize;
        turn.t += 1;
        if turn.t == self.entries[node] {
            PeekMut::pop(turn);
        }
        Some(node)
    }
}

/// One turn; the greatest is the one due first, among equals that of the least node.
#[derive(Eq, PartialEq)]
struct Turn {
    t: u32,
    weight: u32, // at least 1
    node: u32,
}

impl Ord for Turn {
    fn cmp(&self, other: &Self) -> Ordering {
        // t / w < t' / w' as t w' < t' w, which fits: t is below 2^31.
        let product = |t: u32, weight: u32| u64::from(t) * u64::from(weight);
        let ours = product(self.t, other.weight);
        let theirs = product(other.t, self.weight);
        theirs.cmp(&ours).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Turn {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_due_at_t_over_w() {
        // By hand: weights 1, 2, 4 over 7 entries are due at 0; 0, 1/2; 0, 1/4, 1/2, 3/4.
        assert_eq!(Apportioned::new(7, &[1, 2, 4]).collect::<Vec<_>>(), [0, 1, 2, 2, 1, 2, 2]);
    }

    #[test]
    fn turns_of_the_greatest_weights_are_compared_exactly() {
        // By hand: 1 / (2^32 - 1) comes before 1 / (2^32 - 2), which an f32 cannot tell.
        let turns = Apportioned::new(5, &[u32::MAX - 1, u32::MAX]).collect::<Vec<_>>();
        assert_eq!(turns, [0, 1, 1, 0, 1]);
    }

    #[test]
    fn equal_weights_take_turns_in_order() {
        let turns = Apportioned::new(11, &[3; 4]).collect::<Vec<_>>();
        assert_eq!(turns, (0..4).cycle().take(11).collect::<Vec<_>>());
    }
}
