//! The owners of generated keys before and after a node joins a ring, by all
//! threads: what a comparison of two layouts spends its time with.

use std::hint::black_box;
use std::thread;

use homing_core::Placement;
use homing_ring::Ring;

use crate::hashers::hash;
use crate::ours;
use crate::subject::{BATCH, Mode, Role};
use crate::timing::{self, Middle};
use crate::verdict::figure::{Figure, Quantity};
use crate::verdict::measure::USUAL;

/// How many keys a pass makes. The ratio does not depend on it.
const KEYS: usize = 10_000_000;

/// The most threads.
const THREADS: usize = 2;

/// The bytes of a key: `user:` and nine digits.
const LENGTH: usize = 14;

/// The nanoseconds a key of two owners, and of making and hashing it alone.
pub(super) fn figures(cores: usize, repetitions: usize) -> Vec<Figure> {
    let threads = cores.min(THREADS);
    let (before, after) = (ours::ring(USUAL), ours::ring(USUAL + 1));
    let both = || {
        black_box(all(threads, KEYS, |keys| moved(&before, &after, keys)));
    };
    let alone = || {
        black_box(all(threads, KEYS, hashed));
    };
    let times = timing::calls(&[&both, &alone], repetitions);
    let subjects = [
        (Role::Ours, format!("homing-ring, {KEYS} keys, {threads} threads")),
        (Role::Floor, format!("making and hashing {KEYS} keys, {threads} threads")),
    ];
    let each = |time: Middle| Middle { median: time.median / KEYS as f64, ..time };
    let figures = subjects.into_iter().zip(times);
    figures
        .map(|((role, name), time)| {
            let what = ("ring", role, Mode::Batch);
            Figure::named(what, name, Quantity::BeforeAfter, USUAL, each(time))
        })
        .collect()
}

/// The sum of what `work` says of batches of keys, made in order by some threads.
fn all(threads: usize, count: usize, work: impl Fn(&[&[u8]]) -> u64 + Sync) -> u64 {
    let part = |thread: usize| {
        let (first, end) = (count * thread / threads, count * (thread + 1) / threads);
        let mut next = Text::new(first);
        let mut block = [[0; LENGTH]; BATCH];
        let mut sum = 0_u64;
        for first in (first..end).step_by(BATCH) {
            let block = &mut block[..BATCH.min(end - first)];
            for key in &mut *block {
                *key = next.key();
                next.advance();
            }
            let mut keys: [&[u8]; BATCH] = [&[]; BATCH];
            for (key, text) in keys.iter_mut().zip(&*block) {
                *key = text;
            }
            sum = sum.wrapping_add(work(&keys[..block.len()]));
        }
        sum
    };
    thread::scope(|scope| {
        let part = &part;
        let threads: Vec<_> = (0..threads).map(|at| scope.spawn(move || part(at))).collect();
        threads
            .into_iter()
            .map(|thread| thread.join().expect("a lookup ends"))
            .fold(0, u64::wrapping_add)
    })
}

/// How many of some keys have another owner after: each is hashed once.
fn moved(before: &Ring, after: &Ring, keys: &[&[u8]]) -> u64 {
    let mut positions = [0; BATCH];
    let (mut from, mut to) = ([None; BATCH], [None; BATCH]);
    let positions = &mut positions[..keys.len()];
    for (position, key) in positions.iter_mut().zip(keys) {
        *position = before.position(key);
    }
    let (from, to) = (&mut from[..keys.len()], &mut to[..keys.len()]);
    before.owners_at(positions, from);
    after.owners_at(positions, to);
    // A node keeps its index as long as it stays.
    from.iter().zip(to).map(|(from, to)| u64::from(*from != *to)).sum()
}

fn hashed(keys: &[&[u8]]) -> u64 {
    keys.iter().map(|key| hash(key)).fold(0, u64::wrapping_add)
}

/// The key of a number, which counts on in a register: with a division for each
/// digit, or a byte changed in memory that is copied at once, making a key would take
/// longer than hashing it.
#[derive(Clone, Copy)]
struct Text {
    digits: u64, // eight, as they stand in memory on a little-endian machine
}

impl Text {
    /// The key of `number`, which is below 100,000,000.
    fn new(number: usize) -> Self {
        let digits = format!("{number:08}");
        let digits = digits.as_bytes().try_into().expect("eight digits");
        Self { digits: u64::from_le_bytes(digits) }
    }

    #[inline]
    fn key(self) -> [u8; LENGTH] {
        let mut key = *b"user:1--------";
        key[LENGTH - 8..].copy_from_slice(&self.digits.to_le_bytes());
        key
    }

    #[inline]
    fn advance(&mut self) {
        let mut shift = 56;
        self.digits += 1 << shift;
        while (self.digits >> shift) & 0xff > u64::from(b'9') && shift > 0 {
            self.digits -= 10 << shift;
            shift -= 8;
            self.digits += 1 << shift;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_counts_on_in_decimal() {
        let mut text = Text::new(899_998);
        text.advance();
        assert_eq!(&text.key(), b"user:100899999");
        text.advance();
        assert_eq!(&text.key(), b"user:100900000");
    }

    #[test]
    fn the_moved_keys_are_those_with_another_owner() {
        let (before, after) = (ours::ring(10), ours::ring(11));
        let count = 20_001;
        let plainly = (0..count).filter(|&number| {
            let key = Text::new(number).key();
            before.owner(&key).map(|node| &node.id) != after.owner(&key).map(|node| &node.id)
        });
        let plainly = plainly.count() as u64;
        for threads in [1, 2, 3] {
            assert_eq!(all(threads, count, |keys| moved(&before, &after, keys)), plainly);
        }
    }
}
