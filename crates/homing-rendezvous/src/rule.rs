//! [`Score`] and [`Ties`]: by what nodes compete, and who is first among equals.

use crate::score::natural;

/// What nodes compete by for a position p, s the seed of the node.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Score {
    /// [`score`](crate::score), 32 bits, with the [`cost`](crate::cost) of weights.
    #[default]
    Lowbias,
    /// The 64 bits of `xorshift64*` of p xor s, the greatest first. No weights.
    Xorshift,
    /// The finaliser of `MurmurHash3` of p xor s, over 2^64 - 1, in doubles: u. The
    /// greatest is first, or, where weights differ, the least -ln(u) / weight.
    Murmur,
}

/// Who is first among nodes with equal scores.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Ties {
    /// The least id.
    #[default]
    Id,
    /// The least index.
    Index,
}

impl Score {
    /// The name in configurations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lowbias => "lowbias",
            Self::Xorshift => "xorshift",
            Self::Murmur => "murmur",
        }
    }

    pub(crate) fn takes_weights(self) -> bool {
        self != Self::Xorshift
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::Lowbias
    }
}

impl Ties {
    /// The name in configurations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Id => "id",
            Self::Index => "index",
        }
    }

    #[cfg(feature = "serde")]
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::Id
    }
}

/// One step of `xorshift64*` from the state `x`.
///
/// Source: Sebastiano Vigna, "An experimental exploration of Marsaglia's xorshift
/// generators, scrambled", 2016, with the shifts 12, 25 and 27.
#[inline]
pub(crate) const fn xorshift(mut x: u64) -> u64 {
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    x.wrapping_mul(0x2545_F491_4F6C_DD1D)
}

/// The finaliser of `MurmurHash3` for 64 bits.
///
/// Source: Austin Appleby, `MurmurHash3`, `fmix64`, 2011.
#[inline]
pub(crate) const fn finalise(mut x: u64) -> u64 {
    x ^= x >> 33;
    x = x.wrapping_mul(0xFF51_AFD7_ED55_8CCD);
    x ^= x >> 33;
    x = x.wrapping_mul(0xC4CE_B9FE_1A85_EC53);
    x ^ x >> 33
}

/// `x` over 2^64 - 1, both rounded: from 0 to 1.
#[inline]
#[expect(clippy::cast_precision_loss, reason = "rounded as the rule says")]
pub(crate) const fn part(x: u64) -> f64 {
    x as f64 / u64::MAX as f64
}

/// The cost of `u`, from 0 to 1, at a weight: not negative, infinite for 0.
#[inline]
pub(crate) fn cost(u: f64, weight: u32) -> f64 {
    if u == 0.0 { f64::INFINITY } else { (0.0 - natural(u)) / f64::from(weight) }
}

/// Returns the cost of a hash at a weight above 0: -ln(u) / `weight` for
/// u = `hash` / (2^64 - 1), both rounded to doubles, by the logarithm of
/// [`ln`](crate::ln).
///
/// Not negative; infinite for 0.
///
/// # Examples
///
/// ```
/// assert_eq!(homing_rendezvous::cost_of_hash(1 << 63, 2), core::f64::consts::LN_2 / 2.0);
/// ```
#[must_use]
pub fn cost_of_hash(hash: u64, weight: u32) -> f64 {
    cost(part(hash), weight)
}

#[cfg(test)]
mod tests {
    use homing_core::mix64;

    use super::*;

    #[test]
    fn costs_are_those_of_the_logarithm_of_the_libm_crate() {
        for i in 0..1_000_000_u64 {
            let u = part(mix64(i));
            // Of every length, down to 2^-64.
            let u = u / f64::from(1_u32 << (i % 32));
            let expected = -libm::log(u) / 3.0;
            assert_eq!(cost(u, 3).to_bits(), expected.to_bits(), "{u}");
        }
        assert!(cost(1.0, 1).to_bits() == 0 && cost(0.0, 1).is_infinite());
    }
}
