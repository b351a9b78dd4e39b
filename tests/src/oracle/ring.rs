//! The hash ring: a sorted list of points, searched from the first.

use std::collections::BTreeSet;

use super::{OracleHash, OracleNode, draw, live};

/// The points of a ring, ascending, equal ones in order of id; none is dropped.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OracleRing {
    /// Each point with the place of its node in the list of nodes.
    pub points: Vec<(u64, usize)>,
    nodes: usize, // how many nodes have a point
}

impl OracleRing {
    /// The default points: `per_unit` draws a weight unit.
    #[must_use]
    pub fn drawn(nodes: &[OracleNode], hash: OracleHash, per_unit: u32) -> Self {
        Self::of(nodes, per_unit, |id, i| draw(hash, id, i))
    }

    /// Labelled points: the hash of prefix, id, separator and copy.
    #[must_use]
    pub fn labelled(
        nodes: &[OracleNode],
        hash: OracleHash,
        per_unit: u32,
        prefix: &str,
        separator: &str,
    ) -> Self {
        Self::of(nodes, per_unit, |id, i| {
            hash.hash(format!("{prefix}{id}{separator}{i}").as_bytes())
        })
    }

    /// Assigned points: those of nodes that are members of a weight above 0.
    #[must_use]
    pub fn assigned(nodes: &[OracleNode], points: &[(u64, &str)]) -> Self {
        let mut own = Vec::new();
        for i in live(nodes) {
            let of_node = points.iter().filter(|(_, id)| *id == nodes[i].id);
            own.extend(of_node.map(|&(point, _)| (point, i)));
        }
        Self::sorted(own)
    }

    fn of(nodes: &[OracleNode], per_unit: u32, point: impl Fn(&str, u64) -> u64) -> Self {
        let mut points = Vec::new();
        for i in live(nodes) {
            let count = u64::from(per_unit) * u64::from(nodes[i].weight);
            points.extend((0..count).map(|copy| (point(&nodes[i].id, copy), i)));
        }
        Self::sorted(points)
    }

    // The points are given in order of the nodes' ids, and the sort is stable.
    fn sorted(mut points: Vec<(u64, usize)>) -> Self {
        points.sort_by_key(|&(point, _)| point);
        let nodes = points.iter().map(|&(_, node)| node).collect::<BTreeSet<_>>().len();
        Self { points, nodes }
    }

    /// Returns the owner of a position, as a place in the list of nodes.
    ///
    /// # Panics
    ///
    /// Panics if there is no point.
    #[must_use]
    pub fn owner(&self, position: u64) -> usize {
        let at_or_above = self.points.iter().find(|(point, _)| *point >= position);
        at_or_above.unwrap_or(&self.points[0]).1
    }

    /// The nodes in the order in which their points are first met.
    #[must_use]
    pub fn order(&self, position: u64) -> Vec<usize> {
        let start = self.points.iter().take_while(|(point, _)| *point < position).count();
        let mut order = Vec::new();
        for &(_, node) in self.points[start..].iter().chain(&self.points[..start]) {
            if order.len() == self.nodes {
                break;
            }
            if !order.contains(&node) {
                order.push(node);
            }
        }
        order
    }

    /// The positions each node owns, of 2^64; `count` is the number of nodes.
    ///
    /// A point owns `(predecessor, point]`.
    #[must_use]
    pub fn shares(&self, count: usize) -> Vec<u128> {
        let mut shares = vec![0; count];
        let mut next = 0;
        for &(point, node) in &self.points {
            let end = u128::from(point) + 1;
            shares[node] += end - next;
            next = end;
        }
        shares[self.points[0].1] += (1 << 64) - next;
        shares
    }
}
