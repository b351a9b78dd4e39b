//! [`Fingerprint`], a digest of what decides owners, and its written encoding.

use core::fmt;
use core::str::FromStr;

use xxhash_rust::xxh3::Xxh3;

use crate::{Error, KeyHash, Members, Node, NodeIndex};

/// A 64-bit digest of what decides owners, written as 16 hexadecimal digits.
///
/// It tells layouts apart that differ by accident. It is no defence against
/// someone who wants two to agree.
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The digest as a number.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }

    /// The keying of a family whose position is `hash(key)`, reduced to
    /// `0..=max_position` by the remainder where it is less than 64 bits.
    #[must_use]
    pub fn of_keying(max_position: u64, hash: KeyHash) -> Self {
        Fingerprinter::new("keying").number(max_position).hash(hash).finish()
    }
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Fingerprint({self})")
    }
}

impl FromStr for Fingerprint {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let digits = text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        u64::from_str_radix(text, 16).ok().filter(|_| digits).map(Self).ok_or_else(|| {
            Error::parameter("fingerprint", alloc::format!("{text:?}"), "16 hexadecimal digits")
        })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Fingerprint {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Fingerprint {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        alloc::string::String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// Digests the parts of a layout into a [`Fingerprint`].
///
/// # Encoding
///
/// The digest is XXH3-64, seed 0, of the parts in the order given, each as one
/// byte for its kind and then its contents:
///
/// | part | kind | contents |
/// |---|---|---|
/// | number | `n` | 8 bytes, little-endian |
/// | text | `t` | its length as 8 bytes, little-endian; its bytes |
/// | hash | `h` | its text form, as a text |
/// | members | `m` | their count, as a number; each node in order |
///
/// A node is its id as a text, its weight as a number, and its zone as a text,
/// or the byte `-` in place of the zone if it has none. The first part is the
/// name of the family, as a text. A configuration that goes by labels adds
/// these as texts, in the order of the members.
#[derive(Clone)]
pub struct Fingerprinter(Xxh3);

impl Fingerprinter {
    /// Starts with the name of the family, or of what else is digested.
    #[must_use]
    pub fn new(family: &str) -> Self {
        Self(Xxh3::new()).text(family)
    }

    /// Adds a number.
    #[must_use]
    pub fn number(mut self, number: u64) -> Self {
        self.0.update(b"n");
        self.0.update(&number.to_le_bytes());
        self
    }

    /// Adds a text.
    #[must_use]
    pub fn text(mut self, text: &str) -> Self {
        self.0.update(b"t");
        self.0.update(&(text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
        self
    }

    /// Adds a key hash.
    #[must_use]
    pub fn hash(mut self, hash: KeyHash) -> Self {
        self.0.update(b"h");
        self.text(&alloc::format!("{hash}"))
    }

    /// Adds the members in order of id: for every family but the ordered ones.
    #[must_use]
    pub fn members(self, members: &Members) -> Self {
        self.nodes(members.iter())
    }

    /// Adds the members in order of index: for ordered families.
    #[must_use]
    pub fn members_by_index(self, members: &Members) -> Self {
        self.nodes(members.iter_by_index())
    }

    /// The digest of all parts.
    #[must_use]
    pub fn finish(self) -> Fingerprint {
        Fingerprint(self.0.digest())
    }

    fn nodes<'a>(mut self, nodes: impl ExactSizeIterator<Item = (NodeIndex, &'a Node)>) -> Self {
        self.0.update(b"m");
        self = self.number(nodes.len() as u64);
        for (_, node) in nodes {
            self = self.text(node.id.as_str()).number(u64::from(node.weight));
            match &node.zone {
                Some(zone) => self = self.text(zone.as_str()),
                None => self.0.update(b"-"),
            }
        }
        self
    }
}

impl fmt::Debug for Fingerprinter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fingerprinter").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;
    use alloc::vec::Vec;

    use super::*;

    #[test]
    fn the_digest_is_that_of_the_written_encoding() {
        let members =
            Members::new([Node::new("b").weighing(3).in_zone("z"), Node::new("a")]).unwrap();
        let mut bytes = Vec::new();
        let text = |bytes: &mut Vec<u8>, text: &str| {
            bytes.push(b't');
            bytes.extend(u64::try_from(text.len()).unwrap().to_le_bytes());
            bytes.extend(text.as_bytes());
        };
        let number = |bytes: &mut Vec<u8>, number: u64| {
            bytes.push(b'n');
            bytes.extend(number.to_le_bytes());
        };
        text(&mut bytes, "ring");
        number(&mut bytes, 160);
        bytes.push(b'h');
        text(&mut bytes, "xxh3:42");
        bytes.push(b'm');
        number(&mut bytes, 2);
        text(&mut bytes, "a");
        number(&mut bytes, 1);
        bytes.push(b'-');
        text(&mut bytes, "b");
        number(&mut bytes, 3);
        text(&mut bytes, "z");
        let digest = Fingerprinter::new("ring")
            .number(160)
            .hash(KeyHash::Xxh3 { seed: 42 })
            .members(&members)
            .finish();
        assert_eq!(digest.get(), xxhash_rust::xxh3::xxh3_64(&bytes));
    }

    #[test]
    fn parts_that_read_alike_together_differ() {
        let digest = |a: &str, b: &str| Fingerprinter::new("x").text(a).text(b).finish();
        assert_ne!(digest("ab", "c"), digest("a", "bc"));
    }

    #[test]
    fn a_fingerprint_is_read_back_from_its_sixteen_digits() {
        let digest = Fingerprinter::new("x").finish();
        assert_eq!(digest.to_string().len(), 16);
        assert_eq!(digest.to_string().parse(), Ok(digest));
        for text in ["", "0", "+0000000000000000", "000000000000000g", "00000000000000000"] {
            assert!(text.parse::<Fingerprint>().is_err(), "{text:?}");
        }
    }
}
