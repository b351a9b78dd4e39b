//! The search for the greatest score of thirty-two positions, side by side: one node
//! after the other. As [`avx2::across`](crate::avx2), in wider lanes.

use core::arch::x86_64::{
    __m512i, _mm512_add_epi32, _mm512_cmpgt_epu32_mask, _mm512_loadu_si512, _mm512_mask_mov_epi32,
    _mm512_max_epu32, _mm512_permutex2var_epi32, _mm512_set1_epi32, _mm512_setr_epi32,
    _mm512_setzero_si512, _mm512_srli_epi32, _mm512_storeu_si512, _mm512_xor_si512,
};

use super::{Halves, halves_of, scores};
use crate::seeds::Seeds;

/// How many positions are searched at once.
const POSITIONS: usize = 2 * WIDTH;

/// How many lanes there are.
const WIDTH: usize = 16;

/// The greatest scores of sixteen positions so far, a position a lane.
struct Greatest {
    positions: Halves,
    scores: __m512i,
    places: __m512i, // where each score was first met
}

/// Returns the place of the greatest score at each position, the first of equal ones.
#[target_feature(enable = "avx512f")]
pub(super) fn greatest_across(seeds: &Seeds, positions: &[u64; POSITIONS]) -> [u32; POSITIONS] {
    let (positions, _) = positions.as_chunks::<WIDTH>();
    let none = _mm512_setzero_si512();
    let start = |positions| Greatest { positions, scores: none, places: none };
    let mut bests = [start(columns(&positions[0])), start(columns(&positions[1]))];
    let mut place = none;
    for seed in seeds.iter() {
        let seed = halves_of(seed);
        for best in &mut bests {
            let met = scores(best.positions, seed);
            let better = _mm512_cmpgt_epu32_mask(met, best.scores);
            best.places = _mm512_mask_mov_epi32(best.places, better, place);
            best.scores = _mm512_max_epu32(best.scores, met);
        }
        place = _mm512_add_epi32(place, _mm512_set1_epi32(1));
    }
    let mut winners = [0; POSITIONS];
    let (lanes, _) = winners.as_chunks_mut::<WIDTH>();
    for (lanes, best) in lanes.iter_mut().zip(&bests) {
        store(lanes, best.places);
    }
    winners
}

/// The halves of sixteen positions, folded.
#[target_feature(enable = "avx512f")]
#[inline]
fn columns(positions: &[u64; WIDTH]) -> Halves {
    let [first, last] = load(positions);
    let lower = _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    let upper = _mm512_add_epi32(lower, _mm512_set1_epi32(1));
    let low = _mm512_permutex2var_epi32(first, lower, last);
    Halves {
        low: _mm512_xor_si512(low, _mm512_srli_epi32::<16>(low)),
        high: _mm512_permutex2var_epi32(first, upper, last),
    }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn load(positions: &[u64; WIDTH]) -> [__m512i; 2] {
    let positions: *const __m512i = positions.as_ptr().cast();
    // SAFETY: the array has the 128 bytes that are read, and need not be aligned.
    unsafe { [_mm512_loadu_si512(positions), _mm512_loadu_si512(positions.add(1))] }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn store(lanes: &mut [u32; WIDTH], values: __m512i) {
    // SAFETY: the array has the 64 bytes that are written, and need not be aligned.
    unsafe { _mm512_storeu_si512(lanes.as_mut_ptr().cast(), values) }
}
