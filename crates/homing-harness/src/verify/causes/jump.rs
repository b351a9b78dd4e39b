//! Jump, as others write it.

use homing_core::Members;
use homing_jump::{Config, Jump};

use super::hashes::{self, Hashing};
use super::nodes::{self, Nodes};
use super::texts::{self, Texts};
use crate::verify::{Cause, Part, Program, Suspect};

/// From a position and a number of buckets to a bucket.
type Leap = fn(u64, usize) -> Option<usize>;

#[derive(Clone)]
pub(crate) struct Recipe {
    hashing: Hashing,
    nodes: Nodes,
    leap: Leap,
}

const LEAPS: &[(&str, Leap)] = &[
    ("the position shifted as a signed number", |position, buckets| {
        leap(position, buckets, |j, key| {
            #[expect(clippy::cast_precision_loss, reason = "it is within 2^31 of 0")]
            let divisor = ((key.cast_signed() >> 33) + 1) as f64;
            cut(real(j + 1) * (real(1 << 31) / divisor))
        })
    }),
    ("the leap divided in whole numbers", |position, buckets| {
        leap(position, buckets, |j, key| {
            let divisor = i64::try_from((key >> 33) + 1).unwrap_or(i64::MAX);
            (j + 1) * ((1 << 31) / divisor)
        })
    }),
    ("the position moved on before the first leap is tried", |position, buckets| {
        let moved = position.wrapping_mul(FACTOR).wrapping_add(1);
        leap(moved, buckets, ours)
    }),
    ("the position modulo the number of members", |position, buckets| {
        usize::try_from(position % buckets as u64).ok()
    }),
];

impl Suspect for Jump {
    type Recipe = Recipe;

    fn recipe(config: &Config, members: &Members) -> Recipe {
        Recipe {
            hashing: Hashing::of(config.hash),
            nodes: Nodes::by_index(members),
            leap: |position, buckets| {
                let buckets = u32::try_from(buckets).ok()?;
                homing_jump::jump(position, buckets).map(|bucket| bucket as usize)
            },
        }
    }

    fn causes(_: &Recipe) -> Vec<Cause<Recipe>> {
        let leaps = LEAPS.iter().map(|&(name, leap)| {
            Cause::new(name, Part::Rule, move |recipe: &mut Recipe| recipe.leap = leap)
        });
        nodes::orders()
            .chain(nodes::shifts())
            .chain(hashes::causes())
            .chain([hashes::extended(), hashes::absolute()])
            .chain(leaps)
            .chain(texts::of_keys())
            .collect()
    }

    fn program(Recipe { hashing, nodes, leap }: Recipe) -> Program {
        Box::new(move |key| {
            let bucket = leap(hashing.position(key), nodes.0.len())?;
            Some(nodes.0.get(bucket)?.index)
        })
    }
}

const FACTOR: u64 = 2_862_933_555_777_941_757;

/// The loop of jump, with another leap. A leap that does not end has no bucket.
fn leap(position: u64, buckets: usize, next: impl Fn(i64, u64) -> i64) -> Option<usize> {
    const MOST: u32 = 10_000; // the published one takes about ln(buckets)
    let (mut bucket, mut j, mut key) = (-1, 0, position);
    let buckets = i64::try_from(buckets).ok()?;
    for _ in 0..MOST {
        if j >= buckets {
            return usize::try_from(bucket).ok();
        }
        bucket = j;
        key = key.wrapping_mul(FACTOR).wrapping_add(1);
        j = next(bucket, key);
    }
    None
}

fn ours(bucket: i64, key: u64) -> i64 {
    #[expect(clippy::cast_precision_loss, reason = "at most 2^31")]
    let divisor = ((key >> 33) + 1) as f64;
    cut(real(bucket + 1) * (real(1 << 31) / divisor))
}

#[expect(clippy::cast_precision_loss, reason = "buckets are below 2^32")]
fn real(bucket: i64) -> f64 {
    bucket as f64
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "a leap is cut, and too great a one is the greatest"
)]
fn cut(leap: f64) -> i64 {
    leap as i64
}

shares_parts!(Recipe);
