//! The published loop in lanes of two, which every x86-64 processor with floats has.
//!
//! As in [`lanes`](crate::lanes), but a number from the count of buckets on is kept
//! at the count: the conversions are those of 32-bit integers.
#![expect(
    unsafe_code,
    reason = "`verdict` of benches/peers measures what pairs gain over plain code"
)]

use core::arch::x86_64::{
    __m128d, __m128i, _mm_add_epi64, _mm_add_pd, _mm_and_pd, _mm_castpd_si128, _mm_castsi128_pd,
    _mm_cmplt_pd, _mm_cvtepi32_pd, _mm_cvtsd_f64, _mm_cvtsi128_si32, _mm_cvttpd_epi32, _mm_div_pd,
    _mm_max_pd, _mm_min_pd, _mm_movemask_pd, _mm_mul_epu32, _mm_mul_pd, _mm_or_pd, _mm_or_si128,
    _mm_set_epi64x, _mm_set_sd, _mm_set1_epi64x, _mm_set1_pd, _mm_setzero_pd, _mm_shuffle_epi32,
    _mm_slli_epi64, _mm_srl_epi64, _mm_srli_epi64, _mm_sub_epi64, _mm_sub_pd,
};

use crate::batch::{KEYS, MULTIPLIER};
use crate::leap::MANTISSA;

/// Two keys.
#[derive(Clone, Copy)]
struct Pair {
    keys: __m128i,
    next: __m128d,    // where the last leap went, or the count
    reached: __m128d, // the last of these below the count
}

/// How many pairs are in flight.
const PAIRS: usize = 4;

/// As [`Path::jump`](crate::batch::Path::jump).
#[inline]
pub(crate) fn jump(keys: &[u64; KEYS], buckets: u32, reached: &mut [u32; KEYS]) {
    // SAFETY: the module is there only where every processor of the target has SSE2.
    unsafe { jump_sse2(keys, buckets, reached) }
}

#[target_feature(enable = "sse2")]
fn jump_sse2(keys: &[u64; KEYS], buckets: u32, reached: &mut [u32; KEYS]) {
    let buckets = _mm_set1_pd(f64::from(buckets));
    let (keys, _) = keys.as_chunks::<2>();
    let (keys, _) = keys.as_chunks::<PAIRS>();
    let (reached, _) = reached.as_chunks_mut::<2>();
    let (reached, _) = reached.as_chunks_mut::<PAIRS>();
    for (reached, keys) in reached.iter_mut().zip(keys) {
        let start = _mm_setzero_pd();
        let mut pairs = [Pair { keys: _mm_set1_epi64x(0), next: start, reached: start }; PAIRS];
        for (pair, [first, second]) in pairs.iter_mut().zip(keys) {
            pair.keys = _mm_set_epi64x(second.cast_signed(), first.cast_signed());
        }
        loop {
            let mut running = _mm_setzero_pd();
            for pair in &mut pairs {
                pair.keys = next(pair.keys);
                let stretch = _mm_div_pd(_mm_set1_pd(2_147_483_648.0), drawn(pair.keys));
                let leap = _mm_mul_pd(_mm_add_pd(pair.next, _mm_set1_pd(1.0)), stretch);
                pair.next = _mm_cvtepi32_pd(_mm_cvttpd_epi32(_mm_min_pd(leap, buckets)));
                let below = _mm_cmplt_pd(pair.next, buckets);
                // Leaps only go up, so that the last of them is the greatest.
                pair.reached = _mm_max_pd(pair.reached, _mm_and_pd(pair.next, below));
                running = _mm_or_pd(running, below);
            }
            if _mm_movemask_pd(running) == 0 {
                break;
            }
        }
        for ([first, second], pair) in reached.iter_mut().zip(&pairs) {
            let buckets = _mm_cvttpd_epi32(pair.reached);
            *first = _mm_cvtsi128_si32(buckets).cast_unsigned();
            *second = _mm_cvtsi128_si32(_mm_shuffle_epi32::<1>(buckets)).cast_unsigned();
        }
    }
}

/// The next state of the generator: a product of 64 bits from three of 32 by 32.
#[target_feature(enable = "sse2")]
#[inline]
fn next(keys: __m128i) -> __m128i {
    let lower = _mm_set1_epi64x(MULTIPLIER.cast_signed());
    let upper = _mm_set1_epi64x((MULTIPLIER >> 32).cast_signed());
    let crossed =
        _mm_add_epi64(_mm_mul_epu32(_mm_srli_epi64::<32>(keys), lower), _mm_mul_epu32(keys, upper));
    let product = _mm_add_epi64(_mm_mul_epu32(keys, lower), _mm_slli_epi64::<32>(crossed));
    _mm_add_epi64(product, _mm_set1_epi64x(1))
}

/// The upper 31 bits and 1: exact, by way of the mantissa of 2^52.
#[target_feature(enable = "sse2")]
#[inline]
fn drawn(keys: __m128i) -> __m128d {
    let two_52 = _mm_castpd_si128(_mm_set1_pd(4_503_599_627_370_496.0));
    let sum = _mm_castsi128_pd(_mm_or_si128(_mm_srli_epi64::<33>(keys), two_52));
    _mm_sub_pd(sum, _mm_set1_pd(4_503_599_627_370_495.0))
}

/// As [`plain_base_after`](crate::leap): the bits stay in the register of the leap.
#[inline]
pub(crate) fn base_after(leap: f64) -> f64 {
    // SAFETY: the module is there only where every processor of the target has SSE2.
    unsafe { base_after_sse2(leap) }
}

#[target_feature(enable = "sse2")]
#[inline]
fn base_after_sse2(leap: f64) -> f64 {
    let bits = _mm_castpd_si128(_mm_set_sd(leap));
    let exponent = _mm_sub_epi64(_mm_srli_epi64::<52>(bits), _mm_set1_epi64x(1023));
    let fraction = _mm_srl_epi64(_mm_set1_epi64x(MANTISSA.cast_signed()), exponent);
    let last = _mm_or_si128(bits, fraction);
    _mm_cvtsd_f64(_mm_castsi128_pd(_mm_add_epi64(last, _mm_set1_epi64x(1))))
}
