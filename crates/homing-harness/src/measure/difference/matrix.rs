//! [`Matrix`]: from whom to whom.

use std::sync::Arc;

use homing_core::{NodeId, Plan};
use serde::ser::{Serialize, Serializer};

use super::Amount;
use super::pairs::{Pairs, Sums};
use super::tally::Tally;

/// What moves from one node to another.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct Flow {
    /// The owner before, `None` where there was none.
    pub from: Option<NodeId>,
    /// The owner after, `None` where there is none.
    pub to: Option<NodeId>,
    /// How much.
    #[serde(flatten)]
    pub amount: Amount,
}

/// What moves from each node to each, in order of both ids, nobody last.
///
/// Names are put to it one by one: between two large rings there are hundreds of
/// thousands of pairs.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix {
    pairs: Arc<Pairs>,
    zero: Amount, // what is counted at all
    flows: Flows,
}

/// Pairs by number, ascending, each once.
#[derive(Clone, Debug, PartialEq)]
enum Flows {
    Positions(Vec<(u64, u64)>), // one less than the positions, so that 2^64 fits
    Amounts(Vec<(u64, Amount)>),
}

impl Matrix {
    pub(super) fn new(
        pairs: Arc<Pairs>,
        zero: Amount,
        plan: Option<&Plan>,
        tally: Option<&Tally>,
    ) -> Self {
        let runs = plan.map(|plan| runs(&pairs, plan)).unwrap_or_default();
        let flows = match tally {
            None => Flows::Positions(runs),
            Some(tally) => {
                let of_runs = runs.into_iter().map(|(pair, last)| (pair, positions(zero, last)));
                let of_keys = tally.flows.iter().map(|(&(from, to), amount)| {
                    (pairs.number(from, to), Amount { positions: zero.positions, ..*amount })
                });
                Flows::Amounts(summed(of_runs.chain(of_keys).collect()))
            }
        };
        Self { pairs, zero, flows }
    }

    /// How many pairs there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.flows {
            Flows::Positions(flows) => flows.len(),
            Flows::Amounts(flows) => flows.len(),
        }
    }

    /// Whether nothing moves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What moves, pair by pair.
    pub fn iter(&self) -> impl Iterator<Item = Flow> {
        self.flows().map(|(pair, amount)| {
            let (from, to) = self.pairs.nodes(pair);
            Flow { from: from.cloned(), to: to.cloned(), amount }
        })
    }

    /// What moves in all, and of whom.
    pub(super) fn sums(&self) -> Sums<Amount> {
        match &self.flows {
            Flows::Positions(flows) => {
                let flows = flows.iter().map(|&(pair, last)| (pair, u128::from(last) + 1));
                let sums = self.pairs.sums(flows, 0, |sum, more| *sum += more);
                let of = |count: u128| match self.zero.positions {
                    Some(_) => Amount { positions: Some(count), ..self.zero },
                    None => self.zero,
                };
                Sums {
                    moved: of(sums.moved),
                    gains_owner: of(sums.gains_owner),
                    loses_owner: of(sums.loses_owner),
                    givers: sums.givers.into_iter().map(|sum| sum.map(of)).collect(),
                    takers: sums.takers.into_iter().map(|sum| sum.map(of)).collect(),
                }
            }
            Flows::Amounts(flows) => {
                self.pairs.sums(flows.iter().copied(), self.zero, |sum, more| sum.add(&more))
            }
        }
    }

    fn flows(&self) -> impl Iterator<Item = (u64, Amount)> {
        (0..self.len()).map(|i| match &self.flows {
            Flows::Positions(flows) => (flows[i].0, positions(self.zero, flows[i].1)),
            Flows::Amounts(flows) => flows[i],
        })
    }
}

impl Serialize for Matrix {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

fn positions(zero: Amount, last: u64) -> Amount {
    Amount { positions: Some(u128::from(last) + 1), ..zero }
}

/// One less than the positions of each pair, in order of the pairs.
fn runs(pairs: &Pairs, plan: &Plan) -> Vec<(u64, u64)> {
    // Giver by giver, so that what is sorted is short and stays in the first cache.
    let moves = plan.moves();
    let mut ends = pairs.counted_by_giver(moves.iter().map(|run| run.from));
    let mut runs = vec![(0, 0); moves.len()];
    for run in moves.iter().rev() {
        let end = &mut ends[pairs.giver(run.from)];
        *end -= 1;
        runs[*end] = (pairs.number(run.from, run.to), run.last - run.first);
    }
    let mut starts = ends.into_iter().peekable();
    while let Some(start) = starts.next() {
        let end = starts.peek().copied().unwrap_or(moves.len());
        runs[start..end].sort_unstable_by_key(|run| run.0);
    }
    runs.dedup_by(|next, sum| {
        let same = next.0 == sum.0;
        if same {
            sum.1 += next.1 + 1;
        }
        same
    });
    runs
}

/// Sums up what has the same pair; in order of the pairs.
fn summed(mut flows: Vec<(u64, Amount)>) -> Vec<(u64, Amount)> {
    flows.sort_unstable_by_key(|flow| flow.0);
    flows.dedup_by(|next, sum| {
        let same = next.0 == sum.0;
        if same {
            sum.1.add(&next.1);
        }
        same
    });
    flows
}
