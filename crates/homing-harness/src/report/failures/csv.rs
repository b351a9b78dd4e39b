//! [`Failures`] as CSV.

use crate::record::failures::{Failure, FailureFigures, FailureOutcome, Failures, Load, Losses};

const MEMORY: &str = "a vector takes every row";

const LOAD: [&str; 9] = [
    "lost",
    "peak_to_mean",
    "peak_node",
    "growth",
    "growth_node",
    "takers",
    "effective_takers",
    "stray",
    "unserved",
];

const LOSSES: [&str; 7] = [
    "all_lost",
    "all_lost_low",
    "all_lost_high",
    "some_lost",
    "few_zones_before",
    "few_zones_left",
    "few_zones_after",
];

/// For a spreadsheet: a row a failure.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "a vector takes every row")]
pub fn csv(failures: &Failures) -> Vec<u8> {
    let mut header = ["family", "parameters", "kind", "zone", "node", "node2", "survivors"]
        .map(str::to_owned)
        .to_vec();
    header.extend(LOAD.map(str::to_owned));
    header.push("basis".into());
    header.extend(LOSSES.map(str::to_owned));
    for by in ["by_bytes", "by_requests"] {
        header.extend(LOAD.iter().chain(&LOSSES).map(|figure| format!("{by}_{figure}")));
    }
    header.push("unsupported".into());
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(&header).expect(MEMORY);
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
                    let cells = first.iter().cloned().chain(failed(figures, failure));
                    writer.write_record(cells.map(String::into_bytes)).expect(MEMORY);
                }
            }
        }
    }
    writer.into_inner().expect(MEMORY)
}

fn failed(figures: &FailureFigures, failure: &Failure) -> Vec<String> {
    let mut cells = vec![failure.zone.clone().unwrap_or_default()];
    // Of a zone the nodes are told by the members file.
    let nodes = if failure.zone.is_some() { &[][..] } else { &failure.nodes };
    cells.extend((0..2).map(|i| nodes.get(i).cloned().unwrap_or_default()));
    cells.push(failure.survivors.to_string());
    cells.extend(load(&failure.by_keys));
    cells.push(figures.basis.word().to_owned());
    cells.extend(losses(failure.by_keys.replicas.as_ref()));
    for by in [&failure.by_bytes, &failure.by_requests] {
        cells.extend(by.as_ref().map_or(LOAD.map(|_| String::new()), load));
        cells.extend(losses(by.as_ref().and_then(|by| by.replicas.as_ref())));
    }
    cells.push(String::new());
    cells
}

fn load(load: &Load) -> [String; LOAD.len()] {
    let figure = |figure: Option<f64>| figure.map_or_else(String::new, |figure| figure.to_string());
    [
        load.lost.to_string(),
        figure(load.peak_to_mean),
        load.peak_node.clone().unwrap_or_default(),
        figure(load.growth),
        load.growth_node.clone().unwrap_or_default(),
        load.takers.to_string(),
        load.effective_takers.to_string(),
        load.stray.to_string(),
        load.unserved.to_string(),
    ]
}

fn losses(losses: Option<&Losses>) -> [String; LOSSES.len()] {
    losses.map_or(LOSSES.map(|_| String::new()), |losses| {
        [
            losses.all_lost,
            losses.all_lost_low,
            losses.all_lost_high,
            losses.some_lost,
            losses.few_zones_before,
            losses.few_zones_left,
            losses.few_zones_after,
        ]
        .map(|part| part.to_string())
    })
}
