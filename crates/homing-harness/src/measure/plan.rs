//! A plan: from one layout to another, in steps where it is cut.

mod alternative;
mod cut;
mod path;
mod slots;

use homing_core::{Change, Fingerprint, NodeId, Placement};
use serde::Serialize;
use serde_json::Value;

pub use self::alternative::Alternative;
use super::difference::{Amount, Difference, Gauge, difference, unlisted};
use super::{described, summary};
use crate::ends::{End, Ends};
use crate::quantity::{Portion, Quantity};
use crate::record::WorkloadSummary;
pub use crate::workload::Load;
use crate::workload::{Basis as Taken, Workload};
use crate::{Error, Result};

/// The version of a plan as it is written.
pub const VERSION: u32 = 1;

/// More steps than this are no plan that anybody follows.
const MOST_STEPS: f64 = 10_000.0;

/// What is asked of a plan besides its ends.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wishes<'a> {
    /// What an operator's plan goes by; the fewest moves if nothing is asked.
    pub aim: Option<Wish>,
    /// How much moves in a second.
    pub rate: Option<Quantity>,
    /// How much may move in a step.
    pub max_step: Option<Portion>,
    /// The keys to count.
    pub workload: Option<&'a Workload>,
}

/// What an operator's plan goes by.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Wish {
    /// The fewest moves.
    Moves,
    /// The fewest ranges.
    Ranges,
    /// Level loads, with few moves.
    By(Load),
    /// Loads as level as they can be in one range for each node.
    InRangesBy(Load),
    /// What the operator's own tool does.
    Tool,
}

/// A plan.
#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    /// [`VERSION`].
    pub version: u32,
    /// The name of the family.
    pub family: String,
    /// The parameters that differ from the defaults, before.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub parameters: String,
    /// How many nodes own keys before.
    pub nodes_before: usize,
    /// How many nodes own keys after.
    pub nodes_after: usize,
    /// The changes, in words.
    pub changes: Vec<String>,
    /// The fingerprint of the layout that the plan starts from.
    pub start: Fingerprint,
    /// The fingerprint of the layout that it comes to.
    pub end: Fingerprint,
    /// The manifest of the layout before.
    pub before: Value,
    /// The manifest of the layout after.
    pub after: Value,
    /// The keys that were counted, where any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload: Option<WorkloadSummary>,
    /// What an operator could do instead, with what the plan does among it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub alternatives: Vec<Alternative>,
    /// What rates and steps are counted in: `bytes`, `keys`, or what the positions
    /// are called.
    pub unit: String,
    /// How many of the unit move in a second, where that is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rate: Option<f64>,
    /// How long all of it takes at that rate, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// How many of the unit may move in a step, where that is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_step: Option<f64>,
    /// The steps, in order, where the plan is cut.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<Step>,
    /// Whom the moves that are listed are to, where these alone are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<NodeId>,
    /// How many moves are listed, where there are more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<usize>,
    /// What a reader must be told besides, a sentence each.
    pub notes: Vec<String>,
    /// What moves.
    #[serde(flatten)]
    pub difference: Difference,
}

/// A step of a plan: from the layout of the step before to a valid one.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// Its number, from 1.
    pub step: usize,
    /// What is changed, in words.
    pub changes: Vec<String>,
    /// What moves in it.
    pub moved: Amount,
    /// The part of all there is of the unit, in `0..=1`.
    pub fraction: f64,
    /// How long it takes, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// Whether it moves more than was asked, since it cannot be made smaller.
    pub exceeds: bool,
    /// The fingerprint of the layout that it leaves.
    pub fingerprint: Fingerprint,
    /// The manifest of the layout that it leaves.
    pub manifest: Value,
}

/// A layout on the way, with what leads to it.
struct Leg {
    end: End,
    changes: Vec<String>,
    moved: Amount,
    exceeds: bool,
}

/// What rates and steps are counted in.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Unit {
    Bytes,
    Keys,
    Positions(&'static str),
}

/// The plan from one end to the other.
///
/// # Errors
///
/// Fails if something is asked that the family or the keys have not, or a layout
/// cannot be built.
pub fn plan(ends: &Ends, wishes: &Wishes<'_>) -> Result<Plan> {
    let operator = ends.before.choice.entry.operator;
    if operator.is_none() && wishes.aim.is_some() {
        return Err(Error::Usage(format!(
            "prefer and by choose among an operator's moves, but {} has no operator",
            ends.before.choice.entry.family.name
        )));
    }
    let (after, alternatives) = match (&ends.after, operator) {
        (Some(_), _) if wishes.aim.is_some() => {
            return Err(Error::Usage(
                "prefer and by choose the moves, but AFTER is a manifest, which states them"
                    .to_owned(),
            ));
        }
        (Some(after), Some(_)) => (after.clone(), vec![slots::as_stated(ends, after)]),
        (Some(after), None) => (after.clone(), Vec::new()),
        (None, Some(operator)) => slots::planned(ends, operator, wishes)?,
        (None, None) => unreachable!("only an operator's layout has still to be planned"),
    };
    let (before, to) = (&*ends.before.layout, &*after.layout);
    let mut difference = difference(before, to, wishes.workload);
    let counter = Counter::new(ends, wishes, &difference)?;
    let limit = wishes.max_step.map(|portion| counter.limit(portion)).transpose()?;
    let mut notes = operator.map_or_else(Vec::new, |operator| {
        alternative::on_ranges(&alternatives, operator, to.members().active())
    });
    let mut steps = Vec::new();
    if let Some(limit) = limit {
        counter.check_steps(counter.of(&difference.moved), limit)?;
        let legs = if operator.is_some() && before.keying() == to.keying() {
            slots::legs(ends, &after, &counter, limit, &mut difference.moves)?
        } else {
            path::legs(ends, &after, &counter, limit, &mut notes)?
        };
        steps = legs
            .into_iter()
            .enumerate()
            .map(|(i, leg)| counter.step(i + 1, leg))
            .collect::<Result<_>>()?;
        notes.extend(on_excess(&steps, &counter, limit));
    }
    let seconds = counter.rate.map(|rate| match &steps[..] {
        [] => counter.of(&difference.moved) / rate,
        steps => steps.iter().filter_map(|step| step.seconds).sum(),
    });
    notes.extend(unlisted(&difference, wishes.workload));
    Ok(Plan {
        version: VERSION,
        family: ends.before.choice.entry.family.name.to_owned(),
        parameters: ends.before.parameters(),
        nodes_before: before.members().active(),
        nodes_after: to.members().active(),
        changes: ends.changes.iter().map(described).collect(),
        start: before.fingerprint(),
        end: to.fingerprint(),
        before: ends.before.manifest()?,
        after: after.manifest()?,
        workload: wishes.workload.map(summary),
        alternatives,
        unit: counter.word().to_owned(),
        rate: counter.rate,
        seconds,
        max_step: limit,
        steps,
        to: None,
        limit: None,
        notes,
        difference,
    })
}

/// Counts in one unit.
struct Counter<'a> {
    unit: Unit,
    all: f64,
    is_countable: bool, // whether the unit is of things that there are, not of samples
    rate: Option<f64>,
    gauge: Gauge<'a>,
}

impl<'a> Counter<'a> {
    fn new(ends: &Ends, wishes: &Wishes<'a>, difference: &Difference) -> Result<Self> {
        let all = &difference.all;
        let operator = ends.before.choice.entry.operator;
        let unit = match (all.bytes, all.keys) {
            (Some(_), _) => Unit::Bytes,
            (None, Some(_)) => Unit::Keys,
            (None, None) => Unit::Positions(operator.map_or("positions", |it| it.unit)),
        };
        let given = wishes.workload.is_some_and(|keys| keys.basis() == Taken::Counted);
        let is_countable = given || (wishes.workload.is_none() && operator.is_some());
        let mut counter =
            Self { unit, all: 0.0, is_countable, rate: None, gauge: Gauge::new(wishes.workload) };
        counter.all = counter.of(all);
        counter.rate = wishes.rate.map(|rate| counter.quantity("rate", rate)).transpose()?;
        Ok(counter)
    }

    fn word(&self) -> &'static str {
        match self.unit {
            Unit::Bytes => "bytes",
            Unit::Keys => "keys",
            Unit::Positions(word) => word,
        }
    }

    /// How much it is, in the unit.
    fn of(&self, amount: &Amount) -> f64 {
        let count = match self.unit {
            Unit::Bytes => amount.bytes,
            Unit::Keys => amount.keys.map(u128::from),
            Unit::Positions(_) => amount.positions,
        };
        count.unwrap_or(0) as f64
    }

    /// What a step may move, in the unit.
    fn limit(&self, portion: Portion) -> Result<f64> {
        match portion {
            Portion::Part(part) => Ok(part * self.all),
            Portion::Of(quantity) => self.quantity("max-step", quantity),
        }
    }

    fn quantity(&self, name: &str, quantity: Quantity) -> Result<f64> {
        if !self.is_countable {
            let part = if name == "rate" { "" } else { ", or a part as 5%" };
            return Err(Error::Usage(format!(
                "{name} is a number of keys or bytes, but no keys are given to count: --keys \
                 FILE{part}"
            )));
        }
        if quantity.bytes && self.unit != Unit::Bytes {
            return Err(Error::Usage(format!(
                "{name} is a size, but {} are counted: a number of them",
                match self.unit {
                    Unit::Keys => "the keys have no bytes, and keys",
                    _ => self.word(),
                }
            )));
        }
        Ok(quantity.amount)
    }

    /// Checks that so much is not cut into more steps than anybody follows.
    fn check_steps(&self, moved: f64, limit: f64) -> Result<()> {
        if moved / limit <= MOST_STEPS {
            return Ok(());
        }
        Err(Error::Usage(format!(
            "max-step is {}, but must be at least {}, to move {} in {MOST_STEPS} steps",
            self.told(limit),
            self.told(moved / MOST_STEPS),
            self.told(moved)
        )))
    }

    /// So much of the unit, in words.
    fn told(&self, count: f64) -> String {
        match self.unit {
            // The positions of a hash are no numbers for people.
            Unit::Positions(_) if !self.is_countable => {
                format!("{} % of all", rounded(count / self.all * 100.0))
            }
            _ => format!("{} {}", rounded(count), self.word()),
        }
    }

    fn moved(&self, before: &dyn Placement, after: &dyn Placement) -> Amount {
        self.gauge.moved(before, after)
    }

    fn step(&self, step: usize, leg: Leg) -> Result<Step> {
        let count = self.of(&leg.moved);
        Ok(Step {
            step,
            changes: leg.changes,
            moved: leg.moved,
            fraction: if self.all > 0.0 { count / self.all } else { 0.0 },
            seconds: self.rate.map(|rate| count / rate),
            exceeds: leg.exceeds,
            fingerprint: leg.end.layout.fingerprint(),
            manifest: leg.end.manifest()?,
        })
    }
}

/// A number to four digits, upwards: what is told of a bound holds.
fn rounded(number: f64) -> f64 {
    if number <= 0.0 || number >= 1e4 {
        return number.ceil();
    }
    let scale = 10_f64.powf(3.0 - number.log10().floor());
    (number * scale - 1e-9).ceil() / scale
}

fn on_excess(steps: &[Step], counter: &Counter<'_>, limit: f64) -> Option<String> {
    let over: Vec<String> =
        steps.iter().filter(|step| step.exceeds).map(|step| step.step.to_string()).collect();
    if over.is_empty() {
        return None;
    }
    let (word, which) = match &over[..] {
        [one] => ("step", one.clone()),
        [first, .., last] if over.len() > 8 => {
            ("steps", format!("{first} to {last} ({} of them)", over.len()))
        }
        all => ("steps", all.join(", ")),
    };
    Some(format!(
        "{word} {which}: more than the {} asked for, and cannot be cut further",
        counter.told(limit)
    ))
}

/// The changes in words.
fn words(changes: &[Change]) -> Vec<String> {
    changes.iter().map(described).collect()
}
