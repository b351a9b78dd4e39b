//! `homing compare`: one membership, one change, one workload, every family.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use homing_core::Change;

use super::keys::for_files;
use super::{ChangeArgs, FamilyArgs, KeysArgs, MembersArgs, ReplicasArgs, Status, print, tell};
use crate::input;
use crate::measure;
use crate::quantity::whole;
use crate::registry::Choice;
use crate::report::{Format, comparison, steps};
use crate::scenario::{Scenario, grown};
use crate::workload::{FEWEST_HELD, MOST_HELD, STDIN, Source, Workload};
use crate::{Error, Result};

/// Take one change of membership through every family: what moves, how even the
/// load is, what it costs
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Compare {
    /// Members, changes or steps, workload and families from a TOML file; - is standard
    /// input
    #[arg(long, value_name = "FILE")]
    scenario: Option<PathBuf>,

    #[command(flatten)]
    members: MembersArgs,

    #[command(flatten)]
    changes: ChangeArgs,

    #[command(flatten)]
    families: FamilyArgs,

    /// A row of another system, beside those of the families: libketama,
    /// twemproxy:hash=md5; homing presets lists them (repeatable)
    #[arg(long = "preset", value_name = "PRESET[:OPTION=VALUE,...]")]
    presets: Vec<String>,

    #[command(flatten)]
    keys: KeysArgs,

    /// Hold N keys at most, whatever the file has: a sample of all, and those with
    /// the most requests, within a bound
    #[arg(long, value_name = "N", help_heading = "Keys",
        value_parser = whole::<u64>(FEWEST_HELD..=MOST_HELD))]
    sketch: Option<u64>,

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
  homing compare --members servers.toml --add 10.0.1.9:11211 --preset libketama
  homing compare --scenario change.toml --format json
  homing compare --scenario benches/scenarios/s1-rolling-restart.toml
  homing compare --generate uuid --requests zipf:exponent=1.1
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
        let families = self.families.read()?;
        let presets: Result<Vec<Choice>> =
            self.presets.iter().map(|text| Choice::of_preset(text)).collect();
        let presets = presets?;
        let mut scenario = match &self.scenario {
            Some(_) if self.members.given() || self.changes.given() => {
                return Err(Error::Usage(
                    "members and changes are in the scenario, and cannot be flags as well".into(),
                ));
            }
            Some(path) => Scenario::read(path)?,
            None => self.flagged(families.iter().chain(&presets))?,
        };
        if !families.is_empty() {
            scenario.choose(families);
        }
        scenario.families.extend(presets);
        if self.scenario.is_none() && !self.changes.given() {
            check_joining(&scenario)?;
        }
        self.keys.put_over(&mut scenario.workload)?;
        if self.scenario.as_deref().is_some_and(input::is_stdin)
            && matches!(scenario.workload, Source::Stdin { .. })
        {
            return Err(Error::in_file(
                STDIN,
                "file is \"-\", but standard input must be given to one alone, and is the scenario",
            ));
        }
        if let Some(held) = self.sketch {
            match &mut scenario.workload {
                Source::File { form, .. } | Source::Stdin { form, .. } => {
                    form.sketch = Some(held);
                    form.check()?;
                }
                Source::Generated(_) => return Err(for_files("sketch")),
            }
        }
        self.replicas.put_over(&mut scenario)?;
        if scenario.replicas.is_some() && !scenario.steps.is_empty() {
            return Err(Error::Usage(
                "replicas are compared over one change, but the scenario has steps".into(),
            ));
        }
        Ok(scenario)
    }

    fn flagged<'a>(&self, mut asked: impl Iterator<Item = &'a Choice>) -> Result<Scenario> {
        let given = self.members.read()?;
        asked.try_for_each(|choice| choice.check_labels(&given))?;
        let mut changes = self.changes.read(&given)?;
        if !self.changes.given() {
            changes = grown(&given.members, &given.members, 1);
        }
        Ok(Scenario { changes, ..Scenario::of(given)? })
    }
}

/// Checks that the node that joins where nothing else is asked tells what presets hash,
/// if the members do.
fn check_joining(scenario: &Scenario) -> Result<()> {
    for choice in &scenario.families {
        let Some(preset) = &choice.preset else { continue };
        if preset.members(&scenario.members).is_err() {
            continue;
        }
        for change in &scenario.changes {
            let Change::Add(node) = change else { continue };
            if let Err(error) = preset.prepare(node.clone(), scenario.members.len()) {
                return Err(Error::Usage(format!(
                    "{error}; --add or a scenario says which node joins"
                )));
            }
        }
    }
    Ok(())
}
