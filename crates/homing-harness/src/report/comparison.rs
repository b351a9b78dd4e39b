//! A [`Comparison`] as tables, Markdown, CSV and JSON.

mod csv;

use std::fmt::Write as _;

pub use self::csv::csv;
use super::Table;
use super::table::{escape_markdown, percent, rate, size, time};
use crate::error::printable;
use crate::record::{
    Basis, Comparison, Evenness, Measured, Outcome, Replicas, Row, Single, Throughput, Weighed,
};

/// The tables of a comparison: what moves and how even it is, by keys and, where
/// they are known, by bytes and by requests; replicas; times and memory; where they
/// were timed, single lookups and the keys a second.
#[must_use]
pub fn tables(comparison: &Comparison) -> Vec<(&'static str, Table)> {
    let mut tables = vec![
        ("By keys", by_keys(comparison)),
        ("How even", how_even(comparison, |row| Some(Even::of_keys(row)))),
    ];
    if comparison.workload.bytes.is_some() {
        let by = |row: &Measured| row.by_bytes.clone();
        tables.push(("By bytes", weighed(comparison, by)));
        let by = |row: &Measured| row.by_bytes.as_ref().map(Even::of);
        tables.push(("How even by bytes", how_even(comparison, by)));
    }
    if comparison.workload.requests.is_some() {
        let by = |row: &Measured| row.by_requests.clone();
        tables.push(("By requests", weighed(comparison, by)));
        let by = |row: &Measured| row.by_requests.as_ref().map(Even::of);
        tables.push(("How even by requests", how_even(comparison, by)));
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
        header.push(INTERVAL);
    }
    header.extend(["optimal", "stray"]);
    if interval {
        header.push(INTERVAL);
    }
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
                    let ends = (measured.moved_low, measured.moved_high);
                    cells.push(between(sampled(measured).then_some(ends)));
                }
                cells.extend([percent(measured.optimal), percent(measured.stray)]);
                if interval {
                    let ends = measured.stray_low.zip(measured.stray_high);
                    cells.push(between(ends.filter(|_| sampled(measured))));
                }
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

fn weighed(comparison: &Comparison, by: impl Fn(&Measured) -> Option<Weighed>) -> Table {
    let sampled = comparison.workload.generated;
    let header: &[&str] = if sampled {
        &["family", "moved", INTERVAL, "optimal", "stray", INTERVAL]
    } else {
        &["family", "moved", "optimal", "stray"]
    };
    let mut table = Table::new(header.iter().copied(), 1);
    for row in &comparison.rows {
        let Some(by) = row.measured().and_then(&by) else { continue };
        let mut cells = vec![row.label(), percent(by.moved)];
        if sampled {
            cells.push(between(by.moved_low.zip(by.moved_high)));
        }
        cells.extend([percent(by.optimal), percent(by.stray)]);
        if sampled {
            cells.push(between(by.stray_low.zip(by.stray_high)));
        }
        table.push(cells);
    }
    table
}

/// How even the load is by keys, bytes or requests.
struct Even {
    peak_to_mean: f64,
    cv: f64,
    more: Option<Evenness>,
}

impl Even {
    fn of_keys(row: &Measured) -> Self {
        Self { peak_to_mean: row.peak_to_mean, cv: row.cv, more: row.evenness }
    }

    fn of(by: &Weighed) -> Self {
        Self { peak_to_mean: by.peak_to_mean, cv: by.cv, more: by.evenness }
    }
}

fn how_even(comparison: &Comparison, by: impl Fn(&Measured) -> Option<Even>) -> Table {
    let rows: Vec<(String, Even)> = comparison
        .rows
        .iter()
        .filter_map(|row| Some((row.label(), row.measured().and_then(&by)?)))
        .collect();
    // Records of older versions have no more.
    let more = rows.iter().any(|(_, even)| even.more.is_some());
    let sampled = |more: &Evenness| more.peak_to_mean_low < more.peak_to_mean_high;
    let interval = rows.iter().filter_map(|(_, even)| even.more.as_ref()).any(sampled);
    let mut header = vec!["family", "cv"];
    if more {
        header.push("cv less noise");
    }
    header.push("peak/mean");
    if interval {
        header.push(INTERVAL);
    }
    if more {
        header.extend(["gini", "chi-square p", "verdict"]);
    }
    let table = Table::new(header, 1);
    let mut table = if more { table.ending_in_words() } else { table };
    for (name, Even { peak_to_mean, cv, more: of }) in rows {
        let or = |cell: Option<String>| cell.unwrap_or_else(|| "-".into());
        let mut cells = vec![name, percent(cv)];
        if more {
            cells.push(or(of.map(|of| percent(of.cv_corrected))));
        }
        cells.push(format!("{peak_to_mean:.3}"));
        if interval {
            let ends = of.filter(sampled);
            cells.push(or(
                ends.map(|of| format!("{:.3} to {:.3}", of.peak_to_mean_low, of.peak_to_mean_high))
            ));
        }
        if more {
            cells.push(or(of.map(|of| format!("{:.4}", of.gini))));
            cells.push(or(of.and_then(|of| of.chi_square_p).map(chance)));
            cells.push(or(of.map(|of| of.verdict.word().to_owned())));
        }
        table.push(cells);
    }
    table
}

const INTERVAL: &str = "95 % interval";

/// The ends of an interval: `88.85 to 88.98 %`.
fn between(ends: Option<(f64, f64)>) -> String {
    ends.map_or_else(
        || "-".into(),
        |(low, high)| format!("{:.2} to {}", low * 100.0, percent(high)),
    )
}

/// A probability, as far as it is told.
fn chance(p: f64) -> String {
    if p < 0.000_1 { "< 0.0001".into() } else { format!("{p:.4}") }
}

fn replicas(comparison: &Comparison) -> Table {
    let sampled = comparison.workload.generated;
    // That every key has enough nodes, or none, is what the number of nodes says.
    let by_chance = |row: &Row| {
        let replicas = row.measured().and_then(|row| row.replicas.as_ref());
        matches!(replicas, Some(Replicas::Moved { short, .. }) if *short > 0.0 && *short < 1.0)
    };
    let told = [sampled, sampled, sampled && comparison.rows.iter().any(by_chance)];
    let mut header = vec!["family"];
    for ((_, name), told) in REPLICAS.into_iter().zip(told) {
        header.push(name);
        if told {
            header.push(INTERVAL);
        }
    }
    let width = header.len();
    let mut table = Table::new(header, 1).ending_in_words();
    for row in &comparison.rows {
        let mut cells = vec![row.label()];
        match row.measured().and_then(|row| row.replicas.as_ref()) {
            None => continue,
            Some(Replicas::Unsupported { unsupported }) => {
                cells.resize(width - 1, "-".into());
                cells.push(unsupported.clone());
            }
            Some(replicas) => {
                let parts = replicas_moved(replicas).into_iter().flatten();
                for ((part, low, high), told) in parts.zip(told) {
                    cells.push(percent(part));
                    if told {
                        cells.push(between(low.zip(high)));
                    }
                }
            }
        }
        table.push(cells);
    }
    table
}

/// The figures of sets of replicas: as fields, and in words.
const REPLICAS: [(&str, &str); 3] = [
    ("copies_moved", "copies moved"),
    ("sets_changed", "sets changed"),
    ("short", "too few nodes"),
];

/// A part of all, and the ends of its interval where they are known.
type Part = (f64, Option<f64>, Option<f64>);

/// The parts that [`REPLICAS`] names.
fn replicas_moved(replicas: &Replicas) -> Option<[Part; REPLICAS.len()]> {
    match *replicas {
        Replicas::Unsupported { .. } => None,
        Replicas::Moved {
            basis: _,
            copies_moved,
            copies_moved_low,
            copies_moved_high,
            sets_changed,
            sets_changed_low,
            sets_changed_high,
            short,
            short_low,
            short_high,
        } => Some([
            (copies_moved, copies_moved_low, copies_moved_high),
            (sets_changed, sets_changed_low, sets_changed_high),
            (short, short_low, short_high),
        ]),
    }
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
