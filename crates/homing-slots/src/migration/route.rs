//! [`Route`]: what a node answers to a command.

use core::fmt;

use homing_core::NodeId;

use crate::{Unserved, slot};

/// What a node does with a command.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Route {
    /// It serves it.
    Serve,
    /// `ASK`: this once the other node is to be asked, with `ASKING` before it.
    Ask(NodeId),
    /// `MOVED`: the slot is the other node's.
    Moved(NodeId),
    /// `TRYAGAIN`: some of the keys are here and some are not, or a key would be new
    /// where no new ones are taken.
    TryAgain,
    /// `CLUSTERDOWN`: the slot, or any slot, has no owner.
    Down(Unserved),
}

/// How many of the keys of a command are at the node that got it.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct Keys {
    /// Those that are here.
    pub here: u32,
    /// Those that are not.
    pub missing: u32,
}

impl Keys {
    /// A single key.
    #[must_use]
    pub fn one(is_here: bool) -> Self {
        Self { here: is_here.into(), missing: (!is_here).into() }
    }

    /// Several keys, of each of which is told whether it is here.
    pub fn counted(are_here: impl IntoIterator<Item = bool>) -> Self {
        are_here.into_iter().map(Self::one).fold(Self::default(), |sum, key| Self {
            here: sum.here.saturating_add(key.here),
            missing: sum.missing.saturating_add(key.missing),
        })
    }
}

/// A command whose keys are in several slots: no node takes it.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct CrossSlot {
    /// The slot of the first key.
    pub slot: u16,
    /// The slot of the first key that is in another.
    pub other: u16,
}

impl fmt::Display for CrossSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "keys are in slots {} and {}, but must be in one", self.slot, self.other)
    }
}

impl core::error::Error for CrossSlot {}

/// Returns the one slot of the keys of a command, or `None` if it has no keys.
///
/// # Errors
///
/// Fails if they are in several slots, and names two.
pub fn slot_of(keys: &[&[u8]]) -> Result<Option<u16>, CrossSlot> {
    let mut slots = keys.iter().map(|key| slot(key));
    let Some(slot) = slots.next() else { return Ok(None) };
    match slots.find(|&other| other != slot) {
        Some(other) => Err(CrossSlot { slot, other }),
        None => Ok(Some(slot)),
    }
}
