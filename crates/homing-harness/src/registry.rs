//! Every family by name, with its builder: the one list.

pub mod operator;
mod origin;
mod seed;

use std::fmt;

use homing_core::{Build, Error as CoreError, Family, Manifest, Members, Placement};
use homing_jump::Jump;
use homing_maglev::Maglev;
use homing_modulo::Modulo;
use homing_rendezvous::Rendezvous;
use homing_ring::Ring;
use homing_slots::Slots;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub use self::operator::Operator;
pub use self::origin::Origin;
use crate::verify::{Suspect, Suspects};
use crate::{Error, Result};

/// Every family, in the order in which rows are shown: the control first.
pub static FAMILIES: &[Entry] = &[
    Entry::of::<Modulo>(None),
    Entry::of::<Ring>(Some(Knob {
        name: "points",
        rule: "a whole number from 1 to 4294967295",
        each_weight: true,
        most: 1 << 23,
    })),
    Entry::of::<Slots>(None).operated_by(operator::SLOTS),
    Entry::of::<Maglev>(Some(Knob {
        name: "entries",
        rule: "a prime from 2 to 2147483647",
        each_weight: false,
        most: 1 << 25,
    })),
    Entry::of::<Rendezvous>(None),
    Entry::of::<Jump>(None),
];

/// The parameters of a family by name, as its configuration is written.
pub type Parameters = Map<String, Value>;

/// The parameter of a family that makes the load more even the greater it is.
#[derive(Clone, Copy, Debug)]
pub struct Knob {
    /// The name of the parameter.
    pub name: &'static str,
    /// What it must be.
    pub rule: &'static str,
    /// Whether there are so many for each unit of weight, rather than in all.
    pub each_weight: bool,
    /// How many the harness builds in all. The crates go further; a comparison
    /// holds several layouts, and a weight mistyped must not take all memory.
    pub most: u64,
}

/// What builds layouts of a family under one configuration, read beforehand.
pub struct Builder {
    make: Make,
    knob: Option<(Knob, u64)>, // with its value
}

type Make = Box<dyn Fn(Members) -> Result<Box<dyn Placement>, CoreError> + Send + Sync>;

impl Builder {
    /// Builds the layout of `members`.
    ///
    /// # Errors
    ///
    /// As [`check`](Self::check), or if the configuration is out of range, or
    /// `members` asks for what the family cannot do.
    pub fn build(&self, members: Members) -> Result<Box<dyn Placement>, CoreError> {
        self.check(&members)?;
        (self.make)(members)
    }

    /// Checks that a layout of `members` is not larger than the harness builds.
    ///
    /// # Errors
    ///
    /// Fails with the parameter that makes it so, and the limit.
    pub fn check(&self, members: &Members) -> Result<(), CoreError> {
        let Some((knob, value)) = self.knob else { return Ok(()) };
        let (all, given) = if knob.each_weight {
            let weight = members.total_weight();
            let given = format!("{value} x a total weight of {weight}");
            (u128::from(value) * u128::from(weight), given)
        } else {
            (value.into(), value.to_string())
        };
        if all <= knob.most.into() {
            return Ok(());
        }
        let rule = format!("at most {} in all, which is what homing builds", knob.most);
        Err(CoreError::parameter(knob.name, given, rule))
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder").field("knob", &self.knob).finish_non_exhaustive()
    }
}

/// A family of which the type is known only here.
pub struct Entry {
    /// What the family is called and can do.
    pub family: &'static Family,
    /// The parameter that makes the load more even the greater it is, if there
    /// is one.
    pub knob: Option<Knob>,
    /// How an operator plans, where the moves are the operator's.
    pub operator: Option<Operator>,
    defaults: fn() -> Parameters,
    make: fn(Parameters) -> Result<Make>,
    describe: fn(Parameters, Members, u64) -> Result<String>,
    open: fn(Value) -> Result<Box<dyn Placement>>,
    suspects: fn(&Parameters, &Members) -> Result<Suspects>,
}

impl Entry {
    const fn of<P>(knob: Option<Knob>) -> Self
    where
        P: Suspect + Clone + 'static,
        P::Config: Serialize + DeserializeOwned + Send + Sync + 'static,
    {
        Self {
            family: P::FAMILY,
            knob,
            operator: None,
            defaults: defaults::<P>,
            make: |parameters| {
                let config = config::<P>(&parameters)?;
                Ok(Box::new(move |members| Ok(Box::new(P::build(config.clone(), members)?))))
            },
            describe: |parameters, members, epoch| {
                let placement = P::build(config::<P>(&parameters)?, members)?;
                let manifest = Manifest::of(&placement, epoch);
                Ok(serde_json::to_string_pretty(&manifest).expect("a manifest is plain data"))
            },
            open: |manifest| {
                let manifest: Manifest<P::Config> = serde_json::from_value(manifest)
                    .map_err(|error| Error::Usage(said(P::FAMILY, &error)))?;
                Ok(Box::new(manifest.build::<P>()?))
            },
            suspects: |parameters, members| {
                Ok(Suspects::of::<P>(&config::<P>(parameters)?, members))
            },
        }
    }
}

impl Entry {
    const fn operated_by(self, operator: Operator) -> Self {
        Self { operator: Some(operator), ..self }
    }
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.family.name)
    }
}

/// A family with the parameters asked for; those not named are the defaults.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The family.
    pub entry: &'static Entry,
    /// What differs from its defaults.
    pub parameters: Parameters,
    /// Where the parameters are from.
    pub origin: Origin,
}

impl Choice {
    /// A family as it is by default.
    #[must_use]
    pub fn plain(entry: &'static Entry) -> Self {
        Self { entry, parameters: Parameters::new(), origin: Origin::Flags }
    }

    /// Whether the user asked for these parameters, rather than for none or for
    /// those of a manifest.
    #[must_use]
    pub fn is_asked(&self) -> bool {
        !(self.parameters.is_empty() || matches!(self.origin, Origin::Manifest { .. }))
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
        stated.filter(same).filter(|_| self.parameters.is_empty()).cloned().unwrap_or(self)
    }

    /// Reads `NAME` or `NAME:PARAMETER=VALUE,...`.
    ///
    /// # Errors
    ///
    /// Fails if there is no such family, or a parameter has no value or comes
    /// twice. Values are checked when a layout is built.
    pub fn parse(text: &str) -> Result<Self> {
        let (name, rest) = text.split_once(':').map_or((text, None), |(a, b)| (a, Some(b)));
        let entry = by_name(name)?;
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
        Ok(Self { entry, parameters, origin: Origin::Flags })
    }

    /// What builds layouts with these parameters.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is unknown or of another kind. Its range is checked
    /// when a layout is built.
    pub fn builder(&self) -> Result<Builder> {
        self.check_knob()?;
        let make = (self.entry.make)(self.parameters.clone())
            .map_err(|error| self.origin.located(error))?;
        Ok(Builder { make, knob: self.entry.knob.zip(self.knob()) })
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
        (self.entry.describe)(self.parameters.clone(), members, epoch).map_err(located)
    }

    /// What programs that do not agree may do otherwise, for a layout that builds.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is unknown.
    pub fn suspects(&self, members: &Members) -> Result<Suspects> {
        (self.entry.suspects)(&self.parameters, members).map_err(|error| self.origin.located(error))
    }

    /// The value of the family's knob, if it has one and it is a number here.
    #[must_use]
    pub fn knob(&self) -> Option<u64> {
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

/// Returns the family with a name.
///
/// # Errors
///
/// Fails if there is none, naming those that there are.
pub fn by_name(name: &str) -> Result<&'static Entry> {
    FAMILIES.iter().find(|entry| entry.family.name == name).ok_or_else(|| Error::Parameter {
        name: "family".into(),
        value: format!("{name:?}"),
        rule: format!("one of {}", names().join(", ")),
    })
}

/// The names of the families, in order.
#[must_use]
pub fn names() -> Vec<&'static str> {
    FAMILIES.iter().map(|entry| entry.family.name).collect()
}

/// Builds the layout that a manifest describes, whatever its family.
///
/// # Errors
///
/// Fails if the family is unknown, or the manifest does not build what it states.
pub fn open(manifest: Value) -> Result<Box<dyn Placement>> {
    let family = manifest.get("family").and_then(Value::as_str).unwrap_or_default();
    (by_name(family)?.open)(manifest)
}

fn defaults<P: Build>() -> Parameters
where
    P::Config: Serialize,
{
    match serde_json::to_value(P::Config::default()) {
        Ok(Value::Object(parameters)) => parameters,
        _ => Parameters::new(),
    }
}

fn config<P: Build>(parameters: &Parameters) -> Result<P::Config>
where
    P::Config: DeserializeOwned,
{
    let read = |parameters| serde_json::from_value::<P::Config>(Value::Object(parameters));
    read(parameters.clone()).map_err(|error| {
        let said = said(P::FAMILY, &error);
        // Of a value of another kind serde does not say which one it is.
        let found = format!("{}: found ", P::FAMILY.name);
        let alone = |(name, value): (&String, &Value)| {
            Parameters::from_iter([(name.clone(), value.clone())])
        };
        let wrong = parameters.iter().find(|&one| read(alone(one)).is_err());
        Error::Usage(match (said.strip_prefix(&found), wrong) {
            (Some(rest), Some((name, _))) => {
                format!("{}: {name}: found {rest}", P::FAMILY.name)
            }
            _ => said,
        })
    })
}

/// What serde says of a configuration, with the family before it.
fn said(family: &Family, error: &serde_json::Error) -> String {
    format!("{}: {}", family.name, crate::error::in_our_words(&error.to_string()))
}
