//! What the forms have in common: slots of a node, and nodes met more than once.

use alloc::collections::BTreeMap;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use homing_core::NodeId;

use super::{ClusterError, ClusterNode, Place};

/// A node of which nothing but the id is known.
pub(super) fn unknown(id: NodeId) -> ClusterNode {
    ClusterNode {
        id,
        host: String::new(),
        port: 0,
        bus_port: None,
        hostname: None,
        others: Vec::new(),
        flags: Vec::new(),
        of: None,
        epoch: None,
        connected: None,
        ranges: Vec::new(),
        open: Vec::new(),
    }
}

/// A range of slots of a node, told at a place.
pub(super) struct Told {
    pub(super) at: Place,
    pub(super) range: RangeInclusive<u16>,
}

/// A range from `first` to `last`, both below 16384.
pub(super) fn told(at: Place, first: u16, last: u16) -> Result<Told, ClusterError> {
    if first > last {
        let reason =
            format!("range is {first}-{last}, but must be from a slot to one not below it");
        return Err(ClusterError::new(at, reason));
    }
    Ok(Told { at, range: first..=last })
}

/// Ascending ranges that do not touch.
pub(super) fn merged(
    node: &NodeId,
    mut told: Vec<Told>,
) -> Result<Vec<RangeInclusive<u16>>, ClusterError> {
    told.sort_by_key(|it| *it.range.start());
    let mut ranges: Vec<RangeInclusive<u16>> = Vec::with_capacity(told.len());
    for Told { at, range } in told {
        match ranges.last_mut() {
            Some(before) if range.start() <= before.end() => {
                let reason = format!("node {node:?} has slot {} twice", range.start());
                return Err(ClusterError::new(at, reason));
            }
            Some(before) if *range.start() == before.end() + 1 => {
                *before = *before.start()..=*range.end();
            }
            _ => ranges.push(range),
        }
    }
    Ok(ranges)
}

/// Nodes in the order in which they are first met.
#[derive(Default)]
pub(super) struct Gathered {
    nodes: Vec<(ClusterNode, Vec<Told>)>,
    places: BTreeMap<NodeId, usize>,
}

impl Gathered {
    /// Takes in a node, or finds the one that was met before; gives its place.
    pub(super) fn meet(&mut self, node: ClusterNode) -> (usize, bool) {
        if let Some(&place) = self.places.get(&node.id) {
            return (place, false);
        }
        let place = self.nodes.len();
        self.places.insert(node.id.clone(), place);
        self.nodes.push((node, Vec::new()));
        (place, true)
    }

    pub(super) fn node(&mut self, place: usize) -> &mut ClusterNode {
        &mut self.nodes[place].0
    }

    /// The node at `place` owns these slots too.
    pub(super) fn give(&mut self, place: usize, told: Told) {
        self.nodes[place].1.push(told);
    }

    pub(super) fn finish(self) -> Result<Vec<ClusterNode>, ClusterError> {
        let nodes = self.nodes.into_iter().map(|(mut node, told)| {
            node.ranges = merged(&node.id, told)?;
            Ok(node)
        });
        nodes.collect()
    }
}
