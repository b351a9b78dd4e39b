//! What constraints and their values are called.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// Which nodes can leave.
#[derive(Clone, Copy, Debug, Default, Deserialize, Eq, PartialEq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Removed {
    /// Any node.
    #[default]
    Any,
    /// Only the node that joined last.
    Last,
    /// None.
    None,
}

/// What families are ranked by.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Criterion {
    /// The greatest moved above the optimal of a step, in thousandths of all keys.
    Moved,
    /// The greatest peak-to-mean, in hundredths.
    Evenness,
    /// The greatest lookup time, in steps of a tenth of itself.
    Lookup,
    /// The greatest memory, in steps of a tenth of itself.
    Memory,
}

/// The name of a constraint, as flags and files have it.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Constraint {
    /// How many nodes there are now.
    Nodes,
    /// How many nodes there are at most.
    MostNodes,
    /// That nodes have unequal weights.
    Weights,
    /// Which nodes can leave.
    Removal,
    /// How many nodes a key has.
    Replicas,
    /// The greatest moved above the optimal.
    MostExcess,
    /// The greatest moved between nodes that stay.
    MostStray,
    /// The greatest peak-to-mean.
    MostPeak,
    /// The greatest lookup time.
    MostLookupNs,
    /// The greatest memory.
    MostMemory,
    /// That every move is the operator's.
    Staged,
    /// That nobody must act when a node leaves.
    Unattended,
    /// That clients have a list of members and no more.
    ListOnly,
    /// That the order of the members may differ.
    Unordered,
    /// That keys of one tag are on one node.
    Tags,
    /// That moves are known as ranges.
    Ranges,
}

impl Constraint {
    /// The limits, in the order in which they are judged.
    pub const LIMITS: [Self; 5] =
        [Self::MostExcess, Self::MostStray, Self::MostPeak, Self::MostLookupNs, Self::MostMemory];

    /// Whether it is a limit on a part of a load, or on how even one is.
    #[must_use]
    pub fn is_of_load(self) -> bool {
        matches!(self, Self::MostExcess | Self::MostStray | Self::MostPeak)
    }

    /// The name, as flags and files have it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Nodes => "nodes",
            Self::MostNodes => "most-nodes",
            Self::Weights => "weights",
            Self::Removal => "removal",
            Self::Replicas => "replicas",
            Self::MostExcess => "most-excess",
            Self::MostStray => "most-stray",
            Self::MostPeak => "most-peak",
            Self::MostLookupNs => "most-lookup-ns",
            Self::MostMemory => "most-memory",
            Self::Staged => "staged",
            Self::Unattended => "unattended",
            Self::ListOnly => "list-only",
            Self::Unordered => "unordered",
            Self::Tags => "tags",
            Self::Ranges => "ranges",
        }
    }
}
