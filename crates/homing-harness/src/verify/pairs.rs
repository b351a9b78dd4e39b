//! Keys with the nodes that another program puts them on, row by row: CSV, TSV or
//! JSON lines, plain, gzip or zstd.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde_json::{Map, Value};

use crate::error::{Error, Result, of_json, quoted};
use crate::workload::records::Records;
use crate::workload::split::{Split, Splitter};
use crate::workload::{KeysFormat, Reading, STDIN, Unreadable};

/// The column of keys where nothing is said.
pub const KEY: &str = "key";

/// The columns of nodes where nothing is said, the first that there is.
pub const NODES: [&str; 2] = ["node", "owner"];

/// How many unreadable rows are told one by one.
const TOLD: usize = 5;

/// Which columns, or fields, are read, and what a key is given as.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    /// The key; `key` if nothing is said.
    pub key: Option<String>,
    /// The node; `node`, or else `owner`, if nothing is said.
    pub node: Option<String>,
    /// Whether keys are hexadecimal digits, two a byte.
    pub hex: bool,
}

/// A row: a key and the node it is on.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Pair {
    /// The line that the row starts on, from 1.
    pub line: u64,
    /// The bytes of the key.
    pub key: Vec<u8>,
    /// The id of the node; none where the key has no owner.
    pub node: Option<Vec<u8>>,
}

/// The rows of a file of keys and nodes.
///
/// A name in `.csv`, `.tsv`, `.jsonl` or `.ndjson` tells the form, with `.gz` or
/// `.zst` after it or not; else the first line does. Blank lines are no rows.
pub struct Pairs {
    records: Records,
    form: Form,
    columns: Columns,
    reading: Reading,
    first: Option<(u64, Vec<u8>)>, // a line that is taken and is a row
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Csv(Places),
    Tsv(Places),
    Lines, // of JSON
}

/// Where in a row the columns are.
#[derive(Clone, Copy, Debug)]
struct Places {
    count: usize,
    key: usize,
    node: usize,
}

impl Pairs {
    /// Opens a file, `-` for standard input.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read, is one key a line, or has not the columns.
    pub fn open(path: &Path, columns: Columns) -> Result<Self> {
        if path == Path::new("-") {
            return Self::new(STDIN.to_owned(), io::stdin(), columns);
        }
        let name = path.to_string_lossy().into_owned();
        let file = File::open(path).map_err(|error| Error::from_io(&name, &error))?;
        Self::new(name, file, columns)
    }

    /// Takes any input, under a name for errors.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn new(name: String, input: impl Read + Send + 'static, columns: Columns) -> Result<Self> {
        let mut records = Records::new(&name, input)?;
        let mut header = None;
        while let Some((line, text)) = records.next_line()? {
            let text = if line == 1 { text.strip_prefix(MARK).unwrap_or(text) } else { text };
            if !text.is_empty() {
                header = Some((line, text.to_vec()));
                break;
            }
        }
        let (form, first) = match header {
            // Without a row nothing tells the form, and nothing has to.
            None => (Form::Lines, None),
            Some((line, text)) => {
                let form = columns
                    .form(&name, &text)
                    .map_err(|reason| Error::in_line(&name, line, reason))?;
                let row = matches!(form, Form::Lines).then_some((line, text));
                (form, row)
            }
        };
        let reading = Reading { name, ..Reading::default() };
        Ok(Self { records, form, columns, reading, first })
    }

    /// How the reading went so far.
    #[must_use]
    pub fn reading(&self) -> &Reading {
        &self.reading
    }

    /// Returns the next row that can be read, `None` at the end.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read on, a gzip stream is cut off or damaged,
    /// or a line is too long.
    pub fn next_pair(&mut self) -> Result<Option<Pair>> {
        loop {
            let Some((line, row)) = self.next_row()? else { return Ok(None) };
            match row.and_then(|(key, node)| Ok((self.columns.bytes(key)?, node))) {
                Ok((key, node)) => {
                    self.reading.rows += 1;
                    return Ok(Some(Pair { line, key, node }));
                }
                Err(reason) => {
                    self.reading.unreadable += 1;
                    if self.reading.first_unreadable.len() < TOLD {
                        self.reading.first_unreadable.push(Unreadable { line, reason });
                    }
                }
            }
        }
    }

    fn next_row(&mut self) -> Result<Option<(u64, Result<Row, String>)>> {
        if let Some((line, text)) = self.first.take() {
            return Ok(Some((line, self.columns.of_json(&text))));
        }
        loop {
            if let Form::Csv(places) = self.form {
                let Some((line, record)) = self.records.next_record()? else { return Ok(None) };
                let row = record.and_then(|()| {
                    let record = self.records.record();
                    places.row(&record.fields().collect::<Vec<_>>())
                });
                return Ok(Some((line, row)));
            }
            let Some((line, text)) = self.records.next_line()? else { return Ok(None) };
            if text.is_empty() {
                continue;
            }
            let row = match self.form {
                Form::Tsv(places) => places.row(&by_tabs(text)),
                _ => self.columns.of_json(text),
            };
            return Ok(Some((line, row)));
        }
    }
}

/// The key as it stands there, and the node.
type Row = (Given, Option<Vec<u8>>);

/// A key in a row.
enum Given {
    AsAsked(Vec<u8>),
    Bytes(Vec<u8>), // whatever is asked
}

const MARK: &[u8] = b"\xef\xbb\xbf";

impl Columns {
    fn key(&self) -> &str {
        self.key.as_deref().unwrap_or(KEY)
    }

    /// The names that the column of nodes may have.
    fn nodes(&self) -> Vec<&str> {
        self.node.as_deref().map_or_else(|| NODES.to_vec(), |node| vec![node])
    }

    /// The form of a file, from its name and its first line.
    fn form(&self, name: &str, first: &[u8]) -> Result<Form, String> {
        let named = KeysFormat::named(name);
        let csv = || self.header(&by_commas(first)).map(Form::Csv);
        let tsv = || self.header(&by_tabs(first)).map(Form::Tsv);
        let key = |fields: &[Cow<'_, [u8]>]| {
            fields.iter().any(|field| field.trim_ascii() == self.key().as_bytes())
        };
        match named {
            Some(KeysFormat::Csv) => csv(),
            Some(KeysFormat::Tsv) => tsv(),
            Some(KeysFormat::Jsonl) => Ok(Form::Lines),
            _ if first.trim_ascii_start().starts_with(b"{") => Ok(Form::Lines),
            _ if key(&by_commas(first)) => csv(),
            _ if key(&by_tabs(first)) => tsv(),
            _ if first.contains(&b'\t') => tsv(),
            _ if first.contains(&b',') => csv(),
            _ => Err(format!(
                "found {}, which has a key or a node but not both; must be CSV or TSV with the \
                 columns {:?} and {:?}, or lines of JSON with these fields",
                quoted(first),
                self.key(),
                self.nodes()[0]
            )),
        }
    }

    fn header(&self, fields: &[Cow<'_, [u8]>]) -> Result<Places, String> {
        let place = |name: &str| {
            let mut found =
                (0..fields.len()).filter(|&i| fields[i].trim_ascii() == name.as_bytes());
            match (found.next(), found.next()) {
                (_, Some(_)) => Err(format!("column {name:?} stands twice in the header")),
                (first, None) => Ok(first),
            }
        };
        let missing = |name: &str| {
            let names: Vec<_> = fields.iter().take(8).map(|field| quoted(field)).collect();
            let more = if fields.len() > 8 { ", ..." } else { "" };
            format!("no column {name:?}, the columns are {}{more}", names.join(", "))
        };
        let key = place(self.key())?.ok_or_else(|| missing(self.key()))?;
        let nodes = self.nodes();
        for name in &nodes {
            if let Some(node) = place(name)? {
                return Ok(Places { count: fields.len(), key, node });
            }
        }
        Err(missing(nodes[0]))
    }

    /// The row in a line of JSON.
    ///
    /// Where a key is not UTF-8, its bytes are in a field of its name and `_hex`.
    fn of_json(&self, line: &[u8]) -> Result<Row, String> {
        let line = str::from_utf8(line).map_err(|_| "a line of JSON must be UTF-8".to_owned())?;
        let fields: Map<String, Value> = serde_json::from_str(line).map_err(|error| {
            let text = error.to_string();
            let end = text.rfind(" at line ").unwrap_or(text.len());
            format!("no object of JSON: {}", of_json(&text[..end]))
        })?;
        let missing = |name: &str| {
            let names: Vec<_> = fields.keys().take(8).map(|name| quoted(name.as_bytes())).collect();
            format!("no field {name:?}, the fields are {}", names.join(", "))
        };
        let digits = fields.get(&format!("{}_hex", self.key())).and_then(Value::as_str);
        let key = if let Some(digits) = digits {
            Given::Bytes(decoded(digits.as_bytes())?)
        } else {
            let key = fields.get(self.key()).ok_or_else(|| missing(self.key()))?;
            let null = || format!("{} is null, but must be a text", self.key());
            Given::AsAsked(text_of(self.key(), key)?.ok_or_else(null)?)
        };
        let nodes = self.nodes();
        let node = nodes.iter().find_map(|&name| Some((name, fields.get(name)?)));
        let (name, node) = node.ok_or_else(|| missing(nodes[0]))?;
        Ok((key, text_of(name, node)?.filter(|node| !node.is_empty())))
    }

    /// The bytes of a key.
    fn bytes(&self, key: Given) -> Result<Vec<u8>, String> {
        match key {
            Given::AsAsked(key) if self.hex => decoded(&key),
            Given::AsAsked(key) | Given::Bytes(key) => Ok(key),
        }
    }
}

impl Places {
    fn row<T: AsRef<[u8]>>(&self, fields: &[T]) -> Result<Row, String> {
        if fields.len() != self.count {
            let (found, count) = (fields.len(), self.count);
            return Err(format!("a row of {found} fields, but the header has {count}"));
        }
        let node = fields[self.node].as_ref();
        let key = Given::AsAsked(fields[self.key].as_ref().to_vec());
        Ok((key, Some(node.to_vec()).filter(|node| !node.is_empty())))
    }
}

/// The text of a field, none for null. A number is the text that it is written as.
fn text_of(name: &str, value: &Value) -> Result<Option<Vec<u8>>, String> {
    match value {
        Value::Null => Ok(None),
        Value::String(text) => Ok(Some(text.clone().into_bytes())),
        Value::Number(number) => Ok(Some(number.to_string().into_bytes())),
        Value::Bool(value) => Err(format!("{name} is {value}, but must be a text")),
        Value::Array(_) => Err(format!("{name} is a list, but must be a text")),
        Value::Object(_) => Err(format!("{name} is a table, but must be a text")),
    }
}

fn decoded(digits: &[u8]) -> Result<Vec<u8>, String> {
    hex::decode(digits).map_err(|_| {
        format!("key is {}, but must be hexadecimal digits, two a byte", quoted(digits))
    })
}

/// The fields of a line of CSV; none of one that leaves a quote open.
fn by_commas(line: &[u8]) -> Vec<Cow<'_, [u8]>> {
    let mut splitter = Splitter::default();
    match splitter.feed(line) {
        Split::Whole => splitter.fields().map(|field| Cow::Owned(field.to_vec())).collect(),
        Split::Open | Split::Broken => Vec::new(),
    }
}

/// The fields of a line of TSV, which has no quotes.
fn by_tabs(line: &[u8]) -> Vec<Cow<'_, [u8]>> {
    line.split(|&byte| byte == b'\t').map(Cow::Borrowed).collect()
}
