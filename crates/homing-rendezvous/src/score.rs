//! What nodes compete by: the [`score`] of a node for a position, and its
//! [`cost`] where weights differ.

/// Returns the score of a node for a position: with equal weights the greatest
/// owns it.
///
/// `seed` is draw 0 of the node. The score is the lower half of `position ^ seed`,
/// mixed, with the upper half added on the way. The mix is `lowbias32`.
///
/// Source of the constants: Chris Wellons, "Prospecting for Hash Functions", 2018.
///
/// # Examples
///
/// ```
/// assert_eq!(homing_rendezvous::score(u64::MAX, 0), 3_808_222_315);
/// ```
#[inline]
#[must_use]
pub const fn score(position: u64, seed: u64) -> u32 {
    folded_score(fold(position), fold(seed))
}

/// Returns `x` after the first step of a score, in which nothing is carried: to fold
/// two numbers and to fold their exclusive or is the same.
#[inline]
pub(crate) const fn fold(x: u64) -> u64 {
    x ^ ((x & 0xFFFF_0000) >> 16)
}

/// As [`score`], both folded.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "each half is 32 bits")]
pub(crate) const fn folded_score(position: u64, seed: u64) -> u32 {
    let both = position ^ seed;
    mixed(both as u32, (both >> 32) as u32)
}

/// As [`folded_score`], from the halves of the exclusive or of both.
#[inline]
pub(crate) const fn mixed(low: u32, high: u32) -> u32 {
    let mut x = low.wrapping_mul(0x7FEB_352D);
    x ^= x >> 15;
    x = x.wrapping_add(high);
    x = x.wrapping_mul(0x846C_A68B);
    x ^ (x >> 16)
}

/// Returns the cost of a score at a weight: where weights differ the least owns.
///
/// It is -ln(u) / `weight` for u = (`score` + 0.5) / 2^32, in one division:
/// positive and finite for every weight above 0.
///
/// Source: Christian Schindelhauer and Gunnar Schomaker, "Weighted Distributed
/// Hash Tables", 2005, "The Logarithmic Method".
#[inline]
#[must_use]
pub fn cost(score: u32, weight: u32) -> f64 {
    -ln(score) / f64::from(weight)
}

/// Returns the natural logarithm of (`score` + 0.5) / 2^32, to the last bit the
/// same on every platform.
///
/// The standard library leaves the last bits of its logarithm to the platform.
/// This one is the `log` of FreeBSD and musl without the cases that cannot occur:
/// the argument is in 2^-33..=1 - 2^-33. Every operation is rounded by itself, and
/// none may be fused with another.
///
/// Source of the method and the constants: Sun Microsystems, fdlibm,
/// `e_log.c`, 1993.
///
/// # Examples
///
/// ```
/// // ln(2^-33), the least there is.
/// assert!((homing_rendezvous::ln(0) + 33.0 * core::f64::consts::LN_2).abs() < 1e-14);
/// ```
#[inline]
#[must_use]
pub fn ln(score: u32) -> f64 {
    natural((f64::from(score) + 0.5) / 4_294_967_296.0)
}

/// The same logarithm of any `u` from 2^-64 to 1.
#[inline]
#[expect(clippy::many_single_char_names, reason = "the names of the source")]
pub(crate) fn natural(u: f64) -> f64 {
    const L1: f64 = f64::from_bits(0x3FE5_5555_5555_5593);
    const L2: f64 = f64::from_bits(0x3FD9_9999_9997_FA04);
    const L3: f64 = f64::from_bits(0x3FD2_4924_9422_9359);
    const L4: f64 = f64::from_bits(0x3FCC_71C5_1D8E_78AF);
    const L5: f64 = f64::from_bits(0x3FC7_4664_96CB_03DE);
    const L6: f64 = f64::from_bits(0x3FC3_9A09_D078_C69F);
    const L7: f64 = f64::from_bits(0x3FC2_F112_DF3E_5244);
    // ln 2 in two parts: the upper has zeros at its end, so that k times it is exact.
    const LN2_UPPER: f64 = f64::from_bits(0x3FE6_2E42_FEE0_0000);
    const LN2_LOWER: f64 = f64::from_bits(0x3DEA_39EF_3579_3C76);
    // The upper word of the square root of 1/2: u = 2^k (1 + f), 1 + f from there
    // to its double.
    const ROOT: u64 = 0x3FE6_A09E << 32;
    const MANTISSA: u64 = (1 << 52) - 1;

    let shifted = u.to_bits() + ((0x3FF0_0000 << 32) - ROOT);
    let k = f64::from((shifted >> 52) as i32 - 1023);
    let f = f64::from_bits((shifted & MANTISSA) + ROOT) - 1.0;
    let half_square = 0.5 * f * f;
    let s = f / (2.0 + f);
    let z = s * s;
    let y = z * z;
    let even = y * (L2 + y * (L4 + y * L6));
    let odd = z * (L1 + y * (L3 + y * (L5 + y * L7)));
    let r = odd + even;
    s * (half_square + r) + k * LN2_LOWER - half_square + f + k * LN2_UPPER
}
