//! The hashers that peers are given in place of their own: one-shot XXH3.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hasher};

use homing_core::mix64;
use xxhash_rust::xxh3::{xxh3_64, xxh3_64_with_seed};

/// The hasher of the standard library, with fixed keys.
pub(crate) type Sip13 = BuildHasherDefault<DefaultHasher>;

/// XXH3-64 of a byte string in one go, and a mix for whole numbers.
///
/// A fair loan: a streaming hasher would make every peer slower than it need be.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Fast(u64);

/// Makes [`Fast`].
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct FastBuild;

impl Hasher for Fast {
    #[inline]
    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64_with_seed(bytes, self.0);
    }

    // What `str` writes last.
    #[inline]
    fn write_u8(&mut self, number: u8) {
        self.0 = self.0.wrapping_add(number.into());
    }

    #[inline]
    fn write_u32(&mut self, number: u32) {
        self.write_u64(number.into());
    }

    #[inline]
    fn write_u64(&mut self, number: u64) {
        self.0 = mix64(self.0.wrapping_add(0x9e37_79b9_7f4a_7c15) ^ number);
    }

    #[inline]
    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    #[inline]
    fn finish(&self) -> u64 {
        self.0
    }
}

impl BuildHasher for FastBuild {
    type Hasher = Fast;

    #[inline]
    fn build_hasher(&self) -> Fast {
        Fast::default()
    }
}

/// XXH3-64 of a key, the hash of every floor.
#[inline]
pub(crate) fn hash(key: &[u8]) -> u64 {
    xxh3_64(key)
}
