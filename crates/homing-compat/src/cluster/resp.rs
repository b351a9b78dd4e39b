//! The wire protocols: RESP2, and RESP3 as far as an answer needs it.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::error::short;
use super::reply::{Reply, Value};
use super::{ClusterError, Place};

/// How deep an answer is nested at most; SHARDS is 5 deep.
const DEEPEST: usize = 16;

/// Reads one answer, which must be all there is.
pub(super) fn read(dump: &[u8]) -> Result<Reply, ClusterError> {
    let start = dump.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let mut reader = Reader { dump, next: start };
    let reply = reader.reply(0)?;
    if reader.next < dump.len() {
        return Err(reader.error("more bytes after the answer"));
    }
    Ok(reply)
}

struct Reader<'a> {
    dump: &'a [u8],
    next: usize,
}

impl<'a> Reader<'a> {
    fn error(&self, reason: impl Into<String>) -> ClusterError {
        ClusterError::new(Place::Byte(self.next), reason)
    }

    fn reply(&mut self, depth: usize) -> Result<Reply, ClusterError> {
        let at = Place::Byte(self.next);
        if depth > DEEPEST {
            return Err(self.error("nested deeper than an answer of a cluster is"));
        }
        let Some(&kind) = self.dump.get(self.next) else {
            return Err(self.error("cut short: a value is missing"));
        };
        self.next += 1;
        let value = match kind {
            b'+' | b',' | b'(' | b'#' => Value::Text(self.line()?.to_owned()),
            b'-' => {
                let line = self.line()?;
                return Err(ClusterError::new(at, format!("the server refused: {}", short(line))));
            }
            b':' => Value::Integer(self.integer()?),
            b'_' => {
                self.line()?;
                Value::Nil
            }
            b'$' => self.text(0)?,
            b'=' => self.text("txt:".len())?,
            b'!' => {
                let reason = match self.text(0)? {
                    Value::Text(text) => format!("the server refused: {}", short(&text)),
                    _ => "the server refused".to_owned(),
                };
                return Err(ClusterError::new(at, reason));
            }
            b'*' | b'~' | b'>' => match self.count()? {
                None => Value::Nil,
                Some(count) => {
                    let mut items = Vec::new();
                    for _ in 0..count {
                        items.push(self.reply(depth + 1)?);
                    }
                    Value::List(items)
                }
            },
            b'%' => {
                let mut fields = Vec::new();
                for _ in 0..self.count()?.unwrap_or_default() {
                    fields.push((self.reply(depth + 1)?, self.reply(depth + 1)?));
                }
                Value::Map(fields)
            }
            other => {
                let other = char::from(other);
                return Err(ClusterError::new(at, format!("no value begins with {other:?}")));
            }
        };
        Ok(Reply::new(at, value))
    }

    /// What is left of the line; CRLF ends it.
    fn line(&mut self) -> Result<&'a str, ClusterError> {
        let rest = &self.dump[self.next..];
        let Some(length) = rest.iter().position(|&byte| byte == b'\r' || byte == b'\n') else {
            return Err(self.error("cut short: a line does not end in CRLF"));
        };
        let line = core::str::from_utf8(&rest[..length]).map_err(|_| self.error("not UTF-8"))?;
        self.next += length;
        self.end()?;
        Ok(line)
    }

    fn end(&mut self) -> Result<(), ClusterError> {
        match self.dump[self.next..] {
            [b'\r', b'\n', ..] => {
                self.next += 2;
                Ok(())
            }
            [] | [b'\r'] => Err(self.error("cut short: CRLF is missing")),
            _ => {
                Err(self.error("CRLF must stand here: a length is wrong, or line ends are changed"))
            }
        }
    }

    fn integer(&mut self) -> Result<i64, ClusterError> {
        let at = Place::Byte(self.next);
        let line = self.line()?;
        line.parse().map_err(|_| {
            ClusterError::new(at, format!("{} is given, but must be a number", short(line)))
        })
    }

    /// A length; -1 is none at all.
    fn count(&mut self) -> Result<Option<usize>, ClusterError> {
        let at = Place::Byte(self.next);
        match self.integer()? {
            -1 => Ok(None),
            count => usize::try_from(count).map(Some).map_err(|_| {
                ClusterError::new(at, format!("a length is {count}, but must be at least 0"))
            }),
        }
    }

    /// A text behind its length, without its first `skipped` bytes.
    fn text(&mut self, skipped: usize) -> Result<Value, ClusterError> {
        let Some(length) = self.count()? else { return Ok(Value::Nil) };
        let rest = &self.dump[self.next..];
        let Some(bytes) = rest.get(..length) else {
            let reason = format!("cut short: a text of {length} bytes has {}", rest.len());
            return Err(self.error(reason));
        };
        let text = core::str::from_utf8(bytes).map_err(|_| self.error("not UTF-8"))?;
        let text = text.get(skipped..).ok_or_else(|| self.error("a text without its kind"))?;
        self.next += length;
        self.end()?;
        Ok(Value::Text(text.to_owned()))
    }
}
