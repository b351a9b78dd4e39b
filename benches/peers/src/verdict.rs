//! The verdict: every target, what was measured, and whether it is met.

mod figure;
mod judge;
mod measure;
mod record;
mod targets;

use std::io;
use std::path::Path;

use crate::machine::Machine;
use crate::subject::Subject;
use crate::tables;
use crate::timing::Lookups;

pub(crate) use self::figure::{Asked, Figure, Quantity, floor, least};
pub(crate) use self::judge::{Row, Verdict, counted};
pub(crate) use self::measure::{BATCHES, LENGTHS, USUAL};
use self::record::Options;
pub(crate) use self::record::{Record, at};
pub(crate) use self::targets::SIZES;

/// Measures `subjects`, judges the targets of these sizes, prints a row for each
/// and returns whether none is missed or without figures.
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
    let figures = measure::all(subjects, sizes, lookups, &machine);
    let mut families: Vec<&str> = subjects.iter().map(|subject| subject.family).collect();
    families.dedup();
    let record = Record::new(machine, Options::of(&families, sizes, lookups), figures);
    if let Some(path) = json {
        record.write(path)?;
    }
    let Machine { cpu, cores, lanes, rustc, busy, .. } = &record.machine;
    println!(
        "{cpu}, {cores} threads, {}, {rustc}, load average {}",
        lanes.name(),
        busy.map_or_else(|| "unknown".to_owned(), |busy| format!("{busy:.1}")),
    );
    println!();
    let rows = record.rows();
    print(&rows);
    Ok(!rows.iter().any(|row| row.verdict.fails()))
}

fn print(rows: &[Row]) {
    println!("| target | N | must be | is | verdict | ours | against |");
    println!("|---|---:|---:|---:|---|---:|---|");
    for row in rows {
        let Row { target, nodes, bound, verdict, .. } = row;
        println!(
            "| {target} | {nodes} | {bound} | {} | {verdict} | {} | {} |",
            row.measured.map_or_else(|| "-".to_owned(), |measured| format!("{measured:.2}")),
            row.our_time().unwrap_or_else(|| "-".to_owned()),
            row.against.as_ref().map_or_else(
                || "-".to_owned(),
                |figure| format!("{}: {}", figure.subject, tables::time(figure.value.median)),
            ),
        );
    }
    println!();
    println!("{}", counted(rows));
}
