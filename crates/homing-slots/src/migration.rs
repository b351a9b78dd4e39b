//! [`NodeView`]: one node of a cluster, and the slots on their way to and from it.

mod claim;
mod client;
mod route;

use alloc::boxed::Box;
use alloc::collections::BTreeMap;
use alloc::format;
use alloc::vec;

use homing_core::{Change, Error, Node, NodeId, NodeIndex, Placement};

pub use self::claim::{Claim, Heard};
pub use self::client::{Client, Sending};
pub use self::route::{CrossSlot, Keys, Route, slot_of};
use crate::{Coverage, SLOTS, Slots};

/// The slots as one node knows them, and those on their way to and from it.
///
/// A slot moves in these steps, which an operator takes between two nodes; nothing
/// here sends anything:
///
/// 1. the target [begins to import](Self::begin_importing), the source
///    [begins to migrate](Self::begin_migrating);
/// 2. keys are moved one by one; a command goes where [`route`](Self::route) says;
/// 3. the source, empty now, [releases](Self::release) the slot, and with the
///    [`Release`] the target [finishes](Self::finish) the move;
/// 4. the [`Claim`] that comes of it is [heard](Self::hear) by all others.
///
/// To cancel, the target [turns back](Self::turn_back), and the keys are moved back;
/// the target, empty now, [withdraws](Self::withdraw), and with the [`Withdrawal`] the
/// source [cancels](Self::cancel) the move. Before such a move is begun again, every
/// client must have followed the `ASK` that it was given.
///
/// Under those rules no key is served by two nodes, and none is lost, however the
/// steps, the commands and the claims come in between each other.
///
/// The states, redirections and epochs are those of the specification, with three
/// differences on the safe side: a target that turns back takes no new key, which a
/// client with an `ASK` from before would have it do; an epoch is kept with each slot
/// instead of with its owner; and a slot that is released is not claimed. So a node
/// that is given another slot meanwhile does not take back the one that it has handed
/// on.
///
/// Source: Redis, "Redis cluster specification", "Redirection and resharding".
#[derive(Clone, Debug)]
pub struct NodeView {
    at: NodeIndex,
    slots: Slots,
    coverage: Coverage,
    epochs: Box<[u64]>, // by slot, 16384: under which its owner claimed it
    config_epoch: u64,  // of this node; at most `current_epoch`
    current_epoch: u64, // the greatest one it knows of
    outgoing: BTreeMap<u16, Outgoing>, // slots of this node
    incoming: BTreeMap<u16, Incoming>, // slots of others
}

/// A slot on its way to another node.
#[derive(Clone, Copy, Debug)]
struct Outgoing {
    to: NodeIndex,
    is_released: bool,
}

/// A slot on its way here.
#[derive(Clone, Copy, Debug)]
struct Incoming {
    from: NodeIndex,
    is_turned_back: bool,
}

/// The source's word that it has no key of a slot left and gets none any more.
#[derive(Debug)]
#[must_use = "the target finishes the move with it"]
pub struct Release {
    slot: u16,
    from: NodeId,
    to: NodeId,
    epoch: u64, // under which the source claimed the slot last
}

/// The target's word that it has no key of a slot and gets none any more.
#[derive(Debug)]
#[must_use = "the source cancels the move with it"]
pub struct Withdrawal {
    slot: u16,
    from: NodeId,
    to: NodeId,
}

impl NodeView {
    /// The view of the node `at`, which knows this map and the configuration epoch
    /// of each node, as far as they are told; 0 where they are not.
    ///
    /// Full coverage is required unless [`with_coverage`](Self::with_coverage) says
    /// otherwise.
    ///
    /// # Errors
    ///
    /// Fails if `at` or a node with an epoch is no member, or if an epoch is above
    /// 2^63 - 1.
    pub fn new(at: &NodeId, slots: Slots, config_epochs: &[(NodeId, u64)]) -> Result<Self, Error> {
        let at = index_of(&slots, at)?;
        let mut by_node = vec![0; slots.members().index_bound()];
        for (node, epoch) in config_epochs {
            claim::check_epoch(*epoch)?;
            by_node[index_of(&slots, node)?.get()] = *epoch;
        }
        let epoch = |slot: u16| slots.owner_at(slot.into()).map_or(0, |owner| by_node[owner.get()]);
        Ok(Self {
            at,
            epochs: (0..SLOTS).map(epoch).collect(),
            coverage: Coverage::default(),
            config_epoch: by_node[at.get()],
            current_epoch: by_node.iter().copied().max().unwrap_or_default(),
            outgoing: BTreeMap::new(),
            incoming: BTreeMap::new(),
            slots,
        })
    }

    /// The view with another rule of what is served while slots have no owner.
    #[must_use]
    pub fn with_coverage(self, coverage: Coverage) -> Self {
        Self { coverage, ..self }
    }

    /// The node whose view it is.
    #[must_use]
    pub fn id(&self) -> &NodeId {
        &self.slots.node(self.at).id
    }

    /// The map as this node knows it; a slot on the move is its source's.
    #[must_use]
    pub fn slots(&self) -> &Slots {
        &self.slots
    }

    /// The configuration epoch of this node. It never goes back.
    #[must_use]
    pub fn config_epoch(&self) -> u64 {
        self.config_epoch
    }

    /// The greatest epoch that this node knows of. It never goes back.
    #[must_use]
    pub fn current_epoch(&self) -> u64 {
        self.current_epoch
    }

    /// The slots that leave this node, ascending, each with who gets it.
    pub fn migrating(&self) -> impl Iterator<Item = (u16, &NodeId)> {
        self.outgoing.iter().map(|(&slot, out)| (slot, &self.slots.node(out.to).id))
    }

    /// The slots that come to this node, ascending, each with who hands it over.
    pub fn importing(&self) -> impl Iterator<Item = (u16, &NodeId)> {
        self.incoming.iter().map(|(&slot, it)| (slot, &self.slots.node(it.from).id))
    }

    /// Takes in a node that owns nothing.
    ///
    /// # Errors
    ///
    /// Fails if it is a member already.
    pub fn meet(&mut self, node: Node) -> Result<(), Error> {
        self.slots.apply(&[Change::Add(node)])
    }

    /// Opens a slot of another node, to be imported from `from`.
    ///
    /// # Errors
    ///
    /// Fails if the slot is this node's or on its way here already, if `from` is
    /// this node or no member, or if there is no such slot.
    pub fn begin_importing(&mut self, slot: u16, from: &NodeId) -> Result<(), Error> {
        let from = self.other(from)?;
        let is_mine = self.owner(slot)? == Some(self.at) && !self.has_released(slot);
        if is_mine || self.incoming.contains_key(&slot) {
            return Err(self.unfit(slot, "of another node and not on its way here"));
        }
        // What this node has released it may get back before it hears whose it was.
        if self.outgoing.remove(&slot).is_some() {
            self.slots.assign(slot, from);
        }
        self.incoming.insert(slot, Incoming { from, is_turned_back: false });
        Ok(())
    }

    /// Opens a slot of this node, to be migrated to `to`.
    ///
    /// # Errors
    ///
    /// Fails if the slot is not this node's or on its way out already, if `to` is
    /// this node or no member, or if there is no such slot.
    pub fn begin_migrating(&mut self, slot: u16, to: &NodeId) -> Result<(), Error> {
        let to = self.other(to)?;
        let is_mine = self.owner(slot)? == Some(self.at);
        if !is_mine || self.outgoing.contains_key(&slot) {
            return Err(self.unfit(slot, "of this node and not on its way out"));
        }
        self.outgoing.insert(slot, Outgoing { to, is_released: false });
        Ok(())
    }

    /// Gives up a slot that is on its way out, `keys` of which are still here.
    ///
    /// From now on only a [`Claim`] closes it. Until then commands are sent after it
    /// by `ASK`, as before.
    ///
    /// # Errors
    ///
    /// Fails if keys are still here, or if the slot is not on its way out or
    /// released already.
    pub fn release(&mut self, slot: u16, keys: usize) -> Result<Release, Error> {
        let Some(&Outgoing { to, is_released: false }) = self.outgoing.get(&slot) else {
            return Err(self.unfit(slot, "on its way out and not released"));
        };
        none_left(keys)?;
        self.outgoing.insert(slot, Outgoing { to, is_released: true });
        let epoch = self.epochs[usize::from(slot)];
        let to = self.slots.node(to).id.clone();
        Ok(Release { slot, from: self.id().clone(), to, epoch })
    }

    /// Takes over a slot that its source has released.
    ///
    /// This node gets a new configuration epoch, above all that it knows of and
    /// above the one under which the source had the slot: what is to be told to all
    /// others is returned.
    ///
    /// # Errors
    ///
    /// Fails if the release is for another node, or if the slot is not on its way
    /// here from its source.
    pub fn finish(&mut self, release: Release) -> Result<Claim, Error> {
        let Release { slot, from, to, epoch } = release;
        let from = self.other(&from)?;
        if to != *self.id() || self.incoming.get(&slot).is_none_or(|it| it.from != from) {
            return Err(self.unfit(slot, "released to this node, and on its way here"));
        }
        self.incoming.remove(&slot);
        self.slots.assign(slot, self.at);
        self.current_epoch = self.current_epoch.max(epoch);
        self.raise();
        Ok(self.claim())
    }

    /// Takes no new key of a slot that is on its way here: what has come is to be
    /// moved back.
    ///
    /// # Errors
    ///
    /// Fails if the slot is not on its way here.
    pub fn turn_back(&mut self, slot: u16) -> Result<(), Error> {
        let Some(incoming) = self.incoming.get_mut(&slot) else {
            return Err(self.unfit(slot, "on its way here"));
        };
        incoming.is_turned_back = true;
        Ok(())
    }

    /// Gives up importing a slot, `keys` of which are here.
    ///
    /// # Errors
    ///
    /// Fails if keys are here, which have to be moved back first, or if the slot is
    /// not on its way here.
    pub fn withdraw(&mut self, slot: u16, keys: usize) -> Result<Withdrawal, Error> {
        let Some(&Incoming { from, .. }) = self.incoming.get(&slot) else {
            return Err(self.unfit(slot, "on its way here"));
        };
        none_left(keys)?;
        self.incoming.remove(&slot);
        let from = self.slots.node(from).id.clone();
        Ok(Withdrawal { slot, from, to: self.id().clone() })
    }

    /// Keeps a slot that was on its way to a node that has withdrawn.
    ///
    /// Also if the move was never begun here: then nothing is changed.
    ///
    /// # Errors
    ///
    /// Fails if the withdrawal is for another node, if the slot is on its way to
    /// another one, or if it is released already.
    pub fn cancel(&mut self, withdrawal: Withdrawal) -> Result<(), Error> {
        let Withdrawal { slot, from, to } = withdrawal;
        let to = self.other(&to)?;
        let is_here = from == *self.id();
        match self.outgoing.get(&slot) {
            None if is_here => {}
            Some(out) if is_here && out.to == to && !out.is_released => {
                self.outgoing.remove(&slot);
            }
            _ => return Err(self.unfit(slot, "on its way to who withdraws, and not released")),
        }
        Ok(())
    }

    /// Where a command goes whose keys are in `slot`; `asking` if `ASKING` came
    /// before it. A command without keys is served anywhere.
    ///
    /// # Panics
    ///
    /// Panics if `slot` is not below 16384.
    #[must_use]
    pub fn route(&self, slot: u16, keys: Keys, asking: bool) -> Route {
        if keys == Keys::default() {
            return Route::Serve;
        }
        let owner = match self.slots.serve(slot, self.coverage) {
            Ok(owner) => owner,
            Err(unserved) => return Route::Down(unserved),
        };
        let id = |node| self.slots.node(node).id.clone();
        if owner == self.at {
            return match self.outgoing.get(&slot) {
                None => Route::Serve,
                Some(_) if keys.missing == 0 => Route::Serve,
                Some(out) if keys.here == 0 => Route::Ask(id(out.to)),
                Some(_) => Route::TryAgain,
            };
        }
        if let Some(incoming) = self.incoming.get(&slot).filter(|_| asking) {
            // One missing key is a new one. Of several some may still be at the source.
            let is_new = keys == Keys::one(false) && !incoming.is_turned_back;
            let is_served = keys.missing == 0 || is_new;
            return if is_served { Route::Serve } else { Route::TryAgain };
        }
        Route::Moved(id(owner))
    }

    /// Takes a configuration epoch above all that it knows of.
    fn raise(&mut self) {
        self.current_epoch += 1;
        self.config_epoch = self.current_epoch;
        for slot in 0..SLOTS {
            if self.claims(slot) {
                self.epochs[usize::from(slot)] = self.config_epoch;
            }
        }
    }

    /// Whether this node owns the slot and has not released it.
    fn claims(&self, slot: u16) -> bool {
        self.slots.owner_at(slot.into()) == Some(self.at) && !self.has_released(slot)
    }

    fn has_released(&self, slot: u16) -> bool {
        self.outgoing.get(&slot).is_some_and(|out| out.is_released)
    }

    fn owner(&self, slot: u16) -> Result<Option<NodeIndex>, Error> {
        if slot >= SLOTS {
            return Err(Error::parameter("slot", slot, "within 0-16383"));
        }
        Ok(self.slots.owner_at(slot.into()))
    }

    /// A member that is not this node.
    fn other(&self, id: &NodeId) -> Result<NodeIndex, Error> {
        let index = index_of(&self.slots, id)?;
        if index == self.at {
            return Err(Error::parameter("other node", format!("{id:?}"), "another than this one"));
        }
        Ok(index)
    }

    fn unfit(&self, slot: u16, rule: &'static str) -> Error {
        Error::parameter("slot", format!("{slot} at {:?}", self.id()), rule)
    }
}

fn none_left(keys: usize) -> Result<(), Error> {
    if keys > 0 {
        return Err(Error::parameter("number of keys of the slot that are here", keys, "0"));
    }
    Ok(())
}

fn index_of(slots: &Slots, id: &NodeId) -> Result<NodeIndex, Error> {
    slots.members().index_of(id).ok_or_else(|| Error::UnknownNode { id: id.clone() })
}
