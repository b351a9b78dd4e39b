//! [`Tally`], what came of a file.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

use homing_tests::vectors;
use serde::de::DeserializeOwned;

/// What came of the rows of one file.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    /// How many rows the file has.
    pub(crate) rows: usize,
    /// What each preset, or part of a crate, has agreed with, by its name without options.
    pub(crate) agreed: BTreeMap<String, Agreed>,
    /// What was left out, by the reason.
    pub(crate) left_out: BTreeMap<String, usize>,
}

/// What has agreed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Agreed {
    /// Rows of files.
    pub(crate) rows: usize,
    /// Lookups of keys, or other questions, within these rows.
    pub(crate) lookups: usize,
    /// Points, entries and the like that were compared besides.
    pub(crate) values: usize,
}

impl Tally {
    /// Counts a row that has agreed in all its answers.
    pub(crate) fn agree(&mut self, with: &str, lookups: usize, values: usize) {
        assert!(lookups + values > 0, "{with}: a row without an answer proves nothing");
        let name = with.split(':').next().unwrap_or(with);
        let agreed = self.agreed.entry(name.to_owned()).or_default();
        agreed.rows += 1;
        agreed.lookups += lookups;
        agreed.values += values;
    }

    /// Counts something that was left out.
    pub(crate) fn leave_out(&mut self, reason: impl Into<String>) {
        *self.left_out.entry(reason.into()).or_default() += 1;
    }
}

/// The rows of a file, and a tally that knows their number.
pub(crate) fn read<T: DeserializeOwned>(file: &str) -> (Vec<T>, Tally) {
    let rows = vectors::rows(file);
    let tally = Tally { rows: rows.len(), ..Tally::default() };
    (rows, tally)
}

/// Says what came of a file, around the capture of output. Each line starts on its own,
/// whatever stands there.
pub(crate) fn announce(file: &str, tally: &Tally) {
    let mut lines = format!("\n{file}: {} rows\n", tally.rows);
    for (reason, count) in &tally.left_out {
        let _ = writeln!(lines, "{file}: left out {count}: {reason}");
    }
    std::io::stdout().write_all(lines.as_bytes()).expect("standard output is open");
}
