//! [`Quantity`]: numbers and sizes as people write them.

use std::ops::RangeInclusive;

use crate::{Error, Result};

/// A number above 0 of things or of bytes: `1000`, `50MB`, `1.5GiB`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quantity {
    /// How many.
    pub amount: f64,
    /// Whether a unit of bytes stood behind it.
    pub bytes: bool,
}

/// A part of a whole, or a quantity of it: `5%`, `0.05`, `1000`, `64MiB`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Portion {
    /// A part, above 0 and at most 1.
    Part(f64),
    /// A quantity.
    Of(Quantity),
}

const UNITS: [(&str, f64); 10] = [
    ("B", 1.0),
    ("kB", 1e3),
    ("KB", 1e3),
    ("MB", 1e6),
    ("GB", 1e9),
    ("TB", 1e12),
    ("KiB", 1024.0),
    ("MiB", 1_048_576.0),
    ("GiB", 1_073_741_824.0),
    ("TiB", 1_099_511_627_776.0),
];

/// What [`size`] reads, in words.
pub const SIZE: &str = "a size from 1 B to 2^53 B: 65536, 64KiB or 16MB";

/// Reads a size in bytes, from 1 to 2^53, with or without its unit; what is less
/// than a byte is cut.
#[must_use]
pub fn size(text: &str) -> Option<u64> {
    const GREATEST: f64 = 9_007_199_254_740_992.0;
    let bytes = quantity(text)?.amount.floor();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is whole, and in range"
    )]
    (1.0..=GREATEST).contains(&bytes).then_some(bytes as u64)
}

/// What reads a whole number of a range: digits alone, as a parser of a flag.
///
/// What it refuses is told with the range, however great or small it is.
pub(crate) fn whole<T: TryFrom<u64> + 'static>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        // `parse` takes a leading plus.
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        let number = text.parse().ok().filter(|number| digits && range.contains(number));
        number.and_then(|number: u64| T::try_from(number).ok()).ok_or_else(|| {
            format!("must be a whole number from {} to {}", range.start(), range.end())
        })
    }
}

/// Reads a part of a whole, from 0 to 1: `0.05` or `5%`.
#[must_use]
pub fn part(text: &str) -> Option<f64> {
    let part = match text.strip_suffix('%') {
        Some(percent) => decimal(percent.trim_end_matches(' '))? / 100.0,
        None => decimal(text)?,
    };
    (part <= 1.0).then_some(part)
}

/// Reads a decimal number that is finite and not negative, without sign and
/// exponent.
#[must_use]
pub fn decimal(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse().ok().filter(|&number: &f64| plain && number.is_finite())
}

impl Quantity {
    /// Reads the value of the parameter `name`.
    ///
    /// # Errors
    ///
    /// Fails if it is no number above 0, or has a unit that is none.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        const RULE: &str = "a number above 0 as 1000, or a size as 50MB or 64MiB";
        quantity(text).ok_or_else(|| wrong(name, text, RULE))
    }
}

impl Portion {
    /// Reads the value of the parameter `name`.
    ///
    /// # Errors
    ///
    /// Fails if it is neither a part above 0 and at most 1, nor a quantity.
    pub fn parse(name: &str, text: &str) -> Result<Self> {
        const RULE: &str = "a part as 5% or 0.05, a number as 1000, or a size as 64MiB";
        // What has a point and no unit is a part: nothing else is cut up.
        let is_part = text.ends_with('%') || (text.contains('.') && decimal(text).is_some());
        let portion = if is_part {
            part(text).filter(|&part| part > 0.0).map(Self::Part)
        } else {
            quantity(text).map(Self::Of)
        };
        portion.ok_or_else(|| wrong(name, text, RULE))
    }
}

fn quantity(text: &str) -> Option<Quantity> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let unit = unit.trim_start_matches(' ');
    let amount = decimal(digits).filter(|&amount| amount > 0.0)?;
    if unit.is_empty() {
        return Some(Quantity { amount, bytes: false });
    }
    let (_, size) = UNITS.iter().find(|(name, _)| *name == unit)?;
    Some(Quantity { amount: amount * size, bytes: true })
}

fn wrong(name: &str, text: &str, rule: &str) -> Error {
    Error::Parameter { name: name.to_owned(), value: format!("{text:?}"), rule: rule.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_decimal_or_binary() {
        let read = |text| Quantity::parse("rate", text).map(|it| (it.amount, it.bytes));
        assert_eq!(read("1000"), Ok((1000.0, false)));
        assert_eq!(read("50MB"), Ok((50e6, true)));
        assert_eq!(read("64MiB"), Ok((67_108_864.0, true)));
        assert_eq!(read("1.5kB"), Ok((1500.0, true)));
        assert_eq!(read("2 GB"), Ok((2e9, true)));
        for wrong in ["", "0", "-1", "+1", "1e3", "MB", "5mb", "5%", "NaN", "inf", "1.2.3", "5 5"] {
            let told = read(wrong).unwrap_err().to_string();
            assert!(
                told.starts_with(&format!("rate is {wrong:?}, but must be a number")),
                "{told}"
            );
        }
    }

    #[test]
    fn a_size_is_at_least_a_byte_and_counted_exactly() {
        // 64 x 1024^2, 1.5 x 1024, and 2^53, above which floats pass over bytes.
        for (text, bytes) in [
            ("64MiB", 67_108_864),
            ("1.5KiB", 1536),
            ("17", 17),
            ("17B", 17),
            ("2 GiB", 1 << 31),
            ("64MB", 64_000_000),
            ("8192TiB", 1 << 53),
        ] {
            assert_eq!(size(text), Some(bytes), "{text}");
        }
        for text in ["", "0", "0.5", "64mb", "MiB", "-1", "+1", "1e3", "8193TiB", "nan", "inf"] {
            assert_eq!(size(text), None, "{text}");
        }
    }

    #[test]
    fn a_part_has_a_percent_sign_or_a_point() {
        let read = |text| Portion::parse("max-step", text);
        assert_eq!(read("5%"), Ok(Portion::Part(0.05)));
        assert_eq!(read("0.25"), Ok(Portion::Part(0.25)));
        assert_eq!(read("1.0"), Ok(Portion::Part(1.0)));
        assert_eq!(read("1"), Ok(Portion::Of(Quantity { amount: 1.0, bytes: false })));
        assert_eq!(read("1.5MB"), Ok(Portion::Of(Quantity { amount: 1.5e6, bytes: true })));
        for wrong in ["0%", "101%", "1.5", "", "%", "-5%", "five"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
