//! One family over values of one parameter: what each costs and gives, and the least
//! value that meets a target.

mod meter;
mod search;
mod theory;

use homing_core::{Change, Members, NodeId};

use self::meter::Meter;
use self::search::Search;
use super::{optimal, parameters};
use crate::progress::Progress;
use crate::record::Basis;
use crate::record::sweep::{ParameterSweep, Targets};
use crate::registry::{Choice, Knob};
use crate::scenario::grown;
use crate::workload::Workload;
use crate::{Error, Result};

/// The name of the parameter that is the seed of the hash.
const SEED: &str = "seed";

/// The greatest value that is listed by default, of points for each unit of weight
/// and of entries in all.
const MOST_EACH: u64 = 1000;
const MOST_IN_ALL: u64 = 1_000_000;

/// How many seeds are listed by default.
const SEEDS: u64 = 10;

/// The most values that are listed.
const MOST_LISTED: u64 = 1000;

/// What is swept, and for what.
#[derive(Clone, Debug)]
pub struct SweepAsked {
    /// The members.
    pub members: Members,
    /// The family, with the parameters that stay as they are.
    pub choice: Choice,
    /// The parameter that takes the values.
    pub parameter: Parameter,
    /// The values.
    pub values: Values,
    /// How many seeds of the hash each value is measured under.
    pub seeds: u64,
    /// What a value must keep to.
    pub targets: Targets,
}

/// A parameter that can be swept.
#[derive(Clone, Copy, Debug)]
pub enum Parameter {
    /// The one that makes the load more even the greater it is.
    Knob(Knob),
    /// The seed of the hash.
    Seed,
}

impl Parameter {
    /// The parameter of a family with this name; without one the family's own knob,
    /// if it has one, else the seed of its hash.
    ///
    /// # Errors
    ///
    /// Fails if the family has no such parameter, naming those that it has; or under a
    /// preset, which has all of them.
    pub fn of(choice: &Choice, name: Option<&str>) -> Result<Self> {
        if choice.preset.is_some() {
            return Err(Error::Usage(format!("{choice} has no parameter to sweep")));
        }
        let knob = choice.entry.knob;
        let seed = choice.seed().is_some();
        let family = choice.entry.family.name;
        match (name, knob) {
            (None, Some(knob)) => return Ok(Self::Knob(knob)),
            (Some(name), Some(knob)) if name == knob.name => return Ok(Self::Knob(knob)),
            (None | Some(SEED), _) if seed => return Ok(Self::Seed),
            _ => {}
        }
        let known: Vec<&str> =
            knob.map(|knob| knob.name).into_iter().chain(seed.then_some(SEED)).collect();
        let rule = match known.as_slice() {
            [] => return Err(Error::Usage(format!("{family} has no parameter to sweep"))),
            known => known.join(" or "),
        };
        let value = format!("{:?}", name.unwrap_or_default());
        Err(Error::Parameter { name: format!("{family}: parameter"), value, rule })
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Knob(knob) => knob.name,
            Self::Seed => SEED,
        }
    }
}

/// The values that are listed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Values {
    /// Those of the parameter by default.
    Default,
    /// These.
    List(Vec<u64>),
    /// All seeds, or 1, 2, 5, 10 and so on, from the first to the last.
    Range(u64, u64),
}

/// Takes a family over the values of a parameter.
///
/// # Errors
///
/// Fails if a listed value is none of the parameter's, or the family cannot be built
/// of the members.
pub fn sweep(asked: &SweepAsked, workload: &Workload) -> Result<ParameterSweep> {
    let members = &asked.members;
    let join = grown(members, members, 1);
    let leave = last(members).map(|id| vec![Change::Remove(id)]);
    let after = |changes: &[Change]| {
        let mut after = members.clone();
        after.apply(changes).map(|()| after).ok()
    };
    let joined = after(&join);
    let left = leave.as_deref().and_then(after);
    let meter = Meter::new(asked, workload, join, leave.filter(|_| left.is_some()));
    let (from, to) = range(asked);
    let search = Search { meter: &meter, from, to };
    let listed = listed(asked, &search)?;
    let progress = Progress::new(listed.len());
    let mut rows = Vec::new();
    for value in listed {
        progress.step(format!("{} {value}", asked.parameter.name()));
        rows.push(meter.row(value, true)?);
    }
    let (answer, stopped) = search.answer(&mut rows)?;
    rows.sort_by_key(|row| row.value);
    let basis = if meter.is_exact(rows[0].value)? { Basis::Exact } else { Basis::Sampled };
    Ok(ParameterSweep {
        family: asked.choice.entry.family.name.to_owned(),
        parameters: parameters(&meter.fixed()),
        parameter: asked.parameter.name().to_owned(),
        nodes: members.active(),
        seeds: meter.seeds(),
        basis,
        optimal_join: joined.map_or(0.0, |after| optimal(members, &after)),
        optimal_leave: left.map(|after| optimal(members, &after)),
        targets: asked.targets,
        rows,
        answer,
        notes: stopped.into_iter().chain(notes(asked, &meter, basis, workload)).collect(),
    })
}

/// The member that joined last.
fn last(members: &Members) -> Option<NodeId> {
    members.iter_by_index().last().map(|(_, node)| node.id.clone())
}

/// From where to where a value is looked for: what was given as a range, else all
/// that the harness builds.
fn range(asked: &SweepAsked) -> (u64, u64) {
    match (&asked.values, asked.parameter) {
        (Values::Range(from, to), _) => (*from, *to),
        (_, Parameter::Seed) => (0, u64::MAX),
        (_, Parameter::Knob(knob)) => {
            // One node more joins.
            let units = if knob.each_weight { asked.members.total_weight() + 1 } else { 1 };
            (least(asked, knob), (knob.most / units).max(1))
        }
    }
}

/// The least value that leaves room for one node more.
fn least(asked: &SweepAsked, knob: Knob) -> u64 {
    if knob.each_weight { 1 } else { asked.members.active() as u64 + 1 }
}

fn listed(asked: &SweepAsked, search: &Search<'_>) -> Result<Vec<u64>> {
    let mut values: Vec<u64> = match (&asked.values, asked.parameter) {
        (Values::List(values), _) => values.clone(),
        (Values::Default, Parameter::Seed) => (0..SEEDS).collect(),
        (Values::Range(from, to), Parameter::Seed) => {
            if to - from >= MOST_LISTED {
                return Err(Error::Parameter {
                    name: "values".into(),
                    value: format!("{from}..{to}"),
                    rule: format!("at most {MOST_LISTED} seeds"),
                });
            }
            (*from..=*to).collect()
        }
        (Values::Range(from, to), Parameter::Knob(_)) => {
            let mut wanted = vec![*from, *to];
            wanted.extend(rounds(*from, *to));
            wanted.sort_unstable();
            let mut values = Vec::new();
            for value in wanted {
                values.extend(search.allowed(value, *to)?);
            }
            values
        }
        (Values::Default, Parameter::Knob(knob)) => {
            let most = if knob.each_weight { MOST_EACH } else { MOST_IN_ALL };
            let most = most.min(search.to);
            let mut values = Vec::new();
            for value in rounds(least(asked, knob), most) {
                values.extend(search.allowed(value, search.to)?);
            }
            values.extend(asked.choice.knob().filter(|&value| value <= search.to));
            values
        }
    };
    values.sort_unstable();
    values.dedup();
    if values.is_empty() {
        let (name, rule) = (asked.parameter.name(), "a range that holds one of its values");
        return Err(Error::Parameter {
            name: "values".into(),
            value: format!("{}..{} of {name}", search.from, search.to),
            rule: rule.into(),
        });
    }
    Ok(values)
}

/// 1, 2, 5, 10, 20, 50 and so on, as far as they are from `from` to `to`.
fn rounds(from: u64, to: u64) -> impl Iterator<Item = u64> {
    (0..20)
        .filter_map(|power| 10_u64.checked_pow(power))
        .flat_map(|ten| [Some(ten), ten.checked_mul(2), ten.checked_mul(5)])
        .flatten()
        .filter(move |value| (from..=to).contains(value))
}

fn notes(asked: &SweepAsked, meter: &Meter<'_>, basis: Basis, workload: &Workload) -> Vec<String> {
    let mut notes = Vec::new();
    if basis == Basis::Sampled {
        notes.push(format!(
            "sampled over {} keys: chance alone gives a cv of {:.3} %",
            workload.count(),
            100.0 * (asked.members.active() as f64 / workload.count() as f64).sqrt()
        ));
    }
    match asked.parameter {
        Parameter::Seed => notes.push(
            "a seed that comes out even here says nothing of other members: one node more, and another seed does".into(),
        ),
        Parameter::Knob(_) if meter.seeds() == 1 => notes.push(
            "one seed alone: what is even here need not be so under another seed or other members".into(),
        ),
        Parameter::Knob(_) => {}
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_are_those_within_the_range() {
        assert_eq!(rounds(2, 100).collect::<Vec<_>>(), [2, 5, 10, 20, 50, 100]);
        assert_eq!(rounds(3, 4).count(), 0);
        assert_eq!(rounds(u64::MAX - 1, u64::MAX).count(), 0);
    }
}
