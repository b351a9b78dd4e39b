//! Moves counted over the keys of a workload.

use std::collections::BTreeMap;

use homing_core::{NodeIndex, Placement, Plan};

use super::Amount;
use crate::workload::{Basis as Taken, Block, Workload};

/// Two owners: before and after.
type Pair = (Option<NodeIndex>, Option<NodeIndex>);

/// What moves over the keys of a workload.
pub(super) struct Tally {
    pub(super) all: Amount,
    pub(super) flows: BTreeMap<Pair, Amount>,
    pub(super) listed: bool, // whether `moves` has every key that moves, or none
    pub(super) moves: Vec<Moved>,
}

/// A key that moves.
pub(super) struct Moved {
    pub(super) key: Vec<u8>,
    pub(super) from: Option<NodeIndex>,
    pub(super) to: Option<NodeIndex>,
    pub(super) bytes: Option<u64>,
    pub(super) requests: Option<u64>,
}

/// Counts what moves; the keys themselves are listed if they were given.
pub(super) fn count(before: &dyn Placement, after: &dyn Placement, workload: &Workload) -> Tally {
    let listed = workload.basis() == Taken::Counted;
    let route = Route::between(before, after);
    let (flows, moves) = workload.fold(
        || (BTreeMap::<Pair, Amount>::new(), Vec::new()),
        |(flows, moves), block| {
            route.each(block, |i, from, to| {
                let (bytes, requests) = (at(block.bytes, i), at(block.requests, i));
                let amount = Amount {
                    positions: None,
                    keys: Some(1),
                    bytes: bytes.map(u128::from),
                    requests: requests.map(u128::from),
                };
                flows.entry((from, to)).and_modify(|sum| sum.add(&amount)).or_insert(amount);
                if listed {
                    moves.push(Moved { key: block.keys[i].to_vec(), from, to, bytes, requests });
                }
            });
        },
        |(mut flows, mut moves), (more, rest)| {
            for (pair, amount) in more {
                flows.entry(pair).and_modify(|sum| sum.add(&amount)).or_insert(amount);
            }
            moves.extend(rest);
            (flows, moves)
        },
    );
    Tally { all: whole(workload), flows, listed, moves }
}

/// All that a workload holds.
fn whole(workload: &Workload) -> Amount {
    let totals = workload.totals();
    Amount {
        positions: None,
        keys: Some(totals.keys),
        bytes: workload.has_bytes().then_some(totals.bytes),
        requests: workload.has_requests().then_some(totals.requests),
    }
}

fn at(of: Option<&[u64]>, i: usize) -> Option<u64> {
    of.map(|of| of[i])
}

/// The way of keys from one layout to another.
struct Route<'a> {
    before: &'a dyn Placement,
    after: &'a dyn Placement,
    same_positions: bool,
    kept: Vec<Option<NodeIndex>>, // by index before: the same node's index after
}

impl<'a> Route<'a> {
    fn between(before: &'a dyn Placement, after: &'a dyn Placement) -> Self {
        Self {
            before,
            after,
            same_positions: before.keying() == after.keying(),
            kept: before.members().matched_in(after.members()),
        }
    }

    /// Tells `moved` of each key of a block that moves.
    fn each(
        &self,
        block: &Block<'_>,
        mut moved: impl FnMut(usize, Option<NodeIndex>, Option<NodeIndex>),
    ) {
        let mut from = vec![None; block.keys.len()];
        let mut to = vec![None; block.keys.len()];
        if self.same_positions {
            let positions: Vec<u64> =
                block.keys.iter().map(|key| self.before.position(key)).collect();
            self.before.owners_at(&positions, &mut from);
            self.after.owners_at(&positions, &mut to);
        } else {
            self.before.owners(block.keys, &mut from);
            self.after.owners(block.keys, &mut to);
        }
        for (i, (&from, &to)) in from.iter().zip(&to).enumerate() {
            let stays = match from {
                Some(from) => to.is_some() && self.kept[from.get()] == to,
                None => to.is_none(),
            };
            if !stays {
                moved(i, from, to);
            }
        }
    }
}

/// What measures how much moves between layouts, and nothing else of it.
#[derive(Clone, Copy, Debug)]
pub struct Gauge<'a> {
    workload: Option<&'a Workload>,
}

impl<'a> Gauge<'a> {
    /// Measures over positions, or over the keys of a workload.
    #[must_use]
    pub fn new(workload: Option<&'a Workload>) -> Self {
        Self { workload }
    }

    /// The keys it measures over, if it does.
    #[must_use]
    pub fn workload(&self) -> Option<&'a Workload> {
        self.workload
    }

    /// What moves from `before` to `after`.
    #[must_use]
    pub fn moved(&self, before: &dyn Placement, after: &dyn Placement) -> Amount {
        if let Some(workload) = self.workload {
            let route = Route::between(before, after);
            let none = Amount {
                positions: None,
                keys: Some(0),
                bytes: workload.has_bytes().then_some(0),
                requests: workload.has_requests().then_some(0),
            };
            return workload.fold(
                || none,
                |sum, block| {
                    route.each(block, |i, _, _| {
                        sum.add(&Amount {
                            positions: None,
                            keys: Some(1),
                            bytes: at(block.bytes, i).map(u128::from),
                            requests: at(block.requests, i).map(u128::from),
                        });
                    });
                },
                |mut sum, more| {
                    sum.add(&more);
                    sum
                },
            );
        }
        let positions = Plan::between(before, after)
            .map(|plan| plan.moves().iter().map(homing_core::Move::positions).sum());
        Amount { positions, ..Amount::default() }
    }
}
