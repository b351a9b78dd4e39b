//! Hashes that take one byte after the other, and a mix of 32 bits.

/// The bytes as numbers of 0 to 255.
pub(super) fn unsigned(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.iter().map(|&byte| byte.into())
}

/// The bytes as C programs see them through a signed `char`: 0x80 to 0xff are
/// sign-extended.
pub(super) fn signed(bytes: &[u8]) -> impl Iterator<Item = u32> {
    bytes.iter().map(|&byte| i32::from(byte.cast_signed()).cast_unsigned())
}

/// Those of [`unsigned`], for a hash of 64 bits.
pub(super) fn wide(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.iter().map(|&byte| byte.into())
}

/// Those of [`signed`], for a hash of 64 bits.
pub(super) fn wide_signed(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.iter().map(|&byte| i64::from(byte.cast_signed()).cast_unsigned())
}

const BASIS_32: u32 = 0x811C_9DC5;
const PRIME_32: u32 = 0x0100_0193;
const BASIS_64: u64 = 0xCBF2_9CE4_8422_2325;
const PRIME_64: u64 = 0x0000_0100_0000_01B3;

/// FNV-1, 32 bits.
///
/// Source of this and the next three: G. Fowler, L. C. Noll, K.-P. Vo,
/// D. Eastlake, T. Hansen, "The FNV Non-Cryptographic Hash Algorithm".
pub(super) fn fnv1_32(bytes: impl Iterator<Item = u32>) -> u32 {
    bytes.fold(BASIS_32, |hash, byte| hash.wrapping_mul(PRIME_32) ^ byte)
}

/// FNV-1a, 32 bits.
pub(super) fn fnv1a_32(bytes: impl Iterator<Item = u32>) -> u32 {
    bytes.fold(BASIS_32, |hash, byte| (hash ^ byte).wrapping_mul(PRIME_32))
}

/// FNV-1, 64 bits.
pub(super) fn fnv1_64(bytes: impl Iterator<Item = u64>) -> u64 {
    bytes.fold(BASIS_64, |hash, byte| hash.wrapping_mul(PRIME_64) ^ byte)
}

/// FNV-1a, 64 bits.
pub(super) fn fnv1a_64(bytes: impl Iterator<Item = u64>) -> u64 {
    bytes.fold(BASIS_64, |hash, byte| (hash ^ byte).wrapping_mul(PRIME_64))
}

/// CRC-16/XMODEM in an accumulator of 32 bits that is never cut to 16.
///
/// What is shifted out stays in the high half.
pub(super) fn crc16_wide(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0, |crc, &byte| {
        let mut entry = (crc & 0xFF00) ^ (u32::from(byte) << 8);
        for _ in 0..8 {
            entry = if entry & 0x8000 == 0 { entry << 1 } else { (entry << 1) ^ 0x1021 };
        }
        (crc << 8) ^ (entry & 0xFFFF)
    })
}

/// The hash of the `sdbm` database library: times 65599, plus the byte.
pub(super) fn sdbm(bytes: &[u8]) -> u32 {
    unsigned(bytes).fold(0, |hash, byte| hash.wrapping_mul(65_599).wrapping_add(byte))
}

/// The hash of Daniel J. Bernstein in `comp.lang.c`: times 33, plus the byte.
pub(super) fn djb2(bytes: &[u8]) -> u32 {
    unsigned(bytes).fold(5381, |hash, byte| hash.wrapping_mul(33).wrapping_add(byte))
}

/// WT6: two words that turn each other by what they hold.
///
/// Source: Willy Tarreau; HAProxy 2.6 configuration manual, `hash-type`, "wt6".
pub(super) fn wt6(bytes: &[u8]) -> u32 {
    let (mut a, mut b) = (0xA53C_965A_u32, 0x5CA6_953A_u32);
    let (mut turn_b, mut turn_a) = (6, 18);
    for byte in unsigned(bytes) {
        a = !(a ^ byte);
        b = !b.wrapping_add(byte);
        (a, b) = (b.rotate_left(turn_b), a.rotate_left(turn_a));
        let both = ((a >> 16) ^ b) & 0xFFFF;
        (turn_b, turn_a) = (both & 31, both >> 11);
    }
    a ^ b
}

/// A bijection of the 32-bit numbers that spreads every bit.
///
/// Source: Bob Jenkins, "Integer hashing", full avalanche in six shifts; then
/// times 3221225473.
#[must_use]
pub const fn avalanche(number: u32) -> u32 {
    let mut a = number;
    a = a.wrapping_add(0x7ED5_5D16).wrapping_add(a << 12);
    a = (a ^ 0xC761_C23C) ^ (a >> 19);
    a = a.wrapping_add(0x1656_67B1).wrapping_add(a << 5);
    a = a.wrapping_add(0xD3A2_646C) ^ (a << 9);
    a = a.wrapping_add(0xFD70_46C5).wrapping_add(a << 3);
    a = (a ^ 0xB55A_4F09) ^ (a >> 16);
    a.wrapping_mul(3_221_225_473)
}
