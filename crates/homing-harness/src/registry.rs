//! Every family by name, with its builder: the one list.

mod builder;
mod choice;
pub mod operator;
mod origin;
mod preset;
mod seed;

use std::fmt;

use homing_core::{Build, Family, Manifest, Members, Placement};
use homing_jump::Jump;
use homing_maglev::Maglev;
use homing_modulo::Modulo;
use homing_rendezvous::Rendezvous;
use homing_ring::Ring;
use homing_slots::Slots;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

pub use self::builder::Builder;
use self::builder::Make;
pub use self::choice::Choice;
pub use self::operator::Operator;
pub use self::origin::Origin;
pub use self::preset::{apart, one_preset};
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
