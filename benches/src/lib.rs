//! What the benchmarks share: settings, members, keys and subjects.
//!
//! A benchmark is named `family/what/nodes`, as the same figure of ours is in the
//! verdict of `benches/peers`: `ring/one/1000`, `ring/batch/1000`. So
//! `cargo bench -- --save-baseline` compares one commit with another, and a text
//! after `--` narrows it.
//!
//! The verdict has `one`, `batch`, `dyn`, `latency`, `latency-64` and `latency-1024`
//! of every family, `build` of ring and maglev, and of the ring `add`, `remove` and,
//! at 1000 nodes, `plan-drawn` and `plan-kept`. These are not the verdict's: the same
//! of other families and numbers of nodes, `positions`, `add+rebalance`, and all that
//! begins with `hash/`, `harness/` or `ring/compat-`.

mod subjects;

use std::time::Duration;

use criterion::Criterion;
use homing_core::{Members, Node, mix64};

pub use crate::subjects::{BATCH, Layout, SUBJECTS, Subject, planned, rings};

/// The numbers of nodes of a cluster.
pub const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

/// The number of keys that one pass looks up: more than a branch predictor learns
/// by heart.
pub const KEYS: usize = 16_384;

/// Settings that keep a whole run to some minutes.
#[must_use]
pub fn criterion() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_millis(700))
        .sample_size(20)
}

/// Returns the members `node-0` to `node-(nodes - 1)`, each of weight 1.
///
/// # Panics
///
/// Panics if `nodes` is 0.
#[must_use]
pub fn members(nodes: usize) -> Members {
    weighing(nodes, |_| 1)
}

/// Returns the same members, of weights 1, 2, 3, 4, 1 and on.
///
/// # Panics
///
/// Panics if `nodes` is 0.
#[must_use]
pub fn weighted(nodes: usize) -> Members {
    const WEIGHTS: [u32; 4] = [1, 2, 3, 4];
    weighing(nodes, |node| WEIGHTS[node % WEIGHTS.len()])
}

fn weighing(nodes: usize, weight: impl Fn(usize) -> u32) -> Members {
    let node = |at| Node::new(format!("node-{at}")).weighing(weight(at));
    Members::new((0..nodes).map(node)).expect("the ids differ and the weights are above 0")
}

/// Returns [`KEYS`] distinct keys, `user:100000` and on, in a fixed random order.
#[must_use]
pub fn keys() -> Vec<Vec<u8>> {
    let mut numbers: Vec<usize> = (0..KEYS).collect();
    numbers.sort_by_key(|&number| mix64(number as u64));
    numbers.into_iter().map(|number| format!("user:{}", 100_000 + number).into_bytes()).collect()
}

/// Returns a key of `length` bytes, any of the 256 values among them.
#[must_use]
pub fn key_of(length: usize) -> Vec<u8> {
    (1..).flat_map(|i| mix64(i).to_le_bytes()).take(length).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use homing_harness::registry::FAMILIES;

    use super::*;

    #[test]
    fn every_family_is_benched() {
        let benched: HashSet<_> =
            SUBJECTS.iter().map(|subject| subject.build(10).as_placement().family().name).collect();
        let registered: HashSet<_> = FAMILIES.iter().map(|entry| entry.family.name).collect();
        assert_eq!(benched, registered);
    }

    #[test]
    fn the_keys_are_distinct() {
        assert_eq!(keys().into_iter().collect::<HashSet<_>>().len(), KEYS);
    }

    #[test]
    fn a_key_has_the_length_asked_for() {
        for length in [0, 1, 8, 255, 256] {
            assert_eq!(key_of(length).len(), length);
        }
    }

    #[test]
    fn one_key_a_batch_and_in_turn_find_the_same_owners() {
        let keys = keys();
        let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
        for subject in &SUBJECTS {
            let layout = subject.build(17);
            let sum = layout.one(&keys);
            assert_eq!(layout.batches(&keys), sum, "{}", subject.name);
            assert_eq!(layout.in_turn(&keys), sum, "{}", subject.name);
            assert_eq!(layout.batches_in_turn(&keys, 64), sum, "{}", subject.name);
        }
    }
}
