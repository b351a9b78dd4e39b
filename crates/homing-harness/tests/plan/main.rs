//! `homing plan` from the command line: what it prints, and what it refuses.

mod check;
#[path = "../common/folder.rs"]
mod folder;
mod forms;
mod properties;
mod refused;
mod slots;
mod steps;
mod sums;

use assert_cmd::Command;
use serde_json::Value;

use self::folder::Folder;

impl Folder {
    fn plan(&self, arguments: &[&str]) -> Command {
        self.run("plan", arguments)
    }

    /// What is printed, having ended with status 0.
    fn planned(&self, arguments: &[&str]) -> String {
        self.print("plan", arguments, 0)
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let printed = self.planned(&[arguments, &["--format", "json"]].concat());
        serde_json::from_str(&printed).unwrap()
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
