//! What `redis-cli` prints on a terminal: lists by number, nested by column.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::error::{ended, lines, short};
use super::reply::{Reply, Value};
use super::{ClusterError, Place};

/// Whether a first line begins a numbered list.
pub(super) fn begins(line: &str) -> bool {
    marker(line).is_some()
}

/// A list that is being read.
struct Open {
    column: usize, // of the brackets behind its numbers
    at: Place,
    items: Vec<Reply>,
}

/// Reads one numbered list.
pub(super) fn read(text: &str) -> Result<Reply, ClusterError> {
    ended(text)?;
    let mut open: Vec<Open> = Vec::new();
    for (number, line) in lines(text).filter(|(_, line)| !line.trim().is_empty()) {
        let at = Place::Line(number);
        let mut column = 0;
        let mut rest = line;
        let mut markers = 0;
        while let Some((index, width)) = marker(rest) {
            let bracket = column + width;
            place(&mut open, at, bracket, index, markers == 0)?;
            markers += 1;
            column = bracket + 2;
            rest = &line[column..];
        }
        let Some(list) = open.last_mut().filter(|_| markers > 0) else {
            return Err(ClusterError::new(at, format!("{} has no number before it", short(line))));
        };
        list.items.push(Reply::new(at, leaf(at, rest)?));
    }
    while open.len() > 1 {
        close(&mut open);
    }
    let whole = open.pop().expect("the first line has a number");
    Ok(Reply::new(whole.at, Value::List(whole.items)))
}

/// The number of an item, and how far from here its bracket is.
fn marker(text: &str) -> Option<(usize, usize)> {
    let digits = text.trim_start_matches(' ');
    let length = digits.bytes().take_while(u8::is_ascii_digit).count();
    let blanks = text.len() - digits.len();
    digits[length..].starts_with(") ").then_some(())?;
    Some((digits[..length].parse().ok()?, blanks + length))
}

/// Finds or opens the list whose numbers end at `column`, for its item `index`.
fn place(
    open: &mut Vec<Open>,
    at: Place,
    column: usize,
    index: usize,
    is_first: bool,
) -> Result<(), ClusterError> {
    if is_first {
        while open.len() > 1 && open.last().is_some_and(|list| list.column > column) {
            close(open);
        }
    }
    let goes_on = is_first && open.last().is_some_and(|list| list.column == column);
    if !goes_on {
        let is_within = open.last().is_none_or(|list| list.column < column);
        if !is_within || (is_first && !open.is_empty()) {
            return Err(ClusterError::new(at, "a line is missing before this one, or blanks are"));
        }
        open.push(Open { column, at, items: Vec::new() });
    }
    let expected = open.last().map_or(0, |list| list.items.len()) + 1;
    if index != expected {
        let reason = format!("item {index} stands where item {expected} must");
        return Err(ClusterError::new(at, reason));
    }
    Ok(())
}

/// Closes the innermost list: it is an item of the one around it.
fn close(open: &mut Vec<Open>) {
    if let Some(list) = open.pop()
        && let Some(around) = open.last_mut()
    {
        around.items.push(Reply::new(list.at, Value::List(list.items)));
    }
}

/// A value that is no list.
fn leaf(at: Place, text: &str) -> Result<Value, ClusterError> {
    if let Some(quoted) = text.strip_prefix('"') {
        return unquoted(quoted)
            .map(Value::Text)
            .ok_or_else(|| ClusterError::new(at, format!("{} has no end", short(text))));
    }
    if let Some(number) = text.strip_prefix("(integer) ") {
        let unfit = || format!("{} is given, but must be a number", short(number));
        return number.parse().map(Value::Integer).map_err(|_| ClusterError::new(at, unfit()));
    }
    match text {
        "(nil)" => Ok(Value::Nil),
        "(empty array)" | "(empty list or set)" | "(empty hash)" | "(empty set)" => {
            Ok(Value::List(Vec::new()))
        }
        _ if text.starts_with("(error)") => Err(ClusterError::wrong_command(at, text)),
        _ => Err(ClusterError::new(at, format!("{} is no value", short(text)))),
    }
}

/// The text before a closing quote, which must be the last of the line.
fn unquoted(quoted: &str) -> Option<String> {
    let mut text = String::new();
    let mut rest = quoted.chars();
    loop {
        match rest.next()? {
            '"' => return rest.as_str().is_empty().then_some(text),
            '\\' => text.push(match rest.next()? {
                'n' => '\n',
                'r' => '\r',
                't' => '\t',
                'a' => '\u{7}',
                'b' => '\u{8}',
                'x' => {
                    let digits = rest.as_str().get(..2)?;
                    rest = rest.as_str()[2..].chars();
                    char::from(u8::from_str_radix(digits, 16).ok()?)
                }
                other => other,
            }),
            other => text.push(other),
        }
    }
}
