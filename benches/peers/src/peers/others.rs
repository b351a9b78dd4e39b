//! Crates of families that we have none of, for the curious; no target is about
//! them.

use std::hash::{DefaultHasher, Hash};

use consistent_choose_k::ConsistentHasher;

use crate::hashers::{Fast, FastBuild, Sip13, hash};
use crate::peers::{changing, ids, lent, lent_one, peer};
use crate::subject::Subject;

pub(super) fn all() -> Vec<Subject> {
    let mut subjects = anchors();
    subjects.extend(probes());
    subjects.extend(ranges());
    subjects
}

/// With room for half as many nodes again, as its documentation suggests.
fn anchors() -> Vec<Subject> {
    macro_rules! anchor {
        ($hasher:expr, $build:expr, $type:ty) => {
            changing(
                "other",
                "anchorhash 0.2.2, capacity 1.5 N",
                $hasher,
                |n| -> anchorhash::AnchorHash<&'static str, u32, $type> {
                    anchorhash::Builder::with_hasher($build)
                        .with_resources(ids(n))
                        .build((n + n / 2) as u16)
                },
                |anchor, key| anchor.get_resource(key).map_or(0, |&id| id.into()),
                |anchor, id| anchor.add_resource(id).expect("there is room for half of all"),
                |anchor, id| anchor.remove_resource(&id).expect("it was added before"),
            )
            .up_to(20_000)
        };
    }
    vec![anchor!("sip13", Sip13::default(), Sip13), anchor!("xxh3", FastBuild, FastBuild)]
}

fn probes() -> Vec<Subject> {
    vec![
        changing(
            "other",
            "mpchash 2.0.10, 23 probes",
            "xxh3",
            |n| {
                let ring = mpchash::HashRing::<u32>::new();
                for id in ids(n) {
                    ring.add(id);
                }
                ring
            },
            |ring, key| ring.node(&key).map_or(0, |token| (*token.node()).into()),
            |ring, id| ring.add(id),
            |ring, id| ring.remove(&id),
        ),
        changing(
            "other",
            "hash-rings 1.1.0 mpc, 21 probes",
            "sip24",
            |n| {
                let mut ring: hash_rings::mpc::Ring<'static, u32, Sip13> =
                    hash_rings::mpc::Ring::with_hasher(Sip13::default(), 21);
                for id in lent(n) {
                    ring.insert_node(id);
                }
                ring
            },
            |ring, key| (*ring.get_node(&key)).into(),
            |ring, id| ring.insert_node(lent_one(id)),
            |ring, id| ring.remove_node(&id),
        ),
    ]
}

fn ranges() -> Vec<Subject> {
    fn choose<H: std::hash::Hasher + Clone>(mut hasher: H, key: &str, nodes: usize) -> u64 {
        key.hash(&mut hasher);
        ConsistentHasher::new(hasher).into_prev(nodes).map_or(0, |id| id as u64)
    }
    vec![
        peer(
            "other",
            "fliphash 0.1.0 fliphash_64",
            "xxh3",
            |n| n as u64,
            |&n, key| fliphash::fliphash_64(hash(key.as_bytes()), ..=n - 1),
        ),
        peer(
            "other",
            "fliphash 0.1.0 fliphash_xxh3_64",
            "xxh3",
            |n| n as u64,
            |&n, key| fliphash::fliphash_xxh3_64(key.as_bytes(), ..=n - 1),
        ),
        peer(
            "other",
            "consistent-choose-k 0.1.2, k = 1",
            "sip13",
            |n| n,
            |&n, key| choose(DefaultHasher::new(), key, n),
        ),
        peer(
            "other",
            "consistent-choose-k 0.1.2, k = 1",
            "xxh3",
            |n| n,
            |&n, key| choose(Fast::default(), key, n),
        ),
    ]
}
