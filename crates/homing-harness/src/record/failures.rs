//! What happens when nodes, zones and pairs of nodes fail, as it is printed.

use serde::Serialize;

use super::{Basis, WorkloadSummary};

/// Each failure of some kinds, taken through some families.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failures {
    /// How many members there are before a failure.
    pub nodes: usize,
    /// How many zones have a name and a node.
    pub zones: usize,
    /// The keys that families without segments are counted over.
    pub workload: WorkloadSummary,
    /// How many replicas each key has, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replicas: Option<usize>,
    /// How many zones the replicas of a key should be in: `replicas`, or all zones
    /// if there are fewer. A node without a zone is a zone of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zones_due: Option<usize>,
    /// One row a family and kind.
    pub rows: Vec<FailureRow>,
    /// What a reader must be told besides the figures, a sentence each.
    pub notes: Vec<String>,
}

/// All failures of one kind under one family.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailureRow {
    /// The name of the family; with `+takeover` where the last node takes the place
    /// of the one that failed.
    pub family: String,
    /// The parameters that differ from the defaults, `points=500,hash=sha256`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub parameters: String,
    /// What fails.
    pub kind: Kind,
    /// How many failures of this kind were taken.
    pub failures: u64,
    /// How many there are.
    pub of: u64,
    /// The figures, or why there are none.
    #[serde(flatten)]
    pub outcome: FailureOutcome,
}

impl FailureRow {
    /// The name with the parameters: `ring:points=500`.
    #[must_use]
    pub fn label(&self) -> String {
        if self.parameters.is_empty() {
            self.family.clone()
        } else {
            format!("{}:{}", self.family, self.parameters)
        }
    }
}

/// What fails at once.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// One node.
    Node,
    /// All nodes of one zone.
    Zone,
    /// Two nodes.
    Pair,
}

impl Kind {
    /// The word for it in tables and JSON.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Node => "node",
            Self::Zone => "zone",
            Self::Pair => "pair",
        }
    }
}

/// The figures of a row, or why there are none.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum FailureOutcome {
    /// The family cannot go on without some node.
    Unsupported {
        /// The family's rule.
        unsupported: String,
    },
    /// The figures.
    Measured(Box<FailureFigures>),
}

/// The worst and the mean of the failures of a row, and each of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FailureFigures {
    /// What the figures are taken over.
    pub basis: Basis,
    /// Of keys, or of positions.
    #[serde(flatten)]
    pub by_keys: LoadFigures,
    /// The same of bytes, where the keys have any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_bytes: Option<LoadFigures>,
    /// The same of requests, where they are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_requests: Option<LoadFigures>,
    /// Each failure, in order of id.
    pub each: Vec<Failure>,
}

/// The worst and the mean over the failures of a row: of keys, bytes or requests.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LoadFigures {
    /// Of [`Load::lost`].
    pub lost: Extreme,
    /// Of [`Load::peak_to_mean`], where anybody survives.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_to_mean: Option<Extreme>,
    /// Of [`Load::growth`], where a survivor had any load.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub growth: Option<Extreme>,
    /// Of [`Load::takers`]; the worst is the least.
    pub takers: Extreme,
    /// Of [`Load::effective_takers`]; the worst is the least.
    pub effective_takers: Extreme,
    /// Of [`Load::stray`].
    pub stray: Extreme,
    /// Of [`Load::unserved`].
    pub unserved: Extreme,
    /// What becomes of replicas, where they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replicas: Option<LossesOutcome>,
}

/// The worst of some failures and the mean of all.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Extreme {
    /// The figure of the worst failure.
    pub worst: f64,
    /// The mean over the failures that have the figure.
    pub mean: f64,
    /// What fails in the worst: a zone, or the ids of nodes. Of several failures
    /// the first.
    pub worst_of: Vec<String>,
}

/// One failure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Failure {
    /// The zone that fails, where one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// The ids of the nodes that fail.
    pub nodes: Vec<String>,
    /// How many members are left, of a weight above 0.
    pub survivors: usize,
    /// Of keys, or of positions.
    #[serde(flatten)]
    pub by_keys: Load,
    /// The same of bytes, where the keys have any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_bytes: Option<Load>,
    /// The same of requests, where they are told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_requests: Option<Load>,
}

/// The load in one failure. Parts are of all keys, bytes or requests, and so is a
/// node's load.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Load {
    /// The part that the failed nodes owned, in `0..=1`.
    pub lost: f64,
    /// The greatest load over weight share of a survivor, over the mean of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_to_mean: Option<f64>,
    /// The survivor that has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_node: Option<String>,
    /// The greatest load of a survivor over its own load before; of those that had
    /// any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub growth: Option<f64>,
    /// The survivor that has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub growth_node: Option<String>,
    /// How many survivors take over some of what was lost.
    pub takers: usize,
    /// How many survivors would take it over if each took the same: 1 over the sum
    /// of the squares of their parts of it; 0 if nobody takes any.
    pub effective_takers: f64,
    /// The part that moves between two survivors, in `0..=1`.
    pub stray: f64,
    /// The part without an owner after the failure, in `0..=1`.
    pub unserved: f64,
    /// What becomes of replicas, where they were asked for and the family has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replicas: Option<Losses>,
}

impl Failure {
    /// What fails: a zone, or the ids of nodes.
    #[must_use]
    pub fn named(&self) -> Vec<String> {
        self.zone.clone().map_or_else(|| self.nodes.clone(), |zone| vec![zone])
    }
}

/// What becomes of the replicas of all keys in one failure; parts of all keys, or of
/// their bytes or requests, in `0..=1`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Losses {
    /// The keys of which every replica is on a failed node.
    pub all_lost: f64,
    /// The lower end of the 95 % interval of `all_lost`; `all_lost` unless sampled.
    pub all_lost_low: f64,
    /// The upper end of it.
    pub all_lost_high: f64,
    /// The keys of which some replica is on a failed node.
    pub some_lost: f64,
    /// The keys with replicas in fewer zones than they should, before the failure.
    pub few_zones_before: f64,
    /// The same at the failure, before anything has been copied again.
    pub few_zones_left: f64,
    /// The same once everything is where the layout after the failure has it.
    pub few_zones_after: f64,
}

/// What becomes of replicas, or why nothing does.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum LossesOutcome {
    /// The family has no replicas.
    Unsupported {
        /// The family's rule.
        unsupported: String,
    },
    /// The worst and the mean over the failures of the row.
    Measured {
        /// What they are taken over.
        basis: Basis,
        /// Of [`Losses::all_lost`].
        all_lost: Extreme,
        /// The lower end of the 95 % interval of the worst.
        all_lost_low: f64,
        /// The upper end of it.
        all_lost_high: f64,
        /// Of [`Losses::some_lost`].
        some_lost: Extreme,
        /// Of [`Losses::few_zones_before`].
        few_zones_before: f64,
        /// Of [`Losses::few_zones_left`].
        few_zones_left: Extreme,
        /// Of [`Losses::few_zones_after`].
        few_zones_after: Extreme,
    },
}

impl LossesOutcome {
    /// What the figures are taken over, where there are any.
    #[must_use]
    pub fn basis(&self) -> Option<Basis> {
        match self {
            Self::Unsupported { .. } => None,
            Self::Measured { basis, .. } => Some(*basis),
        }
    }
}
