//! [`Apart`], what places keys under a preset that no family is.

use alloc::vec::Vec;

use homing_core::{Error, Members, NodeIndex};

use crate::{Bounded, Joined};

/// What places keys under a preset that no family is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Apart {
    /// Key and node are hashed together.
    Joined(Joined),
    /// As `Joined`, one node in each zone.
    Zoned(Joined),
    /// Each partition depends on those before it.
    Bounded(Bounded),
}

impl Apart {
    /// The members.
    #[must_use]
    pub fn members(&self) -> &Members {
        match self {
            Self::Joined(contest) | Self::Zoned(contest) => contest.members(),
            Self::Bounded(partitions) => partitions.members(),
        }
    }

    /// The first `count` nodes for a key, the owner first.
    ///
    /// # Errors
    ///
    /// Fails if the program takes texts and the key is no UTF-8.
    pub fn order(&self, key: &[u8], count: usize) -> Result<Vec<NodeIndex>, Error> {
        let text = || {
            let wrong = |_| Error::parameter("key", key.escape_ascii(), "UTF-8");
            core::str::from_utf8(key).map_err(wrong)
        };
        match self {
            Self::Joined(contest) if count == 1 => Ok(alloc::vec![contest.owner(text()?)]),
            Self::Joined(contest) => Ok(contest.order(text()?, count)),
            Self::Zoned(contest) => contest.order_by_zone(text()?, count),
            Self::Bounded(partitions) => Ok(partitions.order(key, count)),
        }
    }
}
