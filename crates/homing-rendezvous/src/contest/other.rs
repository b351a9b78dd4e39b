//! The searches of [`Contest`] by rules other than the default one.

use super::{Contest, Other, Rank};
use crate::rule::{cost, finalise, part, xorshift};
use crate::score::fold;
use crate::seeds::{Block, LANES};

impl Contest {
    /// As [`rank`](Self::rank), by another rule.
    pub(super) fn other_rank(&self, other: Other, position: u64, place: usize) -> Rank {
        let both = joined(fold(position), self.seeds.seed(place));
        let cost = match (other, self.weights.get(place)) {
            (Other::Xorshift, _) => !xorshift(both),
            // None is negative, so that the bits are in the order of the values.
            (Other::Murmur, None) => !part(finalise(both)).to_bits(),
            (Other::Murmur, Some(&weight)) => cost(part(finalise(both)), weight).to_bits(),
        };
        Rank { cost, place }
    }

    /// As [`winner`](Self::winner), by another rule.
    pub(super) fn other_winner(&self, other: Other, position: u64) -> usize {
        match other {
            Other::Xorshift => self.first_by(position, xorshift, |score, first| score > first),
            Other::Murmur if self.weights.is_empty() => {
                // What is not greater as a whole number is not as a double.
                let greater = |x, first| x > first && part(x) > part(first);
                self.first_by(position, finalise, greater)
            }
            Other::Murmur => self.cheapest_murmur(position),
        }
    }

    /// Returns the place of the first score that `passes` every other.
    #[inline]
    fn first_by(
        &self,
        position: u64,
        score: impl Fn(u64) -> u64,
        passes: impl Fn(u64, u64) -> bool,
    ) -> usize {
        let folded = fold(position);
        let (mut first, mut first_score) = (0, 0);
        for (number, block) in self.seeds.blocks().iter().enumerate() {
            let scores = scores(block, folded, &score);
            for (lane, &score) in scores.iter().enumerate() {
                if passes(score, first_score) {
                    (first, first_score) = (number * LANES + lane, score);
                }
            }
        }
        first
    }

    /// Takes a logarithm only where a bound does not decide: -ln(u) is at least 1 - u.
    #[expect(clippy::cast_precision_loss, reason = "rounding is made up for")]
    fn cheapest_murmur(&self, position: u64) -> usize {
        // 2^-63, a little less than it: a bound and a cost are rounded.
        const LESS: f64 = (1.0 - 1.0 / 4_294_967_296.0) / 9_223_372_036_854_775_808.0;
        // As much as the rounding of u can take off the cost: 2^-53, in units of 2^-63.
        const ROUNDING: f64 = 1_024.0;
        let folded = fold(position);
        let (mut first, mut least) = (0, f64::INFINITY);
        let blocks = self.seeds.blocks().iter().zip(self.weights.chunks(LANES)).enumerate();
        for (number, (block, weights)) in blocks {
            let scores = scores(block, folded, &finalise);
            for (lane, (&x, &weight)) in scores.iter().zip(weights).enumerate() {
                // Half of what x lacks fits a signed number, which a double is made of at once.
                let bound = ((!x >> 1).cast_signed() as f64 - ROUNDING) * LESS;
                if bound < least * f64::from(weight) {
                    let cost = cost(part(x), weight);
                    if cost < least {
                        (first, least) = (number * LANES + lane, cost);
                    }
                }
            }
        }
        first
    }
}

/// The scores of the nodes of a block. Past the last node they are that of the last.
#[inline]
fn scores(block: &Block, folded: u64, score: &impl Fn(u64) -> u64) -> [u64; LANES] {
    core::array::from_fn(|lane| score(joined(folded, block.seed(lane))))
}

/// The position xor the seed, of both folded: to fold is its own inverse.
#[inline]
fn joined(position: u64, seed: u64) -> u64 {
    fold(position ^ seed)
}
