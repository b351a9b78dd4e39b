//! Jump consistent hash as Lamping and Veach published it (2014, figure 1).

/// Returns the bucket of a position among `n` buckets.
///
/// # Panics
///
/// Panics if `n` is 0 or above 2^31 - 1.
#[must_use]
pub fn bucket(position: u64, n: u32) -> u32 {
    assert!((1..=0x7FFF_FFFF).contains(&n), "n is {n}, but must be from 1 to 2147483647");
    let mut key = position;
    let mut b;
    let mut j = 0_i64;
    loop {
        b = j;
        key = key.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(1);
        let quotient = f64::from(1_u32 << 31) / as_f64((key >> 33) + 1);
        j = cut(as_f64(u64::try_from(b + 1).expect("b is not below 0")) * quotient);
        if j >= i64::from(n) {
            return u32::try_from(b).expect("a bucket is below n");
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "both operands are at most 2^31: exact")]
fn as_f64(x: u64) -> f64 {
    x as f64
}

#[expect(clippy::cast_possible_truncation, reason = "the product is at most 2^62, and cut")]
fn cut(x: f64) -> i64 {
    x as i64
}
