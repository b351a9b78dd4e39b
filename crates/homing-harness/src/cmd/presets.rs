//! `homing presets`: the systems that there are presets of.

use std::io::Write;

use clap::Args;
use homing_compat::PRESETS;

use super::{Status, print};
use crate::Result;
use crate::report::{Format, presets};

/// List the systems that keys can be placed as: family, versions, how many answers
/// of theirs agree
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Presets {
    /// All that is known of one: what it hashes of a node, its options and limits,
    /// and where it differs from those that are taken for it
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// How to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

const EXAMPLES: &str = "\
A cluster of Redis or Valkey is no preset but the family slots: --family slots, or
--cluster with what it prints of its slots.

Examples:
  homing presets
  homing presets twemproxy
  homing presets --format json
  homing locate --preset twemproxy:hash=md5 --members servers.toml user:1
  homing verify --preset any --members servers.toml placed.csv";

impl Presets {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Status> {
        let answer = match &self.name {
            Some(name) => presets::one(homing_compat::entry(name)?, self.format),
            None => presets::list(PRESETS, self.format),
        };
        print(out, &answer)?;
        Ok(Status::Passed)
    }
}
