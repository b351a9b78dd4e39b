//! [`Lines`], the points of a ring in lines of 64 bytes, one of which answers a
//! lookup.

use alloc::vec::Vec;

use homing_core::{Error, Members, NodeIndex};

use crate::circle::Circle;
use crate::lanes::{HELD, LANES, Lanes, below, prefetch, shift_down, shift_up};

/// Points a hundred lines, in a layout as it is built: 10.3 bytes a point, and
/// fewer than one line in a thousand that overflows.
const LOAD: u64 = 620;

/// Points a hundred lines that changes in place keep between.
const LOADS: core::ops::RangeInclusive<u64> = 400..=750;

/// The least fraction; the greatest is below `i16::MAX`.
const FIRST: i16 = -0x4000;

/// The count of a line that has more points than it holds.
const OVERFLOW: i16 = 16; // one more than `HELD`

/// An index and one more; 0 is none.
pub(crate) type Code = u16;

/// A node that a line can name is below this index.
pub(crate) const INDEX_BOUND: usize = Code::MAX as usize;

/// The points in one part of the circle, by the first 15 bits of where in that
/// part they lie.
///
/// A line of more than 15 points holds none of them, and names no owner.
// 16 bits would halve the ties, but leave no number below the least fraction and none
// above the greatest: a search would take two more instructions.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Line {
    lanes: Lanes<i16>, // the fractions in order, then `i16::MAX`; and the count or `OVERFLOW`
    owners: Lanes<Code>, // of the points; after them the owner of the next line's first
}

/// The line of a position, and the fraction of it at which the position lies.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Cell {
    pub(crate) line: usize,
    pub(crate) fraction: i16, // of 32,768 in order, from `FIRST`
}

/// Lines that part the circle evenly.
///
/// Points lie on a circle of 64 bits. A position that is looked up may have fewer:
/// it lies where its bits lead.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) struct Lines {
    parts: Vec<Line>, // at least one
    scale: u64,       // their number, times two for each bit that a position lacks
    lacking: u32,     // how many bits a position lacks, less than 64
}

impl Line {
    const EMPTY: Self = Self::filled(0, 0);
    const OVERFLOWING: Self = Self::filled(OVERFLOW, 0);

    const fn filled(count: i16, owner: Code) -> Self {
        let mut lanes = [i16::MAX; HELD + 1];
        lanes[HELD] = count;
        Self { lanes: Lanes(lanes), owners: Lanes([owner; LANES]) }
    }

    /// How many points the line has, or `None` if it overflows.
    #[inline]
    pub(crate) fn count(&self) -> Option<usize> {
        usize::try_from(self.lanes.0[HELD]).ok().filter(|&count| count <= HELD)
    }

    /// The place of the first point that is not below a fraction, at most the
    /// count.
    #[inline]
    pub(crate) fn search(&self, fraction: i16) -> usize {
        below(&self.lanes, fraction)
    }

    /// Whether the place is that of a point with a fraction.
    #[inline]
    pub(crate) fn has(&self, at: usize, fraction: i16) -> bool {
        at < HELD && self.lanes.0[at] == fraction
    }

    /// The owners of the points that the line holds.
    #[inline]
    pub(crate) fn owners(&self) -> &[Code] {
        &self.owners.0[..self.count().unwrap_or(0)]
    }

    /// The owner of what follows the points.
    pub(crate) fn next(&self) -> Code {
        self.owners.0[HELD]
    }

    /// The places of the points with a fraction.
    #[inline]
    pub(crate) fn run(&self, fraction: i16) -> core::ops::Range<usize> {
        let first = self.search(fraction);
        let points = &self.lanes.0[first..HELD];
        first..first + points.iter().take_while(|&&lane| lane == fraction).count()
    }

    /// Puts a point at a place. There is room for it.
    #[inline]
    pub(crate) fn insert(&mut self, at: usize, fraction: i16, owner: Code) {
        let count = self.lanes.0[HELD];
        shift_up(&mut self.lanes, at, fraction);
        self.lanes.0[HELD] = count + 1;
        shift_up(&mut self.owners, at, owner);
    }

    /// Takes the point at a place away.
    #[inline]
    pub(crate) fn remove(&mut self, at: usize) {
        let count = core::mem::replace(&mut self.lanes.0[HELD], i16::MAX);
        shift_down(&mut self.lanes, at, count - 1);
        let next = self.next();
        shift_down(&mut self.owners, at, next);
    }

    /// Gives all points away.
    pub(crate) fn overflow(&mut self) {
        *self = Self::OVERFLOWING;
    }

    /// Takes points in order, at most 15, that it had given away.
    pub(crate) fn hold(&mut self, points: impl Iterator<Item = (i16, Code)>) {
        *self = Self::EMPTY;
        for (at, (fraction, owner)) in points.enumerate() {
            self.insert(at, fraction, owner);
        }
    }

    /// Says who owns what follows the points. Nothing to say where they overflow.
    #[inline]
    pub(crate) fn continue_with(&mut self, next: Code) {
        if let Some(count) = self.count() {
            self.owners.0[count..].fill(next);
        }
    }
}

impl Lines {
    /// Empty lines for `points` points, and for positions of 64 bits.
    pub(crate) fn new(points: u64) -> Result<Self, Error> {
        let mut lines = Self::silent(0);
        lines.reserve(points)?;
        lines.parts.clear();
        lines.parts.resize(count_for(points), Line::EMPTY);
        lines.rescale();
        Ok(lines)
    }

    /// A line that names no owner, for positions that lack `lacking` bits.
    pub(crate) fn silent(lacking: u32) -> Self {
        let mut lines = Self { parts: alloc::vec![Line::OVERFLOWING], scale: 0, lacking };
        lines.rescale();
        lines
    }

    fn rescale(&mut self) {
        self.scale = (self.parts.len() as u64) << self.lacking;
    }

    /// Shows the points of a circle, or nothing if they have owners from
    /// [`INDEX_BOUND`] on. Needs no memory once there is room for the points.
    pub(crate) fn show(&mut self, circle: &Circle, members: &Members) {
        self.parts.clear();
        if members.index_bound() > INDEX_BOUND {
            self.parts.push(Line::OVERFLOWING);
            self.rescale();
            return;
        }
        self.parts.resize(count_for(circle.len() as u64), Line::EMPTY);
        self.rescale();
        let mut next = circle.iter().next().map_or(0, |(_, owner)| code(owner));
        let mut points = circle.iter().rev().peekable();
        let mut held: Vec<(i16, Code)> = Vec::with_capacity(HELD);
        for line in (0..self.len()).rev() {
            held.clear();
            let mut to = Line::filled(0, next);
            while let Some((position, owner)) =
                points.next_if(|&(position, _)| self.cell(position).line == line)
            {
                next = code(owner);
                if held.len() < HELD {
                    held.push((self.cell(position).fraction, next));
                } else {
                    to = Line::OVERFLOWING;
                }
            }
            if to.count().is_some() {
                for (at, &(fraction, owner)) in held.iter().rev().enumerate() {
                    to.insert(at, fraction, owner);
                }
            }
            self.parts[line] = to;
        }
    }

    /// Makes room for the lines that `points` points need.
    pub(crate) fn reserve(&mut self, points: u64) -> Result<(), Error> {
        let more = count_for(points).saturating_sub(self.len());
        self.parts.try_reserve_exact(more).map_err(|_| {
            Error::parameter(
                "points",
                alloc::format!("{points} in all"),
                "few enough to fit in memory at 11 bytes each",
            )
        })
    }

    /// As many lines, without points.
    #[cfg(test)]
    pub(crate) fn emptied(&self) -> Self {
        Self { parts: alloc::vec![Line::EMPTY; self.len()], ..*self }
    }

    /// Whether as many points may be kept in these lines.
    pub(crate) fn suit(&self, points: u64) -> bool {
        let lines = self.len() as u64;
        count_for(points) as u64 == lines || LOADS.contains(&(points.saturating_mul(100) / lines))
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.parts.len()
    }

    /// Where a point lies.
    #[inline]
    pub(crate) fn cell(&self, point: u64) -> Cell {
        Self::cell_of(point, self.len() as u64)
    }

    /// Where a position lies that is looked up, of as many bits as it has.
    #[inline]
    fn looked_up(&self, position: u64) -> Cell {
        Self::cell_of(position, self.scale)
    }

    #[inline]
    fn cell_of(position: u64, scale: u64) -> Cell {
        let scaled = u128::from(position) * u128::from(scale);
        #[expect(clippy::cast_possible_truncation, reason = "the quotient is below `len`")]
        let line = (scaled >> 64) as usize;
        #[expect(clippy::cast_possible_truncation, reason = "the rest, and its first 15 bits")]
        let fraction = (scaled as u64 >> 49) as u16;
        Cell { line, fraction: fraction.cast_signed() + FIRST }
    }

    #[inline]
    pub(crate) fn line(&self, line: usize) -> &Line {
        &self.parts[line]
    }

    #[inline]
    pub(crate) fn line_mut(&mut self, line: usize) -> &mut Line {
        &mut self.parts[line]
    }

    /// Returns the owner of a position, or 0 if the line does not tell: the
    /// position has the fraction of a point, or the line overflows.
    #[inline]
    pub(crate) fn owner(&self, position: u64) -> Code {
        let cell = self.looked_up(position);
        let line = self.line(cell.line);
        let at = line.search(cell.fraction);
        if line.lanes.0[at] == cell.fraction { 0 } else { line.owners.0[at] }
    }

    /// Brings the line of a position near that is looked up.
    #[inline]
    pub(crate) fn prefetch(&self, position: u64) {
        prefetch(&self.parts, self.looked_up(position).line);
    }

    /// Where a position that is looked up lies on the circle of 64 bits.
    pub(crate) fn widened(&self, position: u64) -> u64 {
        position << self.lacking
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.parts.capacity() * size_of::<Line>()
    }
}

pub(crate) fn code(owner: NodeIndex) -> Code {
    Code::try_from(owner.get() + 1).expect("the nodes in lines are below their bound")
}

/// The index behind a code that is not 0.
#[inline]
pub(crate) fn index(code: Code) -> NodeIndex {
    NodeIndex::new(usize::from(code).wrapping_sub(1))
}

#[expect(clippy::cast_possible_truncation, reason = "there are at most 2^32 - 1 points")]
fn count_for(points: u64) -> usize {
    (points * 100).div_ceil(LOAD).max(1) as usize
}
