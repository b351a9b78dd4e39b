//! The points that nodes throw, as the configuration says.

use alloc::collections::BTreeMap;
use alloc::string::String;
use core::fmt::Write;

use homing_core::{Members, NodeId, draw};

use crate::circle::Circle;
use crate::{Config, Points};

/// Nodes with the weight for which they are to have points; 0 for none.
pub(crate) type Weights<'a> = BTreeMap<&'a NodeId, u32>;

/// How many points [`throw`] adds.
pub(crate) fn count(points: &Points, weights: &Weights<'_>) -> u64 {
    match points {
        Points::Drawn { per_weight } | Points::Labelled { per_weight, .. } => {
            weights.values().map(|&weight| u64::from(*per_weight) * u64::from(weight)).sum()
        }
        Points::Assigned(list) => list.iter().filter(|(_, id)| has(weights, id)).count() as u64,
    }
}

/// Adds the points of the nodes in `weights` to the end of `circle`, unsorted.
///
/// Every node with a weight above 0 is a member, whose index the points get.
pub(crate) fn throw(
    config: &Config,
    weights: &Weights<'_>,
    members: &Members,
    circle: &mut Circle,
) {
    const MEMBER: &str = "a node that has points is a member";
    let copies = |per_weight: u32, weight: u32| u64::from(per_weight) * u64::from(weight);
    let active = weights
        .iter()
        .filter(|&(_, &weight)| weight > 0)
        .map(|(&id, &weight)| (id, weight, members.index_of(id).expect(MEMBER)));
    match &config.points {
        Points::Drawn { per_weight } => {
            for (id, weight, index) in active {
                let hash = config.hash.hash(id.as_str().as_bytes());
                for i in 0..copies(*per_weight, weight) {
                    circle.push(draw(hash, i), index);
                }
            }
        }
        Points::Labelled { prefix, separator, per_weight } => {
            let mut label = String::new();
            for (id, weight, index) in active {
                label.clear();
                for part in [prefix, id.as_str(), separator] {
                    label.push_str(part);
                }
                let stem = label.len();
                for i in 0..copies(*per_weight, weight) {
                    label.truncate(stem);
                    write!(label, "{i}").expect("a string takes any text");
                    circle.push(config.hash.hash(label.as_bytes()), index);
                }
            }
        }
        Points::Assigned(list) => {
            for (position, id) in list.iter().filter(|(_, id)| has(weights, id)) {
                circle.push(*position, members.index_of(id).expect(MEMBER));
            }
        }
    }
}

fn has(weights: &Weights<'_>, id: &NodeId) -> bool {
    weights.get(id).is_some_and(|&weight| weight > 0)
}
