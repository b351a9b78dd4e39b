//! [`Partitions`], a table of partitions dealt over a ring with bounded loads.

use alloc::vec;
use alloc::vec::Vec;

use homing_core::{Error, KeyHash, Members, NodeIndex};

/// Partitions, each of one node, and keys by hash mod their number.
///
/// Partition after partition goes to the first point at or after the hash of its number,
/// eight bytes little-endian, whose node has fewer than `ceil(partitions / nodes * load)`
/// of them. So where a partition is depends on all before it, and no family is this: a
/// ring has no bound, and slots have the owners that an operator gives them. It takes no
/// changes: a program that gains a node deals all partitions anew.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Partitions {
    hash: KeyHash,
    members: Members,
    owners: Vec<NodeIndex>, // by partition, at least one
    ring: Vec<NodeIndex>,   // in order of the hash of the label
}

impl Partitions {
    /// Deals `count` partitions over `replicas` points a node, the hashes of the number
    /// of the copy, a colon and the label; no node has more than the mean times `load`,
    /// rounded up.
    ///
    /// # Errors
    ///
    /// Fails if `count` or `replicas` is 0, a weight is not 1, or the nodes cannot take
    /// all partitions.
    pub fn new(
        hash: KeyHash,
        members: Members,
        count: u32,
        replicas: u32,
        load: f64,
    ) -> Result<Self, Error> {
        if let Some((_, node)) = members.iter().find(|(_, node)| node.weight != 1) {
            let given = alloc::format!("{} at node {:?}", node.weight, node.id);
            return Err(Error::parameter("weight", given, "1: partitions take no weights"));
        }
        if count == 0 || replicas == 0 {
            let name = if count == 0 { "partitions" } else { "replicas" };
            return Err(Error::parameter(name, 0, "at least 1"));
        }
        let label = |index: NodeIndex| members[index].label();
        let mut points: Vec<(u64, NodeIndex)> = members
            .iter_by_index()
            .flat_map(|(index, node)| {
                let text = move |i| alloc::format!("{i}:{}", node.label());
                (0..replicas).map(move |i| (hash.hash(text(i).as_bytes()), index))
            })
            .collect();
        points.sort_by_key(|&(point, index)| (point, label(index)));
        let most = cap(count, members.len(), load);
        let mut held = vec![0_u64; members.index_bound()];
        let mut owners = Vec::with_capacity(count as usize);
        for partition in 0..u64::from(count) {
            let position = hash.hash(&partition.to_le_bytes());
            let first = points.partition_point(|&(point, _)| point < position);
            let mut met = points[first..].iter().chain(&points[..first]);
            let Some(&(_, owner)) = met.find(|(_, index)| held[index.get()] < most) else {
                let rule = "great enough that all partitions find a node";
                return Err(Error::parameter("load", load, rule));
            };
            held[owner.get()] += 1;
            owners.push(owner);
        }
        let mut ring: Vec<NodeIndex> = members.iter_by_index().map(|(index, _)| index).collect();
        ring.sort_by_key(|&index| hash.hash(label(index).as_bytes()));
        Ok(Self { hash, members, owners, ring })
    }

    /// The members.
    #[must_use]
    pub fn members(&self) -> &Members {
        &self.members
    }

    /// The owners of the partitions, in order.
    #[must_use]
    pub fn owners(&self) -> &[NodeIndex] {
        &self.owners
    }

    /// The partition of a key.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "it is below the number of partitions")]
    pub fn partition(&self, key: &[u8]) -> usize {
        (self.hash.hash(key) % self.owners.len() as u64) as usize
    }

    /// The node that owns a key.
    #[must_use]
    pub fn owner(&self, key: &[u8]) -> NodeIndex {
        self.owners[self.partition(key)]
    }

    /// The first `count` nodes for a key, the owner first, then those that follow it in
    /// order of the hash of their labels; all if there are fewer.
    #[must_use]
    pub fn order(&self, key: &[u8], count: usize) -> Vec<NodeIndex> {
        let owner = self.owner(key);
        let first = self.ring.iter().position(|&index| index == owner).unwrap_or_default();
        let turned = self.ring[first..].iter().chain(&self.ring[..first]);
        turned.take(count).copied().collect()
    }
}

/// The most partitions of a node: the least whole number from the mean times `load` on.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is reckoned in doubles, as the program does, and a negative one is none"
)]
fn cap(count: u32, nodes: usize, load: f64) -> u64 {
    let mean = f64::from(count) / nodes as f64 * load;
    let whole = mean as u64;
    whole + u64::from(mean > whole as f64)
}
