//! [`Modulo`], hash mod N over the members in order of index.

use alloc::vec::Vec;

use homing_core::{
    Build, Capabilities, Change, Disruption, Error, Family, Fingerprint, Fingerprinter, KeyHash,
    Members, Node, NodeIndex, Placement, Removal,
};

use crate::divisor::Divisor;

/// What decides ownership beyond the members.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct Config {
    /// The hash of the keys.
    pub hash: KeyHash,
}

/// Hash mod N: remainder r belongs to the r-th member in order of index.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Modulo {
    hash: KeyHash,
    members: Members,
    order: Vec<NodeIndex>, // the members in order of index; empty while no index is free
    divisor: Divisor,      // how many members there are
}

const FAMILY: Family = Family {
    name: "modulo",
    title: "hash mod N",
    source: "Donald E. Knuth, \"The Art of Computer Programming\", volume 3, 1973, section 6.4",
    lookup: "O(1)",
    capabilities: Capabilities {
        weights: false,
        removal: Removal::Any,
        disruption: Disruption::Unbounded,
        replicas: false,
        ordered: true,
    },
};

impl Modulo {
    fn reorder(&mut self) {
        self.divisor = Divisor::new(self.members.len() as u64);
        self.order.clear();
        // Without a freed index the r-th member has index r, and needs no array.
        if self.members.len() < self.members.index_bound() {
            self.order.extend(self.members.iter_by_index().map(|(index, _)| index));
        }
    }
}

impl Placement for Modulo {
    fn family(&self) -> &'static Family {
        Self::FAMILY
    }

    fn members(&self) -> &Members {
        &self.members
    }

    #[inline]
    fn position(&self, key: &[u8]) -> u64 {
        self.hash.hash(key)
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a remainder is below the member count")]
    fn owner_at(&self, position: u64) -> Option<NodeIndex> {
        let remainder = self.divisor.remainder(position) as u32;
        if self.order.is_empty() {
            NodeIndex::checked(remainder)
        } else {
            Some(self.order[remainder as usize])
        }
    }

    /// Writes the owner of `keys[i]` to `owners[i]`.
    ///
    /// In one pass: a remainder waits for nothing that a block of positions would bring.
    ///
    /// # Panics
    ///
    /// Panics if the slices differ in length.
    fn owners(&self, keys: &[&[u8]], owners: &mut [Option<NodeIndex>]) {
        assert_eq!(keys.len(), owners.len(), "one owner is written for each key");
        for (owner, key) in owners.iter_mut().zip(keys) {
            *owner = self.owner_at(self.position(key));
        }
    }

    fn apply(&mut self, changes: &[Change]) -> Result<(), Error> {
        self.members.preview(changes)?;
        for change in changes {
            match change {
                Change::Add(Node { weight, .. }) | Change::Reweight(_, weight) => {
                    check_weight(*weight)?;
                }
                Change::Remove(_) | Change::Rebalance => {}
                _ => return Err(unsupported("knows no such change")),
            }
        }
        self.members.apply(changes)?;
        self.reorder();
        Ok(())
    }

    /// Digests the hash and the members in order of index.
    fn fingerprint(&self) -> Fingerprint {
        Fingerprinter::new(FAMILY.name).hash(self.hash).members_by_index(&self.members).finish()
    }

    fn keying(&self) -> Fingerprint {
        Fingerprint::of_keying(self.max_position(), self.hash)
    }

    fn memory_usage(&self) -> usize {
        self.order.capacity() * size_of::<NodeIndex>() + self.members.memory_usage()
    }
}

impl Build for Modulo {
    type Config = Config;

    const FAMILY: &'static Family = &FAMILY;

    /// Builds the layout of `members` under `config`.
    ///
    /// # Errors
    ///
    /// Fails if a member's weight is not 1.
    fn build(config: Config, members: Members) -> Result<Self, Error> {
        for (_, node) in members.iter() {
            check_weight(node.weight)?;
        }
        let divisor = Divisor::new(members.len() as u64);
        let mut layout = Self { hash: config.hash, members, order: Vec::new(), divisor };
        layout.reorder();
        Ok(layout)
    }

    fn config(&self) -> Config {
        Config { hash: self.hash }
    }
}

fn check_weight(weight: u32) -> Result<(), Error> {
    if weight == 1 { Ok(()) } else { Err(unsupported("takes only nodes of weight 1")) }
}

fn unsupported(rule: &'static str) -> Error {
    Error::Unsupported { family: FAMILY.name, rule }
}
