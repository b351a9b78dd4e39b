//! A [`Verification`] as text, Markdown, CSV and JSON.

use std::fmt::Write as _;

use super::Table;
use super::table::{counted, escape_markdown, percent};
use crate::error::{printable, quoted};
use crate::measure::{Disagreement, Explains, Found, Key, Verification};

const MEMORY: &str = "a vector takes every row";

/// Above this a cause is told with a warning.
const CHANCE: f64 = 0.01;

/// For a terminal.
#[must_use]
pub fn text(of: &Verification) -> String {
    let mut text = String::new();
    for line in heading(of) {
        let _ = writeln!(text, "{}", printable(&line));
    }
    for (title, table) in tables(of) {
        let _ = write!(text, "\n{title}\n{}", table.text());
    }
    let verdict = verdict(of);
    if !verdict.is_empty() {
        text.push('\n');
    }
    for line in verdict {
        let _ = writeln!(text, "{}", printable(&line));
    }
    text
}

/// For a page.
#[must_use]
pub fn markdown(of: &Verification) -> String {
    let mut text = String::new();
    for line in heading(of) {
        let _ = writeln!(text, "{}  ", escape_markdown(&line));
    }
    for (title, table) in tables(of) {
        let _ = write!(text, "\n**{title}**\n\n{}", table.markdown());
    }
    let verdict = verdict(of);
    if !verdict.is_empty() {
        text.push('\n');
    }
    for line in verdict {
        let _ = writeln!(text, "{}  ", escape_markdown(&line));
    }
    text
}

/// For a program: the whole as one object.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "plain data is always JSON")]
pub fn json(of: &Verification) -> String {
    serde_json::to_string_pretty(of).expect("a verification is plain data") + "\n"
}

/// For a spreadsheet: the rows that do not agree, as many as are listed.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "a vector takes every row")]
pub fn csv(of: &Verification) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["line", "key", "theirs", "ours"]).expect(MEMORY);
    for row in &of.first_disagreements {
        writer.write_record(cells(row)).expect(MEMORY);
    }
    writer.into_inner().expect(MEMORY)
}

/// How many agree, and what is wrong with the file, in a few lines.
fn heading(of: &Verification) -> Vec<String> {
    let mut family = of.family.clone();
    if !of.parameters.is_empty() {
        let _ = write!(family, ":{}", of.parameters);
    }
    let mut lines = vec![format!(
        "{family}: {} of {} agree ({}) in {}",
        of.agree,
        counted(of.rows, "row"),
        percent(of.share),
        of.source
    )];
    if of.unreadable > 0 {
        lines.push(format!("{} could not be read", counted(of.unreadable, "row")));
    }
    if of.unknown.rows > 0 {
        let first: Vec<String> = of
            .unknown
            .first
            .iter()
            .map(|node| {
                let (name, rows) = (quoted(node.node.as_bytes()), counted(node.rows, "row"));
                format!("{name} on {rows}, the first at line {}", node.line)
            })
            .collect();
        let more = match (of.unknown.nodes - first.len(), first.is_empty()) {
            (0, _) => String::new(),
            (count, true) => format!("{count} of them"),
            (count, false) => format!("; and {count} more"),
        };
        lines.push(format!(
            "{} on nodes that are no members: {}{more}",
            counted(of.unknown.rows, "row"),
            first.join("; ")
        ));
    }
    if of.duplicates.rows > 0 {
        let first = of.duplicates.first.first().map_or_else(String::new, |first| {
            let key = shown(&first.key);
            format!(": {key} at line {}, before at line {}", first.line, first.before)
        });
        lines.push(format!(
            "{} with a key that stood before, {} of them with another node{first}",
            counted(of.duplicates.rows, "row"),
            of.duplicates.conflicting
        ));
    }
    lines
}

fn tables(of: &Verification) -> Vec<(&'static str, Table)> {
    let mut tables = Vec::new();
    if !of.first_disagreements.is_empty() {
        let mut table = Table::new(["line", "key", "theirs", "ours"], 4);
        for row in &of.first_disagreements {
            table.push(cells(row).to_vec());
        }
        tables.push(("The first that do not agree", table));
    }
    if !of.causes.is_empty() {
        let mut table = Table::new(["cause", "agree", "share"], 1);
        for cause in &of.causes {
            let share = percent(cause.share);
            table.push(vec![cause.name.clone(), cause.agree.to_string(), share]);
        }
        tables.push(("Causes under which more agree", table));
    }
    tables
}

/// Which cause it is, if any was looked for.
fn verdict(of: &Verification) -> Vec<String> {
    let Some(Found { tried, explains, alike, chance }) = &of.cause else {
        if of.tried == 0 {
            return Vec::new();
        }
        let causes = counted(of.tried as u64, "known cause");
        return vec![format!("cause: none of {causes} and pairs of causes explains most")];
    };
    let extent = match explains {
        Explains::All => format!("all {} agree", counted(of.rows, "row")),
        Explains::Most => format!(
            "{} of {} agree ({}), most but not all",
            tried.agree,
            counted(of.rows, "row"),
            percent(tried.share)
        ),
    };
    let mut lines = vec![format!("cause: {}: {extent}", tried.name)];
    if !alike.is_empty() {
        lines.push(format!("these rows cannot tell it from: {}", alike.join(" | ")));
    }
    if *chance > CHANCE {
        lines.push(format!(
            "note: with so few rows one of {} causes and pairs can agree as well by chance",
            of.tried
        ));
    }
    lines
}

fn cells(row: &Disagreement) -> [String; 4] {
    let node = |node: &Option<String>| node.clone().unwrap_or_default();
    let key = match row.key.key_hex {
        None => row.key.key.clone(),
        Some(_) => shown(&row.key),
    };
    [row.line.to_string(), key, node(&row.theirs), node(&row.ours)]
}

/// A key in quotes.
fn shown(key: &Key) -> String {
    let bytes = key.key_hex.as_ref().and_then(|digits| hex::decode(digits).ok());
    quoted(&bytes.unwrap_or_else(|| key.key.clone().into_bytes()))
}
