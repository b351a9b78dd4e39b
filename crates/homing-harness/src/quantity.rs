//! [`Quantity`]: numbers and sizes as people write them.

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
        let portion = match text.strip_suffix('%') {
            Some(percent) => number(percent).map(|percent| Self::Part(percent / 100.0)),
            // What has a point and no unit is a part: nothing else is cut up.
            None if text.contains('.') && number(text).is_some() => number(text).map(Self::Part),
            None => quantity(text).map(Self::Of),
        };
        portion
            .filter(|portion| !matches!(portion, Self::Part(part) if *part > 1.0))
            .ok_or_else(|| wrong(name, text, RULE))
    }
}

fn quantity(text: &str) -> Option<Quantity> {
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (digits, unit) = text.split_at(end);
    let unit = unit.trim_start_matches(' ');
    let amount = number(digits)?;
    if unit.is_empty() {
        return Some(Quantity { amount, bytes: false });
    }
    let (_, size) = UNITS.iter().find(|(name, _)| *name == unit)?;
    Some(Quantity { amount: amount * size, bytes: true })
}

/// A decimal number above 0, without sign and exponent.
fn number(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse().ok().filter(|&number: &f64| plain && number > 0.0 && number.is_finite())
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
