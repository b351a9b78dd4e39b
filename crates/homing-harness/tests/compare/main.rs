//! `homing compare` from the command line: what it prints, and what it refuses.

mod flags;
mod forms;
mod keys;
mod manifests;
mod notes;
mod refused;
mod rows;
mod scenarios;
mod steps;
mod steps_agree;
mod steps_refused;
mod workloads;

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A folder of its own for each test, and the command run in it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// A folder with one file.
    fn with(name: &str, content: impl AsRef<[u8]>) -> Self {
        let folder = Self::new();
        folder.add(name, content);
        folder
    }

    fn add(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.0.path().join(name), content).unwrap();
    }

    fn compare(&self, arguments: &[&str]) -> Command {
        compare_in(self.0.path(), arguments)
    }
}

fn compare_in(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_homing"));
    command.current_dir(folder).arg("compare").args(arguments);
    command
}

/// The object that `compare --format json` prints, having ended with status 0.
fn json_of(mut command: Command) -> Value {
    let output = command.args(["--format", "json"]).assert().success();
    serde_json::from_slice(&output.get_output().stdout).unwrap()
}

fn compare(arguments: &[&str]) -> Value {
    json_of(compare_in(Path::new("."), arguments))
}

fn names(comparison: &Value) -> Vec<&str> {
    let rows = comparison["rows"].as_array().unwrap();
    rows.iter().map(|row| row["family"].as_str().unwrap()).collect()
}

fn row<'a>(comparison: &'a Value, family: &str) -> &'a Value {
    let rows = comparison["rows"].as_array().unwrap();
    rows.iter().find(|row| row["family"] == family).unwrap_or_else(|| panic!("no row {family}"))
}

/// The figure of a row; fails if it is no number.
fn figure(row: &Value, name: &str) -> f64 {
    row[name].as_f64().unwrap_or_else(|| panic!("{name} in {row}"))
}

/// Fails unless two figures agree but for the last bits of a few operations.
#[track_caller]
fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found}, but must be {expected}");
}

/// Fails unless a sampled figure is within four standard deviations of `p`, for
/// keys that each hit with probability `p` (a binomial: sqrt(p (1 - p) / keys)).
#[track_caller]
fn assert_sampled(found: f64, p: f64, keys: f64) {
    let bound = 4.0 * (p * (1.0 - p) / keys).sqrt();
    assert!((found - p).abs() <= bound, "{found}, but must be {p} to within {bound}");
}
