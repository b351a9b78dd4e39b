//! [`Form`], a configuration as it is written.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use homing_core::{Error, KeyHash, NodeId};
use serde::de::{self, Deserializer, Visitor};
use serde::ser::Serializer;

use crate::config::PER_WEIGHT;
use crate::{Boundary, Config, Count, Place, Points, Rounding, Scheme, Sums, Ties};

/// The flat form of a [`Config`].
#[derive(Default, serde::Deserialize, serde::Serialize)]
#[serde(deny_unknown_fields, default, rename = "ring")]
pub(crate) struct Form {
    hash: KeyHash,
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    prefix: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    separator: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    assigned: Option<Vec<(Position, NodeId)>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    copy: Option<Copies>,
    #[serde(skip_serializing_if = "Option::is_none")]
    point_hash: Option<KeyHash>,
    #[serde(skip_serializing_if = "Option::is_none")]
    words: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    stride: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    average: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rounding: Option<Rounding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    least: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    greatest: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sums: Option<Sums>,
    #[serde(skip_serializing_if = "is_default")]
    boundary: Boundary,
    #[serde(skip_serializing_if = "is_default")]
    ties: Ties,
}

struct Position(u64);

/// What a copy is: where its number stands, or another scheme.
#[derive(Clone, Copy, PartialEq)]
enum Copies {
    Last,
    First,
    Chain,
    Number,
}

impl Copies {
    const ALL: [Self; 4] = [Self::Last, Self::First, Self::Chain, Self::Number];

    const fn name(self) -> &'static str {
        match self {
            Self::Last => Place::Last.name(),
            Self::First => Place::First.name(),
            Self::Chain => "chain",
            Self::Number => "number",
        }
    }
}

/// Reads and writes an enum as the name of its variant.
macro_rules! named {
    ($type:ty) => {
        impl serde::Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }

        impl<'de> serde::Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = String::deserialize(deserializer)?;
                let found = Self::ALL.into_iter().find(|each| each.name() == text);
                found.ok_or_else(|| {
                    let names = Self::ALL.map(Self::name).join(", ");
                    de::Error::custom(alloc::format!("{text:?}, but must be one of {names}"))
                })
            }
        }
    };
}

named!(Copies);
named!(Boundary);
named!(Ties);
named!(Rounding);
named!(Sums);

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl From<Config> for Form {
    fn from(Config { hash, points, boundary, ties }: Config) -> Self {
        let form = Self { hash, boundary, ties, ..Self::default() };
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
            Points::Derived { scheme, count } => form.with_scheme(scheme).with_count(count),
        }
    }
}

impl Form {
    fn with_scheme(self, scheme: Scheme) -> Self {
        let copies = |place| match place {
            Place::Last => Copies::Last,
            Place::First => Copies::First,
        };
        match scheme {
            Scheme::Text { copy, separator, hash } => Self {
                copy: Some(copies(copy)),
                separator: Some(separator),
                point_hash: Some(hash),
                ..self
            },
            Scheme::Digest { copy, separator, words } => Self {
                copy: Some(copies(copy)),
                separator: Some(separator),
                words: Some(words),
                ..self
            },
            Scheme::Chain { hash } => {
                Self { copy: Some(Copies::Chain), point_hash: Some(hash), ..self }
            }
            Scheme::Number { stride } => {
                Self { copy: Some(Copies::Number), stride: Some(stride), ..self }
            }
        }
    }

    fn with_count(self, count: Count) -> Self {
        match count {
            Count::PerWeight(number) => Self { points: Some(number), ..self },
            Count::Share { average, rounding } => {
                Self { average: Some(average), rounding: Some(rounding), ..self }
            }
            Count::Scaled { least, greatest, sums } => {
                Self { least: Some(least), greatest: Some(greatest), sums: Some(sums), ..self }
            }
        }
    }

    /// The names of the fields that are given, but for those that every form may have.
    fn given(&self) -> impl Iterator<Item = &'static str> {
        let fields = [
            ("points", self.points.is_some()),
            ("prefix", self.prefix.is_some()),
            ("separator", self.separator.is_some()),
            ("assigned", self.assigned.is_some()),
            ("copy", self.copy.is_some()),
            ("point_hash", self.point_hash.is_some()),
            ("words", self.words.is_some()),
            ("stride", self.stride.is_some()),
            ("average", self.average.is_some()),
            ("rounding", self.rounding.is_some()),
            ("least", self.least.is_some()),
            ("greatest", self.greatest.is_some()),
            ("sums", self.sums.is_some()),
        ];
        fields.into_iter().filter(|&(_, given)| given).map(|(name, _)| name)
    }

    /// The names of the fields that are given, of some.
    fn given_of(&self, some: &[&str]) -> String {
        let given: Vec<&str> = self.given().filter(|name| some.contains(name)).collect();
        given.join(", ")
    }

    fn read_count(&self) -> Result<Count, Error> {
        let scaled = self.least.zip(self.greatest);
        match (self.points, self.average, self.rounding, scaled, self.sums) {
            (points, None, None, None, None) if self.least.or(self.greatest).is_none() => {
                Ok(Count::PerWeight(points.unwrap_or(PER_WEIGHT)))
            }
            (None, Some(average), rounding, None, None)
                if self.least.or(self.greatest).is_none() =>
            {
                Ok(Count::Share { average, rounding: rounding.unwrap_or_default() })
            }
            (None, None, None, Some((least, greatest)), sums) => {
                Ok(Count::Scaled { least, greatest, sums: sums.unwrap_or_default() })
            }
            _ => Err(Error::parameter(
                "count",
                self.given_of(&["points", "average", "rounding", "least", "greatest", "sums"]),
                "points alone, average and rounding, or least, greatest and sums",
            )),
        }
    }

    fn read_scheme(&self, copy: Copies) -> Result<Scheme, Error> {
        let place = if copy == Copies::First { Place::First } else { Place::Last };
        let hash = self.point_hash.unwrap_or(self.hash);
        let separator = self.separator.clone();
        match (copy, separator, self.point_hash, self.words, self.stride) {
            (Copies::Last | Copies::First, separator, _, None, None) => {
                Ok(Scheme::Text { copy: place, separator: separator.unwrap_or_default(), hash })
            }
            (Copies::Last | Copies::First, separator, None, Some(words), None) => {
                let separator = separator.unwrap_or_default();
                Ok(Scheme::Digest { copy: place, separator, words })
            }
            (Copies::Chain, None, _, None, None) => Ok(Scheme::Chain { hash }),
            (Copies::Number, None, None, None, Some(stride)) => Ok(Scheme::Number { stride }),
            _ => {
                let given = self.given_of(&["separator", "point_hash", "words", "stride"]);
                Err(Error::parameter(
                    "copy",
                    if given.is_empty() {
                        alloc::format!("{:?} without stride", copy.name())
                    } else {
                        alloc::format!("{:?} with {given}", copy.name())
                    },
                    "last or first with separator and point_hash or words, chain with \
                     point_hash, or number with stride",
                ))
            }
        }
    }

    fn read_points(mut self) -> Result<Points, Error> {
        if let Some(list) = self.assigned.take() {
            if let Some(other) = self.given().next() {
                return Err(Error::parameter(
                    "assigned",
                    alloc::format!("given with {other}"),
                    "without points, prefix and separator",
                ));
            }
            let points = list.into_iter().map(|(Position(at), id)| (at, id)).collect();
            return Ok(Points::Assigned(points));
        }
        let beside = if let Some(copy) = self.copy {
            if self.prefix.is_none() {
                let (scheme, count) = (self.read_scheme(copy)?, self.read_count()?);
                return Ok(Points::Derived { scheme, count });
            }
            Some("prefix")
        } else {
            self.given().find(|given| !["points", "prefix", "separator"].contains(given))
        };
        if let Some(name) = beside {
            let (value, rule) = if self.copy.is_some() {
                ("given with copy", "without it")
            } else {
                ("given without copy", "with it")
            };
            return Err(Error::parameter(name, value, rule));
        }
        let per_weight = self.points.unwrap_or(PER_WEIGHT);
        if self.prefix.is_none() && self.separator.is_none() {
            return Ok(Points::Drawn { per_weight });
        }
        let (prefix, separator) =
            (self.prefix.unwrap_or_default(), self.separator.unwrap_or_default());
        Ok(Points::Labelled { prefix, separator, per_weight })
    }
}

impl TryFrom<Form> for Config {
    type Error = Error;

    fn try_from(form: Form) -> Result<Self, Error> {
        let Form { hash, boundary, ties, .. } = form;
        Ok(Self { hash, points: form.read_points()?, boundary, ties })
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
