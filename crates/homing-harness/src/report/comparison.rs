//! A [`Comparison`] as tables, Markdown, CSV and JSON.

use std::fmt::Write as _;

use super::Table;
use super::table::{escape_markdown, percent, rate, size, time};
use crate::error::printable;
use crate::record::{
    Basis, Comparison, Measured, Outcome, Replicas, Row, Single, Throughput, Weighed,
};

const MEMORY: &str = "a vector takes every row";

/// The tables of a comparison: what moves and how even it is, by keys and, where
/// they are known, by bytes and by requests; replicas; times and memory; where they
/// were timed, single lookups and the keys a second.
#[must_use]
pub fn tables(comparison: &Comparison) -> Vec<(&'static str, Table)> {
    let mut tables = vec![("By keys", by_keys(comparison))];
    if comparison.workload.bytes.is_some() {
        tables.push(("By bytes", weighed(comparison, |row| row.by_bytes.as_ref())));
    }
    if comparison.workload.requests.is_some() {
        tables.push(("By requests", weighed(comparison, |row| row.by_requests.as_ref())));
    }
    if comparison.replicas.is_some() {
        tables.push(("Sets of replicas", replicas(comparison)));
    }
    tables.push(("Time and memory", costs(comparison)));
    if comparison.rows.iter().filter_map(Row::measured).any(|row| row.single.is_some()) {
        tables.push(("Single lookups, and keys a second", lookups(comparison)));
    }
    tables
}

/// For a terminal.
#[must_use]
pub fn text(comparison: &Comparison) -> String {
    let mut text = String::new();
    for line in heading(comparison) {
        text += &printable(&line);
        text.push('\n');
    }
    for (title, table) in tables(comparison) {
        let _ = write!(text, "\n{title}\n{}", table.text());
    }
    if !comparison.notes.is_empty() {
        text.push('\n');
    }
    for note in &comparison.notes {
        let _ = writeln!(text, "note: {}", printable(note));
    }
    text
}

/// For a page.
#[must_use]
pub fn markdown(comparison: &Comparison) -> String {
    let mut text = String::new();
    for line in heading(comparison) {
        let _ = writeln!(text, "{}  ", escape_markdown(&line));
    }
    for (title, table) in tables(comparison) {
        let _ = write!(text, "\n**{title}**\n\n{}", table.markdown());
    }
    if !comparison.notes.is_empty() {
        text.push('\n');
    }
    for note in &comparison.notes {
        let _ = writeln!(text, "- {}", escape_markdown(note));
    }
    text
}

/// For a program: the whole comparison as one object.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "plain data is always JSON")]
pub fn json(comparison: &Comparison) -> String {
    serde_json::to_string_pretty(comparison).expect("a comparison is plain data") + "\n"
}

/// For a spreadsheet: a row a family, every figure in a column of its own.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "a vector takes every row")]
pub fn csv(comparison: &Comparison) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut header: Vec<String> = [
        "family",
        "parameters",
        "moved",
        "moved_low",
        "moved_high",
        "optimal",
        "stray",
        "peak_to_mean",
        "cv",
        "basis",
        "uncovered",
    ]
    .map(str::to_owned)
    .to_vec();
    for by in ["by_bytes", "by_requests"] {
        for figure in ["moved", "optimal", "stray", "peak_to_mean", "cv"] {
            header.push(format!("{by}_{figure}"));
        }
    }
    header.extend(
        [
            "hottest_owner",
            "copies_moved",
            "sets_changed",
            "short",
            "lookup_ns",
            "hash_ns",
            "build_ns",
            "change_ns",
            "memory_bytes",
            "single_lookups",
            "single_p50_ns",
            "single_p99_ns",
            "single_p999_ns",
            "single_timer_ns",
            "throughput_one_thread_keys_per_s",
            "throughput_two_threads_keys_per_s",
            "unsupported",
        ]
        .map(str::to_owned),
    );
    writer.write_record(&header).expect(MEMORY);
    for row in &comparison.rows {
        let mut cells = vec![row.family.clone(), row.parameters.clone()];
        match &row.outcome {
            Outcome::Unsupported { unsupported } => {
                cells.resize(header.len() - 1, String::new());
                cells.push(unsupported.clone());
            }
            Outcome::Measured(measured) => {
                cells.extend(csv_cells(measured));
                cells.push(String::new());
            }
        }
        writer.write_record(&cells).expect(MEMORY);
    }
    writer.into_inner().expect(MEMORY)
}

fn csv_cells(row: &Measured) -> Vec<String> {
    let mut cells: Vec<String> = [
        row.moved,
        row.moved_low,
        row.moved_high,
        row.optimal,
        row.stray,
        row.peak_to_mean,
        row.cv,
    ]
    .map(|figure| figure.to_string())
    .to_vec();
    cells.push(row.basis.word().to_owned());
    cells.push(row.uncovered.map_or_else(String::new, |slots| slots.to_string()));
    for by in [&row.by_bytes, &row.by_requests] {
        match by {
            Some(by) => cells.extend(
                [by.moved, by.optimal, by.stray, by.peak_to_mean, by.cv]
                    .map(|cell| cell.to_string()),
            ),
            None => cells.extend([const { String::new() }; 5]),
        }
    }
    cells.push(row.hottest_owner.clone().unwrap_or_default());
    match &row.replicas {
        Some(Replicas::Moved { copies_moved, sets_changed, short, .. }) => {
            cells.extend([copies_moved, sets_changed, short].map(f64::to_string));
        }
        _ => cells.extend([const { String::new() }; 3]),
    }
    cells
        .extend([row.lookup_ns, row.hash_ns, row.build_ns, row.change_ns].map(|ns| ns.to_string()));
    cells.push(row.memory_bytes.to_string());
    match row.single {
        Some(Single { lookups, p50_ns, p99_ns, p999_ns, timer_ns }) => {
            cells.extend([lookups, p50_ns, p99_ns, p999_ns, timer_ns].map(|cell| cell.to_string()));
        }
        None => cells.extend([const { String::new() }; 5]),
    }
    let one = row.throughput.map(|throughput| throughput.one_thread_keys_per_s);
    let two = row.throughput.and_then(|throughput| throughput.two_threads_keys_per_s);
    cells.extend([one, two].map(|cell| cell.map_or_else(String::new, |cell| cell.to_string())));
    cells
}

/// What is compared, in a few lines.
fn heading(comparison: &Comparison) -> Vec<String> {
    let workload = &comparison.workload;
    let mut changes = comparison.changes.iter().take(4).cloned().collect::<Vec<_>>().join(", ");
    if comparison.changes.len() > 4 {
        let _ = write!(changes, " and {} more", comparison.changes.len() - 4);
    }
    let mut lines = vec![
        format!(
            "{}: {} to {} nodes ({changes}); any placement must move {}",
            comparison.scenario,
            comparison.nodes_before,
            comparison.nodes_after,
            percent(comparison.optimal)
        ),
        format!("keys: {}", workload.source),
    ];
    if let Some(hottest) = &workload.hottest {
        let owners: Vec<String> = comparison
            .rows
            .iter()
            .filter_map(|row| {
                Some(format!("{} {}", row.label(), row.measured()?.hottest_owner.as_ref()?))
            })
            .collect();
        lines.push(format!(
            "hottest key: {} with {} of {} requests ({}); on {}",
            hottest.key,
            hottest.requests,
            workload.requests.unwrap_or_default(),
            percent(hottest.fraction),
            owners.join(", ")
        ));
    }
    lines
}

fn by_keys(comparison: &Comparison) -> Table {
    let uncovered = |row: &Row| row.measured().and_then(|row| row.uncovered).unwrap_or(0);
    let some = comparison.rows.iter().any(|row| uncovered(row) > 0);
    let sampled = |row: &Measured| row.basis == Basis::Sampled;
    let interval = comparison.rows.iter().filter_map(Row::measured).any(sampled);
    let mut header = vec!["family", "moved"];
    if interval {
        header.push("95 % interval");
    }
    header.extend(["optimal", "stray", "peak/mean", "cv"]);
    if some {
        header.push("uncovered");
    }
    header.push("basis");
    let mut table = Table::new(header.iter().copied(), 1).ending_in_words();
    for row in &comparison.rows {
        let mut cells = vec![row.label()];
        match &row.outcome {
            Outcome::Unsupported { unsupported } => {
                cells.resize(header.len() - 1, "-".into());
                cells.push(unsupported.clone());
            }
            Outcome::Measured(measured) => {
                cells.push(percent(measured.moved));
                if interval {
                    cells.push(if sampled(measured) {
                        let (low, high) = (measured.moved_low, measured.moved_high);
                        format!("{:.2} to {}", low * 100.0, percent(high))
                    } else {
                        "-".into()
                    });
                }
                cells.extend([
                    percent(measured.optimal),
                    percent(measured.stray),
                    format!("{:.3}", measured.peak_to_mean),
                    percent(measured.cv),
                ]);
                if some {
                    cells.push(match uncovered(row) {
                        0 => "-".into(),
                        slots => format!("{slots} slots"),
                    });
                }
                cells.push(measured.basis.word().into());
            }
        }
        table.push(cells);
    }
    table
}

fn weighed(comparison: &Comparison, by: impl Fn(&Measured) -> Option<&Weighed>) -> Table {
    let mut table = Table::new(["family", "moved", "optimal", "stray", "peak/mean", "cv"], 1);
    for row in &comparison.rows {
        let Some(by) = row.measured().and_then(&by) else { continue };
        table.push(vec![
            row.label(),
            percent(by.moved),
            percent(by.optimal),
            percent(by.stray),
            format!("{:.3}", by.peak_to_mean),
            percent(by.cv),
        ]);
    }
    table
}

fn replicas(comparison: &Comparison) -> Table {
    let mut table = Table::new(["family", "copies moved", "sets changed", "too few nodes"], 1)
        .ending_in_words();
    for row in &comparison.rows {
        match row.measured().and_then(|row| row.replicas.as_ref()) {
            None => {}
            Some(Replicas::Unsupported { unsupported }) => {
                table.push(vec![row.label(), "-".into(), "-".into(), unsupported.clone()]);
            }
            Some(Replicas::Moved { copies_moved, sets_changed, short, .. }) => table.push(vec![
                row.label(),
                percent(*copies_moved),
                percent(*sets_changed),
                percent(*short),
            ]),
        }
    }
    table
}

fn costs(comparison: &Comparison) -> Table {
    let mut table = Table::new(["family", "lookup", "hash alone", "build", "change", "memory"], 1);
    for row in &comparison.rows {
        let Some(measured) = row.measured() else { continue };
        table.push(vec![
            row.label(),
            time(measured.lookup_ns),
            time(measured.hash_ns),
            time(measured.build_ns),
            time(measured.change_ns),
            size(measured.memory_bytes),
        ]);
    }
    table
}

fn lookups(comparison: &Comparison) -> Table {
    let mut table = Table::new(["family"].into_iter().chain(LOOKUPS), 1);
    for row in &comparison.rows {
        let Some(measured) = row.measured() else { continue };
        let cells = lookup_cells(measured.single, measured.throughput);
        table.push([row.label()].into_iter().chain(cells).collect());
    }
    table
}

/// The columns of single lookups and of threads.
pub(super) const LOOKUPS: [&str; 6] =
    ["50 %", "99 %", "99.9 %", "timer alone", "one thread", "two threads"];

/// The cells of [`LOOKUPS`], `-` where there is no figure.
pub(super) fn lookup_cells(
    single: Option<Single>,
    throughput: Option<Throughput>,
) -> [String; LOOKUPS.len()] {
    let times =
        single.map(|single| [single.p50_ns, single.p99_ns, single.p999_ns, single.timer_ns]);
    let [p50, p99, p999, timer] = times.map_or([const { None }; 4], |times| times.map(Some));
    let one = throughput.map(|throughput| throughput.one_thread_keys_per_s);
    let two = throughput.and_then(|throughput| throughput.two_threads_keys_per_s);
    let ns = |cell: Option<u64>| cell.map_or_else(|| "-".into(), |ns| time(ns as f64));
    let keys = |cell: Option<f64>| cell.map_or_else(|| "-".into(), rate);
    [ns(p50), ns(p99), ns(p999), ns(timer), keys(one), keys(two)]
}
