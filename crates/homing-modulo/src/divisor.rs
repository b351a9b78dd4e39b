//! [`Divisor`], by which remainders are taken without a division.

/// A number from 1 to 2^63 and its reciprocal.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Divisor {
    value: u64,
    reciprocal: u64, // (2^64 - 1) / value, rounded down
}

impl Divisor {
    pub(crate) fn new(value: u64) -> Self {
        Self { value, reciprocal: u64::MAX / value }
    }

    /// Returns `dividend % value`.
    ///
    /// Source of the method: Torbjörn Granlund and Peter L. Montgomery, "Division by
    /// Invariant Integers using Multiplication", 1994.
    #[inline]
    pub(crate) fn remainder(self, dividend: u64) -> u64 {
        // The reciprocal lacks at most 1 to 2^64 / value, and the dividend is below 2^64:
        // the quotient is right or 1 too low.
        let product = u128::from(dividend) * u128::from(self.reciprocal);
        let quotient = (product >> 64) as u64;
        let rest = dividend - quotient * self.value;
        // Where nothing is to be taken off the difference wraps, and is the greater.
        rest.min(rest.wrapping_sub(self.value))
    }
}

#[cfg(test)]
mod tests {
    use homing_core::mix64;

    use super::*;

    #[test]
    fn remainders_are_those_of_a_division() {
        let check = |dividend: u64, value: u64| {
            let remainder = Divisor::new(value).remainder(dividend);
            assert_eq!(remainder, dividend % value, "{dividend} % {value}");
        };
        let ends = |x: u64| [x.wrapping_sub(2), x.wrapping_sub(1), x, x.wrapping_add(1)];
        let powers = (0..=63).flat_map(|bit| ends(1 << bit));
        for value in (1..=2_000).chain(powers).chain([65_535, 65_537, 1_000_003, u64::MAX >> 1]) {
            if !(1..=1 << 63).contains(&value) {
                continue;
            }
            // Around multiples, where a quotient that is off by one shows.
            let greatest = u64::MAX / value;
            for multiple in [0, 1, 2, greatest / 2, greatest - 1, greatest] {
                for dividend in ends(multiple.wrapping_mul(value)) {
                    check(dividend, value);
                }
            }
            check(u64::MAX, value);
            for i in 0..1_000 {
                check(mix64(i), value);
                check(mix64(i) / value * value, value);
            }
        }
        for i in 0..2_000_000 {
            check(mix64(2 * i), (mix64(2 * i + 1) >> (i % 64)).clamp(1, 1 << 63));
        }
    }
}
