//! The hashes of other programs, byte for byte.
//!
//! Needs the feature `compat`. `signed` in a name: bytes from 0x80 on are
//! sign-extended, as C programs do that read keys through `char`. The crate's
//! README has the table of all names, their definitions and their sources.

mod algorithm;
mod bytewise;
mod digest;
mod jenkins;
mod keyed;
mod murmur;

use core::fmt;
use core::str::FromStr;

pub use self::algorithm::Algorithm;
pub use self::bytewise::avalanche;
pub use self::digest::{md5, md5_magnitude, sha1};
use crate::{Error, KeyHash};

/// A hash of another program, and what of a key goes into it.
///
/// Its text form is that of the [`Algorithm`], and of the tag after `@`, if any:
/// `md5-le32`, `murmur3-32:42`, `md5-le32@{}`.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Compat {
    /// What the bytes are hashed with.
    pub algorithm: Algorithm,
    /// The bytes that enclose the part of a key that is hashed, if only a part is.
    ///
    /// That part begins after the first of the first byte and ends before the
    /// next of the second. Where that is nothing, or one of them is missing, the
    /// whole key is hashed.
    pub tag: Option<[u8; 2]>,
}

impl Compat {
    /// The hash of the whole of `bytes`, or of the part that the tag encloses.
    #[inline(never)] // the default hash shall not share its registers with all of these
    #[must_use]
    pub fn hash(&self, bytes: &[u8]) -> u64 {
        self.algorithm.hash(self.tag.map_or(bytes, |tag| enclosed(bytes, tag)))
    }
}

impl From<Algorithm> for Compat {
    /// The algorithm over whole keys.
    fn from(algorithm: Algorithm) -> Self {
        Self { algorithm, tag: None }
    }
}

impl From<Algorithm> for KeyHash {
    fn from(algorithm: Algorithm) -> Self {
        Self::Compat(algorithm.into())
    }
}

impl fmt::Display for Compat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.algorithm, f)?;
        match self.tag {
            None => Ok(()),
            Some([first, second]) if [first, second].iter().all(u8::is_ascii_graphic) => {
                write!(f, "@{}{}", char::from(first), char::from(second))
            }
            Some([first, second]) => write!(f, "@{first:02x}{second:02x}"),
        }
    }
}

impl FromStr for Compat {
    type Err = Error;

    /// Reads what [`Display`](fmt::Display) writes.
    ///
    /// # Errors
    ///
    /// Returns [`Error::InvalidParameter`], with the names that are nearest
    /// before all others, if `text` names no hash, and with the rule that it
    /// breaks if its seed or its tag is none.
    fn from_str(text: &str) -> Result<Self, Error> {
        let (algorithm, tag) = match text.split_once('@') {
            None => (text, None),
            Some((algorithm, tag)) => (algorithm, Some(tag)),
        };
        let algorithm = algorithm.parse()?;
        let tag = tag.map(|tag| {
            enclosing(tag).ok_or_else(|| {
                let rule = "a name, @ and two printable bytes, or four lower-case hex digits for \
                            two of which one is not printable";
                Error::parameter("hash", alloc::format!("{text:?}"), rule)
            })
        });
        Ok(Self { algorithm, tag: tag.transpose()? })
    }
}

/// The token of a key in a ring of signed 64-bit numbers.
///
/// The first half of `MurmurHash3` x64 128 with seed 0, but the bytes after the
/// last full 16 are sign-extended before they are shifted. `i64::MIN` stands for
/// the empty key alone: a key that hashes to it has the token `i64::MAX`.
#[must_use]
pub fn murmur3_token(bytes: &[u8]) -> i64 {
    match murmur::murmur3_signed_tail(bytes).cast_signed() {
        _ if bytes.is_empty() => i64::MIN,
        i64::MIN => i64::MAX,
        token => token,
    }
}

/// What a tag encloses, or all bytes if that is nothing.
fn enclosed(bytes: &[u8], [first, second]: [u8; 2]) -> &[u8] {
    let place = |bytes: &[u8], byte| bytes.iter().position(|&other| other == byte);
    place(bytes, first)
        .map(|start| &bytes[start + 1..])
        .and_then(|after| place(after, second).map(|end| &after[..end]))
        .filter(|part| !part.is_empty())
        .unwrap_or(bytes)
}

/// The two bytes of a tag in text.
fn enclosing(text: &str) -> Option<[u8; 2]> {
    let printable = |bytes: &[u8; 2]| bytes.iter().all(u8::is_ascii_graphic);
    match *text.as_bytes() {
        [first, second] => Some([first, second]).filter(printable),
        [a, b, c, d] => {
            let digit = |digit: u8| match digit {
                b'0'..=b'9' => Some(digit - b'0'),
                b'a'..=b'f' => Some(digit - b'a' + 10),
                _ => None,
            };
            let pair = [digit(a)? * 16 + digit(b)?, digit(c)? * 16 + digit(d)?];
            Some(pair).filter(|pair| !printable(pair))
        }
        _ => None,
    }
}
