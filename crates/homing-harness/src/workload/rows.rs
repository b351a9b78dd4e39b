//! The rows of a key file, one by one: CSV or a key a line, plain or gzip.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

use flate2::bufread::MultiGzDecoder;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Result, quoted};
use crate::workload::split::{Split, Splitter, without_line_end};

/// The name that errors give to standard input.
pub const STDIN: &str = "standard input";

/// The most bytes that one record with open quotes may take.
const LONGEST_RECORD: usize = 1 << 24;

/// The number of unreadable rows that are told one by one.
const TOLD: usize = 5;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

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
    lines: Lines,
    columns: Option<Columns>, // none: a key a line
    strict: bool,
    raw: Vec<u8>, // the lines of the row
    splitter: Splitter,
    reading: Reading,
}

struct Lines {
    input: Box<dyn BufRead + Send>,
    gzip: bool,
    read: u64,       // the lines handed out, those given back not counted
    replay: Vec<u8>, // lines given back
    at: usize,       // replay[at..] is still to be handed out
}

#[derive(Clone, Copy, Debug)]
struct Columns {
    count: usize,
    key: usize,
    bytes: Option<usize>,
    requests: Option<usize>,
}

impl Rows {
    /// Opens a file. With `strict` the first unreadable row is an error.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be opened or read, or is CSV without a column
    /// `key`.
    pub fn open(path: &Path, strict: bool) -> Result<Self> {
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
        let lines = Lines::new(input).map_err(|error| Error::from_io(&name, &error))?;
        let mut rows = Self {
            lines,
            columns: None,
            strict,
            raw: Vec::new(),
            splitter: Splitter::default(),
            reading: Reading { name, ..Reading::default() },
        };
        if csv {
            rows.read_header()?;
        } else {
            rows.look_for_header()?;
        }
        Ok(rows)
    }

    /// Whether the rows have `bytes`.
    #[must_use]
    pub fn has_bytes(&self) -> bool {
        self.columns.is_some_and(|columns| columns.bytes.is_some())
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
    /// damaged, or, with `strict`, a row is unreadable.
    pub fn next_row(&mut self) -> Result<Option<Row<'_>>> {
        let Some(columns) = self.columns else {
            self.raw.clear();
            if !self.read_line()? {
                return Ok(None);
            }
            self.reading.rows += 1;
            let key = without_line_end(&self.raw);
            return Ok(Some(Row { line: self.lines.read, key, bytes: None, requests: None }));
        };
        loop {
            let Some((line, record)) = self.read_record()? else {
                return Ok(None);
            };
            match record.and_then(|()| columns.numbers(&self.splitter)) {
                Ok((bytes, requests)) => {
                    self.reading.rows += 1;
                    let key = self.splitter.field(columns.key);
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

    fn read_header(&mut self) -> Result<()> {
        let Some((line, record)) = self.read_record()? else {
            return Ok(());
        };
        let columns = record.and_then(|()| Columns::of(&self.splitter));
        self.columns =
            Some(columns.map_err(|reason| Error::in_line(&self.reading.name, line, reason))?);
        Ok(())
    }

    fn look_for_header(&mut self) -> Result<()> {
        self.raw.clear();
        if !self.read_line()? {
            return Ok(());
        }
        let whole = self.splitter.feed(without_mark(&self.raw)) == Split::Whole;
        if whole && self.splitter.fields().any(|field| field.trim_ascii() == b"key") {
            let columns = Columns::of(&self.splitter);
            self.columns =
                Some(columns.map_err(|reason| Error::in_line(&self.reading.name, 1, reason))?);
        } else {
            self.lines.give_back(&self.raw, 0);
        }
        Ok(())
    }

    /// Reads the next record that is not a blank line into the splitter.
    ///
    /// Returns its first line, and why it is no record if it is none; only that
    /// line is then passed over.
    fn read_record(&mut self) -> Result<Option<(u64, Result<(), String>)>> {
        loop {
            self.raw.clear();
            self.splitter.clear();
            if !self.read_line()? {
                return Ok(None);
            }
            let line = self.lines.read;
            let first = self.raw.len();
            let mark = if line == 1 { first - without_mark(&self.raw).len() } else { 0 };
            if without_line_end(&self.raw[mark..]).is_empty() {
                continue;
            }
            let mut start = mark;
            loop {
                let reason = match self.splitter.feed(&self.raw[start..]) {
                    Split::Whole => return Ok(Some((line, Ok(())))),
                    Split::Broken => "a closing quote has text after it",
                    Split::Open if self.raw.len() > LONGEST_RECORD => "a quote is not closed",
                    Split::Open => {
                        start = self.raw.len();
                        if self.read_line()? {
                            continue;
                        }
                        "a quote is not closed"
                    }
                };
                self.lines.give_back(&self.raw[first..], line);
                return Ok(Some((line, Err(reason.to_owned()))));
            }
        }
    }

    fn read_line(&mut self) -> Result<bool> {
        self.lines.read_into(&mut self.raw).map_err(|error| {
            let name = &self.reading.name;
            match error.kind() {
                io::ErrorKind::UnexpectedEof if self.lines.gzip => {
                    Error::in_file(name, "the gzip stream is cut off")
                }
                io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData if self.lines.gzip => {
                    Error::in_file(name, format!("the gzip stream is damaged, {error}"))
                }
                _ => Error::from_io(name, &error),
            }
        })
    }
}

impl Lines {
    fn new(mut input: impl Read + Send + 'static) -> io::Result<Self> {
        let mut magic = Vec::new();
        input.by_ref().take(2).read_to_end(&mut magic)?;
        let gzip = magic == [0x1f, 0x8b];
        let whole = BufReader::with_capacity(1 << 16, Cursor::new(magic).chain(input));
        let input: Box<dyn BufRead + Send> = if gzip {
            Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(whole)))
        } else {
            Box::new(whole)
        };
        Ok(Self { input, gzip, read: 0, replay: Vec::new(), at: 0 })
    }

    /// Appends the next line with its line end; `false` at the end of the input.
    fn read_into(&mut self, text: &mut Vec<u8>) -> io::Result<bool> {
        let replayed = &self.replay[self.at..];
        let taken = if replayed.is_empty() {
            self.input.read_until(b'\n', text)?
        } else {
            let end = replayed.iter().position(|&byte| byte == b'\n');
            let line = &replayed[..end.map_or(replayed.len(), |end| end + 1)];
            text.extend_from_slice(line);
            self.at += line.len();
            line.len()
        };
        self.read += u64::from(taken > 0);
        Ok(taken > 0)
    }

    /// Takes back the last lines handed out, so that line `read` is the last
    /// one again.
    fn give_back(&mut self, lines: &[u8], read: u64) {
        self.read = read;
        if self.at >= lines.len() && self.replay[..self.at].ends_with(lines) {
            self.at -= lines.len();
        } else {
            self.replay.clear();
            self.replay.extend_from_slice(lines);
            self.at = 0;
        }
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

fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line)
}
