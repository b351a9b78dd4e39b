//! [`Record`], a verdict as a file.

use std::fs;
use std::io;
use std::path::Path;

use jiff::Timestamp;

use crate::machine::Machine;
use crate::timing::Lookups;
use crate::verdict::figure::Figure;
use crate::verdict::judge::{self, Row};

/// The form of the file; another number for another form.
const FORM: u32 = 2;

/// Everything that a verdict was made of.
///
/// Nanoseconds and bytes are those of the quantity of a figure.
#[derive(Debug, serde::Deserialize, serde::Serialize)]
pub(crate) struct Record {
    form: u32,
    /// When the run ended.
    pub(crate) recorded: Timestamp,
    pub(crate) machine: Machine,
    pub(crate) options: Options,
    pub(crate) figures: Vec<Figure>,
    /// For whoever reads the file; [`Record::rows`] judges the figures again.
    #[serde(skip_deserializing)]
    verdicts: Vec<Row>,
}

/// What a run was asked for.
#[derive(Clone, Debug, serde::Deserialize, serde::Serialize)]
pub(crate) struct Options {
    pub(crate) families: Vec<String>,
    pub(crate) nodes: Vec<usize>,
    pub(crate) keys: usize,
    pub(crate) repetitions: usize,
    pub(crate) budget_seconds: f64,
}

impl Options {
    /// Those of a run.
    pub(super) fn of(families: &[&str], sizes: &[usize], lookups: Lookups) -> Self {
        Self {
            families: families.iter().map(|&family| family.to_owned()).collect(),
            nodes: sizes.to_vec(),
            keys: lookups.keys.len(),
            repetitions: lookups.repetitions,
            budget_seconds: lookups.budget,
        }
    }
}

impl Record {
    /// The record of a run that ends now.
    pub(super) fn new(machine: Machine, options: Options, figures: Vec<Figure>) -> Self {
        let recorded = Timestamp::now();
        let mut record =
            Self { form: FORM, recorded, machine, options, figures, verdicts: Vec::new() };
        record.verdicts = record.rows();
        record
    }

    /// Every target of what was asked for, judged by the figures.
    pub(crate) fn rows(&self) -> Vec<Row> {
        let families: Vec<&str> = self.options.families.iter().map(String::as_str).collect();
        judge::judge(&self.figures, &families, &self.options.nodes, &self.machine)
    }

    /// Writes the record as JSON, over what the file held.
    ///
    /// # Errors
    ///
    /// Fails, naming the file, if it cannot be written.
    pub(super) fn write(&self, path: &Path) -> io::Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        fs::write(path, text).map_err(|error| at(path, &error))
    }

    /// Reads a record.
    ///
    /// # Errors
    ///
    /// Fails, naming the file, if it cannot be read or is no record of this form.
    pub(crate) fn read(path: &Path) -> io::Result<Self> {
        let text = fs::read_to_string(path).map_err(|error| at(path, &error))?;
        let record = Self::parse(&text).map_err(|error| at(path, &error))?;
        Ok(record)
    }

    fn parse(text: &str) -> io::Result<Self> {
        #[derive(serde::Deserialize)]
        struct Form {
            form: u32,
        }

        let Form { form } = serde_json::from_str(text)?;
        if form != FORM {
            return Err(io::Error::other(format!("form is {form}, but must be {FORM}")));
        }
        Ok(serde_json::from_str(text)?)
    }
}

/// An error, with the file before it.
pub(crate) fn at(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_of_another_form_is_refused() {
        let error = Record::parse(r#"{"form": 1}"#).expect_err("there is another form");
        assert_eq!(error.to_string(), "form is 1, but must be 2");
    }
}
