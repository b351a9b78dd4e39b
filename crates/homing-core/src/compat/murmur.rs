//! The Murmur hashes of Austin Appleby, 2008 to 2011, and what others made of them.

/// The bytes as words of `N`, and the bytes that are left.
fn blocks<const N: usize>(bytes: &[u8]) -> (&[[u8; N]], &[u8]) {
    bytes.as_chunks()
}

/// Up to eight bytes as a little-endian word, each widened on its own.
fn word(bytes: &[u8], widen: impl Fn(u8) -> u64) -> u64 {
    bytes.iter().rev().fold(0, |word, &byte| (word << 8) ^ widen(byte))
}

/// The low 32 bits of the length: what these hashes take in of it.
#[expect(clippy::cast_possible_truncation, reason = "the definitions count in 32 bits")]
const fn length(bytes: &[u8]) -> u32 {
    bytes.len() as u32
}

/// Up to three bytes as a little-endian word.
#[expect(clippy::cast_possible_truncation, reason = "three bytes fit into 32 bits")]
fn short_word(bytes: &[u8]) -> u32 {
    word(bytes, u64::from) as u32
}

/// MurmurHash2, 32 bits.
pub(super) fn murmur2(bytes: &[u8], seed: u32) -> u32 {
    const M: u32 = 0x5BD1_E995;
    let mut hash = seed ^ length(bytes);
    let (words, rest) = blocks(bytes);
    for &block in words {
        let mut k = u32::from_le_bytes(block).wrapping_mul(M);
        k = (k ^ (k >> 24)).wrapping_mul(M);
        hash = hash.wrapping_mul(M) ^ k;
    }
    if !rest.is_empty() {
        hash = (hash ^ short_word(rest)).wrapping_mul(M);
    }
    hash = (hash ^ (hash >> 13)).wrapping_mul(M);
    hash ^ (hash >> 15)
}

/// The seed that grows with the length: `0xdeadbeef` times it.
pub(super) const fn seed_of_length(bytes: &[u8]) -> u32 {
    0xDEAD_BEEF_u32.wrapping_mul(length(bytes))
}

/// MurmurHash64A.
pub(super) fn murmur64a(bytes: &[u8], seed: u64) -> u64 {
    const M: u64 = 0xC6A4_A793_5BD1_E995;
    let mut hash = seed ^ (bytes.len() as u64).wrapping_mul(M);
    let (words, rest) = blocks(bytes);
    for &block in words {
        let mut k = u64::from_le_bytes(block).wrapping_mul(M);
        k = (k ^ (k >> 47)).wrapping_mul(M);
        hash = (hash ^ k).wrapping_mul(M);
    }
    if !rest.is_empty() {
        hash = (hash ^ word(rest, u64::from)).wrapping_mul(M);
    }
    hash = (hash ^ (hash >> 47)).wrapping_mul(M);
    hash ^ (hash >> 47)
}

/// `MurmurHash3_x86_32`.
pub(super) fn murmur3_32(bytes: &[u8], seed: u32) -> u32 {
    const fn scramble(k: u32) -> u32 {
        k.wrapping_mul(0xCC9E_2D51).rotate_left(15).wrapping_mul(0x1B87_3593)
    }
    let (words, rest) = blocks(bytes);
    let mut hash = seed;
    for &block in words {
        hash = (hash ^ scramble(u32::from_le_bytes(block))).rotate_left(13);
        hash = hash.wrapping_mul(5).wrapping_add(0xE654_6B64);
    }
    hash ^= scramble(short_word(rest)) ^ length(bytes);
    hash = (hash ^ (hash >> 16)).wrapping_mul(0x85EB_CA6B);
    hash = (hash ^ (hash >> 13)).wrapping_mul(0xC2B2_AE35);
    hash ^ (hash >> 16)
}

/// The first half of `MurmurHash3_x64_128`.
pub(super) fn murmur3_128(bytes: &[u8], seed: u32) -> u64 {
    murmur3_halves(bytes, seed, u64::from)
}

/// The first half of `MurmurHash3_x64_128` with seed 0, but the bytes after the
/// last full 16 are sign-extended before they are shifted and xored.
pub(super) fn murmur3_signed_tail(bytes: &[u8]) -> u64 {
    murmur3_halves(bytes, 0, |byte| i64::from(byte.cast_signed()).cast_unsigned())
}

fn murmur3_halves(bytes: &[u8], seed: u32, widen: impl Fn(u8) -> u64) -> u64 {
    const C1: u64 = 0x87C3_7B91_1142_53D5;
    const C2: u64 = 0x4CF5_AD43_2745_937F;
    const fn first(k: u64) -> u64 {
        k.wrapping_mul(C1).rotate_left(31).wrapping_mul(C2)
    }
    const fn second(k: u64) -> u64 {
        k.wrapping_mul(C2).rotate_left(33).wrapping_mul(C1)
    }
    const fn finish(mut k: u64) -> u64 {
        k = (k ^ (k >> 33)).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        k = (k ^ (k >> 33)).wrapping_mul(0xC4CE_B9FE_1A85_EC53);
        k ^ (k >> 33)
    }
    let (words, rest) = blocks::<16>(bytes);
    let (mut h1, mut h2) = (u64::from(seed), u64::from(seed));
    for block in words {
        h1 = (h1 ^ first(word(&block[..8], u64::from))).rotate_left(27).wrapping_add(h2);
        h1 = h1.wrapping_mul(5).wrapping_add(0x52DC_E729);
        h2 = (h2 ^ second(word(&block[8..], u64::from))).rotate_left(31).wrapping_add(h1);
        h2 = h2.wrapping_mul(5).wrapping_add(0x3849_5AB5);
    }
    let (low, high) = rest.split_at(rest.len().min(8));
    h1 ^= first(word(low, &widen)) ^ bytes.len() as u64;
    h2 ^= second(word(high, &widen)) ^ bytes.len() as u64;
    h1 = h1.wrapping_add(h2);
    h2 = h2.wrapping_add(h1);
    finish(h1).wrapping_add(finish(h2))
}
