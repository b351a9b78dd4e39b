//! The CRC by carry-less multiplication, on x86-64 with PCLMULQDQ.
//!
//! A CRC is the remainder of the message, a polynomial over GF(2), times x^16 by P =
//! x^16 + x^12 + x^5 + 1. Blocks are folded into one, and the quotient of that one is
//! had by multiplication with a reciprocal: Vinodh Gopal, Erdinc Ozturk, Jim Guilford
//! et al., "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction",
//! Intel, 2009; Paul Barrett, "Implementing the Rivest Shamir and Adleman Public Key
//! Encryption Algorithm on a Standard Digital Signal Processor", CRYPTO '86.

#![expect(unsafe_code, reason = "functions of an instruction set are called once it was found")]

use core::arch::x86_64::{
    __m128i, _mm_add_epi8, _mm_and_si128, _mm_clmulepi64_si128, _mm_cmpeq_epi8, _mm_cmpgt_epi8,
    _mm_cvtsi128_si32, _mm_movemask_epi8, _mm_or_si128, _mm_set_epi8, _mm_set_epi64x,
    _mm_set1_epi8, _mm_shuffle_epi8, _mm_srli_si128, _mm_xor_si128,
};

use crate::SLOTS;
use crate::crc::{POLYNOMIAL, times_x};
use crate::tag::hash_tag;

cpufeatures::new!(found, "pclmulqdq", "ssse3");

/// Says that the processor has PCLMULQDQ and SSSE3.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct Carryless(()); // made by `find` alone

#[expect(clippy::unused_self, reason = "that there is one says that the call is sound")]
impl Carryless {
    /// Asks the processor, the first time.
    #[inline]
    pub(crate) fn find() -> Option<Self> {
        found::get().then_some(Self(()))
    }

    #[inline]
    pub(crate) fn crc16(self, bytes: &[u8]) -> u16 {
        // SAFETY: a `Carryless` is there, so the processor has PCLMULQDQ and SSSE3.
        unsafe { crc16(bytes) }
    }

    #[inline]
    pub(crate) fn slot(self, key: &[u8]) -> u16 {
        // SAFETY: as in `crc16`.
        unsafe { slot(key) }
    }

    /// Writes `of` the slot of `keys[i]` to `results[i]`, as far as there are both.
    #[inline]
    pub(crate) fn map<T>(self, keys: &[&[u8]], results: &mut [T], of: impl Fn(u16) -> T) {
        // SAFETY: as in `crc16`.
        unsafe { map(keys, results, of) }
    }
}

#[target_feature(enable = "pclmulqdq,ssse3")]
fn map<T>(keys: &[&[u8]], results: &mut [T], of: impl Fn(u16) -> T) {
    for (key, result) in keys.iter().zip(results) {
        *result = of(slot(key));
    }
}

/// The slot of a key. The test for a brace reads the register that is multiplied.
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3")]
fn slot(key: &[u8]) -> u16 {
    if key.len() > 16 {
        return slot_of_long(key);
    }
    let block = right_aligned(key);
    let block = if places(block, b'{') == 0 { block } else { tag(block) };
    (if key.len() <= SHORT { remainder_of_short(block) } else { remainder(block) }) % SLOTS
}

#[inline(never)]
#[target_feature(enable = "pclmulqdq,ssse3")]
fn slot_of_long(key: &[u8]) -> u16 {
    let (folded, braces) = fold(key);
    if _mm_movemask_epi8(braces) == 0 {
        remainder(folded) % SLOTS
    } else {
        crc16(hash_tag(key)) % SLOTS
    }
}

/// The hash tag of the key in `block`, or the key if it has none; right-aligned both.
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3")]
#[expect(clippy::cast_possible_truncation, reason = "both places are below 16")]
fn tag(block: __m128i) -> __m128i {
    let forward = reversed(block);
    let open = places(forward, b'{').trailing_zeros();
    let closing = places(forward, b'}') & (u32::MAX << open);
    let close = closing.trailing_zeros();
    if closing == 0 || close == open + 1 {
        return block;
    }
    // In the block the bytes are counted from the last one.
    let last = _mm_set1_epi8(16 - close as i8);
    let from = _mm_set_epi8(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0);
    let from = _mm_add_epi8(from, last);
    let within = _mm_cmpgt_epi8(_mm_set1_epi8(15 - open as i8), from);
    _mm_and_si128(_mm_shuffle_epi8(block, from), within)
}

#[target_feature(enable = "pclmulqdq,ssse3")]
fn crc16(bytes: &[u8]) -> u16 {
    remainder(if bytes.len() <= 16 { right_aligned(bytes) } else { fold(bytes).0 })
}

/// A block of the same CRC as `bytes`, and ones where blocks of `bytes` have a brace.
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3")]
fn fold(bytes: &[u8]) -> (__m128i, __m128i) {
    let (head, blocks) = bytes.as_rchunks::<16>();
    let (single, pairs) = blocks.as_rchunks::<2>();
    let mut folded = right_aligned(head);
    let mut found = braces(folded);
    for block in single {
        let block = reversed(vector(u128::from_le_bytes(*block)));
        found = _mm_or_si128(found, braces(block));
        folded = _mm_xor_si128(times::<128>(folded), block);
    }
    for [first, second] in pairs {
        let first = reversed(vector(u128::from_le_bytes(*first)));
        let second = reversed(vector(u128::from_le_bytes(*second)));
        found = _mm_or_si128(found, _mm_or_si128(braces(first), braces(second)));
        let both = _mm_xor_si128(times::<128>(first), second);
        folded = _mm_xor_si128(times::<256>(folded), both);
    }
    (folded, found)
}

/// A block that equals `block` times x^N modulo P; its terms are below x^80.
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3")]
fn times<const N: u32>(block: __m128i) -> __m128i {
    // The halves are multiplied by x^N and x^(N + 64), both modulo P.
    let low = const { times_x(1, N) as i64 };
    let high = const { times_x(1, N + 64) as i64 };
    let factors = _mm_set_epi64x(high, low);
    let low = _mm_clmulepi64_si128::<0x00>(block, factors);
    let high = _mm_clmulepi64_si128::<0x11>(block, factors);
    _mm_xor_si128(low, high)
}

/// The most bytes of a block that needs two multiplications, not three.
const SHORT: usize = 14;

/// [`remainder`] of a block of at most 14 bytes.
///
/// The high half has 48 bits, so the 16 bits that are needed of its quotient take 63
/// of the reciprocal, from x^17 to x^79: these are in the low 64 of floor(x^128 / P).
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3")]
#[expect(clippy::cast_sign_loss, reason = "bits are taken")]
fn remainder_of_short(block: __m128i) -> u16 {
    const LOW: u64 = quotient(80);
    const HIGH: u64 = quotient(128);
    let factors = _mm_set_epi64x(HIGH.cast_signed(), LOW.cast_signed());
    let low = _mm_srli_si128::<8>(_mm_clmulepi64_si128::<0x00>(block, factors));
    let high = _mm_srli_si128::<6>(_mm_clmulepi64_si128::<0x11>(block, factors));
    crc_of(_mm_cvtsi128_si32(_mm_xor_si128(_mm_xor_si128(low, high), block)) as u32)
}

/// The CRC whose quotient ends with these 16 bits.
#[inline]
#[expect(clippy::cast_possible_truncation, reason = "the other bits are of no use")]
fn crc_of(quotient: u32) -> u16 {
    (quotient ^ quotient << 5 ^ quotient << 12) as u16
}

/// The CRC of a block.
///
/// With Q the quotient, the remainder is Q P mod x^16, since the message times x^16
/// has no term below: only 16 bits of Q are needed, and P is sparse. Q is linear in
/// the message, so it is the sum of that of the high and that of the low half, L. The
/// latter is floor(L floor(x^80 / P) / x^64), exactly, as the remainder of x^80 adds a
/// term of degree below 0; likewise with x^144 for the high half.
#[inline]
#[target_feature(enable = "pclmulqdq,ssse3")]
#[expect(clippy::cast_sign_loss, reason = "bits are taken")]
fn remainder(block: __m128i) -> u16 {
    // floor(x^144 / P) is x^128 + LOW x^64 + HIGH, and floor(x^80 / P) is x^64 + LOW.
    const LOW: u64 = quotient(80);
    const HIGH: u64 = quotient(144);
    let factors = _mm_set_epi64x(HIGH.cast_signed(), LOW.cast_signed());
    let low = _mm_clmulepi64_si128::<0x00>(block, factors);
    let high = _mm_clmulepi64_si128::<0x11>(block, factors);
    let middle = _mm_clmulepi64_si128::<0x01>(block, factors);
    let sums = _mm_srli_si128::<8>(_mm_xor_si128(low, high));
    // The x^64 of the reciprocal leaves the low half itself.
    crc_of(_mm_cvtsi128_si32(_mm_xor_si128(_mm_xor_si128(sums, middle), block)) as u32)
}

/// The low 64 bits of floor(x^n / P), n at least 16.
const fn quotient(n: u32) -> u64 {
    // Long division: the coefficients from x^(n - 16) down, and what is left, modulo P.
    let (mut quotient, mut left) = (0, 1_u32 << 16);
    let mut i = 16;
    loop {
        let bit = left >> 16;
        quotient = quotient << 1 | bit as u64;
        left = (left ^ (bit * (1 << 16 | POLYNOMIAL as u32))) << 1;
        if i == n {
            return quotient;
        }
        i += 1;
    }
}

#[inline]
#[target_feature(enable = "ssse3")]
fn places(block: __m128i, byte: u8) -> u32 {
    _mm_movemask_epi8(_mm_cmpeq_epi8(block, _mm_set1_epi8(byte.cast_signed()))).cast_unsigned()
}

#[inline]
#[target_feature(enable = "ssse3")]
fn braces(block: __m128i) -> __m128i {
    _mm_cmpeq_epi8(block, _mm_set1_epi8(b'{'.cast_signed()))
}

/// At most 16 bytes, the last byte lowest, and zeros above the first.
///
/// The zeros do not change a CRC whose initial value is 0.
#[inline]
#[target_feature(enable = "ssse3")]
fn right_aligned(bytes: &[u8]) -> __m128i {
    let length = bytes.len();
    let ends = if length >= 8
        && let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk())
    {
        _mm_set_epi64x(i64::from_le_bytes(*last), i64::from_le_bytes(*first))
    } else if length >= 4
        && let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk())
    {
        let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
        _mm_set_epi64x(0, i64::from(first) | i64::from(last) << 32)
    } else {
        _mm_set_epi64x(0, bytes.iter().rev().fold(0, |end, &byte| end << 8 | i64::from(byte)))
    };
    _mm_shuffle_epi8(ends, vector(ALIGNING[length]))
}

/// By length, where each byte of the right-aligned vector comes from: the first half
/// of its ends, first bytes and last, which overlap; 0x80 gives a zero.
static ALIGNING: [u128; 17] = {
    let mut aligning = [0; 17];
    let mut length = 0;
    while length <= 16 {
        // The ends are of 8 bytes, or of 4, or of all that there are.
        let end = match length {
            0..4 => 0,
            4..8 => 4,
            _ => 8,
        };
        let mut row = [0x80; 16];
        let mut i = 0;
        while i < length {
            let from = if i < end { 2 * end - 1 - i } else { length - 1 - i };
            #[expect(clippy::cast_possible_truncation, reason = "it is below 16")]
            let from = from as u8;
            row[i] = from;
            i += 1;
        }
        aligning[length] = u128::from_le_bytes(row);
        length += 1;
    }
    aligning
};

#[inline]
#[target_feature(enable = "ssse3")]
fn reversed(block: __m128i) -> __m128i {
    let order = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    _mm_shuffle_epi8(block, order)
}

#[inline]
#[target_feature(enable = "ssse3")]
#[expect(clippy::cast_possible_truncation, reason = "each half has its own 64 bits")]
fn vector(bytes: u128) -> __m128i {
    _mm_set_epi64x((bytes >> 64) as i64, bytes as i64)
}
