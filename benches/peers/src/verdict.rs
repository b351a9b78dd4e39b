//! The verdict: every target, what was measured, and whether it is met.

mod measure;
mod record;
mod targets;

use std::io;
use std::path::Path;

use crate::machine::Machine;
use crate::subject::Subject;
use crate::tables;
use crate::timing::Lookups;

use self::measure::Figure;
use self::record::Record;
pub(crate) use self::targets::SIZES;
use self::targets::{Row, Verdict};

/// Measures `subjects`, judges the targets of these sizes, prints a row for each
/// and returns whether none is missed.
///
/// # Errors
///
/// Fails if the file for the result cannot be written.
pub(crate) fn run(
    subjects: &[Subject],
    sizes: &[usize],
    lookups: Lookups,
    json: Option<&Path>,
) -> io::Result<bool> {
    let machine = Machine::here();
    if !machine.release {
        eprintln!("peers: not built for release, so no number below means anything");
    }
    let figures = measure::all(subjects, sizes, lookups);
    let families: Vec<&str> = subjects.iter().map(|subject| subject.family).collect();
    let rows = targets::judge(&figures, &families, sizes, machine.lanes);
    println!(
        "{}, {} threads, {}, {}, load average {}",
        machine.cpu,
        machine.cores,
        machine.lanes.name(),
        machine.rustc,
        machine.busy.map_or_else(|| "unknown".to_owned(), |busy| format!("{busy:.1}")),
    );
    println!();
    print(&rows);
    if let Some(path) = json {
        Record::new(machine, lookups, sizes, figures, &rows).write(path)?;
    }
    Ok(rows.iter().all(|row| row.verdict != Verdict::Missed))
}

fn print(rows: &[Row]) {
    println!("| target | N | must be | is | verdict | ours | against |");
    println!("|---|---:|---:|---:|---|---:|---|");
    for row in rows {
        let value = |figure: &Figure| tables::time(figure.value.median);
        println!(
            "| {} | {} | {} | {} | {} | {} | {} |",
            row.target,
            row.nodes,
            row.bound,
            row.measured.map_or_else(|| "-".to_owned(), |measured| format!("{measured:.2}")),
            row.verdict,
            row.ours
                .as_ref()
                // A quantity that is judged by itself is in the column before.
                .filter(|_| row.against.is_some())
                .map_or_else(|| "-".to_owned(), value),
            row.against.as_ref().map_or_else(
                || "-".to_owned(),
                |figure| format!("{}: {}", figure.subject, value(figure)),
            ),
        );
    }
    let count =
        |verdict: fn(&Verdict) -> bool| rows.iter().filter(|row| verdict(&row.verdict)).count();
    println!();
    println!(
        "{} met, {} missed, {} not run",
        count(|verdict| *verdict == Verdict::Met),
        count(|verdict| *verdict == Verdict::Missed),
        count(|verdict| matches!(verdict, Verdict::NotRun(_))),
    );
}
