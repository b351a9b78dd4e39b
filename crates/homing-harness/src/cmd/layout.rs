//! `homing layout`: the manifest of a layout.

use std::io::Write;

use clap::Args;

use super::{LayoutArgs, Status, print};
use crate::Result;
use crate::quantity::whole;

/// Print the manifest of a layout: deployment configuration that builds this
/// layout, or nothing
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Layout {
    #[command(flatten)]
    layout: LayoutArgs,

    /// How many layouts came before [default: the manifest's that gave the members, else 0]
    #[arg(long, value_name = "EPOCH", value_parser = whole::<u64>(0..=u64::MAX))]
    epoch: Option<u64>,
}

const EXAMPLES: &str = "\
Wherever members are read a manifest may stand; its configuration is then that of
its family, and its fingerprint is checked.

Examples:
  homing layout --family maglev --members nodes.toml > layout.json
  homing locate --members layout.json user:1";

impl Layout {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Status> {
        let (choice, given) = self.layout.read()?;
        let stated = given.manifest.as_ref().map(|stated| stated.epoch);
        let epoch = self.epoch.or(stated).unwrap_or(0);
        let manifest = choice.describe(given.members, epoch)?;
        print(out, (manifest + "\n").as_bytes())?;
        Ok(Status::Passed)
    }
}
