//! The floors' instructions: prefetches, divisions and scores in lanes.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "a floor is the instructions themselves, which the compiler may not pick"
    )
)]

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

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256i, __m512i, _mm_cvtsi128_si32, _mm_max_epu32, _mm_shuffle_epi32, _mm256_add_epi32,
        _mm256_castsi256_si128, _mm256_div_pd, _mm256_extracti128_si256, _mm256_max_epu32,
        _mm256_mullo_epi32, _mm256_set1_epi32, _mm256_set1_pd, _mm256_setzero_si256,
        _mm256_srli_epi32, _mm256_xor_si256, _mm512_add_epi32, _mm512_div_pd, _mm512_max_epu32,
        _mm512_mullo_epi32, _mm512_reduce_max_epu32, _mm512_set1_epi32, _mm512_set1_pd,
        _mm512_setzero_si512, _mm512_srli_epi32, _mm512_xor_si512,
    };
    use std::hint::black_box;
    use std::mem::transmute;

    use super::{ACROSS, Block, FIRST, KEYS, SECOND, SEEDS, Seeds, finish, fold, hashes};
    use crate::hashers::hash;

    #[target_feature(enable = "avx512f,avx512dq")]
    pub(super) fn divide_avx512(count: usize) -> u64 {
        let dividend = _mm512_set1_pd(1.0);
        for _ in 0..count.div_ceil(16) {
            // Two at a time, to keep the divider busy while a value is written and read.
            let divisors = black_box([_mm512_set1_pd(3.0); 2]);
            black_box(divisors.map(|divisor| _mm512_div_pd(dividend, divisor)));
        }
        0
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn divide_avx2(count: usize) -> u64 {
        let dividend = _mm256_set1_pd(1.0);
        for _ in 0..count.div_ceil(8) {
            let divisors = black_box([_mm256_set1_pd(3.0); 2]);
            black_box(divisors.map(|divisor| _mm256_div_pd(dividend, divisor)));
        }
        0
    }

    #[target_feature(enable = "avx512f,avx512dq")]
    pub(super) fn sum_avx512(blocks: &[Block], keys: &[&[u8]]) -> u64 {
        if let [key] = keys {
            return greatest_avx512(blocks, [fold(hash(key))])[0];
        }
        let mut sum = 0_u64;
        for keys in keys.chunks(KEYS) {
            let greatest = greatest_avx512(blocks, hashes(keys));
            sum = greatest[..keys.len()].iter().fold(sum, |sum, &x| sum.wrapping_add(x));
        }
        sum
    }

    #[target_feature(enable = "avx512f,avx512dq")]
    #[inline]
    fn greatest_avx512<const N: usize>(blocks: &[Block], hashes: [u64; N]) -> [u64; N] {
        let first = _mm512_set1_epi32(FIRST.cast_signed());
        let second = _mm512_set1_epi32(SECOND.cast_signed());
        let hashes = hashes
            .map(|hash| (_mm512_set1_epi32(hash as i32), _mm512_set1_epi32((hash >> 32) as i32)));
        let mut greatest = [_mm512_setzero_si512(); N];
        for block in blocks {
            // SAFETY: any sixteen numbers are a vector.
            let [seeds, upper] = unsafe {
                [block.low, block.high].map(|half| transmute::<[u32; 16], __m512i>(half))
            };
            for (greatest, &(low, high)) in greatest.iter_mut().zip(&hashes) {
                let x = _mm512_xor_si512(low, seeds);
                let x = _mm512_mullo_epi32(x, first);
                let x = _mm512_xor_si512(x, _mm512_srli_epi32::<15>(x));
                let x = _mm512_add_epi32(x, _mm512_xor_si512(high, upper));
                let x = _mm512_mullo_epi32(x, second);
                *greatest = _mm512_max_epu32(*greatest, x);
            }
        }
        greatest.map(|lanes| finish(_mm512_reduce_max_epu32(lanes)))
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn across_avx2(seeds: &Seeds, [lows, highs]: [[u32; ACROSS]; 2]) -> [u32; ACROSS] {
        let first = _mm256_set1_epi32(FIRST.cast_signed());
        let second = _mm256_set1_epi32(SECOND.cast_signed());
        // SAFETY: any sixteen numbers are two vectors.
        let halves: [[__m256i; 2]; 2] = unsafe { transmute([lows, highs]) };
        let mut greatest = [_mm256_setzero_si256(); 2];
        for (low, high) in seeds.each() {
            let low = _mm256_set1_epi32(low.cast_signed());
            let high = _mm256_set1_epi32(high.cast_signed());
            for (at, greatest) in greatest.iter_mut().enumerate() {
                let x = _mm256_xor_si256(halves[0][at], low);
                let x = _mm256_mullo_epi32(x, first);
                let x = _mm256_xor_si256(x, _mm256_srli_epi32::<15>(x));
                let x = _mm256_add_epi32(x, _mm256_xor_si256(halves[1][at], high));
                let x = _mm256_mullo_epi32(x, second);
                *greatest = _mm256_max_epu32(*greatest, x);
            }
        }
        // SAFETY: two vectors are sixteen numbers.
        unsafe { transmute(greatest) }
    }

    #[target_feature(enable = "avx512f,avx512dq")]
    pub(super) fn across_avx512(seeds: &Seeds, halves: [[u32; ACROSS]; 2]) -> [u32; ACROSS] {
        let first = _mm512_set1_epi32(FIRST.cast_signed());
        let second = _mm512_set1_epi32(SECOND.cast_signed());
        // SAFETY: any sixteen numbers are a vector.
        let [lows, highs]: [__m512i; 2] = unsafe { transmute(halves) };
        let mut greatest = _mm512_setzero_si512();
        for (low, high) in seeds.each() {
            let x = _mm512_xor_si512(lows, _mm512_set1_epi32(low.cast_signed()));
            let x = _mm512_mullo_epi32(x, first);
            let x = _mm512_xor_si512(x, _mm512_srli_epi32::<15>(x));
            let upper = _mm512_xor_si512(highs, _mm512_set1_epi32(high.cast_signed()));
            let x = _mm512_mullo_epi32(_mm512_add_epi32(x, upper), second);
            greatest = _mm512_max_epu32(greatest, x);
        }
        // SAFETY: a vector is sixteen numbers.
        unsafe { transmute(greatest) }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn sum_avx2(seeds: &Seeds, keys: &[&[u8]]) -> u64 {
        if let [key] = keys {
            return greatest_avx2(seeds, [fold(hash(key))])[0];
        }
        let mut sum = 0_u64;
        for keys in keys.chunks(KEYS) {
            let greatest = greatest_avx2(seeds, hashes(keys));
            sum = greatest[..keys.len()].iter().fold(sum, |sum, &x| sum.wrapping_add(x));
        }
        sum
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn greatest_avx2<const N: usize>(seeds: &Seeds, hashes: [u64; N]) -> [u64; N] {
        let first = _mm256_set1_epi32(FIRST.cast_signed());
        let second = _mm256_set1_epi32(SECOND.cast_signed());
        let hashes = hashes
            .map(|hash| (_mm256_set1_epi32(hash as i32), _mm256_set1_epi32((hash >> 32) as i32)));
        let mut greatest = [_mm256_setzero_si256(); N];
        // Half of the last block may have no node.
        let mut vectors = seeds.nodes.div_ceil(SEEDS / 2);
        for block in &seeds.blocks {
            // SAFETY: any sixteen numbers are two vectors.
            let [low, high] = unsafe {
                [block.low, block.high].map(|half| transmute::<[u32; 16], [__m256i; 2]>(half))
            };
            for (seeds, upper) in low.into_iter().zip(high).take(vectors) {
                vectors -= 1;
                for (greatest, &(low, high)) in greatest.iter_mut().zip(&hashes) {
                    let x = _mm256_xor_si256(low, seeds);
                    let x = _mm256_mullo_epi32(x, first);
                    let x = _mm256_xor_si256(x, _mm256_srli_epi32::<15>(x));
                    let x = _mm256_add_epi32(x, _mm256_xor_si256(high, upper));
                    let x = _mm256_mullo_epi32(x, second);
                    *greatest = _mm256_max_epu32(*greatest, x);
                }
            }
        }
        greatest.map(|lanes| {
            let (low, high) = (_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
            let four = _mm_max_epu32(low, high);
            let two = _mm_max_epu32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
            let one = _mm_max_epu32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two));
            finish(_mm_cvtsi128_si32(one).cast_unsigned())
        })
    }
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
