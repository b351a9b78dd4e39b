//! [`Circle`], the points of a ring in order.

use alloc::vec::Vec;
use core::cmp::Ordering;

use homing_core::{Error, Members, NodeIndex};

use crate::config::Ties;
use crate::search::successor;

/// Up to this many points are sorted by insertion.
const FEW: usize = 32;

/// Every point of every node, those that coincide included: a node that leaves
/// gives the position back to who is next in line.
///
/// Two arrays and nothing else, 12 bytes a point: sorting and merging are done
/// in place.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Circle {
    positions: Vec<u64>,    // ascending, but while points are added
    owners: Vec<NodeIndex>, // owners[i] has positions[i]; where points coincide, in order of `Ties`
}

/// Of points in ascending order, the first at each position.
#[derive(Debug)]
pub(crate) struct Distinct<P> {
    points: P,
    last: u64, // the position handed out last; at first one that comes not next
}

impl Circle {
    /// Points that are in order.
    pub(crate) fn in_order(positions: Vec<u64>, owners: Vec<NodeIndex>) -> Self {
        Self { positions, owners }
    }

    /// Makes room for `count` points in all, so that adding them cannot fail.
    pub(crate) fn reserve(&mut self, count: u64) -> Result<(), Error> {
        let more = usize::try_from(count).ok().map(|count| count.saturating_sub(self.len()));
        let room = more.is_some_and(|more| {
            self.positions.try_reserve_exact(more).is_ok()
                && self.owners.try_reserve_exact(more).is_ok()
        });
        if room {
            return Ok(());
        }
        Err(Error::parameter(
            "points",
            alloc::format!("{count} in all"),
            "few enough to fit in memory at 12 bytes each",
        ))
    }

    pub(crate) fn push(&mut self, position: u64, owner: NodeIndex) {
        self.positions.push(position);
        self.owners.push(owner);
    }

    pub(crate) fn len(&self) -> usize {
        self.positions.len()
    }

    /// Drops all points.
    pub(crate) fn clear(&mut self) {
        self.positions.clear();
        self.owners.clear();
    }

    /// How many points belong to nodes that `gone` marks, by index.
    pub(crate) fn count(&self, gone: &[bool]) -> usize {
        self.owners.iter().filter(|owner| gone[owner.get()]).count()
    }

    /// Turns the order of the points round, and moves the last `count` to the front.
    pub(crate) fn turn(&mut self, count: usize) {
        self.positions.reverse();
        self.owners.reverse();
        self.positions.rotate_right(count);
        self.owners.rotate_right(count);
    }

    /// The owner of a position. There is at least one point.
    pub(crate) fn owner(&self, position: u64) -> NodeIndex {
        self.owners[successor(&self.positions, position)]
    }

    /// The nodes as a walk from a position upwards and once around meets them,
    /// each as often as it has points; of nodes that share one the first only, if the
    /// point is its `alone`.
    pub(crate) fn from(&self, position: u64, alone: bool) -> impl Iterator<Item = NodeIndex> {
        let first = successor(&self.positions, position);
        let shared = move |&i: &usize| alone && i > 0 && self.positions[i] == self.positions[i - 1];
        let places = (first..self.owners.len()).chain(0..first);
        places.filter(move |i| !shared(i)).map(|i| self.owners[i])
    }

    /// Every point in ascending order, those that coincide included.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, NodeIndex)> {
        self.positions.iter().copied().zip(self.owners.iter().copied())
    }

    /// The distinct points, each with the node that has it, in ascending order; but
    /// those at `first` come first, if they are the greatest.
    pub(crate) fn distinct(
        &self,
        first: Option<u64>,
    ) -> Distinct<impl Iterator<Item = (u64, NodeIndex)>> {
        let at = match first {
            Some(first) => self.positions.partition_point(|&position| position < first),
            None => 0,
        };
        let points = self.iter().skip(at).chain(self.iter().take(at));
        let next = self.positions.get(at).or(self.positions.first());
        Distinct { points, last: next.map_or(0, |next| !next) }
    }

    /// [`distinct`](Self::distinct) in ascending order throughout, with less to do for
    /// each point.
    pub(crate) fn ascending(&self) -> Distinct<impl Iterator<Item = (u64, NodeIndex)>> {
        let last = self.positions.first().map_or(0, |first| !first);
        Distinct { points: self.iter(), last }
    }

    /// [`distinct`](Self::distinct), of a circle that is there for nothing else.
    pub(crate) fn into_distinct(self) -> Distinct<impl Iterator<Item = (u64, NodeIndex)>> {
        let last = self.positions.first().map_or(0, |first| !first);
        Distinct { points: self.positions.into_iter().zip(self.owners), last }
    }

    /// The greatest position of a point. There is at least one.
    pub(crate) fn greatest(&self) -> u64 {
        self.positions.last().copied().unwrap_or(u64::MAX)
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.positions.capacity() * size_of::<u64>()
            + self.owners.capacity() * size_of::<NodeIndex>()
    }

    /// Brings the points in order; coinciding ones as `ties` says.
    pub(crate) fn sort(&mut self, members: &Members, ties: Ties) {
        sort(&mut self.positions, &mut self.owners, 0, &order(members, ties));
    }

    /// Drops the points of the nodes that `gone` marks, by index.
    pub(crate) fn drop_points(&mut self, gone: &[bool]) {
        let mut kept = 0;
        for i in 0..self.len() {
            if !gone[self.owners[i].get()] {
                self.positions[kept] = self.positions[i];
                self.owners[kept] = self.owners[i];
                kept += 1;
            }
        }
        self.positions.truncate(kept);
        self.owners.truncate(kept);
    }

    /// Takes in the points of `new`, which are in order too, from the greatest down.
    pub(crate) fn merge(&mut self, new: &Self, members: &Members, ties: Ties) {
        let order = order(members, ties);
        let (mut old, mut new_left) = (self.len(), new.len());
        self.positions.extend_from_slice(&new.positions);
        self.owners.extend_from_slice(&new.owners);
        while old > 0 && new_left > 0 {
            let to = old + new_left - 1;
            let (was, is) = (old - 1, new_left - 1);
            let ordering = self.positions[was]
                .cmp(&new.positions[is])
                .then_with(|| order(self.owners[was], new.owners[is]));
            if ordering == Ordering::Greater {
                self.positions[to] = self.positions[was];
                self.owners[to] = self.owners[was];
                old = was;
            } else {
                self.positions[to] = new.positions[is];
                self.owners[to] = new.owners[is];
                new_left = is;
            }
        }
        self.positions[..new_left].copy_from_slice(&new.positions[..new_left]);
        self.owners[..new_left].copy_from_slice(&new.owners[..new_left]);
    }
}

impl<P: Iterator<Item = (u64, NodeIndex)>> Iterator for Distinct<P> {
    type Item = (u64, NodeIndex);

    #[inline]
    fn next(&mut self) -> Option<(u64, NodeIndex)> {
        let last = self.last;
        let (position, owner) = self.points.find(|&(position, _)| position != last)?;
        self.last = position;
        Some((position, owner))
    }
}

/// The order of nodes whose points coincide: the first has the position.
fn order(members: &Members, ties: Ties) -> impl Fn(NodeIndex, NodeIndex) -> Ordering {
    move |a, b| match ties {
        Ties::LeastId => members[a].id.cmp(&members[b].id),
        Ties::LowestIndex => a.cmp(&b),
        Ties::HighestIndex => b.cmp(&a),
    }
}

/// Sorts points by position, then by `order`, without memory of its own: they
/// are swapped into 256 heaps by byte `at` of the position, counted from the
/// most significant, and each heap is sorted by the bytes after it.
// Source: Peter M. McIlroy, Keith Bostic, M. Douglas McIlroy, "Engineering Radix
// Sort", Computing Systems, 1993, "American flag sort".
fn sort(
    positions: &mut [u64],
    owners: &mut [NodeIndex],
    at: usize,
    order: &impl Fn(NodeIndex, NodeIndex) -> Ordering,
) {
    if positions.len() <= FEW {
        return insert(positions, owners, order);
    }
    if at == size_of::<u64>() {
        // All positions are equal.
        return owners.sort_unstable_by(|&a, &b| order(a, b));
    }
    let heap = |position: u64| usize::from(position.to_be_bytes()[at]);
    let mut ends = [0; 256];
    for &position in &*positions {
        ends[heap(position)] += 1;
    }
    let mut next = [0; 256]; // of each heap, the first place not known to be right
    let mut start = 0;
    for (next, end) in next.iter_mut().zip(&mut ends) {
        *next = start;
        start += *end;
        *end = start;
    }
    for own in 0..256 {
        while next[own] < ends[own] {
            let to = heap(positions[next[own]]);
            positions.swap(next[own], next[to]);
            owners.swap(next[own], next[to]);
            next[to] += 1;
        }
    }
    let mut start = 0;
    for end in ends {
        sort(&mut positions[start..end], &mut owners[start..end], at + 1, order);
        start = end;
    }
}

fn insert(
    positions: &mut [u64],
    owners: &mut [NodeIndex],
    order: &impl Fn(NodeIndex, NodeIndex) -> Ordering,
) {
    for i in 1..positions.len() {
        let (position, owner) = (positions[i], owners[i]);
        let mut to = i;
        while to > 0
            && (positions[to - 1] > position
                || positions[to - 1] == position && order(owners[to - 1], owner).is_gt())
        {
            positions[to] = positions[to - 1];
            owners[to] = owners[to - 1];
            to -= 1;
        }
        positions[to] = position;
        owners[to] = owner;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homing_core::mix64;

    /// Ids in the opposite order of their indices.
    fn members() -> Members {
        Members::named(["d", "c", "b", "a"]).unwrap()
    }

    /// `count` points in a range of `range` positions, the nodes in turn.
    fn thrown(count: u64, range: u64) -> Vec<(u64, usize)> {
        (0..count).map(|i| (mix64(i) % range, usize::try_from(i % 4).unwrap())).collect()
    }

    fn circle(points: &[(u64, usize)]) -> Circle {
        let mut circle = Circle::default();
        for &(position, owner) in points {
            circle.push(position, NodeIndex::new(owner));
        }
        circle.sort(&members(), Ties::LeastId);
        circle
    }

    fn pairs(circle: &Circle) -> Vec<(u64, usize)> {
        let owners = circle.owners.iter().map(|owner| owner.get());
        circle.positions.iter().copied().zip(owners).collect()
    }

    /// By position, then by id, by the sort of the standard library.
    fn sorted(mut points: Vec<(u64, usize)>) -> Vec<(u64, usize)> {
        points.sort_by_key(|&(position, owner)| (position, core::cmp::Reverse(owner)));
        points
    }

    #[test]
    fn points_are_sorted_by_position_then_id() {
        // Up to 2,000 points on one position take all eight rounds.
        for range in [1, 2, 50, 1_000, 1 << 20, u64::MAX] {
            for count in [1, 2, 32, 33, 2_000] {
                let points = thrown(count, range);
                assert_eq!(pairs(&circle(&points)), sorted(points), "{count} in {range}");
            }
        }
    }

    #[test]
    fn merging_gives_what_sorting_all_gives() {
        for range in [1, 50, u64::MAX] {
            for (old, new) in [(0, 9), (9, 0), (1, 100), (100, 1), (300, 300)] {
                let all = thrown(old + new, range);
                let (first, second) = all.split_at(usize::try_from(old).unwrap());
                let mut merged = circle(first);
                merged.merge(&circle(second), &members(), Ties::LeastId);
                assert_eq!(pairs(&merged), sorted(all), "{old} and {new} in {range}");
            }
        }
    }

    #[test]
    fn dropping_a_node_leaves_the_points_of_the_others() {
        let points = thrown(1_000, 300);
        let gone = [false, true, false, false];
        let mut left = circle(&points);
        assert_eq!(left.count(&gone), 250);
        left.drop_points(&gone);
        let expected = points.into_iter().filter(|&(_, owner)| owner != 1).collect();
        assert_eq!(pairs(&left), sorted(expected));
    }

    #[test]
    fn a_number_of_points_beyond_all_memory_is_refused() {
        let error = Circle::default().reserve(u64::MAX).unwrap_err();
        assert!(
            alloc::format!("{error}")
                .ends_with("but must be few enough to fit in memory at 12 bytes each")
        );
    }
}
