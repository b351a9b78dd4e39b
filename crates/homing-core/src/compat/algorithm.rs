//! [`Algorithm`], the foreign hashes by name.

use core::fmt;
use core::str::FromStr;

use super::keyed::{self, Seed};
use super::{
    avalanche, bytewise, digest, jenkins, md5, md5_magnitude, murmur, murmur3_token, sha1,
};
use crate::Error;
use crate::hash::names;

macro_rules! algorithms {
    (
        plain { $($(#[$doc:meta])* $plain:ident $plain_name:literal $plain_bits:literal $plain_hash:expr;)* }
        seeded { $($(#[$docs:meta])* $seeded:ident { $seed:ty } $name:literal $bits:literal $hash:expr;)* }
    ) => {
        /// A hash of another program, over bytes as they are.
        ///
        /// Its text form is its [`name`](Self::name), then, if it has a seed that
        /// is not 0, a colon and the seed in decimal.
        #[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
        #[non_exhaustive]
        pub enum Algorithm {
            $($(#[$doc])* $plain,)*
            $($(#[$docs])* $seeded {
                /// The seed; of two numbers, both are keys.
                seed: $seed,
            },)*
        }

        impl Algorithm {
            /// Every algorithm, those with a seed with seed 0.
            pub const ALL: &[Self] = &[
                $(Self::$plain,)*
                $(Self::$seeded { seed: <$seed as Seed>::ZERO },)*
            ];

            /// The name, without a seed.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$plain => $plain_name,)*
                    $(Self::$seeded { .. } => $name,)*
                }
            }

            /// 2^32 - 1 if the values are of 32 bits or fewer, 2^64 - 1 if of more.
            ///
            /// Values of fewer than 32 bits are meant for a ring of 32: what they
            /// leave free is part of the range.
            #[must_use]
            pub const fn max_hash(self) -> u64 {
                let bits: u32 = match self {
                    $(Self::$plain => $plain_bits,)*
                    $(Self::$seeded { .. } => $bits,)*
                };
                u64::MAX >> (u64::BITS - bits)
            }

            /// The hash of `bytes`; at most [`max_hash`](Self::max_hash).
            #[must_use]
            pub fn hash(&self, bytes: &[u8]) -> u64 {
                match self {
                    $(Self::$plain => ($plain_hash)(bytes).into(),)*
                    $(Self::$seeded { seed } => ($hash)(bytes, *seed).into(),)*
                }
            }
        }

        impl fmt::Display for Algorithm {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Self::$seeded { seed } if *seed != <$seed as Seed>::ZERO => {
                        f.write_str(concat!($name, ":"))?;
                        seed.write(f)
                    })*
                    _ => f.pad(self.name()),
                }
            }
        }

        impl FromStr for Algorithm {
            type Err = Error;

            /// Reads what [`Display`](fmt::Display) writes; a seed of 0 may be given.
            ///
            /// # Errors
            ///
            /// Returns [`Error::InvalidParameter`], with the names that are
            /// nearest before all others, if `text` names no hash, and with the
            /// range of its seed if that is none.
            fn from_str(text: &str) -> Result<Self, Error> {
                let (name, seed) = match text.split_once(':') {
                    None => (text, None),
                    Some((name, seed)) => (name, Some(seed)),
                };
                match (name, seed) {
                    $(($plain_name, None) => Ok(Self::$plain),)*
                    $(($plain_name, Some(_)) => {
                        let rule = concat!($plain_name, ", which has no seed");
                        Err(Error::parameter("hash", alloc::format!("{text:?}"), rule))
                    })*
                    $(($name, None) => Ok(Self::$seeded { seed: Seed::ZERO }),)*
                    $(($name, Some(seed)) => match Seed::read(seed) {
                        Some(seed) => Ok(Self::$seeded { seed }),
                        None => Err(<$seed as Seed>::error(text, $name)),
                    })*
                    _ => Err(names::error(text)),
                }
            }
        }
    };
}

algorithms! {
    plain {
        /// MD5, the first four bytes, little-endian.
        Md5Le32 "md5-le32" 32 |bytes| u32::from_le_bytes(digest::first(&md5(bytes)));
        /// MD5, the first four bytes, big-endian.
        Md5Be32 "md5-be32" 32 |bytes| u32::from_be_bytes(digest::first(&md5(bytes)));
        /// MD5, the first eight bytes, big-endian.
        Md5Be64 "md5-be64" 64 |bytes| u64::from_be_bytes(digest::first(&md5(bytes)));
        /// MD5, the first eight bytes, little-endian and signed, plus 2^63: in the
        /// order of the signed numbers.
        Md5LeI64 "md5-le-i64" 64 |bytes| in_order(i64::from_le_bytes(digest::first(&md5(bytes))));
        /// [`md5_magnitude`] in units of 2^63; 2^64 - 1 for the one value beyond.
        Md5Magnitude "md5-magnitude" 64 |bytes| {
            u64::try_from(md5_magnitude(bytes) >> 63).unwrap_or(u64::MAX)
        };
        /// SHA-1, the first four bytes, big-endian.
        Sha1Be32 "sha1-be32" 32 |bytes| u32::from_be_bytes(digest::first(&sha1(bytes)));
        /// SHA-1, the first eight bytes, big-endian.
        Sha1Be64 "sha1-be64" 64 |bytes| u64::from_be_bytes(digest::first(&sha1(bytes)));
        /// CRC-32 (ISO-HDLC).
        Crc32 "crc32" 32 crc32fast::hash;
        /// CRC-32, bits 16 to 30: at most 32767.
        Crc32Bits15 "crc32-15" 32 crc32_15;
        /// CRC-32, bits 16 to 30, and 1 where they are 0: in `1..=32767`.
        Crc32Bits15Or1 "crc32-15-or-1" 32 |bytes| crc32_15(bytes).max(1);
        /// CRC-32, then [`avalanche`].
        Crc32Avalanche "crc32-avalanche" 32 |bytes| avalanche(crc32fast::hash(bytes));
        /// CRC-16/XMODEM in 32 bits: what is shifted out stays in the high half.
        Crc16Wide "crc16-wide" 32 bytewise::crc16_wide;
        /// FNV-1, 32 bits.
        Fnv1Bits32 "fnv1-32" 32 |bytes| bytewise::fnv1_32(bytewise::unsigned(bytes));
        /// FNV-1a, 32 bits.
        Fnv1aBits32 "fnv1a-32" 32 |bytes| bytewise::fnv1a_32(bytewise::unsigned(bytes));
        /// FNV-1, 32 bits, signed bytes.
        Fnv1Bits32Signed "fnv1-32-signed" 32 |bytes| bytewise::fnv1_32(bytewise::signed(bytes));
        /// FNV-1a, 32 bits, signed bytes.
        Fnv1aBits32Signed "fnv1a-32-signed" 32 |bytes| bytewise::fnv1a_32(bytewise::signed(bytes));
        /// FNV-1a, 32 bits, the absolute value of the signed number: in `0..=2^31`.
        Fnv1aBits32Abs "fnv1a-32-abs" 32 |bytes| {
            bytewise::fnv1a_32(bytewise::unsigned(bytes)).cast_signed().unsigned_abs()
        };
        /// FNV-1, 64 bits.
        Fnv1Bits64 "fnv1-64" 64 |bytes| bytewise::fnv1_64(bytewise::wide(bytes));
        /// FNV-1a, 64 bits.
        Fnv1aBits64 "fnv1a-64" 64 |bytes| bytewise::fnv1a_64(bytewise::wide(bytes));
        /// FNV-1, 64 bits, signed bytes.
        Fnv1Bits64Signed "fnv1-64-signed" 64 |bytes| bytewise::fnv1_64(bytewise::wide_signed(bytes));
        /// FNV-1a, 64 bits, signed bytes.
        Fnv1aBits64Signed "fnv1a-64-signed" 64 |bytes| {
            bytewise::fnv1a_64(bytewise::wide_signed(bytes))
        };
        /// FNV-1, 64 bits, the low 32.
        Fnv1Low32 "fnv1-64-low32" 32 |bytes| low(bytewise::fnv1_64(bytewise::wide(bytes)));
        /// FNV-1a, 64 bits, the low 32.
        Fnv1aLow32 "fnv1a-64-low32" 32 |bytes| low(bytewise::fnv1a_64(bytewise::wide(bytes)));
        /// FNV-1, 64 bits, signed bytes, the low 32.
        Fnv1Low32Signed "fnv1-64-low32-signed" 32 |bytes| {
            low(bytewise::fnv1_64(bytewise::wide_signed(bytes)))
        };
        /// FNV-1a, 64 bits, signed bytes, the low 32.
        Fnv1aLow32Signed "fnv1a-64-low32-signed" 32 |bytes| {
            low(bytewise::fnv1a_64(bytewise::wide_signed(bytes)))
        };
        /// One-at-a-time.
        OneAtATime "one-at-a-time" 32 |bytes| jenkins::one_at_a_time(bytewise::unsigned(bytes));
        /// One-at-a-time, signed bytes.
        OneAtATimeSigned "one-at-a-time-signed" 32 |bytes| {
            jenkins::one_at_a_time(bytewise::signed(bytes))
        };
        /// SuperFastHash started at 0, the third of three bytes left over signed.
        Hsieh "hsieh" 32 jenkins::super_fast;
        /// sdbm: times 65599, plus the byte.
        Sdbm "sdbm" 32 bytewise::sdbm;
        /// sdbm, then [`avalanche`].
        SdbmAvalanche "sdbm-avalanche" 32 |bytes| avalanche(bytewise::sdbm(bytes));
        /// djb2: from 5381, times 33, plus the byte.
        Djb2 "djb2" 32 bytewise::djb2;
        /// djb2, then [`avalanche`].
        Djb2Avalanche "djb2-avalanche" 32 |bytes| avalanche(bytewise::djb2(bytes));
        /// WT6.
        Wt6 "wt6" 32 bytewise::wt6;
        /// WT6, then [`avalanche`].
        Wt6Avalanche "wt6-avalanche" 32 |bytes| avalanche(bytewise::wt6(bytes));
        /// MurmurHash2, 32 bits, the seed 0xdeadbeef times the length.
        Murmur2Length "murmur2-length" 32 |bytes| {
            murmur::murmur2(bytes, murmur::seed_of_length(bytes))
        };
        /// MurmurHash2, 32 bits, seed 0x9747b28c, the low 31 bits.
        Murmur2Kafka "murmur2-kafka" 32 |bytes| murmur::murmur2(bytes, 0x9747_B28C) & 0x7FFF_FFFF;
        /// MurmurHash3, x86, 32 bits, the seed 0xdeadbeef times the length.
        Murmur3Length "murmur3-32-length" 32 |bytes| {
            murmur::murmur3_32(bytes, murmur::seed_of_length(bytes))
        };
        /// MurmurHash3, x64, 128 bits, seed 0, the first half, the bytes after the last
        /// full 16 signed.
        Murmur3Signed "murmur3-128-signed" 64 murmur::murmur3_signed_tail;
        /// [`murmur3_token`] plus 2^63: in the order of the signed numbers.
        Murmur3Token "murmur3-token" 64 |bytes| in_order(murmur3_token(bytes));
        /// rapidhash v3 of the bytes and 0xff.
        RapidhashStr "rapidhash-str" 64 keyed::rapidhash_str;
    }
    seeded {
        /// lookup3, `hashlittle`.
        Lookup3 { u32 } "lookup3" 32 jenkins::lookup3;
        /// MurmurHash2, 32 bits.
        Murmur2 { u32 } "murmur2-32" 32 murmur::murmur2;
        /// MurmurHash64A.
        Murmur64A { u64 } "murmur2-64a" 64 murmur::murmur64a;
        /// MurmurHash3, x86, 32 bits.
        Murmur3Bits32 { u32 } "murmur3-32" 32 murmur::murmur3_32;
        /// MurmurHash3, x64, 128 bits, the first half.
        Murmur3Bits128 { u32 } "murmur3-128" 64 murmur::murmur3_128;
        /// XXH64.
        Xxh64 { u64 } "xxh64" 64 xxhash_rust::xxh64::xxh64;
        /// SipHash-1-3.
        SipHash13 { [u64; 2] } "siphash-1-3" 64 keyed::siphash13;
        /// SipHash-2-4.
        SipHash24 { [u64; 2] } "siphash-2-4" 64 keyed::siphash24;
        /// SipHash-1-3 without keys of the seed as four little-endian bytes, the
        /// bytes and 0xff.
        SipHash13Str { u32 } "siphash-1-3-str" 64 keyed::siphash13_str;
    }
}

/// A signed number as a position: 0 is `i64::MIN`.
const fn in_order(number: i64) -> u64 {
    number.cast_unsigned() ^ (1 << 63)
}

/// The low half.
#[expect(clippy::cast_possible_truncation, reason = "the low half is what is asked for")]
const fn low(hash: u64) -> u32 {
    hash as u32
}

/// CRC-32, bits 16 to 30.
fn crc32_15(bytes: &[u8]) -> u32 {
    (crc32fast::hash(bytes) >> 16) & 0x7FFF
}
