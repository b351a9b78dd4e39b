//! [`Segment`]: a layout as runs of positions, and the exact [`shares`] they give.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::{NodeIndex, Placement};

/// A run of positions with one owner, `(previous.last, last]`.
///
/// The first segment of a layout starts at position 0, inclusive.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Segment {
    /// The greatest position of the run, inclusive.
    pub last: u64,
    /// Who owns it, or `None` where nobody does.
    pub owner: Option<NodeIndex>,
}

/// The segments of a layout, in ascending order of position.
///
/// The last one ends at [`Placement::max_position`]. Neighbours may have the
/// same owner. An iterator, which also hands out [blocks](SegmentBlocks).
pub type Segments<'a> = Box<dyn SegmentBlocks + 'a>;

/// Segments, many for one virtual call.
///
/// Implemented for every iterator of segments; there is nothing to write.
pub trait SegmentBlocks: Iterator<Item = Segment> {
    /// Writes the next segments to the front of `block`, and returns how many:
    /// fewer than it holds only at the end.
    fn fill(&mut self, block: &mut [Segment]) -> usize;
}

impl<I: Iterator<Item = Segment>> SegmentBlocks for I {
    #[inline]
    fn fill(&mut self, block: &mut [Segment]) -> usize {
        let mut count = 0;
        let mut places = block.iter_mut();
        // The place is had before the segment, so that none is taken in vain.
        let Some(mut place) = places.next() else { return 0 };
        let _ = self.try_for_each(|segment| {
            *place = segment;
            count += 1;
            place = places.next()?;
            Some(())
        });
        count
    }
}

/// The segments of a layout, out of blocks.
pub(crate) struct Buffered<'a> {
    segments: Segments<'a>,
    block: [Segment; BLOCK],
    left: Range<usize>, // of `block`
    ended: bool,        // whether there are no more; not every iterator says so twice
}

/// How many segments are had at a time: few enough for two blocks to stay in the first cache.
const BLOCK: usize = 128;

impl<'a> Buffered<'a> {
    pub(crate) fn new(segments: Segments<'a>) -> Self {
        Self {
            segments,
            block: [Segment { last: 0, owner: None }; BLOCK],
            left: 0..0,
            ended: false,
        }
    }

    /// Some of the next segments; none only at the end.
    #[inline]
    pub(crate) fn left(&mut self) -> &[Segment] {
        if self.left.is_empty() && !self.ended {
            self.left = 0..(*self.segments).fill(&mut self.block);
            self.ended = self.left.len() < BLOCK;
        }
        &self.block[self.left.clone()]
    }

    /// Goes on after `count` of those left.
    #[inline]
    pub(crate) fn skip(&mut self, count: usize) {
        self.left.start += count;
    }
}

/// The share of each node, of all positions, in `0..=1`.
///
/// By index, freed indices 0; the entries add up to less than 1 where positions
/// have no owner. Exact to the rounding of the last division. `None` if the
/// family has no segments.
pub fn shares<P: Placement + ?Sized>(placement: &P) -> Option<Vec<f64>> {
    let segments = placement.segments()?;
    let mut owned = vec![0_u128; placement.members().index_bound()];
    let mut first = 0_u128;
    for segment in segments {
        let next = u128::from(segment.last) + 1;
        if let Some(owner) = segment.owner {
            owned[owner.get()] += next - first;
        }
        first = next;
    }
    let all = u128::from(placement.max_position()) + 1;
    Some(owned.into_iter().map(|owned| fraction(owned, all)).collect())
}

/// `part / all` as an f64.
#[expect(clippy::cast_precision_loss, reason = "a fraction is good to 53 bits")]
pub(crate) fn fraction(part: u128, all: u128) -> f64 {
    part as f64 / all as f64
}
