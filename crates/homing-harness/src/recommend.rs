//! Which families constraints let in, with the measured row that says so.
//!
//! [`constraints`] has what is asked, [`steps`] the changes that are measured for
//! it, `loads` the load they are judged by, `judge` the verdicts, `search` the family's parameter, `order` the
//! ranking and what would change it.

pub mod constraints;
mod judge;
mod loads;
mod names;
mod order;
mod search;
pub mod steps;
mod units;

use serde::{Serialize, Serializer};

pub use self::constraints::{Asked, Constraints};
pub use self::loads::LeastPeak;
use self::loads::Loads;
pub use self::names::{Constraint, Criterion, Removed};
pub use self::steps::{Step, Taken};
pub use self::units::{Bytes, Fraction, Nanoseconds, Peak};
use crate::Result;
use crate::progress::Progress;
use crate::record::{Basis, Row, WorkloadSummary, label};
use crate::registry::Choice;
use crate::workload::{Load, Workload};

/// What constraints let in and put out.
#[derive(Clone, Debug, Serialize)]
pub struct Recommendation {
    /// How many nodes own keys now.
    pub nodes: usize,
    /// How many there are at most.
    pub most_nodes: usize,
    /// The keys that were asked for.
    pub workload: WorkloadSummary,
    /// The load that moves and balance are judged by.
    pub by: Load,
    /// What one key alone makes of the peak, where that is anything; not by keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub least_peak: Option<LeastPeak>,
    /// What is asked, in order.
    pub constraints: Vec<Stated>,
    /// The changes that were measured.
    pub steps: Vec<Taken>,
    /// By what families are ranked, the first difference deciding.
    pub ranked_by: Vec<Criterion>,
    /// Every family: those let in in their order, then the others.
    pub families: Vec<Candidate>,
    /// What would change the order.
    pub shifts: Vec<Shift>,
    /// Where no family is let in: what one constraint would have to be.
    pub loosenings: Vec<Loosening>,
}

/// A constraint as it was asked.
#[derive(Clone, Debug, Serialize)]
pub struct Stated {
    /// Which one.
    pub constraint: Constraint,
    /// The load that it is of, where it is of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<Load>,
    /// What it is: a number in the unit of its name, or a word.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<serde_json::Value>,
}

/// A family, judged.
#[derive(Clone, Debug, Serialize)]
pub struct Candidate {
    /// Its place in the order from 1, if it is let in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub place: Option<usize>,
    /// What was tried, the attempt that counts first: the family as asked, and
    /// where that is put out, with another value of its parameter.
    pub attempts: Vec<Attempt>,
    /// The values of the parameter that were built, if any were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<Search>,
}

impl Candidate {
    /// The attempt that counts.
    #[must_use]
    pub fn first(&self) -> &Attempt {
        &self.attempts[0]
    }
}

/// A family with parameters, measured and judged.
#[derive(Clone, Debug, Serialize)]
pub struct Attempt {
    /// The name of the family.
    pub family: String,
    /// The parameters that differ from the defaults.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub parameters: String,
    /// The verdict of each constraint that is asked.
    pub verdicts: Vec<Verdict>,
    /// The worst figure of all steps for each limit, asked or not.
    #[serde(serialize_with = "named")]
    pub figures: Vec<Worst>,
    /// What the family can do, asked or not.
    pub abilities: Vec<Ability>,
    /// The rows that were measured.
    pub evidence: Vec<Evidence>,
    #[serde(skip)]
    choice: Choice,
}

impl Attempt {
    /// The name with the parameters: `ring:points=500`.
    #[must_use]
    pub fn label(&self) -> String {
        label(&self.family, &self.parameters)
    }

    /// Whether every constraint is met, all of them by what was measured.
    #[must_use]
    pub fn is_in(&self) -> bool {
        self.broken().next().is_none()
    }

    /// The constraints that are not met.
    pub fn broken(&self) -> impl Iterator<Item = &Verdict> {
        self.verdicts.iter().filter(|verdict| !verdict.met)
    }

    /// The worst figure for a limit, if every step could be measured.
    #[must_use]
    pub fn worst(&self, limit: Constraint) -> Option<&Worst> {
        self.figures.iter().find(|worst| worst.constraint == limit)
    }
}

/// Whether a constraint is met, and by what.
#[derive(Clone, Debug, Serialize)]
pub struct Verdict {
    /// Which constraint.
    pub constraint: Constraint,
    /// Whether it is met.
    pub met: bool,
    /// What says so.
    #[serde(flatten)]
    pub ground: Ground,
}

/// What a verdict is taken from.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Ground {
    /// A measured figure, and the limit.
    Measured {
        /// Where it was measured, and what it is.
        #[serde(flatten)]
        worst: Worst,
        /// The greatest that is let in.
        limit: f64,
    },
    /// What the family can or cannot do.
    Able {
        /// In words.
        ability: String,
    },
}

/// The worst figure of all steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Worst {
    /// The limit that it is for; a verdict has said it.
    #[serde(skip)]
    pub constraint: Constraint,
    /// The load that it is of, where it is of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<Load>,
    /// The step whose row has it.
    pub step: Step,
    /// The figure, in the unit of the limit.
    pub figure: f64,
    /// How much of it may be the chance of a sample: a limit is broken only from
    /// `figure - noise` down. 0 where no sample was taken.
    pub noise: f64,
}

impl Worst {
    /// The least limit that lets this figure in.
    #[must_use]
    pub fn needs(&self) -> f64 {
        self.figure - self.noise
    }
}

/// Worst figures, each with its constraint.
fn named<S: Serializer>(figures: &[Worst], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Named<'a> {
        constraint: Constraint,
        #[serde(flatten)]
        worst: &'a Worst,
    }
    serializer
        .collect_seq(figures.iter().map(|worst| Named { constraint: worst.constraint, worst }))
}

/// Whether a family meets a requirement, from its capabilities or from a layout.
#[derive(Clone, Debug, Serialize)]
pub struct Ability {
    /// The requirement.
    pub constraint: Constraint,
    /// Whether it is met.
    pub met: bool,
    /// What says so, in words.
    pub ability: String,
}

/// One measured row.
#[derive(Clone, Debug, Serialize)]
pub struct Evidence {
    /// The change that was made.
    pub step: Step,
    /// Whether figures are taken from it: where an operator plans moves there are
    /// two rows, and the planned one counts.
    pub counts: bool,
    /// The row, as `homing compare` has it.
    #[serde(flatten)]
    pub row: Row,
}

/// The values of a parameter that were built to meet the limits.
#[derive(Clone, Debug, Serialize)]
pub struct Search {
    /// The name of the parameter.
    pub parameter: &'static str,
    /// The values, in the order in which they were built.
    pub values: Vec<u64>,
    /// What moves and balance were taken over, where values were looked at for them:
    /// all positions by keys, else the keys of the workload.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basis: Option<Basis>,
    /// The one that was then measured, if one met the limits that were searched for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<u64>,
}

/// What would change the order.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "snake_case", tag = "change")]
pub enum Shift {
    /// A family that is out is let in.
    LetIn {
        /// The family, with its parameters.
        family: String,
        /// The one constraint that it does not meet.
        constraint: Constraint,
        /// The least limit that lets it in; none for a requirement, which must go.
        #[serde(skip_serializing_if = "Option::is_none")]
        needs: Option<f64>,
        /// Its place then, from 1.
        place: usize,
        /// The family that it then comes before.
        #[serde(skip_serializing_if = "Option::is_none")]
        before: Option<String>,
    },
    /// A family that is in is put out, and another then comes first or moves up.
    PutOut {
        /// The family, with its parameters.
        family: String,
        /// The constraint that would put it out.
        constraint: Constraint,
        /// Below which limit; none for a requirement.
        #[serde(skip_serializing_if = "Option::is_none")]
        below: Option<f64>,
        /// The next in the order that stays in.
        next: String,
    },
    /// Families are ranked by something else first.
    RankBy {
        /// By what.
        rank_by: Criterion,
        /// The order then.
        order: Vec<String>,
    },
}

/// What one constraint would have to be for some family to be let in.
#[derive(Clone, Debug, Serialize)]
pub struct Loosening {
    /// Which ones: one, or where no one alone is enough, the fewest together.
    pub loosen: Vec<Loosened>,
    /// The family that is then let in, with its parameters.
    pub family: String,
}

/// A constraint, loosened as little as helps.
#[derive(Clone, Debug, Serialize)]
pub struct Loosened {
    /// Which one.
    pub constraint: Constraint,
    /// What it is now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<f64>,
    /// The least limit that helps; none for a requirement, which must go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<f64>,
}

/// Measures and judges every family of `families` under `constraints`.
///
/// # Errors
///
/// As [`measure::compare`](crate::measure::compare), and if `workload` has not the
/// load to judge by.
pub fn recommend(
    constraints: &Constraints,
    families: &[Choice],
    workload: &Workload,
) -> Result<Recommendation> {
    workload.check(constraints.by)?;
    let loads = Loads::of(workload, constraints.by);
    let steps = steps::steps(constraints);
    let progress = Progress::new(families.len());
    let mut candidates = Vec::new();
    for choice in families {
        progress.step(choice.to_string());
        candidates.push(judge::candidate(constraints, &steps, choice, &loads)?);
    }
    order::rank(&mut candidates, &constraints.rank_by);
    let let_in = candidates.iter().any(|candidate| candidate.place.is_some());
    let rescues = order::rescues(constraints, &candidates, &loads)?;
    let loosenings =
        if let_in { Vec::new() } else { order::loosen(constraints, &candidates, &rescues) };
    Ok(Recommendation {
        nodes: constraints.members.active(),
        most_nodes: constraints.most_nodes,
        workload: crate::measure::summary(workload),
        by: constraints.by,
        least_peak: loads.least_of(&constraints.members, &steps),
        constraints: constraints.stated(),
        steps: steps.iter().map(steps::Stage::taken).collect(),
        ranked_by: constraints.rank_by.clone(),
        shifts: order::shifts(constraints, &candidates, &rescues),
        families: candidates,
        loosenings,
    })
}
