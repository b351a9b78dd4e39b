//! Keys that are computed, never held: each from its number alone.

use std::ops::Range;

use homing_core::mix64;
use rayon::prelude::*;
use statrs::distribution::{ContinuousCDF, LogNormal};
use uuid::fmt::Hyphenated;
use uuid::{Builder, Uuid};

use crate::error::{Error, Result};
use crate::workload::BLOCK;
use crate::workload::shape::{Names, Sizes, Skew};
use crate::workload::source::Generated;

/// The increment of `SplitMix64`: G. L. Steele, D. Lea and C. H. Flood, "Fast
/// splittable pseudorandom number generators", OOPSLA 2014.
const INCREMENT: u64 = 0x9E37_79B9_7F4A_7C15;

/// How far apart the numbers of two seeds are: the most keys there may be.
const APART: u64 = 10_000_000_000;

/// The largest size that is drawn, and the most requests there may be: above
/// it an f64 no longer holds every whole number.
pub(crate) const GREATEST: u64 = 1 << 53;

/// The keys of a [`Generated`] workload.
#[derive(Debug)]
pub(crate) struct Generator {
    keys: u64,
    seed: u64,
    names: Names,
    requests: Option<Requests>,
    sizes: Option<LogNormal>,
}

/// How many requests a key has.
#[derive(Clone, Copy, Debug)]
enum Requests {
    /// By the exponent, and the requests of rank 1 before rounding.
    Zipf(f64, f64),
    /// Those of the first key, and of every other.
    Hot(u64, u64),
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
            names: of.names,
            requests: of.skew.map(|skew| Requests::of(skew, of.keys)),
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

    /// Key `i`.
    pub(crate) fn key(&self, i: u64) -> Vec<u8> {
        let mut text = Vec::new();
        self.write(i, self.number(i), &mut text);
        text
    }

    /// Whether the keys are a sample of all there could be.
    pub(crate) fn is_even(&self) -> bool {
        self.names.is_even()
    }

    /// Puts key `i`, of this number, after a text.
    fn write(&self, i: u64, number: u64, text: &mut Vec<u8>) {
        let mut digits = itoa::Buffer::new();
        match self.names {
            Names::Random => text.extend_from_slice(digits.format(number).as_bytes()),
            Names::Numbered => {
                let id = self.seed.wrapping_mul(APART).wrapping_add(i);
                text.extend_from_slice(digits.format(id).as_bytes());
            }
            Names::Uuid => {
                let mut buffer = [0; Hyphenated::LENGTH];
                let shown = uuid(number).hyphenated().encode_lower(&mut buffer);
                text.extend_from_slice(shown.as_bytes());
            }
            Names::Words => write_words(number, text),
            Names::Tagged { share, tags } => {
                let draw = mix64(!number);
                if unit(draw) < share {
                    text.extend_from_slice(b"{tag-");
                    text.extend_from_slice(digits.format(mix64(draw) % tags).as_bytes());
                    text.extend_from_slice(b"}:");
                }
                text.extend_from_slice(digits.format(number).as_bytes());
            }
        }
    }

    /// The requests of key `i`; without a skew, 1.
    pub(crate) fn requests(&self, i: u64) -> u64 {
        match self.requests {
            None => 1,
            Some(Requests::Zipf(s, greatest)) => whole(greatest * float(i + 1).powf(-s)),
            Some(Requests::Hot(first, other)) => {
                if i == 0 {
                    first
                } else {
                    other
                }
            }
        }
    }

    /// The size of the key with this number: the quantile of the log-normal
    /// distribution at `mix64(number)`, rounded, from 1 to 2^53. Without sizes, 1.
    pub(crate) fn bytes(&self, number: u64) -> u64 {
        let Some(sizes) = &self.sizes else { return 1 };
        whole(sizes.inverse_cdf(unit(mix64(number))))
    }
}

impl Requests {
    fn of(skew: Skew, keys: u64) -> Self {
        match skew {
            Skew::Zipf { exponent, requests } => {
                Self::Zipf(exponent, float(requests) / sum_of_powers(keys, exponent))
            }
            Skew::Hot { requests, .. } if keys == 1 => Self::Hot(requests, 1),
            Skew::Hot { share, requests } => {
                // By the rounded number of the others, so that the part of the
                // first is what was asked for.
                let others = float(keys - 1);
                let other = whole((1.0 - share) * float(requests) / others);
                Self::Hot(whole(share / (1.0 - share) * float(other) * others), other)
            }
        }
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
        for i in keys {
            let number = generator.number(i);
            generator.write(i, number, &mut self.text);
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

/// Returns a draw as a number in 0..1, never 0 or 1: of 52 bits and a half the
/// f64 is exact.
fn unit(draw: u64) -> f64 {
    (float(draw >> 12) + 0.5) / float(1 << 52)
}

/// Returns a UUID of version 4: of its 122 free bits the first 64 are the number,
/// so that no two are equal, the other 58 a mix of it.
fn uuid(number: u64) -> Uuid {
    let (high, low) = (number >> 4, (number << 60) | (mix64(!number) >> 4));
    // 48 bits, 4 for the version, 12 bits; 2 for the variant, 62 bits.
    let bits = u128::from(high >> 12) << 80 | u128::from(high & 0xfff) << 64 | u128::from(low >> 2);
    Builder::from_random_bytes(bits.to_be_bytes()).into_uuid()
}

/// Puts the four proquints of a number after a text, the first 16 bits first.
///
/// D. S. Wilkerson, "A proposal for proquints: identifiers that are readable,
/// spellable, and pronounceable", arXiv:0901.4016, 2009.
pub(crate) fn write_words(number: u64, text: &mut Vec<u8>) {
    const CONSONANTS: &[u8; 16] = b"bdfghjklmnprstvz";
    const VOWELS: &[u8; 4] = b"aiou";
    for word in (0..4).rev().map(|i| number >> (16 * i)) {
        #[expect(clippy::cast_possible_truncation, reason = "the last four bits are taken")]
        let letter = |shift: u32, of: &[u8]| of[(word >> shift) as usize & (of.len() - 1)];
        text.extend_from_slice(&[
            letter(12, CONSONANTS),
            letter(10, VOWELS),
            letter(6, CONSONANTS),
            letter(4, VOWELS),
            letter(0, CONSONANTS),
            b'-',
        ]);
    }
    text.pop();
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
