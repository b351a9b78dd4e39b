//! The searches of [`Contest`] by rules other than the default one.

use super::{Contest, Other, Rank};
use crate::rule::{cost, murmur, xorshift};
use crate::score::fold;

impl Contest {
    /// As [`rank`](Self::rank), by another rule.
    pub(super) fn other_rank(&self, other: Other, position: u64, place: usize) -> Rank {
        // To fold is its own inverse, so that what is folded twice is as it was.
        let both = position ^ fold(self.seeds.seed(place));
        let cost = match other {
            Other::Xorshift => !xorshift(both),
            // Not negative, so that the bits are in the order of the values.
            Other::Murmur => cost(murmur(both), self.weight(place)).to_bits(),
        };
        Rank { cost, place }
    }

    /// As [`winner`](Self::winner), by another rule.
    pub(super) fn other_winner(&self, other: Other, position: u64) -> usize {
        match other {
            Other::Xorshift => self.greatest_xorshift(position),
            Other::Murmur => self.cheapest_murmur(position),
        }
    }

    fn greatest_xorshift(&self, position: u64) -> usize {
        let folded = fold(position);
        let (mut greatest, mut first) = (0, 0);
        for place in 0..self.seeds.len() {
            let score = xorshift(fold(folded ^ self.seeds.seed(place)));
            if score > greatest {
                (greatest, first) = (score, place);
            }
        }
        first
    }

    /// Takes a logarithm only where a bound does not decide: -ln(u) is at least 1 - u.
    fn cheapest_murmur(&self, position: u64) -> usize {
        // Takes off more than the rounding of a bound and of a cost can add.
        const LESS: f64 = 1.0 - 1.0 / 4_294_967_296.0;
        let folded = fold(position);
        let (mut least, mut first) = (f64::INFINITY, 0);
        for place in 0..self.seeds.len() {
            let u = murmur(fold(folded ^ self.seeds.seed(place)));
            let weight = self.weight(place);
            if (1.0 - u) * LESS < least * f64::from(weight) {
                let cost = cost(u, weight);
                if cost < least {
                    (least, first) = (cost, place);
                }
            }
        }
        first
    }

    /// The weight of a node, or 1 while they are equal.
    fn weight(&self, place: usize) -> u32 {
        self.weights.get(place).copied().unwrap_or(1)
    }
}
