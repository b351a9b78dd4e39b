//! What an operator could do instead, with its figures and what is certain of them.

use homing_core::NodeIndex;
use serde::Serialize;

use crate::registry::operator::Operator;

/// What an operator could do.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Alternative {
    /// What it goes by: `moves`, `ranges`, `keys`, `bytes`, `requests`, one of these
    /// three `in ranges`, `tool`, what the operator's own tool does, or `stated` by
    /// the manifest after.
    pub prefer: &'static str,
    /// Whether the plan does this.
    pub chosen: bool,
    /// How many positions move.
    pub positions: u64,
    /// In how many runs they move.
    pub runs: usize,
    /// How many ranges the map has after it.
    pub ranges: usize,
    /// How many positions move at least, of `ranges`: no plan to the same quotas moves
    /// fewer whose map has the fewest ranges.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions_at_least: Option<usize>,
    /// How many ranges there must be at least, of `ranges`: no map of the same quotas
    /// has fewer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranges_at_least: Option<usize>,
    /// The greatest load over the mean after it, by what a load is counted in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub peak_to_mean: Option<f64>,
}

/// The figures of the way from one map to another.
pub(super) fn alternative(
    prefer: &'static str,
    chosen: bool,
    before: &[Option<NodeIndex>],
    after: &[Option<NodeIndex>],
    peak_to_mean: Option<f64>,
) -> Alternative {
    let pairs: Vec<_> = before.iter().zip(after).collect();
    let moved = pairs.iter().filter(|(from, to)| from != to);
    Alternative {
        prefer,
        chosen,
        positions: moved.count() as u64,
        runs: pairs.chunk_by(|a, b| a == b).filter(|run| run[0].0 != run[0].1).count(),
        ranges: after.chunk_by(|a, b| a == b).filter(|run| run[0].is_some()).count(),
        positions_at_least: None,
        ranges_at_least: None,
        peak_to_mean,
    }
}

/// What of plans in ranges is not certainly the fewest, a sentence each.
pub(super) fn on_ranges(
    alternatives: &[Alternative],
    operator: Operator,
    nodes: usize,
) -> Vec<String> {
    let unit = operator.unit;
    let mut notes = Vec::new();
    for it in alternatives {
        let prefer = it.prefer;
        if let Some(least) = it.ranges_at_least.filter(|&least| least < it.ranges) {
            notes.push(format!(
                "{prefer}: {} ranges are few, not certainly the fewest; at least {least} there \
                 must be",
                it.ranges
            ));
        }
        let moved = format!("{} {unit} moved are few, not certainly the fewest", it.positions);
        match it.positions_at_least {
            Some(least) if (least as u64) < it.positions => {
                notes.push(format!("{prefer}: {moved}; at least {least} have to move"));
            }
            None if prefer.ends_with(" in ranges") && nodes > operator.ordered_nodes => {
                notes.push(format!(
                    "{prefer}: {moved}: all orders are tried up to {} nodes",
                    operator.ordered_nodes
                ));
            }
            _ => {}
        }
    }
    notes
}
