//! The figures of one family against one of its parameters, as they are printed.

use serde::Serialize;

/// One family over values of one parameter, all else being equal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParameterSweep {
    /// The name of the family.
    pub family: String,
    /// The parameters that differ from the defaults and stay as they are.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub parameters: String,
    /// The parameter that takes the values; `seed` is that of the hash.
    pub parameter: String,
    /// How many nodes own keys.
    pub nodes: usize,
    /// How many layouts each value has, which differ in the seed of the hash alone.
    pub seeds: u64,
    /// What shares and moves are taken over: `exact` or `sampled`.
    pub basis: super::Basis,
    /// The least that any placement must move when a node joins, in `0..=1`.
    pub optimal_join: f64,
    /// The same when the node that joined last leaves, where one can.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimal_leave: Option<f64>,
    /// What was asked for.
    pub targets: Targets,
    /// The figures, by ascending value.
    pub rows: Vec<SweepRow>,
    /// The value that meets the targets, or the nearest; none without targets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Answer>,
    /// What a reader must be told besides the figures, a sentence each.
    pub notes: Vec<String>,
}

/// What a value must keep to; a mean over the seeds where there are several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Targets {
    /// The greatest coefficient of variation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cv: Option<f64>,
    /// The greatest peak over the mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_to_mean: Option<f64>,
    /// The most memory, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
}

/// A figure over several seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Over {
    /// The mean.
    pub mean: f64,
    /// The least.
    pub min: f64,
    /// The greatest.
    pub max: f64,
}

/// The figures of one value.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SweepRow {
    /// The value of the parameter.
    pub value: u64,
    /// Whether it was listed, rather than found by the search.
    pub listed: bool,
    /// The coefficient of variation of the loads over their weight shares.
    pub cv: Over,
    /// What theory expects of it, where there is a formula.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cv_expected: Option<f64>,
    /// The greatest load over the mean.
    pub peak_to_mean: Over,
    /// What theory expects of it, where there is a formula.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_expected: Option<f64>,
    /// The part of all keys that moves when one node of weight 1 joins, in `0..=1`;
    /// none if the family refuses it at this value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_join: Option<Over>,
    /// The same when the node that joined last leaves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moved_leave: Option<Over>,
    /// The greatest heap memory of a layout, in bytes.
    pub memory_bytes: u64,
    /// The median time to build a layout, in nanoseconds.
    pub build_ns: f64,
    /// The median time of one lookup, the hash included, in nanoseconds.
    pub lookup_ns: f64,
    /// The median time of the hash alone, in nanoseconds.
    pub hash_ns: f64,
    /// Whether the value meets all targets, where there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub meets: Option<bool>,
}

/// The value that was looked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// Whether a value meets all targets.
    pub met: bool,
    /// The value: the least that meets them (the greatest, where memory is the only
    /// target), or the nearest.
    pub value: u64,
    /// The least value that was looked for.
    pub from: u64,
    /// The greatest.
    pub to: u64,
    /// What the nearest value misses; empty if a value meets all targets.
    pub misses: Vec<Miss>,
}

/// A target that is missed.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Miss {
    /// The figure: `cv`, `peak_to_mean` or `memory_bytes`.
    pub figure: &'static str,
    /// The greatest it may be.
    pub asked: f64,
    /// What it is.
    pub found: f64,
}
