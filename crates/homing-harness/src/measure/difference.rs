//! From whom to whom: the difference of two layouts, exactly or over keys.

mod matrix;
mod moves;
mod pairs;
mod tally;

use std::sync::Arc;

use homing_core::{NodeId, Placement, Plan};

pub use self::matrix::{Flow, Matrix};
pub use self::moves::{KeyMove, Moves, RangeMove, Ranges};
use self::pairs::Pairs;
pub use self::tally::Gauge;
use super::optimal;
use crate::record::Basis;
use crate::statistics::{Interval, proportion};
use crate::workload::{Basis as Taken, Workload};

/// Positions, and keys with what they weigh; what was not counted is left out.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, serde::Serialize)]
pub struct Amount {
    /// Positions, where both layouts have segments and give keys the same ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub positions: Option<u128>,
    /// Keys, where keys were given or generated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keys: Option<u64>,
    /// Their bytes, where they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<u128>,
    /// Their requests, where they are told apart.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub requests: Option<u128>,
}

/// What moves between two layouts.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Difference {
    /// What `fraction` is taken over: positions, generated keys, or given ones.
    pub basis: Basis,
    /// The part of all keys that has another owner after than before, or gains or
    /// loses one; in `0..=1`.
    pub fraction: f64,
    /// The lower end of its 95 % interval; itself unless it is sampled.
    pub fraction_low: f64,
    /// The upper end of its 95 % interval; itself unless it is sampled.
    pub fraction_high: f64,
    /// The least that any placement must move between these memberships.
    pub optimal: f64,
    /// What moves.
    pub moved: Amount,
    /// All there is of each.
    pub all: Amount,
    /// Of what moves, that which had no owner.
    pub gains_owner: Amount,
    /// Of what moves, that which has no owner after it.
    pub loses_owner: Amount,
    /// How many runs of positions move, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranges: Option<usize>,
    /// Who gives, in order of id.
    pub givers: Vec<Traffic>,
    /// Who takes, in order of id.
    pub takers: Vec<Traffic>,
    /// From whom to whom, in order of both ids; it adds up to `moved`.
    pub matrix: Matrix,
    /// Every move: of each key, where keys were given, else of each run of
    /// positions. Generated keys are not listed.
    pub moves: Moves,
}

/// What one node gives or takes.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Traffic {
    /// The node.
    pub node: NodeId,
    /// How much.
    #[serde(flatten)]
    pub amount: Amount,
}

impl Difference {
    /// Whether anything is known to move.
    #[must_use]
    pub fn moves_anything(&self) -> bool {
        self.moved.keys.is_some_and(|keys| keys > 0) || self.ranges.is_some_and(|count| count > 0)
    }
}

impl Amount {
    /// The sum; what one of both has not counted is not counted.
    fn add(&mut self, other: &Self) {
        fn sum<T: std::ops::Add<Output = T>>(a: Option<T>, b: Option<T>) -> Option<T> {
            Some(a? + b?)
        }
        *self = Self {
            positions: sum(self.positions, other.positions),
            keys: sum(self.keys, other.keys),
            bytes: sum(self.bytes, other.bytes),
            requests: sum(self.requests, other.requests),
        };
    }
}

/// What moves from `before` to `after`; nodes are the same if their ids are.
///
/// Exact over all positions where both layouts tell, or have equal fingerprints;
/// over the keys of `workload` besides, if there is one. Without either every
/// figure is 0 of 0.
#[must_use]
pub fn difference(
    before: &dyn Placement,
    after: &dyn Placement,
    workload: Option<&Workload>,
) -> Difference {
    let pairs = Arc::new(Pairs::of(before.members(), after.members()));
    let plan = Plan::between(before, after);
    let tally = workload.map(|workload| tally::count(before, after, workload));
    let zero = Amount {
        positions: plan.as_ref().map(|_| 0),
        keys: tally.as_ref().map(|_| 0),
        bytes: tally.as_ref().and_then(|tally| tally.all.bytes.map(|_| 0)),
        requests: tally.as_ref().and_then(|tally| tally.all.requests.map(|_| 0)),
    };
    let all_positions = plan.as_ref().map(|_| u128::from(before.max_position()) + 1);
    let mut all = tally.as_ref().map_or(Amount::default(), |tally| tally.all);
    all.positions = all_positions;

    let matrix = Matrix::new(Arc::clone(&pairs), zero, plan.as_ref(), tally.as_ref());
    let sums = matrix.sums();
    let moved = sums.moved;
    let (basis, fraction, interval) = fraction(before, after, &moved, &all, workload);
    Difference {
        basis,
        fraction,
        fraction_low: interval.low,
        fraction_high: interval.high,
        optimal: optimal(before.members(), after.members()),
        moved,
        all,
        gains_owner: sums.gains_owner,
        loses_owner: sums.loses_owner,
        ranges: plan.as_ref().map(|plan| plan.moves().len()),
        givers: pairs.givers(sums.givers),
        takers: pairs.takers(sums.takers),
        matrix,
        moves: Moves::new(&pairs, plan, tally),
    }
}

/// That no move is listed since only generated keys were counted, and what lists
/// them.
#[must_use]
pub fn unlisted(difference: &Difference, workload: Option<&Workload>) -> Option<String> {
    let keys = workload.filter(|keys| keys.basis() == Taken::Generated)?.count();
    difference.moved.positions.is_none().then(|| {
        format!(
            "{keys} generated keys stand for all there could be: which keys move is listed for \
             keys that are given, with --keys"
        )
    })
}

fn fraction(
    before: &dyn Placement,
    after: &dyn Placement,
    moved: &Amount,
    all: &Amount,
    workload: Option<&Workload>,
) -> (Basis, f64, Interval) {
    let sure = |basis, part: f64| (basis, part, Interval { low: part, high: part });
    let counted = workload.is_some_and(|workload| workload.basis() == Taken::Counted);
    match (moved.keys, all.keys) {
        (Some(hits), Some(keys)) if counted => {
            let part = if keys == 0 { 0.0 } else { hits as f64 / keys as f64 };
            sure(Basis::Counted, part)
        }
        _ if moved.positions.is_some() => {
            let part = moved.positions.unwrap_or(0) as f64 / all.positions.unwrap_or(1) as f64;
            sure(Basis::Exact, part)
        }
        _ if before.fingerprint() == after.fingerprint() => sure(Basis::Exact, 0.0),
        (Some(hits), Some(keys)) => {
            let part = if keys == 0 { 0.0 } else { hits as f64 / keys as f64 };
            (Basis::Sampled, part, proportion(hits, keys))
        }
        _ => (Basis::Sampled, 0.0, proportion(0, 0)),
    }
}
