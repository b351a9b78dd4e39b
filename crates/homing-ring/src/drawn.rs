//! [`Drawn`], points that are not kept: where two of them must be told apart
//! beyond what a line says, they are drawn again.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;

use homing_core::{Members, NodeIndex, draw};

use crate::circle::Circle;
use crate::lanes::{HELD, prefetch};
use crate::lines::{Cell, Code, Lines, code, index};

/// How many draws are made before their lines are gone through.
const AHEAD: usize = 32;

const LISTED: &str = "a line that overflows has a list";
const PRESENT: &str = "the point is in its line";

/// Where the points of each node come from, and those of the lines that
/// overflow.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Drawn {
    nodes: Vec<Source>, // by index; without points where freed or drained
    overflows: BTreeMap<usize, Overflow>, // by line
}

/// The points of a node: `draw(hash, i)` for each i below `count`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct Source {
    hash: u64,
    count: u32,
}

/// The points of a line that has more than it holds, in order.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
struct Overflow {
    positions: Vec<u64>,
    owners: Vec<Code>,
}

impl Source {
    fn draws(self) -> impl Iterator<Item = u64> {
        (0..self.count).map(move |i| draw(self.hash, i.into()))
    }
}

impl Drawn {
    /// No points yet, with room for nodes below `index_bound`.
    pub(crate) fn new(index_bound: usize) -> Self {
        Self { nodes: Vec::with_capacity(index_bound), overflows: BTreeMap::new() }
    }

    /// How many points a node has.
    pub(crate) fn count(&self, node: NodeIndex) -> u32 {
        self.nodes.get(node.get()).map_or(0, |source| source.count)
    }

    /// Gives a node without points, whose id hashes to `hash`, the first `count`
    /// of its draws; who owns what follows a line is to be said by
    /// [`settle`](Self::settle).
    pub(crate) fn fill(
        &mut self,
        lines: &mut Lines,
        members: &Members,
        node: NodeIndex,
        hash: u64,
        count: u32,
    ) {
        self.grow(lines, members, node, hash, count, |_, _, _, _| ());
    }

    /// Says of each line who owns what follows its points.
    pub(crate) fn settle(&self, lines: &mut Lines) {
        let mut next = self.after(lines, lines.len() - 1);
        for line in (0..lines.len()).rev() {
            lines.line_mut(line).continue_with(next);
            next = self.owners(lines, line).first().copied().unwrap_or(next);
        }
    }

    /// Adds draws to a node until it has `count`.
    pub(crate) fn raise(
        &mut self,
        lines: &mut Lines,
        members: &Members,
        node: NodeIndex,
        hash: u64,
        count: u32,
    ) {
        self.grow(lines, members, node, hash, count, Self::carry);
    }

    fn grow(
        &mut self,
        lines: &mut Lines,
        members: &Members,
        node: NodeIndex,
        hash: u64,
        count: u32,
        mut new_first: impl FnMut(&Self, &mut Lines, usize, Code),
    ) {
        if self.nodes.len() <= node.get() {
            self.nodes.resize(node.get() + 1, Source::default());
        }
        let from = self.count(node);
        self.nodes[node.get()].hash = hash;
        for first in (from..count).step_by(AHEAD) {
            for (i, position) in draws(lines, hash, first..count) {
                let cell = lines.cell(position);
                let first = self.insert(lines, members, cell, position, code(node)) == 0;
                self.nodes[node.get()].count = i + 1;
                if first {
                    new_first(self, lines, cell.line, code(node));
                }
            }
        }
    }

    /// Drops the last draws of a node until it has `count`.
    pub(crate) fn lower(&mut self, lines: &mut Lines, node: NodeIndex, count: u32) {
        let Some(&Source { hash, count: before }) = self.nodes.get(node.get()) else { return };
        // From the last one down, so that the count always says which are there.
        for first in (count..before).step_by(AHEAD).rev() {
            for (i, position) in draws(lines, hash, first..before).rev() {
                let cell = lines.cell(position);
                let at = self.remove(lines, cell, position, code(node));
                self.nodes[node.get()].count = i;
                if at == 0 {
                    let next = self.owners(lines, cell.line).first().copied();
                    let next = next.unwrap_or_else(|| lines.line(cell.line).next());
                    self.carry(lines, cell.line, next);
                }
            }
        }
    }

    /// Forgets the nodes from an index on, which have no points.
    pub(crate) fn truncate(&mut self, index_bound: usize) {
        self.nodes.truncate(index_bound);
    }

    /// Puts a new point in its line, and returns its place there.
    fn insert(
        &mut self,
        lines: &mut Lines,
        members: &Members,
        cell: Cell,
        position: u64,
        owner: Code,
    ) -> usize {
        let line = lines.line(cell.line);
        if line.count().is_none_or(|count| count == HELD) {
            return self.insert_beside(lines, members, cell, (position, owner));
        }
        let mut at = line.search(cell.fraction);
        if line.has(at, cell.fraction) {
            let below = |other| in_order(members, other, (position, owner)).is_lt();
            at += self.tied(lines, cell, line.run(cell.fraction), below);
        }
        lines.line_mut(cell.line).insert(at, cell.fraction, owner);
        at
    }

    /// [`insert`](Self::insert) where the line has no room.
    #[cold]
    fn insert_beside(
        &mut self,
        lines: &mut Lines,
        members: &Members,
        cell: Cell,
        point: (u64, Code),
    ) -> usize {
        if lines.line(cell.line).count().is_some() {
            let mut points = self.drawn_again(lines, cell.line);
            points.sort_unstable_by(|&a, &b| in_order(members, a, b));
            let (positions, owners) = points.into_iter().unzip();
            self.overflows.insert(cell.line, Overflow { positions, owners });
            lines.line_mut(cell.line).overflow();
        }
        let list = self.overflows.get_mut(&cell.line).expect(LISTED);
        let points = list.positions.iter().copied().zip(list.owners.iter().copied());
        let at = points.take_while(|&other| in_order(members, other, point).is_lt()).count();
        list.positions.insert(at, point.0);
        list.owners.insert(at, point.1);
        at
    }

    /// Takes a point that is there out of its line, and returns the place it had.
    fn remove(&mut self, lines: &mut Lines, cell: Cell, position: u64, owner: Code) -> usize {
        let line = lines.line(cell.line);
        if line.count().is_some() {
            let at = self.place(lines, cell, position, owner);
            lines.line_mut(cell.line).remove(at);
            return at;
        }
        let list = self.overflows.get_mut(&cell.line).expect(LISTED);
        let first = list.positions.partition_point(|&other| other < position);
        let at =
            first + list.owners[first..].iter().position(|&other| other == owner).expect(PRESENT);
        list.positions.remove(at);
        list.owners.remove(at);
        if list.positions.len() <= HELD {
            let next = self.after(lines, cell.line);
            let list = self.overflows.remove(&cell.line).expect(LISTED);
            let fraction = |&position: &u64| lines.cell(position).fraction;
            let fractions: Vec<i16> = list.positions.iter().map(fraction).collect();
            let line = lines.line_mut(cell.line);
            line.hold(fractions.into_iter().zip(list.owners));
            line.continue_with(next);
        }
        at
    }

    /// The place in a line that does not overflow of a point that is there.
    fn place(&self, lines: &Lines, cell: Cell, position: u64, owner: Code) -> usize {
        let line = lines.line(cell.line);
        let at = line.search(cell.fraction);
        if !line.has(at + 1, cell.fraction) {
            return at;
        }
        let run = line.run(cell.fraction);
        let mut own = run.clone().filter(|&at| line.owners()[at] == owner);
        let first = own.next().expect(PRESENT);
        if own.clone().next().is_none() {
            return first;
        }
        let before = self.tied(lines, cell, run, |(draw, its)| its == owner && draw < position);
        core::iter::once(first).chain(own).nth(before).expect(PRESENT)
    }

    /// How many of the points of a run, which all have the fraction of `cell`,
    /// are `counted`, given their positions and owners.
    #[cold]
    fn tied(
        &self,
        lines: &Lines,
        cell: Cell,
        run: Range<usize>,
        counted: impl Fn((u64, Code)) -> bool,
    ) -> usize {
        let owners = &lines.line(cell.line).owners()[run];
        let distinct = owners.iter().enumerate().filter(|&(i, owner)| !owners[..i].contains(owner));
        distinct
            .map(|(_, &owner)| {
                let held = owners.iter().filter(|&&other| other == owner).count();
                let draws = self.nodes[index(owner).get()].draws();
                let draws = draws.filter(|&draw| lines.cell(draw) == cell).take(held);
                draws.filter(|&draw| counted((draw, owner))).count()
            })
            .sum()
    }

    /// Every point of a line that does not overflow, in any order.
    fn drawn_again(&self, lines: &Lines, line: usize) -> Vec<(u64, Code)> {
        let mut owners = lines.line(line).owners().to_vec();
        owners.sort_unstable();
        owners.dedup();
        let points = owners.into_iter().flat_map(|owner| {
            let draws = self.nodes[index(owner).get()].draws();
            draws.filter(|&draw| lines.cell(draw).line == line).map(move |draw| (draw, owner))
        });
        points.collect()
    }

    /// Tells the lines before one that what follows their points has a new owner.
    fn carry(&self, lines: &mut Lines, line: usize, next: Code) {
        let before = (0..line).rev().chain((line..lines.len()).rev());
        for at in before {
            lines.line_mut(at).continue_with(next);
            if !self.owners(lines, at).is_empty() {
                return;
            }
        }
    }

    /// The owner of the first point after a line. There is at least one point.
    fn after(&self, lines: &Lines, line: usize) -> Code {
        let mut after = (line + 1..lines.len()).chain(0..=line);
        after.find_map(|at| self.owners(lines, at).first().copied()).unwrap_or(0)
    }

    /// The owners of all points of a line.
    fn owners<'a>(&'a self, lines: &'a Lines, line: usize) -> &'a [Code] {
        let held = lines.line(line);
        if held.count().is_some() {
            return held.owners();
        }
        &self.overflows[&line].owners
    }

    /// The place in its line of the first point that is not below a position, and
    /// the owner of that point, be it in the line or after it.
    fn successor(&self, lines: &Lines, position: u64) -> (usize, Code) {
        let cell = lines.cell(position);
        let line = lines.line(cell.line);
        if line.count().is_none() {
            let list = &self.overflows[&cell.line];
            let at = list.positions.partition_point(|&point| point < position);
            let owner = list.owners.get(at).copied();
            return (at, owner.unwrap_or_else(|| self.after(lines, cell.line)));
        }
        let run = line.run(cell.fraction);
        let below = |(point, _)| point < position;
        let tied = if run.is_empty() { 0 } else { self.tied(lines, cell, run.clone(), below) };
        let at = run.start + tied;
        (at, line.owners().get(at).copied().unwrap_or_else(|| line.next()))
    }

    /// The owner of a position of which its line does not tell.
    pub(crate) fn owner(&self, lines: &Lines, position: u64) -> Code {
        self.successor(lines, position).1
    }

    /// The nodes as a walk from a position upwards and once around meets them,
    /// each as often as it has points.
    pub(crate) fn from<'a>(
        &'a self,
        lines: &'a Lines,
        position: u64,
    ) -> impl Iterator<Item = NodeIndex> + 'a {
        let line = lines.cell(position).line;
        let (at, _) = self.successor(lines, position);
        let (before, after) = self.owners(lines, line).split_at(at);
        let others = (line + 1..lines.len()).chain(0..line);
        let others = others.flat_map(move |line| self.owners(lines, line));
        after.iter().chain(others).chain(before).map(|&code| index(code))
    }

    /// All points, drawn again and in order.
    pub(crate) fn circle(&self, lines: &Lines) -> Circle {
        let mut starts = Vec::with_capacity(lines.len());
        let mut total = 0;
        for line in 0..lines.len() {
            starts.push(total);
            total += self.owners(lines, line).len();
        }
        let mut positions = vec![0; total];
        for (&line, list) in &self.overflows {
            positions[starts[line]..][..list.positions.len()].copy_from_slice(&list.positions);
        }
        for (node, source) in self.nodes.iter().enumerate() {
            let owner = if source.count > 0 { code(NodeIndex::new(node)) } else { continue };
            for first in (0..source.count).step_by(AHEAD) {
                let draws = draws(lines, source.hash, first..source.count);
                for (_, position) in draws.clone() {
                    prefetch(&starts, lines.cell(position).line);
                }
                for (_, position) in draws {
                    let cell = lines.cell(position);
                    if lines.line(cell.line).count().is_some() {
                        let at = self.place(lines, cell, position, owner);
                        positions[starts[cell.line] + at] = position;
                    }
                }
            }
        }
        let mut owners = Vec::with_capacity(total);
        for line in 0..lines.len() {
            owners.extend(self.owners(lines, line).iter().map(|&code| index(code)));
        }
        Circle::in_order(positions, owners)
    }

    pub(crate) fn memory_usage(&self) -> usize {
        let lists = self.overflows.values().map(|list| {
            size_of::<(usize, Overflow)>()
                + list.positions.capacity() * size_of::<u64>()
                + list.owners.capacity() * size_of::<Code>()
        });
        self.nodes.capacity() * size_of::<Source>() + lists.sum::<usize>()
    }
}

/// The order of points: by position, then by id.
fn in_order(members: &Members, (a, one): (u64, Code), (b, other): (u64, Code)) -> Ordering {
    let id = |code| &members[index(code)].id;
    a.cmp(&b).then_with(|| id(one).cmp(id(other)))
}

/// The first 32 draws of a range, or as many as there are, with their numbers;
/// their lines are brought near.
fn draws(
    lines: &Lines,
    hash: u64,
    range: Range<u32>,
) -> impl DoubleEndedIterator<Item = (u32, u64)> + Clone + use<> {
    let mut positions = [0; AHEAD];
    let count = range.len().min(AHEAD);
    for (position, i) in positions[..count].iter_mut().zip(range.clone()) {
        *position = draw(hash, i.into());
        lines.prefetch(*position);
    }
    range.take(count).zip(positions.into_iter().take(count))
}

#[cfg(test)]
mod tests;
