//! `homing recommend` from the command line. Times are never asserted.

mod loads;
mod refused;
mod verdicts;

use std::fs;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// Nobody joins or leaves: one step is measured, and nothing moves.
const REST: [&str; 6] = ["--most-nodes", "8", "--removal", "none", "--sample", "2000"];

/// A folder of its own for each test, and the command run in it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn with(name: &str, content: &str) -> Self {
        let folder = Self::new();
        folder.add(name, content);
        folder
    }

    fn add(&self, name: &str, content: &str) {
        fs::write(self.0.path().join(name), content).unwrap();
    }

    fn recommend(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_homing"));
        command.current_dir(self.0.path()).arg("recommend").args(arguments);
        command
    }

    /// The object that `--format json` prints, having ended with `status`.
    fn json(&self, arguments: &[&str], status: i32) -> Value {
        let output = self.recommend(arguments).args(["--format", "json"]).assert().code(status);
        serde_json::from_slice(&output.get_output().stdout).unwrap()
    }

    fn text(&self, arguments: &[&str], status: i32) -> String {
        let output = self.recommend(arguments).assert().code(status);
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    }
}

fn json(arguments: &[&str], status: i32) -> Value {
    Folder::new().json(arguments, status)
}

fn list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    value[name].as_array().unwrap_or_else(|| panic!("no list {name} in {value}"))
}

/// The names of the families let in, in their order.
fn let_in(answer: &Value) -> Vec<&str> {
    let families = list(answer, "families").iter().filter(|it| it["place"].is_u64());
    families.map(|it| it["attempts"][0]["family"].as_str().unwrap()).collect()
}

/// The verdict of a constraint in an attempt.
fn verdict<'a>(attempt: &'a Value, constraint: &str) -> &'a Value {
    let verdicts = list(attempt, "verdicts");
    let found = verdicts.iter().find(|it| it["constraint"] == constraint);
    found.unwrap_or_else(|| panic!("no verdict of {constraint} in {attempt}"))
}

#[track_caller]
fn assert_close(found: &Value, expected: f64) {
    let found = found.as_f64().unwrap_or_else(|| panic!("{found} is no number"));
    assert!((found - expected).abs() < 1e-12, "{found}, but must be {expected}");
}
