//! [`Change`]s to a membership: checked first, then made.

use alloc::collections::BTreeMap;

use crate::members::check_id;
use crate::{Error, Members, Node, NodeId, NodeIndex};

/// A change to a membership, or to the map over it.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Change {
    /// A node joins.
    Add(Node),
    /// A member leaves.
    Remove(NodeId),
    /// A member gets another weight; 0 drains it.
    Reweight(NodeId, u32),
    /// The operator moves what is out of proportion.
    ///
    /// Only slots have an operator; every other family is at rest and stays as
    /// it is.
    Rebalance,
}

/// One change as it was made, told by [`Members::apply_with`].
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Step {
    /// The node with this index has joined.
    Joined(NodeIndex),
    /// This node has left, and its index is free.
    Left(NodeIndex, Node),
    /// The node with this index had this weight before.
    Reweighed(NodeIndex, u32),
    /// [`Change::Rebalance`].
    Rebalanced,
}

/// What a membership would be after some changes, told by [`Members::preview`].
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub struct Preview {
    /// How many members there would be.
    pub len: usize,
    /// How many of them would weigh more than 0, at least 1.
    pub active: usize,
    /// The sum of their weights.
    pub total_weight: u64,
}

impl Members {
    /// Makes `changes`, in order and as one step.
    ///
    /// # Errors
    ///
    /// As [`preview`](Self::preview); then nothing has changed.
    pub fn apply(&mut self, changes: &[Change]) -> Result<(), Error> {
        self.apply_with(changes, |_, _| ())
    }

    /// Makes `changes` as [`apply`](Self::apply) does, and tells `made` of each,
    /// with the membership as it then is.
    ///
    /// Between two changes of one list there may be no node at all.
    ///
    /// # Errors
    ///
    /// As [`preview`](Self::preview); then nothing has changed.
    pub fn apply_with(
        &mut self,
        changes: &[Change],
        mut made: impl FnMut(&Self, Step),
    ) -> Result<(), Error> {
        self.preview(changes)?;
        for change in changes {
            let step = self.make(change);
            made(self, step);
        }
        Ok(())
    }

    /// Checks `changes`, in order and as one step, and returns what they would
    /// come to. Nothing is changed.
    ///
    /// # Errors
    ///
    /// Fails if a change adds a member again or an empty id, removes or reweighs
    /// a node that is no member, rebalances while no weight is above 0, or if no
    /// weight is above 0 in the end.
    pub fn preview(&self, changes: &[Change]) -> Result<Preview, Error> {
        let mut after =
            Preview { len: self.len(), active: self.active, total_weight: self.total_weight };
        // Only nodes that the changes name: their weight by then, `None` once gone.
        let mut touched: BTreeMap<&NodeId, Option<u32>> = BTreeMap::new();
        for change in changes {
            let (id, to) = match change {
                Change::Add(node) => (&node.id, Some(node.weight)),
                Change::Remove(id) => (id, None),
                Change::Reweight(id, weight) => (id, Some(*weight)),
                Change::Rebalance if after.active == 0 => return Err(Error::NoNodes),
                Change::Rebalance => continue,
            };
            let from = touched
                .get(id)
                .copied()
                .unwrap_or_else(|| self.index_of(id).map(|index| self[index].weight));
            match (change, from) {
                (Change::Add(_), Some(_)) => return Err(Error::DuplicateNode { id: id.clone() }),
                (Change::Add(_), None) => check_id(id)?,
                (_, None) => return Err(Error::UnknownNode { id: id.clone() }),
                (_, Some(_)) => {}
            }
            touched.insert(id, to);
            let weight = |weight: Option<u32>| u64::from(weight.unwrap_or(0));
            let active = |at: Option<u32>| usize::from(weight(at) > 0);
            after.len = after.len + usize::from(to.is_some()) - usize::from(from.is_some());
            after.active = after.active + active(to) - active(from);
            after.total_weight = after.total_weight + weight(to) - weight(from);
        }
        if after.active == 0 {
            return Err(Error::NoNodes);
        }
        Ok(after)
    }

    /// Makes one change that [`preview`](Self::preview) has checked.
    fn make(&mut self, change: &Change) -> Step {
        const CHECKED: &str = "the change was checked before";
        match change {
            Change::Add(node) => {
                let at = self.search(node.id.as_str()).expect_err(CHECKED);
                let index = self.free.pop_first().unwrap_or_else(|| {
                    self.nodes.push(None);
                    NodeIndex::new(self.nodes.len() - 1)
                });
                self.nodes[index.get()] = Some(node.clone());
                self.by_id.insert(at, index);
                self.reweigh(0, node.weight);
                Step::Joined(index)
            }
            Change::Remove(id) => {
                let at = self.search(id.as_str()).expect(CHECKED);
                let index = self.by_id.remove(at);
                let node = self.nodes[index.get()].take().expect(CHECKED);
                self.reweigh(node.weight, 0);
                self.free.insert(index);
                while let Some(None) = self.nodes.last() {
                    self.nodes.pop();
                    self.free.pop_last();
                }
                Step::Left(index, node)
            }
            Change::Reweight(id, weight) => {
                let index = self.index_of(id).expect(CHECKED);
                let node = self.nodes[index.get()].as_mut().expect(CHECKED);
                let before = core::mem::replace(&mut node.weight, *weight);
                self.reweigh(before, *weight);
                Step::Reweighed(index, before)
            }
            Change::Rebalance => Step::Rebalanced,
        }
    }

    fn reweigh(&mut self, from: u32, to: u32) {
        self.active = self.active + usize::from(to > 0) - usize::from(from > 0);
        self.total_weight = self.total_weight + u64::from(to) - u64::from(from);
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;

    fn abc() -> Members {
        Members::named(["a", "b", "c"]).unwrap()
    }

    fn add(id: &str) -> Change {
        Change::Add(Node::new(id))
    }

    fn remove(id: &str) -> Change {
        Change::Remove(NodeId::new(id))
    }

    fn index(members: &Members, id: &str) -> Option<usize> {
        members.index_of(&NodeId::new(id)).map(NodeIndex::get)
    }

    #[test]
    fn a_freed_index_goes_to_the_next_that_joins_least_first() {
        let mut members = Members::named(["a", "b", "c", "d"]).unwrap();
        members.apply(&[remove("c"), remove("a")]).unwrap();
        assert_eq!((index(&members, "b"), index(&members, "d")), (Some(1), Some(3)));
        members.apply(&[add("e"), add("f"), add("g")]).unwrap();
        assert_eq!(index(&members, "e"), Some(0));
        assert_eq!(index(&members, "f"), Some(2));
        assert_eq!(index(&members, "g"), Some(4));
    }

    #[test]
    fn the_bound_follows_the_greatest_index() {
        let mut members = abc();
        members.apply(&[remove("b")]).unwrap();
        assert_eq!((members.len(), members.index_bound()), (2, 3));
        members.apply(&[remove("c")]).unwrap();
        assert_eq!((members.len(), members.index_bound()), (1, 1));
        members.apply(&[add("z")]).unwrap();
        assert_eq!(index(&members, "z"), Some(1));
    }

    #[test]
    fn a_failing_step_changes_nothing() {
        let mut members = abc();
        let before = members.clone();
        for (changes, error) in [
            (vec![remove("a"), remove("a")], Error::UnknownNode { id: NodeId::new("a") }),
            (vec![add("d"), add("d")], Error::DuplicateNode { id: NodeId::new("d") }),
            (vec![add("c")], Error::DuplicateNode { id: NodeId::new("c") }),
            (
                vec![Change::Reweight(NodeId::new("x"), 2)],
                Error::UnknownNode { id: NodeId::new("x") },
            ),
            (vec![remove("a"), remove("b"), remove("c")], Error::NoNodes),
            (
                vec![remove("a"), remove("b"), remove("c"), Change::Rebalance, add("d")],
                Error::NoNodes,
            ),
        ] {
            assert_eq!(members.apply(&changes), Err(error));
            assert_eq!(members, before);
        }
        assert!(members.apply(&[add("")]).is_err());
        assert_eq!(members, before);
    }

    #[test]
    fn the_last_node_can_be_replaced_in_one_step() {
        let mut members = Members::named(["a"]).unwrap();
        members.apply(&[remove("a"), add("b")]).unwrap();
        assert_eq!(index(&members, "b"), Some(0));
        assert_eq!((members.active(), members.total_weight()), (1, 1));
    }

    #[test]
    fn a_node_can_leave_and_return_within_one_step() {
        let mut members = abc();
        members.apply(&[remove("b"), Change::Add(Node::new("b").weighing(5))]).unwrap();
        assert_eq!(index(&members, "b"), Some(1));
        assert_eq!(members.total_weight(), 7);
        assert!(!members.weighs_evenly());
    }
}
