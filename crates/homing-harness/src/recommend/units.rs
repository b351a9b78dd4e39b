//! Numbers of constraints as flags and files write them.

use std::fmt;
use std::str::FromStr;

use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize};

use crate::error::quoted;
use crate::quantity::{SIZE, decimal, part, size};

/// A part of all keys, in `0..=1`: `0.005` or `0.5%`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Fraction(pub f64);

/// A greatest load over the mean load, at least 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Peak(pub f64);

/// A time in nanoseconds, above 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Nanoseconds(pub f64);

/// A size in bytes, at least 1: `4096`, `64KiB`, `1.5MB`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Bytes(pub u64);

/// What a value of a constraint is read from.
trait Unit: Sized {
    const RULE: &str;

    fn read(text: &str) -> Option<Self>;
}

impl Unit for Fraction {
    const RULE: &str = "from 0 to 1, or from 0% to 100%";

    fn read(text: &str) -> Option<Self> {
        part(text).map(Self)
    }
}

impl Unit for Peak {
    const RULE: &str = "a number from 1";

    fn read(text: &str) -> Option<Self> {
        decimal(text).filter(|&peak| peak >= 1.0).map(Self)
    }
}

impl Unit for Nanoseconds {
    const RULE: &str = "a number of nanoseconds above 0";

    fn read(text: &str) -> Option<Self> {
        decimal(text).filter(|&ns| ns > 0.0).map(Self)
    }
}

impl Unit for Bytes {
    const RULE: &str = SIZE;

    fn read(text: &str) -> Option<Self> {
        size(text).map(Self)
    }
}

struct Reader<T>(std::marker::PhantomData<T>);

impl<T: Unit> Reader<T> {
    fn of<E: de::Error>(text: &str, shown: &str) -> Result<T, E> {
        let rule = T::RULE;
        T::read(text).ok_or_else(|| E::custom(format!("found {shown}, but must be {rule}")))
    }
}

impl<T: Unit> Visitor<'_> for Reader<T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::RULE)
    }

    fn visit_i64<E: de::Error>(self, given: i64) -> Result<T, E> {
        Self::of(&given.to_string(), &given.to_string())
    }

    fn visit_u64<E: de::Error>(self, given: u64) -> Result<T, E> {
        Self::of(&given.to_string(), &given.to_string())
    }

    fn visit_f64<E: de::Error>(self, given: f64) -> Result<T, E> {
        Self::of(&given.to_string(), &given.to_string())
    }

    fn visit_str<E: de::Error>(self, given: &str) -> Result<T, E> {
        Self::of(given, &quoted(given.as_bytes()))
    }
}

macro_rules! unit {
    ($($unit:ty),*) => {$(
        impl FromStr for $unit {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                Self::read(text).ok_or_else(|| format!("must be {}", Self::RULE))
            }
        }

        impl<'de> Deserialize<'de> for $unit {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any(Reader(std::marker::PhantomData))
            }
        }
    )*};
}

unit!(Fraction, Peak, Nanoseconds, Bytes);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_parts_or_per_cent() {
        assert_eq!("0.005".parse(), Ok(Fraction(0.005)));
        assert_eq!("0.5%".parse(), Ok(Fraction(0.005)));
        assert_eq!("100 %".parse(), Ok(Fraction(1.0)));
        for text in ["1.1", "101%", "-0.1", "%", "", "nan", "inf"] {
            assert!(text.parse::<Fraction>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_peak_is_at_least_one_and_a_time_above_zero() {
        assert_eq!("1".parse(), Ok(Peak(1.0)));
        assert!("0.99".parse::<Peak>().is_err());
        assert_eq!("0.5".parse(), Ok(Nanoseconds(0.5)));
        assert!("0".parse::<Nanoseconds>().is_err());
    }
}
