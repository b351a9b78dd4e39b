//! Where the keys of a workload come from, as a scenario or a flag says it.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::error::Result;
use crate::workload::fields::Fields;
use crate::workload::form::Form;
use crate::workload::shape::{Names, Sizes, Skew, check_count};

/// The most keys that are generated: ten thousand times the default.
pub(crate) const MOST_KEYS: u64 = 10_000_000_000;

/// What an empty name of a file must be.
pub(crate) const NO_FILE: &str = "the name of a file, or - for standard input";

/// The keys of a workload: generated, or the user's own.
///
/// In a scenario it is the table `[workload]`, with either `keys`, `seed`,
/// `generate`, `zipf` or `hot` and `requests`, `bytes_median` and `bytes_sigma`, or
/// `file` and how it is read. The file `-` is standard input.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(try_from = "Fields", into = "Fields")]
#[non_exhaustive]
pub enum Source {
    /// Keys computed from a seed.
    Generated(Generated),
    /// Keys in a file.
    File {
        /// The file, relative to the current directory.
        path: PathBuf,
        /// Whether an unreadable row is an error.
        strict: bool,
        /// What it is, and which columns are what.
        form: Form,
    },
    /// Keys on standard input.
    Stdin {
        /// Whether an unreadable row is an error.
        strict: bool,
        /// What it is, and which columns are what.
        form: Form,
    },
}

/// The parameters of generated keys.
#[derive(Clone, Debug, PartialEq)]
pub struct Generated {
    /// The number of keys, from 1 to 10^10.
    pub keys: u64,
    /// Where `SplitMix64` is started, of which every key is made.
    pub seed: u64,
    /// What the keys look like.
    pub names: Names,
    /// How requests differ between keys, if they do.
    pub skew: Option<Skew>,
    /// The sizes of the objects behind the keys, if they have any.
    pub sizes: Option<Sizes>,
}

impl Source {
    /// The source that `--keys` names: a file, or standard input for `-`.
    #[must_use]
    pub fn named(path: &Path, strict: bool) -> Self {
        if path == Path::new("-") {
            Self::Stdin { strict, form: Form::default() }
        } else {
            Self::File { path: path.to_owned(), strict, form: Form::default() }
        }
    }

    /// The same source, its file read as `form` says; generated keys are as they
    /// were.
    ///
    /// # Errors
    ///
    /// As [`Form::check`].
    pub fn read_as(mut self, to: Form) -> Result<Self> {
        to.check()?;
        if let Self::File { form, .. } | Self::Stdin { form, .. } = &mut self {
            *form = to;
        }
        Ok(self)
    }

    /// The same source, with a relative file taken from `folder`.
    #[must_use]
    pub fn relative_to(self, folder: &Path) -> Self {
        match self {
            Self::File { path, strict, form } => {
                Self::File { path: folder.join(path), strict, form }
            }
            other => other,
        }
    }
}

impl Default for Source {
    fn default() -> Self {
        Self::Generated(Generated::default())
    }
}

impl Default for Generated {
    /// 1,000,000 keys, seed 0, one request each, no sizes.
    fn default() -> Self {
        Self { keys: 1_000_000, seed: 0, names: Names::Random, skew: None, sizes: None }
    }
}

impl Generated {
    /// Checks every parameter against its range.
    ///
    /// # Errors
    ///
    /// Names the first that is out of range, and the range.
    pub fn check(&self) -> Result<()> {
        check_count("keys", self.keys, MOST_KEYS)?;
        self.names.check()?;
        self.skew.map_or(Ok(()), Skew::check)?;
        self.sizes.map_or(Ok(()), Sizes::check)
    }
}
