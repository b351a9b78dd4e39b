//! [`Bounded`]: partitions dealt out on a ring, to no node more than its bound.

use alloc::vec::Vec;

use homing_core::{Build, Error, KeyHash, Members, NodeIndex};
use homing_ring::{Config, Count, Place, Points, Ring, Scheme, Ties};

/// What decides a table of partitions beside its members.
#[derive(Clone, Debug, PartialEq)]
pub struct BoundedConfig {
    /// The hash of keys, partitions, points and nodes, of 64 bits.
    pub hash: KeyHash,
    /// How many partitions there are, at least 1.
    pub partitions: u32,
    /// How many points each node has on the ring, at least 1.
    pub points: u32,
    /// How many times its even part a node may hold, at least 1 and finite.
    pub load: f64,
}

/// A table of partitions, each with the first node on a ring that has room for it.
///
/// This is what buraksezer/consistent for Go does. It is no layout of the ring crate:
/// there a position has its owner whatever the other positions have, and here the
/// partitions are dealt out one after the other, so that each depends on all before it.
/// When a node joins or leaves any partition may move.
///
/// Point i of a node is the hash of i in decimal, a colon and its label; where points
/// coincide the node of the highest index has it. Partition p goes by the hash of p as
/// eight little-endian bytes, to the first point at or after it whose node is not full,
/// p ascending. A key is in the partition of its hash mod their number.
#[derive(Clone, Debug, PartialEq)]
pub struct Bounded {
    hash: KeyHash,
    members: Members,
    owners: Vec<NodeIndex>, // of each partition
    around: Vec<NodeIndex>, // all nodes, in order of the hash of their labels
    cap: u64,
}

impl Bounded {
    /// Deals out the partitions to `members`.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is out of its range, the hash has not 64 bits, a node has
    /// another weight than 1, or all that have room have no point of their own.
    pub fn build(config: &BoundedConfig, members: Members) -> Result<Self, Error> {
        check(config, &members)?;
        let &BoundedConfig { hash, partitions, points, load } = config;
        let scheme = Scheme::Text { copy: Place::First, separator: ":".into(), hash };
        let count = Count::PerWeight(points);
        let ring = Ring::build(
            Config {
                hash,
                points: Points::Derived { scheme, count },
                ties: Ties::HighestIndex,
                ..Config::default()
            },
            members.clone(),
        )?;
        let nodes = u32::try_from(members.len()).unwrap_or(u32::MAX);
        let cap = ceiling(f64::from(partitions) / f64::from(nodes) * load);
        let most = members.iter().map(|(index, _)| index.get() + 1).max().unwrap_or(0);
        let mut held = alloc::vec![0; most];
        let owners = (0..partitions).map(|partition| {
            let position = hash.hash(&u64::from(partition).to_le_bytes());
            let owner = ring.owners_from(position).find(|owner| held[owner.get()] < cap)?;
            held[owner.get()] += 1;
            Some(owner)
        });
        // The bounds add up to the partitions, unless a node has lost all its points to others.
        let owners = owners.collect::<Option<Vec<NodeIndex>>>().ok_or(Error::NoNodes)?;
        let hash_of = |index: NodeIndex| hash.hash(members[index].label().as_bytes());
        let mut around: Vec<NodeIndex> = members.iter().map(|(index, _)| index).collect();
        around.sort_by_key(|&index| hash_of(index));
        Ok(Self { hash, members, owners, around, cap })
    }

    /// The members.
    #[must_use]
    pub fn members(&self) -> &Members {
        &self.members
    }

    /// How many partitions a node holds at most.
    #[must_use]
    pub fn cap(&self) -> u64 {
        self.cap
    }

    /// The partition of a key, below their number.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "their number has 32 bits")]
    pub fn partition(&self, key: &[u8]) -> u32 {
        (self.hash.hash(key) % self.owners.len() as u64) as u32
    }

    /// The node that has a partition, or `None` if there is no such partition.
    #[must_use]
    pub fn owner_of(&self, partition: u32) -> Option<NodeIndex> {
        self.owners.get(partition as usize).copied()
    }

    /// The node that owns a key.
    #[must_use]
    pub fn owner(&self, key: &[u8]) -> NodeIndex {
        self.owners[self.partition(key) as usize]
    }

    /// The first `count` nodes for a key: the owner, then the others in order of the
    /// hashes of their labels, the least after the greatest; all if there are fewer.
    #[must_use]
    pub fn order(&self, key: &[u8], count: usize) -> Vec<NodeIndex> {
        let owner = self.owner(key);
        let at = self.around.iter().position(|&index| index == owner).unwrap_or_default();
        let (before, from) = self.around.split_at(at);
        from.iter().chain(before).take(count).copied().collect()
    }
}

fn check(config: &BoundedConfig, members: &Members) -> Result<(), Error> {
    let BoundedConfig { hash, partitions, points, load } = config;
    if hash.max_hash() != u64::MAX {
        return Err(Error::parameter("hash", hash, "a hash of 64 bits"));
    }
    if *partitions == 0 {
        return Err(Error::parameter("partitions", partitions, "at least 1"));
    }
    if *points == 0 {
        return Err(Error::parameter("points", points, "at least 1"));
    }
    if !load.is_finite() || *load < 1.0 {
        return Err(Error::parameter("load", load, "a finite number, at least 1"));
    }
    match members.iter().find(|(_, node)| node.weight != 1) {
        Some((_, node)) => {
            let given = alloc::format!("{} at node {:?}", node.weight, node.id);
            Err(Error::parameter("weight", given, "1: the table takes no weights"))
        }
        None => Ok(()),
    }
}

/// The least whole number that is not below `value`, which is not below 0.
#[expect(clippy::cast_possible_truncation, reason = "a number beyond 2^64 saturates")]
#[expect(clippy::cast_sign_loss, reason = "the value is not below 0")]
#[expect(clippy::cast_precision_loss, reason = "what is rounded is whole and compared")]
fn ceiling(value: f64) -> u64 {
    let whole = value as u64;
    if (whole as f64) < value { whole.saturating_add(1) } else { whole }
}
