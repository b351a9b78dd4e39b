//! `homing record`: every committed scenario and the sweeps, kept as one file.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Component, Path, PathBuf};

use clap::Args;
use clap::builder::ValueHint;
use jiff::{Timestamp, Unit};

use super::{Status, print, tell};
use crate::error::printable;
use crate::machine::machine;
use crate::record::{Record, WorkloadSummary, store};
use crate::scenario::Scenario;
use crate::workload::{Source, Workload};
use crate::{Error, Result, measure};

/// Measure every scenario of a folder, and how figures grow with nodes and
/// points; add the results as one record
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct RecordCommand {
    /// What to call the record [default: the date and time in UTC]
    #[arg(value_name = "NAME")]
    name: Option<String>,

    /// The folder of the scenarios, taken in order of file name
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath,
        default_value = "benches/scenarios")]
    scenarios: PathBuf,

    /// The folder that the record is added to
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath,
        default_value = "docs/record")]
    to: PathBuf,
}

const EXAMPLES: &str = "\
A record is added, never written again. It takes a minute or two; close what
else is running first, since it measures times.

Examples:
  homing record
  homing record before-the-upgrade
  homing record --scenarios my/scenarios --to my/record";

impl RecordCommand {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Status> {
        let began = Timestamp::now()
            .round(Unit::Second)
            .map_err(|error| Error::Usage(format!("the clock: {error}")))?;
        let name = match self.name {
            Some(name) => name,
            None => began.strftime("%Y-%m-%dT%H%MZ").to_string(),
        };
        let path = store::free(&self.to, &name)?;
        let scenarios = scenarios(&self.scenarios)?;
        let machine = machine();
        let (mut comparisons, mut steps) = (Vec::new(), Vec::new());
        for scenario in &scenarios {
            let workload = loaded(scenario)?;
            if scenario.steps.is_empty() {
                let mut comparison = measure::compare(scenario, &workload)?;
                shorten(scenario, &mut comparison.workload);
                comparisons.push(comparison);
            } else {
                let mut run = measure::steps(scenario, &workload)?;
                shorten(scenario, &mut run.workload);
                steps.push(run);
            }
        }
        let sweeps = measure::sweeps(&Workload::load(&Source::default())?)?;
        let record = Record {
            version: Record::VERSION,
            name,
            time: began.to_string(),
            command: command(),
            package: env!("CARGO_PKG_VERSION").to_owned(),
            machine,
            comparisons,
            steps,
            sweeps,
            published: measure::published()?,
        };
        store::save(&path, &record)?;
        let shown = path.display().to_string();
        let scenarios = scenarios.len();
        let said = format!("added {}: {scenarios} scenarios and the sweeps\n", printable(&shown));
        print(out, said.as_bytes())?;
        Ok(Status::Passed)
    }
}

/// The scenarios of a folder, in order of file name.
fn scenarios(folder: &Path) -> Result<Vec<Scenario>> {
    let name = folder.display().to_string();
    let unread = |error| Error::from_io(&name, &error);
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            paths.push(path);
        }
    }
    paths.sort();
    if paths.is_empty() {
        return Err(Error::in_file(&name, "has no scenario, but must have files .toml"));
    }
    paths.iter().map(|path| Scenario::read(path)).collect()
}

fn loaded(scenario: &Scenario) -> Result<Workload> {
    let workload = Workload::load(&scenario.workload)?;
    if let Some(reading) = workload.reading() {
        tell(reading);
    }
    Ok(workload)
}

/// Has the path of the keys as a reader would write it.
fn shorten(scenario: &Scenario, workload: &mut WorkloadSummary) {
    if let Source::File { path, .. } = &scenario.workload {
        let shown = printable(&path.display().to_string()).into_owned();
        let short = printable(&shortened(path).display().to_string()).into_owned();
        workload.source = workload.source.replacen(&shown, &short, 1);
    }
}

/// A path as a reader would write it: `a/b/../c` is `a/c`.
///
/// For showing alone: where `b` is a link the two are not the same file.
fn shortened(path: &Path) -> PathBuf {
    let mut short = PathBuf::new();
    for component in path.components() {
        match component {
            Component::ParentDir
                if matches!(short.components().next_back(), Some(Component::Normal(_))) =>
            {
                short.pop();
            }
            component => short.push(component),
        }
    }
    short
}

/// The command that is running, as it can be typed again.
fn command() -> String {
    let mut command = String::from("homing");
    for argument in std::env::args_os().skip(1) {
        let argument = argument.to_string_lossy().into_owned();
        let plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
        command.push(' ');
        if !argument.is_empty() && argument.chars().all(plain) {
            command += &argument;
        } else {
            let _ = write!(command, "'{}'", argument.replace('\'', r"'\''"));
        }
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shown_path_has_no_detours() {
        for (path, short) in [
            ("benches/scenarios/../data/keys.csv", "benches/data/keys.csv"),
            ("../keys.csv", "../keys.csv"),
            ("a/../../keys.csv", "../keys.csv"),
        ] {
            assert_eq!(shortened(Path::new(path)), Path::new(short));
        }
    }
}
