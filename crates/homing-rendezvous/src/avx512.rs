//! The search of [`Contest`] for the greatest score in AVX-512 lanes: sixteen nodes at a
//! time, or thirty-two positions. Costs are searched as with AVX2.
#![expect(
    unsafe_code,
    reason = "the search of avx2.rs in wider lanes; levels of benches/peers measure it where \
              there is AVX-512"
)]

mod across;
mod greatest;

use core::arch::x86_64::{
    __m256i, __m512i, _mm256_loadu_si256, _mm512_add_epi32, _mm512_castsi256_si512,
    _mm512_inserti64x4, _mm512_mullo_epi32, _mm512_set1_epi32, _mm512_srli_epi32, _mm512_xor_si512,
};

use self::across::greatest_across;
use self::greatest::greatest;
use crate::avx2::Avx2;
use crate::contest::{Contest, FEW_BLOCKS, in_groups};
use crate::score::fold;
use crate::seeds::{Block, LANES};

// What avx512f stands for to the compiler, but F16C, which none with FMA lacks.
cpufeatures::new!(has_avx512, "avx512f", "avx2", "fma");

/// The proof that the processor has AVX-512 F, and AVX2: only [`detect`](Self::detect)
/// makes one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Avx512(Avx2);

impl Avx512 {
    pub(crate) fn detect() -> Option<Self> {
        Avx2::detect().filter(|_| has_avx512::get()).map(Self)
    }

    /// As [`Contest::winner`].
    #[inline]
    pub(crate) fn winner(self, contest: &Contest, position: u64) -> usize {
        if !contest.handicaps().is_empty() {
            return self.0.winner(contest, position);
        }
        // SAFETY: `self` proves that the processor has AVX-512 F.
        unsafe { greatest(contest.seeds.blocks(), position) }
    }

    /// As [`Contest::winners`].
    #[inline]
    pub(crate) fn winners(self, contest: &Contest, positions: &[u64], winners: &mut [usize]) {
        if !contest.handicaps().is_empty() {
            return self.0.winners(contest, positions, winners);
        }
        // SAFETY: `self` proves that the processor has AVX-512 F.
        unsafe { self::winners(contest, positions, winners) }
    }
}

#[target_feature(enable = "avx512f")]
fn winners(contest: &Contest, positions: &[u64], winners: &mut [usize]) {
    let (positions, winners) = if contest.seeds.blocks().len() <= FEW_BLOCKS {
        in_groups(positions, winners, |group| {
            greatest_across(&contest.seeds, group).map(|place| place as usize)
        })
    } else {
        (positions, winners)
    };
    for (place, &position) in winners.iter_mut().zip(positions) {
        *place = greatest(contest.seeds.blocks(), position);
    }
}

/// A folded position or seed in every lane, or sixteen of them, as two halves.
#[derive(Clone, Copy)]
struct Halves {
    low: __m512i,
    high: __m512i,
}

/// The halves of a folded number in every lane.
#[target_feature(enable = "avx512f")]
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "each half is 32 bits")]
fn halves_of(folded: u64) -> Halves {
    Halves { low: _mm512_set1_epi32(folded as i32), high: _mm512_set1_epi32((folded >> 32) as i32) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn halves(position: u64) -> Halves {
    halves_of(fold(position))
}

/// [`folded_score`](crate::score::folded_score) in every lane.
#[target_feature(enable = "avx512f")]
#[inline]
fn scores(position: Halves, seeds: Halves) -> __m512i {
    let x = raw_scores(position, seeds);
    _mm512_xor_si512(x, _mm512_srli_epi32::<16>(x))
}

/// The same before the last step, which leaves the upper half of each as it is.
#[target_feature(enable = "avx512f")]
#[inline]
fn raw_scores(position: Halves, seeds: Halves) -> __m512i {
    let x = _mm512_xor_si512(position.low, seeds.low);
    let x = _mm512_mullo_epi32(x, _mm512_set1_epi32(0x7FEB_352D));
    let x = _mm512_xor_si512(x, _mm512_srli_epi32::<15>(x));
    let x = _mm512_add_epi32(x, _mm512_xor_si512(position.high, seeds.high));
    _mm512_mullo_epi32(x, _mm512_set1_epi32(0x846C_A68B_u32.cast_signed()))
}

/// The seeds of two blocks, or of one twice.
#[target_feature(enable = "avx512f")]
#[inline]
fn load([first, second]: [&Block; 2]) -> Halves {
    Halves { low: joined([&first.low, &second.low]), high: joined([&first.high, &second.high]) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn joined(halves: [&[u32; LANES]; 2]) -> __m512i {
    // SAFETY: each array has the 32 bytes that are read, and need not be aligned.
    let [low, high]: [__m256i; 2] =
        halves.map(|half| unsafe { _mm256_loadu_si256(half.as_ptr().cast()) });
    _mm512_inserti64x4::<1>(_mm512_castsi256_si512(low), high)
}
