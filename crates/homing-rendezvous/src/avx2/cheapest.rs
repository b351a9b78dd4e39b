//! The search for the least cost.

use core::arch::x86_64::{
    __m256, __m256i, _mm256_add_ps, _mm256_blendv_epi8, _mm256_castps_si256, _mm256_castsi256_ps,
    _mm256_cmpeq_epi32, _mm256_cvtepi32_ps, _mm256_cvtss_f32, _mm256_max_epu32, _mm256_min_epu32,
    _mm256_mul_ps, _mm256_set1_epi32, _mm256_set1_ps, _mm256_sub_ps,
};
use core::ops::Range;

use super::{
    at_most, first_places, fold_min, halves, lanes, least_place, load, load_handicaps, next_places,
    scores,
};
use crate::contest::{Best, Contest, FIRST_BLOCKS, GROUP_BLOCKS};
use crate::seeds::LANES;

/// The least bounds so far, lane by lane, as bits: they are positive, so that their bits
/// are in the order of their values.
#[derive(Clone, Copy)]
pub(super) struct Nearest {
    pub(super) bounds: __m256i, // the least
    pub(super) others: __m256i, // the least but one
    pub(super) places: __m256i, // where each of `bounds` was first met
}

impl Nearest {
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn none() -> Self {
        let all = _mm256_set1_epi32(-1);
        Self { bounds: all, others: all, places: all }
    }

    /// Takes the bounds at some places.
    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn meet(&mut self, met: __m256i, places: __m256i) {
        let other = _mm256_max_epu32(self.bounds, met);
        self.others = _mm256_min_epu32(self.others, other);
        let bounds = _mm256_min_epu32(self.bounds, met);
        let kept = _mm256_cmpeq_epi32(bounds, self.bounds);
        self.places = _mm256_blendv_epi8(places, self.places, kept);
        self.bounds = bounds;
    }
}

/// Returns the place of the least cost at each position.
#[target_feature(enable = "avx2")]
#[inline(never)]
pub(super) fn cheapest<const N: usize>(contest: &Contest, positions: &[u64; N]) -> [usize; N] {
    let mut winners = [0; N];
    let bests = cheapest_of_first(contest, positions);
    for ((winner, best), &position) in winners.iter_mut().zip(bests).zip(positions) {
        *winner = cheapest_of_rest(contest, position, best).place;
    }
    winners
}

/// Returns the best of the first blocks at each position.
///
/// One pass finds the node with the least bound. If no other bound is up to the limit
/// of its cost, it is the best, and no logarithm is taken.
#[target_feature(enable = "avx2")]
#[inline]
fn cheapest_of_first<const N: usize>(contest: &Contest, positions: &[u64; N]) -> [Best; N] {
    let mut nearest = [(halves(0), Nearest::none()); N];
    for ((halved, _), &position) in nearest.iter_mut().zip(positions) {
        *halved = halves(position);
    }
    let mut places = first_places();
    let blocks = contest.seeds.blocks().iter().zip(contest.handicaps());
    for (block, handicaps) in blocks.take(FIRST_BLOCKS) {
        let (seeds, handicaps) = (load(block), load_handicaps(handicaps));
        for (position, nearest) in &mut nearest {
            nearest.meet(upper_bounds(scores(*position, seeds), handicaps), places);
        }
        places = next_places(places);
    }
    let mut bests = [Best::default(); N];
    for ((best, (_, nearest)), &position) in bests.iter_mut().zip(&nearest).zip(positions) {
        let least = fold_min(nearest.bounds);
        let place = least_place(_mm256_cmpeq_epi32(nearest.bounds, least), nearest.places);
        *best = contest.best(place, _mm256_cvtss_f32(_mm256_castsi256_ps(least)));
        let limit = splat(best.limit);
        let near = lanes(at_most(nearest.bounds, limit));
        let others = lanes(at_most(nearest.others, limit));
        if best.limit == f32::INFINITY || !near.is_power_of_two() || others != 0 {
            let blocks = 0..FIRST_BLOCKS.min(contest.handicaps().len());
            *best = cheapest_of_near(contest, position, contest.exact(position, place), blocks);
        }
    }
    bests
}

/// Returns the better of `best` and the best of the other blocks.
///
/// A group of blocks is passed over if its greatest score is too low even at its
/// greatest weight.
#[target_feature(enable = "avx2")]
#[inline]
fn cheapest_of_rest(contest: &Contest, position: u64, mut best: Best) -> Best {
    let Some(blocks) = contest.seeds.blocks().get(FIRST_BLOCKS..) else { return best };
    let (groups, tail) = blocks.as_chunks::<GROUP_BLOCKS>();
    let halves = halves(position);
    let mut first = FIRST_BLOCKS;
    for (group, &reach) in groups.iter().zip(contest.rest_reaches()) {
        let mut greatest = scores(halves, load(&group[0]));
        for block in &group[1..] {
            greatest = _mm256_max_epu32(greatest, scores(halves, load(block)));
        }
        let needed = _mm256_set1_epi32(best.needed(reach).cast_signed());
        if lanes(at_most(needed, greatest)) != 0 {
            best = cheapest_of_near(contest, position, best, first..first + GROUP_BLOCKS);
        }
        first += GROUP_BLOCKS;
    }
    cheapest_of_near(contest, position, best, first..first + tail.len())
}

/// Returns the better of `best` and the best of some blocks: only nodes whose bound
/// is not above the limit are looked at.
#[target_feature(enable = "avx2")]
#[inline(never)]
pub(super) fn cheapest_of_near(
    contest: &Contest,
    position: u64,
    mut best: Best,
    numbers: Range<usize>,
) -> Best {
    let halves = halves(position);
    let blocks = contest.seeds.blocks()[numbers.clone()].iter();
    let blocks = blocks.zip(&contest.handicaps()[numbers.clone()]);
    for (number, (block, handicaps)) in numbers.zip(blocks) {
        let bounds = bounds(scores(halves, load(block)), load_handicaps(handicaps));
        let mut near = lanes(at_most(bounds, splat(best.limit)));
        while near != 0 {
            let place = number * LANES + near.trailing_zeros() as usize;
            near &= near - 1;
            if place < contest.seeds.len() {
                best = contest.better(position, best, place);
            }
        }
    }
    best
}

/// The bits of `value` in every lane.
#[target_feature(enable = "avx2")]
#[inline]
fn splat(value: f32) -> __m256i {
    _mm256_set1_epi32(value.to_bits().cast_signed())
}

/// The bound of a cost in every lane, as bits; for scores below 2^31 the bound of 2^31,
/// which is lower.
#[target_feature(enable = "avx2")]
#[inline]
fn bounds(scores: __m256i, handicaps: __m256) -> __m256i {
    // The sign bit is set: only negative numbers are converted.
    let upper = _mm256_max_epu32(scores, _mm256_set1_epi32(i32::MIN));
    upper_bounds(upper, handicaps)
}

/// As [`bounds`], but for scores below 2^31 the bits are above those of any number.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn upper_bounds(scores: __m256i, handicaps: __m256) -> __m256i {
    // As a signed number the score is 2^32 less.
    let d = _mm256_sub_ps(_mm256_set1_ps(-0.5), _mm256_cvtepi32_ps(scores));
    let first = _mm256_mul_ps(d, handicaps);
    let second = _mm256_mul_ps(first, _mm256_mul_ps(d, _mm256_set1_ps(0.5 / 4_294_967_296.0)));
    _mm256_castps_si256(_mm256_add_ps(first, second))
}
