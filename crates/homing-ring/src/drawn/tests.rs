//! Lines and draws against the plain circle of the same points, on points forced
//! to tie, to coincide and to crowd.

use alloc::format;
use alloc::string::String;

use homing_core::mix64;

use super::*;
use crate::Ties;

const NODES: usize = 40;

/// The step of the draws, as the README gives it.
const STEP: u64 = 0x9E37_79B9_7F4A_7C15;

/// The inverse of `mix64`: its steps undone from the last.
fn unmix64(mut x: u64) -> u64 {
    x ^= x >> 31 ^ x >> 62;
    x = x.wrapping_mul(0x3196_42B2_D24D_8EC3);
    x ^= x >> 27 ^ x >> 54;
    x = x.wrapping_mul(0x96DE_1B17_3F11_9089);
    x ^ x >> 30 ^ x >> 60
}

/// The hash of an id whose draw `i` is at `position`.
fn hash_for(position: u64, i: u64) -> u64 {
    let hash = unmix64(position).wrapping_sub((i + 1).wrapping_mul(STEP));
    assert_eq!(draw(hash, i), position);
    hash
}

/// A table as a ring has it, with hashes of our choice, beside what it must show.
struct Model {
    members: Members, // ids in the opposite order of their indices
    hashes: Vec<u64>,
    lines: Lines,
    drawn: Drawn,
}

impl Model {
    fn new(points: u64, hashes: impl IntoIterator<Item = u64>) -> Self {
        let ids: Vec<String> = (0..NODES).rev().map(|i| format!("{i:02}")).collect();
        Self {
            members: Members::named(ids.iter().map(String::as_str)).unwrap(),
            hashes: hashes.into_iter().collect(),
            lines: Lines::new(points).unwrap(),
            drawn: Drawn::new(NODES),
        }
    }

    /// Draws of different nodes at these positions, in turn.
    fn at(points: u64, positions: &[u64]) -> Self {
        assert!(positions.len() <= NODES);
        let numbered = positions.iter().zip(0..);
        Self::new(points, numbered.map(|(&position, i)| hash_for(position, i % 3)))
    }

    fn set(&mut self, node: usize, count: u32) {
        let index = NodeIndex::new(node);
        let Self { members, hashes, lines, drawn } = self;
        if count < drawn.count(index) {
            drawn.lower(lines, index, count);
        } else {
            drawn.raise(lines, members, index, hashes[node], count);
        }
    }

    fn circle(&self) -> Circle {
        let mut circle = Circle::default();
        for (node, &hash) in self.hashes.iter().enumerate() {
            for i in 0..self.drawn.count(NodeIndex::new(node)) {
                circle.push(draw(hash, i.into()), NodeIndex::new(node));
            }
        }
        circle.sort(&self.members, Ties::LeastId);
        circle
    }

    fn owner(&self, position: u64) -> NodeIndex {
        match self.lines.owner(position) {
            0 => index(self.drawn.owner(&self.lines, position)),
            code => index(code),
        }
    }

    /// The same points, built at once.
    fn rebuilt(&self) -> (Lines, Drawn) {
        let mut lines = self.lines.emptied();
        let mut drawn = Drawn::new(NODES);
        for (node, &hash) in self.hashes.iter().enumerate() {
            let node = NodeIndex::new(node);
            drawn.fill(&mut lines, &self.members, node, hash, self.drawn.count(node));
        }
        drawn.settle(&mut lines);
        (lines, drawn)
    }

    fn check(&self) {
        let circle = self.circle();
        if circle.len() == 0 {
            return;
        }
        assert_eq!(self.drawn.circle(&self.lines), circle);
        let ends = [0, 1, u64::MAX / 2, u64::MAX - 1, u64::MAX].into_iter();
        let near = circle.iter().flat_map(|(at, _)| [at.wrapping_sub(1), at, at.wrapping_add(1)]);
        for position in ends.chain(near).chain((0..20).map(mix64)) {
            assert_eq!(self.owner(position), circle.owner(position), "at {position}");
        }
        let walk = |position| self.drawn.from(&self.lines, position);
        for position in circle.iter().step_by(7).map(|(at, _)| at).chain([0, u64::MAX]) {
            assert!(walk(position).eq(circle.from(position, false)), "from {position}");
        }
        let (lines, drawn) = self.rebuilt();
        // A node that has lost all its points has a hash that nobody asks for.
        assert!(self.drawn.nodes.iter().zip(&drawn.nodes).all(|(a, b)| a.count == b.count));
        assert_eq!(self.drawn.overflows, drawn.overflows);
        assert_eq!(self.lines, lines, "changed and rebuilt lines are equal, byte for byte");
    }
}

/// Adds the nodes in some order and takes them away in another, and looks each time.
fn come_and_go(mut model: Model) {
    let count = model.hashes.len();
    for (coming, going) in [(1, 1), (7, 11), (3, 1)] {
        for step in 0..count {
            model.set(step * coming % count, 3);
            model.check();
        }
        for node in 0..count {
            // What the order above has not reached.
            model.set(node, 3);
        }
        for step in 0..count {
            model.set(step * going % count, 0);
            model.check();
        }
        for node in 0..count {
            model.set(node, 0);
        }
    }
}

#[test]
fn points_of_one_fraction_are_told_apart() {
    // One line: its fractions are 2^49 positions long, and 12 points lie in one of them.
    let positions: Vec<u64> = (0..12).map(|i| (5 << 49) + mix64(i) % 9).collect();
    come_and_go(Model::at(1, &positions));
}

#[test]
fn a_line_that_is_crowded_by_a_few_points_sheds_them_again() {
    for count in [14, 15, 16, 17, 37] {
        let positions: Vec<u64> = (0..count).map(|i| (1 << 63) + (mix64(i) >> 8)).collect();
        come_and_go(Model::at(40, &positions));
    }
}

#[test]
fn points_that_coincide_are_in_order_of_id() {
    for count in [2, 13, 15, 16, 31] {
        let positions: Vec<u64> = (0..count).map(|i| 77 + i % 3).collect();
        come_and_go(Model::at(60, &positions));
    }
    // Equal hashes: all draws of both coincide.
    come_and_go(Model::new(60, [1, 2, 1, 2, 2]));
}

#[test]
fn fractions_at_both_ends_of_a_line_are_fractions_like_others() {
    let first = [0, 1, 2, 1 << 49, (1 << 49) - 1];
    let last = first.map(|position| u64::MAX - position);
    come_and_go(Model::at(1, &[first, last].concat()));
    // Fifteen points below the greatest fraction fill the line.
    let positions: Vec<u64> = (0..15).chain([u64::MAX]).collect();
    come_and_go(Model::at(1, &positions));
}

#[test]
fn lines_without_points_lead_to_the_next_that_has_some() {
    let few = [1 << 20, 1 << 40, 1 << 62, u64::MAX - 5];
    come_and_go(Model::at(2_000, &few));
    come_and_go(Model::at(2_000, &few[2..3]));
}

#[test]
fn draws_of_one_node_that_share_a_fraction_are_told_apart() {
    // Of 40 draws in ten lines two share one of 327,680 fractions for one hash in 420.
    let lines = Lines::new(60).unwrap();
    let mut found = 0;
    for hash in (0..).map(mix64) {
        let draws: Vec<u64> = (0..40).map(|i| draw(hash, i)).collect();
        let shared = draws.iter().enumerate().find_map(|(i, &a)| {
            let b = draws[..i].iter().find(|&&b| lines.cell(a) == lines.cell(b))?;
            Some(a.midpoint(*b))
        });
        // A point of another node between the two tells which of them was dropped.
        let Some(between) = shared else { continue };
        let mut model = Model::new(60, [hash, hash_for(between, 0)]);
        for (node, count) in [(1, 1), (0, 40), (1, 0), (1, 1)] {
            model.set(node, count);
            model.check();
        }
        for count in (0..40).rev().chain(0..=40) {
            model.set(0, count);
            model.check();
        }
        found += 1;
        if found == 10 {
            break;
        }
    }
}

#[test]
fn long_sequences_of_changes_give_what_a_rebuild_gives() {
    // From lines that are nearly empty to lines of which most overflow.
    for (seed, points) in [(1, 1), (2, 60), (3, 600), (4, 6_000), (5, 60_000)] {
        let mut model = Model::new(points, (0..NODES as u64).map(|i| mix64(i * 1_000 + seed)));
        let steps = if cfg!(miri) { 5 } else { 300 };
        for step in 0..steps {
            let random = mix64(seed * 1_000_000 + step);
            let node = usize::try_from(random % NODES as u64).unwrap();
            let count = if random >> 60 == 0 { 0 } else { random >> 32 & 63 };
            model.set(node, u32::try_from(count).unwrap());
            if step % 3 == 0 {
                model.check();
            }
        }
        model.check();
    }
}
