//! The rows of a key file, one by one: CSV, TSV, JSON lines or a key a line,
//! plain, gzip or zstd.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, quoted};
use crate::workload::form::{Form, KeysFormat};
use crate::workload::objects::Object;
use crate::workload::records::{Records, without_mark};
use crate::workload::source::NO_FILE;
use crate::workload::split::Splitter;

/// The name that errors give to standard input.
pub const STDIN: &str = "standard input";

/// The number of unreadable rows that are told one by one.
const TOLD: usize = 5;

/// One row of a key file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Row<'a> {
    /// The line that the row starts on, from 1.
    pub line: u64,
    /// The key, as it stands there.
    pub key: &'a [u8],
    /// The size of the object behind the key, where the file has a column `bytes`.
    pub bytes: Option<u64>,
    /// The requests for the key, where the file has a column `requests`.
    pub requests: Option<u64>,
}

/// How the reading of a file went.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Reading {
    /// The file as it was given, or `standard input`.
    pub name: String,
    /// The rows that were used.
    pub rows: u64,
    /// The rows that could not be read and were passed over.
    pub unreadable: u64,
    /// The first few of them.
    pub first_unreadable: Vec<Unreadable>,
}

/// A row that could not be read.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Unreadable {
    /// The line it starts on, from 1.
    pub line: u64,
    /// Why it could not be read.
    pub reason: String,
}

/// The rows of a key file.
///
/// The name of a file tells what it is, `.csv`, `.tsv`, `.jsonl` or `.ndjson`, with
/// `.gz` or `.zst` after it or not. Any other file, and standard input, is one key
/// a line, unless its first line has a field `key`: then it is what that line is.
/// CSV and TSV have a header with a column `key` and may have `bytes` and
/// `requests`; the objects of JSON lines have fields of these names. Blank lines
/// of these are no rows; an empty line of another file is the empty key. Gzip and
/// zstd are known by their first bytes.
pub struct Rows {
    records: Records,
    kind: Kind,
    form: Form,
    strict: bool,
    reading: Reading,
}

enum Kind {
    Lines,
    Table(Option<Columns>), // none: there was no header
    Objects { object: Box<Object>, requests: bool }, // whether any had requests
}

#[derive(Clone, Copy, Debug)]
struct Columns {
    count: usize,
    key: usize,
    bytes: Option<usize>,
    requests: Option<usize>,
}

impl Reading {
    /// Checks that there was a row to use.
    ///
    /// # Errors
    ///
    /// Fails if there was none, with the first that could not be read.
    pub fn check(&self) -> Result<()> {
        let reason = match self.first_unreadable.first() {
            _ if self.rows > 0 => return Ok(()),
            None => "no keys, the file has no rows".to_owned(),
            Some(first) => format!(
                "no keys, none of {} rows can be read, the first at line {}: {}",
                self.unreadable, first.line, first.reason
            ),
        };
        Err(Error::in_file(&self.name, reason))
    }
}

impl Rows {
    /// Opens a file. With `strict` the first unreadable row is an error.
    ///
    /// # Errors
    ///
    /// Fails if the file has no name, cannot be opened or read, or has a header
    /// without a column `key`.
    pub fn open(path: &Path, strict: bool) -> Result<Self> {
        Self::open_as(path, Form::default(), strict)
    }

    /// Opens a file that is to be read as `form` says.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open), and if a column of the form is not there.
    pub fn open_as(path: &Path, mut form: Form, strict: bool) -> Result<Self> {
        if path.as_os_str().is_empty() {
            let (name, value, rule) = ("keys".into(), "\"\"".into(), NO_FILE.into());
            return Err(Error::Parameter { name, value, rule });
        }
        let name = path.to_string_lossy().into_owned();
        let file = File::open(path).map_err(|error| Error::from_io(&name, &error))?;
        form.format = form.format.or_else(|| KeysFormat::named(&name));
        Self::new_as(name, form, file, strict)
    }

    /// Takes standard input. With `strict` the first unreadable row is an error.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read.
    pub fn stdin(strict: bool) -> Result<Self> {
        Self::stdin_as(Form::default(), strict)
    }

    /// Takes standard input, to be read as `form` says.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read, or a column of the form is not there.
    pub fn stdin_as(form: Form, strict: bool) -> Result<Self> {
        Self::new_as(STDIN.to_owned(), form, io::stdin(), strict)
    }

    /// Takes any input, under a name for errors; `csv` tells that it is CSV.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open).
    pub fn new(
        name: String,
        csv: bool,
        input: impl Read + Send + 'static,
        strict: bool,
    ) -> Result<Self> {
        let format = csv.then_some(KeysFormat::Csv);
        Self::new_as(name, Form { format, ..Form::default() }, input, strict)
    }

    /// Takes any input, under a name for errors, to be read as `form` says.
    ///
    /// # Errors
    ///
    /// As [`open_as`](Self::open_as).
    pub fn new_as(
        name: String,
        form: Form,
        input: impl Read + Send + 'static,
        strict: bool,
    ) -> Result<Self> {
        form.check()?;
        let mut records = Records::new(&name, input)?;
        let format = match form.format {
            Some(format) => format,
            None => format_of(&mut records, &form)?,
        };
        records.take_tabs(format == KeysFormat::Tsv);
        let kind = match format {
            KeysFormat::Lines => Kind::Lines,
            KeysFormat::Csv | KeysFormat::Tsv => Kind::Table(None),
            KeysFormat::Jsonl => {
                Kind::Objects { object: Box::new(Object::new(&form)), requests: false }
            }
        };
        let reading = Reading { name, ..Reading::default() };
        let mut rows = Self { records, kind, form, strict, reading };
        if matches!(rows.kind, Kind::Table(_))
            && let Some((line, record)) = rows.records.next_record()?
        {
            let columns = record.and_then(|()| Columns::of(rows.records.record(), &rows.form));
            let located = |reason| Error::in_line(&rows.reading.name, line, reason);
            rows.kind = Kind::Table(Some(columns.map_err(located)?));
        }
        Ok(rows)
    }

    /// Whether the rows have requests; of JSON lines, those read so far.
    #[must_use]
    pub fn has_requests(&self) -> bool {
        match &self.kind {
            Kind::Lines => false,
            Kind::Table(columns) => columns.is_some_and(|columns| columns.requests.is_some()),
            Kind::Objects { requests, .. } => *requests,
        }
    }

    /// How the file is to be read.
    pub(crate) fn form(&self) -> &Form {
        &self.form
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
    /// Fails if the file cannot be read on, a gzip or zstd stream is cut off or
    /// damaged, a line is too long, or, with `strict`, a row is unreadable.
    pub fn next_row(&mut self) -> Result<Option<Row<'_>>> {
        match self.kind {
            Kind::Lines => {
                let Some((line, key)) = self.records.next_line()? else { return Ok(None) };
                self.reading.rows += 1;
                Ok(Some(Row { line, key, bytes: None, requests: None }))
            }
            Kind::Table(None) => Ok(None),
            Kind::Table(Some(columns)) => self.next_record(columns),
            Kind::Objects { .. } => self.next_object(),
        }
    }

    fn next_record(&mut self, columns: Columns) -> Result<Option<Row<'_>>> {
        loop {
            let Some((line, record)) = self.records.next_record()? else {
                return Ok(None);
            };
            match record.and_then(|()| columns.numbers(self.records.record(), &self.form)) {
                Ok((bytes, requests)) => {
                    self.reading.rows += 1;
                    let key = self.records.record().field(columns.key);
                    return Ok(Some(Row { line, key, bytes, requests }));
                }
                Err(reason) => self.pass_over(line, reason)?,
            }
        }
    }

    fn next_object(&mut self) -> Result<Option<Row<'_>>> {
        loop {
            let Kind::Objects { object, requests } = &mut self.kind else { return Ok(None) };
            let Some((line, text)) = self.records.next_line()? else { return Ok(None) };
            let text = if line == 1 { without_mark(text) } else { text };
            if text.trim_ascii().is_empty() {
                continue;
            }
            match object.read(text) {
                Ok(()) => {
                    *requests |= object.requests.is_some();
                    break self.reading.rows += 1;
                }
                Err(reason) => self.pass_over(line, reason)?,
            }
        }
        let line = self.records.lines_taken();
        let Kind::Objects { object, .. } = &self.kind else { return Ok(None) };
        // A row without a size has none: each has one, or 0.
        let bytes = Some(object.bytes.unwrap_or(0));
        Ok(Some(Row { line, key: &object.key, bytes, requests: object.requests }))
    }

    fn pass_over(&mut self, line: u64, reason: String) -> Result<()> {
        if self.strict {
            return Err(Error::in_line(&self.reading.name, line, reason));
        }
        self.reading.unreadable += 1;
        if self.reading.first_unreadable.len() < TOLD {
            self.reading.first_unreadable.push(Unreadable { line, reason });
        }
        Ok(())
    }
}

impl Columns {
    fn of(header: &Splitter, form: &Form) -> Result<Self, String> {
        let place = |name: &str| {
            let mut found =
                (0..header.len()).filter(|&i| header.field(i).trim_ascii() == name.as_bytes());
            match (found.next(), found.next()) {
                (_, Some(_)) => Err(format!("column {name:?} stands twice in the header")),
                (first, None) => Ok(first),
            }
        };
        let needed = |name: &str| {
            place(name)?.ok_or_else(|| {
                let names: Vec<_> = header.fields().take(8).map(quoted).collect();
                let more = if header.len() > 8 { ", ..." } else { "" };
                format!("no column {name:?}, the columns are {}{more}", names.join(", "))
            })
        };
        let optional = |given: &Option<String>, name| match given {
            Some(name) => needed(name).map(Some),
            None => place(name),
        };
        let key = needed(form.key())?;
        let bytes = optional(&form.bytes_column, "bytes")?;
        let requests = optional(&form.requests_column, "requests")?;
        Ok(Self { count: header.len(), key, bytes, requests })
    }

    fn numbers(
        &self,
        record: &Splitter,
        form: &Form,
    ) -> Result<(Option<u64>, Option<u64>), String> {
        if record.len() != self.count {
            return Err(format!(
                "a row of {} fields, but the header has {}",
                record.len(),
                self.count
            ));
        }
        let number = |given: &Option<String>, name: &str, column: Option<usize>| {
            let name = given.as_deref().unwrap_or(name);
            column.map(|i| whole_number(name, record.field(i))).transpose()
        };
        let bytes = number(&form.bytes_column, "bytes", self.bytes)?;
        Ok((bytes, number(&form.requests_column, "requests", self.requests)?))
    }
}

fn whole_number(name: &str, field: &[u8]) -> Result<u64, String> {
    let digits = field.trim_ascii();
    // `parse` would take a plus sign.
    Some(digits)
        .filter(|digits| digits.iter().all(u8::is_ascii_digit))
        .and_then(|digits| str::from_utf8(digits).ok()?.parse().ok())
        .ok_or_else(|| not_whole(name, &quoted(field)))
}

/// That a number is none, or out of its range.
pub(crate) fn not_whole(name: &str, shown: &str) -> String {
    format!("{name} is {shown}, but must be a whole number from 0 to {}", u64::MAX)
}

/// What a text is, by its first line.
fn format_of(records: &mut Records, form: &Form) -> Result<KeysFormat> {
    let key = form.key().as_bytes();
    let Some(first) = records.peek()? else { return Ok(KeysFormat::Lines) };
    let (object, tab) = (first.starts_with(b"{"), first.contains(&b'\t'));
    if Object::new(&Form { key_column: form.key_column.clone(), ..Form::default() }).is_on(first) {
        return Ok(KeysFormat::Jsonl);
    }
    if records.is_header_with(key)? {
        return Ok(KeysFormat::Csv);
    }
    records.take_tabs(true);
    if records.is_header_with(key)? {
        return Ok(KeysFormat::Tsv);
    }
    Ok(match form.names_columns() {
        // Some form with columns, which are not there: the next who reads says so.
        true if object => KeysFormat::Jsonl,
        true if tab => KeysFormat::Tsv,
        true => KeysFormat::Csv,
        false => KeysFormat::Lines,
    })
}
