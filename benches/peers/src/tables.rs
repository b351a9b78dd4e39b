//! The tables of one measure: a row a subject, a column a number of nodes.

use crate::heap;
use crate::keys::Keys;
use crate::subject::{BATCH, Built, Role, Subject};
use crate::timing::{self, Lookups, Middle, Pace};

/// What a table shows.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Measure {
    /// Nanoseconds a lookup.
    Lookup,
    /// The same, where each waits for the one before.
    Latency,
    /// The time of building a layout.
    Build,
    /// The times of adding a node and of removing it again.
    Change,
    /// The heap held after building, and the peak before.
    Memory,
    /// The greatest load, as a multiple of the mean.
    Balance,
}

/// The seconds that one subject may be built for, or its balance be counted for.
const PATIENCE: f64 = 2.0;

/// Prints a measure of some subjects for each number of nodes.
pub(crate) fn print(
    measure: Measure,
    subjects: &[Subject],
    sizes: &[usize],
    repetitions: usize,
    lookups: Lookups,
) {
    let mut rows: Vec<Vec<String>> =
        subjects.iter().map(|subject| vec![subject.family.to_owned(), subject.label()]).collect();
    for &nodes in sizes {
        let cells = match measure {
            Measure::Lookup => lookup(subjects, nodes, lookups),
            Measure::Latency => {
                lookup(subjects, nodes, Lookups { pace: Pace::InTurn(BATCH), ..lookups })
            }
            Measure::Build => each(subjects, nodes, |subject| build(subject, nodes, repetitions)),
            Measure::Change => each(subjects, nodes, |subject| change(subject, nodes, repetitions)),
            Measure::Memory => each(subjects, nodes, |subject| memory(subject, nodes)),
            Measure::Balance => each(subjects, nodes, |subject| balance(subject, nodes, lookups)),
        };
        for (row, cell) in rows.iter_mut().zip(cells) {
            row.push(cell);
        }
    }
    let head = match measure {
        Measure::Lookup => "ns a lookup",
        Measure::Latency => "ns a lookup, in turn",
        Measure::Build => "build",
        Measure::Change => "add one / remove one",
        Measure::Memory => "held (peak while building)",
        Measure::Balance => "greatest load / mean",
    };
    let sizes: Vec<String> = sizes.iter().map(|nodes| format!("N = {nodes}")).collect();
    println!("| family | {head} | {} |", sizes.join(" | "));
    println!("|---|---|{}", "---:|".repeat(sizes.len()));
    for row in rows {
        println!("| {} |", row.join(" | "));
    }
}

/// A time with its unit.
pub(crate) fn time(nanoseconds: f64) -> String {
    match nanoseconds {
        ns if ns < 1e3 => format!("{ns:.2} ns"),
        ns if ns < 1e6 => format!("{:.2} us", ns / 1e3),
        ns if ns < 1e9 => format!("{:.2} ms", ns / 1e6),
        ns => format!("{:.2} s", ns / 1e9),
    }
}

fn each(subjects: &[Subject], nodes: usize, cell: impl Fn(&Subject) -> String) -> Vec<String> {
    let cell = |subject: &Subject| if nodes > subject.max_nodes { none() } else { cell(subject) };
    subjects.iter().map(cell).collect()
}

fn lookup(subjects: &[Subject], nodes: usize, lookups: Lookups) -> Vec<String> {
    let built: Vec<Box<dyn Built>> = subjects
        .iter()
        .filter(|subject| nodes <= subject.max_nodes)
        .map(|subject| subject.build(nodes))
        .collect();
    let mut times = lookups.time(&built).into_iter();
    each(subjects, nodes, |_| String::new())
        .into_iter()
        .map(|cell| if cell.is_empty() { times.next().map_or_else(none, spread) } else { cell })
        .collect()
}

fn build(subject: &Subject, nodes: usize, repetitions: usize) -> String {
    let first = timing::build(subject.prepare(nodes));
    if first > PATIENCE * 1e9 || nodes > subject.max_builds {
        return time(first);
    }
    let repetitions = repetitions.min((PATIENCE * 1e9 / first) as usize + 2);
    let prepare = || subject.prepare(nodes);
    timing::builds(&[&prepare], repetitions)
        .first()
        .map_or_else(none, |time| self::time(time.median))
}

fn change(subject: &Subject, nodes: usize, repetitions: usize) -> String {
    match timing::changes(&mut [subject.build(nodes)], nodes, repetitions).first() {
        Some(Some((add, remove))) => format!("{} / {}", time(add.median), time(remove.median)),
        _ => "builds again".to_owned(),
    }
}

fn memory(subject: &Subject, nodes: usize) -> String {
    let make = subject.prepare(nodes);
    let (built, heap) = heap::measured(make);
    drop(built);
    format!("{} ({})", bytes(heap.held), bytes(heap.peak))
}

fn balance(subject: &Subject, nodes: usize, lookups: Lookups) -> String {
    if subject.role == Role::Floor {
        return none();
    }
    let built = subject.build(nodes);
    let affordable = PATIENCE * 1e9 / lookups.guess(&*built);
    let keys = lookups.keys.at(0..(affordable as usize).clamp(1, lookups.keys.len()));
    let counted = if keys.len() < lookups.keys.len() {
        format!(" ({} keys)", keys.len())
    } else {
        String::new()
    };
    format!("{:.3}{counted}", greatest_load(&*built, nodes, keys))
}

fn greatest_load(built: &dyn Built, nodes: usize, keys: Keys) -> f64 {
    let mut loads = vec![0_u32; nodes];
    for at in 0..keys.len() {
        // The sum over one key is its id.
        let id = built.run(keys.at(at..at + 1)) as usize;
        loads[id] += 1;
    }
    let greatest = loads.into_iter().max().unwrap_or(0);
    f64::from(greatest) * nodes as f64 / keys.len() as f64
}

fn spread(time: Middle) -> String {
    format!("{:.2} ±{:.0} %", time.median, time.spread * 100.0)
}

fn bytes(count: u64) -> String {
    match count {
        ..10_000 => format!("{count} B"),
        10_000..10_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        _ => format!("{:.1} MB", count as f64 / 1e6),
    }
}

fn none() -> String {
    "-".to_owned()
}
