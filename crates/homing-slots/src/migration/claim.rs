//! [`Claim`]: what a node tells all others, and what they make of it.

use alloc::vec::Vec;
use core::ops::RangeInclusive;

use homing_core::{Error, NodeId, Placement};

use super::NodeView;
use crate::SLOTS;

/// What a node says of itself in every message.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Claim {
    /// The node.
    pub node: NodeId,
    /// Its configuration epoch.
    pub config_epoch: u64,
    /// The greatest epoch that it knows of.
    pub current_epoch: u64,
    /// The slots that it owns and has not released, in ascending runs.
    pub slots: Vec<RangeInclusive<u16>>,
}

/// What came of a claim.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Heard {
    /// The slots that have the claimant as their owner from now on, ascending.
    pub taken: Vec<u16>,
    /// The slots that another node has under an epoch not below the claim's, and
    /// those on their way here: they stay whose they are. Ascending.
    pub refused: Vec<u16>,
    /// Whether this node took another configuration epoch, because the claimant has
    /// the same: of two that have, the one with the lesser id does.
    pub raised: bool,
}

impl NodeView {
    /// What this node tells all others.
    #[must_use]
    pub fn claim(&self) -> Claim {
        let mut slots: Vec<RangeInclusive<u16>> = Vec::new();
        for slot in (0..SLOTS).filter(|&slot| self.claims(slot)) {
            match slots.last_mut() {
                Some(run) if run.end() + 1 == slot => *run = *run.start()..=slot,
                _ => slots.push(slot..=slot),
            }
        }
        Claim {
            node: self.id().clone(),
            config_epoch: self.config_epoch,
            current_epoch: self.current_epoch,
            slots,
        }
    }

    /// Takes in what another node claims.
    ///
    /// A slot without an owner is the claimant's. One with another owner is, if the
    /// claim's epoch is greater than the one under which that owner has it, unless it
    /// is on its way here. What this node was handing over and loses is closed. A
    /// claim that is late therefore changes nothing. Its own claim is passed over.
    ///
    /// # Errors
    ///
    /// Fails, and changes nothing, if the claimant is no member, or claims a slot
    /// beyond 16383.
    pub fn hear(&mut self, claim: &Claim) -> Result<Heard, Error> {
        let claimant = super::index_of(&self.slots, &claim.node)?;
        if let Some(run) = claim.slots.iter().find(|run| *run.end() >= SLOTS) {
            return Err(Error::parameter("claimed slot", run.end(), "within 0-16383"));
        }
        let mut heard = Heard::default();
        if claimant == self.at {
            return Ok(heard);
        }
        self.current_epoch = self.current_epoch.max(claim.current_epoch).max(claim.config_epoch);
        for slot in claim.slots.iter().cloned().flatten() {
            let epoch = &mut self.epochs[usize::from(slot)];
            let owner = self.slots.owner_at(slot.into());
            if owner == Some(claimant) {
                *epoch = (*epoch).max(claim.config_epoch);
            } else if self.incoming.contains_key(&slot)
                || (owner.is_some() && claim.config_epoch <= *epoch)
            {
                heard.refused.push(slot);
            } else {
                *epoch = claim.config_epoch;
                self.slots.assign(slot, claimant);
                self.outgoing.remove(&slot);
                heard.taken.push(slot);
            }
        }
        heard.raised = claim.config_epoch == self.config_epoch && *self.id() < claim.node;
        if heard.raised {
            self.raise();
        }
        Ok(heard)
    }
}
