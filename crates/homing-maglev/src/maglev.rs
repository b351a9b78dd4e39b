//! [`Maglev`]: a table of entries, each with one owner.

use homing_core::{
    Build, Capabilities, Change, Disruption, Error, Family, Fingerprint, Fingerprinter, KeyHash,
    Members, NodeIndex, Placement, Removal, Segments,
};

use crate::modulus::Modulus;
use crate::permutation::Permutation;
use crate::prime;
use crate::rule::{Order, Stride, Surplus, Turns};
use crate::table::{Near, Table};

/// The size of the table, the hash, and how nodes fill the table.
#[derive(Clone, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Config {
    /// The hash of keys and ids.
    pub hash: KeyHash,
    /// How many entries the table has: a prime from 2 to 2147483647, at least the
    /// number of nodes of a weight above 0.
    ///
    /// 65537 by default, as in the paper. More than 100 a node keep the extra
    /// movement low. Another number moves nearly every key.
    pub entries: u32,
    /// Where the sequences of the nodes are from.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Permutation::is_default"))]
    pub permutation: Permutation,
    /// The order in which nodes take their turns.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Order::is_default"))]
    pub order: Order,
    /// How many turns nodes of different weights take, and when.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Turns::is_default"))]
    pub turns: Turns,
    /// How nodes go along their sequences.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Stride::is_default"))]
    pub stride: Stride,
    /// What becomes of more nodes than there are entries.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Surplus::is_default"))]
    pub surplus: Surplus,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            hash: KeyHash::default(),
            entries: 65_537,
            permutation: Permutation::default(),
            order: Order::default(),
            turns: Turns::default(),
            stride: Stride::default(),
            surplus: Surplus::default(),
        }
    }
}

impl Config {
    /// Whether there are nodes that a table cannot be filled for.
    pub(crate) fn may_fail(&self) -> bool {
        self.permutation.attribute().is_some() || self.stride == Stride::Wrapping
    }

    /// Fails if there are fewer entries than nodes, and that is refused.
    fn check(&self, active: usize) -> Result<(), Error> {
        if (self.entries as usize) < active && self.surplus == Surplus::Refused {
            let rule = alloc::format!("at least {active}, the number of nodes of a weight above 0");
            return Err(Error::parameter("entries", self.entries, rule));
        }
        Ok(())
    }
}

/// A Maglev table: the entry of a key says who owns it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Maglev {
    config: Config,
    members: Members,
    modulus: Modulus, // `config.entries`
    table: Table,     // as many entries
}

/// How many keys are hashed before their entries are read, where the table is large.
const BLOCK: usize = 64;

const FAMILY: &Family = &Family {
    name: "maglev",
    title: "Maglev hashing",
    source: "Daniel E. Eisenbud et al., Maglev: A Fast and Reliable Software Network Load \
             Balancer, 2016",
    lookup: "one table load",
    capabilities: Capabilities {
        weights: true,
        removal: Removal::Any,
        disruption: Disruption::Near,
        replicas: false,
        ordered: false,
    },
};

const ORDERED: &Family =
    &Family { capabilities: Capabilities { ordered: true, ..FAMILY.capabilities }, ..*FAMILY };

impl Maglev {
    /// The owner of each entry, from entry 0.
    #[must_use]
    pub fn table(&self) -> impl ExactSizeIterator<Item = NodeIndex> {
        self.table.iter()
    }

    /// How many entries a node has. Counts them.
    ///
    /// Its exact share of the entries, rounded down or up, unless turns are others.
    #[must_use]
    pub fn entries_of(&self, index: NodeIndex) -> u32 {
        self.table.iter().map(|owner| u32::from(owner == index)).sum()
    }
}

impl Maglev {
    /// Writes the owner of `keys[i]` to `owners[i]`, by the hash of the configuration.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "else the loop is one for every hash")]
    fn near_owners(
        &self,
        near: Near<'_>,
        hash: KeyHash,
        keys: &[&[u8]],
        owners: &mut [Option<NodeIndex>],
    ) {
        for (key, owner) in keys.iter().zip(owners) {
            *owner = Some(near.owner(self.modulus.remainder(hash.hash(key))));
        }
    }
}

impl Placement for Maglev {
    fn family(&self) -> &'static Family {
        if self.config.order == Order::Index { ORDERED } else { FAMILY }
    }

    fn members(&self) -> &Members {
        &self.members
    }

    /// The entry of the key: its hash mod the number of entries.
    #[inline(always)]
    #[expect(clippy::inline_always, reason = "else a batch calls it for each key")]
    fn position(&self, key: &[u8]) -> u64 {
        let hash = self.config.hash.hash(key);
        self.modulus.remainder(hash)
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a position is below 2^31")]
    fn owner_at(&self, position: u64) -> Option<NodeIndex> {
        Some(self.table.owner(position as usize))
    }

    fn owners_at(&self, positions: &[u64], owners: &mut [Option<NodeIndex>]) {
        assert_eq!(positions.len(), owners.len(), "one owner is written for each position");
        self.table.write_owners(positions, owners);
    }

    /// In one pass where the table is near, else in blocks, whose loads go side by side.
    fn owners(&self, keys: &[&[u8]], owners: &mut [Option<NodeIndex>]) {
        assert_eq!(keys.len(), owners.len(), "one owner is written for each key");
        if let Some(near) = self.table.near() {
            // Which hash is known before the loop: what others need is not kept ready in it.
            match self.config.hash {
                KeyHash::Xxh3 { seed } => {
                    self.near_owners(near, KeyHash::Xxh3 { seed }, keys, owners);
                }
                hash => self.near_owners(near, hash, keys, owners),
            }
            return;
        }
        let mut positions = [0; BLOCK];
        for (keys, owners) in keys.chunks(BLOCK).zip(owners.chunks_mut(BLOCK)) {
            for (position, key) in positions.iter_mut().zip(keys) {
                *position = self.position(key);
            }
            self.table.write_owners(&positions, owners);
        }
    }

    /// Makes `changes`, and fills the table afresh, once.
    ///
    /// Where filling can fail, a second table is held meanwhile.
    fn apply(&mut self, changes: &[Change]) -> Result<(), Error> {
        self.config.check(self.members.preview(changes)?.active)?;
        if self.config.may_fail() {
            let mut members = self.members.clone();
            members.apply(changes)?;
            self.table = Table::new(&self.config, &members)?;
            self.members = members;
            return Ok(());
        }
        self.members.apply(changes)?;
        self.table.refill(&self.config, &self.members)
    }

    /// Digests, after the name, the number of entries, the hash, and the members in
    /// order of id.
    ///
    /// Before the members the parameters that are not the default are digested, each by
    /// name and value; the members are in order of index where they take turns in it;
    /// after them follows for each node what is known of it and decides: its label, its
    /// number, its sequence.
    fn fingerprint(&self) -> Fingerprint {
        let Config { hash, entries, permutation, order, turns, stride, surplus } = &self.config;
        let mut parts = Fingerprinter::new(FAMILY.name).number((*entries).into()).hash(*hash);
        let name = alloc::format!("{permutation}");
        for (parameter, is_default, value) in [
            ("permutation", permutation.is_default(), name.as_str()),
            ("order", order.is_default(), order.name()),
            ("turns", turns.is_default(), turns.name()),
            ("stride", stride.is_default(), stride.name()),
            ("surplus", surplus.is_default(), surplus.name()),
        ] {
            if !is_default {
                parts = parts.text(parameter).text(value);
            }
        }
        let labels = permutation.goes_by_label() || *order == Order::Label;
        parts = match order {
            Order::Index => parts.members_by_index(&self.members),
            _ => parts.members(&self.members),
        };
        for (_, node) in self.members.iter() {
            if labels {
                parts = parts.text(node.label());
            }
            if let Some(attribute) = permutation.attribute() {
                parts = parts.text(node.attributes.get(attribute).unwrap_or(""));
            }
        }
        parts.finish()
    }

    fn keying(&self) -> Fingerprint {
        Fingerprint::of_keying(self.max_position(), self.config.hash)
    }

    fn memory_usage(&self) -> usize {
        self.table.memory_usage() + self.members.memory_usage()
    }

    fn max_position(&self) -> u64 {
        u64::from(self.config.entries) - 1
    }

    fn segments(&self) -> Option<Segments<'_>> {
        Some(self.table.segments())
    }
}

impl Build for Maglev {
    type Config = Config;

    const FAMILY: &'static Family = FAMILY;

    /// Builds the layout of `members` under `config`.
    ///
    /// # Errors
    ///
    /// Fails if the number of entries is not a prime from 2 to 2147483647, or less
    /// than the number of nodes of a weight above 0 where that is refused; if a node
    /// lacks what its sequence is made of; or if a sequence that wraps never comes by a
    /// free entry.
    fn build(config: Config, members: Members) -> Result<Self, Error> {
        prime::check(config.entries)?;
        config.check(members.active())?;
        let modulus = Modulus::new(config.entries);
        let table = Table::new(&config, &members)?;
        Ok(Self { config, members, modulus, table })
    }

    fn config(&self) -> Config {
        self.config.clone()
    }
}
