//! How a file of keys is to be read, where its name and contents do not tell.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The fewest keys that a sketch holds.
pub(crate) const FEWEST_HELD: u64 = 64;

/// The most keys that a sketch holds.
pub(crate) const MOST_HELD: u64 = 1 << 28;

/// How a file of keys is to be read.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Form {
    /// What the file is; by its name or its first line if left out.
    pub format: Option<KeysFormat>,
    /// The column of the keys; `key` if left out.
    pub key_column: Option<String>,
    /// The column of sizes; `bytes` if there is one if left out.
    pub bytes_column: Option<String>,
    /// The column of requests; `requests` if there is one if left out.
    pub requests_column: Option<String>,
    /// How many keys are held, from 64 to 2^28; all of them if left out.
    pub sketch: Option<u64>,
}

/// What a file of keys is.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum KeysFormat {
    /// Commas and quotes (RFC 4180), with a header.
    Csv,
    /// Tabs, without quotes, with a header.
    Tsv,
    /// A JSON object a line.
    Jsonl,
    /// A key a line.
    Lines,
}

impl KeysFormat {
    /// What the name of a file says that it is.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let name = name.to_ascii_lowercase();
        let packed = [".gz", ".zst"].iter().find_map(|end| name.strip_suffix(end));
        match packed.unwrap_or(&name).rsplit_once('.')?.1 {
            "csv" => Some(Self::Csv),
            "tsv" => Some(Self::Tsv),
            "jsonl" | "ndjson" => Some(Self::Jsonl),
            _ => None,
        }
    }
}

impl Form {
    /// Checks what can be checked before the file is read.
    ///
    /// # Errors
    ///
    /// Fails if a column is asked for where there are none, or the sketch is out
    /// of its range.
    pub fn check(&self) -> Result<()> {
        let columns = [
            ("key column", &self.key_column),
            ("bytes column", &self.bytes_column),
            ("requests column", &self.requests_column),
        ];
        if self.format == Some(KeysFormat::Lines)
            && let Some((name, _)) = columns.iter().find(|(_, column)| column.is_some())
        {
            return Err(Error::Usage(format!("{name} is for a file with columns, not for lines")));
        }
        self.sketch.map_or(Ok(()), check_sketch)
    }

    /// The name of the column of the keys.
    #[must_use]
    pub fn key(&self) -> &str {
        self.key_column.as_deref().unwrap_or("key")
    }

    /// Whether any column is named.
    pub(crate) fn names_columns(&self) -> bool {
        self.key_column.is_some() || self.bytes_column.is_some() || self.requests_column.is_some()
    }
}

/// Checks how many keys a sketch holds.
///
/// # Errors
///
/// Fails if they are fewer than 64 or more than 2^28.
pub(crate) fn check_sketch(count: u64) -> Result<()> {
    if (FEWEST_HELD..=MOST_HELD).contains(&count) {
        return Ok(());
    }
    Err(Error::Parameter {
        name: "sketch".to_owned(),
        value: count.to_string(),
        rule: format!("from {FEWEST_HELD} to {MOST_HELD}"),
    })
}
