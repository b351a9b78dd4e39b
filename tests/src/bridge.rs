//! From the oracles' types to those of the crates, and back to ids.

use homing_core::{Change, KeyHash, Members, Node, NodeId, NodeIndex, Placement, Spread};

use crate::oracle::{OracleHash, OracleNode};

/// The membership of the oracles' nodes, with indices in the order given.
///
/// # Panics
///
/// Panics if no weight is above 0, or an id is empty or there twice.
#[must_use]
pub fn members(nodes: &[OracleNode]) -> Members {
    Members::new(nodes.iter().map(node)).expect("a sound membership")
}

/// A node of the oracles as a member.
#[must_use]
pub fn node(node: &OracleNode) -> Node {
    let member = Node::new(node.id.as_str()).weighing(node.weight);
    match &node.zone {
        Some(zone) => member.in_zone(zone.as_str()),
        None => member,
    }
}

/// The change that adds a node of weight 1.
#[must_use]
pub fn add(id: &str) -> Change {
    Change::Add(Node::new(id))
}

/// The change that removes a node.
#[must_use]
pub fn remove(id: &str) -> Change {
    Change::Remove(NodeId::new(id))
}

/// The change that gives a node another weight.
#[must_use]
pub fn reweight(id: &str, weight: u32) -> Change {
    Change::Reweight(NodeId::new(id), weight)
}

/// The hash of the crates that an oracle's hash stands for.
#[must_use]
pub fn key_hash(hash: OracleHash) -> KeyHash {
    match hash {
        OracleHash::Xxh3(seed) => KeyHash::Xxh3 { seed },
        OracleHash::Sha256 => KeyHash::Sha256,
    }
}

/// The id of the owner of a position.
pub fn owner_at(layout: &(impl Placement + ?Sized), position: u64) -> Option<String> {
    layout.owner_at(position).map(|index| id(layout, index))
}

/// The id of the owner of a key.
pub fn owner(layout: &(impl Placement + ?Sized), key: &[u8]) -> Option<String> {
    layout.owner(key).map(|node| node.id.as_str().to_owned())
}

/// The ids of the first nodes for a position.
pub fn replicas_at(
    layout: &(impl Placement + ?Sized),
    position: u64,
    count: usize,
    spread: Spread,
) -> Vec<String> {
    let mut replicas = Vec::new();
    layout.replicas_at(position, count, spread, &mut replicas);
    replicas.into_iter().map(|index| id(layout, index)).collect()
}

fn id(layout: &(impl Placement + ?Sized), index: NodeIndex) -> String {
    layout.node(index).id.as_str().to_owned()
}
