//! [`Trials`] as text, Markdown, CSV and JSON.

use std::fmt::Write as _;

use super::table::{escape_markdown, percent};
use super::{Format, Table, verify};
use crate::error::printable;
use crate::measure::{Trial, Trials};

const MEMORY: &str = "a vector takes every row";

/// In the form asked for.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "plain data is always JSON")]
pub fn written(of: &Trials, format: Format) -> Vec<u8> {
    match format {
        Format::Table => text(of).into_bytes(),
        Format::Markdown => markdown(of).into_bytes(),
        Format::Csv => csv(of),
        Format::Json => {
            let json = serde_json::to_string_pretty(of).expect("trials are plain data");
            (json + "\n").into_bytes()
        }
    }
}

fn text(of: &Trials) -> String {
    let mut text = heading(of);
    if let Some(table) = table(of) {
        let _ = write!(text, "\n{}", table.text());
    }
    for line in notes(of) {
        let _ = write!(text, "\n{}\n", printable(&line));
    }
    for family in &of.families {
        let _ = write!(text, "\n{}", verify::text(family));
    }
    text
}

fn markdown(of: &Trials) -> String {
    let mut text = escape_markdown(heading(of).trim_end()) + "\n";
    if let Some(table) = table(of) {
        let _ = write!(text, "\n{}", table.markdown());
    }
    for line in notes(of) {
        let _ = write!(text, "\n{}\n", escape_markdown(&line));
    }
    for family in &of.families {
        let _ = write!(text, "\n{}", verify::markdown(family));
    }
    text
}

/// A row a preset that agrees, or comes nearest.
fn csv(of: &Trials) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["preset", "family", "agree", "rows"]).expect(MEMORY);
    for trial in of.agree.iter().chain(&of.nearest) {
        let (agree, rows) = (trial.agree.to_string(), of.rows.to_string());
        writer.write_record([&trial.preset, &trial.family, &agree, &rows]).expect(MEMORY);
    }
    writer.into_inner().expect(MEMORY)
}

fn heading(of: &Trials) -> String {
    let source = printable(&of.source);
    let rows = of.rows;
    let all = if rows == 1 { "the one row".to_owned() } else { format!("all {rows} rows") };
    match &of.agree[..] {
        [] if of.tried <= 1 => {
            let told = of.nearest.first().map_or("0".to_owned(), |trial| trial.agree.to_string());
            format!("{told} of {rows} rows agree in {source}\n")
        }
        [] => format!("none of {} presets agrees with {all} in {source}\n", of.tried),
        [one] if of.tried == 1 => {
            format!("{} agrees with {all} in {source}\n", one.preset)
        }
        [one] => {
            format!("{} agrees with {all} in {source}, the only one of {}\n", one.preset, of.tried)
        }
        several => format!(
            "{} of {} presets agree with {all} in {source}, which cannot tell them \
             apart\n",
            several.len(),
            of.tried
        ),
    }
}

fn table(of: &Trials) -> Option<Table> {
    let trials: Vec<&Trial> = of.agree.iter().chain(&of.nearest).collect();
    if trials.is_empty() {
        return None;
    }
    let header = ["preset", "family", "agrees with", "agree", "share"];
    let mut table = Table::new(header, 3);
    for trial in trials {
        table.push(vec![
            trial.preset.clone(),
            trial.family.clone(),
            trial.agrees_with.clone(),
            trial.agree.to_string(),
            percent(trial.share),
        ]);
    }
    Some(table)
}

/// What a reader must know besides, a line each.
fn notes(of: &Trials) -> Vec<String> {
    let mut notes = Vec::new();
    if of.unknown.rows > 0 {
        let first = of.unknown.first.first().map_or("", |node| &node.node);
        notes.push(match of.unknown.rows {
            1 => format!("1 row is on a node that is no member, {first:?}"),
            rows => format!("{rows} rows are on nodes that are no members, the first is {first:?}"),
        });
    }
    if of.duplicates.conflicting > 0 {
        let conflicting = of.duplicates.conflicting;
        notes.push(format!(
            "{conflicting} of the rows have a key that stood before on another node"
        ));
    }
    if of.labelled {
        notes.push(
            "the members have labels, as a manifest has them, which every preset hashes in place \
             of what it else does"
                .to_owned(),
        );
    }
    if let Some(first) = of.skipped.first() {
        let names: Vec<&str> = of.skipped.iter().map(|skip| &*skip.preset).collect();
        notes.push(format!("not tried: {}; of the first: {}", names.join(", "), first.reason));
    }
    if !of.families.is_empty() {
        notes.push("of no preset, but of a family:".to_owned());
    }
    notes
}
