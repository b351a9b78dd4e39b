//! The points that nodes throw, as the configuration says.

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use homing_core::{Error, Members, NodeId, NodeIndex, draw};

use crate::circle::Circle;
use crate::measure::Measure;
use crate::{Config, Points};

/// Nodes with the weight for which they are to have points; 0 for none.
pub(crate) type Weights<'a> = BTreeMap<&'a NodeId, u32>;

/// The points of some nodes, yet to be made.
pub(crate) struct Throw<'a> {
    config: &'a Config,
    measure: Measure,
    weights: &'a Weights<'a>,
    members: &'a Members,
    copies: Vec<u32>, // by index, where points are derived
}

impl<'a> Throw<'a> {
    /// Of the nodes in `weights`; each with a weight above 0 is one of `members`,
    /// whose index the points get.
    pub(crate) fn new(
        config: &'a Config,
        weights: &'a Weights<'a>,
        members: &'a Members,
    ) -> Result<Self, Error> {
        let measure = Measure::new(config.max_position(), config.boundary);
        Ok(Self { config, measure, weights, members, copies: copies(config, members)? })
    }

    /// How many points there are.
    pub(crate) fn count(&self) -> u64 {
        match &self.config.points {
            Points::Drawn { per_weight } | Points::Labelled { per_weight, .. } => {
                let weights = self.weights.values();
                weights.map(|&weight| u64::from(*per_weight) * u64::from(weight)).sum()
            }
            Points::Assigned(list) => {
                list.iter().filter(|(_, id)| has(self.weights, id)).count() as u64
            }
            Points::Derived { scheme, .. } => {
                let copies = self.active().map(|(_, _, index)| self.copies[index.get()]);
                copies.map(u64::from).sum::<u64>() * u64::from(scheme.points_a_copy())
            }
        }
    }

    /// The nodes with a weight above 0.
    fn active(&self) -> impl Iterator<Item = (&'a NodeId, u32, NodeIndex)> {
        let weights = self.weights.iter().filter(|&(_, &weight)| weight > 0);
        weights.map(|(&id, &weight)| (id, weight, index_of(self.members, id)))
    }

    /// Adds the points to the end of `circle`, unsorted, at their places.
    pub(crate) fn make(&self, circle: &mut Circle) {
        let Self { config, measure, weights, members, .. } = self;
        let copies = |per_weight: u32, weight: u32| u64::from(per_weight) * u64::from(weight);
        match &config.points {
            Points::Drawn { per_weight } => {
                for (id, weight, index) in self.active() {
                    let hash = config.hash.hash(id.as_str().as_bytes());
                    for i in 0..copies(*per_weight, weight) {
                        circle.push(measure.place(draw(hash, i) >> measure.lacking()), index);
                    }
                }
            }
            Points::Labelled { prefix, separator, per_weight } => {
                let mut label = String::new();
                for (id, weight, index) in self.active() {
                    label.clear();
                    for part in [prefix, id.as_str(), separator] {
                        label.push_str(part);
                    }
                    let stem = label.len();
                    for i in 0..copies(*per_weight, weight) {
                        label.truncate(stem);
                        write!(label, "{i}").expect("a string takes any text");
                        circle.push(measure.place(config.hash.hash(label.as_bytes())), index);
                    }
                }
            }
            Points::Assigned(list) => {
                for (position, id) in list.iter().filter(|(_, id)| has(weights, id)) {
                    circle.push(measure.place(*position), index_of(members, id));
                }
            }
            Points::Derived { scheme, .. } => {
                for (_, _, index) in self.active() {
                    let copies = self.copies[index.get()];
                    scheme.points(members[index].label(), copies, |point| {
                        circle.push(measure.place(point), index);
                    });
                }
            }
        }
    }
}

/// How many copies each of `members` has, by index, where points are derived.
pub(crate) fn copies(config: &Config, members: &Members) -> Result<Vec<u32>, Error> {
    match &config.points {
        Points::Derived { scheme, count } => count.copies(members, scheme.points_a_copy()),
        _ => Ok(Vec::new()),
    }
}

fn index_of(members: &Members, id: &NodeId) -> NodeIndex {
    members.index_of(id).expect("a node that has points is a member")
}

fn has(weights: &Weights<'_>, id: &NodeId) -> bool {
    weights.get(id).is_some_and(|&weight| weight > 0)
}
