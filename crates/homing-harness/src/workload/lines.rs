//! The lines of an input, plain or gzip, some of them read ahead.

use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::ops::Range;

use flate2::bufread::GzDecoder;

use crate::error::{Error, Result, line_of};

/// The most bytes that a line may have, its end not counted.
pub(crate) const LONGEST_LINE: usize = 64 << 20;

/// RFC 1952, section 2.3.1: the first two bytes of a gzip member.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// The lines of an input, taken one after the other.
pub(crate) struct Lines {
    name: String,
    input: Box<dyn BufRead + Send>,
    gzip: bool,
    ahead: Vec<u8>, // ahead[at..] has been read and not taken: whole lines
    at: usize,
    taken: u64,  // lines
    passed: u64, // bytes
}

impl Lines {
    /// Takes an input, under a name for errors. Gzip is known by its first two
    /// bytes.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read.
    pub(crate) fn new(name: &str, mut input: impl Read + Send + 'static) -> Result<Self> {
        let mut magic = Vec::new();
        let begun = input.by_ref().take(2).read_to_end(&mut magic);
        begun.map_err(|error| Error::from_io(name, &error))?;
        let gzip = magic == MAGIC;
        let whole = BufReader::with_capacity(1 << 16, Cursor::new(magic).chain(input));
        let input: Box<dyn BufRead + Send> = if gzip {
            Box::new(BufReader::with_capacity(1 << 16, Members::new(whole)))
        } else {
            Box::new(whole)
        };
        let name = name.to_owned();
        Ok(Self { name, input, gzip, ahead: Vec::new(), at: 0, taken: 0, passed: 0 })
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

    fn unread(&self, error: &io::Error) -> Error {
        match error.kind() {
            io::ErrorKind::UnexpectedEof if self.gzip => {
                Error::in_file(&self.name, "the gzip stream is cut off")
            }
            io::ErrorKind::InvalidInput | io::ErrorKind::InvalidData if self.gzip => {
                Error::in_file(&self.name, format!("the gzip stream is damaged, {error}"))
            }
            _ => Error::from_io(&self.name, error),
        }
    }
}

/// The contents of the members of a gzip stream, one after the other.
///
/// `flate2` takes whatever follows a member for the next one, and says of other
/// bytes that they are cut off.
struct Members<R>(Option<GzDecoder<R>>); // none at the end

impl<R: BufRead> Members<R> {
    fn new(input: R) -> Self {
        Self(Some(GzDecoder::new(input)))
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.0 {
            let read = member.read(buffer)?;
            if read > 0 || buffer.is_empty() {
                return Ok(read);
            }
            let next = member.get_mut().fill_buf()?;
            let ended = next.is_empty();
            if !ended && !MAGIC.starts_with(&next[..next.len().min(MAGIC.len())]) {
                return Err(io::Error::other(
                    "the gzip stream has ended, but bytes that are no gzip stand after it",
                ));
            }
            let rest = self.0.take().map(GzDecoder::into_inner);
            self.0 = rest.filter(|_| !ended).map(GzDecoder::new);
        }
        Ok(0)
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
