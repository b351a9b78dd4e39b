//! [`Circle`], the points of a ring in order.

use alloc::vec::Vec;
use core::cmp::Ordering;

use homing_core::{Error, Members, NodeIndex};

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
    owners: Vec<NodeIndex>, // owners[i] has positions[i]; in order of id where points coincide
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

    /// How many points belong to nodes that `gone` marks, by index.
    pub(crate) fn count(&self, gone: &[bool]) -> usize {
        self.owners.iter().filter(|owner| gone[owner.get()]).count()
    }

    /// The owner of a position. There is at least one point.
    pub(crate) fn owner(&self, position: u64) -> NodeIndex {
        self.owners[successor(&self.positions, position)]
    }

    /// The nodes as a walk from a position upwards and once around meets them,
    /// each as often as it has points.
    pub(crate) fn from(&self, position: u64) -> impl Iterator<Item = NodeIndex> {
        let (before, after) = self.owners.split_at(successor(&self.positions, position));
        after.iter().chain(before).copied()
    }

    /// Every point in ascending order, those that coincide included.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = (u64, NodeIndex)> {
        self.positions.iter().copied().zip(self.owners.iter().copied())
    }

    /// The distinct points in ascending order, each with the node that has it.
    pub(crate) fn distinct(&self) -> Distinct<impl Iterator<Item = (u64, NodeIndex)>> {
        Distinct { points: self.iter(), last: self.before() }
    }

    /// [`distinct`](Self::distinct), of a circle that is there for nothing else.
    pub(crate) fn into_distinct(self) -> Distinct<impl Iterator<Item = (u64, NodeIndex)>> {
        let last = self.before();
        Distinct { points: self.positions.into_iter().zip(self.owners), last }
    }

    /// A position that is not that of the first point.
    fn before(&self) -> u64 {
        self.positions.first().map_or(0, |first| !first)
    }

    /// The greatest position of a point. There is at least one.
    pub(crate) fn greatest(&self) -> u64 {
        self.positions.last().copied().unwrap_or(u64::MAX)
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.positions.capacity() * size_of::<u64>()
            + self.owners.capacity() * size_of::<NodeIndex>()
    }

    /// Brings the points in order; coinciding ones in order of id, whoever came first.
    pub(crate) fn sort(&mut self, members: &Members) {
        sort(&mut self.positions, &mut self.owners, 0, &by_id(members));
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
    pub(crate) fn merge(&mut self, new: &Self, members: &Members) {
        let by_id = by_id(members);
        let (mut old, mut new_left) = (self.len(), new.len());
        self.positions.extend_from_slice(&new.positions);
        self.owners.extend_from_slice(&new.owners);
        while old > 0 && new_left > 0 {
            let to = old + new_left - 1;
            let (was, is) = (old - 1, new_left - 1);
            let order = self.positions[was]
                .cmp(&new.positions[is])
                .then_with(|| by_id(self.owners[was], new.owners[is]));
            if order == Ordering::Greater {
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

fn by_id(members: &Members) -> impl Fn(NodeIndex, NodeIndex) -> Ordering {
    |a, b| members[a].id.cmp(&members[b].id)
}

/// Sorts points by position, then by `by_id`, without memory of its own: they
/// are swapped into 256 heaps by byte `at` of the position, counted from the
/// most significant, and each heap is sorted by the bytes after it.
// Source: Peter M. McIlroy, Keith Bostic, M. Douglas McIlroy, "Engineering Radix
// Sort", Computing Systems, 1993, "American flag sort".
fn sort(
    positions: &mut [u64],
    owners: &mut [NodeIndex],
    at: usize,
    by_id: &impl Fn(NodeIndex, NodeIndex) -> Ordering,
) {
    if positions.len() <= FEW {
        return insert(positions, owners, by_id);
    }
    if at == size_of::<u64>() {
        // All positions are equal.
        return owners.sort_unstable_by(|&a, &b| by_id(a, b));
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
        sort(&mut positions[start..end], &mut owners[start..end], at + 1, by_id);
        start = end;
    }
}

fn insert(
    positions: &mut [u64],
    owners: &mut [NodeIndex],
    by_id: &impl Fn(NodeIndex, NodeIndex) -> Ordering,
) {
    for i in 1..positions.len() {
        let (position, owner) = (positions[i], owners[i]);
        let mut to = i;
        while to > 0
            && (positions[to - 1] > position
                || positions[to - 1] == position && by_id(owners[to - 1], owner).is_gt())
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
        circle.sort(&members());
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
                merged.merge(&circle(second), &members());
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
