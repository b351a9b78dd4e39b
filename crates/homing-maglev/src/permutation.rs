//! [`Permutation`]: where the sequence of a node starts, and how it goes on.

use alloc::format;
use alloc::string::ToString;
use core::fmt;
use core::str::FromStr;

use homing_core::{Attribute, Error, KeyHash, Node, draw};

/// Where the offset and the skip of a node are from, M the number of entries.
///
/// Its text form is `draws`, `hashes:OFFSET/SKIP`, `halves:HASH`,
/// `numbers:OFFSET+SALT/SKIP+SALT` or `given`, where OFFSET, SKIP and HASH are hashes.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub enum Permutation {
    /// The first two draws of the hash of the id: offset = draw(0) mod M and
    /// skip = draw(1) mod (M - 1) + 1, under the hash of the configuration.
    #[default]
    Draws,
    /// Two hashes of the label: offset = hash mod M and skip = hash mod (M - 1) + 1.
    Hashes {
        /// The hash that gives the offset.
        offset: KeyHash,
        /// The hash that gives the skip.
        skip: KeyHash,
    },
    /// One hash of the label: offset = its upper 32 bits mod M and
    /// skip = its lower 32 bits mod (M - 1) + 1.
    Halves(KeyHash),
    /// As [`Hashes`](Self::Hashes), of sixteen bytes in place of the label: the number of
    /// the node, which is its attribute `hash_key`, and the salt, each little-endian.
    Numbers {
        /// The hash that gives the offset, and its salt.
        offset: (KeyHash, u64),
        /// The hash that gives the skip, and its salt.
        skip: (KeyHash, u64),
    },
    /// The attribute `tokens` of the node: its offset, below M, and its skip, from 1 to
    /// M - 1, separated by a comma or a blank.
    Given,
}

impl Permutation {
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::Draws
    }

    /// Whether labels are hashed.
    pub(crate) fn goes_by_label(self) -> bool {
        matches!(self, Self::Hashes { .. } | Self::Halves(_))
    }

    /// The attribute that a node must have.
    pub(crate) fn attribute(self) -> Option<Attribute> {
        match self {
            Self::Numbers { .. } => Some(Attribute::HashKey),
            Self::Given => Some(Attribute::Tokens),
            _ => None,
        }
    }

    /// The offset, below `entries`, and the skip, from 1 to `entries` - 1, of a node.
    ///
    /// # Errors
    ///
    /// Fails if the node lacks what must be [known](Self::attribute) of it.
    pub(crate) fn of(self, node: &Node, entries: u32, hash: KeyHash) -> Result<(u32, u32), Error> {
        let label = || node.label().as_bytes();
        Ok(match self {
            Self::Draws => {
                let hash = hash.hash(node.id.as_str().as_bytes());
                reduced(draw(hash, 0), draw(hash, 1), entries)
            }
            Self::Hashes { offset, skip } => {
                reduced(offset.hash(label()), skip.hash(label()), entries)
            }
            Self::Halves(hash) => {
                let hash = hash.hash(label());
                reduced(hash >> 32, hash & 0xFFFF_FFFF, entries)
            }
            Self::Numbers { offset, skip } => {
                let number = number_of(node)?;
                let of = |(hash, salt): (KeyHash, u64)| {
                    let pair = u128::from(number) | u128::from(salt) << 64;
                    hash.hash(&pair.to_le_bytes())
                };
                reduced(of(offset), of(skip), entries)
            }
            Self::Given => given(node, entries)?,
        })
    }
}

/// An offset and a skip of two numbers.
#[expect(clippy::cast_possible_truncation, reason = "both are below the number of entries")]
fn reduced(offset: u64, skip: u64, entries: u32) -> (u32, u32) {
    let entries = u64::from(entries);
    ((offset % entries) as u32, (skip % (entries - 1) + 1) as u32)
}

fn number_of(node: &Node) -> Result<u64, Error> {
    let text = node.attributes.get(Attribute::HashKey);
    text.and_then(decimal).ok_or_else(|| {
        lacks(node, Attribute::HashKey, "a whole number from 0 to 18446744073709551615")
    })
}

fn given(node: &Node, entries: u32) -> Result<(u32, u32), Error> {
    let pair = || {
        let text = node.attributes.get(Attribute::Tokens)?;
        let mut numbers = text.split([',', ' ']).filter(|part| !part.is_empty());
        let offset = decimal(numbers.next()?).filter(|&offset: &u32| offset < entries)?;
        let skips = 1..entries;
        let skip = decimal(numbers.next()?).filter(|skip| skips.contains(skip))?;
        numbers.next().is_none().then_some((offset, skip))
    };
    pair().ok_or_else(|| {
        let rule = format!("an offset below {entries} and a skip from 1 to {}", entries - 1);
        lacks(node, Attribute::Tokens, &rule)
    })
}

/// The number of a text that is digits and nothing else; `parse` takes a plus too.
fn decimal<N: FromStr>(text: &str) -> Option<N> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

fn lacks(node: &Node, attribute: Attribute, rule: &str) -> Error {
    let given = match node.attributes.get(attribute) {
        Some(text) => format!("{text:?}"),
        None => "missing".to_string(),
    };
    Error::parameter(attribute.name(), format!("{given} at node {:?}", node.id), rule.to_string())
}

impl fmt::Display for Permutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Draws => f.pad("draws"),
            Self::Hashes { offset, skip } => write!(f, "hashes:{offset}/{skip}"),
            Self::Halves(hash) => write!(f, "halves:{hash}"),
            Self::Numbers { offset, skip } => {
                write!(f, "numbers:{}+{}/{}+{}", offset.0, offset.1, skip.0, skip.1)
            }
            Self::Given => f.pad("given"),
        }
    }
}

impl FromStr for Permutation {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || {
            let rule = "draws, hashes:OFFSET/SKIP, halves:HASH, numbers:OFFSET+SALT/SKIP+SALT \
                        or given";
            Error::parameter("permutation", format!("{text:?}"), rule)
        };
        let salted = |text: &str| {
            let (hash, salt) = text.rsplit_once('+').ok_or_else(unknown)?;
            let number: u64 = salt.parse().map_err(|_| unknown())?;
            // A sign or zeros before it would give one permutation two names.
            if number.to_string() != salt {
                return Err(unknown());
            }
            Ok((hash.parse()?, number))
        };
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        match name {
            "draws" if text == name => Ok(Self::Draws),
            "given" if text == name => Ok(Self::Given),
            "halves" if text != name => Ok(Self::Halves(rest.parse()?)),
            "hashes" => pair(rest, unknown, |offset, skip| {
                Ok(Self::Hashes { offset: offset.parse()?, skip: skip.parse()? })
            }),
            "numbers" => pair(rest, unknown, |offset, skip| {
                Ok(Self::Numbers { offset: salted(offset)?, skip: salted(skip)? })
            }),
            _ => Err(unknown()),
        }
    }
}

/// What `read` makes of the texts before and after a `/`: the first at which it can,
/// since the tag of a hash may have one too.
fn pair(
    text: &str,
    unknown: impl Fn() -> Error,
    read: impl Fn(&str, &str) -> Result<Permutation, Error>,
) -> Result<Permutation, Error> {
    let mut pairs = text.match_indices('/').map(|(at, _)| read(&text[..at], &text[at + 1..]));
    let first = pairs.next().unwrap_or_else(|| Err(unknown()));
    first.or_else(|error| pairs.find_map(Result::ok).ok_or(error))
}

#[cfg(feature = "serde")]
impl serde::Serialize for Permutation {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Permutation {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = alloc::string::String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offset_and_skip_are_the_first_two_draws() {
        // maglev.jsonl: node-0 and node-1 at m = 101, xxh3.
        let of = |id: &str| Permutation::Draws.of(&Node::new(id), 101, KeyHash::default());
        assert_eq!(of("node-0"), Ok((99, 13)));
        assert_eq!(of("node-1"), Ok((66, 15)));
    }

    #[test]
    fn a_permutation_is_named_in_one_way() {
        for text in [
            "draws",
            "given",
            "halves:xxh3",
            "halves:siphash-2-4:16045690984503098046,0",
            "hashes:xxh64/xxh64:1",
            "numbers:murmur3-128+42/murmur3-128:2307+2718281828",
            // Tags that look like what separates.
            "hashes:md5-le32@///md5-le32@/+",
            "numbers:crc32@+/+7/crc32@/++8",
        ] {
            assert_eq!(text.parse::<Permutation>().unwrap().to_string(), text);
        }
        for text in [
            "",
            "draws:",
            "given:xxh3",
            "halves",
            "halves:",
            "halves:xxh3/xxh3",
            "hashes:xxh3",
            "hashes:xxh3/none",
            "numbers:xxh3/xxh3",
            "numbers:xxh3+1/xxh3+01",
            "numbers:xxh3+1/xxh3+-1",
        ] {
            assert!(text.parse::<Permutation>().is_err(), "{text:?}");
        }
    }
}
