//! Divisions and scores in the lanes of AVX2 and AVX-512.

use std::arch::x86_64::{
    __m256i, __m512i, _mm_cvtsi128_si32, _mm_max_epu32, _mm_shuffle_epi32, _mm256_add_epi32,
    _mm256_castsi256_si128, _mm256_div_pd, _mm256_extracti128_si256, _mm256_max_epu32,
    _mm256_mullo_epi32, _mm256_set1_epi32, _mm256_set1_pd, _mm256_setzero_si256, _mm256_srli_epi32,
    _mm256_xor_si256, _mm512_add_epi32, _mm512_div_pd, _mm512_max_epu32, _mm512_mullo_epi32,
    _mm512_reduce_max_epu32, _mm512_set1_epi32, _mm512_set1_pd, _mm512_setzero_si512,
    _mm512_srli_epi32, _mm512_xor_si512,
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
    let hashes =
        hashes.map(|hash| (_mm512_set1_epi32(hash as i32), _mm512_set1_epi32((hash >> 32) as i32)));
    let mut greatest = [_mm512_setzero_si512(); N];
    for block in blocks {
        // SAFETY: any sixteen numbers are a vector.
        let [seeds, upper] =
            unsafe { [block.low, block.high].map(|half| transmute::<[u32; 16], __m512i>(half)) };
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
    let hashes =
        hashes.map(|hash| (_mm256_set1_epi32(hash as i32), _mm256_set1_epi32((hash >> 32) as i32)));
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
