//! The floors' instructions: prefetches, divisions and mixes in the widest lanes
//! that the processor has.
#![cfg_attr(
    target_arch = "x86_64",
    expect(
        unsafe_code,
        reason = "a floor is the instructions themselves, which the compiler may not pick"
    )
)]

use std::hint::black_box;

use crate::hashers::hash;
use crate::machine::Lanes;

/// The two odd multipliers of a mix.
const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
const SECOND: u64 = 0xd6e8_feb8_6659_fd93;

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

/// The lanes of [`divide`], and what the floor of jump is called with them.
pub(super) fn divides() -> (Lanes, &'static str) {
    match Lanes::here() {
        Lanes::Avx512 => (Lanes::Avx512, "hash, H(N) divisions, AVX-512"),
        Lanes::Avx2 => (Lanes::Avx2, "hash, H(N) divisions, AVX2"),
        Lanes::Portable => (Lanes::Portable, "hash, H(N) divisions"),
    }
}

/// What the floor of rendezvous is called with the lanes of [`greatest`].
pub(super) fn mixes() -> &'static str {
    match Lanes::here() {
        Lanes::Avx512 => "hash, N mixes, a maximum, AVX-512",
        Lanes::Avx2 => "hash, N mixes, a maximum, AVX2",
        Lanes::Portable => "hash, N mixes, a maximum",
    }
}

/// Divides `count` numbers, none waiting for another.
pub(super) fn divide(count: usize) -> u64 {
    match divides().0 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `here` says that the processor has it.
        Lanes::Avx512 => unsafe { x86::divide_avx512(count) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `here` says that the processor has it.
        Lanes::Avx2 => unsafe { x86::divide_avx2(count) },
        _ => {
            let mut quotients = [0.0; 8];
            for _ in 0..count.div_ceil(8) {
                let divisors = black_box([3.0_f64; 8]);
                for (quotient, divisor) in quotients.iter_mut().zip(divisors) {
                    *quotient = 1.0 / divisor;
                }
                black_box(quotients);
            }
            quotients[0].to_bits()
        }
    }
}

/// The sum of the greatest mixes of each key over all seeds, four keys a pass.
///
/// 16 divides the number of seeds.
pub(super) fn greatest(seeds: &[u64], keys: &[&[u8]]) -> u64 {
    match Lanes::here() {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `here` says that the processor has it.
        Lanes::Avx512 => unsafe { x86::sum_avx512(seeds, keys) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `here` says that the processor has it.
        Lanes::Avx2 => unsafe { x86::sum_avx2(seeds, keys) },
        _ => keys.iter().fold(0, |sum: u64, key| {
            let hash = hash(key);
            sum.wrapping_add(seeds.iter().map(|&seed| mix(hash ^ seed)).max().unwrap_or(0))
        }),
    }
}

/// The hashes of up to four keys, 0 where there is none.
#[inline]
#[cfg(target_arch = "x86_64")]
fn hashes(keys: &[&[u8]]) -> [u64; 4] {
    let mut hashes = [0; 4];
    for (place, key) in hashes.iter_mut().zip(keys) {
        *place = hash(key);
    }
    hashes
}

#[inline]
fn mix(x: u64) -> u64 {
    let x = x.wrapping_mul(FIRST);
    (x ^ (x >> 32)).wrapping_mul(SECOND)
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use std::arch::x86_64::{
        __m256i, __m512i, _mm256_div_pd, _mm256_max_epu32, _mm256_mullo_epi32, _mm256_set1_epi32,
        _mm256_set1_pd, _mm256_setzero_si256, _mm256_srli_epi32, _mm256_xor_si256, _mm512_div_pd,
        _mm512_max_epu64, _mm512_mullo_epi64, _mm512_reduce_max_epu64, _mm512_set1_epi64,
        _mm512_set1_pd, _mm512_setzero_si512, _mm512_srli_epi64, _mm512_xor_si512,
    };
    use std::hint::black_box;
    use std::mem::transmute;

    use super::{FIRST, SECOND, hashes};

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
    pub(super) fn sum_avx512(seeds: &[u64], keys: &[&[u8]]) -> u64 {
        let mut sum = 0_u64;
        for keys in keys.chunks(4) {
            let greatest = greatest_avx512(seeds, hashes(keys));
            sum = greatest[..keys.len()].iter().fold(sum, |sum, &x| sum.wrapping_add(x));
        }
        sum
    }

    #[target_feature(enable = "avx512f,avx512dq")]
    #[inline]
    fn greatest_avx512(seeds: &[u64], hashes: [u64; 4]) -> [u64; 4] {
        let hashes = hashes.map(|hash| _mm512_set1_epi64(hash.cast_signed()));
        let first = _mm512_set1_epi64(FIRST.cast_signed());
        let second = _mm512_set1_epi64(SECOND.cast_signed());
        let mut greatest = [_mm512_setzero_si512(); 4];
        for seeds in seeds.as_chunks::<8>().0 {
            // SAFETY: any eight numbers are a vector.
            let seeds = unsafe { transmute::<[u64; 8], __m512i>(*seeds) };
            for (greatest, &hash) in greatest.iter_mut().zip(&hashes) {
                let x = _mm512_mullo_epi64(_mm512_xor_si512(hash, seeds), first);
                let x = _mm512_xor_si512(x, _mm512_srli_epi64::<32>(x));
                *greatest = _mm512_max_epu64(*greatest, _mm512_mullo_epi64(x, second));
            }
        }
        greatest.map(|lanes| _mm512_reduce_max_epu64(lanes))
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn sum_avx2(seeds: &[u64], keys: &[&[u8]]) -> u64 {
        let mut sum = 0_u64;
        for keys in keys.chunks(4) {
            let greatest = greatest_avx2(seeds, hashes(keys));
            sum = greatest[..keys.len()].iter().fold(sum, |sum, &x| sum.wrapping_add(x));
        }
        sum
    }

    /// The mix in 32 bits, as AVX2 multiplies no wider: half of each seed.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn greatest_avx2(seeds: &[u64], hashes: [u64; 4]) -> [u64; 4] {
        let hashes = hashes.map(|hash| _mm256_set1_epi32(hash as i32));
        let first = _mm256_set1_epi32(FIRST as i32);
        let second = _mm256_set1_epi32(SECOND as i32);
        let mut greatest = [_mm256_setzero_si256(); 4];
        // Eight lanes are eight seeds, though they are the halves of four: as many loads and
        // mixes as N seeds of 32 bits take.
        for seeds in seeds[..seeds.len() / 2].as_chunks::<4>().0 {
            // SAFETY: any four numbers are a vector.
            let seeds = unsafe { transmute::<[u64; 4], __m256i>(*seeds) };
            for (greatest, &hash) in greatest.iter_mut().zip(&hashes) {
                let x = _mm256_mullo_epi32(_mm256_xor_si256(hash, seeds), first);
                let x = _mm256_xor_si256(x, _mm256_srli_epi32::<16>(x));
                *greatest = _mm256_max_epu32(*greatest, _mm256_mullo_epi32(x, second));
            }
        }
        greatest.map(|lanes| {
            // SAFETY: any vector is eight numbers.
            let each = unsafe { transmute::<__m256i, [u32; 8]>(lanes) };
            each.into_iter().max().unwrap_or(0).into()
        })
    }
}
