//! [`Label`], which attributes of a node make what a program hashes of it.

use alloc::borrow::ToOwned;
use alloc::string::String;

use homing_core::{Attribute, Error, Node};

use crate::options::Chosen;

/// The port of memcached, which several clients leave out of a label.
const MEMCACHED: &str = "11211";

/// The greatest id of a server, a signed number of 32 bits in HAProxy.
const MOST_ID: u64 = 0x7fff_ffff;

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
    /// The attribute that tells nodes apart; `None` where nothing of a node is hashed but
    /// tokens.
    pub(crate) fn once(self) -> Option<Attribute> {
        match self {
            Self::ServerId => Some(Attribute::ServerId),
            Self::AliasOrMemcached => Some(Attribute::Alias),
            Self::Number => Some(Attribute::HashKey),
            Self::Tokens => None,
            _ => Some(Attribute::Label),
        }
    }

    /// The number that is hashed of a node that is told it; `None` where its place is.
    pub(crate) fn number(self, node: &Node) -> Option<u64> {
        let told = [Attribute::Label, Attribute::ServerId];
        let text = told.into_iter().find_map(|attribute| node.attributes.get(attribute));
        text.filter(|_| self == Self::ServerId)?.parse().ok()
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
        let ruled = !matches!(self, Self::Number | Self::Tokens);
        if let Some(label) = of.given(Attribute::Label)?.filter(|_| ruled) {
            return Ok(Some((Attribute::Label, label.to_owned())));
        }
        let label = match self {
            Self::Id => node.id.as_str().to_owned(),
            Self::Address { prefix, joint } => of.address(prefix, joint)?,
            Self::Memcached => of.without(MEMCACHED)?,
            Self::AliasOrMemcached => match of.given(Attribute::Alias)? {
                Some(alias) => alias.to_owned(),
                None => of.without(MEMCACHED)?,
            },
            Self::Resolved => match of.given(Attribute::Alias)? {
                Some(alias) => of.address(&alloc::format!("{alias}/"), ":")?,
                None => of.address("", ":")?,
            },
            Self::NameOrMemcached => match of.given(Attribute::Alias)? {
                Some(alias) => match of.parts()?.1 {
                    None | Some(MEMCACHED) => alias.to_owned(),
                    Some(port) => alloc::format!("{alias}:{port}"),
                },
                None => of.without(MEMCACHED)?,
            },
            Self::Default(option) => match &*chosen.text(option) {
                "0" => of.address("", ":")?,
                port => of.without(port)?,
            },
            Self::HashKey(option) => {
                let hostname = chosen.text(option) == "true";
                match (of.given(Attribute::HashKey)?, of.given(Attribute::Alias)?) {
                    (Some(key), _) => key.to_owned(),
                    (None, Some(alias)) if hostname => alias.to_owned(),
                    _ => of.address("", ":")?,
                }
            }
            Self::ServerId => match of.given(Attribute::ServerId)? {
                Some(id) if is_number(id, MOST_ID) && id.bytes().any(|it| it != b'0') => {
                    id.to_owned()
                }
                Some(id) => {
                    let rule = alloc::format!("a whole number from 1 to {MOST_ID}");
                    return Err(of.wrong("server_id", id, &rule));
                }
                None => alloc::format!("{}", place + 1),
            },
            Self::Number => {
                let rule = "a whole number from 0 to 18446744073709551615";
                return match of.given(Attribute::HashKey)? {
                    Some(key) if is_number(key, u64::MAX) => Ok(None),
                    Some(key) => Err(of.wrong("hash_key", key, rule)),
                    None if is_number(node.id.as_str(), u64::MAX) => {
                        Ok(Some((Attribute::HashKey, node.id.as_str().to_owned())))
                    }
                    None => Err(of.missing("hash_key", "the number of the node")),
                };
            }
            Self::Tokens => {
                let listed = node.attributes.get(Attribute::Tokens).map(tokens);
                return match listed.and_then(|mut listed| listed.next()) {
                    Some(_) => Ok(None),
                    None => Err(of.missing("tokens", "nothing of a node, but takes its tokens")),
                };
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
    /// What the node is given, which must be something.
    fn given(&self, attribute: Attribute) -> Result<Option<&str>, Error> {
        match self.node.attributes.get(attribute) {
            Some("") => Err(self.wrong(attribute.name(), "", "a text that is not empty")),
            given => Ok(given),
        }
    }

    /// The host and the port, from the attributes or else from the id.
    fn parts(&self) -> Result<(&str, Option<&str>), Error> {
        let port = self.given(Attribute::Port)?;
        let (host, port) = match (self.given(Attribute::Host)?, port) {
            (Some(host), port) => (host, port),
            (None, port) => match self.node.id.as_str().rsplit_once(':') {
                // Colons without brackets are those of an address of version 6.
                Some((host, after))
                    if (!host.contains(':') || host.ends_with(']'))
                        && after.bytes().all(|byte| byte.is_ascii_digit()) =>
                {
                    (host, port.or(Some(after)))
                }
                _ => (self.node.id.as_str(), port),
            },
        };
        if host.is_empty() {
            return Err(self.missing("host", "host and port"));
        }
        if host.contains('\0') {
            return Err(self.wrong("host", host, "a text without NUL"));
        }
        match port.filter(|port| !is_number(port, u16::MAX.into())) {
            Some(port) => Err(self.wrong("port", port, "a whole number from 0 to 65535")),
            None => Ok((host, port)),
        }
    }

    fn address(&self, prefix: &str, joint: &str) -> Result<String, Error> {
        let (host, port) = self.parts()?;
        let port = port.ok_or_else(|| self.missing("port", "host and port"))?;
        Ok(alloc::format!("{prefix}{host}{joint}{port}"))
    }

    /// The host, and the port unless it is `usual` or not known.
    fn without(&self, usual: &str) -> Result<String, Error> {
        Ok(match self.parts()? {
            (host, None) => host.to_owned(),
            (host, Some(port)) if port == usual => host.to_owned(),
            (host, Some(port)) => alloc::format!("{host}:{port}"),
        })
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

/// Whether a text is a number up to `most`, as it is printed.
pub(crate) fn is_number(text: &str, most: u64) -> bool {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let printed = text == "0" || !text.starts_with('0');
    digits && printed && text.parse::<u64>().is_ok_and(|number| number <= most)
}

/// The tokens of a text as they are written, between commas and blanks.
pub(crate) fn tokens(text: &str) -> impl Iterator<Item = &str> {
    text.split([',', ' ', '\t', '\n', '\r']).filter(|token| !token.is_empty())
}
