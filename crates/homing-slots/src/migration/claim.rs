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
    /// Its configuration epoch, at most 2^63 - 1.
    pub config_epoch: u64,
    /// The greatest epoch that it knows of, at most 2^63 - 1.
    pub current_epoch: u64,
    /// The slots that it owns and has not released, in ascending runs apart from each
    /// other.
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

impl Claim {
    fn check(&self) -> Result<(), Error> {
        check_epoch(self.config_epoch)?;
        check_epoch(self.current_epoch)?;
        let mut next = 0;
        for run in &self.slots {
            let (&first, &last) = (run.start(), run.end());
            if run.is_empty() || first < next || last >= SLOTS {
                let value = alloc::format!("{first}-{last}");
                return Err(Error::parameter("claimed run", value, "ascending within 0-16383"));
            }
            next = last + 1;
        }
        Ok(())
    }
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
    /// Fails, and changes nothing, if the claimant is no member, if an epoch is above
    /// 2^63 - 1, or if the runs of slots do not ascend or go beyond 16383.
    pub fn hear(&mut self, claim: &Claim) -> Result<Heard, Error> {
        let claimant = super::index_of(&self.slots, &claim.node)?;
        claim.check()?;
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

/// Refuses an epoch from which there might be no next one.
pub(super) fn check_epoch(epoch: u64) -> Result<(), Error> {
    if i64::try_from(epoch).is_err() {
        return Err(Error::parameter("epoch", epoch, "at most 9223372036854775807"));
    }
    Ok(())
}
