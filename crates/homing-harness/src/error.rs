//! What is wrong with the input or the usage, in one line.

mod words;

use std::borrow::Cow;
use std::fmt::{self, Write};
use std::io;

pub(crate) use words::{in_our_words, of_json};

/// The result of anything that reads what a user gave.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// Something the user gave that cannot be used.
///
/// Shown, it is one line without control characters, whatever stood in the
/// file: what was given, and what is allowed.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// A place in a file, or in standard input.
    Input {
        /// The file as it was given, or `standard input`.
        name: String,
        /// The line, from 1, where one is known.
        line: Option<u64>,
        /// What stands there, and what may.
        reason: String,
    },
    /// A value out of its range.
    Parameter {
        /// The name of the parameter.
        name: String,
        /// The value as it was given.
        value: String,
        /// What it must be: `from 1 to 100`.
        rule: String,
    },
    /// A combination of arguments or fields that has no meaning.
    Usage(String),
    /// What the core said of members, changes or configurations.
    Core(homing_core::Error),
    /// Who read the answer has gone away, as `head` does: no failure, but no
    /// reason to go on either.
    Closed,
}

impl Error {
    /// An error in a whole file.
    pub fn in_file(name: &str, reason: impl fmt::Display) -> Self {
        Self::Input { name: name.to_owned(), line: None, reason: reason.to_string() }
    }

    /// An error in one line of a file, lines counted from 1.
    pub fn in_line(name: &str, line: u64, reason: impl fmt::Display) -> Self {
        Self::Input { name: name.to_owned(), line: Some(line), reason: reason.to_string() }
    }

    /// The same error, with the file it is in before it unless it names one.
    #[must_use]
    pub fn within(self, name: &str) -> Self {
        match self {
            Self::Input { .. } => self,
            other => Self::in_file(name, other),
        }
    }

    /// An error that the system gave for a file, in the system's words.
    #[must_use]
    pub fn from_io(name: &str, error: &io::Error) -> Self {
        let reason = error.to_string();
        let reason = reason.split(" (os error").next().unwrap_or_default();
        Self::in_file(name, lower_first(reason))
    }

    /// An error that the system gave for the answer.
    #[must_use]
    pub fn from_output(error: &io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::Closed,
            _ => Self::from_io("standard output", error),
        }
    }

    /// An error in a TOML text, with the line it is on.
    #[must_use]
    pub fn from_toml(name: &str, text: &str, error: &toml::de::Error) -> Self {
        let line = error.span().map(|span| line_of(text.as_bytes(), span.start));
        let found = error.span().and_then(|span| text.get(span)).unwrap_or_default();
        Self::Input { name: name.to_owned(), line, reason: words::of_toml(error.message(), found) }
    }

    /// An error in a JSON text, with the line it is on.
    #[must_use]
    pub fn from_json(name: &str, error: &serde_json::Error) -> Self {
        let text = error.to_string();
        let reason = text.rfind(" at line ").map_or(text.as_str(), |end| &text[..end]);
        let line = Some(error.line() as u64).filter(|&line| line > 0);
        Self::Input { name: name.to_owned(), line, reason: words::of_json(reason) }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input { name, line: None, reason } => {
                write!(f, "{}: {}", printable(name), printable(&cut(reason)))
            }
            Self::Input { name, line: Some(line), reason } => {
                write!(f, "{}:{line}: {}", printable(name), printable(&cut(reason)))
            }
            Self::Parameter { name, value, rule } => {
                let (name, value) = (cut(name), cut(value));
                write!(f, "{} is {}, but must be {rule}", printable(&name), printable(&value))
            }
            Self::Usage(reason) => f.write_str(&printable(&cut(reason))),
            Self::Core(error) => f.write_str(&printable(&cut(&error.to_string()))),
            Self::Closed => f.write_str("standard output is closed"),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Core(error) => Some(error),
            _ => None,
        }
    }
}

impl From<homing_core::Error> for Error {
    fn from(error: homing_core::Error) -> Self {
        Self::Core(error)
    }
}

/// Returns the line of a text, from 1, that the byte at `offset` is on.
#[must_use]
pub fn line_of(text: &[u8], offset: usize) -> u64 {
    let before = &text[..offset.min(text.len())];
    before.iter().map(|&byte| u64::from(byte == b'\n')).sum::<u64>() + 1
}

/// Returns a text fit for one line of a terminal: control characters, line
/// ends and marks that turn the writing direction are escaped.
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unprintable) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_unprintable(c) {
            shown.extend(c.escape_debug());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// How many characters of a text in quotes are shown.
const SHOWN: usize = 60;

/// Returns bytes in quotes, printable, and cut after 60 characters.
///
/// What is not UTF-8 is shown as `\xff`.
#[must_use]
pub fn quoted(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    let mut shown = 0;
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            if shown == SHOWN {
                return text + "...\"";
            }
            if is_unprintable(c) || matches!(c, '"' | '\\') {
                text.extend(c.escape_debug());
            } else {
                text.push(c);
            }
            shown += 1;
        }
        for byte in chunk.invalid() {
            if shown == SHOWN {
                return text + "...\"";
            }
            write!(text, "\\x{byte:02x}").expect("a string takes every text");
            shown += 1;
        }
    }
    text + "\""
}

/// Returns a message in which no text in quotes goes on for pages, nor the whole.
///
/// Ids have any length, and the core shows all of them. Shorter messages than a
/// few lines stay as they are.
fn cut(message: &str) -> Cow<'_, str> {
    const SHORT: usize = 400;
    const WHOLE: usize = 2000;
    if message.len() <= SHORT {
        return Cow::Borrowed(message);
    }
    let mut text = String::new();
    let mut within = None; // how many characters in the quotes so far
    let mut escaped = false;
    for c in message.chars() {
        if text.len() >= WHOLE {
            return Cow::Owned(text + "...");
        }
        match &mut within {
            None => {
                within = (c == '"').then_some(0);
                text.push(c);
            }
            Some(_) if c == '"' && !escaped => {
                within = None;
                text.push(c);
            }
            Some(shown) => {
                match *shown {
                    ..SHOWN => text.push(c),
                    SHOWN => text.push_str("..."),
                    _ => {}
                }
                *shown += 1;
                escaped = c == '\\' && !escaped;
            }
        }
    }
    Cow::Owned(text)
}

fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}')
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    match chars.next() {
        // A word of capitals is a name.
        Some(first) if !chars.as_str().starts_with(char::is_uppercase) => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_in_a_line_names_file_and_line() {
        let error = Error::in_line("keys.csv", 17, "bytes is \"abc\", but must be a whole number");
        assert_eq!(error.to_string(), "keys.csv:17: bytes is \"abc\", but must be a whole number");
    }

    #[test]
    fn no_message_has_a_control_character() {
        let nasty = "a\x1b[31m\nb\r\t\0\u{9b}\u{202e}\u{7f}c";
        let errors = [
            Error::in_line(nasty, 1, nasty),
            Error::in_file(nasty, nasty),
            Error::Parameter { name: nasty.into(), value: nasty.into(), rule: "a number".into() },
            Error::Usage(nasty.into()),
            Error::Core(homing_core::Error::UnknownNode { id: nasty.into() }),
        ];
        for error in errors {
            let text = error.to_string();
            assert!(!text.contains(is_unprintable), "{text:?}");
        }
    }

    #[test]
    fn quoted_bytes_are_cut_and_escaped() {
        assert_eq!(quoted(b"plain"), "\"plain\"");
        assert_eq!(quoted(b"\xff\n\"\\"), r#""\xff\n\"\\""#);
        assert_eq!(quoted("büro".as_bytes()), "\"büro\"");
        assert_eq!(quoted(&[b'a'; 61]), format!("\"{}...\"", "a".repeat(60)));
        assert_eq!(quoted(&[b'a'; 60]), format!("\"{}\"", "a".repeat(60)));
        assert_eq!(quoted(&[0xff; 61]), format!("\"{}...\"", "\\xff".repeat(60)));
    }

    #[test]
    fn no_message_is_as_long_as_what_was_given() {
        let long = "x".repeat(100_000);
        let shown = Error::Core(homing_core::Error::UnknownNode { id: (&*long).into() });
        let told = format!("node \"{}...\" is no member", "x".repeat(60));
        assert_eq!(shown.to_string(), told);
        let shown = Error::in_line("m", 7, homing_core::Error::UnknownNode { id: (&*long).into() });
        assert_eq!(shown.to_string(), format!("m:7: {told}"));
        let quotes = format!("{:?} and {:?}", "\"\\".repeat(1000), "y".repeat(1000));
        let shown = Error::Usage(quotes).to_string();
        assert!(
            shown.len() < 200 && shown.ends_with(&format!("{}...\"", "y".repeat(60))),
            "{shown}"
        );
        assert!(Error::Usage(long).to_string().len() < 2100);
        let short = format!("{:?} is no member", "z".repeat(100));
        assert_eq!(Error::Usage(short.clone()).to_string(), short);
    }

    #[test]
    fn the_systems_reason_starts_in_lower_case_and_has_no_number() {
        let error = io::Error::from_raw_os_error(2);
        let shown = Error::from_io("none", &error).to_string();
        assert!(shown.starts_with("none: "), "{shown}");
        assert!(!shown.contains("os error"), "{shown}");
        assert!(!shown["none: ".len()..].starts_with(char::is_uppercase), "{shown}");
    }

    #[test]
    fn lines_are_counted_from_one() {
        assert_eq!(line_of(b"a\nb\nc", 0), 1);
        assert_eq!(line_of(b"a\nb\nc", 2), 2);
        assert_eq!(line_of(b"a\nb\nc", 99), 3);
    }
}
