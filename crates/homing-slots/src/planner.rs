//! [`Prefer`] and what it plans: the moves of an operator who wants more than few
//! moves.

mod level;
mod line;

use alloc::collections::BTreeMap;
use alloc::vec::Vec;

use homing_core::{Error, NodeIndex, Placement};

use crate::rebalance::handovers;
use crate::{Handover, SLOTS, Slots};

/// What a plan to the quotas keeps smallest.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Prefer {
    /// The moves, as a rebalance does.
    #[default]
    Moves,
    /// The ranges of the map that comes of it: one for each node that has slots.
    Ranges,
}

impl Slots {
    /// What brings every node to its quota, block by block.
    ///
    /// Under [`Prefer::Moves`] it is [`rebalance_moves`](Self::rebalance_moves).
    /// Under [`Prefer::Ranges`] the slots that have an owner are laid out anew, one
    /// range for each node; where slots without an owner lie within, a range is cut
    /// by them. The order of the nodes is the one that moves fewest slots: found by
    /// trying all orders (by subsets) for up to 12 nodes of a quota above 0, beyond
    /// that by order of what they hold, with neighbours exchanged for as long as
    /// that saves moves. Where the fewest moves leave no more ranges, they are told.
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
                let laid = line::laid_out(self.members(), &owners);
                let figures = |moves: &[Handover]| {
                    let moved: usize = moves.iter().map(|it| it.slots.len()).sum();
                    (ranges_after(&owners, moves), moved)
                };
                if figures(&fewest) <= figures(&laid) { fewest } else { laid }
            }
        }
    }

    /// What levels the load of the nodes with few moves, block by block.
    ///
    /// `loads[slot]` is what the slot weighs: keys, bytes or requests. A node is
    /// due its part of the weights. Nodes of weight 0 hand over all they have.
    /// Then, while the node with the greatest load over its weight has more than
    /// `within` thousandths above its due, it hands over the one slot, to the one
    /// node, that leaves the lesser of the greater of both; until no slot of that
    /// node does. Slots of no load stay where they are, but on nodes of weight 0.
    ///
    /// At the end, if all weights are equal, the greatest load is above the mean
    /// by at most the least load above 0 among its slots, or by `within`. It need
    /// not be the least that there can be: that is to pack bins. R. L. Graham,
    /// "Bounds on multiprocessing timing anomalies", SIAM Journal on Applied
    /// Mathematics 17 (1969).
    ///
    /// # Errors
    ///
    /// Fails if there are not 16384 loads.
    pub fn moves_to_level(&self, loads: &[u64], within: u32) -> Result<Vec<Handover>, Error> {
        if loads.len() != usize::from(SLOTS) {
            return Err(Error::parameter("loads", loads.len(), "16384, one a slot"));
        }
        let before = owners_of(self);
        let after = level::levelled(self.members(), &before, loads, within);
        Ok(between(self, &before, &after))
    }
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
