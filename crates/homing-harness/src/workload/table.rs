//! Keys held in memory, each once, in the order in which they were first seen.

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use xxhash_rust::xxh3::xxh3_64;

use crate::error::{Error, Result, quoted};
use crate::workload::rows::Rows;
use crate::workload::sketch::{Estimate, Sketch};

/// The distinct keys of a file, with their bytes and requests.
#[derive(Debug, Default)]
pub(crate) struct Table {
    keys: Arena,
    requests: Option<Vec<u64>>, // of each key; none if every key has one, or every key 0
    bytes: Option<Vec<u64>>,    // of each key, the largest seen; none if they are all 0
    estimate: Option<Estimate>, // of all keys, where not all are held
}

/// Byte strings behind one another.
#[derive(Debug, Default)]
struct Arena {
    text: Vec<u8>,
    ends: Vec<usize>, // key i is text[ends[i - 1]..ends[i]]
}

impl Table {
    /// Reads all rows.
    ///
    /// A key on several rows has that many requests, or the sum of its
    /// `requests` where there is such a column, and the largest of its `bytes`.
    ///
    /// # Errors
    ///
    /// As [`Rows::next_row`]; and if there is no readable row, or the requests
    /// of a key pass `u64::MAX`.
    pub(crate) fn read(rows: &mut Rows) -> Result<Self> {
        if let Some(most) = rows.form().sketch {
            return Self::sketched(rows, most);
        }
        let mut keys = Arena::default();
        let mut index = HashTable::<usize>::new();
        let (mut requests, mut bytes) = (Vec::<u64>::new(), Vec::<u64>::new());
        while let Some(row) = rows.next_row()? {
            let more = row.requests.unwrap_or(1);
            let entry = index.entry(
                xxh3_64(row.key),
                |&i| keys.get(i) == row.key,
                |&i| xxh3_64(keys.get(i)),
            );
            match entry {
                Entry::Vacant(entry) => {
                    entry.insert(keys.len());
                    keys.push(row.key);
                    requests.push(more);
                    bytes.extend(row.bytes);
                }
                Entry::Occupied(entry) => {
                    let i = *entry.get();
                    let Some(sum) = requests[i].checked_add(more) else {
                        let (line, key) = (row.line, quoted(row.key));
                        let reason =
                            format!("the requests of key {key} add up to more than {}", u64::MAX);
                        return Err(Error::in_line(&rows.reading().name, line, reason));
                    };
                    requests[i] = sum;
                    if let Some(size) = row.bytes {
                        bytes[i] = bytes[i].max(size);
                    }
                }
            }
        }
        rows.reading().check()?;
        let counted = rows.has_requests() || requests.iter().any(|&count| count != 1);
        Ok(Self {
            keys,
            requests: Some(requests).filter(|of| counted && adds_up(of)),
            bytes: Some(bytes).filter(|of| adds_up(of)),
            estimate: None,
        })
    }

    /// Reads all rows, and holds so many keys.
    fn sketched(rows: &mut Rows, most: u64) -> Result<Self> {
        let mut sketch = Sketch::new(most);
        let name = rows.reading().name.clone();
        let mut number = 0;
        while let Some(row) = rows.next_row()? {
            sketch.add(&name, &row, number)?;
            number += 1;
        }
        rows.reading().check()?;
        let counted = rows.has_requests() || sketch.repeats();
        let (held, estimate) = sketch.finish();
        let mut keys = Arena::default();
        for held in &held {
            keys.push(&held.key);
        }
        let requests: Vec<u64> = held.iter().map(|held| held.requests).collect();
        let bytes: Vec<u64> = held.iter().map(|held| held.bytes).collect();
        Ok(Self {
            keys,
            requests: Some(requests).filter(|of| counted && adds_up(of)),
            bytes: Some(bytes).filter(|of| adds_up(of)),
            estimate,
        })
    }

    /// What is estimated of all keys, where not all are held.
    pub(crate) fn estimate(&self) -> Option<Estimate> {
        self.estimate
    }

    /// The number of keys.
    pub(crate) fn len(&self) -> usize {
        self.keys.len()
    }

    /// The bytes of key `i`.
    pub(crate) fn key(&self, i: usize) -> &[u8] {
        self.keys.get(i)
    }

    /// The requests of each key, if there are any to tell.
    pub(crate) fn requests(&self) -> Option<&[u64]> {
        self.requests.as_deref()
    }

    /// The bytes of each key, if there are any.
    pub(crate) fn bytes(&self) -> Option<&[u64]> {
        self.bytes.as_deref()
    }
}

impl Arena {
    fn len(&self) -> usize {
        self.ends.len()
    }

    fn get(&self, i: usize) -> &[u8] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.text[start..self.ends[i]]
    }

    fn push(&mut self, key: &[u8]) {
        self.text.extend_from_slice(key);
        self.ends.push(self.text.len());
    }
}

/// Whether there is anything to have a part of.
fn adds_up(counts: &[u64]) -> bool {
    counts.iter().any(|&count| count > 0)
}
