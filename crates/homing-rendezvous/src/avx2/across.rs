//! The searches of positions side by side, a position a lane: one node after the other.
//!
//! Where nodes are side by side there is a search across the lanes in the end, and the
//! last block may have lanes without a node. Here is neither, but each score has to be
//! made to the end: of many nodes that is more.

use core::arch::x86_64::{
    __m256i, _CMP_GE_OQ, _CMP_LT_OQ, _mm256_add_epi32, _mm256_add_ps, _mm256_and_ps,
    _mm256_blendv_epi8, _mm256_castps_si256, _mm256_castsi256_ps, _mm256_cmp_ps,
    _mm256_cmpeq_epi32, _mm256_loadu_si256, _mm256_max_epu32, _mm256_mul_ps, _mm256_or_si256,
    _mm256_permute4x64_epi64, _mm256_set1_epi32, _mm256_set1_ps, _mm256_setzero_ps,
    _mm256_setzero_si256, _mm256_shuffle_ps, _mm256_srli_epi32, _mm256_storeu_si256,
    _mm256_xor_si256,
};

use super::cheapest::{Nearest, cheapest_of_near, upper_bounds};
use super::{Halves, at_most, halves_of, lanes, scores};
use crate::contest::{Contest, MORE, WITHIN};
use crate::seeds::{LANES, Seeds};

/// How many positions are searched at once by their scores: as many as there are registers
/// for.
const POSITIONS: usize = 16;

/// The greatest scores of eight positions so far, a position a lane.
struct Greatest {
    positions: Halves,
    scores: __m256i,
    places: __m256i, // where each score was first met
}

/// Returns the place of the greatest score at each position, the first of equal ones.
#[target_feature(enable = "avx2")]
pub(super) fn greatest_across(seeds: &Seeds, positions: &[u64; POSITIONS]) -> [u32; POSITIONS] {
    let (positions, _) = positions.as_chunks::<LANES>();
    let none = _mm256_setzero_si256();
    let start = |positions| Greatest { positions, scores: none, places: none };
    let mut bests = [start(columns(&positions[0])), start(columns(&positions[1]))];
    let mut place = none;
    for seed in seeds.iter() {
        let seed = halves_of(seed);
        for best in &mut bests {
            let scores = _mm256_max_epu32(scores(best.positions, seed), best.scores);
            let kept = _mm256_cmpeq_epi32(scores, best.scores);
            best.places = _mm256_blendv_epi8(place, best.places, kept);
            best.scores = scores;
        }
        place = _mm256_add_epi32(place, _mm256_set1_epi32(1));
    }
    let mut winners = [0; POSITIONS];
    let (eights, _) = winners.as_chunks_mut::<LANES>();
    for (eight, best) in eights.iter_mut().zip(&bests) {
        store(eight, best.places);
    }
    winners
}

/// Returns the place of the least cost at each position.
///
/// Where no other bound is up to the limit of the least one's cost, it is the place of
/// that, and no logarithm is taken.
#[target_feature(enable = "avx2")]
pub(super) fn cheapest_across(contest: &Contest, positions: &[u64; LANES]) -> [usize; LANES] {
    let columns = columns(positions);
    let mut nearest = Nearest::none();
    let mut place = _mm256_setzero_si256();
    let handicaps = contest.handicaps().iter().flat_map(|handicaps| handicaps.0);
    for (seed, handicap) in contest.seeds.iter().zip(handicaps) {
        let scores = scores(columns, halves_of(seed));
        nearest.meet(upper_bounds(scores, _mm256_set1_ps(handicap)), place);
        place = _mm256_add_epi32(place, _mm256_set1_epi32(1));
    }
    let near = lanes(at_most(nearest.others, limits(contest, nearest.bounds)));
    let mut places = [0; LANES];
    store(&mut places, nearest.places);
    let mut winners = places.map(|place| place as usize);
    if near != 0 {
        for ((i, winner), &position) in winners.iter_mut().enumerate().zip(positions) {
            if near & 1 << i != 0 {
                let first = contest.exact(position, *winner);
                let blocks = 0..contest.handicaps().len();
                *winner = cheapest_of_near(contest, position, first, blocks).place;
            }
        }
    }
    winners
}

/// The limit that [`Contest::best`] sets for each bound, as bits; all bits where it is
/// infinite.
#[target_feature(enable = "avx2")]
#[inline]
fn limits(contest: &Contest, bounds: __m256i) -> __m256i {
    let bounds = _mm256_castsi256_ps(bounds);
    let d = _mm256_mul_ps(bounds, _mm256_set1_ps(contest.reach()));
    let excess = _mm256_mul_ps(_mm256_mul_ps(d, d), _mm256_set1_ps(0.5));
    let limits = _mm256_mul_ps(bounds, _mm256_add_ps(excess, _mm256_set1_ps(MORE)));
    // Below 0 where every score is below 2^31: then the least bits are not the least cost.
    let within = _mm256_and_ps(
        _mm256_cmp_ps::<_CMP_GE_OQ>(d, _mm256_setzero_ps()),
        _mm256_cmp_ps::<_CMP_LT_OQ>(d, _mm256_set1_ps(WITHIN)),
    );
    let without = _mm256_xor_si256(_mm256_castps_si256(within), _mm256_set1_epi32(-1));
    _mm256_or_si256(_mm256_castps_si256(limits), without)
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
