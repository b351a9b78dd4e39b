//! [`Failures`] as tables, Markdown, CSV and JSON.

mod csv;

use std::fmt::Write as _;

use super::Table;
use super::table::{counted, escape_markdown, percent};
use crate::error::printable;
use crate::record::Basis;
use crate::record::failures::{
    Extreme, FailureFigures, FailureOutcome, FailureRow, Failures, LoadFigures, LossesOutcome,
};

pub use csv::csv;

/// The figures of keys, bytes or requests, where there are any.
type By = fn(&FailureFigures) -> Option<&LoadFigures>;

/// The tables: load, and, where asked for, replicas; by keys and, where they are
/// known, by bytes and by requests.
#[must_use]
pub fn tables(failures: &Failures) -> Vec<(&'static str, Table)> {
    let by: [(bool, By, [&'static str; 2]); 3] = [
        (true, |figures| Some(&figures.by_keys), ["Load of who survives", "Replicas, of all keys"]),
        (
            failures.workload.bytes.is_some(),
            |figures| figures.by_bytes.as_ref(),
            ["Load of who survives, by bytes", "Replicas, of all bytes"],
        ),
        (
            failures.workload.requests.is_some(),
            |figures| figures.by_requests.as_ref(),
            ["Load of who survives, by requests", "Replicas, of all requests"],
        ),
    ];
    let mut tables = Vec::new();
    for (_, by, titles) in by.into_iter().filter(|(told, ..)| *told) {
        tables.push((titles[0], load(failures, by)));
        if failures.replicas.is_some() {
            tables.push((titles[1], replicas(failures, by)));
        }
    }
    tables
}

/// For a terminal.
#[must_use]
pub fn text(failures: &Failures) -> String {
    let mut text = String::new();
    for line in heading(failures) {
        text += &printable(&line);
        text.push('\n');
    }
    for (title, table) in tables(failures) {
        let _ = write!(text, "\n{title}\n{}", table.text());
    }
    if !failures.notes.is_empty() {
        text.push('\n');
    }
    for note in &failures.notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    text
}

/// For a page.
#[must_use]
pub fn markdown(failures: &Failures) -> String {
    let mut text = String::new();
    for line in heading(failures) {
        let _ = writeln!(text, "{}  ", escape_markdown(&line));
    }
    for (title, table) in tables(failures) {
        let _ = write!(text, "\n**{title}**\n\n{}", table.markdown());
    }
    if !failures.notes.is_empty() {
        text.push('\n');
    }
    for note in &failures.notes {
        let _ = writeln!(text, "- {}", escape_markdown(note));
    }
    text
}

/// For a program: all of it as one object.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "plain data is always JSON")]
pub fn json(failures: &Failures) -> String {
    serde_json::to_string_pretty(failures).expect("failures are plain data") + "\n"
}

/// What fails, in a few lines.
fn heading(failures: &Failures) -> Vec<String> {
    let zones = match failures.zones {
        0 => String::new(),
        zones => format!(" in {}", counted(zones as u64, "zone")),
    };
    let nodes = failures.nodes as u64;
    let mut lines = vec![
        format!("failures: {}{zones}, each failure on its own", counted(nodes, "node")),
        format!("keys: {}", failures.workload.source),
    ];
    if let (Some(replicas), Some(due)) = (failures.replicas, failures.zones_due) {
        let due = counted(due as u64, "zone");
        lines.push(format!("replicas: {replicas} of each key, to be in {due}"));
    }
    lines
}

/// How many of how many fail: `28 pairs`, `500 of 4950 pairs`.
fn taken(row: &FailureRow) -> String {
    let (count, of, word) = (row.failures, row.of, row.kind.word());
    match (count, of) {
        (count, of) if count == of => counted(count, word),
        (count, of) => format!("{count} of {of} {word}s"),
    }
}

fn load(failures: &Failures, by: By) -> Table {
    let header = [
        "family",
        "failing",
        "lost",
        "peak/mean",
        "(mean)",
        "growth",
        "(mean)",
        "takers",
        "effective",
        "(mean)",
        "stray",
        "unserved",
        "basis",
    ];
    let times = |extreme: Option<&Extreme>| match extreme {
        Some(extreme) => [format!("{:.3}", extreme.worst), format!("{:.3}", extreme.mean)],
        None => ["-".to_owned(), "-".to_owned()],
    };
    let mut table = Table::new(header, 2).ending_in_words();
    for row in &failures.rows {
        let mut cells = vec![row.label(), taken(row)];
        match &row.outcome {
            FailureOutcome::Unsupported { unsupported } => {
                cells.resize(header.len() - 1, "-".into());
                cells.push(unsupported.clone());
            }
            FailureOutcome::Measured(figures) => {
                let Some(load) = by(figures) else { continue };
                cells.push(percent(load.lost.worst));
                cells.extend(times(load.peak_to_mean.as_ref()));
                cells.extend(times(load.growth.as_ref()));
                cells.push(load.takers.worst.to_string());
                cells.push(format!("{:.1}", load.effective_takers.worst));
                cells.push(format!("{:.1}", load.effective_takers.mean));
                cells.push(percent(load.stray.worst));
                cells.push(percent(load.unserved.worst));
                cells.push(figures.basis.word().into());
            }
        }
        table.push(cells);
    }
    table
}

fn replicas(failures: &Failures, by: By) -> Table {
    let sampled = failures.rows.iter().any(|row| {
        let FailureOutcome::Measured(figures) = &row.outcome else { return false };
        let replicas = by(figures).and_then(|load| load.replicas.as_ref());
        let basis = replicas.and_then(LossesOutcome::basis);
        basis == Some(Basis::Sampled)
    });
    let mut header = vec!["family", "failing", "all lost"];
    if sampled {
        header.push("95 % interval");
    }
    header.extend(["(mean)", "some lost", "(mean)", "few zones before", "left", "after", "basis"]);
    let mut table = Table::new(header.iter().copied(), 2).ending_in_words();
    for row in &failures.rows {
        let FailureOutcome::Measured(figures) = &row.outcome else { continue };
        let mut cells = vec![row.label(), taken(row)];
        match by(figures).and_then(|load| load.replicas.as_ref()) {
            None => continue,
            Some(LossesOutcome::Unsupported { unsupported }) => {
                cells.resize(header.len() - 1, "-".into());
                cells.push(unsupported.clone());
            }
            Some(LossesOutcome::Measured {
                basis,
                all_lost,
                all_lost_low,
                all_lost_high,
                some_lost,
                few_zones_before,
                few_zones_left,
                few_zones_after,
            }) => {
                cells.push(percent(all_lost.worst));
                if sampled {
                    cells.push(if *basis == Basis::Sampled {
                        format!("{:.2} to {}", all_lost_low * 100.0, percent(*all_lost_high))
                    } else {
                        "-".into()
                    });
                }
                cells.extend([
                    percent(all_lost.mean),
                    percent(some_lost.worst),
                    percent(some_lost.mean),
                    percent(*few_zones_before),
                    percent(few_zones_left.worst),
                    percent(few_zones_after.worst),
                    basis.word().into(),
                ]);
            }
        }
        table.push(cells);
    }
    table
}
