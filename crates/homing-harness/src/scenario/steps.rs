//! [`Step`]s of a scenario, and the [`Cluster`] that goes through them.

use std::collections::BTreeMap;
use std::fmt;

use homing_core::{Change, Error as CoreError, Members, Node, NodeId};

/// One step of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// What it is called: what it does, in words, unless the file says more.
    pub name: String,
    /// What it does.
    pub action: Action,
}

/// What a step does to a cluster.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Nodes join.
    Join(Vec<Node>),
    /// Nodes leave as planned: where moves are the operator's, they are drained
    /// first.
    Leave(Vec<NodeId>),
    /// Nodes are gone at once.
    Fail(Vec<NodeId>),
    /// Another machine takes the place of one, under the same id.
    Replace(NodeId),
    /// A machine goes on under another id.
    Rename {
        /// The id before.
        from: NodeId,
        /// The id after.
        to: NodeId,
    },
    /// The list of members gets another order: each of them once.
    Reorder(Vec<NodeId>),
    /// A node gets another weight.
    Reweight(NodeId, u32),
    /// Nodes get the weight 0.
    Drain(Vec<NodeId>),
    /// The operator moves what is out of proportion.
    Rebalance,
    /// A machine leaves a list whose ids are no more than places: each machine
    /// after it goes on under the id before its own.
    Shift {
        /// The id of the machine that leaves.
        gone: NodeId,
        /// The last id of the list: the one that nobody has afterwards.
        last: NodeId,
    },
}

/// Members, with the machine behind each id.
///
/// A machine is known by its number. An id that left and joins again is the same
/// machine, unless a rename or a shift has given the id to another one.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    members: Members,
    machines: BTreeMap<NodeId, usize>, // by every id that is or was a member's
    count: usize,                      // how many numbers there are
}

impl Cluster {
    /// A machine of its own behind each member.
    #[must_use]
    pub fn new(members: Members) -> Self {
        let ids = members.iter_by_index().map(|(_, node)| node.id.clone());
        let machines: BTreeMap<NodeId, usize> =
            ids.enumerate().map(|(number, id)| (id, number)).collect();
        let count = machines.len();
        Self { members, machines, count }
    }

    /// The members.
    #[must_use]
    pub fn members(&self) -> &Members {
        &self.members
    }

    /// The ids in the order of the list.
    #[must_use]
    pub fn list(&self) -> Vec<NodeId> {
        self.members.iter_by_index().map(|(_, node)| node.id.clone()).collect()
    }

    /// Returns the number of the machine behind an id that is or was a member's.
    #[must_use]
    pub fn machine(&self, id: &NodeId) -> Option<usize> {
        self.machines.get(id).copied()
    }

    /// The weights by number of machine, none where it is no member.
    #[must_use]
    pub fn weights(&self) -> Vec<Option<u32>> {
        let mut weights = vec![None; self.count];
        for (_, node) in self.members.iter() {
            if let Some(number) = self.machine(&node.id) {
                weights[number] = Some(node.weight);
            }
        }
        weights
    }

    /// Whether both have the same machines under the same ids, with the same
    /// weights and zones, whatever the order of the list.
    #[must_use]
    pub fn is_as(&self, other: &Self) -> bool {
        let nodes = |of: &Self| -> Vec<_> {
            of.members.iter().map(|(_, node)| (node.clone(), of.machine(&node.id))).collect()
        };
        nodes(self) == nodes(other)
    }

    /// Makes a step.
    ///
    /// # Errors
    ///
    /// Fails, and changes nothing, if it names a node that is no member or adds
    /// one that is, reorders other nodes than there are, shifts nodes of
    /// different weights or zones, or leaves no node of a weight above 0.
    pub fn make(&mut self, action: &Action) -> Result<(), CoreError> {
        match action {
            Action::Join(nodes) => {
                let joins: Vec<Change> = nodes.iter().cloned().map(Change::Add).collect();
                self.members.apply(&joins)?;
                for node in nodes {
                    let next = self.count;
                    let number = *self.machines.entry(node.id.clone()).or_insert(next);
                    self.count += usize::from(number == next);
                }
                Ok(())
            }
            Action::Leave(ids) | Action::Fail(ids) => self.members.apply(&removals(ids)),
            Action::Drain(ids) => self.members.apply(&drains(ids)),
            Action::Reweight(id, weight) => {
                self.members.apply(&[Change::Reweight(id.clone(), *weight)])
            }
            Action::Replace(id) => self.known(id),
            Action::Rebalance => Ok(()),
            Action::Rename { from, to } => {
                self.known(from)?;
                self.members = renamed(&self.members, from, to)?;
                if let Some(number) = self.machines.remove(from) {
                    self.machines.insert(to.clone(), number);
                }
                Ok(())
            }
            Action::Reorder(order) => {
                self.members = reordered(&self.members, order)?;
                Ok(())
            }
            Action::Shift { gone, last } => self.shift(gone, last),
        }
    }

    fn known(&self, id: &NodeId) -> Result<(), CoreError> {
        match self.members.index_of(id) {
            Some(_) => Ok(()),
            None => Err(CoreError::UnknownNode { id: id.clone() }),
        }
    }

    fn shift(&mut self, gone: &NodeId, last: &NodeId) -> Result<(), CoreError> {
        self.known(gone)?;
        let list = self.members.iter_by_index().skip_while(|(_, node)| node.id != *gone);
        let shifted: Vec<&Node> = list.map(|(_, node)| node).collect();
        let alike =
            |pair: &[&Node]| pair[0].weight == pair[1].weight && pair[0].zone == pair[1].zone;
        if let Some(pair) = shifted.windows(2).find(|pair| !alike(pair)) {
            return Err(CoreError::parameter(
                "shift",
                format!("of {:?} and {:?}", pair[0].id, pair[1].id),
                "of nodes of one weight and one zone",
            ));
        }
        let numbers: Vec<_> = shifted.iter().map(|node| self.machines.get(&node.id)).collect();
        let next: Vec<(NodeId, usize)> = shifted
            .iter()
            .zip(&numbers[1..])
            .filter_map(|(node, number)| Some((node.id.clone(), **number.as_ref()?)))
            .collect();
        self.members.apply(&[Change::Remove(last.clone())])?;
        self.machines.remove(last);
        self.machines.extend(next);
        Ok(())
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Join(nodes) => {
                let ids: Vec<NodeId> = nodes.iter().map(|node| node.id.clone()).collect();
                write!(f, "join {}", named(&ids))?;
                match nodes.as_slice() {
                    [one] if one.weight != 1 => write!(f, " of weight {}", one.weight),
                    _ => Ok(()),
                }
            }
            Self::Leave(ids) => write!(f, "leave {}", named(ids)),
            Self::Fail(ids) => write!(f, "fail {}", named(ids)),
            Self::Replace(id) => write!(f, "replace {id}"),
            Self::Rename { from, to } => write!(f, "rename {from} to {to}"),
            Self::Reorder(order) => write!(f, "reorder to {}", named(order)),
            Self::Reweight(id, weight) => write!(f, "reweight {id} to {weight}"),
            Self::Drain(ids) => write!(f, "drain {}", named(ids)),
            Self::Rebalance => f.write_str("rebalance"),
            Self::Shift { gone, .. } => write!(f, "shift {gone}"),
        }
    }
}

/// Ids in a row, cut after three.
fn named(ids: &[NodeId]) -> String {
    let mut named: Vec<String> = ids.iter().take(3).map(NodeId::to_string).collect();
    if ids.len() > 3 {
        named.push(format!("{} more", ids.len() - 3));
    }
    named.join(", ")
}

/// The removal of each node.
#[must_use]
pub(crate) fn removals(ids: &[NodeId]) -> Vec<Change> {
    ids.iter().cloned().map(Change::Remove).collect()
}

/// The weight 0 for each node.
#[must_use]
pub(crate) fn drains(ids: &[NodeId]) -> Vec<Change> {
    ids.iter().map(|id| Change::Reweight(id.clone(), 0)).collect()
}

/// The same list with another id in the place of one.
///
/// # Errors
///
/// Fails if the new id is a member's already, or empty.
pub(crate) fn renamed(members: &Members, from: &NodeId, to: &NodeId) -> Result<Members, CoreError> {
    Members::new(members.iter_by_index().map(|(_, node)| {
        let mut node = node.clone();
        if node.id == *from {
            node.id = to.clone();
        }
        node
    }))
}

/// The same members as a list in this order.
///
/// # Errors
///
/// Fails unless the order has every member once, and nobody else.
pub(crate) fn reordered(members: &Members, order: &[NodeId]) -> Result<Members, CoreError> {
    let nodes: Result<Vec<Node>, CoreError> = order
        .iter()
        .map(|id| match members.index_of(id) {
            Some(index) => Ok(members[index].clone()),
            None => Err(CoreError::UnknownNode { id: id.clone() }),
        })
        .collect();
    let next = Members::new(nodes?)?;
    if next.len() < members.len() {
        return Err(CoreError::parameter(
            "reorder",
            format!("a list of {}", next.len()),
            format!("a list of all {} members", members.len()),
        ));
    }
    Ok(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn abcd() -> Cluster {
        Cluster::new(Members::named(["a", "b", "c", "d"]).unwrap())
    }

    fn machines(cluster: &Cluster) -> Vec<(String, usize)> {
        let ids = cluster.members.iter().map(|(_, node)| &node.id);
        ids.map(|id| (id.to_string(), cluster.machine(id).unwrap())).collect()
    }

    #[test]
    fn who_leaves_and_joins_again_is_the_same_machine() {
        let mut cluster = abcd();
        cluster.make(&Action::Leave(vec!["b".into()])).unwrap();
        assert!(!cluster.is_as(&abcd()));
        cluster.make(&Action::Join(vec![Node::new("b")])).unwrap();
        assert!(cluster.is_as(&abcd()));
        cluster.make(&Action::Join(vec![Node::new("e")])).unwrap();
        assert_eq!(cluster.machine(&"e".into()), Some(4));
    }

    #[test]
    fn a_shift_gives_each_id_after_it_the_next_machine() {
        // a, b, c, d are machines 0 to 3; without b the list of three is a, b, c.
        let mut cluster = abcd();
        let shift = Action::Shift { gone: "b".into(), last: "d".into() };
        cluster.make(&shift).unwrap();
        let expected = [("a", 0), ("b", 2), ("c", 3)].map(|(id, n)| (id.to_owned(), n));
        assert_eq!(machines(&cluster), expected);
        // Whoever joins under the last id is a machine of its own.
        cluster.make(&Action::Join(vec![Node::new("d")])).unwrap();
        assert_eq!(cluster.machine(&"d".into()), Some(4));
    }

    #[test]
    fn nodes_that_differ_are_not_shifted() {
        let mut cluster = abcd();
        cluster.make(&Action::Reweight("c".into(), 2)).unwrap();
        let before = cluster.clone();
        let told = cluster.make(&Action::Shift { gone: "b".into(), last: "d".into() });
        let told = told.unwrap_err().to_string();
        assert_eq!(
            told,
            "shift is of \"b\" and \"c\", but must be of nodes of one weight and one zone"
        );
        assert_eq!(cluster, before);
    }

    #[test]
    fn a_renamed_machine_stays_the_machine_it_was() {
        let mut cluster = abcd();
        cluster.make(&Action::Rename { from: "b".into(), to: "x".into() }).unwrap();
        assert_eq!(cluster.machine(&"x".into()), Some(1));
        assert_eq!(
            cluster.list().iter().map(NodeId::as_str).collect::<Vec<_>>(),
            ["a", "x", "c", "d"]
        );
        let taken = cluster.make(&Action::Rename { from: "x".into(), to: "a".into() });
        assert_eq!(taken, Err(CoreError::DuplicateNode { id: "a".into() }));
    }

    #[test]
    fn an_order_has_every_member_once() {
        let mut cluster = abcd();
        let order = |ids: &[&str]| Action::Reorder(ids.iter().map(|&id| id.into()).collect());
        assert!(cluster.make(&order(&["d", "c", "b"])).is_err());
        assert!(cluster.make(&order(&["d", "c", "b", "b"])).is_err());
        assert!(cluster.make(&order(&["d", "c", "b", "x"])).is_err());
        cluster.make(&order(&["d", "c", "b", "a"])).unwrap();
        assert!(cluster.is_as(&abcd()), "the order is no part of it");
        assert_eq!(cluster.list()[0].as_str(), "d");
    }
}
