//! `homing recommend`: which families constraints let in, and what was measured.

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::{FamilyArgs, KeysArgs, Status, print, tell};
use crate::recommend::{Asked, recommend};
use crate::registry::Choice;
use crate::report::{Format, recommend as report};
use crate::workload::{Generated, Workload};
use crate::{Result, scenario};

/// Measure every family under constraints: which ones they let in, in which order,
/// by which row, and what would change that
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Recommend {
    /// Constraints from a TOML file, named as the flags; flags go before it; - is
    /// standard input
    #[arg(long, value_name = "FILE")]
    constraints: Option<PathBuf>,

    #[command(flatten)]
    asked: Asked,

    #[command(flatten)]
    families: FamilyArgs,

    #[command(flatten)]
    keys: KeysArgs,

    /// How to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

const EXAMPLES: &str = "\
One node joins, one in the middle leaves, and all join that can: every family goes
through these, and each constraint is judged by the worst of its rows. What moves and
how even it is are taken by the load of --by, which the keys must have. Lookup times are
those of this machine in this run.

Examples:
  homing recommend --nodes 8 --most-nodes 40 --most-peak 1.05
  homing recommend --members nodes.toml --list-only --most-excess 0.5%
  homing recommend --nodes 100 --most-lookup-ns 50 --most-memory 1MiB --rank-by lookup
  homing recommend --nodes 9 --zones 3 --replicas 3
  homing recommend --by requests --keys trace.csv --most-peak 1.3 --most-excess 2%
  homing recommend --by bytes --sizes lognormal:median=1000,sigma=1.5 --most-peak 1.2
  homing recommend --constraints constraints.toml --format json

Exit status: 0 if a family is let in, 1 if none is, 2 on wrong usage or input.";

impl Recommend {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Status> {
        let file = self.constraints.as_deref();
        let base = file.map(Asked::read).transpose()?.unwrap_or_default();
        let constraints = self.asked.over(base).check()?;
        let mut families = self.families.read()?;
        if families.is_empty() {
            families = Choice::all();
        }
        let stated = scenario::stated(&constraints.given)?;
        let families: Vec<Choice> =
            families.into_iter().map(|choice| choice.or(stated.as_ref())).collect();
        for choice in &families {
            choice.builder()?;
        }
        let workload = Workload::load(&self.keys.read(Generated::default().keys)?)?;
        if let Some(reading) = workload.reading() {
            tell(reading);
        }
        let answer = recommend(&constraints, &families, &workload)?;
        let bytes = match self.format {
            Format::Table => report::text(&answer).into_bytes(),
            Format::Json => report::json(&answer).into_bytes(),
            Format::Csv => report::csv(&answer),
            Format::Markdown => report::markdown(&answer).into_bytes(),
        };
        print(out, &bytes)?;
        Ok(if answer.families.iter().any(|it| it.place.is_some()) {
            Status::Passed
        } else {
            Status::Failed
        })
    }
}
