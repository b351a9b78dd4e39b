//! [`Load`]: keys, bytes or requests.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

use super::{Block, Workload};
use crate::{Error, Result};

/// What a load is counted in.
#[derive(
    Clone, Copy, Debug, Default, Deserialize, Eq, Hash, PartialEq, Serialize, clap::ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum Load {
    /// Keys, each once.
    #[default]
    Keys,
    /// The bytes of the keys.
    Bytes,
    /// The requests of the keys.
    Requests,
}

impl Load {
    /// The word for it.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Keys => "keys",
            Self::Bytes => "bytes",
            Self::Requests => "requests",
        }
    }
}

impl Workload {
    /// Whether the workload has this load.
    #[must_use]
    pub fn has(&self, load: Load) -> bool {
        match load {
            Load::Keys => true,
            Load::Bytes => self.has_bytes(),
            Load::Requests => self.has_requests(),
        }
    }

    /// Checks that the workload has the load that figures are to be by.
    ///
    /// # Errors
    ///
    /// Fails if it has not, with what it has.
    pub fn check(&self, by: Load) -> Result<()> {
        if self.has(by) {
            return Ok(());
        }
        let word = by.word();
        let has = Load::value_variants().iter().filter(|&&load| self.has(load));
        let has: Vec<&str> = has.map(|load| load.word()).collect();
        let from = match (self.is_generated(), by) {
            (true, Load::Bytes) => "--sizes gives generated keys some",
            (true, _) => "--requests gives generated keys some",
            (false, Load::Bytes) => "a column bytes, or --bytes-column, has them",
            (false, _) => "a column requests, --requests-column, or a key on several rows has them",
        };
        Err(Error::Parameter {
            name: "by".into(),
            value: word.into(),
            rule: format!("{}, as the keys have no {word}: {from}", has.join(" or ")),
        })
    }
}

impl Block<'_> {
    /// The amount of key `i` of the block, 1 by keys; the workload has this load.
    #[must_use]
    pub fn amount(&self, load: Load, i: usize) -> u64 {
        let amounts = match load {
            Load::Keys => None,
            Load::Bytes => self.bytes,
            Load::Requests => self.requests,
        };
        amounts.map_or(1, |amounts| amounts[i])
    }
}
