//! `homing compare`: one membership, one change, one workload, every family.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::{ChangeArgs, FamilyArgs, MembersArgs, ReplicasArgs, Status, print, tell};
use crate::measure;
use crate::report::{Format, comparison, steps};
use crate::scenario::{Scenario, grown};
use crate::workload::{Source, Workload};
use crate::{Error, Result};

/// Take one change of membership through every family: what moves, how even the
/// load is, what it costs
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Compare {
    /// Members, changes or steps, workload and families from a TOML file
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,

    #[command(flatten)]
    members: MembersArgs,

    #[command(flatten)]
    changes: ChangeArgs,

    #[command(flatten)]
    families: FamilyArgs,

    /// Your own keys: CSV with a column key and, where they exist, bytes and
    /// requests; else one key a line; gzip is known by its first bytes; - is
    /// standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sample", "seed"])]
    keys: Option<PathBuf>,

    /// Stop at the first row of keys that cannot be read, instead of passing it
    /// over
    #[arg(long)]
    strict: bool,

    /// Generate N keys [default: 1000000]
    #[arg(long, value_name = "N")]
    sample: Option<u64>,

    /// The seed of the generated keys; the seed of a hash is part of it: hash=xxh3:42
    /// [default: 0]
    #[arg(long, value_name = "SEED")]
    seed: Option<u64>,

    #[command(flatten)]
    replicas: ReplicasArgs,

    /// How to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

const EXAMPLES: &str = "\
Without flags 8 equal nodes become 9, over 1,000,000 generated keys.

Examples:
  homing compare
  homing compare --nodes 100 --remove node-42
  homing compare --members nodes.toml --add cache-9=2 --keys keys.csv.gz
  homing compare --family ring:points=500 --family ring:points=100,hash=sha256
  homing compare --scenario change.toml --format json
  homing compare --scenario benches/scenarios/s1-rolling-restart.toml
  zcat access.log.gz | cut -f1 | homing compare --keys -";

impl Compare {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Status> {
        let scenario = self.scenario()?;
        let workload = Workload::load(&scenario.workload)?;
        if let Some(reading) = workload.reading() {
            tell(reading);
        }
        if !scenario.steps.is_empty() {
            let run = measure::steps(&scenario, &workload)?;
            print(out, &steps::written(&run, self.format))?;
            return Ok(Status::Passed);
        }
        let comparison = measure::compare(&scenario, &workload)?;
        let answer = match self.format {
            Format::Table => comparison::text(&comparison).into_bytes(),
            Format::Json => comparison::json(&comparison).into_bytes(),
            Format::Csv => comparison::csv(&comparison),
            Format::Markdown => comparison::markdown(&comparison).into_bytes(),
        };
        print(out, &answer)?;
        Ok(Status::Passed)
    }

    /// The scenario of the file, or of the flags; families, keys and replicas of
    /// the flags go before the file's.
    fn scenario(&self) -> Result<Scenario> {
        let mut scenario = match &self.scenario {
            Some(_) if self.members.given() || self.changes.given() => {
                return Err(Error::Usage(
                    "members and changes are in the scenario, and cannot be flags as well".into(),
                ));
            }
            Some(path) => Scenario::read(path)?,
            None => self.flagged()?,
        };
        let families = self.families.read()?;
        if !families.is_empty() {
            scenario.choose(families);
        }
        if let Some(path) = &self.keys {
            scenario.workload = Source::named(path, self.strict);
        }
        match &mut scenario.workload {
            Source::Generated(generated) => {
                generated.keys = self.sample.unwrap_or(generated.keys);
                generated.seed = self.seed.unwrap_or(generated.seed);
                if self.strict {
                    return Err(Error::Usage("strict is for keys from a file".into()));
                }
            }
            _ if self.sample.is_some() || self.seed.is_some() => {
                return Err(Error::Usage(
                    "sample and seed are for generated keys, but the scenario reads a file".into(),
                ));
            }
            Source::File { strict, .. } | Source::Stdin { strict } => *strict |= self.strict,
        }
        self.replicas.put_over(&mut scenario)?;
        if scenario.replicas.is_some() && !scenario.steps.is_empty() {
            return Err(Error::Usage(
                "replicas are compared over one change, but the scenario has steps".into(),
            ));
        }
        Ok(scenario)
    }

    fn flagged(&self) -> Result<Scenario> {
        let given = self.members.read()?;
        let mut changes = self.changes.read(&given)?;
        if !self.changes.given() {
            changes = grown(&given.members, &given.members, 1);
        }
        Ok(Scenario { changes, ..Scenario::of(given)? })
    }
}
