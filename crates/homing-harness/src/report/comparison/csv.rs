//! A [`Comparison`] for a spreadsheet.

use csv::Writer;

use super::{REPLICAS, replicas_moved};
use crate::record::{Comparison, Evenness, Measured, Outcome, Single};

const MEMORY: &str = "a vector takes every row";

/// For a spreadsheet: a row a family, every figure in a column of its own.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "a vector takes every row")]
pub fn csv(comparison: &Comparison) -> Vec<u8> {
    let mut writer = Writer::from_writer(Vec::new());
    let mut header: Vec<String> = [
        "family",
        "parameters",
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
    ]
    .map(str::to_owned)
    .to_vec();
    header.extend(EVENNESS.map(|figure| format!("evenness_{figure}")));
    for by in ["by_bytes", "by_requests"] {
        header.extend(WEIGHED.map(|figure| format!("{by}_{figure}")));
        header.extend(EVENNESS.map(|figure| format!("{by}_evenness_{figure}")));
    }
    header.push("hottest_owner".to_owned());
    for (part, _) in REPLICAS {
        header.extend(["", "_low", "_high"].map(|end| format!("{part}{end}")));
    }
    header.extend(
        [
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
    let mut cells: Vec<String> =
        [row.moved, row.moved_low, row.moved_high, row.optimal, row.stray].map(figure).to_vec();
    cells.extend([row.stray_low, row.stray_high].map(given));
    cells.extend([row.peak_to_mean, row.cv].map(figure));
    cells.push(row.basis.word().to_owned());
    cells.push(row.uncovered.map_or_else(String::new, |slots| slots.to_string()));
    cells.extend(even(row.evenness));
    for by in [&row.by_bytes, &row.by_requests] {
        match by {
            Some(by) => cells.extend([
                figure(by.moved),
                given(by.moved_low),
                given(by.moved_high),
                figure(by.optimal),
                figure(by.stray),
                given(by.stray_low),
                given(by.stray_high),
                figure(by.peak_to_mean),
                figure(by.cv),
            ]),
            None => cells.extend([const { String::new() }; WEIGHED.len()]),
        }
        cells.extend(even(by.as_ref().and_then(|by| by.evenness)));
    }
    cells.push(row.hottest_owner.clone().unwrap_or_default());
    match row.replicas.as_ref().and_then(replicas_moved) {
        Some(parts) => cells.extend(
            parts.iter().flat_map(|&(part, low, high)| [figure(part), given(low), given(high)]),
        ),
        None => cells.extend([const { String::new() }; 3 * REPLICAS.len()]),
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

/// The figures of bytes and of requests, but for their evenness.
const WEIGHED: [&str; 9] = [
    "moved",
    "moved_low",
    "moved_high",
    "optimal",
    "stray",
    "stray_low",
    "stray_high",
    "peak_to_mean",
    "cv",
];

/// The figures of evenness.
const EVENNESS: [&str; 7] = [
    "cv_corrected",
    "peak_to_mean_low",
    "peak_to_mean_high",
    "gini",
    "chi_square",
    "chi_square_p",
    "verdict",
];

/// The cells of [`EVENNESS`].
fn even(evenness: Option<Evenness>) -> [String; EVENNESS.len()] {
    let Some(of) = evenness else { return [const { String::new() }; EVENNESS.len()] };
    [
        figure(of.cv_corrected),
        figure(of.peak_to_mean_low),
        figure(of.peak_to_mean_high),
        figure(of.gini),
        given(of.chi_square),
        given(of.chi_square_p),
        of.verdict.name().to_owned(),
    ]
}

fn figure(figure: f64) -> String {
    figure.to_string()
}

fn given(cell: Option<f64>) -> String {
    cell.map_or_else(String::new, figure)
}
