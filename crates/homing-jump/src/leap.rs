//! [`base_after`], by which a walk goes on from where a leap ended.

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(crate) use crate::pairs::base_after;

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(crate) use self::plain_base_after as base_after;

/// The bits of a mantissa.
pub(crate) const MANTISSA: u64 = (1 << 52) - 1;

/// Returns the whole part of `leap` and 1, exactly. `leap` is from 1 to below 2^31.
///
/// With its fraction filled up the number is the last before that one. The next leap
/// waits for this, and would wait longer for conversions to an integer and back.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
#[inline]
pub(crate) fn plain_base_after(leap: f64) -> f64 {
    let bits = leap.to_bits();
    f64::from_bits((bits | MANTISSA >> ((bits >> 52) - 1023)) + 1)
}

#[cfg(test)]
mod tests {
    use homing_core::mix64;

    use super::*;

    #[test]
    fn a_leap_is_cut_to_its_whole_part() {
        // The conversion of the language cuts.
        let check = |leap: f64| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_precision_loss,
                reason = "it is cut, and below 2^31"
            )]
            let expected = (leap as i64 + 1) as f64;
            let bases = [base_after(leap), plain_base_after(leap)];
            assert_eq!(bases.map(f64::to_bits), [expected.to_bits(); 2], "{leap}");
        };
        for power in 0..=31 {
            let power = f64::from(1_u32 << power.min(30)) * if power == 31 { 2.0 } else { 1.0 };
            for leap in [power.next_down(), power, power.next_up(), power + 0.5, power * 1.5] {
                if (1.0..2_147_483_648.0).contains(&leap) {
                    check(leap);
                }
            }
        }
        for i in 0..4_000_000 {
            // Any mantissa under exponents from 0 to 30.
            check(f64::from_bits((1023 + i % 31) << 52 | mix64(i) >> 12));
        }
    }
}
