//! [`slot`], the half of the map that never changes: from a key to its slot.

use crate::kernel::Kernel;

/// How many slots there are: 16384, numbered from 0.
///
/// Source: Redis, "Redis cluster specification", "Key distribution model".
pub const SLOTS: u16 = 16_384;

/// Returns the slot of a key, in `0..16384`: `crc16(hash_tag(key)) mod 16384`.
///
/// Chooses the instructions at each call; a layout chose them when it was built.
///
/// # Examples
///
/// ```
/// // Redis cluster specification, "Hash tags": both keys hash `user1000`.
/// assert_eq!(homing_slots::slot(b"{user1000}.following"), 3443);
/// assert_eq!(homing_slots::slot(b"{user1000}.followers"), 3443);
/// ```
#[inline]
#[must_use]
pub fn slot(key: &[u8]) -> u16 {
    Kernel::best().slot(key)
}

/// Returns the part of a key that is hashed.
///
/// The bytes between the first `{` and the first `}` after it, if there is at
/// least one; otherwise the whole key. No later pair is tried. Keys that share a
/// tag share a slot. Brace bytes count in binary keys as in any other.
///
/// Source: Redis, "Redis cluster specification", "Hash tags".
#[inline]
#[must_use]
pub fn hash_tag(key: &[u8]) -> &[u8] {
    let Some(open) = key.iter().position(|&byte| byte == b'{') else {
        return key;
    };
    let rest = &key[open + 1..];
    match rest.iter().position(|&byte| byte == b'}') {
        None | Some(0) => key,
        Some(close) => &rest[..close],
    }
}

/// The CRC-16/XMODEM of `bytes`, the one in the Redis cluster specification.
///
/// Polynomial 0x1021, initial value 0, nothing reflected, no final xor. The
/// variant of polynomial 0xA001 and initial value 0xFFFF, MODBUS, is another.
#[inline]
#[must_use]
pub fn crc16(bytes: &[u8]) -> u16 {
    Kernel::best().crc16(bytes)
}
