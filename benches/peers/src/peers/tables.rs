//! Hash slots and Maglev tables.

use maglev::ConsistentHasher;

use crate::hashers::{FastBuild, Sip13};
use crate::peers::{ids, lent, maglev_entries, peer};
use crate::subject::Subject;

pub(super) fn all() -> Vec<Subject> {
    let mut tables = slots();
    tables.extend(maglevs());
    tables
}

/// The two crates that hash a key to a slot, over the same array of owners. Only
/// redis-protocol honours hash tags; the other is in `other`, so that it is not
/// taken for a peer of what does.
fn slots() -> Vec<Subject> {
    vec![
        peer("slots", "redis-protocol 6.0 + owners", "crc16", owners, |owners, key| {
            owners[usize::from(redis_protocol::redis_keyslot(key.as_bytes()))].into()
        }),
        peer("other", "crc16 0.4 + owners, no tags", "crc16", owners, |owners, key| {
            let crc = crc16::State::<crc16::XMODEM>::calculate(key.as_bytes());
            owners[usize::from(crc % 16_384)].into()
        }),
    ]
}

/// The owner of each slot, the nodes in order and evenly.
fn owners(nodes: usize) -> Vec<u16> {
    (0..16_384).map(|slot| (slot * nodes / 16_384) as u16).collect()
}

/// Two of the three fill a matrix of N x M words first, half a gigabyte at 1000
/// nodes.
fn maglevs() -> Vec<Subject> {
    macro_rules! maglev {
        ($hasher:expr, $type:ty) => {
            peer(
                "maglev",
                "maglev 0.2.1",
                $hasher,
                |n| {
                    maglev::Maglev::<u32, $type>::with_capacity_and_hasher(
                        ids(n),
                        maglev_entries(n),
                        <$type>::default(),
                    )
                },
                |table, key| table.get(key).map_or(0, |&id| id.into()),
            )
            .up_to(1_000)
        };
    }
    vec![
        peer(
            "maglev",
            "hash-rings 1.1.0 maglev",
            "sip24",
            |n| {
                let nodes = lent(n).iter().collect();
                hash_rings::maglev::Ring::with_capacity_hint(nodes, maglev_entries(n))
            },
            |table, key| (*table.get_node(&key)).into(),
        )
        .up_to(1_000),
        maglev!("sip13", Sip13),
        maglev!("xxh3", FastBuild),
        peer(
            "maglev",
            "maglev-hash 0.1.0",
            "sip13",
            |n| maglev_hash::MaglevTable::with_capacity(ids(n), maglev_entries(n)),
            |table, key| table.get(&key).map_or(0, |&id| id.into()),
        ),
    ]
}
