//! The sections of the page that are about all families.

use crate::lanes::Lanes;
use crate::page::markdown::{NONE, Table, bytes, escaped, ns, ratio};
use crate::page::view::{MODES, View, times};
use crate::subject::{FAMILIES, Mode, Role};
use crate::tables;
use crate::timing::REPETITIONS;
use crate::verdict::{BATCHES, Figure, LENGTHS, Quantity, Record, SIZES, USUAL, Verdict, counted};

/// The title, what the page is, and the machine.
pub(super) fn head(record: &Record, name: &str) -> String {
    let Record { recorded, machine, options, .. } = record;
    let mut text = format!(
        "<!-- Written by `peers page` from performance/{name}; do not edit. -->\n\n\
         # Performance\n\n\
         Our crates beside published ones and beside the floors, in one run of the benchmark in \
         `benches/peers`. Its [README](../benches/peers/README.md) says what is measured and how, \
         and what a floor is; [the result](performance/{name}) has every figure and its spread. \
         Only ratios mean something on another machine.\n\n\
         ```sh\n\
         cargo run --release --manifest-path benches/peers/Cargo.toml -- verdict --json FILE\n\
         cargo run --release --manifest-path benches/peers/Cargo.toml -- page FILE\n\
         ```\n\n## The machine\n\n"
    );
    let mut table = Table::new(2, ["of the run", "is"]);
    let caches: Vec<String> = machine.cache_bytes.iter().map(|&cache| bytes(cache)).collect();
    let caches = if caches.is_empty() { "unknown".to_owned() } else { caches.join(", ") };
    table.row(["recorded", &recorded.strftime("%Y-%m-%d %H:%M UTC").to_string()]);
    table.row(["processor", &format!("{}, {}", machine.cpu, machine.arch)]);
    table.row(["threads at once", &machine.cores.to_string()]);
    table.row(["widest vectors", machine.lanes.name()]);
    table.row(["data caches", &caches]);
    table.row(["memory", &bytes(machine.memory_bytes)]);
    table.row(["system", &machine.os]);
    table.row(["compiler", &machine.rustc]);
    table.row(["build", &machine.profile]);
    let load = machine.busy.map_or_else(|| "unknown".to_owned(), |busy| format!("{busy:.1}"));
    table.row(["load average at the start", &load]);
    table.row([
        "keys, repetitions, longest pass",
        &format!("{}, {}, {} s", options.keys, options.repetitions, options.budget_seconds),
    ]);
    text += &table.or("");
    for warning in warnings(record) {
        text.extend(["**Warning:** ", &warning, ".\n\n"]);
    }
    text
}

/// What a reader must know before any figure.
fn warnings(record: &Record) -> Vec<String> {
    let Record { machine, options, .. } = record;
    let mut warnings = Vec::new();
    if !machine.release {
        warnings.push("it was not built for release, so nothing below means anything".to_owned());
    }
    if machine.is_busy() {
        let load = "the machine was busy: its load average at the start was above 0.5 a core";
        warnings.push(load.to_owned());
    }
    if options.repetitions < REPETITIONS {
        let taken = options.repetitions;
        warnings.push(format!("every subject was timed {taken} times, not {REPETITIONS}"));
    }
    let missing: Vec<String> = SIZES
        .iter()
        .filter(|nodes| !options.nodes.contains(nodes))
        .map(ToString::to_string)
        .collect();
    if !missing.is_empty() {
        warnings.push(format!("nothing was measured at N = {}", missing.join(", ")));
    }
    let measured = |family: &&str| options.families.iter().any(|name| name == family);
    let missing: Vec<&str> =
        FAMILIES.into_iter().filter(|family| *family != "other" && !measured(family)).collect();
    if !missing.is_empty() {
        warnings.push(format!("nothing was measured of {}", missing.join(", ")));
    }
    warnings
}

/// Every target with its verdict, missed ones as plainly as met ones.
pub(super) fn targets(record: &Record) -> String {
    let rows = record.rows();
    let mut text = format!("## Targets\n\n{}.\n\n", counted(&rows));
    let head = ["target", "verdict", "N", "must be", "is", "ours", "against"];
    let mut table = Table::new(2, head);
    for row in &rows {
        let against = row.against.as_ref().map_or_else(
            || NONE.to_owned(),
            |figure| format!("{}: {}", figure.subject, tables::time(figure.value.median)),
        );
        let verdict = match &row.verdict {
            Verdict::Met => "met".to_owned(),
            Verdict::Missed => "missed".to_owned(),
            Verdict::Lacking => "without figures".to_owned(),
            Verdict::NotRun(reason) => format!("not run: {reason}"),
        };
        let cells = [
            row.target.clone(),
            verdict,
            row.nodes.to_string(),
            row.bound.clone(),
            ratio(row.measured),
            row.our_time().unwrap_or_else(|| NONE.to_owned()),
            against,
        ];
        if row.verdict.fails() {
            table.row_with_bold(&cells, 1);
        } else {
            table.row(cells);
        }
    }
    text += &table.or("None of what was measured has a target.");
    text
}

/// The families with kernels at each level of instruction sets.
pub(super) fn levels(record: &Record) -> String {
    let mut text = "## Instruction sets\n\n\
         The same layouts with kernels kept to a level, in the same run. *of floor* is the time \
         as a multiple of the floor's in the same lanes, *x peer* the time of the fastest peer as \
         a multiple of ours. AVX2 is PCLMULQDQ for slots; jump key by key, ring, maglev and modulo \
         have no kernels beyond the baseline, and weighted rendezvous none beyond AVX2.\n\n"
        .to_owned();
    let mut head = vec!["family".to_owned(), "asked".to_owned(), "N".to_owned()];
    for lanes in Lanes::ALL.into_iter().rev() {
        head.extend([format!("{}, ns", lanes.name()), "of floor".to_owned(), "x peer".to_owned()]);
    }
    let mut table = Table::new(2, head);
    for family in ["slots", "jump", "rendezvous", "weighted"] {
        for (mode, how) in MODES {
            for &nodes in &record.options.nodes {
                let mut cells = vec![family.to_owned(), how.to_owned(), nodes.to_string()];
                let has_levels = record.figures.iter().any(|figure| {
                    let what = (figure.role, figure.mode, figure.nodes);
                    figure.family == family
                        && what == (Role::Ours, mode, nodes)
                        && figure.lanes.is_some()
                });
                if !has_levels {
                    continue;
                }
                for lanes in Lanes::ALL.into_iter().rev() {
                    let view = View::of(record, Quantity::Lookup).at(lanes);
                    let ours = view.ours(family, mode, nodes);
                    let peer = view.peer(family, nodes).map(|figure| figure.value.median);
                    cells.push(ns(ours));
                    cells.push(ratio(times(ours, view.bound(family, mode, nodes))));
                    cells.push(ratio(times(peer, ours)));
                }
                table.row(cells);
            }
        }
    }
    text += &table.or("No family with kernels was measured.");
    for lanes in Lanes::ALL.into_iter().filter(|&lanes| lanes > record.machine.lanes) {
        let (lacks, has) = (lanes.name(), record.machine.lanes.name());
        text.extend([lacks, " was not run: this machine has ", has, ".\n\n"]);
    }
    text
}

/// Lookups that wait for each other.
pub(super) fn latency(record: &Record) -> String {
    let sizes = &record.options.nodes;
    let columns = |first: &[&str]| -> Vec<String> {
        let sizes = sizes.iter().map(|nodes| format!("N = {nodes}"));
        first.iter().map(|&name| name.to_owned()).chain(sizes).collect()
    };
    let mut text = "## Latency\n\n\
         Nanoseconds a lookup, where the next key is known only when the owner of this one is.\n\n"
        .to_owned();
    let each = |first: &[&str], of: &dyn Fn(usize) -> Option<f64>| -> Option<Vec<String>> {
        let values: Vec<Option<f64>> = sizes.iter().map(|&nodes| of(nodes)).collect();
        let first = first.iter().map(|&name| name.to_owned());
        let some = values.iter().any(Option::is_some);
        some.then(|| first.chain(values.into_iter().map(ns)).collect())
    };
    let mut table = Table::new(2, columns(&["family", "of"]));
    let view = View::of(record, Quantity::Latency);
    for family in &record.options.families {
        let rows = [
            each(&[family, "ours"], &|nodes| view.ours(family, Mode::One, nodes)),
            each(&[family, "floor"], &|nodes| view.floor(family, Mode::One, nodes)),
            each(&[family, "fastest peer"], &|nodes| {
                view.peer(family, nodes).map(|figure| figure.value.median)
            }),
        ];
        rows.into_iter().flatten().for_each(|row| table.row(row));
    }
    text += &table.or("Not measured.");
    text += "Nanoseconds a batch, where the next batch is known only when the owners of this one \
             are.\n\n";
    let mut table = Table::new(2, columns(&["family", "of", "keys"]));
    for family in &record.options.families {
        for keys in BATCHES {
            let view = View::of(record, Quantity::BatchLatency(keys));
            let keys = keys.to_string();
            let rows = [
                each(&[family, "ours", &keys], &|nodes| view.ours(family, Mode::Batch, nodes)),
                each(&[family, "floor", &keys], &|nodes| view.floor(family, Mode::Batch, nodes)),
            ];
            rows.into_iter().flatten().for_each(|row| table.row(row));
        }
    }
    text += &table.or("Not measured.");
    text
}

/// Keys of several lengths.
pub(super) fn key_lengths(record: &Record) -> String {
    let mut text = format!(
        "## Lengths of keys\n\nNanoseconds a lookup among {USUAL} nodes, by the bytes of a key; \
         the keys are few enough to stay in a cache of some megabytes.\n\n"
    );
    let lengths = LENGTHS.map(|length| format!("{length} bytes"));
    let head = ["family", "asked", "of"].map(str::to_owned).into_iter().chain(lengths);
    let mut table = Table::new(3, head);
    for family in &record.options.families {
        for (mode, how) in MODES {
            for of in ["ours", "floor"] {
                let values = LENGTHS.map(|length| {
                    let view = View::of(record, Quantity::KeyBytes(length));
                    if of == "ours" {
                        view.ours(family, mode, USUAL)
                    } else {
                        view.floor(family, mode, USUAL)
                    }
                });
                if values.iter().any(Option::is_some) {
                    let first = [family, how, of].map(str::to_owned).into_iter();
                    table.row(first.chain(values.map(ns)));
                }
            }
        }
    }
    text += &table.or("Not measured.");
    text
}

/// Tables that exceed the second and the third cache.
pub(super) fn beyond(record: &Record) -> String {
    let mut text = "## Beyond the caches\n\nNanoseconds a lookup in tables of at least twice the \
                    second and the third cache.\n\n"
        .to_owned();
    let head = ["table", "beyond the", "asked", "ours", "floor", "ours / floor"];
    let mut table = Table::new(3, head);
    for family in &record.options.families {
        for (cache, name) in [(2, "second"), (3, "third")] {
            let free = View::of(record, Quantity::Beyond(cache));
            let in_turn = View::of(record, Quantity::BeyondLatency(cache));
            let rows = [
                (free, Mode::One, "one key"),
                (in_turn, Mode::One, "one key, waiting for the one before"),
                (free, Mode::Batch, "batch"),
            ];
            let of_subject = |figure: &&Figure| {
                figure.role == Role::Ours && figure.quantity == Quantity::Beyond(cache)
            };
            let figures = record.figures.iter().filter(|figure| figure.family == *family);
            let Some(figure) = figures.clone().find(of_subject) else { continue };
            for (view, mode, how) in rows {
                let ours = view.ours(family, mode, USUAL);
                let floor = view.bound(family, mode, USUAL);
                let (subject, share) = (figure.subject.as_str(), ratio(times(ours, floor)));
                table.row([subject, name, how, &ns(ours), &ns(floor), &share]);
            }
        }
    }
    text += &table.or("Not measured.");
    text
}

/// Two threads on one layout.
pub(super) fn threads(record: &Record) -> String {
    let mut text = format!(
        "## Two threads\n\nThe lookups a second of two threads on one shared layout of {USUAL} \
         nodes, as a multiple of those of one: the fastest pass of two beside the fastest of one, not \
         the medians, passes of both in turn. A pass that another process delays is so left out, \
         and what the threads do to each other is in every pass. The floor's tells what the machine \
         itself leaves.\n\n"
    );
    let mut table = Table::new(2, ["family", "asked", "ours", "floor"]);
    let view = View::of(record, Quantity::TwoThreads);
    for family in &record.options.families {
        for (mode, how) in MODES {
            let ours = view.ours(family, mode, USUAL);
            if ours.is_some() {
                let (ours, floor) = (ratio(ours), ratio(view.floor(family, mode, USUAL)));
                table.row([family.as_str(), how, &ours, &floor]);
            }
        }
    }
    text += &table.or("Not measured: it takes a machine that runs two threads at once.");
    text
}

/// Two layouts over generated keys.
pub(super) fn before_after(record: &Record) -> String {
    let view = View::of(record, Quantity::BeforeAfter);
    let (ours, floor) =
        (view.ours("ring", Mode::Batch, USUAL), view.floor("ring", Mode::Batch, USUAL));
    let named = |role| {
        let mut figures = record.figures.iter();
        let figure =
            figures.find(|figure| figure.quantity == Quantity::BeforeAfter && figure.role == role);
        figure.map_or_else(String::new, |figure| escaped(&figure.subject))
    };
    let Some(share) = times(ours, floor) else { return String::new() };
    format!(
        "## Before and after\n\n\
         Keys are made as text, hashed once, and looked up by `owners_at` in a ring of {USUAL} \
         nodes and in one of a node more: the crates alone, without what `homing compare` counts \
         besides. {}: {} ns a key; {}: {} ns. That is \
         {share:.2} times the time of making and hashing alone.\n",
        named(Role::Ours),
        ns(ours),
        named(Role::Floor),
        ns(floor),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A result with two lookups, in the form that a verdict writes.
    fn record() -> Record {
        let figure = |role: &str, subject: &str, median: f64| {
            serde_json::json!({
                "name": "modulo/one/10", "family": "modulo", "role": role, "mode": "one",
                "subject": subject, "lanes": null, "quantity": "lookup", "nodes": 10,
                "value": { "median": median, "spread": 0.0 },
            })
        };
        let record = serde_json::json!({
            "form": 2, "recorded": "2026-01-02T03:04:05Z",
            "machine": {
                "cpu": "A | B", "cores": 2, "cache_bytes": [32768], "memory_bytes": 1024,
                "os": "any", "arch": "x86_64", "lanes": "avx2", "rustc": "rustc", "release": true,
                "busy": null,
            },
            "options": {
                "families": ["modulo"], "nodes": [10], "keys": 1, "repetitions": 1,
                "budget_seconds": 1.0,
            },
            "figures": [figure("ours", "ours", 6.0), figure("floor", "hash", 4.0)],
        });
        serde_json::from_value(record).expect("it has the form of a result")
    }

    #[test]
    fn a_missed_target_stands_out_with_what_was_measured() {
        // By hand: 6 / 4 is 1.5, above 1.35.
        let expected = "| modulo, one key | **missed** | 10 | at most 1.35 of the floor | 1.50 | \
                        6.00 ns | hash: 4.00 ns |";
        assert!(targets(&record()).lines().any(|line| line == expected), "{expected}");
    }

    #[test]
    fn the_machine_is_named_and_what_it_lacks_too() {
        let head = head(&record(), "any.json");
        assert!(head.contains(r"| processor | A \| B, x86\_64 |"));
        assert!(head.contains("| load average at the start | unknown |"));
        assert!(head.contains("| build | unknown |"));
        assert!(levels(&record()).contains("AVX-512 was not run: this machine has AVX2."));
    }

    #[test]
    fn a_busy_machine_few_repetitions_and_what_is_missing_are_warned_of() {
        let mut record = record();
        let expected = [
            "every subject was timed 1 times, not 11",
            "nothing was measured at N = 100, 1000, 10000",
            "nothing was measured of ring, slots, maglev, jump, rendezvous, weighted",
        ];
        assert_eq!(warnings(&record), expected);
        // 0.5 a core of two is not above, and the next tenth is.
        record.machine.busy = Some(1.0);
        assert_eq!(warnings(&record).len(), 3);
        record.machine.busy = Some(1.1);
        assert!(warnings(&record)[0].starts_with("the machine was busy"));
    }

    #[test]
    fn what_was_not_measured_is_said() {
        for section in [latency, key_lengths, beyond, threads] {
            assert!(section(&record()).contains("Not measured"));
        }
    }
}
