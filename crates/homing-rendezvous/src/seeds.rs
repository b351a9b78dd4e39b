//! [`Seeds`], the seeds of the nodes, folded, as lanes read them.

use alloc::vec::Vec;
use core::mem::swap;

use crate::score::fold;

/// How many nodes a block holds.
pub(crate) const LANES: usize = 8;

/// The folded seeds of eight nodes: a cache line.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Block {
    pub(crate) low: [u32; LANES],  // the lower halves
    pub(crate) high: [u32; LANES], // the upper halves
}

impl Block {
    pub(crate) fn seed(&self, lane: usize) -> u64 {
        u64::from(self.high[lane]) << 32 | u64::from(self.low[lane])
    }

    #[expect(clippy::cast_possible_truncation, reason = "each half is 32 bits")]
    fn set(&mut self, lane: usize, seed: u64) {
        self.low[lane] = seed as u32;
        self.high[lane] = (seed >> 32) as u32;
    }
}

/// The folded seed of each node, by its place.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub(crate) struct Seeds {
    blocks: Vec<Block>, // the last seed is repeated to the end of its block
    len: usize,
}

impl Seeds {
    pub(crate) fn with_capacity(seeds: usize) -> Self {
        Self { blocks: Vec::with_capacity(seeds.div_ceil(LANES)), len: 0 }
    }

    pub(crate) fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn seed(&self, place: usize) -> u64 {
        self.blocks[place / LANES].seed(place % LANES)
    }

    /// The seeds in the order of their places.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u64> {
        (0..self.len).map(|place| self.seed(place))
    }

    pub(crate) fn insert(&mut self, place: usize, seed: u64) {
        let mut seed = fold(seed);
        if self.len.is_multiple_of(LANES) {
            self.blocks.push(Block::default());
        }
        let mut first = place % LANES;
        for block in &mut self.blocks[place / LANES..] {
            let last = block.seed(LANES - 1);
            block.low.copy_within(first..LANES - 1, first + 1);
            block.high.copy_within(first..LANES - 1, first + 1);
            block.set(first, seed);
            (seed, first) = (last, 0);
        }
        self.len += 1;
        self.pad();
    }

    pub(crate) fn remove(&mut self, place: usize) {
        let mut next = 0;
        for block in self.blocks[place / LANES + 1..].iter_mut().rev() {
            let mut seed = block.seed(0);
            swap(&mut seed, &mut next);
            block.low.copy_within(1.., 0);
            block.high.copy_within(1.., 0);
            block.set(LANES - 1, seed);
        }
        let (block, first) = (&mut self.blocks[place / LANES], place % LANES);
        block.low.copy_within(first + 1.., first);
        block.high.copy_within(first + 1.., first);
        block.set(LANES - 1, next);
        self.len -= 1;
        self.pad();
    }

    pub(crate) fn memory_usage(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>()
    }

    /// Repeats the last seed to the end of its block, and drops a block without one.
    ///
    /// A repeated seed only ties with the node itself, at a later place.
    fn pad(&mut self) {
        self.blocks.truncate(self.len.div_ceil(LANES));
        if let Some(block) = self.blocks.last_mut() {
            let last = (self.len - 1) % LANES;
            let seed = block.seed(last);
            (last + 1..LANES).for_each(|lane| block.set(lane, seed));
        }
    }
}

impl Extend<u64> for Seeds {
    fn extend<T: IntoIterator<Item = u64>>(&mut self, seeds: T) {
        for seed in seeds {
            let lane = self.len % LANES;
            if lane == 0 {
                self.blocks.push(Block::default());
            }
            self.blocks[self.len / LANES].set(lane, fold(seed));
            self.len += 1;
        }
        self.pad();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_changed_in_place_are_those_of_a_list() {
        let mut list: Vec<u64> = Vec::new();
        let mut seeds = Seeds::default();
        for round in 0..20_000_u64 {
            let drawn = homing_core::mix64(round);
            // Grows to about 70, and shrinks to none.
            let grows =
                list.is_empty() || (drawn >> 32) % 100 < if round % 400 < 200 { 75 } else { 20 };
            if grows {
                let place = usize::try_from(drawn % (list.len() as u64 + 1)).unwrap();
                list.insert(place, drawn);
                seeds.insert(place, drawn);
            } else {
                let place = usize::try_from(drawn % list.len() as u64).unwrap();
                list.remove(place);
                seeds.remove(place);
            }
            let mut again = Seeds::default();
            again.extend(list.iter().copied());
            assert_eq!(seeds, again);
            assert!(
                (0..seeds.len())
                    .map(|place| seeds.seed(place))
                    .eq(list.iter().map(|&seed| fold(seed)))
            );
        }
    }
}
