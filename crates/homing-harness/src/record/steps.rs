//! The results of several steps, as they are printed and recorded.

use serde::{Deserialize, Serialize};

use super::{Basis, WorkloadSummary};

/// One membership, several steps and one workload taken through some families.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct StepRun {
    /// What the scenario is called.
    pub scenario: String,
    /// What it is about, if it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// How many nodes own keys before the first step.
    pub nodes_before: usize,
    /// How many nodes own keys after the last.
    pub nodes_after: usize,
    /// The keys that were asked for.
    pub workload: WorkloadSummary,
    /// The steps, in order.
    pub steps: Vec<StepSummary>,
    /// The sum of what the steps must move at least, of all keys.
    pub optimal: f64,
    /// The least that one step from the first membership to the last must move.
    pub optimal_at_once: f64,
    /// Whether the last membership is the first again: the same machines under
    /// the same ids, with the same weights and zones.
    pub undone: bool,
    /// A row for each family and step.
    pub rows: Vec<StepRow>,
    /// A row for each family: what its steps come to.
    pub sums: Vec<SumRow>,
    /// What a reader must be told besides the figures, a sentence each.
    pub notes: Vec<String>,
}

/// One step, whatever the family.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct StepSummary {
    /// Which step it is, from 1.
    pub step: usize,
    /// What it is called.
    pub name: String,
    /// What it does, in words.
    pub action: String,
    /// How many nodes own keys after it.
    pub nodes: usize,
    /// The least that any placement must move, of all keys, in `0..=1`.
    pub optimal: f64,
}

/// What one family did in one step.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct StepRow {
    /// The name of the family; with `+rebalance` or `+swap` where it is one of
    /// two ways.
    pub family: String,
    /// The parameters that differ from the defaults, `points=500,hash=sha256`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub parameters: String,
    /// Which step it is, from 1.
    pub step: usize,
    /// What the step is called.
    pub name: String,
    /// The figures, or why there are none.
    #[serde(flatten)]
    pub outcome: Told<StepMeasured>,
}

/// What the steps of one family come to.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct SumRow {
    /// As [`StepRow::family`].
    pub family: String,
    /// As [`StepRow::parameters`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub parameters: String,
    /// The figures, or why there are none.
    #[serde(flatten)]
    pub outcome: Told<SumMeasured>,
}

/// Figures, or why there are none.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Told<T> {
    /// The family cannot do what was asked, or could not before.
    Unsupported {
        /// The family's rule, or the step at which it stopped.
        unsupported: String,
    },
    /// The figures.
    Measured(T),
}

impl<T> Told<T> {
    /// The figures, where there are any.
    #[must_use]
    pub fn measured(&self) -> Option<&T> {
        match self {
            Self::Measured(measured) => Some(measured),
            Self::Unsupported { .. } => None,
        }
    }
}

/// The figures of one step.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct StepMeasured {
    /// The part of the keys that is on another machine than before the step, or on
    /// none, in `0..=1`.
    pub moved: f64,
    /// The lower end of the 95 % interval of `moved`; `moved` unless sampled.
    pub moved_low: f64,
    /// The upper end of it.
    pub moved_high: f64,
    /// The least that any placement must move in this step, in `0..=1`.
    pub optimal: f64,
    /// The part of the keys that moved between two machines that are members
    /// before and after the step, with the same weight, in `0..=1`.
    pub stray: f64,
    /// The lower end of the 95 % interval of `stray`; `stray` unless sampled.
    pub stray_low: f64,
    /// The upper end of it.
    pub stray_high: f64,
    /// As [`Measured::peak_to_mean`](super::Measured::peak_to_mean), after the step.
    pub peak_to_mean: f64,
    /// As [`Measured::cv`](super::Measured::cv), after the step.
    pub cv: f64,
    /// What the figures above are taken over.
    pub basis: Basis,
    /// How many slots have no owner after the step, where that can be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncovered: Option<u64>,
    /// As `moved`, of all stored bytes, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_bytes: Option<f64>,
    /// As `moved`, of all requests, where they are told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_requests: Option<f64>,
}

/// The figures of all steps together.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct SumMeasured {
    /// The sum of what the steps moved, of all keys: above 1 where keys move more
    /// than once.
    pub moved: f64,
    /// The sum of what the steps must move at least.
    pub optimal: f64,
    /// The sum of what moved between machines that stay as they are.
    pub stray: f64,
    /// The part of the keys that moved in one step or more, in `0..=1`.
    pub moved_once: f64,
    /// The lower end of the 95 % interval of it; the same unless sampled.
    pub moved_once_low: f64,
    /// The upper end of it.
    pub moved_once_high: f64,
    /// The part of the keys that is on another machine after the last step than
    /// before the first, in `0..=1`: what the steps come to as one.
    pub moved_at_once: f64,
    /// The lower end of the 95 % interval of it; the same unless sampled.
    pub moved_at_once_low: f64,
    /// The upper end of it.
    pub moved_at_once_high: f64,
    /// What the figures above are taken over.
    pub basis: Basis,
    /// How many slots have no owner after the last step, where that can be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncovered: Option<u64>,
    /// The sum of what the steps moved, of all stored bytes, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_bytes: Option<f64>,
    /// The sum of what the steps moved, of all requests, where they are told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_requests: Option<f64>,
    /// Whether the layout is again where it was, where the membership is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub returned: Option<Returned>,
}

/// Whether the last layout is the first.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Returned {
    /// Whether the fingerprints are equal: every key there could be is back, and
    /// so are its replicas.
    pub fingerprint: bool,
    /// Whether every position is back, or every key where the row is no exact
    /// one.
    pub map: bool,
}

impl StepRun {
    /// Checks that every figure that is shown is in its range.
    pub(super) fn check(&self) -> Result<(), String> {
        let of = &self.scenario;
        let steps = self.steps.len() as f64;
        let part = |name, value| super::run::part(of, name, value);
        let sum = |name, value| super::run::within(of, name, value, steps * (1.0 + 1e-9));
        sum("optimal", self.optimal)?;
        part("optimal_at_once", self.optimal_at_once)?;
        for step in &self.steps {
            part("optimal", step.optimal)?;
        }
        for row in self.rows.iter().filter_map(|row| row.outcome.measured()) {
            part("moved", row.moved)?;
            part("stray", row.stray)?;
            super::run::within(of, "peak_to_mean", row.peak_to_mean, super::run::MOST)?;
            super::run::within(of, "cv", row.cv, super::run::MOST)?;
        }
        for row in self.sums.iter().filter_map(|row| row.outcome.measured()) {
            sum("moved", row.moved)?;
            sum("stray", row.stray)?;
            part("moved_once", row.moved_once)?;
            part("moved_at_once", row.moved_at_once)?;
        }
        Ok(())
    }
}

/// The name of a row with its parameters: `ring:points=500`.
pub(crate) fn label(family: &str, parameters: &str) -> String {
    if parameters.is_empty() { family.to_owned() } else { format!("{family}:{parameters}") }
}
