//! The searches of [`Contest`] by rules other than the default one.

use super::{Contest, Other, Rank};
use crate::rule::{cost, finalise, part, xorshift};
use crate::score::fold;

impl Contest {
    /// Takes the seeds as they are, which lanes read folded, for the search by another
    /// rule.
    pub(super) fn unfold(&mut self) {
        // To fold is its own inverse.
        let seeds = self.seeds.iter().map(fold);
        self.unfolded.clear();
        self.unfolded.extend(seeds);
    }

    /// As [`rank`](Self::rank), by another rule.
    pub(super) fn other_rank(&self, other: Other, position: u64, place: usize) -> Rank {
        let both = position ^ self.unfolded[place];
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
        let (mut first, mut first_score) = (0, 0);
        for (place, seed) in self.unfolded.iter().enumerate() {
            let score = score(position ^ seed);
            if passes(score, first_score) {
                (first, first_score) = (place, score);
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
        let (mut first, mut least) = (0, f64::INFINITY);
        for (place, (seed, &weight)) in self.unfolded.iter().zip(&self.weights).enumerate() {
            let x = finalise(position ^ seed);
            // Half of what x lacks fits a signed number, which a double is made of at once.
            let bound = ((!x >> 1).cast_signed() as f64 - ROUNDING) * LESS;
            if bound < least * f64::from(weight) {
                let cost = cost(part(x), weight);
                if cost < least {
                    (first, least) = (place, cost);
                }
            }
        }
        first
    }
}
