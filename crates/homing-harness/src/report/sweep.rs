//! A [`ParameterSweep`] as a table, Markdown, CSV and JSON.

use std::fmt::Write as _;

use super::Table;
use super::table::{counted, escape_markdown, percent, size, time};
use crate::error::printable;
use crate::record::sweep::{Answer, Miss, Over, ParameterSweep, SweepRow};

const MEMORY: &str = "a vector takes every row";

/// For a terminal.
#[must_use]
pub fn text(sweep: &ParameterSweep) -> String {
    let mut text = String::new();
    for line in heading(sweep) {
        let _ = writeln!(text, "{}", printable(&line));
    }
    for (title, table) in tables(sweep) {
        let _ = write!(text, "\n{title}\n{}", table.text());
    }
    text.push('\n');
    if let Some(answer) = &sweep.answer {
        let _ = writeln!(text, "{}", printable(&said(sweep, answer)));
    }
    for note in &sweep.notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    text
}

/// For a page.
#[must_use]
pub fn markdown(sweep: &ParameterSweep) -> String {
    let mut text = String::new();
    for line in heading(sweep) {
        let _ = writeln!(text, "{}  ", escape_markdown(&line));
    }
    for (title, table) in tables(sweep) {
        let _ = write!(text, "\n**{title}**\n\n{}", table.markdown());
    }
    if let Some(answer) = &sweep.answer {
        let _ = writeln!(text, "\n{}", escape_markdown(&said(sweep, answer)));
    }
    if !sweep.notes.is_empty() {
        text.push('\n');
    }
    for note in &sweep.notes {
        let _ = writeln!(text, "- {}", escape_markdown(note));
    }
    text
}

/// For a program: all of it as one object.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "plain data is always JSON")]
pub fn json(sweep: &ParameterSweep) -> String {
    serde_json::to_string_pretty(sweep).expect("a sweep is plain data") + "\n"
}

/// For a spreadsheet: a row a value.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "a vector takes every row")]
pub fn csv(sweep: &ParameterSweep) -> Vec<u8> {
    let mut header: Vec<String> =
        ["family", "parameters", "parameter", "value", "listed"].map(str::to_owned).to_vec();
    for figure in ["cv", "peak_to_mean", "moved_join", "moved_leave"] {
        header.extend(["mean", "min", "max"].map(|of| format!("{figure}_{of}")));
    }
    let last = [
        "cv_expected",
        "peak_expected",
        "memory_bytes",
        "build_ns",
        "lookup_ns",
        "hash_ns",
        "meets",
    ];
    header.extend(last.map(str::to_owned));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&header).expect(MEMORY);
    for row in &sweep.rows {
        let over = |over: Option<Over>| match over {
            Some(over) => [over.mean, over.min, over.max].map(|figure| figure.to_string()),
            None => [const { String::new() }; 3],
        };
        let some = |figure: Option<f64>| figure.map_or_else(String::new, |it| it.to_string());
        let mut cells = vec![
            sweep.family.clone(),
            sweep.parameters.clone(),
            sweep.parameter.clone(),
            row.value.to_string(),
            row.listed.to_string(),
        ];
        for figure in [Some(row.cv), Some(row.peak_to_mean), row.moved_join, row.moved_leave] {
            cells.extend(over(figure));
        }
        cells.extend([
            some(row.cv_expected),
            some(row.peak_expected),
            row.memory_bytes.to_string(),
            row.build_ns.to_string(),
            row.lookup_ns.to_string(),
            row.hash_ns.to_string(),
            row.meets.map_or_else(String::new, |meets| meets.to_string()),
        ]);
        writer.write_record(&cells).expect(MEMORY);
    }
    writer.into_inner().expect(MEMORY)
}

fn label(sweep: &ParameterSweep) -> String {
    if sweep.parameters.is_empty() {
        sweep.family.clone()
    } else {
        format!("{}:{}", sweep.family, sweep.parameters)
    }
}

fn heading(sweep: &ParameterSweep) -> Vec<String> {
    let seeds = match sweep.seeds {
        1 => "one seed".to_owned(),
        seeds => format!("{seeds} seeds of the hash"),
    };
    let basis = sweep.basis.word();
    vec![format!(
        "{} over {}: {}, {seeds} a value, {basis}",
        label(sweep),
        sweep.parameter,
        counted(sweep.nodes as u64, "node")
    )]
}

/// The tables of a sweep: how even the load is and what moves; times and memory.
#[must_use]
pub fn tables(sweep: &ParameterSweep) -> Vec<(&'static str, Table)> {
    vec![("Load and moves", load(sweep)), ("Time and memory", costs(sweep))]
}

fn load(sweep: &ParameterSweep) -> Table {
    let theory = sweep.rows.iter().any(|row| row.cv_expected.is_some());
    let peaks = sweep.rows.iter().any(|row| row.peak_expected.is_some());
    let several = sweep.seeds > 1;
    let mut header = vec![sweep.parameter.clone(), "cv".into()];
    let mut column = |there: bool, name: &str| {
        if there {
            header.push(name.to_owned());
        }
    };
    column(several, "from, to");
    column(theory, "formula");
    column(true, "peak/mean");
    column(several, "from, to");
    column(peaks, "formula");
    let optimal = percent(sweep.optimal_join);
    column(true, &format!("joining ({optimal})"));
    let optimal = sweep.optimal_leave.map(percent);
    column(optimal.is_some(), &format!("leaving ({})", optimal.as_deref().unwrap_or_default()));
    column(sweep.answer.is_some(), "target");
    let mut table = Table::new(header, 0);
    for row in &sweep.rows {
        let mut cells = vec![row.value.to_string(), percent(row.cv.mean)];
        let mut cell = |there: bool, text: String| {
            if there {
                cells.push(text);
            }
        };
        let none = || "-".to_owned();
        let of = |figure: Option<Over>| figure.map_or_else(none, |over| percent(over.mean));
        let (least, most) = (row.cv.min * 100.0, percent(row.cv.max));
        cell(several, format!("{least:.2} to {most}"));
        cell(theory, row.cv_expected.map_or_else(none, percent));
        let peak = row.peak_to_mean;
        cell(true, format!("{:.3}", peak.mean));
        cell(several, format!("{:.3} to {:.3}", peak.min, peak.max));
        cell(peaks, row.peak_expected.map_or_else(none, |peak| format!("{peak:.3}")));
        cell(true, of(row.moved_join));
        cell(sweep.optimal_leave.is_some(), of(row.moved_leave));
        cell(sweep.answer.is_some(), met(sweep, row).into());
        table.push(cells);
    }
    table
}

/// What the row is to the targets, in a word.
fn met(sweep: &ParameterSweep, row: &SweepRow) -> &'static str {
    match (&sweep.answer, row.meets) {
        (Some(answer), _) if answer.value == row.value && !answer.met => "nearest",
        (Some(answer), _) if answer.value == row.value => which(sweep),
        (_, Some(true)) => "met",
        _ => "-",
    }
}

/// Whether the least value is looked for, or the greatest.
fn which(sweep: &ParameterSweep) -> &'static str {
    let targets = sweep.targets;
    if targets.cv.is_none() && targets.peak_to_mean.is_none() && sweep.parameter != "seed" {
        "greatest"
    } else {
        "least"
    }
}

fn costs(sweep: &ParameterSweep) -> Table {
    let name = sweep.parameter.as_str();
    let mut table = Table::new([name, "lookup", "hash alone", "build", "memory"], 0);
    for row in &sweep.rows {
        table.push(vec![
            row.value.to_string(),
            time(row.lookup_ns),
            time(row.hash_ns),
            time(row.build_ns),
            size(row.memory_bytes),
        ]);
    }
    table
}

/// The answer in a sentence.
fn said(sweep: &ParameterSweep, answer: &Answer) -> String {
    let targets = sweep.targets;
    let asked: Vec<String> = [
        targets.cv.map(|cv| format!("cv at most {}", small(cv))),
        targets.peak_to_mean.map(|peak| format!("peak/mean at most {peak}")),
        targets.memory_bytes.map(|bytes| format!("memory at most {}", size(bytes))),
    ]
    .into_iter()
    .flatten()
    .collect();
    let asked = asked.join(", ");
    let (name, value) = (&sweep.parameter, answer.value);
    if answer.met {
        return format!("the {} {name} with {asked}: {value}", which(sweep));
    }
    let misses: Vec<String> = answer.misses.iter().map(missed).collect();
    format!(
        "no {name} from {} to {} with {asked}: the nearest is {value}, with {}",
        answer.from,
        answer.to,
        misses.join(" and ")
    )
}

/// A part in per cent, to four digits after the point where two show nothing.
fn small(part: f64) -> String {
    if part > 0.0 && part < 0.000_1 { format!("{:.4} %", part * 100.0) } else { percent(part) }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a size in bytes, told to a few digits"
)]
fn missed(miss: &Miss) -> String {
    let by = miss.found - miss.asked;
    match miss.figure {
        "memory_bytes" => {
            format!("{} of memory, {} too much", size(miss.found as u64), size(by as u64))
        }
        "cv" => format!("a cv of {}, {} too much", small(miss.found), small(by)),
        _ => format!("a peak/mean of {:.3}, {by:.3} too much", miss.found),
    }
}
