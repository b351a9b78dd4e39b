//! A file of more keys than are to be held: a sample of them, and the heaviest.

use std::collections::BTreeMap;

use datasketches::frequencies::{ErrorType, FrequentItemsSketch};
use homing_core::mix64;
use xxhash_rust::xxh3::xxh3_64_with_seed;

use crate::error::{Error, Result};
use crate::workload::rows::Row;

/// The seed of the hash that draws the sample. It must be none that a family is
/// likely to hash with: the sample would be of one end of its positions.
const SEED: u64 = 0x5A3E_9D1C_7B24_F086;

/// What is held of a file.
///
/// The sample is the `most` keys of the least hashes: every distinct key has the
/// same chance, however often it stands there, and a key that is in it at the end
/// was in it from its first row on, so its requests and bytes are exact (K. Beyer
/// and others, "On synopses for distinct-value estimation under multiset
/// operations", SIGMOD 2007, section 2). The heaviest are those of the frequent
/// items sketch of Apache `DataSketches`.
#[derive(Debug)]
pub(crate) struct Sketch {
    most: usize,
    sample: BTreeMap<u64, Held>, // by hash; at most `most`
    passed_over: bool,           // whether any key is not in the sample
    heavy: FrequentItemsSketch<Vec<u8>>,
    requests: u64,
}

/// A key with what is known of it.
#[derive(Clone, Debug)]
pub(crate) struct Held {
    pub(crate) key: Vec<u8>,
    pub(crate) first: u64, // the number of its first row
    pub(crate) requests: u64,
    pub(crate) bytes: u64,
}

/// What is estimated of all keys, held or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Estimate {
    /// How many there are.
    pub(crate) keys: u64,
    /// Their requests; exact.
    pub(crate) requests: u128,
    /// Their bytes.
    pub(crate) bytes: u128,
}

impl Sketch {
    /// Holds so many keys, and the heaviest besides.
    pub(crate) fn new(most: u64) -> Self {
        let most = usize::try_from(most).expect("a sketch is in memory");
        let counters = most.next_power_of_two();
        Self {
            most,
            sample: BTreeMap::new(),
            passed_over: false,
            heavy: FrequentItemsSketch::new(counters).expect("from 2^6 to 2^28 counters"),
            requests: 0,
        }
    }

    /// Takes a row, of this number.
    ///
    /// # Errors
    ///
    /// Fails if all requests add up to more than `u64::MAX`.
    pub(crate) fn add(&mut self, name: &str, row: &Row<'_>, number: u64) -> Result<()> {
        let more = row.requests.unwrap_or(1);
        self.requests = self.requests.checked_add(more).ok_or_else(|| {
            let reason = format!("the requests add up to more than {}", u64::MAX);
            Error::in_line(name, row.line, reason)
        })?;
        self.heavy.update_with_count_ref(row.key, more);
        let bytes = row.bytes.unwrap_or(0);
        let hash = mix64(xxh3_64_with_seed(row.key, SEED));
        let full = self.sample.len() == self.most;
        if full && self.sample.last_key_value().is_some_and(|(&last, _)| hash > last) {
            self.passed_over = true;
            return Ok(());
        }
        let held = self.sample.entry(hash).or_insert_with(|| Held {
            key: row.key.to_vec(),
            first: number,
            requests: 0,
            bytes: 0,
        });
        held.requests = held.requests.saturating_add(more);
        held.bytes = held.bytes.max(bytes);
        if self.sample.len() > self.most {
            self.sample.pop_last();
            self.passed_over = true;
        }
        Ok(())
    }

    /// The keys held, in the order of their first rows; then, where not all could
    /// be held, the heaviest of the others, and what is estimated of all.
    ///
    /// The requests of the light keys of the sample then stand for all light keys.
    pub(crate) fn finish(self) -> (Vec<Held>, Option<Estimate>) {
        let estimate = self.passed_over.then(|| self.estimate());
        let heavy = self.heavy.frequent_items(ErrorType::NoFalsePositives);
        let mut held: Vec<Held> = self.sample.into_values().collect();
        held.sort_unstable_by_key(|held| held.first);
        if estimate.is_none() {
            return (held, None);
        }
        let mut heavy: BTreeMap<Vec<u8>, u64> =
            heavy.into_iter().map(|row| (row.item().clone(), row.estimate())).collect();
        let mut rest = u128::from(self.requests);
        let mut light = Vec::new();
        for (i, held) in held.iter().enumerate() {
            if heavy.remove(&held.key).is_some() {
                rest = rest.saturating_sub(held.requests.into());
            } else {
                light.push(i);
            }
        }
        for &requests in heavy.values() {
            rest = rest.saturating_sub(requests.into());
        }
        let told: u128 = light.iter().map(|&i| u128::from(held[i].requests)).sum();
        for i in light {
            held[i].requests = scaled(held[i].requests, rest, told);
        }
        let others = heavy.into_iter();
        held.extend(others.map(|(key, requests)| Held { key, first: 0, requests, bytes: 0 }));
        (held, estimate)
    }

    /// Whether any key has another number of requests than one.
    pub(crate) fn repeats(&self) -> bool {
        let heavy = self.heavy.frequent_items(ErrorType::NoFalsePositives);
        self.sample.values().any(|held| held.requests != 1)
            || heavy.iter().any(|row| row.lower_bound() > 1)
    }

    fn estimate(&self) -> Estimate {
        // The k-th least of D hashes, evenly in 0..1, is at k / D; (k - 1) over it
        // is D on the average.
        let last = self.sample.last_key_value().map_or(u64::MAX, |(&last, _)| last);
        let all = (self.most as f64 - 1.0) * 2f64.powi(64) / (last as f64 + 1.0);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "as many keys as rows, at most"
        )]
        let keys = all.round() as u64;
        let bytes: u128 = self.sample.values().map(|held| u128::from(held.bytes)).sum();
        Estimate {
            keys,
            requests: self.requests.into(),
            bytes: bytes.saturating_mul(keys.into()) / self.most as u128,
        }
    }
}

/// Returns the part of `all` that `part` is of `whole`, rounded.
fn scaled(part: u64, all: u128, whole: u128) -> u64 {
    if whole == 0 {
        return 0;
    }
    // All of it below 2^64, so no product is above 2^128.
    let scaled = (u128::from(part) * all + whole / 2) / whole;
    u64::try_from(scaled).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(most: u64, rows: impl IntoIterator<Item = (String, u64, u64)>) -> Sketch {
        let mut sketch = Sketch::new(most);
        for ((key, requests, bytes), number) in rows.into_iter().zip(0..) {
            let (bytes, requests) = (Some(bytes), Some(requests));
            let row = Row { line: number + 1, key: key.as_bytes(), bytes, requests };
            sketch.add("keys", &row, number).unwrap();
        }
        sketch
    }

    #[test]
    fn as_many_keys_as_are_held_are_exact() {
        let rows = (0..640).map(|i| (format!("k{}", i % 64), i, i));
        let (held, estimate) = of(64, rows).finish();
        assert_eq!((held.len(), estimate), (64, None));
        for (held, i) in held.iter().zip(0..) {
            // i, i + 64, ..., i + 576.
            let told = (&held.key[..], held.requests, held.bytes);
            assert_eq!(told, (format!("k{i}").as_bytes(), 10 * i + 64 * 45, i + 576));
        }
    }

    #[test]
    fn the_number_of_keys_is_estimated_within_four_deviations() {
        // 1 / sqrt(k - 2) of it: 3.2 % for 1024; and all are there ten times.
        let rows = (0..500_000).map(|i| (format!("k{}", i % 50_000), 1, 7));
        let (held, estimate) = of(1024, rows).finish();
        let estimate = estimate.unwrap();
        let off = (estimate.keys as f64 / 50_000.0 - 1.0).abs();
        assert!(off < 4.0 / 1022_f64.sqrt(), "{}", estimate.keys);
        assert_eq!(estimate.requests, 500_000);
        assert_eq!(estimate.bytes, 7 * u128::from(estimate.keys));
        // What the keys held stand for is all requests, but for the rounding of each.
        let told: u64 = held.iter().map(|held| held.requests).sum();
        assert!(told.abs_diff(500_000) <= 512, "{told}");
    }

    #[test]
    fn a_hot_key_is_held_with_its_requests_within_the_bound() {
        // The bound is 3.5 / 1024 of all requests.
        let rows = (0..100_000).map(|i| {
            let key = if i % 5 == 0 { "hot".to_owned() } else { format!("k{i}") };
            (key, 1, 1)
        });
        let (held, estimate) = of(1024, rows).finish();
        assert!(estimate.is_some());
        let hot = held.iter().find(|held| held.key == b"hot").unwrap();
        assert!(hot.requests.abs_diff(20_000) <= 342, "{}", hot.requests);
        assert_eq!(held.iter().filter(|held| held.key == b"hot").count(), 1);
        assert!(held.len() <= 1024 + 768);
    }

    #[test]
    fn requests_beyond_64_bits_are_refused_with_their_line() {
        let mut sketch = Sketch::new(64);
        let row = Row { line: 7, key: b"a", bytes: None, requests: Some(u64::MAX) };
        sketch.add("keys", &row, 0).unwrap();
        let error = sketch.add("keys", &row, 1).unwrap_err();
        assert_eq!(
            error.to_string(),
            "keys:7: the requests add up to more than 18446744073709551615"
        );
    }
}
