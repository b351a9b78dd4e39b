//! [`Plan`]: what moves between two layouts, exactly.

use alloc::vec::Vec;

use crate::segment::{Buffered, fraction};
use crate::{NodeIndex, Placement};

/// A run of positions that changes its owner.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Move {
    /// The least position of the run, inclusive.
    pub first: u64,
    /// The greatest position of the run, inclusive.
    pub last: u64,
    /// The owner before, by its index in the layout before.
    pub from: Option<NodeIndex>,
    /// The owner after, by its index in the layout after.
    pub to: Option<NodeIndex>,
}

/// Every move from one layout to another, in ascending order of position.
///
/// Ownership is not data: a plan says what has to be copied, and copies nothing.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Plan {
    moves: Vec<Move>, // ascending, apart; neighbours that touch differ in from or to
    positions: u128,  // how many there are, 1..=2^64
}

impl Plan {
    /// What moves from `before` to `after`; owners are the same if their ids are.
    ///
    /// `None` unless both have segments and give every key the same position
    /// ([`Placement::keying`]). Takes time in proportion to the segments of both.
    pub fn between(before: &dyn Placement, after: &dyn Placement) -> Option<Self> {
        if before.keying() != after.keying() {
            return None;
        }
        let stays = before.members().matched_in(after.members());
        let same = |from: Option<NodeIndex>, to: Option<NodeIndex>| match from {
            Some(from) => to.is_some() && stays[from.get()] == to,
            None => to.is_none(),
        };
        let mut olds = Buffered::new(before.segments()?);
        let mut news = Buffered::new(after.segments()?);
        let mut moves: Vec<Move> = Vec::new();
        let mut first = 0;
        loop {
            let (old, new) = (olds.left(), news.left());
            let alike = old
                .iter()
                .zip(new)
                .take_while(|(old, new)| old.last == new.last && same(old.owner, new.owner));
            let alike = alike.count();
            if alike > 0 {
                // Both end at the greatest position, so an overflow ends the loop.
                first = old[alike - 1].last.wrapping_add(1);
                olds.skip(alike);
                news.skip(alike);
                continue;
            }
            let (Some(&old), Some(&new)) = (old.first(), new.first()) else { break };
            let (from, to, last) = (old.owner, new.owner, old.last.min(new.last));
            if !same(from, to) {
                push(&mut moves, Move { first, last, from, to });
            }
            if old.last == last {
                olds.skip(1);
            }
            if new.last == last {
                news.skip(1);
            }
            first = last.wrapping_add(1);
        }
        Some(Self { moves, positions: u128::from(before.max_position()) + 1 })
    }

    /// The moves, in ascending order of position; runs that touch and go the
    /// same way are one.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The part of all positions that moves, in `0..=1`.
    #[must_use]
    pub fn fraction(&self) -> f64 {
        let moved = self.moves.iter().map(Move::positions).sum();
        fraction(moved, self.positions)
    }
}

impl Move {
    /// How many positions the run has, in `1..=2^64`.
    #[must_use]
    pub fn positions(&self) -> u128 {
        u128::from(self.last - self.first) + 1
    }
}

fn push(moves: &mut Vec<Move>, next: Move) {
    if let Some(run) = moves.last_mut() {
        let touches = run.last.checked_add(1) == Some(next.first);
        if touches && run.from == next.from && run.to == next.to {
            run.last = next.last;
            return;
        }
    }
    moves.push(next);
}
