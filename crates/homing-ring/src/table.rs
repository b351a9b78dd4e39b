//! [`Table`], the points of a ring as they are looked up.

use alloc::boxed::Box;
use alloc::collections::BTreeSet;
use alloc::vec;

use homing_core::{Change, Error, Members, NodeId, NodeIndex, Segment, Segments};

use crate::circle::Circle;
use crate::drawn::Drawn;
use crate::lines::{INDEX_BOUND, Lines, index};
use crate::measure::Measure;
use crate::throw::{Throw, Weights};
use crate::{Config, Points, Ties};

/// The most points that a node may have where points are drawn again: a lookup
/// that lies within 2^-15 of a line of one of them makes up to as many draws.
const REDRAWN: u64 = 1 << 13;

/// The points as lines, and what tells apart those that a line cannot.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    lines: Lines,
    beside: Beside,
}

#[derive(Clone, Debug)]
enum Beside {
    /// Draws, which are made again.
    Drawn(Drawn),
    /// The points themselves. The lines are silent if there are nodes from
    /// [`INDEX_BOUND`] on.
    Kept(Kept),
}

/// Points that are kept, at their places by the measure.
#[derive(Clone, Debug)]
pub(crate) struct Kept {
    measure: Measure,
    circle: Circle,
    middles: Circle, // where what the points own ends, if neighbours decide that; else empty
}

impl Kept {
    /// Where what the points own ends.
    fn ends(&self) -> &Circle {
        if self.measure.is_mutual() { &self.middles } else { &self.circle }
    }
}

impl Table {
    /// The points of `members`.
    pub(crate) fn build(config: &Config, members: &Members) -> Result<Self, Error> {
        let Some(per_weight) = drawn_again(config, members) else {
            return Self::keep(config, members);
        };
        let mut lines = Lines::new(per_weight * members.total_weight())?;
        let mut drawn = Drawn::new(members.index_bound());
        for (index, node) in members.iter_by_index() {
            let hash = config.hash.hash(node.id.as_str().as_bytes());
            drawn.fill(&mut lines, members, index, hash, draws(per_weight, node.weight));
        }
        drawn.settle(&mut lines);
        Ok(Self { lines, beside: Beside::Drawn(drawn) })
    }

    fn keep(config: &Config, members: &Members) -> Result<Self, Error> {
        let weights: Weights<'_> =
            members.iter().map(|(_, node)| (&node.id, node.weight)).collect();
        let throw = Throw::new(config, &weights, members)?;
        let measure = Measure::new(config.max_position(), config.boundary);
        let count = throw.count();
        let mut circle = Circle::default();
        circle.reserve(count)?;
        let mut middles = Circle::default();
        if measure.is_mutual() {
            middles.reserve(count)?;
        }
        let mut lines = Lines::silent(measure.lacking());
        lines.reserve(count)?;
        throw.make(&mut circle);
        circle.sort(members, config.ties);
        if measure.is_mutual() {
            measure.part(&circle, &mut middles);
        }
        let kept = Kept { measure, circle, middles };
        lines.show(kept.ends(), members);
        Ok(Self { lines, beside: Beside::Kept(kept) })
    }

    /// Whether `changes` can be followed point by point, after which the members
    /// have `total_weight`: [`lower`](Self::lower), then [`raise`](Self::raise).
    pub(crate) fn follows(
        &self,
        config: &Config,
        members: &Members,
        weights: &Weights<'_>,
        total_weight: u64,
    ) -> bool {
        let (Beside::Drawn(_), Points::Drawn { per_weight }) = (&self.beside, &config.points)
        else {
            return false;
        };
        let per_weight = u64::from(*per_weight);
        members.index_bound() + weights.len() <= INDEX_BOUND
            && weights.values().all(|&weight| per_weight * u64::from(weight) <= REDRAWN)
            && self.lines.suit(per_weight * total_weight)
    }

    /// Drops the points that nodes lose, of those members that `weights` names.
    ///
    /// A node that `changes` remove loses all, even if it returns.
    pub(crate) fn lower(
        &mut self,
        config: &Config,
        members: &Members,
        weights: &Weights<'_>,
        changes: &[Change],
    ) {
        let (Beside::Drawn(drawn), Points::Drawn { per_weight }) =
            (&mut self.beside, &config.points)
        else {
            return;
        };
        let left: BTreeSet<&NodeId> = changes
            .iter()
            .filter_map(|change| match change {
                Change::Remove(id) => Some(id),
                _ => None,
            })
            .collect();
        for (&id, &weight) in weights {
            if let Some(index) = members.index_of(id) {
                let weight = if left.contains(id) { 0 } else { weight };
                drawn.lower(&mut self.lines, index, draws(u64::from(*per_weight), weight));
            }
        }
    }

    /// Adds the points that nodes gain, of those that `weights` names; `members`
    /// are those after the change.
    pub(crate) fn raise(&mut self, config: &Config, members: &Members, weights: &Weights<'_>) {
        let (Beside::Drawn(drawn), Points::Drawn { per_weight }) =
            (&mut self.beside, &config.points)
        else {
            return;
        };
        for (&id, &weight) in weights.iter().filter(|&(_, &weight)| weight > 0) {
            let index = members.index_of(id).expect("a node that has points is a member");
            let hash = config.hash.hash(id.as_str().as_bytes());
            let count = draws(u64::from(*per_weight), weight);
            drawn.raise(&mut self.lines, members, index, hash, count);
        }
        drawn.truncate(members.index_bound());
    }

    /// Replaces the points of the nodes that `weights` names, where
    /// [`follows`](Self::follows) says no.
    pub(crate) fn replace(
        &mut self,
        config: &Config,
        before: &Members,
        after: &Members,
        weights: &Weights<'_>,
    ) -> Result<(), Error> {
        let Beside::Kept(kept) = &mut self.beside else {
            *self = Self::build(config, after)?;
            return Ok(());
        };
        if drawn_again(config, after).is_some() {
            *self = Self::build(config, after)?;
            return Ok(());
        }
        let mut gone = vec![false; before.index_bound()];
        for index in weights.keys().filter_map(|id| before.index_of(id)) {
            gone[index.get()] = true;
        }
        let throw = Throw::new(config, weights, after)?;
        let Kept { measure, circle, middles } = kept;
        let count = throw.count();
        let mut new = Circle::default();
        new.reserve(count)?;
        let all = (circle.len() - circle.count(&gone)) as u64 + count;
        circle.reserve(all)?;
        self.lines.reserve(all)?;
        if measure.is_mutual() {
            middles.reserve(all)?;
        }

        // From here on nothing can fail.
        throw.make(&mut new);
        new.sort(after, config.ties);
        circle.drop_points(&gone);
        circle.merge(&new, after, config.ties);
        if measure.is_mutual() {
            middles.clear();
            measure.part(circle, middles);
        }
        self.lines.show(kept.ends(), after);
        Ok(())
    }

    /// The owner of a position.
    #[inline]
    pub(crate) fn owner(&self, position: u64) -> NodeIndex {
        match self.lines.owner(position) {
            0 => self.owner_beside(position),
            code => index(code),
        }
    }

    #[cold]
    #[inline(never)]
    fn owner_beside(&self, position: u64) -> NodeIndex {
        let place = self.lines.widened(position);
        match &self.beside {
            Beside::Drawn(drawn) => index(drawn.owner(&self.lines, place)),
            Beside::Kept(kept) => kept.ends().owner(place),
        }
    }

    /// Brings near what [`owner`](Self::owner) will read.
    #[inline]
    pub(crate) fn prefetch(&self, position: u64) {
        self.lines.prefetch(position);
    }

    /// The nodes as a walk from a position upwards and once around meets them,
    /// each as often as it has points; of nodes that share a kept one the first only, if
    /// the point is its `alone`.
    pub(crate) fn from(&self, position: u64, alone: bool) -> impl Iterator<Item = NodeIndex> {
        let place = self.lines.widened(position);
        match &self.beside {
            Beside::Drawn(drawn) => Either::This(drawn.from(&self.lines, place)),
            Beside::Kept(kept) => Either::That(kept.ends().from(place, alone)),
        }
    }

    /// The distinct points in ascending order, each with the node that has it.
    pub(crate) fn points(&self) -> impl Iterator<Item = (u64, NodeIndex)> {
        match &self.beside {
            Beside::Drawn(drawn) => Either::This(drawn.circle(&self.lines).into_distinct()),
            Beside::Kept(Kept { measure, circle, .. }) => {
                let points = circle.distinct(measure.wraps());
                Either::That(points.map(|(place, owner)| (measure.point(place), owner)))
            }
        }
    }

    /// The runs of positions with one owner, up to the greatest position.
    pub(crate) fn segments(&self) -> Segments<'_> {
        let segment = |(last, owner)| Segment { last, owner: Some(owner) };
        match &self.beside {
            Beside::Drawn(drawn) => {
                let circle = drawn.circle(&self.lines);
                let above = self.above(u64::MAX, circle.greatest());
                Box::new(circle.into_distinct().map(segment).chain(above))
            }
            Beside::Kept(kept) => {
                let measure = kept.measure;
                let above = self.above(measure.max(), measure.position(kept.ends().greatest()));
                let ends = kept.ends().ascending();
                let ends =
                    ends.map(move |(place, owner)| segment((measure.position(place), owner)));
                Box::new(ends.chain(above))
            }
        }
    }

    /// The run up to the greatest position, where that is not the end of another.
    fn above(&self, max: u64, end: u64) -> Option<Segment> {
        (end < max).then(|| Segment { last: max, owner: Some(self.owner(max)) })
    }

    pub(crate) fn memory_usage(&self) -> usize {
        let beside = match &self.beside {
            Beside::Drawn(drawn) => drawn.memory_usage(),
            Beside::Kept(kept) => kept.circle.memory_usage() + kept.middles.memory_usage(),
        };
        self.lines.memory_usage() + beside
    }
}

/// One of two iterators.
pub(crate) enum Either<A, B> {
    This(A),
    That(B),
}

impl<T, A: Iterator<Item = T>, B: Iterator<Item = T>> Iterator for Either<A, B> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        match self {
            Self::This(this) => this.next(),
            Self::That(that) => that.next(),
        }
    }
}

/// The draws a weight unit, if the points are draws that can be made again: no
/// node has more than [`REDRAWN`], and lines can name all.
fn drawn_again(config: &Config, members: &Members) -> Option<u64> {
    let Points::Drawn { per_weight } = config.points else { return None };
    let plain = Measure::new(config.max_position(), config.boundary).is_plain();
    if !plain || config.ties != Ties::LeastId {
        return None;
    }
    let per_weight = u64::from(per_weight);
    let few = |weight: u32| per_weight * u64::from(weight) <= REDRAWN;
    let again = members.index_bound() <= INDEX_BOUND
        && members.iter_by_index().all(|(_, node)| few(node.weight));
    again.then_some(per_weight)
}

fn draws(per_weight: u64, weight: u32) -> u32 {
    u32::try_from(per_weight * u64::from(weight)).expect("a ring has at most 2^32 - 1 points")
}
