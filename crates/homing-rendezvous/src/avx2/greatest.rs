//! The search for the greatest score.
//!
//! Of many nodes scores are compared before their last step, which leaves the upper halves as they
//! are: whichever is the greatest in the end has the greatest upper half. Most groups
//! of nodes are passed over by that; those that hold the greatest upper half are scored
//! to the end, to find the place.

use core::arch::x86_64::{
    __m256i, _mm256_andnot_si256, _mm256_blend_epi16, _mm256_blendv_epi8, _mm256_cmpeq_epi32,
    _mm256_cvtsi256_si32, _mm256_max_epu32, _mm256_min_epu32, _mm256_permute4x64_epi64,
    _mm256_set1_epi32, _mm256_setzero_si256, _mm256_shuffle_epi32, _mm256_slli_epi32,
    _mm256_srli_epi32, _mm256_sub_epi32,
};

use super::{
    Halves, at_most, first_places, halves, lanes, least_place, load, next_places, raw_scores,
    scores,
};
use crate::contest::{FEW_BLOCKS, Scored};
use crate::seeds::{Block, LANES};

/// How many blocks make a group.
const GROUP: usize = 4;

/// How many groups make a span, at most 2^16. The more, the likelier that a lane meets
/// its greatest upper half twice.
const SPAN: usize = 512;

/// Returns the place of the greatest score at a position, the first of equal ones.
#[target_feature(enable = "avx2")]
#[inline]
pub(super) fn greatest(blocks: &[Block], position: u64) -> usize {
    if let Ok(blocks) = <&[Block; 2]>::try_from(blocks) {
        greatest_of_blocks(blocks, halves(position)).place
    } else if blocks.len() <= FEW_BLOCKS {
        greatest_of_few(blocks, position)
    } else {
        greatest_of_many(blocks, position)
    }
}

/// Keeps the place of each score: what it takes a block is less than what is left to
/// do at the end of [`greatest_of_many`].
// Not inlined, nor is any other long search: inlined, it would make the shortest one, of
// two blocks, save registers.
#[target_feature(enable = "avx2")]
#[inline(never)]
fn greatest_of_few(blocks: &[Block], position: u64) -> usize {
    let position = halves(position);
    let (mut greatest, mut places) = (_mm256_setzero_si256(), _mm256_setzero_si256());
    let mut place = first_places();
    for block in blocks {
        let scores = _mm256_max_epu32(scores(position, load(block)), greatest);
        let kept = _mm256_cmpeq_epi32(scores, greatest);
        places = _mm256_blendv_epi8(place, places, kept);
        greatest = scores;
        place = next_places(place);
    }
    least_place(_mm256_cmpeq_epi32(greatest, fold_max(greatest)), places)
}

#[target_feature(enable = "avx2")]
#[inline(never)]
fn greatest_of_many(blocks: &[Block], position: u64) -> usize {
    let position = halves(position);
    let mut best = Scored::default();
    for (number, span) in blocks.chunks(SPAN * GROUP).enumerate() {
        let met = if span.len() < GROUP {
            greatest_of_all(span, position)
        } else {
            greatest_of_span(span, position)
        };
        best = best.or(met, number * SPAN * GROUP);
    }
    best.place
}

/// Returns the node with the greatest score of at least four blocks.
#[target_feature(enable = "avx2")]
#[inline]
fn greatest_of_span(span: &[Block], position: Halves) -> Scored {
    let (groups, tail) = span.as_chunks::<GROUP>();
    // Lane by lane the greatest upper half and the greatest but one. Below each is the
    // number of the group that had it first, upside down.
    let (mut greatest, mut other) = (_mm256_setzero_si256(), _mm256_setzero_si256());
    let mut number = _mm256_set1_epi32(0xFFFF);
    for group in groups {
        let met = _mm256_blend_epi16::<0b0101_0101>(greatest_raw(group, position), number);
        other = _mm256_max_epu32(other, _mm256_min_epu32(greatest, met));
        greatest = _mm256_max_epu32(greatest, met);
        number = _mm256_sub_epi32(number, _mm256_set1_epi32(1));
    }
    if !tail.is_empty() {
        let met = _mm256_blend_epi16::<0b0101_0101>(greatest_raw(tail, position), number);
        other = _mm256_max_epu32(other, _mm256_min_epu32(greatest, met));
        greatest = _mm256_max_epu32(greatest, met);
    }

    let mut next = fold_max(greatest);
    let least = _mm256_slli_epi32::<16>(_mm256_srli_epi32::<16>(next));
    if lanes(at_most(least, other)) != 0 {
        return greatest_of_all(span, position);
    }
    let mut best = Scored::default();
    loop {
        // In place of a tail the last blocks of the span, so that there are always four.
        let first = ((!first_lane(next) & 0xFFFF) as usize * GROUP).min(span.len() - GROUP);
        let group = span[first..].first_chunk().expect("four blocks are left");
        best = best.or(greatest_of_blocks::<GROUP>(group, position), first);
        // Other lanes with an equal upper half: their groups come later, or are the same.
        greatest = _mm256_andnot_si256(_mm256_cmpeq_epi32(greatest, next), greatest);
        if lanes(at_most(least, greatest)) == 0 {
            return best;
        }
        next = fold_max(greatest);
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn greatest_raw(group: &[Block], position: Halves) -> __m256i {
    let mut greatest = _mm256_setzero_si256();
    for block in group {
        greatest = _mm256_max_epu32(greatest, raw_scores(position, load(block)));
    }
    greatest
}

/// As [`greatest_of_span`], for any number of blocks, and where upper halves are too
/// often equal, or all 0.
#[target_feature(enable = "avx2")]
#[cold]
fn greatest_of_all(span: &[Block], position: Halves) -> Scored {
    let mut best = Scored::default();
    for (number, block) in span.as_chunks::<1>().0.iter().enumerate() {
        best = best.or(greatest_of_blocks(block, position), number);
    }
    best
}

#[target_feature(enable = "avx2")]
#[inline]
fn greatest_of_blocks<const N: usize>(blocks: &[Block; N], position: Halves) -> Scored {
    let mut greatest = _mm256_setzero_si256();
    let mut each = [greatest; N];
    for (scored, block) in each.iter_mut().zip(blocks) {
        *scored = scores(position, load(block));
        greatest = _mm256_max_epu32(greatest, *scored);
    }
    let greatest = fold_max(greatest);
    let mut holders = 0;
    for (number, &scored) in each.iter().enumerate() {
        holders |= lanes(_mm256_cmpeq_epi32(scored, greatest)) << (number * LANES);
    }
    Scored { score: first_lane(greatest), place: holders.trailing_zeros() as usize }
}

/// Fills every lane with the greatest of all.
#[target_feature(enable = "avx2")]
#[inline]
fn fold_max(x: __m256i) -> __m256i {
    let x = _mm256_max_epu32(x, _mm256_permute4x64_epi64::<0b01_00_11_10>(x));
    let x = _mm256_max_epu32(x, _mm256_shuffle_epi32::<0b01_00_11_10>(x));
    _mm256_max_epu32(x, _mm256_shuffle_epi32::<0b10_11_00_01>(x))
}

#[target_feature(enable = "avx2")]
#[inline]
fn first_lane(x: __m256i) -> u32 {
    _mm256_cvtsi256_si32(x).cast_unsigned()
}
