//! [`Node`] and the small types that name one: [`NodeId`], [`Zone`], [`NodeIndex`].

use alloc::string::String;
use alloc::sync::Arc;
use core::borrow::Borrow;
use core::fmt;
use core::num::NonZeroU32;

use crate::{Attribute, Attributes};

/// The id of a node: a text, unique within its membership.
///
/// A membership takes any text but the empty one.
/// Ids are compared and hashed by their UTF-8 bytes. Nothing is normalised,
/// trimmed or folded. A clone shares the text.
#[derive(Clone, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct NodeId(Arc<str>);

/// The failure zone of a node: a rack, a room, a region.
///
/// Zones are equal if their texts are.
#[derive(Clone, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Zone(Arc<str>);

macro_rules! text {
    ($name:ident) => {
        impl $name {
            /// Takes the text as it is.
            pub fn new(text: impl AsRef<str>) -> Self {
                Self(Arc::from(text.as_ref()))
            }

            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Debug for $name {
            /// The text in quotes, control characters escaped.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self.as_str(), f)
            }
        }

        impl fmt::Display for $name {
            /// The text as it is, control characters included.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self::new(text)
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(Arc::from(text))
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                self.as_str()
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                self.as_str()
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer).map(Self::from)
            }
        }
    };
}

text!(NodeId);
text!(Zone);

/// A server that can own keys.
#[derive(Clone, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Node {
    /// What the node is known by.
    pub id: NodeId,
    /// Its part of the keys in proportion to the other weights, in `0..=u32::MAX`.
    ///
    /// 1 by default. A node of weight 0 is drained: it stays a member and owns
    /// nothing.
    #[cfg_attr(feature = "serde", serde(default = "one"))]
    pub weight: u32,
    /// Where it fails together with others, if known.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Option::is_none"))]
    pub zone: Option<Zone>,
    /// What else is known of it; the default placements look at none of it.
    #[cfg_attr(feature = "serde", serde(default, skip_serializing_if = "Attributes::is_empty"))]
    pub attributes: Attributes,
}

#[cfg(feature = "serde")]
fn one() -> u32 {
    1
}

impl Node {
    /// A node of weight 1 and without a zone.
    pub fn new(id: impl Into<NodeId>) -> Self {
        Self { id: id.into(), weight: 1, zone: None, attributes: Attributes::default() }
    }

    /// The node with another weight.
    #[must_use]
    pub fn weighing(self, weight: u32) -> Self {
        Self { weight, ..self }
    }

    /// The node in a zone.
    #[must_use]
    pub fn in_zone(self, zone: impl Into<Zone>) -> Self {
        Self { zone: Some(zone.into()), ..self }
    }

    /// The node with an attribute, in place of the one that it had.
    #[must_use]
    pub fn with(mut self, attribute: Attribute, text: &str) -> Self {
        self.attributes.set(attribute, text);
        self
    }

    /// What a configuration that goes by labels hashes: the attribute
    /// [`Label`](Attribute::Label), or the id where there is none.
    #[must_use]
    pub fn label(&self) -> &str {
        self.attributes.get(Attribute::Label).unwrap_or(self.id.as_str())
    }
}

/// The place of a member in its membership, from 0.
///
/// A node keeps its index as long as it stays a member, so an array by index
/// can hold what a caller keeps for each node. An `Option<NodeIndex>` is four
/// bytes.
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct NodeIndex(NonZeroU32); // one more than the index

impl NodeIndex {
    /// The index `index`.
    ///
    /// # Panics
    ///
    /// Panics if `index` is not below `u32::MAX`.
    #[inline]
    #[must_use]
    pub const fn new(index: usize) -> Self {
        assert!(index < u32::MAX as usize, "an index is below 2^32 - 1");
        #[expect(clippy::cast_possible_truncation, reason = "checked on the line before")]
        match NonZeroU32::new(index as u32 + 1) {
            Some(index) => Self(index),
            None => unreachable!(),
        }
    }

    /// The index `index`, or `None` for `u32::MAX`, which is none.
    ///
    /// Takes one addition: what a lookup makes an owner with.
    #[inline]
    #[must_use]
    pub const fn checked(index: u32) -> Option<Self> {
        match NonZeroU32::new(index.wrapping_add(1)) {
            Some(index) => Some(Self(index)),
            None => None,
        }
    }

    /// The index as a number, from 0.
    #[inline]
    #[must_use]
    pub const fn get(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl fmt::Debug for NodeIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NodeIndex({})", self.get())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_optional_index_is_four_bytes() {
        assert_eq!(size_of::<Option<NodeIndex>>(), 4);
    }

    #[test]
    fn an_index_returns_what_it_was_made_of() {
        for index in [0, 1, 65_535, u32::MAX as usize - 1] {
            assert_eq!(NodeIndex::new(index).get(), index);
        }
    }

    #[test]
    fn a_checked_index_is_that_index_and_none_at_the_end() {
        for index in [0, 1, 65_535, u32::MAX - 1] {
            assert_eq!(NodeIndex::checked(index), Some(NodeIndex::new(index as usize)));
        }
        assert_eq!(NodeIndex::checked(u32::MAX), None);
    }

    #[test]
    fn ids_are_ordered_by_their_utf8_bytes() {
        // design.md, "Ids": a prefix first; U+FB00 before U+1F600, which UTF-16 order reverses.
        assert!(NodeId::new("node-1") < NodeId::new("node-10"));
        assert!(NodeId::new("\u{fb00}") < NodeId::new("\u{1f600}"));
        assert!(NodeId::new("A") < NodeId::new("a"));
    }

    #[test]
    fn debug_escapes_what_a_terminal_would_obey() {
        assert_eq!(alloc::format!("{:?}", NodeId::new("a\x1b[2Jb")), r#""a\u{1b}[2Jb""#);
    }
}
