//! Rendezvous, weighted and not: each node scores each position.

use std::cmp::Ordering;

use super::{OracleHash, OracleNode, draw, live, ln::ln};

/// Returns the score of a position with a node's seed, its draw 0.
#[must_use]
pub fn score(position: u64, seed: u64) -> u32 {
    let both = (position ^ seed).to_be_bytes();
    let high = u32::from_be_bytes([both[0], both[1], both[2], both[3]]);
    let mut x = u32::from_be_bytes([both[4], both[5], both[6], both[7]]);
    x ^= x >> 16;
    x = x.wrapping_mul(0x7FEB_352D);
    x ^= x >> 15;
    x = x.wrapping_add(high);
    x = x.wrapping_mul(0x846C_A68B);
    x ^ (x >> 16)
}

/// Returns `ln((score + 0.5) / 2^32)`.
#[must_use]
pub fn ln_of_score(score: u32) -> f64 {
    ln((f64::from(score) + 0.5) / 4_294_967_296.0)
}

/// The nodes in order for a position, the owner first, as places in `nodes`.
#[must_use]
pub fn order(nodes: &[OracleNode], hash: OracleHash, position: u64) -> Vec<usize> {
    let mut order = live(nodes);
    let equal = order.iter().all(|&i| nodes[i].weight == nodes[order[0]].weight);
    let score_of = |i: usize| score(position, draw(hash, &nodes[i].id, 0));
    let cost = |i: usize| -ln_of_score(score_of(i)) / f64::from(nodes[i].weight);
    // `live` is in order of id and the sort is stable: ties stay with the least id.
    order.sort_by(|&a, &b| {
        if equal {
            score_of(b).cmp(&score_of(a))
        } else {
            cost(a).partial_cmp(&cost(b)).unwrap_or(Ordering::Equal)
        }
    });
    order
}
