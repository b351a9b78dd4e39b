//! What generated keys look like, how they are asked for, and how large they are.

use std::fmt;

use crate::error::{Error, Result};
use crate::workload::generate::GREATEST;
use crate::workload::spec::{self, Spec};

/// The requests of a key, on the average, where their sum is not given.
const REQUESTS: u64 = 10;

/// The most tags that keys may share.
const MOST_TAGS: u64 = 1 << 32;

const SHARE: &str = "above 0 and below 1";
const COUNT: &str = "a whole number from 1 to 9007199254740992";
const SHAPE: &str = "above 0 and at most 100";
const MEDIAN: &str = "from 1 to 9007199254740992";

/// What the text of a generated key is, all of them distinct.
///
/// `N(i)` is output `i` of `SplitMix64` started at the seed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum Names {
    /// The decimal text of `N(i)`.
    #[default]
    Random,
    /// The decimal text of `10^10 seed + i`, in 64 bits.
    Numbered,
    /// A UUID of version 4 (RFC 9562, section 5.4).
    Uuid,
    /// The four proquints of `N(i)`: pronounceable words of five letters.
    Words,
    /// As `Random`, a part of them with a hash tag before: `{tag-7}:N`.
    Tagged {
        /// The chance of a key to have a tag, above 0 and at most 1.
        share: f64,
        /// How many tags there are, from 1 to 2^32, all of them as likely.
        tags: u64,
    },
}

/// How requests differ between keys.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Skew {
    /// Zipf's law: key `i` has its part in proportion to `(i + 1)^-exponent`,
    /// rounded, and at least 1.
    Zipf {
        /// The exponent, above 0 and at most 100.
        exponent: f64,
        /// The requests in all before rounding, from 1 to 2^53.
        requests: u64,
    },
    /// The first key has a part of all requests, the others an equal number,
    /// rounded, and at least 1.
    Hot {
        /// The part of the first key, above 0 and below 1.
        share: f64,
        /// The requests in all before rounding, from 1 to 2^53.
        requests: u64,
    },
}

/// Sizes in bytes from a log-normal distribution.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizes {
    /// The median, from 1 to 2^53.
    pub median: f64,
    /// The standard deviation of the natural logarithm, above 0 and at most 100.
    pub sigma: f64,
}

impl Names {
    const ALL: spec::Names = &[
        ("random", &[]),
        ("numbered", &[]),
        ("uuid", &[]),
        ("words", &[]),
        ("tagged", &["share", "tags"]),
    ];

    /// Reads `random`, `numbered`, `uuid`, `words` or
    /// `tagged:share=0.3,tags=100`; a half and 1000 if left out.
    ///
    /// # Errors
    ///
    /// Fails if it is none of them, or a parameter is out of its range.
    pub fn parse(text: &str) -> Result<Self> {
        let spec = Spec::parse("generate", text, Self::ALL)?;
        Ok(match spec.name() {
            "numbered" => Self::Numbered,
            "uuid" => Self::Uuid,
            "words" => Self::Words,
            "tagged" => {
                let rule = "above 0 and at most 1";
                let share = spec.number("share", rule)?.unwrap_or(0.5);
                if !(share > 0.0 && share <= 1.0) {
                    return Err(spec.refused("share", &share.to_string(), rule));
                }
                let rule = format!("a whole number from 1 to {MOST_TAGS}");
                let tags = spec.number("tags", &rule)?.unwrap_or(1000);
                if !(1..=MOST_TAGS).contains(&tags) {
                    return Err(spec.refused("tags", &tags.to_string(), &rule));
                }
                Self::Tagged { share, tags }
            }
            _ => Self::Random,
        })
    }

    /// Whether every key is at a position of its own: the keys are a sample of
    /// all there could be. Keys of one tag are at one slot.
    pub(crate) fn is_even(self) -> bool {
        !matches!(self, Self::Tagged { .. })
    }

    /// Checks the parameters.
    ///
    /// # Errors
    ///
    /// Names the first that is out of its range.
    pub(crate) fn check(self) -> Result<()> {
        Self::parse(&self.to_string()).map(|_| ())
    }
}

impl fmt::Display for Names {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random => f.write_str("random"),
            Self::Numbered => f.write_str("numbered"),
            Self::Uuid => f.write_str("uuid"),
            Self::Words => f.write_str("words"),
            Self::Tagged { share, tags } => write!(f, "tagged:share={share},tags={tags}"),
        }
    }
}

impl Skew {
    const ALL: spec::Names = &[("zipf", &["exponent", "total"]), ("hot", &["share", "total"])];

    /// Reads `zipf:exponent=1.1` or `hot:share=0.2`, with `,total=N` for the
    /// requests of all keys: ten for each of `keys` if left out.
    ///
    /// # Errors
    ///
    /// Fails if it is none of them, or a parameter is missing or out of its range.
    pub fn parse(text: &str, keys: u64) -> Result<Self> {
        let spec = Spec::parse("requests", text, Self::ALL)?;
        let requests = spec.number("total", COUNT)?.unwrap_or(keys.saturating_mul(REQUESTS));
        if !(1..=GREATEST).contains(&requests) {
            return Err(spec.refused("total", &requests.to_string(), COUNT));
        }
        if spec.name() == "zipf" {
            let exponent = spec.needed("exponent", SHAPE)?;
            if !is_shape(exponent) {
                return Err(spec.refused("exponent", &exponent.to_string(), SHAPE));
            }
            return Ok(Self::Zipf { exponent, requests });
        }
        let share = spec.needed("share", SHARE)?;
        if !is_share(share) {
            return Err(spec.refused("share", &share.to_string(), SHARE));
        }
        Ok(Self::Hot { share, requests })
    }

    /// Checks the parameters.
    ///
    /// # Errors
    ///
    /// Names the first that is out of its range.
    pub(crate) fn check(self) -> Result<()> {
        let (Self::Zipf { requests, .. } | Self::Hot { requests, .. }) = self;
        check_count("requests", requests, GREATEST)?;
        match self {
            Self::Zipf { exponent, .. } => check_shape("zipf", exponent),
            Self::Hot { share, .. } => check_share("hot", share),
        }
    }
}

impl Sizes {
    const ALL: spec::Names = &[("lognormal", &["median", "sigma"])];

    /// Reads `lognormal:median=1000,sigma=1.5`.
    ///
    /// # Errors
    ///
    /// Fails if it is another text, or a parameter is missing or out of its range.
    pub fn parse(text: &str) -> Result<Self> {
        let spec = Spec::parse("sizes", text, Self::ALL)?;
        let median = spec.needed("median", MEDIAN)?;
        if !is_median(median) {
            return Err(spec.refused("median", &median.to_string(), MEDIAN));
        }
        let sigma = spec.needed("sigma", SHAPE)?;
        if !is_shape(sigma) {
            return Err(spec.refused("sigma", &sigma.to_string(), SHAPE));
        }
        Ok(Self { median, sigma })
    }

    /// Checks the parameters.
    ///
    /// # Errors
    ///
    /// Names the first that is out of its range.
    pub(crate) fn check(self) -> Result<()> {
        check_shape("bytes_sigma", self.sigma)?;
        check_median(self.median)
    }
}

pub(crate) fn check_count(name: &str, value: u64, most: u64) -> Result<()> {
    checked((1..=most).contains(&value), name, &value, &format!("from 1 to {most}"))
}

pub(crate) fn check_shape(name: &str, value: f64) -> Result<()> {
    checked(is_shape(value), name, &value, SHAPE)
}

pub(crate) fn check_share(name: &str, value: f64) -> Result<()> {
    checked(is_share(value), name, &value, SHARE)
}

pub(crate) fn check_median(value: f64) -> Result<()> {
    checked(is_median(value), "bytes_median", &value, MEDIAN)
}

fn checked(holds: bool, name: &str, value: &impl ToString, rule: &str) -> Result<()> {
    if holds {
        return Ok(());
    }
    Err(Error::Parameter { name: name.to_owned(), value: value.to_string(), rule: rule.to_owned() })
}

fn is_shape(value: f64) -> bool {
    value > 0.0 && value <= 100.0
}

fn is_share(value: f64) -> bool {
    value > 0.0 && value < 1.0
}

fn is_median(value: f64) -> bool {
    #[expect(clippy::cast_precision_loss, reason = "it is a power of two")]
    let sizes = 1.0..=GREATEST as f64;
    sizes.contains(&value)
}
