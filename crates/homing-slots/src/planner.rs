//! [`Prefer`] and what it plans: the moves of an operator who wants more than few
//! moves.

mod level;
mod line;
mod order;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use homing_core::{Error, NodeIndex, Placement};

use self::line::Line;
use self::order::order_of;
use crate::rebalance::handovers;
use crate::{Handover, SLOTS, Slots};

/// What a plan keeps smallest.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Prefer {
    /// The moves, as a rebalance does.
    #[default]
    Moves,
    /// The ranges of the map that comes of it: one for each node that is due slots.
    Ranges,
}

/// What no plan to the quotas goes below whose map has the fewest ranges.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RangesBound {
    /// The ranges of the map after it.
    pub ranges: usize,
    /// The slots that move.
    pub moved: usize,
}

impl Slots {
    /// Up to so many nodes that are due slots a plan in ranges tries every order of
    /// them; beyond, its moves are few, but not certainly the fewest.
    pub const ORDERED_NODES: usize = order::TRIED;

    /// What brings every node to its quota, block by block.
    ///
    /// Under [`Prefer::Moves`] it is [`rebalance_moves`](Self::rebalance_moves).
    /// Under [`Prefer::Ranges`] the slots that have an owner are laid out anew, one
    /// range for each node; where slots without an owner lie within, a range is cut
    /// by them. The order of the nodes is the one that moves fewest slots: found by
    /// trying all orders (by subsets) for up to [`ORDERED_NODES`](Self::ORDERED_NODES)
    /// nodes of a quota above 0. Beyond that it moves few, not certainly the fewest:
    /// by order of what they hold, with neighbours in the best of their orders and
    /// single nodes put elsewhere for as long as that saves moves;
    /// [`bound_in_ranges`](Self::bound_in_ranges) says how many it could save at
    /// most. Where the fewest moves leave no more ranges, they are told.
    ///
    /// The subsets are those of M. Held and R. M. Karp, "A dynamic programming
    /// approach to sequencing problems", Journal of SIAM 10 (1962).
    #[must_use]
    pub fn moves_to_quotas(&self, prefer: Prefer) -> Vec<Handover> {
        let owners = owners_of(self);
        let fewest = handovers(self.members(), &owners);
        match prefer {
            Prefer::Moves => fewest,
            Prefer::Ranges => {
                let line = Line::by_quota(self.members(), &owners);
                let laid = line.moves(&order_of(&line), &owners);
                let figures = |moves: &[Handover]| (ranges_after(&owners, moves), count_of(moves));
                if figures(&fewest) <= figures(&laid) { fewest } else { laid }
            }
        }
    }

    /// What no plan goes below that brings every node to its quota in the fewest
    /// ranges.
    ///
    /// Where the slots that have an owner are one run, `ranges` are the fewest, and up
    /// to [`ORDERED_NODES`](Self::ORDERED_NODES) nodes of a quota above 0 `moved` is
    /// the least of all orders. Beyond, `moved` is what would move if each node could
    /// choose the place of its range alone: the least of all orders can be more.
    /// Where slots without an owner lie within, the fewest ranges can be more than
    /// `ranges`, and `moved` is the least of any plan to the quotas.
    #[must_use]
    pub fn bound_in_ranges(&self) -> RangesBound {
        let owners = owners_of(self);
        let line = Line::by_quota(self.members(), &owners);
        let places = line.places().len();
        let covered = owners.chunk_by(|a, b| a.is_some() == b.is_some());
        let runs = covered.filter(|run| run[0].is_some()).count();
        let moved = if runs > 1 {
            count_of(&handovers(self.members(), &owners))
        } else if places <= Self::ORDERED_NODES {
            count_of(&line.moves(&order_of(&line), &owners))
        } else {
            line.least_moved()
        };
        let ranges = if runs == 0 { 0 } else { places.max(runs) };
        RangesBound { ranges, moved }
    }

    /// What levels the load of the nodes, block by block.
    ///
    /// `loads[slot]` is what the slot weighs: keys, bytes or requests. A node is
    /// due its part of the weights.
    ///
    /// Under [`Prefer::Moves`] few slots move. Nodes of weight 0 hand over all they
    /// have. Then, while the node with the greatest load over its weight has more than
    /// `within` thousandths above its due, it hands over the one slot, to the one
    /// node, that leaves the lesser of the greater of both; until no slot of that
    /// node does. Slots of no load stay where they are, but on nodes of weight 0.
    /// At the end, if all weights are equal, the greatest load is above the mean
    /// by at most the least load above 0 among its slots, or by `within`. It need
    /// not be the least that there can be: that is to pack bins. R. L. Graham,
    /// "Bounds on multiprocessing timing anomalies", SIAM Journal on Applied
    /// Mathematics 17 (1969).
    ///
    /// Under [`Prefer::Ranges`] the slots that have an owner are laid out in at most
    /// one range for each node, in an order chosen as in
    /// [`moves_to_quotas`](Self::moves_to_quotas). A range ends where the load up to
    /// it is nearest to what it and those before it are due, so that nobody has more
    /// above its due than the greatest load of a slot: `within` is met if that load
    /// is no more than `within` thousandths of every due. Slots without an owner that
    /// lie within a range cut it.
    ///
    /// # Errors
    ///
    /// Fails if there are not 16384 loads.
    pub fn moves_to_level(
        &self,
        loads: &[u64],
        within: u32,
        prefer: Prefer,
    ) -> Result<Vec<Handover>, Error> {
        if loads.len() != usize::from(SLOTS) {
            return Err(Error::parameter("loads", loads.len(), "16384, one a slot"));
        }
        let before = owners_of(self);
        Ok(match prefer {
            Prefer::Moves => {
                let after = level::levelled(self.members(), &before, loads, within);
                between(self, &before, &after)
            }
            Prefer::Ranges => {
                let line = Line::by_load(self.members(), &before, loads);
                line.moves(&order_of(&line), &before)
            }
        })
    }
}

/// How many slots move.
fn count_of(moves: &[Handover]) -> usize {
    moves.iter().map(|it| it.slots.len()).sum()
}

/// The owner of each slot.
fn owners_of(slots: &Slots) -> Vec<Option<NodeIndex>> {
    (0..SLOTS).map(|slot| slots.owner_at(slot.into())).collect()
}

/// The handovers from one map to another, in order of the ids of giver and taker.
fn between(
    slots: &Slots,
    before: &[Option<NodeIndex>],
    after: &[Option<NodeIndex>],
) -> Vec<Handover> {
    let id = |index| &slots.node(index).id;
    let mut moves = BTreeMap::<_, Handover>::new();
    for (slot, (&from, &to)) in (0_u16..).zip(before.iter().zip(after)) {
        let (Some(from), Some(to)) = (from, to) else { continue };
        if from != to {
            let handover = || Handover { from, to, slots: Vec::new() };
            moves.entry((id(from), id(to))).or_insert_with(handover).slots.push(slot);
        }
    }
    moves.into_values().collect()
}

/// How many ranges the map has after some moves.
fn ranges_after(owners: &[Option<NodeIndex>], moves: &[Handover]) -> usize {
    let mut owners = owners.to_vec();
    for Handover { to, slots, .. } in moves {
        for &slot in slots {
            owners[usize::from(slot)] = Some(*to);
        }
    }
    owners.chunk_by(|a, b| a == b).filter(|run| run[0].is_some()).count()
}
