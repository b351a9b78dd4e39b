//! A [`Difference`] as lines and tables: how much moves, from whom to whom, and
//! every move.

use homing_core::NodeId;

use super::Table;
use super::table::{percent, size};
use crate::error::quoted;
use crate::measure::difference::{Amount, Difference, Flow, KeyMove, Moves, RangeMove, Traffic};
use crate::record::Basis;

const MEMORY: &str = "a vector takes every row";

/// More positions than this are told as a part of all.
const COUNTED: u128 = 1 << 32;

/// Which columns a table of amounts has.
#[derive(Clone, Copy)]
struct Columns<'a> {
    all: &'a Amount,
    positions: &'a str, // what they are called
}

impl<'a> Columns<'a> {
    fn of(difference: &'a Difference, positions: &'a str) -> Self {
        Self { all: &difference.all, positions }
    }

    fn header(self, words: &[&str]) -> Vec<String> {
        let mut header: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
        let units = [
            (self.all.positions.is_some(), self.positions),
            (self.all.keys.is_some(), "keys"),
            (self.all.bytes.is_some(), "bytes"),
            (self.all.requests.is_some(), "requests"),
        ];
        header.extend(units.iter().filter(|(there, _)| *there).map(|(_, word)| (*word).to_owned()));
        header
    }

    fn cells(self, amount: &Amount) -> Vec<String> {
        let cells = [
            self.all.positions.map(|all| positions(amount.positions.unwrap_or(0), all)),
            self.all.keys.map(|_| amount.keys.unwrap_or(0).to_string()),
            self.all.bytes.map(|_| bytes(amount.bytes.unwrap_or(0))),
            self.all.requests.map(|_| amount.requests.unwrap_or(0).to_string()),
        ];
        cells.into_iter().flatten().collect()
    }
}

/// A name for a reader: `-` where there is nobody.
#[must_use]
pub fn name(id: Option<&NodeId>) -> String {
    id.map_or_else(|| "-".to_owned(), |id| id.as_str().to_owned())
}

/// How much moves, in one line.
#[must_use]
pub fn moved(difference: &Difference, called: &str) -> String {
    let Difference { moved, all, .. } = difference;
    let mut parts = Vec::new();
    if let (Some(part), Some(all)) = (moved.keys, all.keys) {
        parts.push(format!("{part} of {all} keys ({})", share(part.into(), all.into())));
    }
    if let (Some(part), Some(all)) = (moved.bytes, all.bytes) {
        parts.push(format!("{} of {} ({})", bytes(part), bytes(all), share(part, all)));
    }
    if let (Some(part), Some(all)) = (moved.requests, all.requests) {
        parts.push(format!("{part} of {all} requests ({})", share(part, all)));
    }
    if let (Some(part), Some(all), Some(ranges)) =
        (moved.positions, all.positions, difference.ranges)
    {
        let count = if all <= COUNTED { format!("{part} of {all}") } else { share(part, all) };
        let share = if all <= COUNTED { format!(" ({})", share(part, all)) } else { String::new() };
        let of = if all <= COUNTED { "" } else { "of all " };
        parts.push(format!("{count} {of}{called}{share} in {ranges} {}", plural(ranges, "range")));
    }
    if parts.is_empty() {
        parts.push("nothing".to_owned());
    }
    let interval = match difference.basis {
        Basis::Sampled => format!(
            ", 95 % interval {:.2} to {}",
            difference.fraction_low * 100.0,
            percent(difference.fraction_high)
        ),
        _ => String::new(),
    };
    format!("moves: {}; {}{interval}", parts.join(", "), difference.basis.word())
}

/// That keys gain or lose an owner, where they do.
#[must_use]
pub fn unowned(difference: &Difference, called: &str) -> Vec<String> {
    let columns = Columns::of(difference, called);
    let told = |what: &str, amount: &Amount| {
        let header = columns.header(&[]);
        let cells: Vec<String> = columns
            .cells(amount)
            .into_iter()
            .zip(header)
            // A size has its unit.
            .map(|(cell, word)| if word == "bytes" { cell } else { format!("{cell} {word}") })
            .collect();
        format!("{what}: {}", cells.join(", "))
    };
    let any = |amount: &Amount| amount.positions.unwrap_or(0) > 0 || amount.keys.unwrap_or(0) > 0;
    [
        ("of it without an owner before", &difference.gains_owner),
        ("of it without an owner after", &difference.loses_owner),
    ]
    .into_iter()
    .filter(|(_, amount)| any(amount))
    .map(|(what, amount)| told(what, amount))
    .collect()
}

/// The tables: from whom to whom, and what each node gives and takes.
#[must_use]
pub fn tables(difference: &Difference, called: &str, limit: usize) -> Vec<(String, Table)> {
    let columns = Columns::of(difference, called);
    let mut tables = Vec::new();
    if difference.matrix.is_empty() {
        return tables;
    }
    let mut matrix = Table::new(columns.header(&["from", "to"]), 2);
    for Flow { from, to, amount } in difference.matrix.iter().take(limit) {
        let mut row = vec![name(from.as_ref()), name(to.as_ref())];
        row.extend(columns.cells(&amount));
        matrix.push(row);
    }
    tables.push((title("From whom to whom", difference.matrix.len(), limit), matrix));
    for (what, list) in [("Givers", &difference.givers), ("Takers", &difference.takers)] {
        let mut table = Table::new(columns.header(&["node"]), 1);
        for Traffic { node, amount } in list.iter().take(limit) {
            let mut row = vec![node.as_str().to_owned()];
            row.extend(columns.cells(amount));
            table.push(row);
        }
        if !list.is_empty() {
            tables.push((title(what, list.len(), limit), table));
        }
    }
    tables
}

/// The first moves as a table, if any are listed.
#[must_use]
pub fn moves(moves: &Moves, limit: usize) -> Option<(String, Table)> {
    if moves.is_empty() {
        return None;
    }
    let stepped = is_stepped(moves);
    let before = |step: Option<usize>, cells: Vec<String>| {
        let step = stepped.then(|| step.map_or_else(|| "-".into(), |step| step.to_string()));
        step.into_iter().chain(cells).collect::<Vec<String>>()
    };
    let step = stepped.then_some("step");
    let table = match moves {
        Moves::Ranges(runs) => {
            let header = ["from", "to", "first", "last", "positions"];
            let mut table = Table::new(step.into_iter().chain(header), 2 + usize::from(stepped));
            for it in runs.iter().take(limit) {
                let cells = vec![
                    name(it.from.as_ref()),
                    name(it.to.as_ref()),
                    it.first.to_string(),
                    it.last.to_string(),
                    length(&it).to_string(),
                ];
                table.push(before(it.step, cells));
            }
            table
        }
        Moves::Keys(keys) => {
            let has = |of: fn(&KeyMove) -> Option<u64>| keys.iter().any(|it| of(it).is_some());
            let (bytes, requests) = (has(|it| it.bytes), has(|it| it.requests));
            let mut header = vec!["key", "from", "to"];
            header.extend(bytes.then_some("bytes"));
            header.extend(requests.then_some("requests"));
            let mut table = Table::new(step.into_iter().chain(header), 3 + usize::from(stepped));
            for it in keys.iter().take(limit) {
                let mut cells = vec![key(&it.key), name(it.from.as_ref()), name(it.to.as_ref())];
                cells.extend(bytes.then(|| it.bytes.unwrap_or(0).to_string()));
                cells.extend(requests.then(|| it.requests.unwrap_or(0).to_string()));
                table.push(before(it.step, cells));
            }
            table
        }
    };
    Some((title("Moves", moves.len(), limit), table))
}

/// For a spreadsheet or a script: a row a move; an owner that is not there is
/// empty.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "a vector takes every row")]
pub fn csv(moves: &Moves) -> Vec<u8> {
    let stepped = is_stepped(moves);
    let mut writer = csv::Writer::from_writer(Vec::new());
    let step = stepped.then_some("step");
    let owner = |id: &Option<NodeId>| id.as_ref().map(|id| id.as_str().to_owned());
    let number = |step: Option<usize>| step.map(|step| step.to_string()).unwrap_or_default();
    match moves {
        Moves::Ranges(runs) => {
            let header = step.into_iter().chain(["first", "last", "positions", "from", "to"]);
            writer.write_record(header).expect(MEMORY);
            for it in runs.iter() {
                let cells = [
                    it.first.to_string(),
                    it.last.to_string(),
                    length(&it).to_string(),
                    owner(&it.from).unwrap_or_default(),
                    owner(&it.to).unwrap_or_default(),
                ];
                let step = stepped.then(|| number(it.step));
                writer.write_record(step.into_iter().chain(cells)).expect(MEMORY);
            }
        }
        Moves::Keys(keys) => {
            let header = step.into_iter().chain(["key", "from", "to", "bytes", "requests"]);
            writer.write_record(header).expect(MEMORY);
            for it in keys {
                let count = |of: Option<u64>| of.map(|it| it.to_string()).unwrap_or_default();
                if stepped {
                    writer.write_field(number(it.step)).expect(MEMORY);
                }
                writer.write_field(&it.key).expect(MEMORY);
                for cell in [
                    owner(&it.from).unwrap_or_default(),
                    owner(&it.to).unwrap_or_default(),
                    count(it.bytes),
                    count(it.requests),
                ] {
                    writer.write_field(cell).expect(MEMORY);
                }
                writer.write_record(None::<&[u8]>).expect(MEMORY);
            }
        }
    }
    writer.into_inner().expect(MEMORY)
}

/// `1 range`, `2 ranges`: the word for so many.
#[must_use]
pub fn plural(count: usize, word: &str) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}

/// A title that says how many rows are left out.
#[must_use]
pub fn title(what: &str, count: usize, limit: usize) -> String {
    if count <= limit {
        return what.to_owned();
    }
    format!("{what}: the first {limit} of {count}")
}

fn is_stepped(moves: &Moves) -> bool {
    match moves {
        Moves::Ranges(runs) => runs.iter().any(|it| it.step.is_some()),
        Moves::Keys(keys) => keys.iter().any(|it| it.step.is_some()),
    }
}

fn length(run: &RangeMove) -> u128 {
    u128::from(run.last - run.first) + 1
}

/// A key as a text, or in quotes where it is none.
fn key(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap_or_else(|_| quoted(bytes))
}

fn positions(part: u128, all: u128) -> String {
    if all <= COUNTED { part.to_string() } else { share(part, all) }
}

fn share(part: u128, all: u128) -> String {
    percent(if all == 0 { 0.0 } else { part as f64 / all as f64 })
}

fn bytes(count: u128) -> String {
    u64::try_from(count).map_or_else(|_| count.to_string(), size)
}
