//! Replicas by area: so many in each data centre, racks apart.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

use homing_core::{Attribute, Node, NodeIndex, Placement, Zone};

use crate::Ring;

/// What one area still takes.
struct Area<'a> {
    name: &'a str,
    left: usize,
    repeats: usize, // of these, how many may be on a rack that has one
}

impl Ring {
    /// Clears `replicas` and fills it with as many nodes for a position as each of
    /// `areas` asks for, in the order in which they are met.
    ///
    /// The area of a node is its attribute
    /// [`DataCentre`](Attribute::DataCentre), and its rack there the attribute
    /// [`Rack`](Attribute::Rack), or else its zone; without either it is a rack of
    /// its own. One walk upwards and once around takes a node on a rack that has none
    /// yet; one on another rack only as long as there are such to spare: their number
    /// is what the area asks for, less how many racks it has. A node of another area,
    /// or of none, is passed over, and no node is taken twice. An area with fewer
    /// nodes than it asks for has all of them. Of an area given twice the first
    /// counts.
    ///
    /// So an area has its racks apart as far as it goes, but which of the racks with
    /// several replicas have them is as the walk meets them. Takes a pass over the
    /// members for each area, then at most one over the points.
    ///
    /// The fingerprint digests zones, but neither of the two attributes: they decide no
    /// owner.
    ///
    /// # Panics
    ///
    /// May panic if `position > self.max_position()`.
    pub fn replicas_by_area(
        &self,
        position: u64,
        areas: &[(&str, usize)],
        replicas: &mut Vec<NodeIndex>,
    ) {
        replicas.clear();
        let given = areas.iter().enumerate();
        let first = |&(i, &(name, _)): &(usize, &(&str, usize))| {
            areas[..i].iter().all(|&(other, _)| other != name)
        };
        let mut areas: Vec<Area<'_>> =
            given.filter(first).map(|(_, &(name, count))| self.area(name, count)).collect();
        let mut left: usize = areas.iter().map(|area| area.left).sum();
        for index in self.owners_from(position) {
            if left == 0 {
                return;
            }
            let node = self.node(index);
            let its = areas.iter_mut().find(|area| area_of(node) == Some(area.name));
            let Some(area) = its.filter(|area| area.left > 0) else { continue };
            if replicas.contains(&index) {
                continue;
            }
            let has_one = replicas.iter().any(|&other| {
                let other = self.node(other);
                area_of(other) == area_of(node)
                    && rack(other).is_some()
                    && rack(other) == rack(node)
            });
            if has_one && area.repeats == 0 {
                continue;
            }
            area.repeats -= usize::from(has_one);
            area.left -= 1;
            left -= 1;
            replicas.push(index);
        }
    }

    /// An area that asks for `count` replicas.
    fn area<'a>(&self, name: &'a str, count: usize) -> Area<'a> {
        let nodes = self.members().iter().map(|(_, node)| node);
        let nodes = nodes.filter(|node| node.weight > 0 && area_of(node) == Some(name));
        let mut racks = BTreeSet::new();
        let (mut nodes_in_all, mut alone) = (0, 0);
        for node in nodes {
            nodes_in_all += 1;
            match rack(node) {
                Some(rack) => drop(racks.insert(rack)),
                None => alone += 1,
            }
        }
        let repeats = count.saturating_sub(racks.len() + alone);
        Area { name, left: count.min(nodes_in_all), repeats }
    }
}

fn area_of(node: &Node) -> Option<&str> {
    node.attributes.get(Attribute::DataCentre)
}

fn rack(node: &Node) -> Option<&str> {
    let zone = node.zone.as_ref().map(Zone::as_str);
    node.attributes.get(Attribute::Rack).or(zone)
}
