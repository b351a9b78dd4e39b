//! The search of [`Contest`] in AVX2 lanes: eight nodes at a time.
#![expect(
    unsafe_code,
    reason = "from 100 nodes on lanes take a sixth to a ninth of the time of scalar code"
)]

use core::arch::x86_64::{
    __m256, __m256i, _mm256_add_epi32, _mm256_add_ps, _mm256_blendv_epi8, _mm256_castps_si256,
    _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_cvtepi32_ps, _mm256_cvtsi256_si32,
    _mm256_cvtss_f32, _mm256_loadu_ps, _mm256_loadu_si256, _mm256_max_epu32, _mm256_min_epu32,
    _mm256_movemask_ps, _mm256_mul_ps, _mm256_mullo_epi32, _mm256_or_si256,
    _mm256_permute4x64_epi64, _mm256_set1_epi32, _mm256_set1_ps, _mm256_setr_epi32,
    _mm256_setzero_si256, _mm256_shuffle_epi32, _mm256_srli_epi32, _mm256_sub_ps, _mm256_xor_si256,
};
use core::ops::Range;

use crate::contest::{Best, Contest, FIRST_BLOCKS, GROUP_BLOCKS, Handicaps};
use crate::seeds::{Block, LANES};

cpufeatures::new!(has_avx2, "avx2");

/// The proof that the processor has AVX2: only [`detect`](Self::detect) makes one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Avx2(());

/// How many positions share each load of a block.
const KEYS: usize = 4;
/// The same where costs are compared, which takes more registers a position.
const WEIGHTED_KEYS: usize = 2;

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
    let [winner] = if contest.handicaps().is_empty() {
        greatest(contest, &[position])
    } else {
        cheapest(contest, &[position])
    };
    winner
}

#[target_feature(enable = "avx2")]
fn winners(contest: &Contest, positions: &[u64], winners: &mut [usize]) {
    let (positions, winners) = if contest.handicaps().is_empty() {
        let (groups, positions) = positions.as_chunks::<KEYS>();
        let (places, winners) = winners.as_chunks_mut::<KEYS>();
        for (places, group) in places.iter_mut().zip(groups) {
            *places = greatest(contest, group);
        }
        (positions, winners)
    } else {
        let (groups, positions) = positions.as_chunks::<WEIGHTED_KEYS>();
        let (places, winners) = winners.as_chunks_mut::<WEIGHTED_KEYS>();
        for (places, group) in places.iter_mut().zip(groups) {
            *places = cheapest(contest, group);
        }
        (positions, winners)
    };
    for (place, &position) in winners.iter_mut().zip(positions) {
        *place = winner(contest, position);
    }
}

/// A position in every lane, as two halves.
#[derive(Clone, Copy)]
struct Halves {
    low: __m256i,
    high: __m256i,
}

#[target_feature(enable = "avx2")]
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "each half is 32 bits")]
fn halves(position: u64) -> Halves {
    Halves {
        low: _mm256_set1_epi32(position as i32),
        high: _mm256_set1_epi32((position >> 32) as i32),
    }
}

/// [`score`](crate::score()) in every lane.
#[target_feature(enable = "avx2")]
#[inline]
fn scores(position: Halves, seeds: Halves) -> __m256i {
    let x = _mm256_xor_si256(position.low, seeds.low);
    let x = _mm256_xor_si256(x, _mm256_srli_epi32::<16>(x));
    let x = _mm256_mullo_epi32(x, _mm256_set1_epi32(0x7FEB_352D));
    let x = _mm256_xor_si256(x, _mm256_srli_epi32::<15>(x));
    let x = _mm256_add_epi32(x, _mm256_xor_si256(position.high, seeds.high));
    let x = _mm256_mullo_epi32(x, _mm256_set1_epi32(0x846C_A68B_u32.cast_signed()));
    _mm256_xor_si256(x, _mm256_srli_epi32::<16>(x))
}

/// The greatest scores of a position so far, lane by lane.
#[derive(Clone, Copy)]
struct Greatest {
    position: Halves,
    scores: __m256i,
    places: __m256i, // where each score was first met
}

/// Returns the place of the greatest score at each position.
#[target_feature(enable = "avx2")]
#[inline]
fn greatest<const N: usize>(contest: &Contest, positions: &[u64; N]) -> [usize; N] {
    let none = _mm256_setzero_si256();
    let mut bests = [Greatest { position: halves(0), scores: none, places: none }; N];
    for (best, &position) in bests.iter_mut().zip(positions) {
        best.position = halves(position);
    }
    let mut places = first_places();
    for block in contest.seeds.blocks() {
        let seeds = load(block);
        for best in &mut bests {
            let scores = _mm256_max_epu32(scores(best.position, seeds), best.scores);
            let kept = _mm256_cmpeq_epi32(scores, best.scores);
            best.places = _mm256_blendv_epi8(places, best.places, kept);
            best.scores = scores;
        }
        places = next_places(places);
    }
    let mut winners = [0; N];
    for (winner, best) in winners.iter_mut().zip(&bests) {
        let first = _mm256_cmpeq_epi32(best.scores, fold_max(best.scores));
        *winner = least_place(first, best.places);
    }
    winners
}

/// The least bounds of a position so far, lane by lane, as bits: they are positive,
/// so that their bits are in the order of their values.
#[derive(Clone, Copy)]
struct Nearest {
    position: Halves,
    bounds: __m256i, // the least
    others: __m256i, // the least but one
    places: __m256i, // where each of `bounds` was first met
}

/// Returns the place of the least cost at each position.
#[target_feature(enable = "avx2")]
#[inline]
fn cheapest<const N: usize>(contest: &Contest, positions: &[u64; N]) -> [usize; N] {
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
    let all = _mm256_set1_epi32(-1);
    let none = Nearest { position: halves(0), bounds: all, others: all, places: all };
    let mut nearest = [none; N];
    for (nearest, &position) in nearest.iter_mut().zip(positions) {
        nearest.position = halves(position);
    }
    let mut places = first_places();
    let blocks = contest.seeds.blocks().iter().zip(contest.handicaps());
    for (block, handicaps) in blocks.take(FIRST_BLOCKS) {
        let (seeds, handicaps) = (load(block), load_handicaps(handicaps));
        for nearest in &mut nearest {
            let met = upper_bounds(scores(nearest.position, seeds), handicaps);
            let other = _mm256_max_epu32(nearest.bounds, met);
            nearest.others = _mm256_min_epu32(nearest.others, other);
            let bounds = _mm256_min_epu32(nearest.bounds, met);
            let kept = _mm256_cmpeq_epi32(bounds, nearest.bounds);
            nearest.places = _mm256_blendv_epi8(places, nearest.places, kept);
            nearest.bounds = bounds;
        }
        places = next_places(places);
    }
    let mut bests = [Best::default(); N];
    for ((best, nearest), &position) in bests.iter_mut().zip(&nearest).zip(positions) {
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
fn cheapest_of_near(
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
fn upper_bounds(scores: __m256i, handicaps: __m256) -> __m256i {
    // As a signed number the score is 2^32 less.
    let d = _mm256_sub_ps(_mm256_set1_ps(-0.5), _mm256_cvtepi32_ps(scores));
    let first = _mm256_mul_ps(d, handicaps);
    let second = _mm256_mul_ps(first, _mm256_mul_ps(d, _mm256_set1_ps(0.5 / 4_294_967_296.0)));
    _mm256_castps_si256(_mm256_add_ps(first, second))
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

/// Fills every lane with the greatest of all.
#[target_feature(enable = "avx2")]
#[inline]
fn fold_max(x: __m256i) -> __m256i {
    let x = _mm256_max_epu32(x, _mm256_permute4x64_epi64::<0b01_00_11_10>(x));
    let x = _mm256_max_epu32(x, _mm256_shuffle_epi32::<0b01_00_11_10>(x));
    _mm256_max_epu32(x, _mm256_shuffle_epi32::<0b10_11_00_01>(x))
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
