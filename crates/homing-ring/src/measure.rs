//! [`Measure`], how the points of a circle of fewer bits, and what they own, lie on
//! one of 64.

use crate::Boundary;
use crate::circle::Circle;

/// How points lie on a circle of 64 bits.
///
/// A position of B bits is a block of 2^(64 - B) there. It is looked up at the
/// first place of its block, and what a point owns ends at the last place of a
/// block: so "at or after" is all that a lookup knows.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Measure {
    boundary: Boundary,
    lacking: u32, // 64 - B
}

impl Measure {
    /// Of positions up to `max`, one less than a power of two.
    pub(crate) fn new(max: u64, boundary: Boundary) -> Self {
        Self { boundary, lacking: max.leading_zeros() }
    }

    /// Whether points lie where they are.
    pub(crate) fn is_plain(self) -> bool {
        self.boundary == Boundary::AtOrAfter && self.lacking == 0
    }

    /// Whether where the territory of a point ends depends on its neighbours.
    pub(crate) fn is_mutual(self) -> bool {
        self.boundary == Boundary::Nearest
    }

    /// How many bits a position lacks.
    pub(crate) fn lacking(self) -> u32 {
        self.lacking
    }

    /// The last place that a point owns, or has where neighbours decide that.
    pub(crate) fn place(self, point: u64) -> u64 {
        let last = match self.boundary {
            // The greatest position comes before 0.
            Boundary::After => point.wrapping_sub(1) & self.max(),
            Boundary::AtOrAfter | Boundary::Nearest => point,
        };
        last << self.lacking | self.rest()
    }

    /// The point whose [`place`](Self::place) this is.
    pub(crate) fn point(self, place: u64) -> u64 {
        match self.boundary {
            Boundary::After => (place >> self.lacking).wrapping_add(1) & self.max(),
            Boundary::AtOrAfter | Boundary::Nearest => place >> self.lacking,
        }
    }

    /// The place of the least point where it does not come first.
    pub(crate) fn wraps(self) -> Option<u64> {
        (self.boundary == Boundary::After).then_some(u64::MAX)
    }

    /// The position in whose block a place is.
    pub(crate) fn position(self, place: u64) -> u64 {
        place >> self.lacking
    }

    /// The greatest position.
    pub(crate) fn max(self) -> u64 {
        u64::MAX >> self.lacking
    }

    /// All but the first place of a block.
    fn rest(self) -> u64 {
        u64::MAX.checked_shr(64 - self.lacking).unwrap_or(0)
    }

    /// Where the territory of each point of `circle` ends, in order, where neighbours
    /// decide that: in the middle to the next one around. Points that coincide end
    /// together.
    ///
    /// Needs no memory where `middles` is empty and has room for as many.
    pub(crate) fn part(self, circle: &Circle, middles: &mut Circle) {
        let mut points = circle.iter().map(|(place, _)| self.point(place));
        let (Some(first), Some(last)) = (points.next(), points.next_back()) else {
            // One point owns all, wherever that begins.
            circle.iter().for_each(|(place, owner)| middles.push(place, owner));
            return;
        };
        let all = u128::from(self.max()) + 1;
        let mut after = (last, u128::from(first) + all); // a point, and the one after it
        let mut beyond = 0; // how many end above the greatest position: from 0 on
        for (place, owner) in circle.iter().rev() {
            let point = self.point(place);
            if point != after.0 {
                after = (point, after.0.into());
            }
            let middle = u128::midpoint(point.into(), after.1);
            beyond += usize::from(middle >= all);
            #[expect(clippy::cast_possible_truncation, reason = "a remainder of 2^64 at most")]
            middles.push(((middle % all) as u64) << self.lacking | self.rest(), owner);
        }
        middles.turn(beyond);
    }
}
