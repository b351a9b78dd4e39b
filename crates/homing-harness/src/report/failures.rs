//! [`Failures`] as tables, Markdown, CSV and JSON.

use std::fmt::Write as _;

use super::Table;
use super::table::{counted, escape_markdown, percent};
use crate::error::printable;
use crate::record::Basis;
use crate::record::failures::{
    Extreme, Failure, FailureFigures, FailureOutcome, FailureRow, Failures, LossesOutcome,
};

const MEMORY: &str = "a vector takes every row";

/// The tables: load, and, where asked for, replicas.
#[must_use]
pub fn tables(failures: &Failures) -> Vec<(&'static str, Table)> {
    let mut tables = vec![("Load of who survives", load(failures))];
    if failures.replicas.is_some() {
        tables.push(("Replicas, of all keys", replicas(failures)));
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

/// For a spreadsheet: a row a failure.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "a vector takes every row")]
pub fn csv(failures: &Failures) -> Vec<u8> {
    let header = [
        "family",
        "parameters",
        "kind",
        "zone",
        "node",
        "node2",
        "survivors",
        "lost",
        "peak_to_mean",
        "peak_node",
        "growth",
        "growth_node",
        "takers",
        "effective_takers",
        "stray",
        "unserved",
        "basis",
        "all_lost",
        "all_lost_low",
        "all_lost_high",
        "some_lost",
        "few_zones_before",
        "few_zones_left",
        "few_zones_after",
        "unsupported",
    ];
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(header).expect(MEMORY);
    for row in &failures.rows {
        let first = [row.family.clone(), row.parameters.clone(), row.kind.word().to_owned()];
        match &row.outcome {
            FailureOutcome::Unsupported { unsupported } => {
                let mut cells = first.to_vec();
                cells.resize(header.len() - 1, String::new());
                cells.push(unsupported.clone());
                writer.write_record(&cells).expect(MEMORY);
            }
            FailureOutcome::Measured(figures) => {
                for failure in &figures.each {
                    let cells = first.iter().cloned().chain(csv_cells(figures, failure));
                    writer.write_record(cells.map(String::into_bytes)).expect(MEMORY);
                }
            }
        }
    }
    writer.into_inner().expect(MEMORY)
}

fn csv_cells(figures: &FailureFigures, failure: &Failure) -> Vec<String> {
    let figure = |figure: Option<f64>| figure.map_or_else(String::new, |figure| figure.to_string());
    let mut cells = vec![failure.zone.clone().unwrap_or_default()];
    // Of a zone the nodes are told by the members file.
    let nodes = if failure.zone.is_some() { &[][..] } else { &failure.nodes };
    cells.extend((0..2).map(|i| nodes.get(i).cloned().unwrap_or_default()));
    cells.extend([
        failure.survivors.to_string(),
        failure.lost.to_string(),
        figure(failure.peak_to_mean),
        failure.peak_node.clone().unwrap_or_default(),
        figure(failure.growth),
        failure.growth_node.clone().unwrap_or_default(),
        failure.takers.to_string(),
        failure.effective_takers.to_string(),
        failure.stray.to_string(),
        failure.unserved.to_string(),
        figures.basis.word().to_owned(),
    ]);
    match &failure.replicas {
        None => cells.extend([const { String::new() }; 7]),
        Some(losses) => cells.extend(
            [
                losses.all_lost,
                losses.all_lost_low,
                losses.all_lost_high,
                losses.some_lost,
                losses.few_zones_before,
                losses.few_zones_left,
                losses.few_zones_after,
            ]
            .map(|part| part.to_string()),
        ),
    }
    cells.push(String::new());
    cells
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

fn load(failures: &Failures) -> Table {
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
                cells.push(percent(figures.lost.worst));
                cells.extend(times(figures.peak_to_mean.as_ref()));
                cells.extend(times(figures.growth.as_ref()));
                cells.push(figures.takers.worst.to_string());
                cells.push(format!("{:.1}", figures.effective_takers.worst));
                cells.push(format!("{:.1}", figures.effective_takers.mean));
                cells.push(percent(figures.stray.worst));
                cells.push(percent(figures.unserved.worst));
                cells.push(figures.basis.word().into());
            }
        }
        table.push(cells);
    }
    table
}

fn replicas(failures: &Failures) -> Table {
    let sampled = failures.rows.iter().any(|row| {
        let FailureOutcome::Measured(figures) = &row.outcome else { return false };
        let replicas = figures.replicas.as_ref();
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
        match &figures.replicas {
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
