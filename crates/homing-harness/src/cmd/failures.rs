//! `homing failures`: each node, each zone and each pair of nodes fails in turn.

use std::io::Write;

use clap::Args;

use super::{FamilyArgs, KeysArgs, MembersArgs, ReplicasArgs, Status, print, tell};
use crate::Result;
use crate::measure::{self, FailuresAsked};
use crate::quantity::whole;
use crate::report::{Format, failures};
use crate::scenario::Scenario;
use crate::workload::Workload;

/// The keys of families without segments, where nothing is said: each failure goes
/// over all of them.
const KEYS: u64 = 100_000;

const SAMPLE: &str = "Generate N keys, for families whose shares are not exact [default: 100000]";

const SEED: &str = "The seed of the generated keys and of the sample of pairs [default: 0]";

/// The pairs of nodes that fail where nothing is said: all of 32 nodes.
const PAIRS: usize = 500;

/// More pairs than this are a mistake: each is a layout built.
const MOST_PAIRS: u64 = 1_000_000;

/// Let each node, each zone and each pair of nodes fail in turn: who takes over
/// their load, and which keys lose their replicas
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES, mut_arg("sample", |arg| arg.help(SAMPLE)))]
#[command(mut_arg("seed", |arg| arg.help(SEED).long_help(SEED)))]
pub struct FailuresCommand {
    #[command(flatten)]
    members: MembersArgs,

    #[command(flatten)]
    families: FamilyArgs,

    #[command(flatten)]
    keys: KeysArgs,

    #[command(flatten)]
    replicas: ReplicasArgs,

    /// All pairs of nodes if there are at most N, else N of them, drawn with the
    /// seed; 0 for none
    #[arg(long, value_name = "N", default_value_t = PAIRS,
        value_parser = whole::<usize>(0..=MOST_PAIRS))]
    pairs: usize,

    /// How to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

const EXAMPLES: &str = "\
The table has the worst and the mean of each kind of failure; JSON and CSV have
every failure by name. Where keys have bytes or requests, each figure is told by
these too.

Examples:
  homing failures
  homing failures --members nodes.toml --replicas 3 --spread zones
  homing failures --family ring:points=1 --family ring --nodes 12 --pairs 0
  homing failures --family rendezvous --keys keys.csv.gz --format csv
  homing failures --keys trace.csv --requests-column hits --replicas 2
  homing failures --requests zipf:exponent=1.1 --sizes lognormal:median=1000,sigma=1.5";

impl FailuresCommand {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Status> {
        let replicas = self.replicas.read()?.map(|count| (count, self.replicas.spread()));
        let mut scenario = Scenario::of(self.members.read()?)?;
        let families = self.families.read()?;
        if !families.is_empty() {
            scenario.choose(families);
        }
        let mut keys = self.keys;
        let seed = keys.seed.unwrap_or(0);
        if keys.file.keys.is_some() {
            // Beside a file it is the seed of the pairs alone.
            keys.seed = None;
        }
        let workload = Workload::load(&keys.read(KEYS)?)?;
        if let Some(reading) = workload.reading() {
            tell(reading);
        }
        let asked = FailuresAsked {
            members: scenario.members,
            families: scenario.families,
            replicas,
            pairs: self.pairs,
            seed,
        };
        let found = measure::failures(&asked, &workload)?;
        let answer = match self.format {
            Format::Table => failures::text(&found).into_bytes(),
            Format::Json => failures::json(&found).into_bytes(),
            Format::Csv => failures::csv(&found),
            Format::Markdown => failures::markdown(&found).into_bytes(),
        };
        print(out, &answer)?;
        Ok(Status::Passed)
    }
}
