//! What the harness itself prints agrees with it.

use crate::Folder;

const MEMBERS: &str = "n10\nn9\nn1\nn30\nn2\n";

fn keys() -> Vec<u8> {
    let mut keys = Vec::new();
    for i in 0..200 {
        keys.extend_from_slice(format!("user,{i}\n{{t{i}}}\"q\"\nключ {i}\n").as_bytes());
    }
    keys.extend_from_slice(b"\xff\x00\xfe\n\n");
    keys
}

#[test]
fn what_locate_prints_agrees_for_every_family() {
    let folder = Folder::with("keys.txt", keys());
    folder.add("members.txt", MEMBERS);
    let families = [
        "modulo",
        "ring:points=40,hash=sha256",
        "ring:prefix=a,separator=#",
        "slots",
        "maglev:entries=251",
        "rendezvous:hash=xxh3:42",
        "jump",
    ];
    for family in families {
        let layout = ["--family", family, "--members", "members.txt"];
        for format in ["csv", "json"] {
            let locate =
                [&["locate"], &layout[..], &["--keys", "keys.txt", "--format", format]].concat();
            folder.add("placed", folder.homing(&locate).stdout);
            let of = folder.json(0, &[&layout[..], &["placed"]].concat());
            assert_eq!(of["agree"], 602, "{family} {format}: {of}");
            assert_eq!(of["rows"], 602, "{family} {format}");
            assert_eq!(of["tried"], 0, "{family} {format}");
            assert!(of.get("cause").is_none(), "{family} {format}");
        }
    }
}

#[test]
fn replicas_and_hexadecimal_keys_are_read_back() {
    let folder = Folder::with("keys.txt", "00ff\n7b61\n");
    let located = folder.homing(&[
        "locate",
        "--family",
        "ring",
        "--replicas",
        "3",
        "--input",
        "hex",
        "--keys",
        "keys.txt",
    ]);
    folder.add("placed.csv", located.stdout);
    let of = folder.json(0, &["--family", "ring", "--input", "hex", "placed.csv"]);
    assert_eq!(of["agree"], 2);
}

#[test]
fn a_slot_without_an_owner_agrees_with_an_empty_node() {
    // cases.md, C06: A has 0 to 8191; k2 is in slot 449, k0 in 8579.
    let folder = Folder::new();
    let members = crate::slots::half_of_the_slots(&folder);
    folder.add("rows.csv", "key,node\nk2,A\nk0,\n");
    folder.add("rows.jsonl", "{\"key\":\"k2\",\"node\":\"A\"}\n{\"key\":\"k0\",\"node\":null}\n");
    for file in ["rows.csv", "rows.jsonl"] {
        assert_eq!(folder.json(0, &["--members", members, file])["agree"], 2);
    }
    folder.add("rows.csv", "key,node\nk2,\nk0,A\n");
    let of = folder.json(1, &["--members", members, "rows.csv"]);
    assert_eq!(
        of["first_disagreements"],
        serde_json::json!([
            {"line": 2, "key": "k2", "theirs": null, "ours": "A"},
            {"line": 3, "key": "k0", "theirs": "A", "ours": null},
        ])
    );
}
