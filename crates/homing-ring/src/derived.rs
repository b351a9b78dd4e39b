//! [`Scheme`], how points are made of a label, and how the copies are counted.

use alloc::borrow::ToOwned;
use alloc::string::String;
use core::fmt::Write;

#[cfg(feature = "compat")]
use homing_core::compat::{avalanche, md5};
use homing_core::{Error, Fingerprinter, KeyHash, Node};

#[cfg(not(feature = "compat"))]
use self::refused::{avalanche, md5};

/// How points are made of the label of a node, copy by copy, i from 0.
///
/// The label is [`Node::label`], as its UTF-8 bytes; i is written in decimal
/// without leading zeros.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Scheme {
    /// One point a copy: the hash of label and i.
    Text {
        /// Where i stands.
        copy: Place,
        /// What stands between label and i.
        separator: String,
        /// The hash of the points, which may be another than that of the keys.
        hash: KeyHash,
    },
    /// As many points a copy as `words`: the MD5 digest of label and i, cut into
    /// words of four bytes, each read little-endian, from the first on.
    Digest {
        /// Where i stands.
        copy: Place,
        /// What stands between label and i.
        separator: String,
        /// How many words are points, in `1..=4`.
        words: u32,
    },
    /// One point a copy: the hash of the label and the four bytes of the point
    /// before, little-endian; 0 is before the first.
    Chain {
        /// The hash of the points, of 32 bits.
        hash: KeyHash,
    },
    /// One point a copy: the `avalanche` that the crate documentation defines of
    /// `stride * label + i` at 32 bits, the label being a decimal number below 2^32.
    Number {
        /// How far the numbers of two neighbouring labels are apart.
        stride: u32,
    },
}

/// Where the number of a copy stands.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Place {
    /// Label, separator, i.
    Last,
    /// i, separator, label.
    First,
}

impl Place {
    /// The name in files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Last => "last",
            Self::First => "first",
        }
    }
}

impl Scheme {
    /// The greatest point that there can be.
    pub(crate) fn max_point(&self) -> u64 {
        match self {
            Self::Text { hash, .. } => hash.max_hash(),
            Self::Digest { .. } | Self::Chain { .. } | Self::Number { .. } => u32::MAX.into(),
        }
    }

    /// How many points a copy has.
    pub(crate) fn points_a_copy(&self) -> u32 {
        match self {
            Self::Digest { words, .. } => *words,
            _ => 1,
        }
    }

    pub(crate) fn check(&self) -> Result<(), Error> {
        const LEFT_OUT: &str = "left out without the feature compat";
        match self {
            Self::Digest { words, .. } if !cfg!(feature = "compat") => {
                Err(Error::parameter("words", words, LEFT_OUT))
            }
            Self::Number { stride } if !cfg!(feature = "compat") => {
                Err(Error::parameter("stride", stride, LEFT_OUT))
            }
            Self::Digest { words, .. } if !(1..=4).contains(words) => {
                Err(Error::parameter("words", words, "from 1 to 4"))
            }
            Self::Chain { hash } if hash.max_hash() != u64::from(u32::MAX) => {
                Err(Error::parameter("point_hash", hash, "of 32 bits for points in a chain"))
            }
            _ => Ok(()),
        }
    }

    pub(crate) fn check_node(&self, node: &Node) -> Result<(), Error> {
        match self {
            Self::Number { .. } if number(node.label()).is_none() => Err(Error::parameter(
                "label",
                alloc::format!("{:?} of node {:?}", node.label(), node.id),
                alloc::format!("a decimal number from 0 to {}", u32::MAX),
            )),
            _ => Ok(()),
        }
    }

    /// Hands out the points of the first copies of a label.
    pub(crate) fn points(&self, label: &str, copies: u32, mut put: impl FnMut(u64)) {
        match self {
            Self::Text { copy, separator, hash } => {
                texts(label, *copy, separator, copies, |text| put(hash.hash(text)));
            }
            Self::Digest { copy, separator, words } => {
                texts(label, *copy, separator, copies, |text| {
                    let digest = md5(text);
                    let (all, _) = digest.as_chunks::<4>();
                    for &word in &all[..*words as usize] {
                        put(u32::from_le_bytes(word).into());
                    }
                });
            }
            Self::Chain { hash } => {
                let mut bytes = label.as_bytes().to_owned();
                let mut point = 0;
                for _ in 0..copies {
                    bytes.truncate(label.len());
                    bytes.extend(point32(point).to_le_bytes());
                    point = hash.hash(&bytes);
                    put(point);
                }
            }
            Self::Number { stride } => {
                let first = number(label).unwrap_or_default().wrapping_mul(*stride);
                for i in 0..copies {
                    put(avalanche(first.wrapping_add(i)).into());
                }
            }
        }
    }

    /// Adds the scheme to a digest.
    pub(crate) fn digest(&self, digest: Fingerprinter) -> Fingerprinter {
        match self {
            Self::Text { copy, separator, hash } => {
                digest.text(copy.name()).text(separator).hash(*hash)
            }
            Self::Digest { copy, separator, words } => {
                digest.text(copy.name()).text(separator).number(u64::from(*words))
            }
            Self::Chain { hash } => digest.text("chain").hash(*hash),
            Self::Number { stride } => digest.text("number").number(u64::from(*stride)),
        }
    }

    /// The heap memory behind the scheme, in bytes.
    pub(crate) fn memory_usage(&self) -> usize {
        match self {
            Self::Text { separator, .. } | Self::Digest { separator, .. } => separator.capacity(),
            Self::Chain { .. } | Self::Number { .. } => 0,
        }
    }
}

/// Hands out the text of each copy of a label.
fn texts(label: &str, copy: Place, separator: &str, copies: u32, mut hash: impl FnMut(&[u8])) {
    const TAKES: &str = "a string takes any text";
    let mut text = String::new();
    for i in 0..copies {
        text.clear();
        match copy {
            Place::Last => write!(text, "{label}{separator}{i}").expect(TAKES),
            Place::First => write!(text, "{i}{separator}{label}").expect(TAKES),
        }
        hash(text.as_bytes());
    }
}

/// A point of 32 bits as such.
#[expect(clippy::cast_possible_truncation, reason = "the hash of a chain has 32 bits")]
fn point32(point: u64) -> u32 {
    point as u32
}

/// The number that a label is, in decimal digits and nothing else.
fn number(label: &str) -> Option<u32> {
    label.parse().ok().filter(|_| label.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What [`Scheme::check`] refuses where it cannot be reckoned.
#[cfg(not(feature = "compat"))]
mod refused {
    const CHECKED: &str = "the scheme was checked before";

    pub(super) fn md5(_: &[u8]) -> [u8; 16] {
        unreachable!("{CHECKED}")
    }

    pub(super) fn avalanche(_: u32) -> u32 {
        unreachable!("{CHECKED}")
    }
}
