//! The records of a CSV text, read so that a broken one costs its first line only.

use std::io::Read;

use crate::error::Result;
use crate::workload::lines::{Lines, without_line_end};
use crate::workload::split::{Split, Splitter};

/// The most bytes that a record of several lines may have.
pub(crate) const LONGEST_RECORD: u64 = 16 << 20;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The records of a text, one after the other.
pub(crate) struct Records {
    lines: Lines,
    splitter: Splitter, // the fields of the last record
    quoted: Quoted,
}

/// A run of lines that begin within quotes.
///
/// What such a line is does not depend on who opened the quotes. So where one
/// record has been followed to, and what became of it there, holds for every
/// record that leaves a quote open on the way: no line is followed twice, however
/// many records break at the same place.
#[derive(Debug, Default)]
struct Quoted {
    from: u64, // the bytes from..to of the input have been followed
    to: u64,
    line: u64, // the number of the last line that ends before `to`
    end: Option<End>,
}

/// How a run of lines within quotes ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum End {
    /// The last line ends a record.
    Whole,
    /// The last line has text after a closing quote.
    Broken,
    /// The input ended.
    Missing,
}

impl Records {
    /// Takes an input, under a name for errors.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read.
    pub(crate) fn new(name: &str, input: impl Read + Send + 'static) -> Result<Self> {
        let lines = Lines::new(name, input)?;
        Ok(Self { lines, splitter: Splitter::default(), quoted: Quoted::default() })
    }

    /// The record read last.
    pub(crate) fn record(&self) -> &Splitter {
        &self.splitter
    }

    /// The number of lines taken.
    pub(crate) fn lines_taken(&self) -> u64 {
        self.lines.taken()
    }

    /// Takes the next line as it is, with its number.
    ///
    /// # Errors
    ///
    /// As [`Lines::end_of_line`].
    pub(crate) fn next_line(&mut self) -> Result<Option<(u64, &[u8])>> {
        let Some(end) = self.lines.end_of_line(0)? else { return Ok(None) };
        let line = self.lines.taken() + 1;
        Ok(Some((line, without_line_end(self.lines.take(end, 1)))))
    }

    /// The next line without its end, and the first without a mark of its order
    /// of bytes, left where it is; `None` at the end.
    ///
    /// # Errors
    ///
    /// As [`Lines::end_of_line`].
    pub(crate) fn peek(&mut self) -> Result<Option<&[u8]>> {
        let Some(end) = self.lines.end_of_line(0)? else { return Ok(None) };
        let line = self.lines.ahead(0..end);
        let line = if self.lines.taken() == 0 { without_mark(line) } else { line };
        Ok(Some(without_line_end(line)))
    }

    /// Whether the next line is a record with a field of this name.
    ///
    /// # Errors
    ///
    /// As [`Lines::end_of_line`].
    pub(crate) fn is_header_with(&mut self, name: &[u8]) -> Result<bool> {
        let Some(end) = self.lines.end_of_line(0)? else { return Ok(false) };
        self.splitter.clear();
        let whole = self.splitter.feed(without_mark(self.lines.ahead(0..end))) == Split::Whole;
        Ok(whole && self.splitter.fields().any(|field| field.trim_ascii() == name))
    }

    /// Takes the text for one of tabs and no quotes, or of commas and quotes.
    pub(crate) fn take_tabs(&mut self, tabs: bool) {
        self.splitter = if tabs { Splitter::with_tabs() } else { Splitter::default() };
    }

    /// Reads the next record that is not a blank line.
    ///
    /// Returns its first line, and why it is no record if it is none; only that
    /// line is then taken.
    ///
    /// # Errors
    ///
    /// As [`Lines::end_of_line`].
    pub(crate) fn next_record(&mut self) -> Result<Option<(u64, Result<(), String>)>> {
        loop {
            let Some(first) = self.lines.end_of_line(0)? else { return Ok(None) };
            let line = self.lines.taken() + 1;
            let text = self.lines.ahead(0..first);
            let mark = if line == 1 { first - without_mark(text).len() } else { 0 };
            if without_line_end(&text[mark..]).is_empty() {
                self.lines.take(first, 1);
                continue;
            }
            self.splitter.clear();
            let end = match self.splitter.feed(&text[mark..]) {
                Split::Whole => Ok((first, line)),
                Split::Broken => Err(BROKEN.to_owned()),
                Split::Open => self.follow(first, line)?,
            };
            let (bytes, last) = *end.as_ref().unwrap_or(&(first, line));
            if bytes > first {
                self.splitter.clear();
                let split = self.splitter.feed(&self.lines.ahead(0..bytes)[mark..]);
                debug_assert_eq!(split, Split::Whole);
            }
            self.lines.take(bytes, last + 1 - line);
            return Ok(Some((line, end.map(|_| ()))));
        }
    }

    /// Follows a quote that the next line leaves open, `first` bytes long and of
    /// this number, to the end of its record.
    ///
    /// Returns how far ahead that is, and the number of its last line; or why
    /// there is no such end.
    fn follow(&mut self, first: usize, line: u64) -> Result<Result<(usize, u64), String>> {
        let start = self.lines.passed();
        let within = start + first as u64;
        if !self.quoted.holds_at(within) {
            self.quoted = Quoted { from: within, to: within, line, end: None };
        }
        loop {
            let Quoted { to, line, end, .. } = self.quoted;
            if to - start > LONGEST_RECORD {
                let reason = format!("a quote is not closed within {LONGEST_RECORD} bytes");
                return Ok(Err(reason));
            }
            let ahead = usize::try_from(to - start).expect("a record is in memory");
            match end {
                Some(End::Whole) => return Ok(Ok((ahead, line))),
                Some(End::Broken) => return Ok(Err(BROKEN.to_owned())),
                Some(End::Missing) => return Ok(Err("a quote is not closed".to_owned())),
                None => {}
            }
            let Some(next) = self.lines.end_of_line(ahead)? else {
                self.quoted.end = Some(End::Missing);
                continue;
            };
            self.quoted.to = start + next as u64;
            self.quoted.line = line + 1;
            self.quoted.end = match Splitter::within_quotes(self.lines.ahead(ahead..next)) {
                Split::Open => None,
                Split::Whole => Some(End::Whole),
                Split::Broken => Some(End::Broken),
            };
        }
    }
}

impl Quoted {
    /// Whether this is the run that a line begins which starts at byte `within`.
    fn holds_at(&self, within: u64) -> bool {
        let past = match self.end {
            None => within > self.to,
            Some(End::Missing) => false,
            Some(End::Whole | End::Broken) => within >= self.to,
        };
        self.from <= within && !past
    }
}

const BROKEN: &str = "a closing quote has text after it";

pub(crate) fn without_mark(line: &[u8]) -> &[u8] {
    line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(line)
}
