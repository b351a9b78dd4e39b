//! [`Client`]: the map of a client, which may be old.

use alloc::collections::BTreeMap;

use homing_core::{Change, Error, Node, NodeId, Placement};

use super::Route;
use crate::Slots;

/// The map that a client goes by, corrected by what nodes answer.
///
/// Source: Redis, "Redis cluster specification", "MOVED redirection" and "ASK
/// redirection".
#[derive(Clone, Debug)]
pub struct Client {
    map: Slots,
    asked: BTreeMap<u16, NodeId>, // who is asked next about a slot, once
}

/// Where a client sends a command.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Sending {
    /// To whom.
    pub to: NodeId,
    /// Whether `ASKING` goes before it.
    pub asking: bool,
}

impl Client {
    /// A client that knows this map, old or not.
    #[must_use]
    pub fn new(map: Slots) -> Self {
        Self { map, asked: BTreeMap::new() }
    }

    /// The map as the client knows it.
    #[must_use]
    pub fn map(&self) -> &Slots {
        &self.map
    }

    /// Where the next command goes whose keys are in `slot`: what an `ASK` said,
    /// once, or to the owner, or to any node if none is known. `None` only if the
    /// client knows no node.
    ///
    /// # Panics
    ///
    /// Panics if `slot` is not below 16384.
    pub fn send(&mut self, slot: u16) -> Option<Sending> {
        if let Some(to) = self.asked.remove(&slot) {
            return Some(Sending { to, asking: true });
        }
        let owner = self.map.owner_at(slot.into());
        let to = owner.or_else(|| self.map.members().iter().next().map(|(index, _)| index))?;
        Some(Sending { to: self.map.node(to).id.clone(), asking: false })
    }

    /// Takes in what a node answered to a command whose keys are in `slot`.
    ///
    /// `MOVED` corrects the map, and takes in the node if it is unknown. `ASK` holds
    /// for the next command of the slot and leaves the map. The others change
    /// nothing.
    ///
    /// # Errors
    ///
    /// Fails if there is no such slot, or if a node without an id is to be taken in.
    pub fn answered(&mut self, slot: u16, route: &Route) -> Result<(), Error> {
        if slot >= crate::SLOTS {
            return Err(Error::parameter("slot", slot, "within 0-16383"));
        }
        match route {
            Route::Ask(to) => {
                self.asked.insert(slot, to.clone());
            }
            Route::Moved(to) => {
                let index = if let Some(index) = self.map.members().index_of(to) {
                    index
                } else {
                    self.map.apply(&[Change::Add(Node::new(to.clone()))])?;
                    super::index_of(&self.map, to)?
                };
                self.map.assign(slot, index);
            }
            Route::Serve | Route::TryAgain | Route::Down(_) => {}
        }
        Ok(())
    }
}
