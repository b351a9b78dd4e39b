//! [`ClusterError`]: where a dump cannot be read, and why.

use alloc::format;
use alloc::string::String;
use core::fmt;

/// Why a dump could not be read: where it stands, and what is wrong.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ClusterError {
    /// Where.
    pub place: Place,
    /// What is wrong there.
    pub reason: String,
}

/// A place in a dump.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Place {
    /// A line, from 1.
    Line(usize),
    /// A byte, from 0.
    Byte(usize),
}

impl ClusterError {
    pub(super) fn new(place: Place, reason: impl Into<String>) -> Self {
        Self { place, reason: reason.into() }
    }

    pub(super) fn wrong_command(place: Place, given: &str) -> Self {
        let named = if given.starts_with("cluster_") {
            "the answer of CLUSTER INFO"
        } else if given.trim_start().starts_with("(error)")
            || given.starts_with("ERR ")
            || given.starts_with("NOAUTH ")
        {
            return Self::new(place, format!("the server refused: {}", short(given)));
        } else {
            return Self::new(
                place,
                format!(
                    "{} begins no answer of CLUSTER NODES, CLUSTER SLOTS or CLUSTER SHARDS",
                    short(given)
                ),
            );
        };
        Self::new(place, format!("{named}, not of CLUSTER NODES, CLUSTER SLOTS or CLUSTER SHARDS"))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)
    }
}

impl core::error::Error for ClusterError {}

/// A text in quotes, no longer than a line of a terminal.
pub(super) fn short(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}

/// The dump as a text.
pub(super) fn as_text(dump: &[u8]) -> Result<&str, ClusterError> {
    if dump.starts_with(b"\xff\xfe") || dump.starts_with(b"\xfe\xff") {
        return Err(ClusterError::new(Place::Line(1), "the mark of UTF-16, but it must be UTF-8"));
    }
    let line = |at: usize| Place::Line(dump[..at].split(|&byte| byte == b'\n').count());
    let text = core::str::from_utf8(dump)
        .map_err(|error| ClusterError::new(line(error.valid_up_to()), "not UTF-8"))?;
    if let Some(at) = text.find('\0') {
        return Err(ClusterError::new(line(at), "a NUL, which no answer has"));
    }
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// The lines, from 1, without their ends.
pub(super) fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    (1..).zip(text.lines())
}

/// Fails if the last line has no end, so that it may not be all there was.
pub(super) fn ended(text: &str) -> Result<(), ClusterError> {
    if text.ends_with('\n') {
        return Ok(());
    }
    let reason = "cut short: the last line does not end in a newline";
    Err(ClusterError::new(Place::Line(text.lines().count()), reason))
}
