//! `homing locate`: the owner of each key.

use std::io::Write;

use clap::builder::ValueHint;
use clap::{Args, ValueEnum};
use homing_compat::Apart;
use homing_core::{Error as CoreError, NodeIndex, Placement, Spread};
use serde::Serialize;

use super::{FileArgs, LayoutArgs, ReplicasArgs, Status, print, tell};
use crate::error::quoted;
use crate::registry::apart;
use crate::report::{Format, Table};
use crate::workload::Rows;
use crate::{Error, Result};

/// Print position and owner of each key
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct Locate {
    #[command(flatten)]
    layout: LayoutArgs,

    #[command(flatten)]
    replicas: ReplicasArgs,

    /// Keys, in this order; a lone - is standard input
    #[arg(value_name = "KEY", required_unless_present = "keys", conflicts_with = "keys",
        value_hint = ValueHint::FilePath)]
    listed: Vec<std::ffi::OsString>,

    #[command(flatten)]
    file: FileArgs,

    /// What a key is given as
    #[arg(long, value_enum, default_value_t, value_name = "INPUT")]
    input: Input,

    /// How to print
    #[arg(long, value_enum, default_value = "csv", value_name = "FORMAT")]
    format: Format,
}

const EXAMPLES: &str = "\
Of N nodes the ids are node-0 to node-(N-1), in that order: jump's bucket b is
node-b. For slots the position is the slot. The owner of an uncovered slot is
null in JSON and empty elsewhere, and so is the position under a preset that no
family is.

Examples:
  homing locate --family ring --nodes 8 user:1 user:2
  homing locate --family slots --nodes 3 '{user1000}.following'
  homing locate --family rendezvous:hash=xxh3:42 --members nodes.toml --keys keys.csv.gz
  homing locate --family jump --nodes 1024 --input positions 256
  homing locate --preset libketama --members servers.toml user:1
  homing locate --cluster nodes.conf user:1
  redis-cli cluster slots | homing locate --cluster - user:1
  printf 'a\\nb\\n' | homing locate --family ring --replicas 3 --format json -";

/// What a key is given as.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, ValueEnum)]
enum Input {
    /// The bytes of the key, as they are.
    #[default]
    Text,
    /// The bytes of the key in hexadecimal digits.
    Hex,
    /// A position, from 0: hashing is skipped.
    Positions,
}

/// The answer for one key.
#[derive(Debug)]
struct Located<'a> {
    key: &'a [u8],         // as it was given
    position: Option<u64>, // none where there is no layout
    owner: Option<&'a str>,
    replicas: Vec<&'a str>,
}

/// An answer as one line of JSON.
#[derive(Serialize)]
struct Line<'a> {
    key: &'a str,
    /// Where the key is not UTF-8, and `key` is not all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_hex: Option<String>,
    position: Option<u64>,
    owner: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    replicas: Option<&'a [&'a str]>,
}

impl Locate {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Status> {
        let replicas = self.replicas.read()?;
        let spread = self.replicas.spread();
        let source = self.source()?;
        if let Source::Layout(placement) = &source {
            let family = placement.family();
            if replicas.is_some() && !family.capabilities.replicas {
                let rule = crate::measure::NO_REPLICAS;
                return Err(CoreError::Unsupported { family: family.name, rule }.into());
            }
        }
        if let Source::Apart(family, Apart::Joined(_) | Apart::Bounded(_)) = &source
            && replicas.is_some()
            && spread == Spread::Zones
        {
            let rule = "does not spread replicas over zones";
            return Err(CoreError::Unsupported { family, rule }.into());
        }
        let mut answers = Answers::new(self.format, replicas, out);
        let mut asked =
            Asked { source: &source, input: self.input, replicas, spread, buffer: Vec::new() };
        let lone = self.listed.len() == 1 && self.listed[0] == "-";
        let FileArgs { keys, strict, .. } = &self.file;
        let rows = match keys {
            Some(path) if path.as_os_str() != "-" => {
                Some(Rows::open_as(path, self.file.form(), *strict)?)
            }
            None if !lone => None,
            _ => Some(Rows::stdin_as(self.file.form(), *strict)?),
        };
        if let Some(mut rows) = rows {
            let name = rows.reading().name.clone();
            while let Some(row) = rows.next_row()? {
                let line = row.line;
                let located =
                    asked.locate(row.key).map_err(|reason| Error::in_line(&name, line, reason))?;
                answers.push(&located)?;
            }
            rows.reading().check()?;
            tell(rows.reading());
        } else {
            self.file.check_unused()?;
            for key in &self.listed {
                let located = asked.locate(key.as_encoded_bytes()).map_err(Error::Usage)?;
                answers.push(&located)?;
            }
        }
        answers.finish()?;
        Ok(Status::Passed)
    }
}

/// What says where a key belongs.
enum Source {
    Layout(Box<dyn Placement>),
    Apart(&'static str, Apart),
}

impl Locate {
    fn source(&self) -> Result<Source> {
        let Some(preset) = self.layout.apart()? else {
            return Ok(Source::Layout(self.layout.build()?));
        };
        let apart = apart(&preset, &self.layout.members()?.members)?;
        let apart = apart.expect("a preset that no family is has it");
        Ok(Source::Apart(preset.entry().name, apart))
    }
}

struct Asked<'a> {
    source: &'a Source,
    input: Input,
    replicas: Option<usize>,
    spread: Spread,
    buffer: Vec<NodeIndex>,
}

impl<'a> Asked<'a> {
    fn locate<'k>(&mut self, key: &'k [u8]) -> Result<Located<'k>, String>
    where
        'a: 'k,
    {
        match self.source {
            Source::Layout(placement) => self.placed(&**placement, key),
            Source::Apart(name, apart) => self.apart(name, apart, key),
        }
    }

    fn placed<'k>(
        &mut self,
        placement: &'a dyn Placement,
        key: &'k [u8],
    ) -> Result<Located<'k>, String>
    where
        'a: 'k,
    {
        let position = self.position(placement, key)?;
        let id = |index| placement.node(index).id.as_str();
        let owner = placement.owner_at(position).map(id);
        let mut replicas = Vec::new();
        if let Some(count) = self.replicas {
            placement.replicas_at(position, count, self.spread, &mut self.buffer);
            replicas.extend(self.buffer.iter().map(|&index| id(index)));
        }
        Ok(Located { key, position: Some(position), owner, replicas })
    }

    /// Where a key is that has no position.
    fn apart<'k>(&self, name: &str, apart: &'a Apart, key: &'k [u8]) -> Result<Located<'k>, String>
    where
        'a: 'k,
    {
        let bytes = match self.input {
            Input::Text => key.to_vec(),
            Input::Hex => decoded(key)?,
            Input::Positions => return Err(format!("{name}: a key has no position")),
        };
        let count = self.replicas.unwrap_or(1);
        let order = apart.order(&bytes, count).map_err(|error| error.to_string())?;
        let ids: Vec<&str> =
            order.iter().map(|&index| apart.members()[index].id.as_str()).collect();
        let owner = ids.first().copied();
        let replicas = if self.replicas.is_some() { ids } else { Vec::new() };
        Ok(Located { key, position: None, owner, replicas })
    }

    fn position(&self, placement: &dyn Placement, key: &[u8]) -> Result<u64, String> {
        match self.input {
            Input::Text => Ok(placement.position(key)),
            Input::Hex => Ok(placement.position(&decoded(key)?)),
            Input::Positions => {
                let max = placement.max_position();
                let digits = !key.is_empty() && key.iter().all(u8::is_ascii_digit);
                let position = str::from_utf8(key).ok().filter(|_| digits);
                let position = position.and_then(|text| text.parse().ok());
                position.filter(|&position: &u64| position <= max).ok_or_else(|| {
                    let given = quoted(key);
                    format!("position is {given}, but must be a whole number from 0 to {max}")
                })
            }
        }
    }
}

fn decoded(key: &[u8]) -> Result<Vec<u8>, String> {
    hex::decode(key).map_err(|_| {
        let given = quoted(key);
        format!("key is {given}, but must be hexadecimal digits, two a byte")
    })
}

/// The answers in their form; only a table is held until the last.
enum Answers<'a> {
    Csv(Box<csv::Writer<&'a mut dyn Write>>, Vec<String>, usize), // the header until it is written
    Json(&'a mut dyn Write, bool),
    Table(&'a mut dyn Write, Table, usize, Format),
}

impl<'a> Answers<'a> {
    fn new(format: Format, replicas: Option<usize>, out: &'a mut dyn Write) -> Self {
        let count = replicas.unwrap_or(0);
        let mut header = vec!["key".to_owned(), "position".into(), "owner".into()];
        header.extend((1..=count).map(|i| format!("replica{i}")));
        match format {
            Format::Csv => Self::Csv(Box::new(csv::Writer::from_writer(out)), header, count),
            Format::Json => Self::Json(out, replicas.is_some()),
            Format::Table | Format::Markdown => {
                Self::Table(out, Table::new(header, 1), count, format)
            }
        }
    }

    /// Takes one more answer.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written; with [`Error::Closed`] if nobody reads on.
    fn push(&mut self, located: &Located<'_>) -> Result<()> {
        let position = located.position.map_or_else(String::new, |it| it.to_string());
        let owner = located.owner.unwrap_or_default();
        match self {
            Self::Csv(writer, header, count) => {
                let mut write = || {
                    // Not before there is an answer, so that an error stands alone.
                    if !header.is_empty() {
                        writer.write_record(header.drain(..))?;
                    }
                    writer.write_field(located.key)?;
                    writer.write_field(&position)?;
                    writer.write_field(owner)?;
                    for i in 0..*count {
                        writer.write_field(located.replicas.get(i).copied().unwrap_or_default())?;
                    }
                    writer.write_record(None::<&[u8]>)
                };
                write().map_err(unwritten)
            }
            Self::Json(out, replicas) => {
                let text = String::from_utf8_lossy(located.key);
                let lossy = matches!(text, std::borrow::Cow::Owned(_));
                let line = Line {
                    key: &text,
                    key_hex: lossy.then(|| hex::encode(located.key)),
                    position: located.position,
                    owner: located.owner,
                    replicas: replicas.then_some(&located.replicas),
                };
                let line = serde_json::to_string(&line).expect("an answer is plain data") + "\n";
                let written = out.write_all(line.as_bytes()).and_then(|()| out.flush());
                written.map_err(|error| Error::from_output(&error))
            }
            Self::Table(_, table, count, _) => {
                let key = String::from_utf8(located.key.to_vec());
                let key = key.unwrap_or_else(|_| quoted(located.key));
                let mut row = vec![key, position, owner.to_owned()];
                row.extend(
                    (0..*count)
                        .map(|i| located.replicas.get(i).copied().unwrap_or_default().to_owned()),
                );
                table.push(row);
                Ok(())
            }
        }
    }

    fn finish(self) -> Result<()> {
        match self {
            Self::Csv(mut writer, ..) => writer.flush().map_err(|error| Error::from_output(&error)),
            Self::Json(..) => Ok(()),
            Self::Table(out, table, _, Format::Markdown) => print(out, table.markdown().as_bytes()),
            Self::Table(out, table, ..) => print(out, table.text().as_bytes()),
        }
    }
}

fn unwritten(error: csv::Error) -> Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => Error::from_output(&error),
        other => unreachable!("every record has the fields of the header: {other:?}"),
    }
}
