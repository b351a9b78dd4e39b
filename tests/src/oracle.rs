//! An oracle of each family, written as plainly as its definition reads.
//!
//! The definitions are those of "The default placements, defined" in
//! `docs/design.md`. Nothing here is meant to be quick: points are searched from
//! the first to the last, turns are sorted whole, and products are taken in 128
//! bits.

pub mod jump;
pub mod ln;
pub mod maglev;
pub mod modulo;
pub mod rendezvous;
pub mod ring;
pub mod slots;

use std::collections::BTreeSet;

use sha2::{Digest as _, Sha256};

/// A member as the definitions see it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OracleNode {
    /// The id, compared by its UTF-8 bytes.
    pub id: String,
    /// The weight; a node of weight 0 owns nothing.
    pub weight: u32,
    /// The zone; without one the node is a zone of its own.
    pub zone: Option<String>,
}

impl OracleNode {
    /// A node of weight 1 without a zone.
    #[must_use]
    pub fn new(id: &str) -> Self {
        Self { id: id.to_owned(), weight: 1, zone: None }
    }

    /// The node with another weight.
    #[must_use]
    pub fn weighing(mut self, weight: u32) -> Self {
        self.weight = weight;
        self
    }

    /// The node in a zone.
    #[must_use]
    pub fn in_zone(mut self, zone: &str) -> Self {
        self.zone = Some(zone.to_owned());
        self
    }
}

/// The key hash of a layout.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum OracleHash {
    /// XXH3-64 with a seed.
    Xxh3(u64),
    /// The first eight bytes of SHA-256, big-endian.
    Sha256,
}

impl OracleHash {
    /// Returns the hash of bytes.
    #[must_use]
    pub fn hash(self, bytes: &[u8]) -> u64 {
        match self {
            Self::Xxh3(seed) => xxhash_rust::xxh3::xxh3_64_with_seed(bytes, seed),
            Self::Sha256 => Sha256::digest(bytes)[..8]
                .iter()
                .fold(0, |hash, &byte| (hash << 8) | u64::from(byte)),
        }
    }
}

/// The mixing function that the draws and nothing else are made with.
#[must_use]
pub fn mix64(x: u64) -> u64 {
    let x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// Draw `i` of a node, from its id.
#[must_use]
pub fn draw(hash: OracleHash, id: &str, i: u64) -> u64 {
    let step = (i + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mix64(hash.hash(id.as_bytes()).wrapping_add(step))
}

/// The places in `nodes` of those that can own something, in order of id.
#[must_use]
pub fn live(nodes: &[OracleNode]) -> Vec<usize> {
    let mut live: Vec<usize> = (0..nodes.len()).filter(|&i| nodes[i].weight > 0).collect();
    live.sort_by(|&a, &b| nodes[a].id.as_bytes().cmp(nodes[b].id.as_bytes()));
    live
}

/// Divides `total` in proportion to `weights`: each floor first, then what is
/// left over to the greatest remainders, the preferred of equal ones first.
///
/// `prefer` answers whether one place comes before another of the same remainder.
///
/// # Panics
///
/// Panics if a part is above 2^64 - 1, which no part of a `total` is.
#[must_use]
pub fn apportion(total: u64, weights: &[u32], prefer: impl Fn(usize, usize) -> bool) -> Vec<u64> {
    let sum: u128 = weights.iter().map(|&weight| u128::from(weight)).sum();
    if sum == 0 {
        return vec![0; weights.len()];
    }
    let product = |i: usize| u128::from(total) * u128::from(weights[i]);
    let mut parts: Vec<u128> = (0..weights.len()).map(|i| product(i) / sum).collect();
    let left = u128::from(total) - parts.iter().sum::<u128>();
    let mut given = vec![false; weights.len()];
    for _ in 0..left {
        let mut best: Option<usize> = None;
        for i in 0..weights.len() {
            let better = |b: usize| {
                let (mine, theirs) = (product(i) % sum, product(b) % sum);
                mine > theirs || (mine == theirs && prefer(i, b))
            };
            if !given[i] && weights[i] > 0 && best.is_none_or(better) {
                best = Some(i);
            }
        }
        let best = best.expect("fewer are left over than there are weights above 0");
        given[best] = true;
        parts[best] += 1;
    }
    parts.into_iter().map(|part| u64::try_from(part).expect("a part is below the total")).collect()
}

/// The first `count` of an order of nodes, zones first where asked.
///
/// With zones the order is gone through twice: first each node whose zone has
/// none yet, then those passed over.
#[must_use]
pub fn replicas(nodes: &[OracleNode], order: &[usize], count: usize, zones: bool) -> Vec<usize> {
    let mut taken = Vec::new();
    let mut passed_over = Vec::new();
    let mut used = BTreeSet::new();
    for &node in order {
        match &nodes[node].zone {
            Some(zone) if zones && !used.insert(zone) => passed_over.push(node),
            _ => taken.push(node),
        }
    }
    taken.extend(passed_over);
    taken.truncate(count);
    taken
}
