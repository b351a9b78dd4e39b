//! [`Modulo`], hash mod N over the members in order of index.

use alloc::vec::Vec;

use homing_core::{
    Build, Capabilities, Change, Disruption, Error, Family, Fingerprint, Fingerprinter, KeyHash,
    Members, Node, NodeIndex, Placement, Removal,
};

use crate::buckets::{Buckets, Order};
use crate::divisor::Divisor;

/// What decides ownership beyond the members.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct Config {
    /// The hash of the keys.
    pub hash: KeyHash,
    /// Which buckets a member has.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Buckets::is_default"))]
    pub buckets: Buckets,
    /// The order in which members take their buckets.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Order::is_default"))]
    pub order: Order,
}

/// Hash mod N: remainder r belongs to the member that has bucket r.
///
/// By default that is the r-th member in order of index.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Modulo {
    config: Config,
    members: Members,
    owners: Vec<NodeIndex>, // of each bucket; empty where bucket r is index r
    divisor: Divisor,       // how many buckets there are
}

/// The most buckets that weights may come to.
const MOST_BUCKETS: u64 = 1 << 24;

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

const WEIGHTED: Family =
    Family { capabilities: Capabilities { weights: true, ..FAMILY.capabilities }, ..FAMILY };

const LABELLED: Family =
    Family { capabilities: Capabilities { ordered: false, ..FAMILY.capabilities }, ..FAMILY };

const WEIGHTED_LABELLED: Family =
    Family { capabilities: Capabilities { ordered: false, ..WEIGHTED.capabilities }, ..FAMILY };

impl Modulo {
    fn refill(&mut self) {
        let Self { config, members, owners, divisor } = self;
        owners.clear();
        // Without a freed index the r-th member has index r, and needs no array.
        let plain = config.buckets.is_default() && config.order.is_default();
        if plain && members.len() == members.index_bound() {
            *divisor = Divisor::new(members.len() as u64);
        } else {
            let order = config.order.arrange(members);
            config.buckets.deal(&order, members, owners);
            *divisor = Divisor::new(owners.len() as u64);
        }
    }

    /// The labels, where the order goes by them.
    fn label(&self, fingerprinter: Fingerprinter) -> Fingerprinter {
        self.members.iter().fold(fingerprinter, |parts, (_, node)| parts.text(node.label()))
    }
}

impl Placement for Modulo {
    fn family(&self) -> &'static Family {
        match (self.config.buckets, self.config.order) {
            (Buckets::Members, Order::Index) => Self::FAMILY,
            (Buckets::Members, Order::LabelLength) => &LABELLED,
            (_, Order::Index) => &WEIGHTED,
            (_, Order::LabelLength) => &WEIGHTED_LABELLED,
        }
    }

    fn members(&self) -> &Members {
        &self.members
    }

    #[inline]
    fn position(&self, key: &[u8]) -> u64 {
        self.config.hash.hash(key)
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a remainder is below the bucket count")]
    fn owner_at(&self, position: u64) -> Option<NodeIndex> {
        let remainder = self.divisor.remainder(position) as u32;
        if self.owners.is_empty() {
            NodeIndex::checked(remainder)
        } else {
            Some(self.owners[remainder as usize])
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
        let after = self.members.preview(changes)?;
        for change in changes {
            match change {
                Change::Add(Node { weight, .. }) | Change::Reweight(_, weight) => {
                    check_weight(self.config.buckets, *weight)?;
                }
                Change::Remove(_) | Change::Rebalance => {}
                _ => return Err(unsupported("knows no such change")),
            }
        }
        check_total(self.config.buckets, after.total_weight)?;
        self.members.apply(changes)?;
        self.refill();
        Ok(())
    }

    /// Digests the hash and the members in order of index.
    ///
    /// Buckets and order are digested, by name, where they are not the default; where
    /// the order goes by labels, the members are in order of id, and the labels follow.
    fn fingerprint(&self) -> Fingerprint {
        let Config { hash, buckets, order } = self.config;
        let mut parts = Fingerprinter::new(FAMILY.name).hash(hash);
        if !buckets.is_default() {
            parts = parts.text("buckets").text(buckets.name());
        }
        match order {
            Order::Index => parts.members_by_index(&self.members).finish(),
            Order::LabelLength => {
                let parts = parts.text("order").text(order.name()).members(&self.members);
                self.label(parts).finish()
            }
        }
    }

    fn keying(&self) -> Fingerprint {
        Fingerprint::of_keying(self.max_position(), self.config.hash)
    }

    fn memory_usage(&self) -> usize {
        self.owners.capacity() * size_of::<NodeIndex>() + self.members.memory_usage()
    }

    /// The greatest value of the hash.
    fn max_position(&self) -> u64 {
        self.config.hash.max_hash()
    }
}

impl Build for Modulo {
    type Config = Config;

    const FAMILY: &'static Family = &FAMILY;

    /// Builds the layout of `members` under `config`.
    ///
    /// # Errors
    ///
    /// Fails if a member's weight is not 1 and buckets do not go by weight, or if the
    /// weights come to more than 16777216 buckets.
    fn build(config: Config, members: Members) -> Result<Self, Error> {
        for (_, node) in members.iter() {
            check_weight(config.buckets, node.weight)?;
        }
        check_total(config.buckets, members.total_weight())?;
        let divisor = Divisor::new(members.len() as u64);
        let mut layout = Self { config, members, owners: Vec::new(), divisor };
        layout.refill();
        Ok(layout)
    }

    fn config(&self) -> Config {
        self.config.clone()
    }
}

fn check_weight(buckets: Buckets, weight: u32) -> Result<(), Error> {
    if weight == 1 || !buckets.is_default() {
        Ok(())
    } else {
        Err(unsupported("takes only nodes of weight 1"))
    }
}

/// Checks how many buckets there would be, before weights are reduced.
fn check_total(buckets: Buckets, total_weight: u64) -> Result<(), Error> {
    if buckets.is_default() || total_weight <= MOST_BUCKETS {
        Ok(())
    } else {
        Err(Error::parameter("total weight", total_weight, "at most 16777216"))
    }
}

fn unsupported(rule: &'static str) -> Error {
    Error::Unsupported { family: FAMILY.name, rule }
}
