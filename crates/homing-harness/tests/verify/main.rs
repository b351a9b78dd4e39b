//! `homing verify` end to end: what it accepts, what it names, what it refuses.
//!
//! The files of programs that do something otherwise are made in `plain`, which
//! shares nothing with the crate but the hash.

#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "the programs are as others write them, casts included"
)]

mod forms;
mod own;
mod plain;
mod planted;
mod refused;
mod slots;

use std::fs;
use std::process::Output;

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

    fn homing(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_homing"));
        command.current_dir(self.0.path()).args(arguments).output().unwrap()
    }

    /// What `verify` prints, having ended with `status`.
    #[track_caller]
    fn verify(&self, status: i32, arguments: &[&str]) -> String {
        let output = self.homing(&[&["verify"], arguments].concat());
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(status), "{arguments:?}: {told}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The object that `verify --format json` prints, having ended with `status`.
    #[track_caller]
    fn json(&self, status: i32, arguments: &[&str]) -> Value {
        let printed = self.verify(status, &[arguments, &["--format", "json"]].concat());
        serde_json::from_str(&printed).unwrap()
    }
}

/// A CSV of keys and nodes.
fn csv(rows: &[(Vec<u8>, Option<String>)]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["key", "node"]).unwrap();
    for (key, node) in rows {
        writer.write_field(key).unwrap();
        writer.write_field(node.as_deref().unwrap_or_default()).unwrap();
        writer.write_record(None::<&[u8]>).unwrap();
    }
    writer.into_inner().unwrap()
}
