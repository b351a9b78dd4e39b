//! The search of [`Contest`] in AVX2 lanes: eight nodes at a time, or sixteen
//! positions, eight where costs are compared.
#![expect(
    unsafe_code,
    reason = "`verdict` of benches/peers measures what lanes gain over scalar code"
)]

mod across;
mod cheapest;
mod greatest;

use self::across::{cheapest_across, greatest_across};
use self::cheapest::cheapest;
use self::greatest::greatest;
use crate::contest::{Contest, FEW_BLOCKS, Handicaps, in_groups};
use crate::score::fold;
use crate::seeds::Block;
use core::arch::x86_64::{
    __m256, __m256i, _mm256_add_epi32, _mm256_castsi256_ps, _mm256_cmpeq_epi32,
    _mm256_cvtsi256_si32, _mm256_loadu_ps, _mm256_loadu_si256, _mm256_min_epu32,
    _mm256_movemask_ps, _mm256_mullo_epi32, _mm256_or_si256, _mm256_permute4x64_epi64,
    _mm256_set1_epi32, _mm256_setr_epi32, _mm256_shuffle_epi32, _mm256_srli_epi32,
    _mm256_xor_si256,
};

cpufeatures::new!(has_avx2, "avx2");

/// The proof that the processor has AVX2: only [`detect`](Self::detect) makes one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Avx2(());

/// Up to how many blocks a batch compares costs with positions side by side.
const FEW_COSTS: usize = 8;
/// How many positions are searched at once where costs are compared in more.
const WEIGHTED_POSITIONS: usize = 2;

#[expect(clippy::unused_self, reason = "a value is the proof")]
impl Avx2 {
    pub(crate) fn detect() -> Option<Self> {
        has_avx2::get().then_some(Self(()))
    }

    /// As [`Contest::winner`].
    #[inline]
    pub(crate) fn winner(self, contest: &Contest, position: u64) -> usize {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { winner(contest, position) }
    }

    /// As [`Contest::winners`].
    #[inline]
    pub(crate) fn winners(self, contest: &Contest, positions: &[u64], winners: &mut [usize]) {
        // SAFETY: `self` proves that the processor has AVX2.
        unsafe { self::winners(contest, positions, winners) }
    }
}

#[target_feature(enable = "avx2")]
fn winner(contest: &Contest, position: u64) -> usize {
    if contest.handicaps().is_empty() {
        greatest(contest.seeds.blocks(), position)
    } else {
        let [winner] = cheapest(contest, &[position]);
        winner
    }
}

#[target_feature(enable = "avx2")]
fn winners(contest: &Contest, positions: &[u64], winners: &mut [usize]) {
    let (by_score, blocks) = (contest.handicaps().is_empty(), contest.seeds.blocks().len());
    let (positions, winners) = match (by_score, blocks) {
        (true, ..=FEW_BLOCKS) => in_groups(positions, winners, |group| {
            greatest_across(&contest.seeds, group).map(|place| place as usize)
        }),
        (true, _) => (positions, winners),
        (false, ..=FEW_COSTS) => {
            in_groups(positions, winners, |group| cheapest_across(contest, group))
        }
        (false, _) => {
            in_groups::<WEIGHTED_POSITIONS>(positions, winners, |group| cheapest(contest, group))
        }
    };
    for (place, &position) in winners.iter_mut().zip(positions) {
        *place = winner(contest, position);
    }
}

/// A folded position or seed in every lane, or eight of them, as two halves.
#[derive(Clone, Copy)]
struct Halves {
    low: __m256i,
    high: __m256i,
}

#[target_feature(enable = "avx2")]
#[inline]
fn halves(position: u64) -> Halves {
    halves_of(fold(position))
}

/// The halves of a folded number in every lane.
#[target_feature(enable = "avx2")]
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "each half is 32 bits")]
fn halves_of(folded: u64) -> Halves {
    Halves { low: _mm256_set1_epi32(folded as i32), high: _mm256_set1_epi32((folded >> 32) as i32) }
}

/// [`folded_score`](crate::score::folded_score) in every lane.
#[target_feature(enable = "avx2")]
#[inline]
fn scores(position: Halves, seeds: Halves) -> __m256i {
    let x = raw_scores(position, seeds);
    _mm256_xor_si256(x, _mm256_srli_epi32::<16>(x))
}

/// The same before the last step, which leaves the upper half of each as it is.
#[target_feature(enable = "avx2")]
#[inline]
fn raw_scores(position: Halves, seeds: Halves) -> __m256i {
    let x = _mm256_xor_si256(position.low, seeds.low);
    let x = _mm256_mullo_epi32(x, _mm256_set1_epi32(0x7FEB_352D));
    let x = _mm256_xor_si256(x, _mm256_srli_epi32::<15>(x));
    let x = _mm256_add_epi32(x, _mm256_xor_si256(position.high, seeds.high));
    _mm256_mullo_epi32(x, _mm256_set1_epi32(0x846C_A68B_u32.cast_signed()))
}

#[target_feature(enable = "avx2")]
#[inline]
fn first_places() -> __m256i {
    _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7)
}

#[target_feature(enable = "avx2")]
#[inline]
fn next_places(places: __m256i) -> __m256i {
    _mm256_add_epi32(places, _mm256_set1_epi32(8))
}

/// Returns the least of `places` in the lanes that `chosen` fills.
#[target_feature(enable = "avx2")]
#[inline]
fn least_place(chosen: __m256i, places: __m256i) -> usize {
    let others = _mm256_xor_si256(chosen, _mm256_set1_epi32(-1));
    let least = fold_min(_mm256_or_si256(places, others));
    _mm256_cvtsi256_si32(least).cast_unsigned() as usize
}

/// Fills every lane with the least of all.
#[target_feature(enable = "avx2")]
#[inline]
fn fold_min(x: __m256i) -> __m256i {
    let x = _mm256_min_epu32(x, _mm256_permute4x64_epi64::<0b01_00_11_10>(x));
    let x = _mm256_min_epu32(x, _mm256_shuffle_epi32::<0b01_00_11_10>(x));
    _mm256_min_epu32(x, _mm256_shuffle_epi32::<0b10_11_00_01>(x))
}

/// Fills the lanes in which `a` is at most `b`.
#[target_feature(enable = "avx2")]
#[inline]
fn at_most(a: __m256i, b: __m256i) -> __m256i {
    _mm256_cmpeq_epi32(_mm256_min_epu32(a, b), a)
}

/// A bit for each lane that is filled.
#[target_feature(enable = "avx2")]
#[inline]
fn lanes(filled: __m256i) -> u32 {
    _mm256_movemask_ps(_mm256_castsi256_ps(filled)).cast_unsigned()
}

#[target_feature(enable = "avx2")]
#[inline]
fn load(block: &Block) -> Halves {
    // SAFETY: each half has the 32 bytes that are read, and none need be aligned.
    unsafe {
        Halves {
            low: _mm256_loadu_si256(block.low.as_ptr().cast()),
            high: _mm256_loadu_si256(block.high.as_ptr().cast()),
        }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn load_handicaps(handicaps: &Handicaps) -> __m256 {
    // SAFETY: the array has the 32 bytes that are read, and need not be aligned.
    unsafe { _mm256_loadu_ps(handicaps.0.as_ptr()) }
}
