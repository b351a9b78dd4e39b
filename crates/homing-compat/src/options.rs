//! [`PresetOption`], what can be set of a preset, and the settings that are chosen.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use homing_core::{Error, KeyHash};

use crate::entry::Entry;
use crate::near::one_of;

/// Something that can be set of a preset, by the name that the program has for it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct PresetOption {
    /// The name.
    pub name: &'static str,
    /// What it can be.
    pub values: Values,
    /// What it is.
    pub about: &'static str,
}

/// What an option can be.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Values {
    /// A word of the program.
    Words {
        /// The words, with what each is called here.
        words: &'static [(&'static str, &'static str)],
        /// The default, which is one of them.
        default: &'static str,
    },
    /// A whole number.
    Number {
        /// The default.
        default: u32,
        /// The least.
        least: u32,
        /// The greatest.
        most: u32,
    },
    /// A prime from 2 up.
    Prime {
        /// The default.
        default: u32,
        /// The greatest.
        most: u32,
    },
    /// A number with a point.
    Decimal {
        /// The default.
        default: &'static str,
        /// The least.
        least: u32,
    },
    /// A hash by its text name.
    Hash {
        /// The default.
        default: &'static str,
    },
    /// Two bytes, whatever they are, that enclose the part of a key that is hashed;
    /// nothing by default.
    Tag,
}

impl Values {
    /// The text that stands for the default; empty where it is nothing.
    #[must_use]
    pub fn default(self) -> String {
        match self {
            Self::Number { default, .. } | Self::Prime { default, .. } => {
                alloc::format!("{default}")
            }
            Self::Words { default, .. }
            | Self::Hash { default }
            | Self::Decimal { default, .. } => default.to_owned(),
            Self::Tag => String::new(),
        }
    }

    /// What may stand there, to follow "must be".
    #[must_use]
    pub fn rule(self) -> String {
        match self {
            Self::Words { words, .. } => {
                let words: Vec<&str> = words.iter().map(|word| word.0).collect();
                alloc::format!("one of {}", words.join(", "))
            }
            Self::Number { least, most, .. } => {
                alloc::format!("a whole number from {least} to {most}")
            }
            Self::Prime { most, .. } => alloc::format!("a prime from 2 to {most}"),
            Self::Decimal { least, .. } => alloc::format!("a number from {least} up"),
            Self::Hash { .. } => "the name of a hash".to_owned(),
            Self::Tag => "two bytes, as {}, or nothing".to_owned(),
        }
    }

    fn check(self, name: &'static str, given: &str) -> Result<(), Error> {
        let sound = match self {
            Self::Words { words, .. } => words.iter().any(|word| word.0 == given),
            Self::Number { least, most, .. } => {
                whole(given).is_some_and(|number| (least..=most).contains(&number))
            }
            Self::Prime { most, .. } => {
                whole(given).is_some_and(|number| number <= most && is_prime(number.into()))
            }
            Self::Decimal { least, .. } => {
                let number = given.parse::<f64>();
                number.is_ok_and(|number| number.is_finite() && number >= f64::from(least))
            }
            Self::Hash { .. } => return given.parse::<KeyHash>().map(|_| ()),
            Self::Tag => [0, 2].contains(&given.len()),
        };
        if sound {
            return Ok(());
        }
        let rule = match self {
            Self::Words { words, .. } => one_of(given, words.iter().map(|word| word.0)),
            _ => self.rule(),
        };
        Err(Error::parameter(name, alloc::format!("{given:?}"), rule))
    }
}

fn whole(text: &str) -> Option<u32> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits)
}

/// Whether a number is a prime, in as many divisions as its root.
pub(crate) fn is_prime(number: u64) -> bool {
    let mut divisors = (2..).take_while(|divisor| divisor * divisor <= number);
    number > 1 && divisors.all(|divisor| !number.is_multiple_of(divisor))
}

/// The settings of a preset.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    options: &'static [PresetOption],
    given: Vec<(&'static str, String)>, // those that are not left to the default, in order
}

impl Chosen {
    /// Reads `OPTION=VALUE,...`.
    ///
    /// # Errors
    ///
    /// Fails if the entry has no such option, it is given twice, or its value is
    /// none.
    pub(crate) fn parse(entry: &'static Entry, text: Option<&str>) -> Result<Self, Error> {
        let mut given: Vec<(&'static str, String)> = Vec::new();
        for pair in text.into_iter().flat_map(|text| text.split(',')) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let option = entry.options.iter().find(|option| option.name == name);
            let option = option.ok_or_else(|| {
                let names = entry.options.iter().map(|option| option.name);
                let rule = if entry.options.is_empty() {
                    alloc::format!("left out: {} has no options", entry.name)
                } else {
                    alloc::format!("{} for {}", one_of(name, names), entry.name)
                };
                Error::parameter("option", alloc::format!("{name:?}"), rule)
            })?;
            if !pair.contains('=') {
                let value = alloc::format!("{pair:?}");
                return Err(Error::parameter("option", value, "OPTION=VALUE"));
            }
            if given.iter().any(|(other, _)| *other == option.name) {
                let value = alloc::format!("{name:?} twice");
                return Err(Error::parameter("option", value, "given once"));
            }
            option.values.check(option.name, value)?;
            given.push((option.name, value.to_owned()));
        }
        given.retain(|(name, value)| {
            let option = entry.options.iter().find(|option| option.name == *name);
            option.is_some_and(|option| option.values.default() != *value)
        });
        Ok(Self { options: entry.options, given })
    }

    /// Those that are not the default, in the order in which they were given.
    pub(crate) fn given(&self) -> &[(&'static str, String)] {
        &self.given
    }

    /// The value of an option that there is, as it is written.
    pub(crate) fn text(&self, name: &str) -> String {
        self.given.iter().find(|(other, _)| *other == name).map_or_else(
            || self.option(name).map_or_else(String::new, |option| option.values.default()),
            |(_, value)| value.clone(),
        )
    }

    /// What a word is called here.
    pub(crate) fn meaning(&self, name: &str) -> &'static str {
        let text = self.text(name);
        match self.option(name).map(|option| option.values) {
            Some(Values::Words { words, .. }) => {
                words.iter().find(|word| word.0 == text).map_or("", |word| word.1)
            }
            _ => "",
        }
    }

    /// The value of an option that is a number.
    pub(crate) fn number(&self, name: &str) -> u32 {
        self.text(name).parse().unwrap_or_default()
    }

    /// The value of an option that is a number with a point.
    pub(crate) fn decimal(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or_default()
    }

    fn option(&self, name: &str) -> Option<&'static PresetOption> {
        self.options.iter().find(|option| option.name == name)
    }
}
