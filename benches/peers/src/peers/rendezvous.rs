//! Rendezvous hashing, and with weights of 1 to 4.

use std::hash::{Hash, Hasher};

use hrw_hash::{HrwNode, HrwNodes};
use rendezvous_hash::{
    Capacity, DefaultNodeHasher, IdNode, NodeHasher, RendezvousNodes, WeightedNode,
};

use crate::hashers::{Fast, FastBuild, Sip13};
use crate::peers::{changing, ids, lent, lent_one, peer, weight};
use crate::subject::Subject;

/// XXH3 as `rendezvous_hash` takes it.
struct FastNode;

impl NodeHasher<u32> for FastNode {
    fn hash<T: Hash>(&self, node: &u32, item: &T) -> u64 {
        let mut hasher = Fast::default();
        item.hash(&mut hasher);
        hasher.write_u32(*node);
        hasher.finish()
    }
}

/// A node with its weight, as hrw-hash takes it.
#[derive(Eq, Hash, PartialEq)]
struct Weighted(u32);

impl HrwNode for Weighted {
    fn capacity(&self) -> usize {
        weight(self.0) as usize
    }
}

pub(super) fn all() -> Vec<Subject> {
    let mut subjects = hash_rings();
    subjects.extend(hash_rings_weighted());
    subjects.extend(rendezvous_hash());
    subjects.extend(hrw_hash());
    subjects
}

fn hash_rings() -> Vec<Subject> {
    macro_rules! even {
        ($hasher:expr, $type:ty) => {
            changing(
                "rendezvous",
                "hash-rings 1.1.0 rendezvous",
                $hasher,
                |n| {
                    let mut ring: hash_rings::rendezvous::Ring<'static, u32, $type> =
                        hash_rings::rendezvous::Ring::with_hasher(<$type>::default());
                    for id in lent(n) {
                        ring.insert_node(id, 1);
                    }
                    ring
                },
                |ring, key| (*ring.get_node(&key)).into(),
                |ring, id| ring.insert_node(lent_one(id), 1),
                |ring, id| ring.remove_node(&id),
            )
        };
    }
    vec![even!("sip13", Sip13), even!("xxh3", FastBuild)]
}

/// Weighted rendezvous, and CARP. The latter weighs by factors that depend on all
/// nodes, so that one that joins moves keys between those that stay: it is in
/// `other`, no peer of what does not.
fn hash_rings_weighted() -> Vec<Subject> {
    macro_rules! weighted {
        ($hasher:expr, $type:ty) => {
            changing(
                "weighted",
                "hash-rings 1.1.0 weighted_rendezvous",
                $hasher,
                |n| {
                    let mut ring: hash_rings::weighted_rendezvous::Ring<'static, u32, $type> =
                        hash_rings::weighted_rendezvous::Ring::with_hasher(<$type>::default());
                    for id in lent(n) {
                        ring.insert_node(id, weight(*id).into());
                    }
                    ring
                },
                |ring, key| (*ring.get_node(&key)).into(),
                |ring, id| ring.insert_node(lent_one(id), weight(id).into()),
                |ring, id| ring.remove_node(&id),
            )
        };
    }
    macro_rules! carp {
        ($hasher:expr, $type:ty) => {
            changing(
                "other",
                "hash-rings 1.1.0 carp",
                $hasher,
                |n| {
                    let nodes = lent(n).iter();
                    hash_rings::carp::Ring::<'static, u32, $type>::with_hasher(
                        <$type>::default(),
                        nodes
                            .map(|id| hash_rings::carp::Node::new(id, weight(*id).into()))
                            .collect(),
                    )
                },
                |ring, key| (*ring.get_node(&key)).into(),
                |ring, id| {
                    let node = hash_rings::carp::Node::new(lent_one(id), weight(id).into());
                    ring.insert_node(node);
                },
                |ring, id| ring.remove_node(&id),
            )
        };
    }
    vec![
        weighted!("sip13", Sip13),
        weighted!("xxh3", FastBuild),
        carp!("sip13", Sip13),
        carp!("xxh3", FastBuild),
    ]
}

fn rendezvous_hash() -> Vec<Subject> {
    macro_rules! even {
        ($hasher:expr, $build:expr, $type:ty) => {
            changing(
                "rendezvous",
                "rendezvous_hash 0.3.0",
                $hasher,
                |n| {
                    let mut nodes: RendezvousNodes<IdNode<u32>, $type> =
                        RendezvousNodes::new($build);
                    for id in ids(n) {
                        nodes.insert(IdNode::new(id));
                    }
                    nodes
                },
                |nodes, key| nodes.calc_candidates(&key).next().map_or(0, |node| (**node).into()),
                |nodes, id| {
                    nodes.insert(IdNode::new(id));
                },
                |nodes, id| {
                    nodes.remove(&id);
                },
            )
        };
    }
    macro_rules! weighted {
        ($hasher:expr, $build:expr, $type:ty) => {
            changing(
                "weighted",
                "rendezvous_hash 0.3.0 weighted",
                $hasher,
                |n| {
                    let mut nodes: RendezvousNodes<WeightedNode<IdNode<u32>>, $type> =
                        RendezvousNodes::new($build);
                    for id in ids(n) {
                        nodes.insert(with_capacity(id));
                    }
                    nodes
                },
                |nodes, key| {
                    nodes.calc_candidates(&key).next().map_or(0, |node| (*node.node).into())
                },
                |nodes, id| {
                    nodes.insert(with_capacity(id));
                },
                |nodes, id| {
                    nodes.remove(&id);
                },
            )
        };
    }
    vec![
        even!("sip13", DefaultNodeHasher::new(), DefaultNodeHasher),
        even!("xxh3", FastNode, FastNode),
        weighted!("sip13", DefaultNodeHasher::new(), DefaultNodeHasher),
        weighted!("xxh3", FastNode, FastNode),
    ]
}

fn with_capacity(id: u32) -> WeightedNode<IdNode<u32>> {
    let capacity = Capacity::new(weight(id).into()).expect("a weight is above 0");
    WeightedNode::new(IdNode::new(id), capacity)
}

fn hrw_hash() -> Vec<Subject> {
    vec![
        peer(
            "rendezvous",
            "hrw-hash 2.0.3",
            "rapidhash",
            |n| HrwNodes::new(ids(n)),
            |nodes, key| nodes.sorted(&key).next().map_or(0, |&id| id.into()),
        ),
        peer(
            "rendezvous",
            "hrw-hash 2.0.3",
            "xxh3",
            |n| HrwNodes::with_build_hasher(FastBuild, ids(n)),
            |nodes, key| nodes.sorted(&key).next().map_or(0, |&id| id.into()),
        ),
        peer(
            "weighted",
            "hrw-hash 2.0.3 weighted",
            "xxh3",
            |n| HrwNodes::with_build_hasher(FastBuild, ids(n).into_iter().map(Weighted)),
            |nodes, key| nodes.sorted(&key).next().map_or(0, |node| node.0.into()),
        ),
    ]
}
