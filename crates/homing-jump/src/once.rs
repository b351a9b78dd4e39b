//! The walk of [`Rounding::Once`](crate::Rounding::Once).

use crate::batch::MULTIPLIER;

/// Returns the bucket of a key, in `0..buckets`; `buckets` is from 1 to 2^31 - 1.
#[inline]
pub(crate) fn jump(key: u64, buckets: u32) -> u32 {
    let end = f64::from(buckets);
    let mut bucket = 0;
    let mut state = key;
    loop {
        state = state.wrapping_mul(MULTIPLIER).wrapping_add(1);
        let drawn = (state >> 33) as u32 + 1;
        // The numerator is exact, so that the quotient alone is rounded.
        let leap = f64::from(bucket + 1) * f64::from(1_u32 << 31) / f64::from(drawn);
        if leap >= end || drawn == 1 << 31 {
            return bucket;
        }
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is cut to a whole number on purpose, from 1 to below 2^31"
        )]
        let next = leap as i64 as u32;
        bucket = next;
    }
}

/// As [`jump`], of eight keys: each waits at a step for the division before it, so they
/// go side by side, and those that have finished idle until the last has.
pub(crate) fn jump_eight(mut keys: [u64; 8], buckets: u32) -> [u32; 8] {
    let end = f64::from(buckets);
    let mut reached = [0.0; 8];
    let mut running = [true; 8];
    loop {
        for ((key, reached), running) in keys.iter_mut().zip(&mut reached).zip(&mut running) {
            *key = key.wrapping_mul(MULTIPLIER).wrapping_add(1);
            let drawn = f64::from((*key >> 33) as u32 + 1);
            let leap = (*reached + 1.0) * f64::from(1_u32 << 31) / drawn;
            *running &= leap < end && drawn < f64::from(1_u32 << 31);
            #[expect(
                clippy::cast_possible_truncation,
                reason = "it is cut to a whole number on purpose, and below 2^31 if it counts"
            )]
            let next = f64::from(leap as i32);
            *reached = if *running { next } else { *reached };
        }
        if !running.contains(&true) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "whole numbers below 2^31"
            )]
            return reached.map(|bucket| bucket as i32 as u32);
        }
    }
}
