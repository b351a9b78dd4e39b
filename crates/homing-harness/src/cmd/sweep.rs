//! `homing sweep`: one family over values of one parameter.

use std::io::Write;

use clap::Args;

use super::{MembersArgs, Status, print};
use crate::measure::{self, Parameter, SweepAsked, Values};
use crate::quantity::{SIZE, size, whole};
use crate::record::sweep::Targets;
use crate::registry::Choice;
use crate::report::{Format, sweep};
use crate::scenario::chosen;
use crate::workload::{Generated, MOST_KEYS, Source, Workload};
use crate::{Error, Result};

/// The keys of families without segments, where nothing is said.
const KEYS: u64 = 100_000;

/// More seeds than this are a mistake: each is three layouts of every value.
const MOST_SEEDS: u64 = 10_000;

/// More values than this are a mistake.
const MOST_VALUES: usize = 1000;

/// Measure a family over values of one parameter, and find the least value that
/// meets a target
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Sweep {
    /// The family, with the parameters that stay as they are: ring:hash=xxh3:42
    /// [default: the family of the manifest that gives the members]
    #[arg(long, value_name = "NAME[:PARAMETER=VALUE,...]")]
    family: Option<String>,

    /// What takes the values: points, entries or seed, as the family has them
    /// [default: points or entries, else seed]
    #[arg(long, value_name = "PARAMETER")]
    parameter: Option<String>,

    /// Values with commas between them, or FIRST..LAST: every seed, or 1, 2, 5, 10
    /// and so on, and then no value beyond is looked for
    #[arg(long, value_name = "VALUES")]
    values: Option<String>,

    /// How many seeds of the hash each value is measured under
    #[arg(long, value_name = "N", default_value_t = 11,
        value_parser = whole::<u64>(1..=MOST_SEEDS))]
    seeds: u64,

    #[command(flatten)]
    members: MembersArgs,

    /// Find the least value whose cv, the mean over the seeds, is at most this
    #[arg(long, value_name = "CV")]
    target_cv: Option<f64>,

    /// Find the least value whose peak over the mean, the mean over the seeds, is at
    /// most this
    #[arg(long, value_name = "PEAK")]
    target_peak: Option<f64>,

    /// The most memory of a layout: bytes, or 64KiB, 16MB, 1GiB; alone it finds the
    /// greatest value within it
    #[arg(long, value_name = "SIZE")]
    max_memory: Option<String>,

    /// Generate N keys, for lookups and for families whose shares are not exact
    /// [default: 100000]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=MOST_KEYS))]
    sample: Option<u64>,

    /// How to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

const EXAMPLES: &str = "\
Examples:
  homing sweep --family ring --parameter points --target-cv 0.05
  homing sweep --family ring --nodes 100 --target-peak 1.2 --max-memory 16MiB
  homing sweep --family maglev --values 1009,10007,65537,655373
  homing sweep --family rendezvous --parameter seed --values 0..20

Exit status: 0, 1 if no value meets the targets, 2 on wrong usage or input.";

impl Sweep {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Status> {
        let targets = self.targets()?;
        let values = self.values.as_deref().map_or(Ok(Values::Default), values)?;
        let given = self.members.read()?;
        let asked = self.family.as_deref().map(Choice::parse).transpose()?;
        let choice = chosen(asked, &given)?;
        let asked = SweepAsked {
            parameter: Parameter::of(&choice, self.parameter.as_deref())?,
            members: given.members,
            choice,
            values,
            seeds: self.seeds,
            targets,
        };
        let keys = self.sample.unwrap_or(KEYS);
        let workload =
            Workload::load(&Source::Generated(Generated { keys, ..Generated::default() }))?;
        let found = measure::sweep(&asked, &workload)?;
        let answer = match self.format {
            Format::Table => sweep::text(&found).into_bytes(),
            Format::Json => sweep::json(&found).into_bytes(),
            Format::Csv => sweep::csv(&found),
            Format::Markdown => sweep::markdown(&found).into_bytes(),
        };
        print(out, &answer)?;
        let missed = found.answer.is_some_and(|answer| !answer.met);
        Ok(if missed { Status::Failed } else { Status::Passed })
    }

    fn targets(&self) -> Result<Targets> {
        let check = |name: &str, given: Option<f64>, least: f64| match given {
            Some(given) if !given.is_finite() || given < least => {
                Err(parameter(name, given.to_string(), format!("a number from {least} up")))
            }
            given => Ok(given),
        };
        Ok(Targets {
            cv: check("target-cv", self.target_cv, 0.0)?,
            peak_to_mean: check("target-peak", self.target_peak, 1.0)?,
            memory_bytes: match self.max_memory.as_deref() {
                None => None,
                Some(text) => {
                    let bytes = size(text);
                    Some(bytes.ok_or_else(|| parameter("max-memory", format!("{text:?}"), SIZE))?)
                }
            },
        })
    }
}

fn parameter(name: &str, value: String, rule: impl Into<String>) -> Error {
    Error::Parameter { name: name.to_owned(), value, rule: rule.into() }
}

/// A list of numbers, or a range of them.
fn values(text: &str) -> Result<Values> {
    let wrong = |given: &str, rule: String| parameter("values", format!("{given:?}"), rule);
    let number = |given: &str| {
        let digits = given.bytes().all(|byte| byte.is_ascii_digit());
        given.parse::<u64>().ok().filter(|_| digits).ok_or_else(|| {
            let rule = format!(
                "whole numbers from 0 to {} with commas between them, or FIRST..LAST",
                u64::MAX
            );
            wrong(given, rule)
        })
    };
    if let Some((first, last)) = text.split_once("..") {
        let (first, last) = (number(first)?, number(last)?);
        if first > last {
            return Err(wrong(text, "FIRST..LAST, the first not above the last".into()));
        }
        return Ok(Values::Range(first, last));
    }
    let values = text.split(',').map(number).collect::<Result<Vec<u64>>>()?;
    if values.len() > MOST_VALUES {
        let rule = format!("at most {MOST_VALUES} values");
        return Err(parameter("values", format!("a list of {}", values.len()), rule));
    }
    Ok(Values::List(values))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_a_list_or_a_range() {
        assert_eq!(values("10,100").unwrap(), Values::List(vec![10, 100]));
        assert_eq!(values("1..20").unwrap(), Values::Range(1, 20));
        for text in ["", "1,", "2..1", "1..", "-1", "+1", "1.5", "1..2..3"] {
            assert!(values(text).is_err(), "{text}");
        }
    }
}
