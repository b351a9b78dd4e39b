//! [`Label`], which attributes of a node make what a program hashes of it.

use alloc::borrow::ToOwned;
use alloc::string::String;

use homing_core::{Attribute, Error, Node};

use crate::options::Chosen;

/// The port of memcached, which several clients leave out of a label.
const MEMCACHED: &str = "11211";

/// What is hashed of a node.
///
/// Where a node has no [`Host`](Attribute::Host), its id is read as `host:port`. A
/// node that has a [`Label`](Attribute::Label) keeps it, whatever the rule.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Label {
    /// The id.
    Id,
    /// The prefix, the host, the joint, the port, which must be known.
    Address { prefix: &'static str, joint: &'static str },
    /// The host, and the port behind a colon unless it is that of memcached, which
    /// is also the one of a node that has none.
    Memcached,
    /// The alias, or as `Memcached`.
    AliasOrMemcached,
    /// The alias, a slash and `Address`, or as `Address` without an alias.
    Resolved,
    /// The alias or the host, and the port behind a colon unless it is that of
    /// memcached.
    NameOrMemcached,
    /// The host and the port behind a colon unless it is the one that the option of
    /// this name gives; `Address` where that is nothing.
    Default(&'static str),
    /// The hash key, or the alias where the option of this name says `true`, or as
    /// `Address`.
    HashKey(&'static str),
    /// The server id, or the place in the list, from 1.
    ServerId,
    /// The hash key, a number of 64 bits, which stays where it is; or the id.
    Number,
    /// Nothing, but there must be tokens.
    Tokens,
}

impl Label {
    /// The attribute that tells nodes apart, where the program refuses two nodes of one
    /// label.
    pub(crate) fn once(self) -> Option<&'static str> {
        match self {
            Self::ServerId => Some("server_id"),
            Self::AliasOrMemcached => Some("alias"),
            _ => None,
        }
    }

    /// What of a node is hashed, and the attribute in which that belongs; `None`
    /// where it is there already, or there is nothing.
    ///
    /// # Errors
    ///
    /// Fails, naming the node and the attribute, if that is not known.
    pub(crate) fn of(
        self,
        preset: &'static str,
        chosen: &Chosen,
        node: &Node,
        place: usize,
    ) -> Result<Option<(Attribute, String)>, Error> {
        let of = Of { preset, node };
        let given = |attribute| node.attributes.get(attribute);
        let ruled = !matches!(self, Self::Number | Self::Tokens);
        if let Some(label) = given(Attribute::Label).filter(|_| ruled) {
            return Ok(Some((Attribute::Label, label.to_owned())));
        }
        let label = match self {
            Self::Id => node.id.as_str().to_owned(),
            Self::Address { prefix, joint } => of.address(prefix, joint)?,
            Self::Memcached => of.without(MEMCACHED),
            Self::AliasOrMemcached => match given(Attribute::Alias) {
                Some(alias) => alias.to_owned(),
                None => of.without(MEMCACHED),
            },
            Self::Resolved => match given(Attribute::Alias) {
                Some(alias) => of.address(&alloc::format!("{alias}/"), ":")?,
                None => of.address("", ":")?,
            },
            Self::NameOrMemcached => match given(Attribute::Alias) {
                Some(alias) => match of.parts().1 {
                    None | Some(MEMCACHED) => alias.to_owned(),
                    Some(port) => alloc::format!("{alias}:{port}"),
                },
                None => of.without(MEMCACHED),
            },
            Self::Default(option) => match &*chosen.text(option) {
                "0" => of.address("", ":")?,
                port => of.without(port),
            },
            Self::HashKey(option) => match (given(Attribute::HashKey), given(Attribute::Alias)) {
                (Some(key), _) => key.to_owned(),
                (None, Some(alias)) if chosen.text(option) == "true" => alias.to_owned(),
                _ => of.address("", ":")?,
            },
            Self::ServerId => match given(Attribute::ServerId) {
                // The program keeps it in a signed number, and takes none below 1.
                Some(id) if is_number(id, i32::MAX as u64) && id.bytes().any(|it| it != b'0') => {
                    id.to_owned()
                }
                Some(id) => {
                    return Err(of.wrong("server_id", id, "a whole number from 1 to 2147483647"));
                }
                None => alloc::format!("{}", place + 1),
            },
            Self::Number => {
                let rule = "a whole number from 0 to 18446744073709551615";
                return match given(Attribute::HashKey) {
                    Some(key) if is_number(key, u64::MAX) => Ok(None),
                    Some(key) => Err(of.wrong("hash_key", key, rule)),
                    None if is_number(node.id.as_str(), u64::MAX) => {
                        Ok(Some((Attribute::HashKey, node.id.as_str().to_owned())))
                    }
                    None => Err(of.missing("hash_key", "the number of the node")),
                };
            }
            Self::Tokens => {
                given(Attribute::Tokens)
                    .ok_or_else(|| of.missing("tokens", "nothing, but goes by them"))?;
                return Ok(None);
            }
        };
        Ok(Some((Attribute::Label, label)))
    }
}

struct Of<'a> {
    preset: &'static str,
    node: &'a Node,
}

impl Of<'_> {
    /// The host and the port, from the attributes or else from the id.
    fn parts(&self) -> (&str, Option<&str>) {
        let port = self.node.attributes.get(Attribute::Port);
        if let Some(host) = self.node.attributes.get(Attribute::Host) {
            return (host, port);
        }
        let id = self.node.id.as_str();
        match id.rsplit_once(':') {
            // Colons without brackets are those of an address of version 6.
            Some((host, after))
                if (!host.contains(':') || host.ends_with(']'))
                    && is_number(after, u16::MAX.into()) =>
            {
                (host, port.or(Some(after)))
            }
            _ => (id, port),
        }
    }

    fn address(&self, prefix: &str, joint: &str) -> Result<String, Error> {
        let (host, port) = self.parts();
        if host.is_empty() {
            return Err(self.missing("host", "host and port"));
        }
        let port = port.ok_or_else(|| self.missing("port", "host and port"))?;
        Ok(alloc::format!("{prefix}{host}{joint}{port}"))
    }

    /// The host, and the port unless it is `usual` or not known.
    fn without(&self, usual: &str) -> String {
        match self.parts() {
            (host, None) => host.to_owned(),
            (host, Some(port)) if port == usual => host.to_owned(),
            (host, Some(port)) => alloc::format!("{host}:{port}"),
        }
    }

    fn missing(&self, field: &'static str, what: &str) -> Error {
        let value = alloc::format!("missing in node {:?}", self.node.id);
        Error::parameter(field, value, alloc::format!("given: {} hashes {what}", self.preset))
    }

    fn wrong(&self, field: &'static str, given: &str, rule: &str) -> Error {
        let value = alloc::format!("{given:?} in node {:?}", self.node.id);
        Error::parameter(field, value, alloc::format!("{rule} for {}", self.preset))
    }
}

/// Whether a text is the decimal digits of a number up to `most`, and nothing else.
pub(crate) fn is_number(text: &str, most: u64) -> bool {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits && text.parse::<u64>().is_ok_and(|number| number <= most)
}
