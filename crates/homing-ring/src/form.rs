//! [`Form`], a configuration as it is written.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use homing_core::{Error, KeyHash, NodeId};
use serde::de::{self, Deserializer, Visitor};
use serde::ser::Serializer;

use crate::config::PER_WEIGHT;
use crate::{Config, Points};

/// The flat form of a [`Config`].
#[derive(serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields, rename = "ring")]
pub(crate) struct Form {
    #[serde(default)]
    hash: KeyHash,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    points: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    prefix: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    separator: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    assigned: Option<Vec<(Position, NodeId)>>,
}

struct Position(u64);

impl From<Config> for Form {
    fn from(Config { hash, points }: Config) -> Self {
        let form = Self { hash, points: None, prefix: None, separator: None, assigned: None };
        match points {
            Points::Drawn { per_weight } => Self { points: Some(per_weight), ..form },
            Points::Labelled { prefix, separator, per_weight } => Self {
                points: Some(per_weight),
                prefix: Some(prefix),
                separator: Some(separator),
                ..form
            },
            Points::Assigned(list) => {
                let list = list.into_iter().map(|(at, id)| (Position(at), id)).collect();
                Self { assigned: Some(list), ..form }
            }
        }
    }
}

impl TryFrom<Form> for Config {
    type Error = Error;

    fn try_from(form: Form) -> Result<Self, Error> {
        let Form { hash, points, prefix, separator, assigned } = form;
        if let Some(list) = assigned {
            let others = [
                ("points", points.is_some()),
                ("prefix", prefix.is_some()),
                ("separator", separator.is_some()),
            ];
            if let Some((other, _)) = others.into_iter().find(|&(_, given)| given) {
                return Err(Error::parameter(
                    "assigned",
                    alloc::format!("given with {other}"),
                    "without points, prefix and separator",
                ));
            }
            let list = list.into_iter().map(|(Position(at), id)| (at, id)).collect();
            return Ok(Self { hash, points: Points::Assigned(list) });
        }
        let per_weight = points.unwrap_or(PER_WEIGHT);
        let points = if prefix.is_none() && separator.is_none() {
            Points::Drawn { per_weight }
        } else {
            let (prefix, separator) = (prefix.unwrap_or_default(), separator.unwrap_or_default());
            Points::Labelled { prefix, separator, per_weight }
        };
        Ok(Self { hash, points })
    }
}

impl serde::Serialize for Position {
    /// A number up to 2^53, as far as every reader of JSON is exact; text above.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 <= 1 << 53 {
            serializer.serialize_u64(self.0)
        } else {
            serializer.serialize_str(&self.0.to_string())
        }
    }
}

impl<'de> serde::Deserialize<'de> for Position {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Written;

        impl Visitor<'_> for Written {
            type Value = Position;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "a position from 0 to {}, as a number or as decimal text", u64::MAX)
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Position, E> {
                Ok(Position(number))
            }

            fn visit_i64<E: de::Error>(self, number: i64) -> Result<Position, E> {
                let unexpected = de::Unexpected::Signed(number);
                u64::try_from(number).map(Position).map_err(|_| E::invalid_value(unexpected, &self))
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Position, E> {
                // `u64::from_str` takes a leading plus, which would give one position two names.
                let digits = text.bytes().all(|byte| byte.is_ascii_digit());
                let position = text.parse().ok().filter(|_| digits).map(Position);
                position.ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_any(Written)
    }
}
