//! [`Members`], a membership that is known to be sound.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Index;
use core::slice;

use crate::{Error, Node, NodeId, NodeIndex};

/// The nodes that share the keys: at least one of a weight above 0, no id twice,
/// no id empty.
///
/// A node keeps its [`NodeIndex`] as long as it stays. A freed index goes to the
/// next node that joins, the least first.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Members {
    pub(crate) nodes: Vec<Option<Node>>, // by index; `None` where freed; the last is a node
    pub(crate) by_id: Vec<NodeIndex>,    // every index in use, in order of id
    pub(crate) free: BTreeSet<NodeIndex>, // the indices of `nodes` that are `None`
    pub(crate) active: usize,            // how many weigh more than 0, at least 1
    pub(crate) total_weight: u64,
}

impl Members {
    /// The membership of `nodes`, with indices in the order given.
    ///
    /// # Errors
    ///
    /// Fails if an id is empty or given twice, or no weight is above 0.
    pub fn new(nodes: impl IntoIterator<Item = Node>) -> Result<Self, Error> {
        Self::indexed(nodes.into_iter().map(Some).collect())
    }

    /// The membership of `nodes` by index, `None` where an index is free.
    fn indexed(mut nodes: Vec<Option<Node>>) -> Result<Self, Error> {
        while let Some(None) = nodes.last() {
            nodes.pop();
        }
        let indices = |free: bool| {
            let nodes = nodes.iter().enumerate();
            nodes.filter(move |(_, node)| node.is_none() == free).map(|(i, _)| NodeIndex::new(i))
        };
        let mut by_id: Vec<NodeIndex> = indices(false).collect();
        let free = indices(true).collect();
        let mut members = Self { nodes, by_id: Vec::new(), free, active: 0, total_weight: 0 };
        for node in members.nodes.iter().flatten() {
            check_id(&node.id)?;
            members.active += usize::from(node.weight > 0);
            members.total_weight += u64::from(node.weight);
        }
        by_id.sort_by(|&a, &b| members[a].id.cmp(&members[b].id));
        if let Some(pair) = by_id.windows(2).find(|pair| members[pair[0]].id == members[pair[1]].id)
        {
            return Err(Error::DuplicateNode { id: members[pair[0]].id.clone() });
        }
        if members.active == 0 {
            return Err(Error::NoNodes);
        }
        members.by_id = by_id;
        Ok(members)
    }

    /// The membership of what `make` makes of each node, at the index that the node
    /// has; they are handed out in order of index.
    ///
    /// # Errors
    ///
    /// Fails if `make` does, or as [`new`](Self::new).
    pub fn with_nodes(
        &self,
        mut make: impl FnMut(&Node) -> Result<Node, Error>,
    ) -> Result<Self, Error> {
        let nodes = self.nodes.iter().map(|node| node.as_ref().map(&mut make).transpose());
        Self::indexed(nodes.collect::<Result<_, Error>>()?)
    }

    /// The membership of nodes of weight 1 with these ids.
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new).
    pub fn named<'a>(ids: impl IntoIterator<Item = &'a str>) -> Result<Self, Error> {
        Self::new(ids.into_iter().map(Node::new))
    }

    /// Returns the index of a member, or `None` if the id is no member's.
    #[must_use]
    pub fn index_of(&self, id: &NodeId) -> Option<NodeIndex> {
        self.search(id.as_str()).ok().map(|at| self.by_id[at])
    }

    /// Returns the member with an index, or `None` if the index is free.
    #[must_use]
    pub fn get(&self, index: NodeIndex) -> Option<&Node> {
        self.nodes.get(index.get())?.as_ref()
    }

    /// The members in order of id.
    #[must_use]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (NodeIndex, &Node)> {
        self.by_id.iter().map(|&index| (index, &self[index]))
    }

    /// The members in order of index, freed indices passed over.
    #[must_use]
    pub fn iter_by_index(&self) -> impl ExactSizeIterator<Item = (NodeIndex, &Node)> {
        ByIndex { nodes: self.nodes.iter(), next: 0, left: self.len() }
    }

    /// How many members there are, drained ones included; at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a membership is never empty")]
    #[must_use]
    pub fn len(&self) -> usize {
        self.by_id.len()
    }

    /// How many members weigh more than 0; at least 1.
    #[must_use]
    pub fn active(&self) -> usize {
        self.active
    }

    /// One more than the greatest index: the length of an array by index.
    #[must_use]
    pub fn index_bound(&self) -> usize {
        self.nodes.len()
    }

    /// The sum of the weights, at least 1.
    #[must_use]
    pub fn total_weight(&self) -> u64 {
        self.total_weight
    }

    /// Whether all weights above 0 are equal.
    #[must_use]
    pub fn weighs_evenly(&self) -> bool {
        let mut weights = self.iter().map(|(_, node)| node.weight).filter(|&weight| weight > 0);
        let first = weights.next();
        weights.all(|weight| Some(weight) == first)
    }

    /// For each of our indices, the index in `other` of the node with the same id.
    ///
    /// `None` where the index is free, or the node is no member of `other`.
    #[must_use]
    pub fn matched_in(&self, other: &Self) -> Vec<Option<NodeIndex>> {
        let mut matched = vec![None; self.index_bound()];
        let mut others = other.iter().peekable();
        for (index, node) in self.iter() {
            while others.next_if(|(_, their)| their.id < node.id).is_some() {}
            matched[index.get()] =
                others.peek().filter(|(_, their)| their.id == node.id).map(|&(at, _)| at);
        }
        matched
    }

    /// The heap memory behind the membership, in bytes: arrays, ids, zones
    /// and attributes.
    ///
    /// A text that clones share is counted in each.
    #[must_use]
    pub fn memory_usage(&self) -> usize {
        // An `Arc<str>` has two counts before its text.
        let text = |text: &str| text.len() + 2 * size_of::<usize>();
        let texts: usize = self
            .iter()
            .map(|(_, node)| {
                text(node.id.as_str())
                    + node.zone.as_ref().map_or(0, |zone| text(zone.as_str()))
                    + node.attributes.memory_usage()
            })
            .sum();
        texts
            + self.nodes.capacity() * size_of::<Option<Node>>()
            + self.by_id.capacity() * size_of::<NodeIndex>()
            + self.free.len() * size_of::<NodeIndex>()
    }

    pub(crate) fn search(&self, id: &str) -> Result<usize, usize> {
        self.by_id.binary_search_by(|&index| self[index].id.as_str().cmp(id))
    }
}

impl Index<NodeIndex> for Members {
    type Output = Node;

    /// The member with an index.
    ///
    /// # Panics
    ///
    /// Panics if no member has it.
    fn index(&self, index: NodeIndex) -> &Node {
        self.nodes[index.get()].as_ref().expect("a member has this index")
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Members {
    /// The nodes in order of index, none (`null`) where an index is free.
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(&self.nodes)
    }
}

#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for Members {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let nodes = Vec::<Option<Node>>::deserialize(deserializer)?;
        Self::indexed(nodes).map_err(serde::de::Error::custom)
    }
}

struct ByIndex<'a> {
    nodes: slice::Iter<'a, Option<Node>>,
    next: usize, // the index of the next of `nodes`
    left: usize, // how many of `nodes` are members
}

impl<'a> Iterator for ByIndex<'a> {
    type Item = (NodeIndex, &'a Node);

    fn next(&mut self) -> Option<Self::Item> {
        for node in self.nodes.by_ref() {
            let index = self.next;
            self.next += 1;
            if let Some(node) = node {
                self.left -= 1;
                return Some((NodeIndex::new(index), node));
            }
        }
        None
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for ByIndex<'_> {}

pub(crate) fn check_id(id: &NodeId) -> Result<(), Error> {
    if id.as_str().is_empty() {
        return Err(Error::parameter("id", "\"\"", "at least one byte long"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    fn abc() -> Members {
        Members::named(["a", "b", "c"]).unwrap()
    }

    fn index(members: &Members, id: &str) -> Option<usize> {
        members.index_of(&NodeId::new(id)).map(NodeIndex::get)
    }

    #[test]
    fn indices_are_in_the_order_given_and_iteration_is_in_order_of_id() {
        let members = Members::named(["b", "c", "a"]).unwrap();
        assert_eq!(index(&members, "b"), Some(0));
        let ids: Vec<_> = members.iter().map(|(_, node)| node.id.to_string()).collect();
        assert_eq!(ids, ["a", "b", "c"]);
        let ids: Vec<_> = members.iter_by_index().map(|(_, node)| node.id.to_string()).collect();
        assert_eq!(ids, ["b", "c", "a"]);
    }

    #[test]
    fn another_node_in_place_of_one_has_its_index() {
        let mut members = abc();
        members.apply(&[crate::Change::Remove("b".into())]).unwrap();
        let heavier = members.with_nodes(|node| Ok(node.clone().weighing(3))).unwrap();
        assert_eq!(index(&heavier, "c"), Some(2));
        assert_eq!((heavier.total_weight(), heavier.index_bound()), (6, 3));
        let twice = members.with_nodes(|_| Ok(Node::new("x")));
        assert_eq!(twice, Err(Error::DuplicateNode { id: NodeId::new("x") }));
    }

    #[test]
    fn unsound_memberships_are_refused() {
        assert_eq!(Members::named([]), Err(Error::NoNodes));
        assert_eq!(Members::new([Node::new("a").weighing(0)]), Err(Error::NoNodes));
        assert_eq!(
            Members::named(["a", "b", "a"]),
            Err(Error::DuplicateNode { id: NodeId::new("a") })
        );
        assert!(matches!(Members::named(["a", ""]), Err(Error::InvalidParameter { .. })));
    }

    #[test]
    fn the_greatest_weights_do_not_overflow() {
        // cases.md, C23: 2^31 + 2^31 is 0 in 32 bits.
        let members =
            Members::new([Node::new("a").weighing(1 << 31), Node::new("b").weighing(1 << 31)])
                .unwrap();
        assert_eq!(members.total_weight(), 1 << 32);
    }

    #[cfg(feature = "serde")]
    #[test]
    fn freed_indices_are_written_and_read_back() {
        let mut members = Members::named(["a", "b", "c", "d"]).unwrap();
        members.apply(&[crate::Change::Remove("b".into())]).unwrap();
        let text = serde_json::to_string(&members).unwrap();
        assert!(text.contains("},null,{"), "{text}");
        let mut read: Members = serde_json::from_str(&text).unwrap();
        assert_eq!(read, members);
        // Who joins next takes the freed index in both.
        let add = [crate::Change::Add(Node::new("z"))];
        read.apply(&add).unwrap();
        members.apply(&add).unwrap();
        assert_eq!(read, members);
        assert_eq!(read.index_of(&NodeId::new("z")), Some(NodeIndex::new(1)));
        let trailing: Members = serde_json::from_str(r#"[{"id": "a"}, null]"#).unwrap();
        assert_eq!(trailing, Members::named(["a"]).unwrap());
        assert!(serde_json::from_str::<Members>("[null]").is_err());
    }

    #[test]
    fn matching_goes_by_id() {
        let mut other = Members::named(["c", "x", "a"]).unwrap();
        other.apply(&[crate::Change::Remove("x".into())]).unwrap();
        assert_eq!(
            abc().matched_in(&other),
            [Some(NodeIndex::new(2)), None, Some(NodeIndex::new(0))]
        );
    }
}
