//! What keys are asked for: generated, or read from a file.

mod aside;
mod fields;
mod form;
mod generate;
mod lines;
mod load;
mod objects;
mod packed;
pub(crate) mod records;
mod rows;
mod shape;
mod sketch;
mod source;
mod spec;
pub(crate) mod split;
mod table;
#[cfg(test)]
mod tests;

use std::ops::Range;

use rayon::prelude::*;

use crate::error::{Result, printable};
use generate::{Generator, Scratch};
use sketch::Estimate;
use table::Table;

pub(crate) use form::{FEWEST_HELD, MOST_HELD};
pub use form::{Form, KeysFormat};
pub use load::Load;
pub use rows::{Reading, Row, Rows, STDIN, Unreadable};
pub use shape::{Names, Sizes, Skew};
pub(crate) use source::MOST_KEYS;
pub use source::{Generated, Source};

/// The keys of a block: so many that their bytes and slices stay in the second
/// cache.
const BLOCK: u64 = 4096;

/// The runs of blocks that [`Workload::fold`] gives to threads. Fixed, so that
/// sums of floats do not depend on the machine.
const RUNS: u64 = 128;

/// Distinct keys, with what is known of their requests and sizes.
#[derive(Debug)]
pub struct Workload {
    keys: Keys,
    described: String,
    reading: Option<Reading>, // none for generated keys
    totals: Totals,
    hottest: Option<Hottest>,
}

/// Where figures over a workload come from.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Basis {
    /// Generated keys: a sample of all keys there could be.
    Generated,
    /// All the keys there are: the user's own, or generated ones that share tags.
    Counted,
    /// Some of the user's keys, which stand for all of them.
    Sketched,
}

/// Some keys of a workload, with their requests and bytes if it has them.
#[derive(Clone, Copy, Debug)]
pub struct Block<'a> {
    /// The number of the first key, from 0.
    pub first: u64,
    /// The keys.
    pub keys: &'a [&'a [u8]],
    /// The requests of each key.
    pub requests: Option<&'a [u64]>,
    /// The size of the object behind each key.
    pub bytes: Option<&'a [u64]>,
}

/// Sums over a workload.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Totals {
    /// The distinct keys.
    pub keys: u64,
    /// The requests of all keys; one each if the workload has none to tell.
    pub requests: u128,
    /// The bytes of all keys; 0 if the workload has none to tell.
    pub bytes: u128,
}

/// The key with the most requests; of several, the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Hottest {
    /// The key.
    pub key: Vec<u8>,
    /// Its requests.
    pub requests: u64,
    /// Its requests, of all requests, in 0..=1.
    pub fraction: f64,
}

#[derive(Debug)]
enum Keys {
    Generated(Generator),
    Held(Table),
}

impl Workload {
    /// Reads or prepares the keys of a source.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is out of range, a file cannot be read or has no
    /// readable key, or, where the source is strict, a row is unreadable.
    pub fn load(source: &Source) -> Result<Self> {
        match source {
            Source::Generated(of) => {
                let like = match of.names {
                    Names::Random => String::new(),
                    names => format!(" ({names})"),
                };
                let count = grouped(of.keys.into());
                let described = format!("{count} generated keys{like}, seed {}", of.seed);
                Ok(Self::of(Keys::Generated(Generator::new(of)?), described, None))
            }
            Source::File { path, strict, form } => {
                Self::read(Rows::open_as(path, form.clone(), *strict)?)
            }
            Source::Stdin { strict, form } => Self::read(Rows::stdin_as(form.clone(), *strict)?),
        }
    }

    /// Reads all rows of a key file.
    ///
    /// # Errors
    ///
    /// As [`load`](Self::load).
    pub fn read(mut rows: Rows) -> Result<Self> {
        let table = Table::read(&mut rows)?;
        let reading = rows.reading().clone();
        let held = grouped(table.len() as u128);
        let keys = match table.estimate() {
            Some(all) => format!("a sketch of {held} of about {}", grouped(all.keys.into())),
            None => held,
        };
        let rows = grouped(reading.rows.into());
        let described = format!("{}: {keys} keys on {rows} rows", reading.name);
        Ok(Self::of(Keys::Held(table), described, Some(reading)))
    }

    fn of(keys: Keys, described: String, reading: Option<Reading>) -> Self {
        let mut workload =
            Self { keys, described, reading, totals: Totals::default(), hottest: None };
        let summed = workload.sum();
        workload.totals =
            Totals { keys: workload.count(), requests: summed.requests, bytes: summed.bytes };
        if let Keys::Held(table) = &workload.keys
            && let Some(Estimate { keys, requests, bytes }) = table.estimate()
        {
            workload.totals = Totals { keys, requests, bytes };
        }
        workload.hottest = workload.find_hottest(&summed);
        workload
    }

    /// The number of distinct keys held or generated, at least 1.
    #[must_use]
    pub fn count(&self) -> u64 {
        match &self.keys {
            Keys::Generated(generator) => generator.len(),
            Keys::Held(table) => table.len() as u64,
        }
    }

    /// Whether the keys are a sample or all there are.
    #[must_use]
    pub fn basis(&self) -> Basis {
        match self.keys {
            Keys::Generated(ref generator) if generator.is_even() => Basis::Generated,
            Keys::Held(ref table) if table.estimate().is_some() => Basis::Sketched,
            _ => Basis::Counted,
        }
    }

    /// Whether the keys were generated.
    #[must_use]
    pub fn is_generated(&self) -> bool {
        matches!(self.keys, Keys::Generated(_))
    }

    /// Whether the objects behind the keys have sizes: not if all are 0.
    #[must_use]
    pub fn has_bytes(&self) -> bool {
        match &self.keys {
            Keys::Generated(generator) => generator.has_bytes(),
            Keys::Held(table) => table.bytes().is_some(),
        }
    }

    /// Whether requests are told: a key occurred twice, there was a column
    /// `requests` and not all were 0, or they were generated.
    #[must_use]
    pub fn has_requests(&self) -> bool {
        match &self.keys {
            Keys::Generated(generator) => generator.has_requests(),
            Keys::Held(table) => table.requests().is_some(),
        }
    }

    /// The sums over all keys, of a sketch those that it does not hold included.
    #[must_use]
    pub fn totals(&self) -> Totals {
        self.totals
    }

    /// The key with the most requests, if keys differ in their requests.
    #[must_use]
    pub fn hottest(&self) -> Option<&Hottest> {
        self.hottest.as_ref()
    }

    /// How the file was read; `None` for generated keys.
    #[must_use]
    pub fn reading(&self) -> Option<&Reading> {
        self.reading.as_ref()
    }

    /// What the workload is, in one line without a full stop.
    #[must_use]
    pub fn summary(&self) -> String {
        let unreadable = self.reading.as_ref().map_or(0, |reading| reading.unreadable);
        let told = [
            (self.has_requests(), self.totals.requests, "requests"),
            (self.has_bytes(), self.totals.bytes, "bytes"),
            (unreadable > 0, unreadable.into(), "rows that could not be read"),
        ];
        let mut parts = vec![self.described.clone()];
        parts.extend(
            told.into_iter()
                .filter(|(told, ..)| *told)
                .map(|(_, count, of)| format!("{} {of}", grouped(count))),
        );
        printable(&parts.join(", ")).into_owned()
    }

    /// Runs over all keys, in blocks and on all threads.
    ///
    /// `each` takes one block after the other into a part that began as
    /// `identity()`; parts are then merged in the order of their keys. Which
    /// keys a part is of depends on nothing but [`count`](Self::count), so the
    /// result does not depend on the number of threads, sums of floats
    /// included.
    pub fn fold<A: Send>(
        &self,
        identity: impl Fn() -> A + Sync,
        each: impl Fn(&mut A, &Block<'_>) + Sync,
        merge: impl Fn(A, A) -> A,
    ) -> A {
        let blocks = self.count().div_ceil(BLOCK);
        let runs = blocks.min(RUNS);
        let parts: Vec<A> = (0..runs)
            .into_par_iter()
            .map(|run| {
                let mut part = identity();
                let mut scratch = Scratch::default();
                for block in blocks * run / runs..blocks * (run + 1) / runs {
                    let last = ((block + 1) * BLOCK).min(self.count());
                    self.with_block(block * BLOCK..last, &mut scratch, |block| {
                        each(&mut part, block);
                    });
                }
                part
            })
            .collect();
        parts.into_iter().reduce(merge).unwrap_or_else(identity)
    }

    /// The first `count` keys, or all if there are fewer.
    #[must_use]
    pub fn sample(&self, count: usize) -> Vec<Vec<u8>> {
        let count = self.count().min(count as u64);
        (0..count).map(|i| self.key(i)).collect()
    }

    fn key(&self, i: u64) -> Vec<u8> {
        match &self.keys {
            Keys::Generated(generator) => generator.key(i),
            Keys::Held(table) => table.key(index(i)).to_vec(),
        }
    }

    fn with_block(&self, keys: Range<u64>, scratch: &mut Scratch, each: impl FnOnce(&Block<'_>)) {
        let first = keys.start;
        match &self.keys {
            Keys::Generated(generator) => {
                scratch.fill(generator, keys);
                let Scratch { text, ends, requests, bytes } = &*scratch;
                let starts = [0].iter().chain(ends);
                let keys: Vec<&[u8]> =
                    starts.zip(ends).map(|(&start, &end)| &text[start..end]).collect();
                each(&Block {
                    first,
                    keys: &keys,
                    requests: generator.has_requests().then_some(requests),
                    bytes: generator.has_bytes().then_some(bytes),
                });
            }
            Keys::Held(table) => {
                let range = index(keys.start)..index(keys.end);
                let keys: Vec<&[u8]> = range.clone().map(|i| table.key(i)).collect();
                each(&Block {
                    first,
                    keys: &keys,
                    requests: table.requests().map(|requests| &requests[range.clone()]),
                    bytes: table.bytes().map(|bytes| &bytes[range]),
                });
            }
        }
    }

    fn sum(&self) -> Summed {
        if !self.has_requests() && !self.has_bytes() {
            return Summed { requests: self.count().into(), ..Summed::default() };
        }
        self.fold(Summed::default, Summed::add, Summed::merge)
    }

    fn find_hottest(&self, summed: &Summed) -> Option<Hottest> {
        let (requests, first) = summed.most?;
        if summed.least == Some(requests) {
            return None;
        }
        #[expect(clippy::cast_precision_loss, reason = "a fraction is told to a few digits")]
        let fraction = requests as f64 / summed.requests as f64;
        Some(Hottest { key: self.key(first), requests, fraction })
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Summed {
    requests: u128,
    bytes: u128,
    most: Option<(u64, u64)>, // requests, and the first key that has them
    least: Option<u64>,
}

impl Summed {
    fn add(&mut self, block: &Block<'_>) {
        match block.requests {
            None => self.requests += block.keys.len() as u128,
            Some(requests) => {
                for (&count, i) in requests.iter().zip(block.first..) {
                    self.requests += u128::from(count);
                    self.least = Some(self.least.map_or(count, |least| least.min(count)));
                    if self.most.is_none_or(|(most, _)| count > most) {
                        self.most = Some((count, i));
                    }
                }
            }
        }
        let bytes = block.bytes.unwrap_or_default();
        self.bytes += bytes.iter().map(|&size| u128::from(size)).sum::<u128>();
    }

    fn merge(self, other: Self) -> Self {
        let most = match (self.most, other.most) {
            (Some(a), Some(b)) => Some(if b.0 > a.0 { b } else { a }),
            (a, b) => a.or(b),
        };
        let least = self.least.into_iter().chain(other.least).min();
        Self {
            requests: self.requests + other.requests,
            bytes: self.bytes + other.bytes,
            most,
            least,
        }
    }
}

fn index(i: u64) -> usize {
    usize::try_from(i).expect("held keys are in memory")
}

/// Returns a number with a comma before every three digits.
fn grouped(number: u128) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
