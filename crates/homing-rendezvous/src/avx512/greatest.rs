//! The search for the greatest score at one position. As
//! [`avx2::greatest`](crate::avx2), two blocks at a time.

use core::arch::x86_64::{
    __m512i, __mmask16, _mm512_add_epi32, _mm512_and_si512, _mm512_cmpeq_epu32_mask,
    _mm512_cmpge_epu32_mask, _mm512_cmpgt_epu32_mask, _mm512_mask_mov_epi32,
    _mm512_mask_reduce_min_epu32, _mm512_maskz_mov_epi32, _mm512_max_epu32, _mm512_min_epu32,
    _mm512_or_si512, _mm512_reduce_max_epu32, _mm512_set1_epi32, _mm512_setr_epi32,
    _mm512_setzero_si512, _mm512_sub_epi32,
};

use super::{Halves, halves, load, raw_scores, scores};
use crate::contest::{FEW_BLOCKS, Scored};
use crate::seeds::Block;

/// How many blocks make a group.
const GROUP: usize = 4;

/// How many groups make a span, at most 2^16.
const SPAN: usize = 512;

/// The upper half of each lane.
const UPPER: u32 = 0xFFFF_0000;

/// The greatest scores so far, lane by lane.
struct Greatest {
    scores: __m512i,
    places: __m512i, // where each score was first met
}

/// Returns the place of the greatest score at a position, the first of equal ones.
#[target_feature(enable = "avx512f")]
#[inline]
pub(super) fn greatest(blocks: &[Block], position: u64) -> usize {
    let position = halves(position);
    match blocks {
        [block] => greatest_of_two([block, block], position).place,
        [first, second] => greatest_of_two([first, second], position).place,
        _ if blocks.len() <= FEW_BLOCKS => greatest_of_few(blocks, position),
        _ => greatest_of_many(blocks, position),
    }
}

#[target_feature(enable = "avx512f")]
#[inline(never)]
fn greatest_of_few(blocks: &[Block], position: Halves) -> usize {
    let none = _mm512_setzero_si512();
    let mut best = Greatest { scores: none, places: none };
    let mut places = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    let (pairs, last) = blocks.as_chunks::<2>();
    for [first, second] in pairs {
        best.meet(scores(position, load([first, second])), places);
        places = _mm512_add_epi32(places, _mm512_set1_epi32(16));
    }
    if let [block] = last {
        best.meet(scores(position, load([block, block])), places);
    }
    let first = held(best.scores, _mm512_reduce_max_epu32(best.scores));
    _mm512_mask_reduce_min_epu32(first, best.places) as usize
}

impl Greatest {
    #[target_feature(enable = "avx512f")]
    #[inline]
    fn meet(&mut self, scores: __m512i, places: __m512i) {
        let better = _mm512_cmpgt_epu32_mask(scores, self.scores);
        self.places = _mm512_mask_mov_epi32(self.places, better, places);
        self.scores = _mm512_max_epu32(self.scores, scores);
    }
}

#[target_feature(enable = "avx512f")]
#[inline(never)]
fn greatest_of_many(blocks: &[Block], position: Halves) -> usize {
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
#[target_feature(enable = "avx512f")]
#[inline]
fn greatest_of_span(span: &[Block], position: Halves) -> Scored {
    let (groups, tail) = span.as_chunks::<GROUP>();
    // Lane by lane the greatest upper half and the greatest but one. Below each is the
    // number of the group that had it first, upside down.
    let (mut greatest, mut other) = (_mm512_setzero_si512(), _mm512_setzero_si512());
    let mut number = _mm512_set1_epi32(0xFFFF);
    for group in groups {
        let met = numbered(greatest_raw(group, position), number);
        other = _mm512_max_epu32(other, _mm512_min_epu32(greatest, met));
        greatest = _mm512_max_epu32(greatest, met);
        number = _mm512_sub_epi32(number, _mm512_set1_epi32(1));
    }
    if !tail.is_empty() {
        let met = numbered(greatest_raw(tail, position), number);
        other = _mm512_max_epu32(other, _mm512_min_epu32(greatest, met));
        greatest = _mm512_max_epu32(greatest, met);
    }

    let mut next = _mm512_reduce_max_epu32(greatest);
    let least = splat(next & UPPER);
    if _mm512_cmpge_epu32_mask(other, least) != 0 {
        return greatest_of_all(span, position);
    }
    let mut best = Scored::default();
    loop {
        // In place of a tail the last blocks of the span, so that there are always four.
        let first = ((!next & 0xFFFF) as usize * GROUP).min(span.len() - GROUP);
        let group = span[first..].first_chunk().expect("four blocks are left");
        best = best.or(greatest_of_group(group, position), first);
        // Other lanes with an equal upper half: their groups come later, or are the same.
        greatest = _mm512_maskz_mov_epi32(!held(greatest, next), greatest);
        if _mm512_cmpge_epu32_mask(greatest, least) == 0 {
            return best;
        }
        next = _mm512_reduce_max_epu32(greatest);
    }
}

/// The upper half of each score, and below it the number of a group.
#[target_feature(enable = "avx512f")]
#[inline]
fn numbered(raw: __m512i, number: __m512i) -> __m512i {
    _mm512_or_si512(_mm512_and_si512(raw, splat(UPPER)), number)
}

#[target_feature(enable = "avx512f")]
#[inline]
fn greatest_raw(group: &[Block], position: Halves) -> __m512i {
    let (pairs, last) = group.as_chunks::<2>();
    let mut greatest = _mm512_setzero_si512();
    for [first, second] in pairs {
        greatest = _mm512_max_epu32(greatest, raw_scores(position, load([first, second])));
    }
    if let [block] = last {
        greatest = _mm512_max_epu32(greatest, raw_scores(position, load([block, block])));
    }
    greatest
}

/// As [`greatest_of_span`], for any number of blocks, and where upper halves are too
/// often equal, or all 0.
#[target_feature(enable = "avx512f")]
#[cold]
fn greatest_of_all(span: &[Block], position: Halves) -> Scored {
    let mut best = Scored::default();
    for (number, block) in span.iter().enumerate() {
        best = best.or(greatest_of_two([block, block], position), number);
    }
    best
}

#[target_feature(enable = "avx512f")]
#[inline]
fn greatest_of_group([a, b, c, d]: &[Block; GROUP], position: Halves) -> Scored {
    let (low, high) = (scores(position, load([a, b])), scores(position, load([c, d])));
    let score = _mm512_reduce_max_epu32(_mm512_max_epu32(low, high));
    let holders = u32::from(held(low, score)) | u32::from(held(high, score)) << 16;
    Scored { score, place: holders.trailing_zeros() as usize }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn greatest_of_two(blocks: [&Block; 2], position: Halves) -> Scored {
    let scores = scores(position, load(blocks));
    let score = _mm512_reduce_max_epu32(scores);
    Scored { score, place: held(scores, score).trailing_zeros() as usize }
}

/// A bit for each lane that holds the score.
#[target_feature(enable = "avx512f")]
#[inline]
fn held(scores: __m512i, score: u32) -> __mmask16 {
    _mm512_cmpeq_epu32_mask(scores, splat(score))
}

/// The number in every lane.
#[target_feature(enable = "avx512f")]
#[inline]
fn splat(number: u32) -> __m512i {
    _mm512_set1_epi32(number.cast_signed())
}
