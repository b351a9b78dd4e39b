//! The command line: one module a subcommand, and the arguments they share.

pub mod compare;
pub mod diff;
pub mod failures;
pub mod keys;
pub mod layout;
pub mod locate;
pub mod plan;
pub mod presets;
pub mod recommend;
pub mod record;
pub mod report;
pub mod sweep;
pub mod usage;
pub mod verify;

mod placing;
mod stdin;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::{Args, Parser, Subcommand};
use homing_core::{Change, Node, NodeId, Spread};

pub use self::keys::{FileArgs, KeysArgs};
pub use self::placing::LayoutArgs;
use crate::error::printable;
use crate::input;
use crate::members::{self, Given, MOST_NAMED};
use crate::quantity::whole;
use crate::registry::Choice;
use crate::report::Format;
use crate::scenario::{Apart, MOST_REPLICAS, NODES, Scenario, check_replicas, grown};
use crate::workload::Reading;
use crate::{Error, Result};

/// How a command ended that did not fail.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Status {
    /// As it should.
    Passed,
    /// A check failed, as has been said: exit status 1.
    Failed,
}

/// Which node does a key belong to? Measures what placement families do to a
/// cluster: how many keys move when it changes, how even the load is, how long a
/// lookup takes.
#[derive(Debug, Parser)]
#[command(name = "homing", version, propagate_version = true, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  homing compare                                 every family, 8 nodes and a ninth
  homing compare --keys keys.csv.gz --nodes 12   on your own keys
  homing compare --members nodes.toml --remove cache-3
  homing failures --members nodes.toml --replicas 3 --spread zones
  homing sweep --family ring --target-cv 0.05
  homing locate --family ring --nodes 8 user:1 user:2
  homing recommend --nodes 8 --most-nodes 40 --most-peak 1.05
  homing layout --family maglev --members nodes.toml > layout.json
  homing verify --family ring --members nodes.toml placed.csv
  homing verify --preset any --members servers.toml placed.csv
  homing locate --preset twemproxy --members servers.toml user:1
  homing locate --cluster nodes.conf user:1

Exit status: 0, 1 if a check failed, 2 on wrong usage or input.";

#[derive(Debug, Subcommand)]
enum Command {
    Compare(Box<compare::Compare>),
    Locate(locate::Locate),
    Layout(layout::Layout),
    Plan(Box<plan::Plan>),
    Diff(diff::Diff),
    Failures(failures::FailuresCommand),
    Presets(presets::Presets),
    Sweep(sweep::Sweep),
    Recommend(recommend::Recommend),
    Record(record::RecordCommand),
    Report(report::ReportCommand),
    Verify(verify::Verify),
}

impl Cli {
    /// Runs the command, writing its answer to `out`.
    ///
    /// # Errors
    ///
    /// Fails on wrong usage or input; the message is one line.
    pub fn run(self, out: &mut dyn Write) -> Result<Status> {
        match self.command {
            Command::Compare(command) => command.run(out),
            Command::Locate(command) => command.run(out),
            Command::Layout(command) => command.run(out),
            Command::Plan(command) => command.run(out),
            Command::Diff(command) => command.run(out),
            Command::Failures(command) => command.run(out),
            Command::Presets(command) => command.run(out),
            Command::Sweep(command) => command.run(out),
            Command::Recommend(command) => command.run(out),
            Command::Record(command) => command.run(out),
            Command::Report(command) => command.run(out),
            Command::Verify(command) => command.run(out),
        }
    }
}

/// Where the members are from.
#[derive(Args, Clone, Debug)]
#[group(id = "members_from", multiple = false)]
pub struct MembersArgs {
    /// N equal nodes, node-0 to node-(N-1), in that order [default: 8]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=MOST_NAMED as u64))]
    pub nodes: Option<usize>,

    /// A file of members: TOML with node tables of id, weight, zone and what a
    /// preset hashes, JSON with the same, one id a line, a manifest, or what CLUSTER
    /// NODES, SLOTS or SHARDS prints; - is standard input
    #[arg(long, value_name = "FILE")]
    pub members: Option<PathBuf>,

    /// What CLUSTER NODES, SLOTS or SHARDS prints, in every form that there is of it;
    /// - is standard input
    #[arg(long, value_name = "FILE")]
    pub cluster: Option<PathBuf>,
}

impl MembersArgs {
    /// Whether the command line says anything of members.
    #[must_use]
    pub fn given(&self) -> bool {
        self.nodes.is_some() || self.members.is_some() || self.cluster.is_some()
    }

    /// Reads or makes the members.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be used, or there are no nodes.
    pub fn read(&self) -> Result<Given> {
        match (&self.members, &self.cluster, self.nodes) {
            (Some(path), ..) => members_of(path),
            (None, Some(path), _) => Ok(warned(path, members::read_cluster(path)?)),
            (None, None, count) => Given::named(count.unwrap_or(NODES)),
        }
    }
}

/// Reads the members in a file, and says on standard error what must be known of
/// them besides.
///
/// # Errors
///
/// As [`members::read`].
pub fn members_of(path: &Path) -> Result<Given> {
    Ok(warned(path, members::read(path)?))
}

fn warned(path: &Path, given: Given) -> Given {
    let name = input::name_of(path);
    for told in &given.told {
        // The answer does not depend on whether anybody can be told.
        let _ = writeln!(io::stderr(), "homing: {}: {}", printable(&name), printable(told));
    }
    given
}

/// Replicas as flags.
#[derive(Args, Clone, Debug, Default)]
pub struct ReplicasArgs {
    /// R nodes for each key, the owner first; fewer where there are fewer nodes
    #[arg(long, value_name = "R", value_parser = whole::<usize>(1..=MOST_REPLICAS as u64))]
    replicas: Option<usize>,

    /// Whether replicas are on distinct nodes, or on distinct zones first
    /// [default: nodes]
    #[arg(long, value_enum, value_name = "WHAT")]
    spread: Option<Apart>,
}

impl ReplicasArgs {
    /// How many replicas, if any are asked for.
    ///
    /// # Errors
    ///
    /// Fails if it is none or more than 1024, or how they are kept apart is said
    /// but not how many they are.
    pub fn read(&self) -> Result<Option<usize>> {
        self.over(None)
    }

    /// Puts what the command line says over what the scenario does.
    ///
    /// # Errors
    ///
    /// As [`read`](Self::read).
    pub fn put_over(&self, scenario: &mut Scenario) -> Result<()> {
        scenario.replicas = self.over(scenario.replicas)?;
        if let Some(spread) = self.spread {
            scenario.spread = spread.into();
        }
        Ok(())
    }

    fn over(&self, others: Option<usize>) -> Result<Option<usize>> {
        self.replicas.map_or(Ok(()), check_replicas)?;
        let replicas = self.replicas.or(others);
        if replicas.is_none() && self.spread.is_some() {
            return Err(Error::Usage(
                "spread is for replicas, but nothing says how many there are: --replicas R".into(),
            ));
        }
        Ok(replicas)
    }

    /// How they are kept apart.
    #[must_use]
    pub fn spread(&self) -> Spread {
        self.spread.unwrap_or_default().into()
    }
}

/// Changes as flags; made as one step: removals, then weights, then additions.
#[derive(Args, Clone, Debug, Default)]
pub struct ChangeArgs {
    /// Add N equal nodes, named on from the number of members
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=MOST_NAMED as u64))]
    pub grow: Option<usize>,

    /// Add a node (repeatable); its weight is 1 unless given
    #[arg(long, value_name = "ID[=WEIGHT]")]
    pub add: Vec<String>,

    /// Remove a node (repeatable)
    #[arg(long, value_name = "ID")]
    pub remove: Vec<String>,

    /// Give a node another weight (repeatable); 0 drains it
    #[arg(long, value_name = "ID=WEIGHT")]
    pub reweight: Vec<String>,
}

impl ChangeArgs {
    /// Whether the command line says anything of changes.
    #[must_use]
    pub fn given(&self) -> bool {
        self.grow.is_some()
            || !(self.add.is_empty() && self.remove.is_empty() && self.reweight.is_empty())
    }

    /// The changes to `given`, removals first, then weights, then additions.
    ///
    /// # Errors
    ///
    /// Fails if a weight is none.
    pub fn read(&self, given: &Given) -> Result<Vec<Change>> {
        let mut changes = Vec::new();
        changes.extend(self.remove.iter().map(|id| Change::Remove(NodeId::from(id.as_str()))));
        for text in &self.reweight {
            let Some((id, weight)) = text.rsplit_once('=') else {
                return Err(Error::Parameter {
                    name: "reweight".into(),
                    value: format!("{text:?}"),
                    rule: "ID=WEIGHT".into(),
                });
            };
            changes.push(Change::Reweight(NodeId::from(id), weight_of(id, weight)?));
        }
        for text in &self.add {
            let node = match text.rsplit_once('=') {
                Some((id, weight)) => Node::new(id).weighing(weight_of(id, weight)?),
                None => Node::new(text.as_str()),
            };
            changes.push(Change::Add(node));
        }
        let mut members = given.members.clone();
        if let Some(count) = self.grow {
            if !(1..=MOST_NAMED).contains(&count) {
                return Err(Error::Parameter {
                    name: "grow".into(),
                    value: count.to_string(),
                    rule: format!("from 1 to {MOST_NAMED}"),
                });
            }
            // Names that the other flags add are taken too, and who leaves does
            // not come back.
            members.apply(&changes)?;
            changes.extend(grown(&members, &given.members, count));
        }
        Ok(changes)
    }
}

/// Families as flags.
#[derive(Args, Clone, Debug, Default)]
pub struct FamilyArgs {
    /// A family, with parameters where they differ from the defaults:
    /// ring:points=500,hash=sha256 (repeatable) [default: every family]
    #[arg(long = "family", value_name = "NAME[:PARAMETER=VALUE,...]")]
    pub families: Vec<String>,
}

impl FamilyArgs {
    /// The families named, none if there are no flags.
    ///
    /// # Errors
    ///
    /// As [`Choice::parse`].
    pub fn read(&self) -> Result<Vec<Choice>> {
        self.families.iter().map(|text| Choice::parse(text)).collect()
    }
}

/// Says on standard error which rows of a file were passed over, if any.
pub fn tell(reading: &Reading) {
    if reading.unreadable == 0 {
        return;
    }
    let name = printable(&reading.name);
    // The answer does not depend on whether anybody can be told.
    let mut to = io::stderr().lock();
    for row in &reading.first_unreadable {
        let _ = writeln!(to, "homing: {name}:{}: {}", row.line, printable(&row.reason));
    }
    let _ = writeln!(
        to,
        "homing: {name}: {} rows could not be read and were passed over; {} were used",
        reading.unreadable, reading.rows
    );
}

/// Says on standard error what an answer in this form has no place for.
pub fn tell_beside(format: Format, notes: &[String]) {
    if format == Format::Csv {
        let mut to = io::stderr().lock();
        for note in notes {
            let _ = writeln!(to, "homing: {}", printable(note));
        }
    }
}

/// Writes the whole or the last of an answer; a reader that has gone away is no
/// failure.
///
/// # Errors
///
/// Fails if it cannot be written, with the system's reason.
pub fn print(out: &mut dyn Write, bytes: &[u8]) -> Result<()> {
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) => match Error::from_output(&error) {
            Error::Closed => Ok(()),
            other => Err(other),
        },
    }
}

fn weight_of(id: &str, text: &str) -> Result<u32> {
    // `u32::from_str` takes a leading plus.
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| digits).ok_or_else(|| Error::Parameter {
        name: format!("weight of {id:?}"),
        value: format!("{text:?}"),
        rule: format!("a whole number from 0 to {}", u32::MAX),
    })
}
