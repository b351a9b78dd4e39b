//! [`KeyHash`], the hash of keys and ids, and the mixes made from it.

pub(crate) mod names;

use core::fmt;
use core::str::FromStr;

use crate::Error;
#[cfg(feature = "compat")]
use crate::compat::Compat;

/// The hash of a configuration, over bytes as they are.
///
/// Its values are numbers of 64 bits, or of fewer, as
/// [`max_hash`](Self::max_hash) says. Keys and ids go through the same hash. Its
/// text form is `xxh3`, `xxh3:SEED`, `sha256` or, with the feature `compat`, one
/// of those of `compat::Compat`.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum KeyHash {
    /// XXH3-64 with a seed; seed 0 is the same as no seed.
    ///
    /// Source: Yann Collet, xxHash specification, version 0.8, "XXH3 algorithm".
    Xxh3 {
        /// The seed.
        seed: u64,
    },
    /// The first eight bytes of SHA-256, read big-endian.
    ///
    /// Source: NIST, FIPS 180-4, "Secure Hash Standard", 2015, section 6.2.
    #[cfg(feature = "sha2")]
    Sha256,
    /// The hash of another program.
    #[cfg(feature = "compat")]
    Compat(Compat),
}

impl KeyHash {
    /// The hash of `bytes`.
    #[inline]
    #[must_use]
    pub fn hash(&self, bytes: &[u8]) -> u64 {
        // By reference: by value, all parameters would be copied before each match.
        match self {
            Self::Xxh3 { seed } => xxhash_rust::xxh3::xxh3_64_with_seed(bytes, *seed),
            #[cfg(feature = "sha2")]
            Self::Sha256 => sha256(bytes),
            #[cfg(feature = "compat")]
            Self::Compat(compat) => compat.hash(bytes),
        }
    }

    /// The end of the range of [`hash`](Self::hash): 2^64 - 1 or 2^32 - 1.
    ///
    /// The values of some foreign hashes do not use all of it.
    #[inline]
    #[must_use]
    pub const fn max_hash(self) -> u64 {
        match self {
            #[cfg(feature = "compat")]
            Self::Compat(compat) => compat.algorithm.max_hash(),
            _ => u64::MAX,
        }
    }
}

impl Default for KeyHash {
    /// XXH3-64 with seed 0.
    fn default() -> Self {
        Self::Xxh3 { seed: 0 }
    }
}

impl fmt::Display for KeyHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Xxh3 { seed: 0 } => f.pad("xxh3"),
            Self::Xxh3 { seed } => write!(f, "xxh3:{seed}"),
            #[cfg(feature = "sha2")]
            Self::Sha256 => f.pad("sha256"),
            #[cfg(feature = "compat")]
            Self::Compat(compat) => fmt::Display::fmt(compat, f),
        }
    }
}

impl FromStr for KeyHash {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        if text == "xxh3" {
            return Ok(Self::default());
        }
        if let Some(seed) = text.strip_prefix("xxh3:") {
            // A plus, or zeros before it, would give one hash two names; 0 has none.
            let first = seed.starts_with(|first| matches!(first, '1'..='9'));
            if let (true, Ok(seed)) = (first || seed == "0", seed.parse()) {
                return Ok(Self::Xxh3 { seed });
            }
            let rule = "xxh3:SEED, a seed of 0 to 18446744073709551615";
            return Err(Error::parameter("hash", alloc::format!("{text:?}"), rule));
        }
        #[cfg(feature = "sha2")]
        if text == "sha256" {
            return Ok(Self::Sha256);
        }
        #[cfg(feature = "compat")]
        return text.parse().map(Self::Compat);
        #[cfg(not(feature = "compat"))]
        Err(names::error(text))
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for KeyHash {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for KeyHash {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = alloc::string::String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// The output function of SplitMix64, a bijection of the 64-bit numbers.
///
/// Source: Guy L. Steele Jr., Doug Lea, Christine H. Flood, "Fast Splittable
/// Pseudorandom Number Generators", OOPSLA 2014, section 4, with the constants
/// of David Stafford's "Mix13".
#[inline]
#[must_use]
pub const fn mix64(mut x: u64) -> u64 {
    x ^= x >> 30;
    x = x.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x ^= x >> 27;
    x = x.wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Draw `i` of a node whose id hashes to `hash`, i from 0.
///
/// The draws are the outputs of SplitMix64 started at `hash`. Everything that a
/// node throws is a draw, never `hash` itself: that is the position of the key
/// that reads like the id.
#[inline]
#[must_use]
pub const fn draw(hash: u64, i: u64) -> u64 {
    mix64(hash.wrapping_add(i.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15)))
}

#[cfg(feature = "sha2")]
fn sha256(bytes: &[u8]) -> u64 {
    use sha2::Digest;
    let digest = sha2::Sha256::digest(bytes);
    let (first, _) = digest.split_first_chunk::<8>().expect("a SHA-256 digest has 32 bytes");
    u64::from_be_bytes(*first)
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn mix64_maps_one_as_the_vectors_say() {
        // homing/pieces.jsonl of the vectors, `mix64`.
        assert_eq!(mix64(0), 0);
        assert_eq!(mix64(1), 6_238_072_747_940_578_789);
    }

    #[test]
    fn xxh3_of_nothing_is_the_published_value() {
        // xxHash specification: XXH3_64bits of the empty input with seed 0.
        assert_eq!(KeyHash::default().hash(b""), 0x2D06_8005_38D3_94C2);
    }

    #[cfg(feature = "sha2")]
    #[test]
    fn sha256_is_its_first_eight_bytes_big_endian() {
        // FIPS 180-4, example "abc": ba7816bf 8f01cfea ...
        assert_eq!(KeyHash::Sha256.hash(b"abc"), 0xba78_16bf_8f01_cfea);
    }

    #[test]
    fn a_hash_is_named_in_one_way() {
        for text in ["xxh3", "xxh3:42", "xxh3:18446744073709551615"] {
            assert_eq!(text.parse::<KeyHash>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "xxh3:",
            "xxh3:-1",
            "xxh3:+1",
            "xxh3:18446744073709551616",
            "xxh3:007",
            "XXH3",
            "md5",
        ] {
            assert!(text.parse::<KeyHash>().is_err(), "{text:?}");
        }
    }
}
