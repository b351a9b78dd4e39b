//! [`Record`], a verdict as a file.

use std::fs;
use std::io;
use std::path::Path;

use jiff::Timestamp;

use crate::machine::Machine;
use crate::timing::Lookups;
use crate::verdict::measure::Figure;
use crate::verdict::targets::Row;

/// The form of the file; another number for another form.
const FORM: u32 = 1;

/// Everything that a verdict was made of.
#[derive(serde::Serialize)]
pub(super) struct Record<'a> {
    form: u32,
    recorded: Timestamp,
    machine: Machine,
    options: Options,
    figures: Vec<Figure>,
    verdicts: &'a [Row],
}

#[derive(serde::Serialize)]
struct Options {
    nodes: Vec<usize>,
    keys: usize,
    repetitions: usize,
    budget_seconds: f64,
}

impl<'a> Record<'a> {
    /// The record of a run that ends now.
    pub(super) fn new(
        machine: Machine,
        lookups: Lookups,
        sizes: &[usize],
        figures: Vec<Figure>,
        verdicts: &'a [Row],
    ) -> Self {
        let options = Options {
            nodes: sizes.to_vec(),
            keys: lookups.keys.len(),
            repetitions: lookups.repetitions,
            budget_seconds: lookups.budget,
        };
        Self { form: FORM, recorded: Timestamp::now(), machine, options, figures, verdicts }
    }

    /// Writes the record as JSON, over what the file held.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        fs::write(path, text)
            .map_err(|error| io::Error::new(error.kind(), format!("{}: {error}", path.display())))
    }
}
