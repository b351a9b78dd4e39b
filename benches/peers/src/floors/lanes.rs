//! The floors' instructions: prefetches, divisions and scores in lanes.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "a floor is the instructions themselves, which the compiler may not pick"
    )
)]

#[cfg(target_arch = "x86_64")]
mod x86;

use std::hint::black_box;

use crate::hashers::hash;
use crate::keys::SplitMix;
use crate::lanes::Lanes;

/// The two odd multipliers of a score, as `docs/design.md` defines it.
const FIRST: u32 = 0x7FEB_352D;
const SECOND: u32 = 0x846C_A68B;

/// How many seeds a block has.
const SEEDS: usize = 16;

/// Up to so many nodes the lanes of a batch hold keys; above, they hold nodes, which then
/// takes less time with AVX2.
const FEW: usize = 500;

/// How many keys lie side by side.
const ACROSS: usize = 16;

/// The halves of some seeds, the first step of a score taken.
#[repr(C, align(64))]
#[derive(Clone, Copy)]
struct Block {
    low: [u32; SEEDS],
    high: [u32; SEEDS],
}

/// A seed for each node, and the first again until the last block is full.
pub(super) struct Seeds {
    nodes: usize,
    blocks: Vec<Block>,
}

impl Seeds {
    /// Random ones, as [`drawn`].
    pub(super) fn new(nodes: usize) -> Self {
        let mut seeds: Vec<u64> = drawn(nodes).into_iter().map(fold).collect();
        seeds.resize(nodes.next_multiple_of(SEEDS), seeds[0]);
        let (blocks, _) = seeds.as_chunks::<SEEDS>();
        let halved = |block: &[u64; SEEDS]| Block {
            low: block.map(|seed| seed as u32),
            high: block.map(|seed| (seed >> 32) as u32),
        };
        Self { nodes, blocks: blocks.iter().map(halved).collect() }
    }

    /// The sum over some keys of what [`finish`] makes of each one's greatest score
    /// before that step, in lanes of at most this width.
    pub(super) fn greatest(&self, lanes: Lanes, keys: &[&[u8]]) -> u64 {
        if self.nodes <= FEW && keys.len() > 1 {
            return self.greatest_across(lanes, keys);
        }
        match lanes.min(Lanes::here()) {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `here` says that the processor has it.
            Lanes::Avx512 => unsafe { x86::sum_avx512(&self.blocks, keys) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `here` says that the processor has it.
            Lanes::Avx2 => unsafe { x86::sum_avx2(self, keys) },
            _ => keys.iter().fold(0, |sum: u64, key| sum.wrapping_add(self.plain(fold(hash(key))))),
        }
    }

    /// The same, keys side by side, so that nothing is left to do across the lanes.
    fn greatest_across(&self, lanes: Lanes, keys: &[&[u8]]) -> u64 {
        let mut sum = 0_u64;
        for keys in keys.chunks(ACROSS) {
            let mut halves = [[0; ACROSS]; 2];
            for (at, key) in keys.iter().enumerate() {
                let hash = fold(hash(key));
                (halves[0][at], halves[1][at]) = (hash as u32, (hash >> 32) as u32);
            }
            let greatest = match lanes.min(Lanes::here()) {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: `here` says that the processor has it.
                Lanes::Avx512 => unsafe { x86::across_avx512(self, halves) },
                #[cfg(target_arch = "x86_64")]
                // SAFETY: `here` says that the processor has it.
                Lanes::Avx2 => unsafe { x86::across_avx2(self, halves) },
                _ => self.plain_across(halves),
            };
            sum = greatest[..keys.len()].iter().fold(sum, |sum, &x| sum.wrapping_add(finish(x)));
        }
        sum
    }

    fn plain_across(&self, [lows, highs]: [[u32; ACROSS]; 2]) -> [u32; ACROSS] {
        let mut greatest = [0; ACROSS];
        for (low, high) in self.each() {
            for (greatest, halves) in greatest.iter_mut().zip(lows.iter().zip(&highs)) {
                let x = (halves.0 ^ low).wrapping_mul(FIRST);
                let x = (x ^ (x >> 15)).wrapping_add(halves.1 ^ high).wrapping_mul(SECOND);
                *greatest = (*greatest).max(x);
            }
        }
        greatest
    }

    /// The halves of the seed of each node.
    fn each(&self) -> impl Iterator<Item = (u32, u32)> {
        (0..self.nodes).map(|at| {
            let block = &self.blocks[at / SEEDS];
            (block.low[at % SEEDS], block.high[at % SEEDS])
        })
    }

    /// The greatest score of a folded hash, as the compiler likes it best: whole blocks in
    /// lanes, and the nodes after them one by one.
    fn plain(&self, hash: u64) -> u64 {
        let score = |low: u32, high: u32| {
            let x = (hash as u32 ^ low).wrapping_mul(FIRST);
            (x ^ (x >> 15)).wrapping_add((hash >> 32) as u32 ^ high).wrapping_mul(SECOND)
        };
        let (blocks, rest) = self.blocks.split_at(self.nodes / SEEDS);
        let mut greatest = [0; SEEDS];
        for Block { low, high } in blocks {
            for (greatest, (&low, &high)) in greatest.iter_mut().zip(low.iter().zip(high)) {
                *greatest = (*greatest).max(score(low, high));
            }
        }
        let rest = rest.iter().flat_map(|block| block.low.iter().zip(&block.high));
        let rest = rest.take(self.nodes % SEEDS).map(|(&low, &high)| score(low, high));
        finish(greatest.into_iter().chain(rest).max().unwrap_or(0))
    }
}

/// Random seeds.
fn drawn(nodes: usize) -> Vec<u64> {
    let mut random = SplitMix(11);
    (0..nodes).map(|_| random.next()).collect()
}

/// The first step of a score. As nothing is carried in it, it is taken once for a
/// hash and once for a seed, and not for each pair of them.
#[inline]
fn fold(x: u64) -> u64 {
    x ^ ((x & 0xFFFF_0000) >> 16)
}

/// The last step of a score, taken once for a key and not for each node.
///
/// It leaves the upper half as it is, so the greatest score before it has the upper
/// half of the greatest score. Only where nodes are equal in that does the lower half
/// of another one count, which a placement has to look at and a floor need not.
#[inline]
fn finish(x: u32) -> u64 {
    (x ^ (x >> 16)).into()
}

/// Asks for the cache line of a value.
#[inline]
pub(super) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the reference is good, and a prefetch changes nothing.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Divides at least `count` numbers, none waiting for another, in lanes of at most
/// this width.
#[inline]
pub(super) fn divide(lanes: Lanes, count: usize) -> u64 {
    match lanes.min(Lanes::here()) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `here` says that the processor has it.
        Lanes::Avx512 => unsafe { x86::divide_avx512(count) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `here` says that the processor has it.
        Lanes::Avx2 => unsafe { x86::divide_avx2(count) },
        _ => {
            let mut quotients = [0.0; 4];
            for _ in 0..count.div_ceil(4) {
                let divisors = black_box([3.0_f64; 4]);
                for (quotient, divisor) in quotients.iter_mut().zip(divisors) {
                    *quotient = 1.0 / divisor;
                }
                black_box(quotients);
            }
            quotients[0].to_bits()
        }
    }
}

/// How many keys share each load of a block.
#[cfg(target_arch = "x86_64")]
const KEYS: usize = 4;

/// The folded hashes of up to [`KEYS`] keys, 0 where there is none.
#[inline]
#[cfg(target_arch = "x86_64")]
fn hashes(keys: &[&[u8]]) -> [u64; KEYS] {
    let mut hashes = [0; KEYS];
    for (place, key) in hashes.iter_mut().zip(keys) {
        *place = fold(hash(key));
    }
    hashes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Keys;

    /// The step is its own inverse: it changes the lower half by the upper one.
    fn unfinished(score: u32) -> u32 {
        score ^ (score >> 16)
    }

    #[test]
    fn the_greatest_score_is_found_but_for_its_last_step_in_all_lanes() {
        for nodes in [1, 7, 8, 9, 15, 16, 17, 24, 25, 100, 505] {
            let keys = Keys::make(1_003).bytes();
            let expected: Vec<u64> = keys
                .iter()
                .map(|key| {
                    let scores = || {
                        let seeds = drawn(nodes).into_iter();
                        seeds.map(|seed| homing_rendezvous::score(hash(key), seed))
                    };
                    let before = scores().map(unfinished).max().expect("there is a node");
                    let after = scores().max().expect("there is a node");
                    // What the floor leaves out is in the lower half.
                    assert_eq!(before >> 16, after >> 16);
                    (before ^ (before >> 16)).into()
                })
                .collect();
            for lanes in Lanes::Avx512.to_here() {
                let seeds = Seeds::new(nodes);
                let sum = seeds.greatest(lanes, keys);
                assert_eq!(sum, expected.iter().sum::<u64>(), "{nodes} nodes, {lanes:?}");
                let alone: Vec<u64> =
                    keys.iter().map(|key| seeds.greatest(lanes, &[key])).collect();
                assert_eq!(alone, expected, "{nodes} nodes, {lanes:?}");
            }
        }
    }
}
