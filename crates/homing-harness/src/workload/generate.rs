//! Keys that are computed, never held: each from its number alone.

use std::ops::Range;

use homing_core::mix64;
use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, LogNormal};

use crate::error::{Error, Result};
use crate::workload::BLOCK;
use crate::workload::source::{Generated, Sizes, Skew};

/// The increment of `SplitMix64`: G. L. Steele, D. Lea and C. H. Flood, "Fast
/// splittable pseudorandom number generators", OOPSLA 2014.
const INCREMENT: u64 = 0x9E37_79B9_7F4A_7C15;

/// The largest size that is drawn, and the most requests there may be: above
/// it an f64 no longer holds every whole number.
pub(crate) const GREATEST: u64 = 1 << 53;

/// The keys of a [`Generated`] workload.
#[derive(Debug)]
pub(crate) struct Generator {
    keys: u64,
    seed: u64,
    requests: Option<(f64, f64)>, // s, and the requests of rank 1 before rounding
    sizes: Option<LogNormal>,
}

impl Generator {
    /// Checks the parameters.
    ///
    /// # Errors
    ///
    /// Fails if one is out of range.
    pub(crate) fn new(of: &Generated) -> Result<Self> {
        of.check()?;
        Ok(Self {
            keys: of.keys,
            seed: of.seed,
            requests: of.skew.map(|Skew { zipf, requests }| {
                (zipf, float(requests) / sum_of_powers(of.keys, zipf))
            }),
            sizes: of.sizes.map(log_normal).transpose()?,
        })
    }

    /// The number of keys.
    pub(crate) fn len(&self) -> u64 {
        self.keys
    }

    /// Whether keys differ in their requests.
    pub(crate) fn has_requests(&self) -> bool {
        self.requests.is_some()
    }

    /// Whether keys have sizes.
    pub(crate) fn has_bytes(&self) -> bool {
        self.sizes.is_some()
    }

    /// The number whose decimal text is key `i`: output `i` of `SplitMix64`
    /// started at the seed. Distinct for distinct `i`.
    pub(crate) fn number(&self, i: u64) -> u64 {
        mix64(self.seed.wrapping_add(i.wrapping_add(1).wrapping_mul(INCREMENT)))
    }

    /// Key `i`: the decimal text of its number.
    pub(crate) fn key(&self, i: u64) -> Vec<u8> {
        itoa::Buffer::new().format(self.number(i)).as_bytes().to_vec()
    }

    /// The requests of key `i`: in proportion to `(i + 1)^-s`, rounded, at least
    /// 1. Without a skew, 1.
    pub(crate) fn requests(&self, i: u64) -> u64 {
        let Some((s, greatest)) = self.requests else { return 1 };
        whole(greatest * float(i + 1).powf(-s))
    }

    /// The size of the key with this number: the quantile of the log-normal
    /// distribution at `mix64(number)`, rounded, from 1 to 2^53. Without sizes, 1.
    pub(crate) fn bytes(&self, number: u64) -> u64 {
        let Some(sizes) = &self.sizes else { return 1 };
        // Of 52 bits and a half the f64 is exact, and never 0 or 1.
        let u = (float(mix64(number) >> 12) + 0.5) / float(1 << 52);
        whole(sizes.inverse_cdf(u))
    }
}

/// The buffers of generated blocks, used again from block to block.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) text: Vec<u8>,
    pub(crate) ends: Vec<usize>, // key i is text[ends[i - 1]..ends[i]]
    pub(crate) requests: Vec<u64>,
    pub(crate) bytes: Vec<u64>,
}

impl Scratch {
    /// Makes these keys, instead of those that are there.
    pub(crate) fn fill(&mut self, generator: &Generator, keys: Range<u64>) {
        self.text.clear();
        self.ends.clear();
        self.requests.clear();
        self.bytes.clear();
        let mut digits = itoa::Buffer::new();
        for i in keys {
            let number = generator.number(i);
            self.text.extend_from_slice(digits.format(number).as_bytes());
            self.ends.push(self.text.len());
            if generator.has_requests() {
                self.requests.push(generator.requests(i));
            }
            if generator.has_bytes() {
                self.bytes.push(generator.bytes(number));
            }
        }
    }
}

fn log_normal(Sizes { median, sigma }: Sizes) -> Result<LogNormal> {
    LogNormal::new(median.ln(), sigma).map_err(|_| Error::Parameter {
        name: "bytes_sigma".to_owned(),
        value: sigma.to_string(),
        rule: "a number above 0".to_owned(),
    })
}

/// Returns the sum of `r^-s` for r from 1 to n.
///
/// Block by block, the blocks in order, so that it does not depend on the
/// number of threads.
fn sum_of_powers(n: u64, s: f64) -> f64 {
    let blocks: Vec<f64> = (0..n.div_ceil(BLOCK))
        .into_par_iter()
        .map(|block| {
            let ranks = block * BLOCK + 1..=((block + 1) * BLOCK).min(n);
            ranks.rev().map(|rank| float(rank).powf(-s)).sum()
        })
        .collect();
    blocks.iter().rev().sum()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "from 1 to 2^53 every whole f64 is a u64"
)]
fn whole(x: f64) -> u64 {
    x.round().clamp(1.0, float(GREATEST)) as u64
}

#[expect(clippy::cast_precision_loss, reason = "ranks and requests are at most 2^53")]
fn float(count: u64) -> f64 {
    count as f64
}
