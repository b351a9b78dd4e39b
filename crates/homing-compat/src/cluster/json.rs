//! JSON, as `redis-cli --json` prints it, with the place of every value.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::error::as_text;
use super::reply::{Reply, Value};
use super::{ClusterError, Place};

/// How deep an answer is nested at most; SHARDS is 5 deep.
const DEEPEST: usize = 16;

/// Reads one value, which must be all there is but blanks.
pub(super) fn read(dump: &[u8]) -> Result<Reply, ClusterError> {
    let text = as_text(dump)?;
    let mut reader = Reader { text, next: 0 };
    let reply = reader.value(0)?;
    reader.blanks();
    if reader.next < text.len() {
        return Err(reader.error("more text after the answer"));
    }
    Ok(reply)
}

struct Reader<'a> {
    text: &'a str,
    next: usize,
}

impl Reader<'_> {
    fn error(&self, reason: impl Into<String>) -> ClusterError {
        ClusterError::new(Place::Byte(self.next), reason)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.next).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\r' | b'\n')) {
            self.next += 1;
        }
    }

    /// Takes a byte if it comes next, after blanks.
    fn takes(&mut self, byte: u8) -> bool {
        self.blanks();
        let is_next = self.peek() == Some(byte);
        self.next += usize::from(is_next);
        is_next
    }

    fn expect(&mut self, byte: u8) -> Result<(), ClusterError> {
        if self.takes(byte) {
            return Ok(());
        }
        let wanted = char::from(byte);
        Err(match self.peek() {
            None => self.error(format!("cut short: {wanted:?} is missing")),
            Some(_) => self.error(format!("{wanted:?} must stand here")),
        })
    }

    fn value(&mut self, depth: usize) -> Result<Reply, ClusterError> {
        self.blanks();
        let at = Place::Byte(self.next);
        if depth > DEEPEST {
            return Err(self.error("nested deeper than an answer of a cluster is"));
        }
        let value = match self.peek() {
            None => return Err(self.error("cut short: a value is missing")),
            Some(b'[') => {
                let mut items = Vec::new();
                self.next += 1;
                if !self.takes(b']') {
                    items.push(self.value(depth + 1)?);
                    while self.takes(b',') {
                        items.push(self.value(depth + 1)?);
                    }
                    self.expect(b']')?;
                }
                Value::List(items)
            }
            Some(b'{') => {
                let mut fields = Vec::new();
                self.next += 1;
                if !self.takes(b'}') {
                    fields.push(self.field(depth)?);
                    while self.takes(b',') {
                        fields.push(self.field(depth)?);
                    }
                    self.expect(b'}')?;
                }
                Value::Map(fields)
            }
            Some(b'"') => Value::Text(self.string()?),
            Some(_) => self.bare()?,
        };
        Ok(Reply::new(at, value))
    }

    fn field(&mut self, depth: usize) -> Result<(Reply, Reply), ClusterError> {
        let name = self.value(depth + 1)?;
        self.expect(b':')?;
        Ok((name, self.value(depth + 1)?))
    }

    /// A number, or one of the words.
    fn bare(&mut self) -> Result<Value, ClusterError> {
        let rest = &self.text[self.next..];
        let length = rest
            .find(|it: char| !(it.is_ascii_alphanumeric() || matches!(it, '-' | '+' | '.')))
            .unwrap_or(rest.len());
        let word = &rest[..length];
        let value = match (word, word.parse::<i64>()) {
            ("null", _) => Value::Nil,
            ("true" | "false", _) => Value::Text(word.into()),
            (_, Ok(number)) => Value::Integer(number),
            _ if word.parse::<f64>().is_ok() => Value::Text(word.into()),
            _ => return Err(self.error("a value of JSON must stand here")),
        };
        self.next += length;
        Ok(value)
    }

    fn string(&mut self) -> Result<String, ClusterError> {
        self.next += 1;
        let mut string = String::new();
        loop {
            let rest = &self.text[self.next..];
            let Some(length) = rest.find(['"', '\\']) else {
                return Err(self.error("cut short: a text does not end"));
            };
            string.push_str(&rest[..length]);
            self.next += length + 1;
            if rest.as_bytes()[length] == b'"' {
                return Ok(string);
            }
            string.push(self.escaped()?);
        }
    }

    /// What stands behind a backslash.
    fn escaped(&mut self) -> Result<char, ClusterError> {
        let Some(kind) = self.peek() else {
            return Err(self.error("cut short: a text does not end"));
        };
        let plain = match kind {
            b'"' | b'\\' | b'/' => char::from(kind),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let digits = self.text.get(self.next + 1..self.next + 5);
                let code = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
                let Some(code) = code.and_then(char::from_u32) else {
                    return Err(self.error("no character of four hexadecimal digits"));
                };
                self.next += 4;
                code
            }
            _ => return Err(self.error("an escape that JSON does not have")),
        };
        self.next += 1;
        Ok(plain)
    }
}
