//! `homing plan` from the command line: what it prints, and what it refuses.

mod check;
mod forms;
mod properties;
mod refused;
mod slots;
mod steps;

use std::fs;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A folder of its own for each test, and commands run in it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn add(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.0.path().join(name), content).unwrap();
    }

    fn run(&self, command: &str, arguments: &[&str]) -> Command {
        let mut run = Command::new(env!("CARGO_BIN_EXE_homing"));
        run.current_dir(self.0.path()).arg(command).args(arguments);
        run
    }

    fn plan(&self, arguments: &[&str]) -> Command {
        self.run("plan", arguments)
    }

    /// What is printed, having ended with status 0.
    fn print(&self, arguments: &[&str]) -> String {
        let output = self.plan(arguments).assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let printed = self.print(&[arguments, &["--format", "json"]].concat());
        serde_json::from_str(&printed).unwrap()
    }

    /// Writes the manifest of a layout to a file.
    fn layout(&self, name: &str, arguments: &[&str]) {
        let output = self.run("layout", arguments).assert().success();
        self.add(name, &output.get_output().stdout);
    }

    /// Writes a manifest with its fingerprint, which the command itself computes.
    fn state(&self, name: &str, family: &str, config: &str, members: &str) {
        let manifest = |fingerprint: &str| {
            format!(
                r#"{{"version": 1, "epoch": 0, "family": "{family}", "config": {config},
                    "members": {members}, "fingerprint": "{fingerprint}"}}"#
            )
        };
        self.add(name, manifest("0000000000000000"));
        let output = self.run("layout", &["--members", name]).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        self.add(name, manifest(told.trim_end().rsplit(' ').next().unwrap()));
    }
}

/// A folder with `slots.json`: a has the slots 0-5460, b 5461-10922, c
/// 10923-16383.
fn three_with_slots() -> Folder {
    let folder = Folder::new();
    folder.add("abc", "a\nb\nc\n");
    folder.layout("slots.json", &["--family", "slots", "--members", "abc"]);
    folder
}
