//! The results of a comparison, as they are printed and recorded.

mod evenness;
pub mod failures;
mod run;
mod steps;
pub mod store;
pub mod sweep;

use serde::{Deserialize, Serialize};

pub use self::evenness::{Evenness, Verdict};
pub use self::run::{LookupTime, Machine, PointSpread, Published, Record, Sweeps};
pub(crate) use self::steps::label;
pub use self::steps::{
    Returned, StepMeasured, StepRow, StepRun, StepSummary, SumMeasured, SumRow, Told,
};

/// One membership, one change and one workload taken through some families.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Comparison {
    /// What the scenario is called.
    pub scenario: String,
    /// What it is about, if it says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// How many nodes own keys before the change.
    pub nodes_before: usize,
    /// How many nodes own keys after it.
    pub nodes_after: usize,
    /// The changes, in order: `add node-8`, `reweight node-1 to 3`.
    pub changes: Vec<String>,
    /// The keys that were asked for.
    pub workload: WorkloadSummary,
    /// How many replicas were compared, where any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<usize>,
    /// The least that any placement must move, of all keys, in `0..=1`: half the
    /// sum of the absolute differences of the nodes' ideal shares.
    pub optimal: f64,
    /// One row a family, in the order asked.
    pub rows: Vec<Row>,
    /// What a reader must be told besides the figures, a sentence each.
    pub notes: Vec<String>,
}

/// What a workload holds.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct WorkloadSummary {
    /// Where the keys are from, in words.
    pub source: String,
    /// Whether they were generated, rather than read.
    pub generated: bool,
    /// How many distinct keys there are.
    pub keys: u64,
    /// How many requests there are for them, where requests are told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub requests: Option<u128>,
    /// How many bytes they hold, where bytes are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u128>,
    /// The key with the most requests, where requests are told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hottest: Option<Hottest>,
    /// How many rows could not be read, and were passed over.
    #[serde(default)]
    pub unreadable: u64,
}

/// The key with the most requests.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Hottest {
    /// The key in quotes, with what is not printable escaped.
    pub key: String,
    /// How many requests it has.
    pub requests: u64,
    /// Its part of all requests, in `0..=1`.
    pub fraction: f64,
}

/// What one family did.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Row {
    /// The name of the family; with `+rebalance` where its operator acted too.
    pub family: String,
    /// The parameters that differ from the defaults, `points=500,hash=sha256`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub parameters: String,
    /// The figures, or why there are none.
    #[serde(flatten)]
    pub outcome: Outcome,
}

impl Row {
    /// The name with the parameters: `ring:points=500`.
    #[must_use]
    pub fn label(&self) -> String {
        label(&self.family, &self.parameters)
    }

    /// The figures, where there are any.
    #[must_use]
    pub fn measured(&self) -> Option<&Measured> {
        match &self.outcome {
            Outcome::Measured(measured) => Some(measured),
            Outcome::Unsupported { .. } => None,
        }
    }
}

/// The figures of a family, or why there are none.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Outcome {
    /// The family cannot do what was asked.
    Unsupported {
        /// The family's rule.
        unsupported: String,
    },
    /// The figures.
    Measured(Box<Measured>),
}

/// The figures of a family.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Measured {
    /// The part of the keys that changed owner, in `0..=1`.
    pub moved: f64,
    /// The lower end of the 95 % interval of `moved`; `moved` unless sampled.
    pub moved_low: f64,
    /// The upper end of it.
    pub moved_high: f64,
    /// The least that any placement must move, in `0..=1`.
    pub optimal: f64,
    /// The part of the keys that moved between two nodes that are members before
    /// and after, with the same weight, in `0..=1`.
    pub stray: f64,
    /// The lower end of the 95 % interval of `stray`; `stray` unless sampled.
    /// Records of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stray_low: Option<f64>,
    /// The upper end of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stray_high: Option<f64>,
    /// After the change: the greatest load over weight share of a node, over the
    /// mean of them; drained nodes left out.
    pub peak_to_mean: f64,
    /// After the change: the coefficient of variation (of the population) of the
    /// same loads.
    pub cv: f64,
    /// What else is known of how even these loads are; records of older versions
    /// have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evenness: Option<Evenness>,
    /// What the figures above are taken over.
    pub basis: Basis,
    /// How many slots have no owner after the change, where that can be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uncovered: Option<u64>,
    /// The same by stored bytes, where they are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_bytes: Option<Weighed>,
    /// The same by requests, where they are told apart.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by_requests: Option<Weighed>,
    /// The node that owns the hottest key after the change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hottest_owner: Option<String>,
    /// What the change does to sets of replicas, where they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replicas: Option<Replicas>,
    /// The load of each node after the change, in order of id.
    pub load: Vec<Load>,
    /// The median time of one lookup, the hash of the key included, in
    /// nanoseconds.
    pub lookup_ns: f64,
    /// The median time of the hash alone, that is of the position of a key, in
    /// nanoseconds.
    pub hash_ns: f64,
    /// The times of single lookups; records of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub single: Option<Single>,
    /// The keys a second of one thread and of two; records of older versions have
    /// none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throughput: Option<Throughput>,
    /// The median time to build the layout before the change, in nanoseconds.
    pub build_ns: f64,
    /// The median time to make the change in place, in nanoseconds.
    pub change_ns: f64,
    /// The heap memory behind the layout after the change, in bytes.
    pub memory_bytes: u64,
}

/// The times of lookups that were timed one by one, the hash of the key and the cost
/// of reading the clock included.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Single {
    /// How many lookups there were, at least 1.
    pub lookups: u64,
    /// The 50th percentile, in nanoseconds.
    pub p50_ns: u64,
    /// The 99th percentile, in nanoseconds.
    pub p99_ns: u64,
    /// The 99.9th percentile, in nanoseconds: the greatest of fewer than 1000.
    pub p999_ns: u64,
    /// The median time between two readings of the clock with nothing in between, in
    /// nanoseconds. It is in the percentiles, and not taken off.
    pub timer_ns: u64,
}

/// The keys that are looked up in one shared layout, in batches, the hash of the key
/// included.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Serialize)]
pub struct Throughput {
    /// The keys a second of one thread.
    pub one_thread_keys_per_s: f64,
    /// The keys a second of two threads together, where the machine has two.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub two_threads_keys_per_s: Option<f64>,
}

/// What the figures of a row are taken over.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// All positions.
    Exact,
    /// Generated keys.
    Sampled,
    /// All of the user's own keys.
    Counted,
}

impl Basis {
    /// The word for it in tables and JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Sampled => "sampled",
            Self::Counted => "counted",
        }
    }
}

/// Moves and balance with each key weighed by its bytes or its requests.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Weighed {
    /// As [`Measured::moved`], of all bytes or requests.
    pub moved: f64,
    /// As [`Measured::moved_low`]; records of older versions have none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_low: Option<f64>,
    /// As [`Measured::moved_high`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moved_high: Option<f64>,
    /// As [`Measured::optimal`].
    pub optimal: f64,
    /// As [`Measured::stray`], of all bytes or requests.
    pub stray: f64,
    /// As [`Measured::stray_low`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stray_low: Option<f64>,
    /// As [`Measured::stray_high`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stray_high: Option<f64>,
    /// As [`Measured::peak_to_mean`].
    pub peak_to_mean: f64,
    /// As [`Measured::cv`].
    pub cv: f64,
    /// As [`Measured::evenness`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evenness: Option<Evenness>,
}

/// What a change does to sets of replicas.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Replicas {
    /// The family has no replicas.
    Unsupported {
        /// The family's rule.
        unsupported: String,
    },
    /// The moves of the sets, over the keys of the workload.
    Moved {
        /// What the figures are taken over: keys, whatever the row's own basis.
        basis: Basis,
        /// The part of all copies that is on another node than any before, in
        /// `0..=1`: what has to be copied.
        copies_moved: f64,
        /// The lower end of the 95 % interval of `copies_moved`; the same unless sampled.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        copies_moved_low: Option<f64>,
        /// The upper end of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        copies_moved_high: Option<f64>,
        /// The part of the keys whose set of nodes changed, in `0..=1`.
        sets_changed: f64,
        /// The lower end of the 95 % interval of `sets_changed`; the same unless sampled.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sets_changed_low: Option<f64>,
        /// The upper end of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        sets_changed_high: Option<f64>,
        /// The part of the keys with fewer replicas than asked, in `0..=1`.
        short: f64,
        /// The lower end of the 95 % interval of `short`; the same unless sampled.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        short_low: Option<f64>,
        /// The upper end of it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        short_high: Option<f64>,
    },
}

/// The load of one node.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Load {
    /// The id of the node.
    pub node: String,
    /// Its part of the keys, in `0..=1`.
    pub share: f64,
    /// Its part of the weight, in `0..=1`.
    pub ideal: f64,
}
