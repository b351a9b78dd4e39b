//! `homing diff`: does anything move between two layouts?

use std::io::Write;
use std::path::PathBuf;

use clap::Args;

use super::{KeysArgs, Status, print, tell, tell_beside};
use crate::ends::End;
use crate::measure::diff::{Side, diff};
use crate::quantity::whole;
use crate::registry::Choice;
use crate::report::Format;
use crate::workload::{Generated, Workload};
use crate::{Error, Result, input, members, report};

/// Say what moves between two layouts, of any two families, hashes or
/// parameters; a check before a release
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Diff {
    /// The manifest before; or members, with --family; - is standard input
    #[arg(value_name = "A")]
    before: PathBuf,

    /// The manifest after; or members, with --family; - is standard input
    #[arg(value_name = "B")]
    after: PathBuf,

    /// The family of whichever is no manifest
    #[arg(long, value_name = "NAME[:PARAMETER=VALUE,...]")]
    family: Option<String>,

    #[command(flatten)]
    keys: KeysArgs,

    /// Show the first N rows of each table, and of JSON and CSV, which else have
    /// all moves [default: 20]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(0..=u64::MAX))]
    limit: Option<usize>,

    /// How to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

const EXAMPLES: &str = "\
Nodes are the same if their ids are. Where both layouts are runs of positions and
give every key the same one, the answer is exact, for all keys there could be;
else it is counted over the keys given, and these are listed; or over generated
ones, which stand for all there could be and are not listed.

Exit status: 0 if nothing is known to move, 1 if anything does, of the keys given
or of all positions.

Examples:
  homing layout --family ring --members nodes.toml > new.json
  homing diff deployed.json new.json
  homing diff deployed.json new.json --keys keys.csv.gz --format csv
  homing diff ring.json maglev.json --sample 10000000";

impl Diff {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Status> {
        let (before, after) = (self.end(&self.before)?, self.end(&self.after)?);
        let source = self.keys.read(Generated::default().keys)?;
        let exact = !self.keys.given()
            && (before.1.layout.fingerprint() == after.1.layout.fingerprint()
                || homing_core::Plan::between(&*before.1.layout, &*after.1.layout).is_some());
        let workload = if exact { None } else { Some(Workload::load(&source)?) };
        if let Some(reading) = workload.as_ref().and_then(Workload::reading) {
            tell(reading);
        }
        let sides = ((before.0, &before.1), (after.0, &after.1));
        let mut diff = diff(sides.0, sides.1, workload.as_ref());
        if let Some(limit) = self.limit
            && matches!(self.format, Format::Json | Format::Csv)
        {
            diff.difference.moves.truncate(limit);
        }
        tell_beside(self.format, &diff.notes);
        let limit = self.limit.unwrap_or(super::plan::SHOWN);
        print(out, &report::diff::write(&diff, self.format, limit))?;
        Ok(if diff.moves_anything { Status::Failed } else { Status::Passed })
    }

    fn end(&self, path: &std::path::Path) -> Result<(Side, End)> {
        let name = input::name_of(path);
        let given = members::read(path)?;
        let family = match (&self.family, &given.manifest) {
            (Some(family), None) => Some(Choice::parse(family)?),
            (None, None) => {
                let reason = "is no manifest, and members alone are no layout: --family says of \
                              which family it is";
                return Err(Error::in_file(&name, reason));
            }
            _ => None,
        };
        let end = End::read(family, given).map_err(|error| error.within(&name))?;
        Ok((Side::of(name, &end), end))
    }
}
