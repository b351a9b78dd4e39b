//! The changes that constraints are measured under.

use homing_core::{Change, Members, Node, NodeIndex};
use serde::Serialize;

use super::{Constraints, Removed};
use crate::scenario::grown;

/// A change that is measured.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Nothing: where nobody joins or leaves.
    Rest,
    /// One node more.
    Join,
    /// One node fewer: one in the middle, or the last where only that can leave.
    Leave,
    /// As many nodes as there are at most, at once.
    Grow,
}

impl Step {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::Join => "join",
            Self::Leave => "leave",
            Self::Grow => "grow",
        }
    }
}

/// A step, as it was measured.
#[derive(Clone, Debug, Serialize)]
pub struct Taken {
    /// Which one.
    pub step: Step,
    /// What was done, in words.
    pub change: String,
    /// How many nodes there are after it.
    pub nodes_after: usize,
}

/// A step, and the changes that make it.
#[derive(Clone, Debug)]
pub(super) struct Stage {
    pub(super) step: Step,
    pub(super) changes: Vec<Change>,
    nodes_after: usize,
}

impl Stage {
    /// The step in words.
    pub(super) fn taken(&self) -> Taken {
        let change = match (self.step, self.changes.as_slice()) {
            (Step::Leave, [Change::Remove(id)]) => format!("remove {id:?}"),
            (_, [Change::Add(node)]) => format!("add {:?}", node.id),
            (_, []) => "nothing".to_owned(),
            (_, changes) => format!("add {} nodes", changes.len()),
        };
        Taken { step: self.step, change, nodes_after: self.nodes_after }
    }
}

/// The steps that `constraints` ask for: one node joins if there can be more, one
/// leaves if any can, all join that can, if they are more than one.
pub(super) fn steps(constraints: &Constraints) -> Vec<Stage> {
    let members = &constraints.members;
    let active = members.active();
    let more = constraints.most_nodes - active;
    let mut steps = Vec::new();
    let mut push = |step, changes, nodes_after| steps.push(Stage { step, changes, nodes_after });
    if more > 0 {
        push(Step::Join, joining(members, 1), active + 1);
    }
    if let Some(index) = leaver(members, constraints.removal) {
        push(Step::Leave, vec![Change::Remove(members[index].id.clone())], active - 1);
    }
    if more > 1 {
        push(Step::Grow, joining(members, more), active + more);
    }
    if steps.is_empty() {
        steps.push(Stage { step: Step::Rest, changes: Vec::new(), nodes_after: active });
    }
    steps
}

/// `count` new nodes, with the weights and zones of the members that own keys, gone
/// through in order.
fn joining(members: &Members, count: usize) -> Vec<Change> {
    let models: Vec<&Node> = members.iter_by_index().map(|(_, node)| node).collect();
    let mut models = models.iter().filter(|node| node.weight > 0).cycle();
    let mut changes = grown(members, members, count);
    for change in &mut changes {
        if let (Change::Add(node), Some(model)) = (change, models.next()) {
            node.weight = model.weight;
            node.zone.clone_from(&model.zone);
        }
    }
    changes
}

/// Who leaves: of the nodes that own keys the one in the middle of the list, or the
/// last; nobody where none can, or only one owns keys.
fn leaver(members: &Members, removal: Removed) -> Option<NodeIndex> {
    let owning = members.iter_by_index().filter(|(_, node)| node.weight > 0);
    let owning: Vec<NodeIndex> = owning.map(|(index, _)| index).collect();
    match removal {
        _ if owning.len() < 2 => None,
        Removed::Any => owning.get(owning.len() / 2).copied(),
        Removed::Last => owning.last().copied(),
        Removed::None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members() -> Members {
        Members::new([
            Node::new("a").weighing(3).in_zone("east"),
            Node::new("b").weighing(0),
            Node::new("c").weighing(2).in_zone("west"),
            Node::new("d").weighing(1),
        ])
        .unwrap()
    }

    #[test]
    fn who_leaves_is_in_the_middle_of_those_that_own_keys_or_the_last() {
        // a, c and d own keys: c is the middle one of three.
        let members = members();
        let id = |removal| leaver(&members, removal).map(|index| members[index].id.to_string());
        assert_eq!(id(Removed::Any).as_deref(), Some("c"));
        assert_eq!(id(Removed::Last).as_deref(), Some("d"));
        assert_eq!(id(Removed::None), None);
    }

    #[test]
    fn who_joins_weighs_as_the_members_in_turn() {
        let weights: Vec<u32> = joining(&members(), 4)
            .iter()
            .filter_map(|change| match change {
                Change::Add(node) => Some(node.weight),
                _ => None,
            })
            .collect();
        assert_eq!(weights, [3, 2, 1, 3]);
    }
}
