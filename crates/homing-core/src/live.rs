//! [`Live`]: the layout that is in force, published to readers that never lock.

use alloc::sync::Arc;

use arc_swap::{ArcSwap, Guard};

use crate::{Change, Error, Placement};

/// A layout together with how many came before it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Snapshot<P> {
    /// How many layouts were in force before this one.
    pub epoch: u64,
    /// The layout; it never changes.
    pub placement: P,
}

/// The layout in force, and the only way to another one.
///
/// Readers [`load`](Self::load) a snapshot without a lock and keep it as long as
/// they like. A change builds the next layout aside and swaps it in, if the
/// layout it was made from is still the one in force.
#[derive(Debug)]
pub struct Live<P>(ArcSwap<Snapshot<P>>);

impl<P: Placement + Clone> Live<P> {
    /// Puts a layout in force, as epoch 0.
    pub fn new(placement: P) -> Self {
        Self::from(Snapshot { epoch: 0, placement })
    }

    /// The layout in force, without a lock.
    ///
    /// Ask one snapshot for all that must agree: the next `load` may be another
    /// layout.
    pub fn load(&self) -> Guard<Arc<Snapshot<P>>> {
        self.0.load()
    }

    /// Makes `changes` to the layout of epoch `base`, and returns the new epoch.
    ///
    /// # Errors
    ///
    /// [`Error::StaleEpoch`] if another layout is in force by then; otherwise as
    /// [`Placement::apply`]. Either way the layout in force stays.
    pub fn change(&self, base: u64, changes: &[Change]) -> Result<u64, Error> {
        self.swap(base, |placement| placement.with_changes(changes))
    }

    /// Puts `placement` in force after the layout of epoch `base`, and returns the
    /// new epoch: another configuration, or a layout from elsewhere.
    ///
    /// # Errors
    ///
    /// [`Error::StaleEpoch`] if another layout is in force by then, and that stays.
    pub fn replace(&self, base: u64, placement: P) -> Result<u64, Error> {
        self.swap(base, |_| Ok(placement))
    }

    fn swap(&self, base: u64, next: impl FnOnce(&P) -> Result<P, Error>) -> Result<u64, Error> {
        let current = self.0.load();
        let stale = |current| Err(Error::StaleEpoch { base, current });
        if current.epoch != base {
            return stale(current.epoch);
        }
        let Some(epoch) = base.checked_add(1) else {
            return Err(Error::parameter("epoch", base, "below 18446744073709551615"));
        };
        let next = Snapshot { epoch, placement: next(&current.placement)? };
        let before = self.0.compare_and_swap(&current, Arc::new(next));
        if Arc::ptr_eq(&before, &current) { Ok(epoch) } else { stale(before.epoch) }
    }
}

impl<P> From<Snapshot<P>> for Live<P> {
    /// Puts a layout in force under the epoch that it has, as after a restart.
    fn from(snapshot: Snapshot<P>) -> Self {
        Self(ArcSwap::from_pointee(snapshot))
    }
}
