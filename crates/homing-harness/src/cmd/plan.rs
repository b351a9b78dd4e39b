//! `homing plan`: from whom to whom, before anything moves.

mod check;

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use homing_core::{NodeId, Plan as Exact};

use super::{ChangeArgs, KeysArgs, MembersArgs, Status, members_of, print, tell, tell_beside};
use crate::ends::{Ends, Goal};
use crate::measure::plan::{Load, Plan as Planned, Wish, Wishes, plan};
use crate::members::Given;
use crate::quantity::{Portion, Quantity, whole};
use crate::registry::Choice;
use crate::report::Format;
use crate::workload::{Generated, Workload};
use crate::{Error, Result, report};

/// How many rows a table shows.
pub(super) const SHOWN: usize = 20;

/// Plan a change: how much moves, from whom to whom, and every move; nothing is
/// moved
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Plan {
    /// BEFORE and AFTER: files of members or manifests; AFTER alone where --nodes
    /// or --members gives the members before; - is standard input [default: 8 nodes
    /// before]
    #[arg(value_name = "FILE", num_args = 0..=2)]
    files: Vec<PathBuf>,

    /// The family, with parameters where they differ from the defaults
    /// [default: the family of a manifest]
    #[arg(long, value_name = "NAME[:PARAMETER=VALUE,...]")]
    family: Option<String>,

    /// Plan as another system places: libketama, twemproxy:hash=md5; homing presets
    /// lists them
    #[arg(long, value_name = "PRESET[:OPTION=VALUE,...]", conflicts_with = "family")]
    preset: Option<String>,

    #[command(flatten)]
    members: MembersArgs,

    #[command(flatten)]
    changes: ChangeArgs,

    #[command(flatten)]
    keys: KeysArgs,

    /// List the moves to one node alone
    #[arg(long, value_name = "NODE")]
    to: Option<String>,

    /// What an operator's plan keeps smallest (slots), of slot counts or of the load
    /// of --by [default: moves]
    #[arg(long, value_enum, value_name = "WHAT")]
    prefer: Option<Kept>,

    /// Level the load of the keys given instead of the number of slots, to 1 % above
    /// what a node is due; with --prefer ranges as near as one range a node can be
    #[arg(long, value_enum, value_name = "LOAD")]
    by: Option<Load>,

    /// How much moves in a second: a number of keys, or a size as 50MB where the
    /// keys have bytes; of slots where no keys are given
    #[arg(long, value_name = "N")]
    rate: Option<String>,

    /// Cut the plan into steps that move at most this much: a part as 5% or 0.05,
    /// or a number or size as for --rate
    #[arg(long, value_name = "PART")]
    max_step: Option<String>,

    /// Show the first N rows of each table, and of JSON and CSV, which else have
    /// all moves [default: 20]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..=u64::MAX))]
    limit: Option<usize>,

    /// Check that this plan, in JSON, starts from the layout of the members given; - is
    /// standard input
    #[arg(long, value_name = "PLAN", conflicts_with_all = ["to", "prefer", "by", "rate",
        "max_step", "limit", "format", "FileArgs", "bytes_column", "requests_column", "sample",
        "seed", "generate", "requests", "sizes", "ChangeArgs"])]
    check: Option<PathBuf>,

    /// How to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

const EXAMPLES: &str = "\
Rates and steps are counted in bytes where the keys have bytes, else in keys, else
in slots. A step leaves a valid layout, whose manifest JSON has. Where weights
decide they go up and down little by little; elsewhere node after node; slots are
handed over run by run. A step that cannot be made so small is told as such.

Where the layouts do not tell exactly what moves, and no keys are given, generated
ones stand for all there could be; moves are then counted, and not listed.

For slots the moves and the ranges of every way are shown beside each other, and a
note says which are few, but not certainly the fewest: with --prefer ranges of more
than 16 nodes, or by slot counts where slots without an owner lie within.

With --check the exit status is 1 if the plan starts from another layout, and 2 if
its moves, sums or steps are not those of its layouts. Members that are no manifest
are taken with the family and the parameters of the plan.

Examples:
  homing plan --family ring --nodes 8 --add node-8
  homing plan nodes.toml nodes-next.toml --family rendezvous --keys keys.csv.gz
  homing plan --preset twemproxy servers.toml servers-next.toml
  homing plan --cluster nodes.conf --add ID --prefer moves
  homing plan layout.json --add cache-9 --keys keys.csv --to cache-9 --format csv
  homing plan layout.json --remove cache-3 --keys keys.csv --rate 50MB --max-step 5%
  homing plan slots.json --add d --prefer ranges --format json > plan.json
  homing plan slots.json --by requests --keys trace.csv
  homing plan slots.json --by requests --prefer ranges --keys trace.csv
  homing plan --check plan.json --members slots.json
  redis-cli cluster nodes | homing plan --check plan.json --members -";

/// What a plan keeps smallest.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kept {
    /// The slots that move.
    Moves,
    /// The ranges of the map after it.
    Ranges,
    /// Neither: what redis-cli --cluster rebalance does, nodes in order of the list.
    Tool,
}

impl Plan {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Status> {
        let asked = match (&self.preset, &self.family) {
            (Some(preset), _) => Some(Choice::of_preset(preset)?),
            (None, family) => family.as_deref().map(Choice::parse).transpose()?,
        };
        if let Some(path) = &self.check {
            return check::run(path, asked, self.now()?, out);
        }
        let rate = self.rate.as_deref().map(|text| Quantity::parse("rate", text)).transpose()?;
        let max_step =
            self.max_step.as_deref().map(|text| Portion::parse("max-step", text)).transpose()?;
        let (before, goal) = self.ends(asked.as_ref())?;
        let ends = Ends::between(asked, before, goal)?;
        let workload = self.workload(&ends)?;
        if let Some(reading) = workload.as_ref().and_then(Workload::reading) {
            tell(reading);
        }
        let aim = match (self.prefer, self.by) {
            (Some(Kept::Tool), Some(_)) => {
                return Err(Error::Usage(
                    "prefer is tool, which counts slots, but by needs moves or ranges".to_owned(),
                ));
            }
            (Some(Kept::Ranges), Some(load)) => Some(Wish::InRangesBy(load)),
            (Some(Kept::Moves) | None, Some(load)) => Some(Wish::By(load)),
            (Some(Kept::Moves), None) => Some(Wish::Moves),
            (Some(Kept::Ranges), None) => Some(Wish::Ranges),
            (Some(Kept::Tool), None) => Some(Wish::Tool),
            (None, None) => None,
        };
        let wishes = Wishes { aim, rate, max_step, workload: workload.as_ref() };
        let mut planned = plan(&ends, &wishes)?;
        self.narrow(&ends, &mut planned)?;
        tell_beside(self.format, &planned.notes);
        let limit = self.limit.unwrap_or(SHOWN);
        print(out, &report::plan::write(&planned, self.format, limit))?;
        Ok(Status::Passed)
    }

    /// The members before, and what comes after.
    fn ends(&self, asked: Option<&Choice>) -> Result<(Given, Goal)> {
        let (before, after) = match (self.members.given(), &self.files[..]) {
            (_, []) => (self.members.read()?, None),
            (true, [after]) => (self.members.read()?, Some(after)),
            (true, _) => {
                return Err(Error::Usage(
                    "the members before are given twice, as a file and by --nodes or --members"
                        .to_owned(),
                ));
            }
            (false, [before]) => (members_of(before)?, None),
            (false, [before, after, ..]) => (members_of(before)?, Some(after)),
        };
        match after {
            Some(_) if self.changes.given() => Err(Error::Usage(
                "what comes after is given twice, as a file AFTER and by changes".to_owned(),
            )),
            Some(after) => Ok((before, Goal::Given(Box::new(members_of(after)?)))),
            None if self.changes.given() || may_rest(asked, &before) => {
                let changes = self.changes.read(&before)?;
                Ok((before, Goal::Changes(changes)))
            }
            None => Err(Error::Usage(
                "nothing says what comes after: a file AFTER, or one of --add, --remove, \
                 --reweight and --grow"
                    .to_owned(),
            )),
        }
    }

    /// The members that are there now.
    fn now(&self) -> Result<Given> {
        match (self.members.given(), &self.files[..]) {
            (true, []) => self.members.read(),
            (false, [now]) => members_of(now),
            _ => Err(Error::Usage(
                "check takes one membership, what is there now: --members NOW".to_owned(),
            )),
        }
    }

    /// The keys to count: those given, or generated ones where nothing else tells.
    fn workload(&self, ends: &Ends) -> Result<Option<Workload>> {
        let is_exact = match &ends.after {
            None => true,
            Some(after) => {
                let (before, after) = (&*ends.before.layout, &*after.layout);
                before.fingerprint() == after.fingerprint()
                    || Exact::between(before, after).is_some()
            }
        };
        let source = self.keys.read(Generated::default().keys)?;
        if is_exact && !self.keys.given() {
            return Ok(None);
        }
        Workload::load(&source).map(Some)
    }

    /// Leaves out the moves that are not asked for.
    fn narrow(&self, ends: &Ends, planned: &mut Planned) -> Result<()> {
        let moves = &mut planned.difference.moves;
        if let Some(node) = &self.to {
            let id = NodeId::from(node.as_str());
            if ends.members.index_of(&id).is_none() {
                return Err(Error::Usage(format!(
                    "to is {id:?}, but must be a node after the plan"
                )));
            }
            moves.keep_to(&id);
            planned.to = Some(id);
        }
        if let Some(limit) = self.limit
            && matches!(self.format, Format::Json | Format::Csv)
        {
            planned.limit = (moves.len() > limit).then_some(limit);
            moves.truncate(limit);
        }
        Ok(())
    }
}

/// Whether a plan without a change of members has a meaning: an operator may
/// rebalance.
fn may_rest(asked: Option<&Choice>, before: &Given) -> bool {
    let stated = before.manifest.as_ref().map(|manifest| &*manifest.family);
    let name = asked.map(|choice| choice.entry.family.name).or(stated);
    name.and_then(|name| crate::registry::by_name(name).ok())
        .is_some_and(|entry| entry.operator.is_some())
}
