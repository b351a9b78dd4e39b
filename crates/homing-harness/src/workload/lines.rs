//! The lines of an input, plain, gzip or zstd, some of them read ahead.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::ops::Range;

use crate::error::{Error, Result, line_of};
use crate::workload::aside::Aside;
use crate::workload::packed::{Packed, TELLING};

/// The most bytes that a line may have, its end not counted.
pub(crate) const LONGEST_LINE: usize = 64 << 20;

/// The lines of an input, taken one after the other.
pub(crate) struct Lines {
    name: String,
    input: Box<dyn BufRead + Send>,
    packed: Option<Packed>,
    ahead: Vec<u8>, // ahead[at..] has been read and not taken: whole lines
    at: usize,
    taken: u64,  // lines
    passed: u64, // bytes
}

impl Lines {
    /// Takes an input, under a name for errors. Gzip and zstd are known by their
    /// first bytes.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read, or is packed and the system grants no thread.
    pub(crate) fn new(name: &str, mut input: impl Read + Send + 'static) -> Result<Self> {
        let mut start = Vec::new();
        // No more than tells: who types keys waits for an answer to the first.
        while Packed::may_be(&start) && start.len() < TELLING {
            let more = input.by_ref().take(2).read_to_end(&mut start);
            if more.map_err(|error| Error::from_io(name, &error))? == 0 {
                break;
            }
        }
        let packed = Packed::of(&start);
        let whole = BufReader::with_capacity(1 << 16, Cursor::new(start).chain(input));
        let input: Box<dyn BufRead + Send> = match packed {
            Some(packed) => {
                let aside = Aside::read(packed.open(whole));
                Box::new(aside.map_err(|error| Error::from_io(name, &error))?)
            }
            None => Box::new(whole),
        };
        let name = name.to_owned();
        Ok(Self { name, input, packed, ahead: Vec::new(), at: 0, taken: 0, passed: 0 })
    }

    /// The number of lines taken.
    pub(crate) fn taken(&self) -> u64 {
        self.taken
    }

    /// The number of bytes taken, line ends included.
    pub(crate) fn passed(&self) -> u64 {
        self.passed
    }

    /// Returns where the line ends that begins `from` bytes ahead, its line end
    /// included; `None` if the input ends there.
    ///
    /// # Errors
    ///
    /// Fails if the input cannot be read on, or the line is too long. No more is
    /// read of a line that is.
    pub(crate) fn end_of_line(&mut self, from: usize) -> Result<Option<usize>> {
        let known = &self.ahead[self.at + from..];
        if !known.is_empty() {
            let end = known.iter().position(|&byte| byte == b'\n');
            return Ok(Some(from + end.map_or(known.len(), |end| end + 1)));
        }
        self.forget_taken();
        // Two more bytes: those of the line end.
        let mut rest = self.input.by_ref().take(LONGEST_LINE as u64 + 2);
        let read = rest.read_until(b'\n', &mut self.ahead).map_err(|error| self.unread(&error))?;
        let line = &self.ahead[self.ahead.len() - read..];
        if without_line_end(line).len() > LONGEST_LINE {
            let line = self.taken + line_of(self.ahead(0..from), from);
            let reason = format!("a line of more than {LONGEST_LINE} bytes, the most there may be");
            return Err(Error::in_line(&self.name, line, reason));
        }
        Ok(Some(from + read).filter(|_| read > 0))
    }

    /// Bytes ahead, as far as lines have been asked for.
    pub(crate) fn ahead(&self, range: Range<usize>) -> &[u8] {
        &self.ahead[self.at..][range]
    }

    /// Takes so many bytes, which are so many lines, and returns them.
    pub(crate) fn take(&mut self, bytes: usize, lines: u64) -> &[u8] {
        let start = self.at;
        self.at += bytes;
        self.passed += bytes as u64;
        self.taken += lines;
        &self.ahead[start..self.at]
    }

    /// Makes room where at least half is taken, so that no byte is moved more
    /// than once for each byte taken.
    fn forget_taken(&mut self) {
        if self.at * 2 >= self.ahead.len() {
            self.ahead.drain(..self.at);
            self.at = 0;
        }
    }

    /// Why the input cannot be read on; of a packed one, with the line that is
    /// not whole.
    fn unread(&self, error: &io::Error) -> Error {
        let Some(packed) = self.packed.map(Packed::name) else {
            return Error::from_io(&self.name, error);
        };
        let ahead = &self.ahead[self.at..];
        let line = self.taken + line_of(ahead, ahead.len());
        let reason = match error.kind() {
            io::ErrorKind::UnexpectedEof => format!("the {packed} stream is cut off"),
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData => {
                format!("the {packed} stream is damaged, {error}")
            }
            _ => return Error::from_io(&self.name, error),
        };
        Error::in_line(&self.name, line, reason)
    }
}

/// Returns a line without its `\n` and one `\r` before it.
pub(crate) fn without_line_end(line: &[u8]) -> &[u8] {
    let Some(content) = line.strip_suffix(b"\n") else { return line };
    content.strip_suffix(b"\r").unwrap_or(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_carriage_return_goes_with_the_line_end() {
        assert_eq!(without_line_end(b"a\r\n"), b"a");
        assert_eq!(without_line_end(b"a\r\r\n"), b"a\r");
        assert_eq!(without_line_end(b"a\r"), b"a\r");
        assert_eq!(without_line_end(b"\n"), b"");
        assert_eq!(without_line_end(b""), b"");
    }

    #[test]
    fn lines_read_ahead_are_still_there() {
        let mut lines = Lines::new("x", &b"ab\ncd\n\ne"[..]).unwrap();
        assert_eq!(lines.end_of_line(0), Ok(Some(3)));
        assert_eq!(lines.end_of_line(3), Ok(Some(6)));
        assert_eq!(lines.take(3, 1), b"ab\n");
        assert_eq!(lines.end_of_line(0), Ok(Some(3)));
        assert_eq!(lines.end_of_line(3), Ok(Some(4)));
        assert_eq!(lines.end_of_line(4), Ok(Some(5)));
        assert_eq!(lines.end_of_line(5), Ok(None));
        assert_eq!(lines.ahead(0..5), b"cd\n\ne");
        assert_eq!(lines.take(5, 3), b"cd\n\ne");
        assert_eq!((lines.taken(), lines.passed()), (4, 8));
        assert_eq!(lines.end_of_line(0), Ok(None));
    }

    #[test]
    fn a_line_may_be_as_long_as_the_limit() {
        let input = |count: usize, end: &'static [u8]| {
            let line = io::repeat(b'k').take(count as u64).chain(end).chain(&b"x\n"[..]);
            let mut lines = Lines::new("keys", line).unwrap();
            lines.end_of_line(0).map_err(|error| error.to_string())
        };
        assert_eq!(input(LONGEST_LINE, b"\r\n"), Ok(Some(LONGEST_LINE + 2)));
        let told = "keys:1: a line of more than 67108864 bytes, the most there may be";
        assert_eq!(input(LONGEST_LINE + 1, b"\n"), Err(told.to_owned()));
    }
}
