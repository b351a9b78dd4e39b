//! A [`StepRun`] as tables, Markdown, CSV and JSON.

use std::fmt::Write as _;

use super::table::{escape_markdown, percent};
use super::{Format, Table};
use crate::error::printable;
use crate::record::{
    Basis, Returned, StepMeasured, StepRow, StepRun, SumMeasured, SumRow, Told, label,
};

const MEMORY: &str = "a vector takes every row";

/// What a command prints of a run.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "plain data is always JSON")]
pub fn written(run: &StepRun, format: Format) -> Vec<u8> {
    match format {
        Format::Table => text(run).into_bytes(),
        Format::Markdown => markdown(run).into_bytes(),
        Format::Csv => csv(run),
        Format::Json => {
            let text = serde_json::to_string_pretty(run).expect("a run is plain data");
            (text + "\n").into_bytes()
        }
    }
}

/// The run as a part of a page: what the steps come to, and what each moved, a
/// column a family.
#[must_use]
pub fn page(run: &StepRun) -> String {
    in_markdown(run, &[("Sum of the steps", sums(run)), ("Moved in each step", moved(run))])
}

fn tables(run: &StepRun) -> [(&'static str, Table); 2] {
    [("Steps", rows(run)), ("Sum of the steps", sums(run))]
}

fn text(run: &StepRun) -> String {
    let mut text = String::new();
    for line in heading(run) {
        text += &printable(&line);
        text.push('\n');
    }
    for (title, table) in tables(run) {
        let _ = write!(text, "\n{title}\n{}", table.text());
    }
    if !run.notes.is_empty() {
        text.push('\n');
    }
    for note in &run.notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    text
}

fn markdown(run: &StepRun) -> String {
    in_markdown(run, &tables(run))
}

fn in_markdown(run: &StepRun, tables: &[(&str, Table)]) -> String {
    let mut text = String::new();
    for line in heading(run) {
        let _ = writeln!(text, "{}  ", escape_markdown(&line));
    }
    for (title, table) in tables {
        let _ = write!(text, "\n**{title}**\n\n{}", table.markdown());
    }
    if !run.notes.is_empty() {
        text.push('\n');
    }
    for note in &run.notes {
        let _ = writeln!(text, "- {}", escape_markdown(note));
    }
    text
}

/// What is taken through the steps, in a few lines.
fn heading(run: &StepRun) -> Vec<String> {
    let steps = run.steps.len();
    vec![
        format!(
            "{}: {} to {} nodes in {steps} {}; any placement must move {} in all, and {} as one change",
            run.scenario,
            run.nodes_before,
            run.nodes_after,
            if steps == 1 { "step" } else { "steps" },
            percent(run.optimal),
            percent(run.optimal_at_once)
        ),
        format!("keys: {}", run.workload.source),
    ]
}

fn rows(run: &StepRun) -> Table {
    let figures = || run.rows.iter().filter_map(|row| row.outcome.measured());
    let sampled = |row: &StepMeasured| row.basis == Basis::Sampled;
    let interval = figures().any(sampled);
    let bytes = figures().any(|row| row.moved_bytes.is_some());
    let requests = figures().any(|row| row.moved_requests.is_some());
    let unowned = figures().any(|row| row.uncovered.unwrap_or(0) > 0);
    let mut header = vec!["family", "step", "moved"];
    header.extend(interval.then_some("95 % interval"));
    header.extend(bytes.then_some("bytes moved"));
    header.extend(requests.then_some("requests moved"));
    header.extend(["optimal", "stray", "peak/mean", "cv"]);
    header.extend(unowned.then_some("unowned"));
    header.push("basis");
    let mut table = Table::new(header.iter().copied(), 2).ending_in_words();
    let mut stopped = None;
    for row in &run.rows {
        let way = label(&row.family, &row.parameters);
        let here = row.outcome.measured().is_none();
        // Of a way that has stopped, the first row says all there is.
        if here && stopped.as_ref() == Some(&way) {
            continue;
        }
        stopped = here.then(|| way.clone());
        let mut cells = vec![way, numbered(row)];
        match &row.outcome {
            Told::Unsupported { unsupported } => {
                cells.resize(header.len() - 1, "-".into());
                cells.push(unsupported.clone());
            }
            Told::Measured(figures) => {
                cells.push(percent(figures.moved));
                if interval {
                    cells.push(if sampled(figures) {
                        let (low, high) = (figures.moved_low, figures.moved_high);
                        format!("{:.2} to {}", low * 100.0, percent(high))
                    } else {
                        "-".into()
                    });
                }
                cells.extend(bytes.then(|| maybe(figures.moved_bytes)));
                cells.extend(requests.then(|| maybe(figures.moved_requests)));
                cells.extend([
                    percent(figures.optimal),
                    percent(figures.stray),
                    format!("{:.3}", figures.peak_to_mean),
                    percent(figures.cv),
                ]);
                cells.extend(unowned.then(|| slots(figures.uncovered)));
                cells.push(figures.basis.word().into());
            }
        }
        table.push(cells);
    }
    table
}

fn sums(run: &StepRun) -> Table {
    let figures = || run.sums.iter().filter_map(|row| row.outcome.measured());
    let bytes = figures().any(|row| row.moved_bytes.is_some());
    let requests = figures().any(|row| row.moved_requests.is_some());
    let unowned = figures().any(|row| row.uncovered.unwrap_or(0) > 0);
    let mut header = vec!["family", "moved"];
    header.extend(bytes.then_some("bytes moved"));
    header.extend(requests.then_some("requests moved"));
    header.extend(["optimal", "stray", "moved once or more", "moved as one change"]);
    header.extend(unowned.then_some("unowned"));
    header.push(if run.undone { "back where it was" } else { "basis" });
    let mut table = Table::new(header.iter().copied(), 1).ending_in_words();
    for row in &run.sums {
        let mut cells = vec![label(&row.family, &row.parameters)];
        match &row.outcome {
            Told::Unsupported { unsupported } => {
                cells.resize(header.len() - 1, "-".into());
                cells.push(unsupported.clone());
            }
            Told::Measured(figures) => {
                cells.push(percent(figures.moved));
                cells.extend(bytes.then(|| maybe(figures.moved_bytes)));
                cells.extend(requests.then(|| maybe(figures.moved_requests)));
                cells.extend([
                    percent(figures.optimal),
                    percent(figures.stray),
                    percent(figures.moved_once),
                    percent(figures.moved_at_once),
                ]);
                cells.extend(unowned.then(|| slots(figures.uncovered)));
                cells.push(match figures.returned {
                    Some(returned) => back(returned, figures.basis),
                    None => figures.basis.word().into(),
                });
            }
        }
        table.push(cells);
    }
    table
}

/// A row a step, and a column a family: what moved, with what strayed of it.
fn moved(run: &StepRun) -> Table {
    let name = |row: &SumRow| label(&row.family, &row.parameters);
    let mut header = vec!["step".to_owned(), "optimal".to_owned()];
    header.extend(run.sums.iter().map(name));
    let mut table = Table::new(header, 1);
    for step in &run.steps {
        let mut cells = vec![format!("{}: {}", step.step, step.name), percent(step.optimal)];
        for sum in &run.sums {
            let ours = |row: &&StepRow| {
                row.step == step.step && label(&row.family, &row.parameters) == name(sum)
            };
            let figures = run.rows.iter().find(ours).and_then(|row| row.outcome.measured());
            cells.push(match figures {
                None => "-".to_owned(),
                Some(row) if row.stray > 0.0 => {
                    format!("{} (stray {})", percent(row.moved), percent(row.stray))
                }
                Some(row) => percent(row.moved),
            });
        }
        table.push(cells);
    }
    table
}

/// A row a family and step, then a row a family for the sum, every figure in a
/// column of its own.
fn csv(run: &StepRun) -> Vec<u8> {
    const HEADER: [&str; 26] = [
        "family",
        "parameters",
        "step",
        "name",
        "moved",
        "moved_low",
        "moved_high",
        "optimal",
        "stray",
        "stray_low",
        "stray_high",
        "peak_to_mean",
        "cv",
        "basis",
        "uncovered",
        "moved_bytes",
        "moved_requests",
        "moved_once",
        "moved_once_low",
        "moved_once_high",
        "moved_at_once",
        "moved_at_once_low",
        "moved_at_once_high",
        "returned_fingerprint",
        "returned_map",
        "unsupported",
    ];
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(HEADER).expect(MEMORY);
    let mut write = |opening: [String; 4], figures: Result<Vec<String>, &String>| {
        let mut cells = opening.to_vec();
        let unsupported = match figures {
            Ok(figures) => {
                cells.extend(figures);
                String::new()
            }
            Err(unsupported) => unsupported.clone(),
        };
        cells.resize(HEADER.len() - 1, String::new());
        cells.push(unsupported);
        writer.write_record(&cells).expect(MEMORY);
    };
    for row in &run.rows {
        let step = row.step.to_string();
        let opening = [row.family.clone(), row.parameters.clone(), step, row.name.clone()];
        write(opening, figures(&row.outcome, step_cells));
    }
    for row in &run.sums {
        let opening = [row.family.clone(), row.parameters.clone(), "sum".to_owned(), String::new()];
        write(opening, figures(&row.outcome, sum_cells));
    }
    writer.into_inner().expect(MEMORY)
}

fn figures<T>(told: &Told<T>, cells: fn(&T) -> Vec<String>) -> Result<Vec<String>, &String> {
    match told {
        Told::Measured(figures) => Ok(cells(figures)),
        Told::Unsupported { unsupported } => Err(unsupported),
    }
}

/// The cells from `moved` on.
fn step_cells(row: &StepMeasured) -> Vec<String> {
    let mut cells: Vec<String> = [
        row.moved,
        row.moved_low,
        row.moved_high,
        row.optimal,
        row.stray,
        row.stray_low,
        row.stray_high,
        row.peak_to_mean,
        row.cv,
    ]
    .map(|figure| figure.to_string())
    .to_vec();
    cells.push(row.basis.word().to_owned());
    cells.push(cell(row.uncovered));
    cells.extend([row.moved_bytes, row.moved_requests].map(cell));
    cells
}

/// The cells from `moved` on; a sum has no interval, and no evenness of its own.
fn sum_cells(row: &SumMeasured) -> Vec<String> {
    let mut cells = vec![row.moved.to_string(), String::new(), String::new()];
    cells.extend([row.optimal, row.stray].map(|figure| figure.to_string()));
    cells.resize(cells.len() + 4, String::new());
    cells.push(row.basis.word().to_owned());
    cells.push(cell(row.uncovered));
    cells.extend([row.moved_bytes, row.moved_requests].map(cell));
    let parts = [
        row.moved_once,
        row.moved_once_low,
        row.moved_once_high,
        row.moved_at_once,
        row.moved_at_once_low,
        row.moved_at_once_high,
    ];
    cells.extend(parts.map(|figure| figure.to_string()));
    cells.push(cell(row.returned.map(|returned| returned.fingerprint)));
    cells.push(cell(row.returned.map(|returned| returned.map)));
    cells
}

/// Whether a layout is back, in words.
fn back(returned: Returned, basis: Basis) -> String {
    let over = if basis == Basis::Exact { "positions" } else { "keys" };
    match (returned.fingerprint, returned.map) {
        (true, true) => "yes".to_owned(),
        (false, true) => format!("yes by all {over}; another fingerprint"),
        (true, false) => format!("no by {over}; the same fingerprint"),
        (false, false) => "no".to_owned(),
    }
}

fn cell<T: ToString>(figure: Option<T>) -> String {
    figure.map_or_else(String::new, |figure| figure.to_string())
}

fn maybe(fraction: Option<f64>) -> String {
    fraction.map_or_else(|| "-".to_owned(), percent)
}

fn slots(uncovered: Option<u64>) -> String {
    match uncovered.unwrap_or(0) {
        0 => "-".to_owned(),
        slots => format!("{slots} slots"),
    }
}

/// The step of a row, with its number.
fn numbered(row: &StepRow) -> String {
    format!("{}: {}", row.step, row.name)
}
