//! The published crates, each with its own hasher and, where it takes one, with
//! XXH3.

mod others;
mod rendezvous;
mod ring;
mod tables;

use crate::hashers::Fast;
use crate::subject::{Change, Role, Subject};

pub(crate) use self::ring::{MIGRATION, migration};

/// The crates of every family.
pub(crate) fn all() -> Vec<Subject> {
    let mut peers = ring::all();
    peers.extend(tables::all());
    peers.extend(jumps());
    peers.extend(rendezvous::all());
    peers.extend(others::all());
    peers
}

/// How many entries a Maglev table has for so many nodes: the prime of the
/// paper, and a larger one above 1000 nodes.
pub(crate) fn maglev_entries(nodes: usize) -> usize {
    if nodes <= 1_000 { 65_537 } else { 1_000_003 }
}

/// The weight of the node `id`: 1, 2, 3, 4, 1 and on.
pub(crate) fn weight(id: u32) -> u32 {
    1 + id % 4
}

fn jumps() -> Vec<Subject> {
    use hash_rings::jump::Ring;
    use jumphash::{CustomJumpHasher, JumpHasher};

    use crate::hashers::{FastBuild, Sip13, hash};

    vec![
        peer(
            "jump",
            "hash-rings 1.1.0 jump",
            "sip13",
            |n| Ring::with_hasher(Sip13::default(), n as u32),
            |ring, key| ring.get_node(&key).into(),
        ),
        peer(
            "jump",
            "hash-rings 1.1.0 jump",
            "xxh3",
            |n| Ring::with_hasher(FastBuild, n as u32),
            |ring, key| ring.get_node(&key).into(),
        ),
        peer(
            "jump",
            "jumphash 0.1.9",
            "sip13",
            |n| (JumpHasher::new_with_keys(1, 2), n as u32),
            |(jump, n), key| jump.slot(&key, *n).into(),
        ),
        peer(
            "jump",
            "jumphash 0.1.9 custom",
            "xxh3",
            |n| (CustomJumpHasher::new(Fast::default()), n as u32),
            |(jump, n), key| jump.slot(&key, *n).into(),
        ),
        peer(
            "jump",
            "jump-consistent-hash 0.1.0",
            "xxh3",
            |n| n,
            |&n, key| jump_consistent_hash::hash(hash(key.as_bytes()), n).into(),
        ),
    ]
}

/// A peer whose nodes stay as they are.
fn peer<T: Sync + 'static>(
    family: &'static str,
    name: &'static str,
    hasher: &'static str,
    build: impl Fn(usize) -> T + Copy + 'static,
    look: impl Fn(&T, &'static str) -> u64 + Copy + Sync + 'static,
) -> Subject {
    Subject::one((family, Role::Peer, name, hasher), |nodes| nodes, build, look)
}

/// A peer that adds and removes nodes in place.
fn changing<T: Sync + 'static>(
    family: &'static str,
    name: &'static str,
    hasher: &'static str,
    build: impl Fn(usize) -> T + Copy + 'static,
    look: impl Fn(&T, &'static str) -> u64 + Copy + Sync + 'static,
    add: Change<T>,
    remove: Change<T>,
) -> Subject {
    Subject::changing((family, Role::Peer, name, hasher), |nodes| nodes, build, look, add, remove)
}

fn ids(nodes: usize) -> Vec<u32> {
    (0..nodes as u32).collect()
}

/// Ids that are never freed, for the crates that borrow their nodes.
fn lent(nodes: usize) -> &'static [u32] {
    ids(nodes).leak()
}

fn lent_one(id: u32) -> &'static u32 {
    Box::leak(Box::new(id))
}
