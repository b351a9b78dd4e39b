//! Where the keys of a workload come from, as a scenario or a flag says it.

use std::path::{Path, PathBuf};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::error::{Error, Result};
use crate::workload::generate::GREATEST;

/// The most keys that are generated: ten thousand times the default.
const MOST_KEYS: u64 = 10_000_000_000;

/// What an empty name of a file must be.
pub(crate) const NO_FILE: &str = "the name of a file, or - for standard input";

/// The keys of a workload: generated, or the user's own.
///
/// In a scenario it is the table `[workload]`, with either `keys`, `seed`,
/// `zipf` and `requests`, `bytes_median` and `bytes_sigma`, or `file` and
/// `strict`. The file `-` is standard input.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(try_from = "Fields", into = "Fields")]
#[non_exhaustive]
pub enum Source {
    /// Keys computed from a seed.
    Generated(Generated),
    /// Keys in a file.
    File {
        /// The file, relative to the current directory.
        path: PathBuf,
        /// Whether an unreadable row is an error.
        strict: bool,
    },
    /// Keys on standard input.
    Stdin {
        /// Whether an unreadable row is an error.
        strict: bool,
    },
}

/// The parameters of generated keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Generated {
    /// The number of keys, from 1 to 10^10.
    pub keys: u64,
    /// Key `i` is the decimal text of output `i` of `SplitMix64` started here.
    pub seed: u64,
    /// How requests differ between keys, if they do.
    pub skew: Option<Skew>,
    /// The sizes of the objects behind the keys, if they have any.
    pub sizes: Option<Sizes>,
}

/// Requests by Zipf's law: key `i` has its part of `requests` in proportion to
/// `(i + 1)^-zipf`, rounded, and at least 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skew {
    /// The exponent, above 0 and at most 100.
    pub zipf: f64,
    /// The requests in all before rounding, from 1 to 2^53.
    pub requests: u64,
}

/// Sizes in bytes from a log-normal distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// The median, from 1 to 2^53.
    pub median: f64,
    /// The standard deviation of the natural logarithm, above 0 and at most 100.
    pub sigma: f64,
}

/// The table as it is written.
///
/// Ranges are checked here, field by field, since the error then has the line of
/// the field and not of the table.
#[derive(Clone, Debug, Default, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
struct Fields {
    #[serde(deserialize_with = "keys", skip_serializing_if = "Option::is_none")]
    keys: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<u64>,
    #[serde(deserialize_with = "zipf", skip_serializing_if = "Option::is_none")]
    zipf: Option<f64>,
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
}

impl Source {
    /// The source that `--keys` names: a file, or standard input for `-`.
    #[must_use]
    pub fn named(path: &Path, strict: bool) -> Self {
        if path == Path::new("-") {
            Self::Stdin { strict }
        } else {
            Self::File { path: path.to_owned(), strict }
        }
    }

    /// The same source, with a relative file taken from `folder`.
    #[must_use]
    pub fn relative_to(self, folder: &Path) -> Self {
        match self {
            Self::File { path, strict } => Self::File { path: folder.join(path), strict },
            other => other,
        }
    }
}

impl Default for Source {
    fn default() -> Self {
        Self::Generated(Generated::default())
    }
}

impl Default for Generated {
    /// 1,000,000 keys, seed 0, one request each, no sizes.
    fn default() -> Self {
        Self { keys: 1_000_000, seed: 0, skew: None, sizes: None }
    }
}

impl Generated {
    /// Checks every parameter against its range.
    ///
    /// # Errors
    ///
    /// Names the first that is out of range, and the range.
    pub fn check(&self) -> Result<()> {
        check_count("keys", self.keys, MOST_KEYS)?;
        if let Some(Skew { zipf, requests }) = self.skew {
            check_count("requests", requests, GREATEST)?;
            check_shape("zipf", zipf)?;
        }
        if let Some(Sizes { median, sigma }) = self.sizes {
            check_shape("bytes_sigma", sigma)?;
            check_median(median)?;
        }
        Ok(())
    }
}

impl TryFrom<Fields> for Source {
    type Error = Error;

    fn try_from(fields: Fields) -> Result<Self> {
        let generated = [
            ("keys", fields.keys.is_some()),
            ("seed", fields.seed.is_some()),
            ("zipf", fields.zipf.is_some()),
            ("requests", fields.requests.is_some()),
            ("bytes_median", fields.bytes_median.is_some()),
            ("bytes_sigma", fields.bytes_sigma.is_some()),
        ];
        if let Some(file) = fields.file {
            return match generated.iter().find(|(_, given)| *given) {
                Some((name, _)) => Err(Error::Usage(format!(
                    "{name} is for generated keys, but file gives the keys"
                ))),
                None => Ok(Self::named(&file, fields.strict.unwrap_or(false))),
            };
        }
        if fields.strict.is_some() {
            return Err(Error::Usage("strict is for a file, but there is no file".to_owned()));
        }
        let skew = both("zipf", fields.zipf, "requests", fields.requests)?
            .map(|(zipf, requests)| Skew { zipf, requests });
        let sizes = both("bytes_median", fields.bytes_median, "bytes_sigma", fields.bytes_sigma)?
            .map(|(median, sigma)| Sizes { median, sigma });
        let default = Generated::default();
        let generated = Generated {
            keys: fields.keys.unwrap_or(default.keys),
            seed: fields.seed.unwrap_or(default.seed),
            skew,
            sizes,
        };
        generated.check()?;
        Ok(Self::Generated(generated))
    }
}

impl From<Source> for Fields {
    fn from(source: Source) -> Self {
        let of_file = |path, strict: bool| Self {
            file: Some(path),
            strict: strict.then_some(true),
            ..Self::default()
        };
        match source {
            Source::Generated(of) => Self {
                keys: Some(of.keys),
                seed: Some(of.seed),
                zipf: of.skew.map(|skew| skew.zipf),
                requests: of.skew.map(|skew| skew.requests),
                bytes_median: of.sizes.map(|sizes| sizes.median),
                bytes_sigma: of.sizes.map(|sizes| sizes.sigma),
                ..Self::default()
            },
            Source::File { path, strict } => of_file(path, strict),
            Source::Stdin { strict } => of_file(PathBuf::from("-"), strict),
        }
    }
}

fn both<A, B>(a: &str, one: Option<A>, b: &str, other: Option<B>) -> Result<Option<(A, B)>> {
    match (one, other) {
        (None, None) => Ok(None),
        (Some(one), Some(other)) => Ok(Some((one, other))),
        (Some(_), None) => Err(Error::Usage(format!("{a} needs {b} beside it"))),
        (None, Some(_)) => Err(Error::Usage(format!("{b} needs {a} beside it"))),
    }
}

fn check_count(name: &str, value: u64, most: u64) -> Result<()> {
    if (1..=most).contains(&value) {
        return Ok(());
    }
    Err(out_of_range(name, &value, &format!("from 1 to {most}")))
}

fn check_shape(name: &str, value: f64) -> Result<()> {
    if value > 0.0 && value <= 100.0 {
        return Ok(());
    }
    Err(out_of_range(name, &value, "above 0 and at most 100"))
}

fn check_median(value: f64) -> Result<()> {
    #[expect(clippy::cast_precision_loss, reason = "it is a power of two")]
    let sizes = 1.0..=GREATEST as f64;
    if sizes.contains(&value) {
        return Ok(());
    }
    Err(out_of_range("bytes_median", &value, &format!("from 1 to {GREATEST}")))
}

fn out_of_range(name: &str, value: &impl ToString, rule: &str) -> Error {
    Error::Parameter { name: name.to_owned(), value: value.to_string(), rule: rule.to_owned() }
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

fn keys<'de, D: Deserializer<'de>>(field: D) -> Result<Option<u64>, D::Error> {
    checked(field, |&keys| check_count("keys", keys, MOST_KEYS))
}

fn requests<'de, D: Deserializer<'de>>(field: D) -> Result<Option<u64>, D::Error> {
    checked(field, |&requests| check_count("requests", requests, GREATEST))
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
            return Err(out_of_range("file", &"\"\"", NO_FILE));
        }
        Ok(())
    })
}
