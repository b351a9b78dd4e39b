//! [`Modulus`]: remainders without a division.

/// A number to divide by, and its reciprocal.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Modulus {
    modulus: u64,    // from 1 to 2^63
    reciprocal: u64, // floor((2^64 - 1) / modulus)
}

impl Modulus {
    pub(crate) fn new(modulus: u32) -> Self {
        let modulus = u64::from(modulus);
        Self { modulus, reciprocal: u64::MAX / modulus }
    }

    /// `n` mod the modulus, for every `n`.
    ///
    /// The reciprocal is less than 2^64 / m by at most 1, so n times it, over 2^64, is
    /// less than n / m by less than 1: the quotient is right or one too small.
    ///
    /// Source: Paul Barrett, "Implementing the Rivest Shamir and Adleman Public Key
    /// Encryption Algorithm on a Standard Digital Signal Processor", CRYPTO '86.
    #[inline]
    pub(crate) fn remainder(self, n: u64) -> u64 {
        let quotient = ((u128::from(n) * u128::from(self.reciprocal)) >> 64) as u64;
        let rest = n - quotient * self.modulus;
        rest.min(rest.wrapping_sub(self.modulus))
    }
}

#[cfg(test)]
mod tests {
    use homing_core::mix64;

    use super::*;

    #[test]
    fn remainders_are_those_of_a_division() {
        let greatest = [2, 3, 5, 7, 13, 65_537, 1_000_003, (1 << 31) - 1, u32::MAX];
        let moduli = greatest.into_iter().chain((0..2_000).map(|i| 1 + (mix64(i) >> 33) as u32));
        for m in moduli {
            let modulus = Modulus::new(m);
            let m = u64::from(m);
            let assert_at = |n: u64| assert_eq!(modulus.remainder(n), n % m, "{n} mod {m}");
            for i in 0..300 {
                assert_at(i);
                assert_at(u64::MAX - i);
                assert_at(mix64(i ^ m));
                // Beside a multiple, where a quotient that is off shows.
                let multiple = mix64(i ^ m) / m * m;
                assert_at(multiple);
                assert_at(multiple.wrapping_sub(1));
                assert_at(u64::MAX / m * m - 1);
                assert_at(u64::MAX / m * m);
            }
        }
    }
}
