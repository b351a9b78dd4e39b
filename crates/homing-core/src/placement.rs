//! The two traits a family implements: [`Placement`] to be asked, [`Build`] to
//! be made.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;

use crate::{Change, Error, Family, Fingerprint, Members, Node, NodeIndex, Segments};

/// A map from keys to the nodes that own them.
///
/// A value of this trait is one layout: the map for one membership under one
/// configuration. [`apply`](Self::apply) changes it in place;
/// [`with_changes`](Self::with_changes) leaves it as it is and returns the next
/// one, so both can be asked while data moves.
///
/// # Contract
///
/// Callers rely on these, and `homing_core::dev` checks them:
///
/// - **Deterministic.** Equal configurations and equal memberships give equal
///   maps, in every process and on every platform.
/// - **Pure.** `position` depends on the key and the configuration, never on
///   the membership. `owner_at` depends on the layout alone.
/// - **Total.** `owner_at` is `None` only where the operator has left a
///   position without an owner. A family that derives ownership from the
///   membership covers every position.
/// - **Honest.** A change disturbs no more keys than
///   [`Capabilities::disruption`](crate::Capabilities::disruption) promises.
///
/// # Implementing
///
/// Eight methods are required. The provided ones are correct for every family;
/// override one only to make it faster, or to add what the family can do
/// (`replicas_at`, `segments`).
pub trait Placement: DynPlacement + fmt::Debug + Send + Sync {
    /// The family this layout belongs to, with what it can and cannot do.
    fn family(&self) -> &'static Family;

    /// The members. A node keeps its [`NodeIndex`] as long as it stays.
    fn members(&self) -> &Members;

    /// Returns the position of a key, in `0..=self.max_position()`.
    ///
    /// The bytes are taken as they are. Callers fix the encoding of their keys.
    fn position(&self, key: &[u8]) -> u64;

    /// Returns the owner of a position, or `None` if it has none.
    ///
    /// # Panics
    ///
    /// May panic if `position > self.max_position()`.
    fn owner_at(&self, position: u64) -> Option<NodeIndex>;

    /// Makes `changes`, in order and as one step.
    ///
    /// # Errors
    ///
    /// Fails, and changes nothing, if a change names an unknown or duplicate
    /// node, asks for what the family cannot do, or leaves no node to own keys.
    fn apply(&mut self, changes: &[Change]) -> Result<(), Error>;

    /// A digest of everything that decides owners and replicas: family,
    /// configuration, ids, weights, zones.
    ///
    /// Two layouts with equal fingerprints place every key on the same nodes.
    /// Compare fingerprints before switching traffic to a new layout.
    fn fingerprint(&self) -> Fingerprint;

    /// A digest of what decides [`position`](Self::position): the range, the
    /// hash and its seed, the tag rule.
    ///
    /// Layouts with equal keyings give every key the same position.
    fn keying(&self) -> Fingerprint;

    /// The heap memory behind this layout, in bytes, without `size_of::<Self>()`.
    fn memory_usage(&self) -> usize;

    /// The greatest position. Positions start at zero.
    fn max_position(&self) -> u64 {
        u64::MAX
    }

    /// Returns the layout after `changes`, and leaves this one as it is.
    ///
    /// # Errors
    ///
    /// As [`apply`](Self::apply).
    fn with_changes(&self, changes: &[Change]) -> Result<Self, Error>
    where
        Self: Sized + Clone,
    {
        let mut next = self.clone();
        next.apply(changes)?;
        Ok(next)
    }

    /// Returns the node behind an index that this layout returned.
    ///
    /// # Panics
    ///
    /// Panics if no member has this index.
    fn node(&self, index: NodeIndex) -> &Node {
        &self.members()[index]
    }

    /// Returns the node that owns a key, or `None` if its position has no owner.
    fn owner(&self, key: &[u8]) -> Option<&Node> {
        self.owner_at(self.position(key)).map(|index| self.node(index))
    }

    /// Writes the owner of `positions[i]` to `owners[i]`.
    ///
    /// Through `dyn Placement` this costs one indirect call a batch, not one a
    /// position.
    ///
    /// # Panics
    ///
    /// Panics if the slices differ in length.
    fn owners_at(&self, positions: &[u64], owners: &mut [Option<NodeIndex>]) {
        assert_eq!(positions.len(), owners.len(), "one owner is written for each position");
        for (owner, &position) in owners.iter_mut().zip(positions) {
            *owner = self.owner_at(position);
        }
    }

    /// Writes the owner of `keys[i]` to `owners[i]`: positions and owners in one
    /// pass, in blocks small enough to stay in the first cache.
    ///
    /// # Panics
    ///
    /// Panics if the slices differ in length.
    fn owners(&self, keys: &[&[u8]], owners: &mut [Option<NodeIndex>]) {
        assert_eq!(keys.len(), owners.len(), "one owner is written for each key");
        let mut positions = [0; 64];
        for (keys, owners) in keys.chunks(64).zip(owners.chunks_mut(64)) {
            let positions = &mut positions[..keys.len()];
            for (position, key) in positions.iter_mut().zip(keys) {
                *position = self.position(key);
            }
            self.owners_at(positions, owners);
        }
    }

    /// Clears `replicas` and fills it with up to `count` distinct nodes for a
    /// position, the owner first.
    ///
    /// Fewer are written when fewer are eligible. By default only the owner is:
    /// a family without [`Capabilities::replicas`](crate::Capabilities::replicas)
    /// has no second choice.
    fn replicas_at(
        &self,
        position: u64,
        count: usize,
        spread: Spread,
        replicas: &mut Vec<NodeIndex>,
    ) {
        let _ = spread;
        replicas.clear();
        if count > 0 {
            replicas.extend(self.owner_at(position));
        }
    }

    /// The map as runs of positions with one owner, in position order.
    ///
    /// `None` if the family's map has no short list of runs; shares and
    /// migration are then estimated from sampled keys.
    fn segments(&self) -> Option<Segments<'_>> {
        None
    }
}

/// Construction of a layout from a configuration and a membership.
///
/// Apart from [`Placement`] so that `Placement` stays usable as `dyn`.
pub trait Build: Placement + Sized {
    /// Every choice beyond the membership that decides ownership.
    type Config: Clone + Default + fmt::Debug + PartialEq;

    /// The family, before there is a layout to ask.
    const FAMILY: &'static Family;

    /// Builds the layout of `members` under `config`.
    ///
    /// # Errors
    ///
    /// Fails if `config` is out of range, or `members` asks for what the family
    /// cannot do.
    fn build(config: Self::Config, members: Members) -> Result<Self, Error>;

    /// The configuration that, with [`members`](Placement::members), builds
    /// this layout again.
    fn config(&self) -> Self::Config;
}

/// How replicas are kept apart.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Spread {
    /// On distinct nodes.
    #[default]
    Nodes,
    /// On distinct zones first; once every zone holds one, on distinct nodes. A
    /// node without a zone counts as a zone of its own.
    Zones,
}

/// [`Clone`] for a layout whose family is not known at compile time.
///
/// Implemented for every `Placement` that is `Clone`; there is nothing to write.
pub trait DynPlacement {
    /// [`Clone::clone`], boxed.
    fn dyn_clone(&self) -> Box<dyn Placement>;
}

impl<P: Placement + Clone + 'static> DynPlacement for P {
    fn dyn_clone(&self) -> Box<dyn Placement> {
        Box::new(self.clone())
    }
}

impl Clone for Box<dyn Placement> {
    fn clone(&self) -> Self {
        (**self).dyn_clone()
    }
}
