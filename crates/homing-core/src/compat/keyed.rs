//! Seeds in text, and the hashes that other crates compute.

use core::fmt;

use siphasher::sip::{SipHasher13, SipHasher24};

use crate::Error;

/// A seed: a number, or two.
pub(super) trait Seed: Copy + Eq {
    /// The seed that is left out.
    const ZERO: Self;

    /// Reads what [`write`](Self::write) writes, and no other form of it.
    fn read(text: &str) -> Option<Self>;

    /// Writes the seed in decimal.
    fn write(self, f: &mut fmt::Formatter<'_>) -> fmt::Result;

    /// That the seed of `text` is none for the hash of that name.
    fn error(text: &str, name: &str) -> Error;
}

macro_rules! seed {
    ($number:ty) => {
        impl Seed for $number {
            const ZERO: Self = 0;

            fn read(text: &str) -> Option<Self> {
                // A plus, or zeros before it, would give one hash two names.
                let first = text.starts_with(|first| matches!(first, '1'..='9'));
                text.parse().ok().filter(|_| first || text == "0")
            }

            fn write(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self, f)
            }

            fn error(text: &str, name: &str) -> Error {
                let rule = alloc::format!("{name}:SEED, a seed of 0 to {}", Self::MAX);
                Error::parameter("hash", alloc::format!("{text:?}"), rule)
            }
        }
    };
}

seed!(u32);
seed!(u64);

impl Seed for [u64; 2] {
    const ZERO: Self = [0; 2];

    fn read(text: &str) -> Option<Self> {
        let (first, second) = text.split_once(',')?;
        Some([Seed::read(first)?, Seed::read(second)?])
    }

    fn write(self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self[0], self[1])
    }

    fn error(text: &str, name: &str) -> Error {
        let rule = alloc::format!("{name}:K0,K1, two keys of 0 to {}", u64::MAX);
        Error::parameter("hash", alloc::format!("{text:?}"), rule)
    }
}

/// SipHash-1-3.
pub(super) fn siphash13(bytes: &[u8], [k0, k1]: [u64; 2]) -> u64 {
    SipHasher13::new_with_keys(k0, k1).hash(bytes)
}

/// SipHash-2-4.
pub(super) fn siphash24(bytes: &[u8], [k0, k1]: [u64; 2]) -> u64 {
    SipHasher24::new_with_keys(k0, k1).hash(bytes)
}

/// SipHash-1-3 of a number and a text, as Rust hashes the two.
pub(super) fn siphash13_str(bytes: &[u8], seed: u32) -> u64 {
    use core::hash::Hasher;
    let mut hasher = SipHasher13::new();
    hasher.write(&seed.to_le_bytes());
    hasher.write(bytes);
    hasher.write_u8(0xFF);
    hasher.finish()
}

/// rapidhash v3 of a text, as Rust hashes it.
pub(super) fn rapidhash_str(bytes: &[u8]) -> u64 {
    let text = [bytes, &[0xFF]].concat();
    rapidhash::v3::rapidhash_v3(&text)
}
