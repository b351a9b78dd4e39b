//! A folder of its own for each test, and commands run in it.

use std::fs;

use assert_cmd::Command;
use tempfile::TempDir;

pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    pub(crate) fn add(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.0.path().join(name), content).unwrap();
    }

    pub(crate) fn run(&self, command: &str, arguments: &[&str]) -> Command {
        let mut run = Command::new(env!("CARGO_BIN_EXE_homing"));
        run.current_dir(self.0.path()).arg(command).args(arguments);
        run
    }

    /// What is printed, having ended with `status`.
    pub(crate) fn print(&self, command: &str, arguments: &[&str], status: i32) -> String {
        let output = self.run(command, arguments).assert().code(status);
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    }

    /// Writes the manifest of a layout to a file.
    pub(crate) fn layout(&self, name: &str, arguments: &[&str]) {
        self.add(name, self.print("layout", arguments, 0));
    }

    /// Writes a manifest with its fingerprint, which the command itself computes.
    pub(crate) fn state(&self, name: &str, family: &str, config: &str, members: &str) {
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
