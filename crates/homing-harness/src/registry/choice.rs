//! [`Choice`], a family with parameters, or with a preset that has them.

use std::fmt;

use homing_compat::Preset;
use homing_core::{Members, Placement};
use serde_json::Value;

use super::{Builder, Entry, FAMILIES, Origin, Parameters, by_name};
use crate::verify::Suspects;
use crate::{Error, Result};

/// A family with the parameters asked for; those not named are the defaults.
///
/// Under a preset the parameters follow the members: [`settled`](Self::settled) has
/// them.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The family.
    pub entry: &'static Entry,
    /// What differs from its defaults.
    pub parameters: Parameters,
    /// What has the parameters in their place, and prepares the members.
    pub preset: Option<Preset>,
    /// Where the parameters are from.
    pub origin: Origin,
}

impl Choice {
    /// A family as it is by default.
    #[must_use]
    pub fn plain(entry: &'static Entry) -> Self {
        Self { entry, parameters: Parameters::new(), preset: None, origin: Origin::Flags }
    }

    /// Whether the user asked for these parameters, rather than for none or for
    /// those of a manifest.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        let is_plain = self.parameters.is_empty() && self.preset.is_none();
        !(is_plain || matches!(self.origin, Origin::Manifest { .. }))
    }

    /// Every family of the registry, as it is by default.
    #[must_use]
    pub fn all() -> Vec<Self> {
        FAMILIES.iter().map(Self::plain).collect()
    }

    /// The family as `stated`, if that is the same one and nothing is asked here.
    #[must_use]
    pub fn or(self, stated: Option<&Self>) -> Self {
        let same = |other: &&Self| other.entry.family.name == self.entry.family.name;
        let is_plain = self.parameters.is_empty() && self.preset.is_none();
        stated.filter(same).filter(|_| is_plain).cloned().unwrap_or(self)
    }

    /// Reads `NAME`, `NAME:PARAMETER=VALUE,...` or `NAME:preset=PRESET,OPTION=VALUE,...`.
    ///
    /// # Errors
    ///
    /// Fails if there is no such family, or a parameter has no value or comes
    /// twice. Values are checked when a layout is built.
    pub fn parse(text: &str) -> Result<Self> {
        let (name, rest) = text.split_once(':').map_or((text, None), |(a, b)| (a, Some(b)));
        let entry = by_name(name)?;
        if let Some(preset) = rest.and_then(|rest| rest.strip_prefix("preset=")) {
            return Self::of_preset(&preset.replacen(',', ":", 1))?.of_family(name);
        }
        let defaults = (entry.defaults)();
        let mut parameters = Parameters::new();
        for pair in rest.into_iter().flat_map(|rest| rest.split(',')) {
            let Some((parameter, value)) = pair.split_once('=') else {
                return Err(Error::Parameter {
                    name: format!("{name}: parameter"),
                    value: format!("{pair:?}"),
                    rule: "PARAMETER=VALUE".into(),
                });
            };
            let number = defaults.get(parameter).is_some_and(Value::is_number);
            // A number that is none stays a text, which is refused with its range.
            let digits = value.bytes().all(|byte| byte.is_ascii_digit());
            let value = match value.parse::<u64>() {
                Ok(value) if number && digits => Value::from(value),
                _ => Value::from(value),
            };
            if parameters.insert(parameter.to_owned(), value).is_some() {
                return Err(Error::Usage(format!(
                    "{name}: parameter {parameter:?} is given twice"
                )));
            }
        }
        Ok(Self { entry, parameters, preset: None, origin: Origin::Flags })
    }

    /// What builds layouts with these parameters.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is unknown or of another kind. Its range is checked
    /// when a layout is built.
    pub fn builder(&self) -> Result<Builder> {
        if let Some(preset) = &self.preset {
            let by = preset.clone();
            let make = Box::new(move |members: Members| by.build(&members));
            return Ok(Builder { make, knob: None, preset: self.preset.clone() });
        }
        self.check_knob()?;
        let make = (self.entry.make)(self.parameters.clone())
            .map_err(|error| self.origin.located(error))?;
        Ok(Builder { make, knob: self.entry.knob.zip(self.knob()), preset: None })
    }

    /// Checks that the family's knob is a number that its configuration holds.
    fn check_knob(&self) -> Result<()> {
        let given = self.entry.knob.and_then(|knob| Some((knob, self.parameters.get(knob.name)?)));
        let Some((knob, value)) = given else { return Ok(()) };
        if value.as_u64().is_some_and(|value| u32::try_from(value).is_ok()) {
            return Ok(());
        }
        Err(self.origin.located(Error::Parameter {
            name: format!("{}: {}", self.entry.family.name, knob.name),
            // TOML has numbers that are none, JSON has null for them.
            value: if value.is_null() { "no number".to_owned() } else { value.to_string() },
            rule: knob.rule.into(),
        }))
    }

    /// Builds the layout of `members`.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is unknown or out of range, or `members` asks for
    /// what the family cannot do.
    pub fn build(&self, members: Members) -> Result<Box<dyn Placement>> {
        self.builder()?.build(members).map_err(|error| self.origin.located(error.into()))
    }

    /// The manifest of the layout of `members`, as JSON text.
    ///
    /// # Errors
    ///
    /// As [`build`](Self::build).
    pub fn describe(&self, members: Members, epoch: u64) -> Result<String> {
        let located = |error| self.origin.located(error);
        self.builder()?.check(&members).map_err(|error| located(error.into()))?;
        let (settled, members) = self.clone().settled(members)?;
        (self.entry.describe)(settled.parameters, members, epoch).map_err(located)
    }

    /// What programs that do not agree may do otherwise, for a layout that builds;
    /// nothing is known of those of other systems.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is unknown.
    pub fn suspects(&self, members: &Members) -> Result<Suspects> {
        if self.is_foreign() {
            return Ok(Suspects::none());
        }
        (self.entry.suspects)(&self.parameters, members).map_err(|error| self.origin.located(error))
    }

    /// The value of the family's knob, if it has one and it is a number here.
    #[must_use]
    pub fn knob(&self) -> Option<u64> {
        if self.preset.is_some() {
            return None;
        }
        let knob = self.entry.knob?.name;
        let value = self.parameters.get(knob).cloned();
        value.or_else(|| (self.entry.defaults)().remove(knob))?.as_u64()
    }

    /// The same with another value of the family's knob, if it has one.
    #[must_use]
    pub fn turned(&self, value: u64) -> Self {
        let mut parameters = self.parameters.clone();
        if let Some(knob) = self.entry.knob {
            parameters.insert(knob.name.to_owned(), Value::from(value));
        }
        Self { parameters, ..self.clone() }
    }
}

impl fmt::Display for Choice {
    /// The form that [`Choice::parse`] reads, where values are numbers and texts.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.entry.family.name)?;
        if let Some(preset) = &self.preset {
            return write!(f, ":preset={}", preset.to_string().replacen(':', ",", 1));
        }
        for (i, (parameter, value)) in self.parameters.iter().enumerate() {
            let mark = if i == 0 { ':' } else { ',' };
            match value {
                Value::String(value) => write!(f, "{mark}{parameter}={value}")?,
                Value::Array(values) => write!(f, "{mark}{parameter}=[{}]", values.len())?,
                value => write!(f, "{mark}{parameter}={value}")?,
            }
        }
        Ok(())
    }
}
