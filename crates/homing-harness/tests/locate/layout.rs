//! The manifest that `homing layout` prints, and what reads it.

use super::{file, printed, refused, text};

#[test]
fn a_manifest_builds_the_layout_it_describes() {
    let folder = tempfile::tempdir().unwrap();
    for family in ["ring:points=7,hash=sha256", "slots", "maglev:entries=251", "jump"] {
        let manifest = text(&["layout", "--family", family, "--nodes", "5"]);
        let path = file(folder.path(), "layout.json", manifest.as_bytes());
        let path = path.to_str().unwrap();
        assert_eq!(
            text(&["locate", "--members", path, "a", "b", "c"]),
            text(&["locate", "--family", family, "--nodes", "5", "a", "b", "c"])
        );
        assert_eq!(text(&["layout", "--members", path]), manifest);
    }
}

#[test]
fn a_manifest_gives_its_members_to_any_family() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = text(&["layout", "--family", "maglev", "--nodes", "3"]);
    let path = file(folder.path(), "layout.json", manifest.as_bytes());
    assert_eq!(
        text(&["locate", "--family", "ring", "--members", path.to_str().unwrap(), "k"]),
        text(&["locate", "--family", "ring", "--nodes", "3", "k"])
    );
}

#[test]
fn a_slot_map_given_by_hand_leaves_slots_uncovered() {
    // cases.md, C06: A has 0 to 8191; k2 is in slot 449, k0 in 8579.
    let folder = tempfile::tempdir().unwrap();
    let scenario = br#"{"version": 1, "epoch": 4, "family": "slots",
        "config": {"ranges": [[0, 8191, "A"]]}, "members": [{"id": "A"}],
        "fingerprint": "0000000000000000"}"#;
    let path = file(folder.path(), "a.json", scenario);
    let told = refused(&["locate", "--members", path.to_str().unwrap(), "k2"], b"");
    let computed = told.rsplit(' ').next().unwrap();
    assert_eq!(computed.len(), 16, "{told}");
    let sound = String::from_utf8_lossy(scenario).replace("0000000000000000", computed);
    let path = file(folder.path(), "b.json", sound.as_bytes());
    let path = path.to_str().unwrap();
    assert_eq!(
        text(&["locate", "--members", path, "k2", "k0"]),
        "key,position,owner\nk2,449,A\nk0,8579,\n"
    );
    let json = text(&["locate", "--members", path, "--format", "json", "k0"]);
    assert_eq!(json, "{\"key\":\"k0\",\"position\":8579,\"owner\":null}\n");
    assert!(text(&["layout", "--members", path]).contains("\"epoch\": 4"));
}

#[test]
fn a_manifest_that_was_edited_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = text(&["layout", "--family", "ring", "--nodes", "3"]);
    let edited = manifest.replace("node-1", "node-9");
    let path = file(folder.path(), "edited.json", edited.as_bytes());
    let told = refused(&["locate", "--members", path.to_str().unwrap(), "k"], b"");
    assert!(told.contains("edited.json: the manifest states fingerprint "), "{told}");
    let cut = file(folder.path(), "cut.json", &manifest.as_bytes()[..60]);
    assert!(
        refused(&["locate", "--members", cut.to_str().unwrap(), "k"], b"").contains("cut.json:")
    );
}

#[test]
fn a_manifest_of_no_family_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let manifest = text(&["layout", "--family", "ring", "--nodes", "3"]);
    let path = file(folder.path(), "m.json", manifest.replace("\"ring\"", "\"rong\"").as_bytes());
    let told = refused(&["locate", "--members", path.to_str().unwrap(), "k"], b"");
    assert!(told.contains("m.json: family is \"rong\", but must be one of "), "{told}");
}

#[test]
fn a_layout_is_json_that_ends_in_a_line_end() {
    let manifest = printed(&["layout", "--family", "ring:points=1", "--nodes", "1"], b"");
    let read: serde_json::Value = serde_json::from_slice(&manifest).unwrap();
    assert_eq!(read["family"], "ring");
    assert_eq!(read["config"]["points"], 1);
    assert_eq!(read["members"][0]["id"], "node-0");
    assert_eq!(manifest.last(), Some(&b'\n'));
}
