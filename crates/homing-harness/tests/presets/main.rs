//! Presets end to end: what is listed, what is placed as the real programs do, what is
//! named by `verify`, what is refused.

mod cluster;
mod listed;
mod placed;
mod refused;
mod verified;

use std::fs;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// A folder of its own for each test, and the command run in it.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    /// A folder with the three servers of most records, `servers.toml`.
    fn of_servers() -> Self {
        let folder = Self::new();
        folder.add("servers.toml", servers(3));
        folder
    }

    fn add(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.0.path().join(name), content).unwrap();
    }

    /// What is printed on both outputs, having ended with `status`.
    #[track_caller]
    fn both(&self, status: i32, arguments: &[&str]) -> (String, String) {
        let mut command = Command::new(env!("CARGO_BIN_EXE_homing"));
        let output = command.current_dir(self.0.path()).args(arguments).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {told}");
        (String::from_utf8(output.stdout).unwrap(), told)
    }

    #[track_caller]
    fn homing(&self, arguments: &[&str]) -> String {
        self.both(0, arguments).0
    }

    #[track_caller]
    fn json(&self, status: i32, arguments: &[&str]) -> Value {
        let printed = self.both(status, &[arguments, &["--format", "json"]].concat()).0;
        serde_json::from_str(&printed).unwrap()
    }

    /// The one line of a refusal: exit status 2, and nothing on standard output.
    #[track_caller]
    fn refusal(&self, arguments: &[&str]) -> String {
        let (printed, told) = self.both(2, arguments);
        assert!(printed.is_empty(), "{printed}");
        assert_eq!(told.lines().count(), 1, "{told}");
        told.trim_end().strip_prefix("homing: ").unwrap().to_owned()
    }
}

/// The texts of the numbers below `count`, one a line.
fn lines(count: usize, text: impl Fn(usize) -> String) -> String {
    (0..count).fold(String::new(), |lines, i| lines + &text(i) + "\n")
}

/// The servers 10.0.1.1 to 10.0.1.COUNT, port 11211, by the ids cache-1 and on.
fn servers(count: usize) -> String {
    let node = |i| format!("[[node]]\nid = \"cache-{i}\"\nhost = \"10.0.1.{i}\"\nport = 11211\n");
    (1..=count).map(node).collect()
}
