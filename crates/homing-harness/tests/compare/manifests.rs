//! Manifests in the place of members.

use std::process::Output;

use assert_cmd::Command;

use crate::refused::refuses;
use crate::{Folder, figure, json_of, names, row};

/// A folder with the manifest of `family` over four nodes, `m.json`.
fn layout(family: &str) -> Folder {
    let mut command = Command::new(env!("CARGO_BIN_EXE_homing"));
    let output = command.args(["layout", "--family", family, "--nodes", "4"]).output().unwrap();
    assert!(output.status.success());
    Folder::with("m.json", output.stdout)
}

/// A folder with a manifest, `m.json`, whatever its fingerprint.
fn stated(family: &str, config: &str) -> Folder {
    let manifest = |fingerprint: &str| {
        format!(
            r#"{{"version": 1, "epoch": 0, "family": "{family}", "config": {config},
                "members": [{{"id": "a"}}, {{"id": "b"}}], "fingerprint": "{fingerprint}"}}"#
        )
    };
    let folder = Folder::with("m.json", manifest("0000000000000000"));
    let Output { stderr, .. } = folder.compare(&["--members", "m.json"]).output().unwrap();
    let told = String::from_utf8(stderr).unwrap();
    folder.add("m.json", manifest(told.trim_end().rsplit(' ').next().unwrap()));
    folder
}

#[test]
fn a_manifest_keeps_its_configuration_whoever_names_its_family() {
    let folder = layout("ring:points=3");
    folder.add("s.toml", "members = \"m.json\"\n[workload]\nkeys = 1000\n");
    folder.add(
        "r.toml",
        "members = \"m.json\"\n[workload]\nkeys = 1000\n[[family]]\nname = \"ring\"\n",
    );
    let few = ["--sample", "1000"];
    for arguments in [
        &["--members", "m.json"][..],
        &["--members", "m.json", "--family", "ring"],
        &["--scenario", "s.toml"],
        &["--scenario", "s.toml", "--family", "ring"],
        &["--scenario", "r.toml"],
    ] {
        let comparison = json_of(folder.compare(&[arguments, &few].concat()));
        assert_eq!(row(&comparison, "ring")["parameters"], "hash=xxh3,points=3", "{arguments:?}");
    }
    let arguments = ["--members", "m.json", "--family", "ring:points=7"];
    let comparison = json_of(folder.compare(&[&arguments[..], &few].concat()));
    assert_eq!(row(&comparison, "ring")["parameters"], "points=7");
    let arguments = ["--members", "m.json", "--family", "maglev"];
    let comparison = json_of(folder.compare(&[&arguments[..], &few].concat()));
    assert!(row(&comparison, "maglev").get("parameters").is_none());
}

#[test]
fn a_manifest_that_cannot_take_the_change_says_so_in_its_row() {
    // The node that joins by default has no assigned point.
    let folder = stated("ring", r#"{"assigned": [[5, "a"], [9, "b"]]}"#);
    let comparison = json_of(folder.compare(&["--members", "m.json", "--sample", "1000"]));
    let families = ["modulo", "ring", "slots", "slots+rebalance", "maglev", "rendezvous", "jump"];
    assert_eq!(names(&comparison), families);
    let reason = row(&comparison, "ring")["unsupported"].as_str().unwrap();
    assert!(reason.starts_with("assigned is without a point of \"node-2\", but must"), "{reason}");
    assert!(figure(row(&comparison, "rendezvous"), "moved") > 0.0);
}

#[test]
fn slots_that_nobody_owns_are_told() {
    let folder = stated("slots", r#"{"ranges": []}"#);
    let arguments = ["--members", "m.json", "--family", "slots", "--sample", "1000"];
    let comparison = json_of(folder.compare(&arguments));
    let notes = comparison["notes"].as_array().unwrap();
    let told = "none of the 16384 slots has an owner, so nobody owns a key";
    for note in &notes[..2] {
        assert!(note.as_str().unwrap().ends_with(told), "{note}");
    }
}

#[test]
fn a_manifest_of_no_family_is_refused_with_its_file() {
    let manifest = r#"{"version": 1, "epoch": 0, "family": "rong", "config": {},
        "members": [{"id": "a"}], "fingerprint": "0000000000000000"}"#;
    let folder = Folder::with("m.json", manifest);
    let told = "m.json: family is \"rong\", but must be one of ";
    refuses(&folder, &["--members", "m.json"], &[told]);
    folder.add("s.toml", "members = \"m.json\"\n");
    refuses(&folder, &["--scenario", "s.toml"], &[told]);
}
