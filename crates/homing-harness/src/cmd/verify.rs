//! `homing verify`: whether another program puts keys on the same nodes.

use std::io::Write;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{LayoutArgs, Status, print, tell};
use crate::measure::Which;
use crate::quantity::whole;
use crate::report::{Format, trials, verify as report};
use crate::verify::pairs::{Columns, Pairs};
use crate::{Result, measure};

/// Check that another program puts keys on the same nodes, and name what it does
/// otherwise if it does not
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Verify {
    #[command(flatten)]
    layout: LayoutArgs,

    /// Keys with the nodes that the program puts them on: CSV or TSV with a header,
    /// or lines of JSON; gzip and zstd are known by their first bytes; - is standard
    /// input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// The column or field of the keys [default: key]
    #[arg(long, value_name = "NAME")]
    key_column: Option<String>,

    /// The column or field of the nodes [default: node, or else owner]
    #[arg(long, value_name = "NAME")]
    node_column: Option<String>,

    /// What a key is given as
    #[arg(long, value_enum, default_value_t, value_name = "INPUT")]
    input: Input,

    /// How many rows that do not agree are listed
    #[arg(long, default_value_t = 10, value_name = "N",
        value_parser = whole::<usize>(0..=u64::MAX))]
    show: usize,

    /// How to print
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    format: Format,
}

const EXAMPLES: &str = "\
A node that is empty, or null, says that the key has no owner. Where rows do not
agree the known causes are tried, one by one and in pairs: another boundary rule,
other bytes of the key, another hash or order of its bytes, another label of points,
another order of the members, another number of points or entries; of slots another
CRC or tag rule.

With --preset any every preset is tried, of the family that is given or of all, and
those are named that agree with every row; where none does, those that come nearest,
and the families that agree but for a known cause.

Examples:
  homing verify --family ring --members nodes.toml placed.csv
  homing verify --family slots --nodes 3 --key-column id --node-column shard rows.tsv
  homing verify --members layout.json --format json placed.jsonl
  homing verify --preset libketama --members servers.toml placed.csv
  homing verify --preset any --members servers.toml placed.csv
  homing locate --family jump --keys keys.txt | homing verify --family jump -

Exit status: 0 if every row agrees (with any: under a preset), 1 if not, 2 on wrong usage or input.";

/// What a key is given as.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
enum Input {
    /// The bytes of the key, as they are.
    #[default]
    Text,
    /// The bytes of the key in hexadecimal digits.
    Hex,
}

impl Verify {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Status> {
        if let Some(which) = self.layout.tried()? {
            return self.trials(&which, out);
        }
        let (choice, given) = self.layout.read()?;
        let placement = choice.build(given.members)?;
        let columns =
            Columns { key: self.key_column, node: self.node_column, hex: self.input == Input::Hex };
        let mut pairs = Pairs::open(&self.file, columns)?;
        let verified = measure::verify(&choice, &*placement, &mut pairs, self.show);
        tell(pairs.reading());
        let verified = verified?;
        let answer = match self.format {
            Format::Table => report::text(&verified).into_bytes(),
            Format::Json => report::json(&verified).into_bytes(),
            Format::Csv => report::csv(&verified),
            Format::Markdown => report::markdown(&verified).into_bytes(),
        };
        print(out, &answer)?;
        Ok(if verified.is_whole() { Status::Passed } else { Status::Failed })
    }

    /// Tries presets.
    fn trials(self, which: &Which, out: &mut dyn Write) -> Result<Status> {
        let given = self.layout.members()?;
        let columns =
            Columns { key: self.key_column, node: self.node_column, hex: self.input == Input::Hex };
        let mut pairs = Pairs::open(&self.file, columns)?;
        let found = measure::trials(&given.members, which, &mut pairs, self.show);
        tell(pairs.reading());
        let found = found?;
        print(out, &trials::written(&found, self.format))?;
        Ok(if found.is_whole() { Status::Passed } else { Status::Failed })
    }
}
