//! The table `[workload]` of a scenario, as it is written.

use std::ops::RangeInclusive;
use std::path::PathBuf;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::error::{Error, Result};
use crate::members::Written;
use crate::workload::form::{FEWEST_HELD, Form, KeysFormat, MOST_HELD};
use crate::workload::generate::GREATEST;
use crate::workload::shape::{Names, Sizes, Skew, check_median, check_shape, check_share};
use crate::workload::source::{Generated, MOST_KEYS, NO_FILE, Source};

/// The table as it is written.
///
/// Ranges are checked here, field by field, since the error then has the line of
/// the field and not of the table.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Fields {
    #[serde(deserialize_with = "keys", skip_serializing_if = "Option::is_none")]
    keys: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(deserialize_with = "generate", skip_serializing_if = "Option::is_none")]
    generate: Option<String>,
    #[serde(deserialize_with = "zipf", skip_serializing_if = "Option::is_none")]
    zipf: Option<f64>,
    #[serde(deserialize_with = "hot", skip_serializing_if = "Option::is_none")]
    hot: Option<f64>,
    #[serde(deserialize_with = "requests", skip_serializing_if = "Option::is_none")]
    requests: Option<u64>,
    #[serde(deserialize_with = "bytes_median", skip_serializing_if = "Option::is_none")]
    bytes_median: Option<f64>,
    #[serde(deserialize_with = "bytes_sigma", skip_serializing_if = "Option::is_none")]
    bytes_sigma: Option<f64>,
    #[serde(deserialize_with = "file", skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<KeysFormat>,
    #[serde(skip_serializing_if = "Option::is_none")]
    key_column: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bytes_column: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    requests_column: Option<String>,
    #[serde(deserialize_with = "sketch", skip_serializing_if = "Option::is_none")]
    sketch: Option<u64>,
}

impl TryFrom<Fields> for Source {
    type Error = Error;

    fn try_from(fields: Fields) -> Result<Self> {
        if let Some(file) = &fields.file {
            return match fields.of_generated() {
                Some(name) => Err(Error::Usage(format!(
                    "{name} is for generated keys, but file gives the keys"
                ))),
                None => Self::named(file, fields.strict.unwrap_or(false)).read_as(fields.form()),
            };
        }
        if let Some(name) = fields.of_file() {
            return Err(Error::Usage(format!("{name} is for a file, but there is no file")));
        }
        let sizes = both("bytes_median", fields.bytes_median, "bytes_sigma", fields.bytes_sigma)?
            .map(|(median, sigma)| Sizes { median, sigma });
        let default = Generated::default();
        let generated = Generated {
            keys: fields.keys.unwrap_or(default.keys),
            seed: fields.seed.unwrap_or(default.seed),
            names: fields.generate.as_deref().map_or(Ok(default.names), Names::parse)?,
            skew: fields.skew()?,
            sizes,
        };
        generated.check()?;
        Ok(Self::Generated(generated))
    }
}

impl Fields {
    /// The first field given that is for generated keys.
    fn of_generated(&self) -> Option<&'static str> {
        first(&[
            ("keys", self.keys.is_some()),
            ("seed", self.seed.is_some()),
            ("generate", self.generate.is_some()),
            ("zipf", self.zipf.is_some()),
            ("hot", self.hot.is_some()),
            ("requests", self.requests.is_some()),
            ("bytes_median", self.bytes_median.is_some()),
            ("bytes_sigma", self.bytes_sigma.is_some()),
        ])
    }

    /// The first field given that is for a file.
    fn of_file(&self) -> Option<&'static str> {
        first(&[
            ("strict", self.strict.is_some()),
            ("format", self.format.is_some()),
            ("key_column", self.key_column.is_some()),
            ("bytes_column", self.bytes_column.is_some()),
            ("requests_column", self.requests_column.is_some()),
            ("sketch", self.sketch.is_some()),
        ])
    }

    fn form(self) -> Form {
        Form {
            format: self.format,
            key_column: self.key_column,
            bytes_column: self.bytes_column,
            requests_column: self.requests_column,
            sketch: self.sketch,
        }
    }

    fn skew(&self) -> Result<Option<Skew>> {
        let law = match (self.zipf, self.hot) {
            (Some(_), Some(_)) => {
                return Err(Error::Usage("there is zipf and hot, but must be one of them".into()));
            }
            (None, Some(share)) => both("hot", Some(share), "requests", self.requests)?
                .map(|(share, requests)| Skew::Hot { share, requests }),
            (zipf, None) => both("zipf", zipf, "requests", self.requests)?
                .map(|(exponent, requests)| Skew::Zipf { exponent, requests }),
        };
        Ok(law)
    }
}

impl From<Source> for Fields {
    fn from(source: Source) -> Self {
        let of_file = |path, strict: bool, form: Form| Self {
            file: Some(path),
            strict: strict.then_some(true),
            format: form.format,
            key_column: form.key_column,
            bytes_column: form.bytes_column,
            requests_column: form.requests_column,
            sketch: form.sketch,
            ..Self::default()
        };
        match source {
            Source::Generated(of) => {
                let (zipf, hot, requests) = match of.skew {
                    None => (None, None, None),
                    Some(Skew::Zipf { exponent, requests }) => {
                        (Some(exponent), None, Some(requests))
                    }
                    Some(Skew::Hot { share, requests }) => (None, Some(share), Some(requests)),
                };
                Self {
                    keys: Some(of.keys),
                    seed: Some(of.seed),
                    generate: (of.names != Names::Random).then(|| of.names.to_string()),
                    zipf,
                    hot,
                    requests,
                    bytes_median: of.sizes.map(|sizes| sizes.median),
                    bytes_sigma: of.sizes.map(|sizes| sizes.sigma),
                    ..Self::default()
                }
            }
            Source::File { path, strict, form } => of_file(path, strict, form),
            Source::Stdin { strict, form } => of_file(PathBuf::from("-"), strict, form),
        }
    }
}

fn first(fields: &[(&'static str, bool)]) -> Option<&'static str> {
    fields.iter().find(|(_, given)| *given).map(|(name, _)| *name)
}

fn both<A, B>(a: &str, one: Option<A>, b: &str, other: Option<B>) -> Result<Option<(A, B)>> {
    match (one, other) {
        (None, None) => Ok(None),
        (Some(one), Some(other)) => Ok(Some((one, other))),
        (Some(_), None) => Err(Error::Usage(format!("{a} needs {b} beside it"))),
        (None, Some(_)) => Err(Error::Usage(format!("{b} needs {a} beside it"))),
    }
}

/// Reads the value of a field, and checks it.
fn checked<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    field: D,
    check: impl FnOnce(&T) -> Result<()>,
) -> Result<Option<T>, D::Error> {
    let value = T::deserialize(field)?;
    check(&value).map_err(D::Error::custom)?;
    Ok(Some(value))
}

/// Reads a whole number, and checks it.
fn whole<'de, D: Deserializer<'de>>(
    field: D,
    name: &str,
    range: RangeInclusive<u64>,
) -> Result<Option<u64>, D::Error> {
    let number = Written::deserialize(field)?.within(range);
    number.map(Some).map_err(|reason| D::Error::custom(format!("{name} is {reason}")))
}

fn keys<'de, D: Deserializer<'de>>(field: D) -> Result<Option<u64>, D::Error> {
    whole(field, "keys", 1..=MOST_KEYS)
}

fn requests<'de, D: Deserializer<'de>>(field: D) -> Result<Option<u64>, D::Error> {
    whole(field, "requests", 1..=GREATEST)
}

fn zipf<'de, D: Deserializer<'de>>(field: D) -> Result<Option<f64>, D::Error> {
    checked(field, |&zipf| check_shape("zipf", zipf))
}

fn bytes_sigma<'de, D: Deserializer<'de>>(field: D) -> Result<Option<f64>, D::Error> {
    checked(field, |&sigma| check_shape("bytes_sigma", sigma))
}

fn bytes_median<'de, D: Deserializer<'de>>(field: D) -> Result<Option<f64>, D::Error> {
    checked(field, |&median| check_median(median))
}

fn file<'de, D: Deserializer<'de>>(field: D) -> Result<Option<PathBuf>, D::Error> {
    checked(field, |path: &PathBuf| {
        if path.as_os_str().is_empty() {
            return Err(Error::Parameter {
                name: "file".to_owned(),
                value: "\"\"".to_owned(),
                rule: NO_FILE.to_owned(),
            });
        }
        Ok(())
    })
}

fn generate<'de, D: Deserializer<'de>>(field: D) -> Result<Option<String>, D::Error> {
    checked(field, |text: &String| Names::parse(text).map(|_| ()))
}

fn hot<'de, D: Deserializer<'de>>(field: D) -> Result<Option<f64>, D::Error> {
    checked(field, |&share| check_share("hot", share))
}

fn sketch<'de, D: Deserializer<'de>>(field: D) -> Result<Option<u64>, D::Error> {
    whole(field, "sketch", FEWEST_HELD..=MOST_HELD)
}
