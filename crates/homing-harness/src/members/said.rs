//! An attribute of a node as files tell it: a text, a whole number, or a list of these.

use std::fmt;

use homing_core::{Attribute, Node};
use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Visitor};

/// A text, or a whole number in its place, which is the text of its digits.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Said(String);

/// As [`Said`], or a list of these, which is the text of them with commas between.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SaidList(String);

/// The attributes of a node as a file tells them, each by its own name.
#[derive(Clone, Debug, Default, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Told {
    pub(crate) label: Option<Said>,
    pub(crate) host: Option<Said>,
    pub(crate) port: Option<Said>,
    pub(crate) alias: Option<Said>,
    pub(crate) server_id: Option<Said>,
    pub(crate) hash_key: Option<Said>,
    pub(crate) tokens: Option<SaidList>,
    pub(crate) data_centre: Option<Said>,
    pub(crate) rack: Option<Said>,
}

impl Told {
    /// Returns the node with the attributes that are told.
    pub(crate) fn on(self, node: Node) -> Node {
        let text = |said: Option<Said>| said.map(|said| said.0);
        let told = [
            (Attribute::Label, text(self.label)),
            (Attribute::Host, text(self.host)),
            (Attribute::Port, text(self.port)),
            (Attribute::Alias, text(self.alias)),
            (Attribute::ServerId, text(self.server_id)),
            (Attribute::HashKey, text(self.hash_key)),
            (Attribute::Tokens, self.tokens.map(|list| list.0)),
            (Attribute::DataCentre, text(self.data_centre)),
            (Attribute::Rack, text(self.rack)),
        ];
        told.into_iter().fold(node, |node, (attribute, text)| match text {
            Some(text) => node.with(attribute, &text),
            None => node,
        })
    }
}

impl<'de> Deserialize<'de> for Said {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SaidVisitor { lists: false }).map(Self)
    }
}

impl<'de> Deserialize<'de> for SaidList {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SaidVisitor { lists: true }).map(Self)
    }
}

struct SaidVisitor {
    lists: bool,
}

impl<'de> Visitor<'de> for SaidVisitor {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a whole number")?;
        if self.lists { f.write_str(", or a list of these") } else { Ok(()) }
    }

    fn visit_str<E: de::Error>(self, given: &str) -> Result<String, E> {
        Ok(given.to_owned())
    }

    fn visit_i64<E: de::Error>(self, given: i64) -> Result<String, E> {
        Ok(given.to_string())
    }

    fn visit_u64<E: de::Error>(self, given: u64) -> Result<String, E> {
        Ok(given.to_string())
    }

    fn visit_i128<E: de::Error>(self, given: i128) -> Result<String, E> {
        Ok(given.to_string())
    }

    fn visit_u128<E: de::Error>(self, given: u128) -> Result<String, E> {
        Ok(given.to_string())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<String, A::Error> {
        if !self.lists {
            return Err(de::Error::invalid_type(de::Unexpected::Seq, &self));
        }
        let mut texts = Vec::new();
        while let Some(Said(text)) = list.next_element()? {
            texts.push(text);
        }
        Ok(texts.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::members::parse;

    fn attribute(text: &str, attribute: Attribute) -> Option<String> {
        let given = parse("m.toml", format!("[[node]]\nid = 'a'\n{text}").as_bytes()).unwrap();
        let (_, node) = given.members.iter().next().unwrap();
        node.attributes.get(attribute).map(str::to_owned)
    }

    #[test]
    fn attributes_are_told_by_their_names() {
        for known in Attribute::ALL {
            let told = attribute(&format!("{known} = 'x y'\n"), known);
            assert_eq!(told.as_deref(), Some("x y"), "{known}");
        }
        assert_eq!(attribute("", Attribute::Host), None);
    }

    #[test]
    fn a_number_is_the_text_of_its_digits() {
        assert_eq!(attribute("port = 11211", Attribute::Port).unwrap(), "11211");
        assert_eq!(attribute("hash_key = -7", Attribute::HashKey).unwrap(), "-7");
    }

    #[test]
    fn tokens_are_a_text_or_a_list() {
        let least = "-9223372036854775808,5";
        let list = attribute("tokens = [-9223372036854775808, '5']", Attribute::Tokens);
        assert_eq!(list.unwrap(), least);
        assert_eq!(attribute("tokens = '1 2'", Attribute::Tokens).unwrap(), "1 2");
        assert_eq!(attribute("tokens = 1", Attribute::Tokens).unwrap(), "1");
    }

    #[test]
    fn what_is_no_text_is_refused_with_what_may_stand_there() {
        let refusal = |field: &str| {
            let text = format!("[[node]]\nid = 'a'\n{field}");
            parse("m.toml", text.as_bytes()).unwrap_err().to_string()
        };
        let rule = "but must be a text or a whole number";
        assert_eq!(refusal("port = true"), format!("m.toml:3: found true, {rule}"));
        assert_eq!(refusal("host = ['a']"), format!("m.toml:3: found a list, {rule}"));
        assert_eq!(refusal("rack = 1.5"), format!("m.toml:3: found 1.5, {rule}"));
        let list = format!("m.toml:3: found true, {rule}");
        assert_eq!(refusal("tokens = [1, true]"), list);
    }
}
