//! The searches of [`Contest`] without vectors of ours: what all processors have, and
//! the reference of the others.

use super::{Best, Contest, bound, in_groups, to_f32};
use crate::score::{fold, folded_score, mixed};
use crate::seeds::LANES;

/// How many positions are searched at once.
const POSITIONS: usize = 16;

impl Contest {
    /// As [`winner`](Self::winner), one node after the other.
    pub(super) fn plain_winner(&self, position: u64) -> usize {
        if self.weights.is_empty() { self.greatest(position) } else { self.cheapest(position) }
    }

    /// As [`winners`](Self::winners), one node after the other.
    pub(super) fn plain_winners(&self, positions: &[u64], winners: &mut [usize]) {
        let (positions, winners) = if self.weights.is_empty() {
            in_groups(positions, winners, |group| {
                self.greatest_across(group).map(|place| place as usize)
            })
        } else {
            (positions, winners)
        };
        for (winner, &position) in winners.iter_mut().zip(positions) {
            *winner = self.plain_winner(position);
        }
    }

    /// Returns the places of the greatest scores at some positions, side by side: what
    /// compilers make vectors of.
    #[expect(clippy::cast_possible_truncation, reason = "each half is 32 bits")]
    fn greatest_across(&self, positions: &[u64; POSITIONS]) -> [u32; POSITIONS] {
        let positions = positions.map(fold);
        let lows = positions.map(|position| position as u32);
        let highs = positions.map(|position| (position >> 32) as u32);
        let (mut greatest, mut places) = ([0; POSITIONS], [0; POSITIONS]);
        for (place, seed) in (0..).zip(self.seeds.iter()) {
            let (low, high) = (seed as u32, (seed >> 32) as u32);
            for i in 0..POSITIONS {
                let score = mixed(lows[i] ^ low, highs[i] ^ high);
                let better = score > greatest[i];
                greatest[i] = if better { score } else { greatest[i] };
                places[i] = if better { place } else { places[i] };
            }
        }
        places
    }

    fn greatest(&self, position: u64) -> usize {
        // The score, then the place upside down: the first of equal scores is greatest.
        let position = fold(position);
        let ranked = |seed: u64, place: u32| {
            u64::from(folded_score(position, seed)) << 32 | u64::from(!place)
        };
        let mut greatest = 0;
        let mut place: u32 = 0;
        let (full, rest) = self.seeds.blocks().split_at(self.seeds.len() / LANES);
        for block in full {
            for lane in 0..LANES {
                greatest = greatest.max(ranked(block.seed(lane), place));
                place += 1;
            }
        }
        for lane in 0..self.seeds.len() % LANES {
            greatest = greatest.max(ranked(rest[0].seed(lane), place));
            place += 1;
        }
        #[expect(clippy::cast_possible_truncation, reason = "the lower half is the place")]
        let winner = !(greatest as u32);
        winner as usize
    }

    /// Takes a logarithm only where bounds do not decide.
    fn cheapest(&self, position: u64) -> usize {
        let mut best = self.least_bound_of_first(position);
        let folded = fold(position);
        let blocks = self.seeds.blocks().iter().zip(&self.handicaps).enumerate();
        for (number, (block, handicaps)) in blocks {
            for (lane, &handicap) in handicaps.0.iter().enumerate() {
                let place = number * LANES + lane;
                let bound = bound(folded_score(folded, block.seed(lane))) * f64::from(handicap);
                if bound <= best.limit.into() && place < self.seeds.len() {
                    best = self.better(position, best, place);
                }
            }
        }
        best.place
    }

    /// Returns the node with the least bound in the first block: what to begin with. Of
    /// the others nothing is said.
    fn least_bound_of_first(&self, position: u64) -> Best {
        let (block, handicaps) = (&self.seeds.blocks()[0], &self.handicaps[0]);
        let position = fold(position);
        let bound = |lane: usize| {
            bound(folded_score(position, block.seed(lane))) * f64::from(handicaps.0[lane])
        };
        let (mut first, mut least) = (0, bound(0));
        for lane in 1..LANES.min(self.seeds.len()) {
            let bound = bound(lane);
            (first, least) = if bound < least { (lane, bound) } else { (first, least) };
        }
        self.best(first, to_f32(least))
    }
}
