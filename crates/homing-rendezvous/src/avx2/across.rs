//! The search for the greatest score of sixteen positions, side by side: one node after
//! the other.
//!
//! Where nodes are side by side there is a search across the lanes in the end, and the
//! last block may have lanes without a node. Here is neither, but each score has to be
//! made to the end: of many nodes that is more.

use core::arch::x86_64::{
    __m256i, _mm256_add_epi32, _mm256_blendv_epi8, _mm256_castps_si256, _mm256_castsi256_ps,
    _mm256_cmpeq_epi32, _mm256_loadu_si256, _mm256_max_epu32, _mm256_permute4x64_epi64,
    _mm256_set1_epi32, _mm256_setzero_si256, _mm256_shuffle_ps, _mm256_srli_epi32,
    _mm256_storeu_si256, _mm256_xor_si256,
};

use super::{Halves, scores};
use crate::seeds::{LANES, Seeds};

/// How many positions are searched at once: as many as there are registers for.
pub(super) const POSITIONS: usize = 16;

/// The greatest scores of eight positions so far, a position a lane.
#[derive(Clone, Copy)]
struct Greatest {
    positions: Halves,
    scores: __m256i,
    places: __m256i, // where each score was first met
}

/// Returns the place of the greatest score at each position, the first of equal ones.
#[target_feature(enable = "avx2")]
#[expect(clippy::cast_possible_truncation, reason = "each half is 32 bits")]
pub(super) fn greatest_across(seeds: &Seeds, positions: &[u64; POSITIONS]) -> [u32; POSITIONS] {
    let (positions, _) = positions.as_chunks::<LANES>();
    let none = _mm256_setzero_si256();
    let start = |positions| Greatest { positions, scores: none, places: none };
    let mut bests = [start(columns(&positions[0])), start(columns(&positions[1]))];
    let mut place = none;
    for seed in seeds.iter() {
        let seed = Halves {
            low: _mm256_set1_epi32(seed as i32),
            high: _mm256_set1_epi32((seed >> 32) as i32),
        };
        for best in &mut bests {
            let scores = _mm256_max_epu32(scores(best.positions, seed), best.scores);
            let kept = _mm256_cmpeq_epi32(scores, best.scores);
            best.places = _mm256_blendv_epi8(place, best.places, kept);
            best.scores = scores;
        }
        place = _mm256_add_epi32(place, _mm256_set1_epi32(1));
    }
    let mut winners = [0; POSITIONS];
    let (lanes, _) = winners.as_chunks_mut::<LANES>();
    for (lanes, best) in lanes.iter_mut().zip(&bests) {
        store(lanes, best.places);
    }
    winners
}

/// The halves of eight positions, folded.
#[target_feature(enable = "avx2")]
#[inline]
fn columns(positions: &[u64; LANES]) -> Halves {
    let [first, last] = load(positions).map(|positions| _mm256_castsi256_ps(positions));
    // Of each two numbers the lower or the upper halves, then in order.
    let lower = _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(first, last));
    let upper = _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(first, last));
    let low = _mm256_permute4x64_epi64::<0b11_01_10_00>(lower);
    Halves {
        low: _mm256_xor_si256(low, _mm256_srli_epi32::<16>(low)),
        high: _mm256_permute4x64_epi64::<0b11_01_10_00>(upper),
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn load(positions: &[u64; LANES]) -> [__m256i; 2] {
    let positions: *const __m256i = positions.as_ptr().cast();
    // SAFETY: the array has the 64 bytes that are read, and need not be aligned.
    unsafe { [_mm256_loadu_si256(positions), _mm256_loadu_si256(positions.add(1))] }
}

#[target_feature(enable = "avx2")]
#[inline]
fn store(lanes: &mut [u32; LANES], values: __m256i) {
    // SAFETY: the array has the 32 bytes that are written, and need not be aligned.
    unsafe { _mm256_storeu_si256(lanes.as_mut_ptr().cast(), values) }
}
