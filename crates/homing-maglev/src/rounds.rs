//! Turns in rounds, where weights differ: [`Iterated`], [`FirstRound`], [`Credited`].
//!
//! Each goes on without an end, and in every round the greatest weight takes a turn.

use alloc::vec;
use alloc::vec::Vec;

/// [`Turns::Iterated`](crate::Turns::Iterated).
pub(crate) struct Iterated {
    weights: Vec<f64>, // over their sum
    targets: Vec<f64>,
    greatest: f64,
    round: f64,
    next: usize, // who is asked next
}

impl Iterated {
    #[expect(clippy::cast_precision_loss, reason = "rounded as the rule says")]
    pub(crate) fn new(weights: &[u32]) -> Self {
        let total = weights.iter().copied().map(u64::from).sum::<u64>() as f64;
        let weights: Vec<f64> = weights.iter().map(|&weight| f64::from(weight) / total).collect();
        let greatest = weights.iter().copied().fold(0.0, f64::max);
        Self { targets: vec![0.0; weights.len()], weights, greatest, round: 1.0, next: 0 }
    }
}

impl Iterator for Iterated {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        loop {
            if self.next == self.weights.len() {
                (self.next, self.round) = (0, self.round + 1.0);
            }
            let node = self.next;
            self.next += 1;
            if self.round * self.weights[node] >= self.targets[node] {
                self.targets[node] += self.greatest;
                return Some(node);
            }
        }
    }
}

/// [`Turns::FirstRound`](crate::Turns::FirstRound).
pub(crate) struct FirstRound {
    left: Vec<u32>, // of each node: its turns in this round
    node: usize,
}

impl FirstRound {
    pub(crate) fn new(weights: &[u32]) -> Self {
        Self { left: weights.to_vec(), node: 0 }
    }
}

impl Iterator for FirstRound {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let node = self.node;
        self.left[node] -= 1;
        if self.left[node] == 0 {
            self.left[node] = 1;
            self.node = (node + 1) % self.left.len();
        }
        Some(node)
    }
}

/// [`Turns::Credited`](crate::Turns::Credited).
pub(crate) struct Credited {
    weights: Vec<u32>,
    credits: Vec<u64>,
    greatest: u64,
    next: usize, // who is asked next
}

impl Credited {
    pub(crate) fn new(weights: &[u32]) -> Self {
        let greatest = weights.iter().copied().max().unwrap_or(0).into();
        Self { weights: weights.to_vec(), credits: vec![0; weights.len()], greatest, next: 0 }
    }
}

impl Iterator for Credited {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        loop {
            let node = self.next;
            self.next = (node + 1) % self.weights.len();
            self.credits[node] += u64::from(self.weights[node]);
            if self.credits[node] >= self.greatest {
                self.credits[node] -= self.greatest;
                return Some(node);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(turns: impl Iterator<Item = usize>) -> Vec<usize> {
        turns.take(12).collect()
    }

    #[test]
    fn equal_weights_take_a_turn_each() {
        let expected = first((0..3).cycle());
        assert_eq!(first(Iterated::new(&[1; 3])), expected);
        assert_eq!(first(FirstRound::new(&[1; 3])), expected);
        assert_eq!(first(Credited::new(&[7; 3])), expected);
    }

    #[test]
    fn the_first_round_goes_by_weight() {
        // By hand.
        assert_eq!(first(FirstRound::new(&[2, 1, 3])), [0, 0, 1, 2, 2, 2, 0, 1, 2, 0, 1, 2]);
    }

    #[test]
    fn credit_is_gathered_until_it_is_enough() {
        // By hand, of 1, 2 and 4: credits before turns are 1 2 4, 2 4 4, 3 2 4, 4 4 4.
        assert_eq!(first(Credited::new(&[1, 2, 4])), [2, 1, 2, 2, 0, 1, 2, 2, 1, 2, 2, 0]);
    }

    #[test]
    fn a_node_waits_for_its_target() {
        // By hand, of 1 and 2: in round 1 both; the targets are then the greater weight, 2/3,
        // which 2 * 1/3 reaches in round 2; 4/3 is reached in round 4.
        assert_eq!(first(Iterated::new(&[1, 2])), [0, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0]);
    }
}
