//! A node, a number and a table as files tell them.

use std::fmt;
use std::marker::PhantomData;
use std::ops::RangeInclusive;

use homing_core::Node;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::said::{Said, SaidList, Told};
use crate::error::quoted;

/// A node as a file tells it: `id`, and where they are given `weight`, `zone` and
/// its attributes by name.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(try_from = "Fields")]
pub(crate) struct NodeSpec(pub(crate) Node);

/// What is read of a [`NodeSpec`].
///
/// Any weight can stand here, so that an error can name the node.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Fields {
    id: String,
    // Not an `Option`, which would read null as none.
    #[serde(default = "one")]
    weight: Written,
    zone: Option<String>,
    label: Option<Said>,
    host: Option<Said>,
    port: Option<Said>,
    alias: Option<Said>,
    server_id: Option<Said>,
    hash_key: Option<Said>,
    tokens: Option<SaidList>,
    data_centre: Option<Said>,
    rack: Option<Said>,
}

fn one() -> Written {
    Written::Whole(1)
}

impl TryFrom<Fields> for NodeSpec {
    type Error = String;

    /// Fails, with the id and the range, if the weight is not a whole number
    /// from 0 to 4294967295.
    fn try_from(fields: Fields) -> Result<Self, String> {
        let weight = fields.weight.weight().map_err(|reason| {
            format!("the weight of node {} is {reason}", quoted(fields.id.as_bytes()))
        })?;
        let node = Node::new(fields.id).weighing(weight);
        let node = match fields.zone {
            Some(zone) => node.in_zone(zone),
            None => node,
        };
        let told = Told {
            label: fields.label,
            host: fields.host,
            port: fields.port,
            alias: fields.alias,
            server_id: fields.server_id,
            hash_key: fields.hash_key,
            tokens: fields.tokens,
            data_centre: fields.data_centre,
            rack: fields.rack,
        };
        Ok(Self(told.on(node)))
    }
}

/// A value in the place of a whole number, whatever it is.
///
/// The reader, who knows the name and the range, says what is wrong with it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Written {
    Whole(u64),
    Other(String), // what stood there instead
}

impl Written {
    /// Returns the number.
    ///
    /// # Errors
    ///
    /// Fails if it is none of the range, with what stood there and the range, to
    /// follow "is".
    pub(crate) fn within(&self, range: RangeInclusive<u64>) -> Result<u64, String> {
        let given = match self {
            Self::Whole(number) if range.contains(number) => return Ok(*number),
            Self::Whole(number) => &number.to_string(),
            Self::Other(given) => given,
        };
        let (first, last) = (range.start(), range.end());
        Err(format!("{given}, but must be a whole number from {first} to {last}"))
    }

    /// Returns the number as a weight.
    ///
    /// # Errors
    ///
    /// As [`within`](Self::within) 0 to 4294967295.
    pub(crate) fn weight(&self) -> Result<u32, String> {
        let weight = self.within(0..=u32::MAX.into())?;
        Ok(u32::try_from(weight).expect("it is within the range"))
    }
}

impl<'de> Deserialize<'de> for Written {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WrittenVisitor)
    }
}

struct WrittenVisitor;

impl<'de> Visitor<'de> for WrittenVisitor {
    type Value = Written;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number")
    }

    fn visit_i64<E: de::Error>(self, given: i64) -> Result<Written, E> {
        self.visit_i128(given.into())
    }

    fn visit_u64<E: de::Error>(self, given: u64) -> Result<Written, E> {
        Ok(Written::Whole(given))
    }

    fn visit_i128<E: de::Error>(self, given: i128) -> Result<Written, E> {
        Ok(u64::try_from(given).map_or_else(|_| Written::Other(given.to_string()), Written::Whole))
    }

    fn visit_u128<E: de::Error>(self, given: u128) -> Result<Written, E> {
        Ok(u64::try_from(given).map_or_else(|_| Written::Other(given.to_string()), Written::Whole))
    }

    fn visit_f64<E: de::Error>(self, given: f64) -> Result<Written, E> {
        if given.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&given) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is whole and in the range"
            )]
            return Ok(Written::Whole(given as u64));
        }
        Ok(Written::Other(format!("{given:?}")))
    }

    fn visit_bool<E: de::Error>(self, given: bool) -> Result<Written, E> {
        Ok(Written::Other(given.to_string()))
    }

    fn visit_str<E: de::Error>(self, given: &str) -> Result<Written, E> {
        Ok(Written::Other(quoted(given.as_bytes())))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Written, E> {
        Ok(Written::Other("null".to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Written, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Written::Other("a list".to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Written, A::Error> {
        while table.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(Written::Other("a table".to_owned()))
    }
}

/// A table of named fields, and nothing else.
///
/// What serde derives for a struct reads a list of its fields as well.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Table<T>(pub(crate) T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Table<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(TableVisitor(PhantomData))
    }
}

struct TableVisitor<T>(PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for TableVisitor<T> {
    type Value = Table<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of fields")
    }

    fn visit_map<A: MapAccess<'de>>(self, table: A) -> Result<Table<T>, A::Error> {
        T::deserialize(MapAccessDeserializer::new(table)).map(Table)
    }
}
