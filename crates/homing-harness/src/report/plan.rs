//! A [`Plan`] as text, Markdown, CSV and JSON.

use std::fmt::Write as _;

use super::difference::{self, plural, title};
use super::table::{escape_markdown, percent, size};
use super::{Format, Table};
use crate::error::printable;
use crate::measure::plan::Plan;

/// How many changes are told in the first line.
const TOLD: usize = 4;

/// The plan in a form; tables show the first `limit` rows.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "a plan is plain data")]
pub fn write(plan: &Plan, format: Format, limit: usize) -> Vec<u8> {
    match format {
        Format::Json => {
            let mut json = serde_json::to_vec_pretty(plan).expect("a plan is plain data");
            json.push(b'\n');
            json
        }
        Format::Csv => difference::csv(&plan.difference.moves),
        Format::Table => text(&heading(plan), &tables(plan, limit), &plan.notes),
        Format::Markdown => markdown(&heading(plan), &tables(plan, limit), &plan.notes),
    }
}

/// Lines, tables and notes for a terminal.
#[must_use]
pub fn text(lines: &[String], tables: &[(String, Table)], notes: &[String]) -> Vec<u8> {
    let mut text = String::new();
    for line in lines {
        text += &printable(line);
        text.push('\n');
    }
    for (title, table) in tables {
        let _ = write!(text, "\n{title}\n{}", table.text());
    }
    if !notes.is_empty() {
        text.push('\n');
    }
    for note in notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    text.into_bytes()
}

/// Lines, tables and notes for a page.
#[must_use]
pub fn markdown(lines: &[String], tables: &[(String, Table)], notes: &[String]) -> Vec<u8> {
    let mut text = String::new();
    for line in lines {
        let _ = writeln!(text, "{}  ", escape_markdown(line));
    }
    for (title, table) in tables {
        let _ = write!(text, "\n**{title}**\n\n{}", table.markdown());
    }
    if !notes.is_empty() {
        text.push('\n');
    }
    for note in notes {
        let _ = writeln!(text, "- {}", escape_markdown(note));
    }
    text.into_bytes()
}

/// What positions are called.
fn called(plan: &Plan) -> &str {
    // Whoever has an operator has a word of its own for them.
    if plan.alternatives.is_empty() { "positions" } else { "slots" }
}

fn heading(plan: &Plan) -> Vec<String> {
    let mut changes = plan.changes.iter().take(TOLD).cloned().collect::<Vec<_>>().join(", ");
    if plan.changes.len() > TOLD {
        let _ = write!(changes, " and {} more", plan.changes.len() - TOLD);
    }
    if changes.is_empty() {
        changes += "no other members";
    }
    let parameters =
        if plan.parameters.is_empty() { String::new() } else { format!(":{}", plan.parameters) };
    let mut lines = vec![
        format!(
            "{}{parameters}: {} to {} nodes ({changes}); any placement must move {}",
            plan.family,
            plan.nodes_before,
            plan.nodes_after,
            percent(plan.difference.optimal)
        ),
        format!("start {}, end {}", plan.start, plan.end),
    ];
    if let Some(workload) = &plan.workload {
        lines.push(format!("keys: {}", workload.source));
    }
    lines.push(difference::moved(&plan.difference, called(plan)));
    lines.extend(difference::unowned(&plan.difference, called(plan)));
    if let (Some(seconds), Some(rate)) = (plan.seconds, plan.rate) {
        // A rate is given in any unit: beside our own stands what it was counted as.
        let exact = if plan.unit == "bytes" { format!(" ({rate} B)") } else { String::new() };
        let rate = amount(rate, &plan.unit);
        lines.push(format!("takes {} at {rate}{exact} a second", duration(seconds)));
    }
    lines
}

fn tables(plan: &Plan, limit: usize) -> Vec<(String, Table)> {
    let mut tables = Vec::new();
    if !plan.alternatives.is_empty() {
        tables.push(("What the operator can do".to_owned(), alternatives(plan)));
    }
    tables.extend(difference::tables(&plan.difference, called(plan), limit));
    if !plan.steps.is_empty() {
        tables.push((title("Steps", plan.steps.len(), limit), steps(plan, limit)));
    }
    tables.extend(difference::moves(&plan.difference.moves, limit));
    tables
}

fn alternatives(plan: &Plan) -> Table {
    let loads = plan.alternatives.iter().any(|it| it.peak_to_mean.is_some());
    let mut header = vec!["by", "slots moved", "in runs", "ranges after"];
    header.extend(loads.then_some("peak/mean"));
    header.push("plan");
    let mut table = Table::new(header, 1).ending_in_words();
    for it in &plan.alternatives {
        let mut row = vec![
            it.prefer.to_owned(),
            it.positions.to_string(),
            it.runs.to_string(),
            it.ranges.to_string(),
        ];
        if loads {
            row.push(it.peak_to_mean.map_or_else(|| "-".into(), |peak| format!("{peak:.3}")));
        }
        row.push(if it.chosen { "this one" } else { "" }.to_owned());
        table.push(row);
    }
    table
}

fn steps(plan: &Plan, limit: usize) -> Table {
    let timed = plan.rate.is_some();
    // The positions of a hash are no numbers for people.
    let counted = plan.unit != "positions" || plan.difference.all.positions < Some(1 << 32);
    let mut header = vec!["step".to_owned()];
    header.extend(counted.then(|| plan.unit.clone()));
    header.push("of all".into());
    header.extend(timed.then(|| "time".to_owned()));
    header.extend(["leaves".to_owned(), "changes".into()]);
    let mut table = Table::new(header, 0).ending_in_words();
    for step in plan.steps.iter().take(limit) {
        let count = match &*plan.unit {
            "bytes" => step.moved.bytes,
            "keys" => step.moved.keys.map(u128::from),
            _ => step.moved.positions,
        };
        let mut row = vec![step.step.to_string()];
        row.extend(counted.then(|| match &*plan.unit {
            "bytes" => size(u64::try_from(count.unwrap_or(0)).unwrap_or(u64::MAX)),
            _ => count.unwrap_or(0).to_string(),
        }));
        row.push(percent(step.fraction));
        if let Some(seconds) = step.seconds {
            row.push(duration(seconds));
        }
        row.push(step.fingerprint.to_string());
        let mut changes = step.changes.iter().take(TOLD).cloned().collect::<Vec<_>>().join(", ");
        if step.changes.len() > TOLD {
            let more = step.changes.len() - TOLD;
            let _ = write!(changes, " and {more} more {}", plural(more, "change"));
        }
        if step.exceeds {
            changes += "; more than asked";
        }
        row.push(changes);
        table.push(row);
    }
    table
}

/// An amount with its unit: `1.5 MiB`, `12 keys`.
fn amount(count: f64, unit: &str) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is a size")]
    match unit {
        "bytes" => size(count as u64),
        unit if count.fract() == 0.0 => format!("{count:.0} {unit}"),
        unit => format!("{count} {unit}"),
    }
}

/// A time in the two units that fit it: `1 h 12 min`.
#[must_use]
pub fn duration(seconds: f64) -> String {
    const UNITS: [(&str, u64); 4] = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)];
    if seconds < 59.95 {
        return format!("{seconds:.1} s");
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is above 0")]
    let mut left = seconds.round() as u64;
    let first = UNITS.iter().position(|(_, length)| left >= *length).unwrap_or(UNITS.len() - 1);
    let mut parts = Vec::new();
    for (unit, length) in UNITS[first..].iter().take(2) {
        let count = left / length;
        left %= length;
        if count > 0 || parts.is_empty() {
            parts.push(format!("{count} {unit}"));
        }
    }
    parts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_the_two_units_that_fit_it() {
        let cases = [
            (0.0, "0.0 s"),
            (0.25, "0.2 s"),
            (59.94, "59.9 s"),
            (59.96, "1 min"),
            (61.0, "1 min 1 s"),
            (3600.0, "1 h"),
            (4321.0, "1 h 12 min"),
            (200_000.0, "2 d 7 h"),
        ];
        for (seconds, told) in cases {
            assert_eq!(duration(seconds), told);
        }
    }
}
