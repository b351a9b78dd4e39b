//! [`Attributes`], what else is known of a node.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use core::str::FromStr;

use crate::Error;

/// What can be known of a node besides its id, weight and zone.
///
/// Its text form is [`name`](Self::name).
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum Attribute {
    /// What a configuration that goes by labels hashes in place of the id.
    Label,
    /// The host name or address, without the port.
    Host,
    /// The port, in decimal.
    Port,
    /// The name that a server list gives to the node.
    Alias,
    /// The number that a server list gives to the node, in decimal.
    ServerId,
    /// What an operator has set to be hashed in place of the address.
    HashKey,
    /// The points of the node, in decimal, separated by commas or blanks.
    Tokens,
    /// The data centre.
    DataCentre,
    /// The rack, within its data centre.
    Rack,
}

impl Attribute {
    /// Every attribute, in the order of declaration.
    pub const ALL: [Self; 9] = [
        Self::Label,
        Self::Host,
        Self::Port,
        Self::Alias,
        Self::ServerId,
        Self::HashKey,
        Self::Tokens,
        Self::DataCentre,
        Self::Rack,
    ];

    /// The name in files: lower case, words joined by `_`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Label => "label",
            Self::Host => "host",
            Self::Port => "port",
            Self::Alias => "alias",
            Self::ServerId => "server_id",
            Self::HashKey => "hash_key",
            Self::Tokens => "tokens",
            Self::DataCentre => "data_centre",
            Self::Rack => "rack",
        }
    }
}

impl fmt::Display for Attribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Attribute {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        Self::ALL.into_iter().find(|attribute| attribute.name() == text).ok_or_else(|| {
            let names = Self::ALL.map(Self::name).join(", ");
            Error::parameter("attribute", alloc::format!("{text:?}"), names)
        })
    }
}

/// The attributes of a node, as texts by [`Attribute`].
///
/// Only a configuration that says so looks at them; the default placements do
/// not. A clone shares the texts.
#[derive(Clone, Default, Eq, PartialEq)]
pub struct Attributes(Option<Arc<BTreeMap<Attribute, String>>>); // never an empty map

impl Attributes {
    /// The text of an attribute, or `None` if it is not known.
    #[must_use]
    pub fn get(&self, attribute: Attribute) -> Option<&str> {
        self.0.as_ref()?.get(&attribute).map(String::as_str)
    }

    /// Whether no attribute is known.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The known attributes, in the order of [`Attribute::ALL`].
    pub fn iter(&self) -> impl Iterator<Item = (Attribute, &str)> {
        self.0.iter().flat_map(|map| map.iter()).map(|(&attribute, text)| (attribute, &**text))
    }

    /// Takes in the text of an attribute, in place of the one it had.
    pub fn set(&mut self, attribute: Attribute, text: &str) {
        Arc::make_mut(self.0.get_or_insert_default()).insert(attribute, text.to_owned());
    }

    /// The heap memory behind the texts, in bytes; clones that share it count it too.
    pub(crate) fn memory_usage(&self) -> usize {
        let entry = size_of::<(Attribute, String)>();
        self.0.as_ref().map_or(0, |map| {
            map.values().map(|text| entry + text.capacity()).sum::<usize>() + 2 * size_of::<usize>()
        })
    }
}

impl fmt::Debug for Attributes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Attributes {
    /// A map from the names of the attributes to their texts.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter().map(|(attribute, text)| (attribute.name(), text)))
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Attributes {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let map = BTreeMap::<String, String>::deserialize(deserializer)?;
        let mut attributes = Self::default();
        for (name, text) in map {
            attributes.set(name.parse().map_err(serde::de::Error::custom)?, &text);
        }
        Ok(attributes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_is_named_in_one_way() {
        for attribute in Attribute::ALL {
            assert_eq!(attribute.name().parse::<Attribute>().unwrap(), attribute);
        }
        let error = "address".parse::<Attribute>().unwrap_err();
        assert!(alloc::format!("{error}").contains("label, host, port, alias, server_id"));
    }

    #[test]
    fn what_is_set_last_holds() {
        let mut attributes = Attributes::default();
        assert!(attributes.is_empty());
        attributes.set(Attribute::Host, "a");
        let before = attributes.clone();
        attributes.set(Attribute::Host, "b");
        assert_eq!(attributes.get(Attribute::Host), Some("b"));
        assert_eq!(before.get(Attribute::Host), Some("a"));
        assert_eq!(attributes.get(Attribute::Port), None);
    }
}
