//! Random changes to a membership, and the membership that they should leave.

use homing_core::Change;
use homing_tests::bridge::{node, remove, reweight};
use homing_tests::oracle::OracleNode;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

use crate::{id, zone};

/// A change, its node named by its place among the members of that moment.
#[derive(Clone, Debug)]
pub(crate) enum Step {
    Add(OracleNode),
    /// The node that left last comes back, with this weight.
    Return(u32),
    Remove(Index),
    Reweight(Index, u32),
    Rebalance,
}

/// Lists of one to four changes.
pub(crate) fn lists(
    weight: impl Strategy<Value = u32> + Clone,
) -> impl Strategy<Value = Vec<Vec<Step>>> {
    let node = (id(), weight.clone(), zone())
        .prop_map(|(id, weight, zone)| Step::Add(OracleNode { id, weight, zone }));
    let step = prop_oneof![
        3 => node,
        2 => weight.clone().prop_map(Step::Return),
        3 => any::<Index>().prop_map(Step::Remove),
        3 => (any::<Index>(), weight).prop_map(|(index, weight)| Step::Reweight(index, weight)),
        1 => Just(Step::Rebalance),
    ];
    vec(vec(step, 1..=4), 1..=6)
}

/// A membership by index: a freed place goes to the next node, the least first.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    places: Vec<Option<OracleNode>>, // by index
    left: Option<OracleNode>,        // the node that left last
}

impl Model {
    pub(crate) fn new(nodes: &[OracleNode]) -> Self {
        Self { places: nodes.iter().cloned().map(Some).collect(), left: None }
    }

    /// The members in order of index.
    pub(crate) fn nodes(&self) -> Vec<OracleNode> {
        self.places.iter().flatten().cloned().collect()
    }

    /// The id at an index, `None` where it is free.
    pub(crate) fn id_at(&self, index: usize) -> Option<&str> {
        self.places.get(index)?.as_ref().map(|node| node.id.as_str())
    }

    /// The changes that these steps are; those without sense at that moment are left out.
    pub(crate) fn make(&mut self, steps: &[Step]) -> Vec<Change> {
        steps.iter().filter_map(|step| self.make_one(step)).collect()
    }

    fn make_one(&mut self, step: &Step) -> Option<Change> {
        let occupied = |&i: &usize| self.places[i].is_some();
        let members: Vec<usize> = (0..self.places.len()).filter(occupied).collect();
        match step {
            Step::Add(joining) => self.join(joining.clone()),
            Step::Return(weight) => {
                let node = self.left.take()?;
                self.join(node.weighing(*weight))
            }
            Step::Rebalance => {
                let weighs = self.places.iter().flatten().any(|node| node.weight > 0);
                weighs.then_some(Change::Rebalance)
            }
            _ if members.is_empty() => None,
            Step::Remove(index) => {
                let node = self.places[*index.get(&members)].take().expect("a member");
                let change = remove(&node.id);
                self.left = Some(node);
                Some(change)
            }
            Step::Reweight(index, weight) => {
                let member = self.places[*index.get(&members)].as_mut().expect("a member");
                member.weight = *weight;
                Some(reweight(&member.id, *weight))
            }
        }
    }

    fn join(&mut self, joining: OracleNode) -> Option<Change> {
        if self.places.iter().flatten().any(|node| node.id == joining.id) {
            return None;
        }
        let change = Change::Add(node(&joining));
        match self.places.iter().position(Option::is_none) {
            Some(place) => self.places[place] = Some(joining),
            None => self.places.push(Some(joining)),
        }
        Some(change)
    }
}
