//! The rows of a key file, one by one: CSV or a key a line, plain or gzip.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, quoted};
use crate::workload::records::Records;
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
/// A file whose name ends in `.csv` or `.csv.gz` is CSV; its header has a column
/// `key` and may have `bytes` and `requests`. Any other file, and standard
/// input, is one key a line, unless its first line has a field `key`: then it
/// is CSV too. Blank lines of a CSV file are no rows; an empty line of another
/// file is the empty key. Gzip is known by its first two bytes.
pub struct Rows {
    records: Records,
    columns: Option<Columns>, // none: a key a line
    strict: bool,
    reading: Reading,
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
    /// Fails if the file has no name, cannot be opened or read, or is CSV without
    /// a column `key`.
    pub fn open(path: &Path, strict: bool) -> Result<Self> {
        if path.as_os_str().is_empty() {
            let (name, value, rule) = ("keys".into(), "\"\"".into(), NO_FILE.into());
            return Err(Error::Parameter { name, value, rule });
        }
        let name = path.to_string_lossy().into_owned();
        let file = File::open(path).map_err(|error| Error::from_io(&name, &error))?;
        let csv = [".csv", ".csv.gz"].iter().any(|end| name.to_ascii_lowercase().ends_with(end));
        Self::new(name, csv, file, strict)
    }

    /// Takes standard input. With `strict` the first unreadable row is an error.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read.
    pub fn stdin(strict: bool) -> Result<Self> {
        Self::new(STDIN.to_owned(), false, io::stdin(), strict)
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
        let records = Records::new(&name, input)?;
        let reading = Reading { name, ..Reading::default() };
        let mut rows = Self { records, columns: None, strict, reading };
        if csv {
            if let Some((line, record)) = rows.records.next_record()? {
                rows.read_header(line, record)?;
            }
        } else if rows.records.take_header_with(b"key")? {
            rows.read_header(1, Ok(()))?;
        }
        Ok(rows)
    }

    /// Whether the rows have `requests`.
    #[must_use]
    pub fn has_requests(&self) -> bool {
        self.columns.is_some_and(|columns| columns.requests.is_some())
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
    /// Fails if the file cannot be read on, a gzip stream is cut off or
    /// damaged, a line is too long, or, with `strict`, a row is unreadable.
    pub fn next_row(&mut self) -> Result<Option<Row<'_>>> {
        let Some(columns) = self.columns else {
            let Some((line, key)) = self.records.next_line()? else { return Ok(None) };
            self.reading.rows += 1;
            return Ok(Some(Row { line, key, bytes: None, requests: None }));
        };
        loop {
            let Some((line, record)) = self.records.next_record()? else {
                return Ok(None);
            };
            match record.and_then(|()| columns.numbers(self.records.record())) {
                Ok((bytes, requests)) => {
                    self.reading.rows += 1;
                    let key = self.records.record().field(columns.key);
                    return Ok(Some(Row { line, key, bytes, requests }));
                }
                Err(reason) => self.pass_over(line, reason)?,
            }
        }
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

    fn read_header(&mut self, line: u64, record: Result<(), String>) -> Result<()> {
        let columns = record.and_then(|()| Columns::of(self.records.record()));
        self.columns =
            Some(columns.map_err(|reason| Error::in_line(&self.reading.name, line, reason))?);
        Ok(())
    }
}

impl Columns {
    fn of(header: &Splitter) -> Result<Self, String> {
        let place = |name: &str| {
            let mut found =
                (0..header.len()).filter(|&i| header.field(i).trim_ascii() == name.as_bytes());
            match (found.next(), found.next()) {
                (_, Some(_)) => Err(format!("column {name:?} stands twice in the header")),
                (first, None) => Ok(first),
            }
        };
        let key = place("key")?.ok_or_else(|| {
            let names: Vec<_> = header.fields().take(8).map(quoted).collect();
            let more = if header.len() > 8 { ", ..." } else { "" };
            format!("no column \"key\", the columns are {}{more}", names.join(", "))
        })?;
        let (bytes, requests) = (place("bytes")?, place("requests")?);
        Ok(Self { count: header.len(), key, bytes, requests })
    }

    fn numbers(&self, record: &Splitter) -> Result<(Option<u64>, Option<u64>), String> {
        if record.len() != self.count {
            return Err(format!(
                "a row of {} fields, but the header has {}",
                record.len(),
                self.count
            ));
        }
        let number = |name: &str, column: Option<usize>| {
            column.map(|i| whole_number(name, record.field(i))).transpose()
        };
        Ok((number("bytes", self.bytes)?, number("requests", self.requests)?))
    }
}

fn whole_number(name: &str, field: &[u8]) -> Result<u64, String> {
    let digits = field.trim_ascii();
    // `parse` would take a plus sign.
    Some(digits)
        .filter(|digits| digits.iter().all(u8::is_ascii_digit))
        .and_then(|digits| str::from_utf8(digits).ok()?.parse().ok())
        .ok_or_else(|| {
            format!(
                "{name} is {}, but must be a whole number from 0 to {}",
                quoted(field),
                u64::MAX
            )
        })
}
