//! Hash rings, each with the same number of points a node.

use std::hash::Hash;
use std::hint::black_box;

use consistent_hash_ring::{RingBuilder, migrated_ranges};

use crate::hashers::{FastBuild, Sip13};
use crate::peers::{changing, ids, lent, lent_one, peer};
use crate::subject::{POINTS, Subject};

/// A point, for the crate that knows only points.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
struct Point {
    node: u32,
    copy: u32,
}

/// A node, for the crate that wants a name.
#[derive(Clone)]
struct Named(u32);

impl conhash::Node for Named {
    fn name(&self) -> String {
        format!("node-{}", self.0)
    }
}

/// XXH3 as the crate that brings its own trait takes it.
struct FastRing;

impl consistent_hash::RingHash for FastRing {
    fn hash_item<T: Hash>(&self, item: &T) -> u64 {
        std::hash::BuildHasher::hash_one(&FastBuild, item)
    }
}

pub(super) fn all() -> Vec<Subject> {
    let mut rings = Vec::new();
    rings.extend(hashring());
    rings.extend(hash_rings());
    rings.extend(static_rings());
    rings.extend(conhash());
    rings.extend(sorted_vectors());
    rings.extend(coordinators());
    rings
}

/// The one crate that lists what moves exactly, as [`migration`] uses it.
pub(crate) const MIGRATION: &str = "consistent_hash_ring 0.8.0 migrated_ranges [xxh3]";

/// Returns what lists and adds up every range that moves from a ring of `nodes`
/// to one of a node more.
pub(crate) fn migration(nodes: usize) -> impl Fn() {
    let ring = |nodes: usize| {
        let ring = RingBuilder::<u32, FastBuild>::new(FastBuild).vnodes(POINTS);
        ring.nodes_iter(0..nodes as u32).build()
    };
    let (before, after) = (ring(nodes), ring(nodes + 1));
    move || {
        let lengths = migrated_ranges(&before, &after).map(|moved| {
            let keys = moved.keys();
            u128::from(*keys.end()).wrapping_sub(u128::from(*keys.start()))
        });
        black_box(lengths.fold(0, u128::wrapping_add));
    }
}

/// A sorted vector of points, found by binary search.
fn hashring() -> Vec<Subject> {
    macro_rules! hashring {
        ($hasher:expr, $build:expr, $type:ty) => {
            changing(
                "ring",
                "hashring 0.3.6",
                $hasher,
                |n| {
                    let mut ring: hashring::HashRing<Point, $type> =
                        hashring::HashRing::with_hasher($build);
                    ring.batch_add((0..n as u32).flat_map(points).collect());
                    ring
                },
                |ring, key| ring.get(&key).map_or(0, |point| point.node.into()),
                |ring, id| ring.batch_add(points(id)),
                |ring, id| {
                    for point in points(id) {
                        ring.remove(&point);
                    }
                },
            )
        };
    }
    vec![
        hashring!("sip24", hashring::DefaultHashBuilder, hashring::DefaultHashBuilder),
        hashring!("xxh3", FastBuild, FastBuild),
    ]
}

fn points(id: u32) -> Vec<Point> {
    (0..POINTS as u32).map(|copy| Point { node: id, copy }).collect()
}

/// A B-tree of points.
fn hash_rings() -> Vec<Subject> {
    macro_rules! ring {
        ($hasher:expr, $type:ty) => {
            changing(
                "ring",
                "hash-rings 1.1.0 consistent",
                $hasher,
                |n| {
                    let mut ring: hash_rings::consistent::Ring<'static, u32, $type> =
                        hash_rings::consistent::Ring::with_hasher(<$type>::default());
                    for id in lent(n) {
                        ring.insert_node(id, POINTS);
                    }
                    ring
                },
                |ring, key| (*ring.get_node(&key)).into(),
                |ring, id| ring.insert_node(lent_one(id), POINTS),
                |ring, id| ring.remove_node(&id),
            )
        };
    }
    vec![ring!("sip13", Sip13), ring!("xxh3", FastBuild)]
}

/// Rings whose nodes stay as they are.
fn static_rings() -> Vec<Subject> {
    macro_rules! ring {
        ($hasher:expr, $build:expr) => {
            peer(
                "ring",
                "consistent_hash 0.1.4",
                $hasher,
                |n| {
                    let nodes = ids(n).into_iter();
                    consistent_hash::StaticHashRing::<'static, u32, (), _>::new(
                        $build,
                        nodes.map(|id| consistent_hash::Node::new(id).quantity(POINTS)),
                    )
                },
                |ring, key| ring.calc_candidates(&key).next().map_or(0, |node| node.key.into()),
            )
        };
    }
    let ketama = peer(
        "ring",
        "ketama 0.0.2",
        "md5",
        |n| {
            let names: Vec<String> = (0..n).map(|id| format!("node-{id}")).collect();
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            ketama::Ring::build(&names)
        },
        |ring, key| ring.route(key.as_bytes()) as u64,
    );
    vec![ring!("sip13", consistent_hash::DefaultHash), ring!("xxh3", FastRing), ketama]
}

/// A B-tree of hashes as byte strings.
fn conhash() -> Vec<Subject> {
    fn xxh3(bytes: &[u8]) -> Vec<u8> {
        crate::hashers::hash(bytes).to_be_bytes().to_vec()
    }
    let ring = |hasher, make: fn() -> conhash::ConsistentHash<Named>| {
        changing(
            "ring",
            "conhash 0.5.1",
            hasher,
            move |n| {
                let mut ring = make();
                for id in ids(n) {
                    ring.add(&Named(id), POINTS);
                }
                ring
            },
            |ring, key| ring.get(key.as_bytes()).map_or(0, |node| node.0.into()),
            |ring, id| ring.add(&Named(id), POINTS),
            |ring, id| ring.remove(&Named(id)),
        )
    };
    vec![
        ring("md5", conhash::ConsistentHash::new),
        ring("xxh3", || conhash::ConsistentHash::with_hash(xxh3)),
    ]
}

/// A sorted vector with one insertion a point, so that a build takes quadratic
/// time.
fn sorted_vectors() -> Vec<Subject> {
    macro_rules! ring {
        ($hasher:expr, $type:ty) => {
            changing(
                "ring",
                "consistent_hash_ring 0.8.0",
                $hasher,
                |n| {
                    RingBuilder::<u32, $type>::new(<$type>::default())
                        .vnodes(POINTS)
                        .nodes_iter(0..n as u32)
                        .build()
                },
                |ring, key| (*ring.get(key)).into(),
                |ring, id| {
                    ring.insert(id);
                },
                |ring, id| {
                    ring.remove(&id);
                },
            )
            .up_to(1_000)
            .timed_up_to(100)
        };
    }
    vec![ring!("fnv", fnv::FnvBuildHasher), ring!("xxh3", FastBuild)]
}

/// A ring that each lookup clones.
fn coordinators() -> Vec<Subject> {
    macro_rules! ring {
        ($hasher:expr, $build:expr) => {
            changing(
                "ring",
                "hashring_coordinator 0.3.3",
                $hasher,
                |n| {
                    let mut ring = hashring_coordinator::HashRing::with_hasher(0, POINTS, $build);
                    ring.batch_add(ids(n));
                    ring
                },
                |ring, key| ring.get(&key)[0].into(),
                |ring, id| ring.add(id),
                |ring, id| ring.remove(&id),
            )
            .up_to(1_000)
        };
    }
    vec![ring!("sip13", Sip13::default()), ring!("xxh3", FastBuild)]
}
