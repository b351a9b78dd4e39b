//! The published loop in vector lanes, a key a lane.
//!
//! The operations of each lane are those of [`jump`](crate::jump()), in its order,
//! each rounded by itself. A key that has finished leaps on with the others: a leap
//! never lowers its number, so that none comes back below the count of buckets.
#![expect(
    unsafe_code,
    reason = "`verdict` of benches/peers measures what lanes gain over pairs and over plain code"
)]

use core::arch::x86_64::{
    __m256d, __m256i, __m512d, __m512i, _CMP_LT_OQ, _MM_FROUND_NO_EXC, _MM_FROUND_TO_ZERO,
    _mm_storeu_si128, _mm256_add_epi64, _mm256_add_pd, _mm256_blendv_pd, _mm256_castpd_si256,
    _mm256_castsi256_pd, _mm256_cmp_pd, _mm256_cvttpd_epi32, _mm256_div_pd, _mm256_loadu_si256,
    _mm256_movemask_pd, _mm256_mul_epu32, _mm256_mul_pd, _mm256_or_pd, _mm256_or_si256,
    _mm256_round_pd, _mm256_set1_epi64x, _mm256_set1_pd, _mm256_setzero_pd, _mm256_slli_epi64,
    _mm256_srli_epi64, _mm256_storeu_si256, _mm256_sub_pd, _mm512_add_epi64, _mm512_add_pd,
    _mm512_cmp_pd_mask, _mm512_cvtepi64_pd, _mm512_cvttpd_epi32, _mm512_div_pd, _mm512_loadu_si512,
    _mm512_mask_mov_pd, _mm512_mul_pd, _mm512_mullo_epi64, _mm512_roundscale_pd, _mm512_set1_epi64,
    _mm512_set1_pd, _mm512_setzero_pd, _mm512_srli_epi64,
};

use crate::batch::{KEYS, MULTIPLIER};

cpufeatures::new!(has_avx2, "avx2");
// What these stand for to the compiler, but F16C, which none with FMA lacks.
cpufeatures::new!(has_avx512, "avx512f", "avx512dq", "avx2", "fma");

/// The proof that the processor has AVX2: only [`detect`](Self::detect) makes one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Avx2(());

/// The proof that the processor has AVX-512 F and DQ: only [`detect`](Self::detect)
/// makes one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Avx512(());

#[expect(clippy::unused_self, reason = "a value is the proof")]
impl Avx2 {
    pub(crate) fn detect() -> Option<Self> {
        has_avx2::get().then_some(Self(()))
    }

    #[inline]
    pub(crate) fn jump(self, keys: &[u64; KEYS], buckets: u32, reached: &mut [u32; KEYS]) {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { jump_avx2(keys, buckets, reached) }
    }
}

#[expect(clippy::unused_self, reason = "a value is the proof")]
impl Avx512 {
    pub(crate) fn detect() -> Option<Self> {
        has_avx512::get().then_some(Self(()))
    }

    #[inline]
    pub(crate) fn jump(self, keys: &[u64; KEYS], buckets: u32, reached: &mut [u32; KEYS]) {
        // SAFETY: `self` proves that the processor has AVX-512 F and DQ.
        unsafe { jump_avx512(keys, buckets, reached) }
    }
}

const CUT: i32 = _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC;
const TWO_31: f64 = 2_147_483_648.0;

/// Four keys.
#[derive(Clone, Copy)]
struct Four {
    keys: __m256i,
    next: __m256d,    // where the last leap went
    reached: __m256d, // the last of these below the count
}

/// How many times four keys, and how many times eight, are in flight.
const FOURS: usize = 4;
const EIGHTS: usize = 4;

#[target_feature(enable = "avx2")]
fn jump_avx2(keys: &[u64; KEYS], buckets: u32, reached: &mut [u32; KEYS]) {
    let buckets = _mm256_set1_pd(f64::from(buckets));
    let (keys, _) = keys.as_chunks::<4>();
    let (keys, _) = keys.as_chunks::<FOURS>();
    let (reached, _) = reached.as_chunks_mut::<4>();
    let (reached, _) = reached.as_chunks_mut::<FOURS>();
    for (reached, keys) in reached.iter_mut().zip(keys) {
        let start = _mm256_setzero_pd();
        let mut fours = [Four { keys: _mm256_set1_epi64x(0), next: start, reached: start }; FOURS];
        for (four, keys) in fours.iter_mut().zip(keys) {
            four.keys = load_four(keys);
        }
        loop {
            let mut running = _mm256_setzero_pd();
            for four in &mut fours {
                four.keys = next_four(four.keys);
                let stretch = _mm256_div_pd(_mm256_set1_pd(TWO_31), drawn_four(four.keys));
                let leap = _mm256_mul_pd(_mm256_add_pd(four.next, _mm256_set1_pd(1.0)), stretch);
                four.next = _mm256_round_pd::<CUT>(leap);
                let below = _mm256_cmp_pd::<_CMP_LT_OQ>(four.next, buckets);
                four.reached = _mm256_blendv_pd(four.reached, four.next, below);
                running = _mm256_or_pd(running, below);
            }
            if _mm256_movemask_pd(running) == 0 {
                break;
            }
        }
        for (reached, four) in reached.iter_mut().zip(&fours) {
            store_four(reached, four.reached);
        }
    }
}

/// The next state of the generator: a product of 64 bits from three of 32 by 32.
#[target_feature(enable = "avx2")]
#[inline]
fn next_four(keys: __m256i) -> __m256i {
    let lower = _mm256_set1_epi64x(MULTIPLIER.cast_signed());
    let upper = _mm256_set1_epi64x((MULTIPLIER >> 32).cast_signed());
    let crossed = _mm256_add_epi64(
        _mm256_mul_epu32(_mm256_srli_epi64::<32>(keys), lower),
        _mm256_mul_epu32(keys, upper),
    );
    let product = _mm256_add_epi64(_mm256_mul_epu32(keys, lower), _mm256_slli_epi64::<32>(crossed));
    _mm256_add_epi64(product, _mm256_set1_epi64x(1))
}

/// The upper 31 bits and 1: exact, by way of the mantissa of 2^52.
#[target_feature(enable = "avx2")]
#[inline]
fn drawn_four(keys: __m256i) -> __m256d {
    let two_52 = _mm256_castpd_si256(_mm256_set1_pd(4_503_599_627_370_496.0));
    let sum = _mm256_castsi256_pd(_mm256_or_si256(_mm256_srli_epi64::<33>(keys), two_52));
    _mm256_sub_pd(sum, _mm256_set1_pd(4_503_599_627_370_495.0))
}

#[target_feature(enable = "avx2")]
#[inline]
fn load_four(keys: &[u64; 4]) -> __m256i {
    // SAFETY: the array has the 32 bytes that are read, and need not be aligned.
    unsafe { _mm256_loadu_si256(keys.as_ptr().cast()) }
}

#[target_feature(enable = "avx2")]
#[inline]
fn store_four(reached: &mut [u32; 4], buckets: __m256d) {
    let buckets = _mm256_cvttpd_epi32(buckets);
    // SAFETY: the array has the 16 bytes that are written, and need not be aligned.
    unsafe { _mm_storeu_si128(reached.as_mut_ptr().cast(), buckets) }
}

/// Eight keys.
#[derive(Clone, Copy)]
struct Eight {
    keys: __m512i,
    next: __m512d,    // where the last leap went
    reached: __m512d, // the last of these below the count
}

#[target_feature(enable = "avx512f,avx512dq")]
fn jump_avx512(keys: &[u64; KEYS], buckets: u32, reached: &mut [u32; KEYS]) {
    let buckets = _mm512_set1_pd(f64::from(buckets));
    let (keys, _) = keys.as_chunks::<8>();
    let (keys, _) = keys.as_chunks::<EIGHTS>();
    let (reached, _) = reached.as_chunks_mut::<8>();
    let (reached, _) = reached.as_chunks_mut::<EIGHTS>();
    let (factor, one) = (_mm512_set1_epi64(MULTIPLIER.cast_signed()), _mm512_set1_epi64(1));
    for (reached, keys) in reached.iter_mut().zip(keys) {
        let start = _mm512_setzero_pd();
        let mut eights = [Eight { keys: one, next: start, reached: start }; EIGHTS];
        for (eight, keys) in eights.iter_mut().zip(keys) {
            eight.keys = load_eight(keys);
        }
        loop {
            let mut running = 0;
            for eight in &mut eights {
                eight.keys = _mm512_add_epi64(_mm512_mullo_epi64(eight.keys, factor), one);
                // At most 2^31: exact.
                let drawn = _mm512_add_epi64(_mm512_srli_epi64::<33>(eight.keys), one);
                let stretch = _mm512_div_pd(_mm512_set1_pd(TWO_31), _mm512_cvtepi64_pd(drawn));
                let leap = _mm512_mul_pd(_mm512_add_pd(eight.next, _mm512_set1_pd(1.0)), stretch);
                eight.next = _mm512_roundscale_pd::<CUT>(leap);
                let below = _mm512_cmp_pd_mask::<_CMP_LT_OQ>(eight.next, buckets);
                eight.reached = _mm512_mask_mov_pd(eight.reached, below, eight.next);
                running |= below;
            }
            if running == 0 {
                break;
            }
        }
        for (reached, eight) in reached.iter_mut().zip(&eights) {
            store_eight(reached, eight.reached);
        }
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn load_eight(keys: &[u64; 8]) -> __m512i {
    // SAFETY: the array has the 64 bytes that are read, and need not be aligned.
    unsafe { _mm512_loadu_si512(keys.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn store_eight(reached: &mut [u32; 8], buckets: __m512d) {
    let buckets = _mm512_cvttpd_epi32(buckets);
    // SAFETY: the array has the 32 bytes that are written, and need not be aligned.
    unsafe { _mm256_storeu_si256(reached.as_mut_ptr().cast(), buckets) }
}
