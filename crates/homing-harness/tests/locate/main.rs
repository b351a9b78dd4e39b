//! `homing locate` and `homing layout` end to end.
//!
//! Owners are from the vectors of the default placements and of the Redis cluster
//! (`tests/data/vectors/homing`, `redis` in the repository), and from the worked
//! examples of the field.

mod layout;
mod pipes;
mod refused;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;

fn homing<T: AsRef<std::ffi::OsStr>>(arguments: &[T], input: &[u8]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_homing"));
    command.args(arguments).write_stdin(input).output().unwrap()
}

/// What a run that must succeed prints.
fn printed(arguments: &[&str], input: &[u8]) -> Vec<u8> {
    let output = homing(arguments, input);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {told}");
    output.stdout
}

fn text(arguments: &[&str]) -> String {
    String::from_utf8(printed(arguments, b"")).unwrap()
}

/// What a run that must be refused says: one line, in lower case, exit status 2.
fn refused(arguments: &[&str], input: &[u8]) -> String {
    let output = homing(arguments, input);
    assert_eq!(output.status.code(), Some(2), "{arguments:?}");
    let told = String::from_utf8(output.stderr).unwrap();
    let line = told.strip_suffix('\n').unwrap();
    assert!(!line.contains('\n'), "{told}");
    line.strip_prefix("homing: ").unwrap().to_owned()
}

fn file(folder: &Path, name: &str, content: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::File::create(&path).unwrap().write_all(content).unwrap();
    path
}

#[test]
fn answers_are_csv_with_a_header_in_the_order_of_the_keys() {
    // homing/ring.jsonl, node-0..node-7, seed 0.
    assert_eq!(
        text(&["locate", "--family", "ring", "--nodes", "8", "node-1", "node-0"]),
        "key,position,owner\n\
         node-1,986463002654245765,node-2\n\
         node-0,10964802707904888217,node-4\n"
    );
}

#[test]
fn eight_nodes_are_the_default() {
    let keys = ["node-0", "node-3"];
    let eight = text(&["locate", "--family", "ring", "--nodes", "8", keys[0], keys[1]]);
    assert_eq!(text(&["locate", "--family", "ring", keys[0], keys[1]]), eight);
}

#[test]
fn parameters_choose_the_hash() {
    // homing/rendezvous.jsonl, node-0..node-7: seed 42, and SHA-256.
    for (hash, owner) in [("xxh3:42", "node-5"), ("sha256", "node-2")] {
        let family = format!("rendezvous:hash={hash}");
        let answer = text(&["locate", "--family", &family, "node-0"]);
        assert!(answer.ends_with(&format!(",{owner}\n")), "{answer}");
    }
}

#[test]
fn replicas_start_with_the_owner_and_end_with_the_nodes() {
    // homing/rendezvous.jsonl: node-0 is on 0, 4, 7, 2 of node-0..node-7.
    assert_eq!(
        text(&["locate", "--family", "rendezvous", "--replicas", "3", "node-0"]),
        "key,position,owner,replica1,replica2,replica3\n\
         node-0,10964802707904888217,node-0,node-0,node-4,node-7\n"
    );
    // cases.md, C48: three replicas of two nodes are two.
    let few = text(&["locate", "--family", "ring", "--nodes", "2", "--replicas", "3", "x"]);
    let cells: Vec<&str> = few.lines().nth(1).unwrap().split(',').collect();
    assert_eq!((cells.len(), cells[5]), (6, ""));
    assert!(cells[3] != cells[4] && cells[2] == cells[3]);
}

#[test]
fn replicas_are_in_distinct_zones_where_asked() {
    // Two nodes in each of two zones: the second replica is in the other zone.
    let folder = tempfile::tempdir().unwrap();
    let nodes = ["a1", "a2", "b1", "b2"]
        .map(|id| format!("[[node]]\nid = {id:?}\nzone = {:?}\n", &id[..1]))
        .concat();
    let members = file(folder.path(), "zones.toml", nodes.as_bytes());
    let keys: Vec<String> = (0..200).map(|i| format!("k{i}")).collect();
    let of = |spread: &str| {
        let answers = printed(
            &[
                "locate",
                "--family",
                "ring",
                "--members",
                members.to_str().unwrap(),
                "--replicas",
                "2",
                "--spread",
                spread,
                "-",
            ],
            keys.join("\n").as_bytes(),
        );
        let answers = String::from_utf8(answers).unwrap();
        let same = |line: &&str| {
            let cells: Vec<&str> = line.split(',').collect();
            cells[3][..1] == cells[4][..1]
        };
        answers.lines().skip(1).filter(same).count()
    };
    assert_eq!(of("zones"), 0);
    // By nodes alone one of three nodes is in the owner's zone: about 67 of 200.
    assert!(of("nodes") > 20);
}

#[test]
fn slots_are_the_positions_of_the_redis_cluster() {
    // The Redis cluster specification's examples, as recorded in redis/keyslot.csv; of
    // three nodes the second has 5461 to 10922, the third the rest.
    assert_eq!(
        text(&[
            "locate",
            "--family",
            "slots",
            "--nodes",
            "3",
            "foo",
            "foo{}{bar}",
            "{user1000}.following"
        ]),
        "key,position,owner\n\
         foo,12182,node-2\n\
         foo{}{bar},8363,node-1\n\
         {user1000}.following,3443,node-0\n"
    );
}

#[test]
fn positions_skip_the_hash_and_jump_names_the_bucket() {
    // The published vectors: jump(256, 1024) = 520, jump(0xdead10cc, 666) = 361.
    let of = |nodes: &str, position: &str| {
        text(&["locate", "--family", "jump", "--nodes", nodes, "--input", "positions", position])
    };
    assert!(of("1024", "256").ends_with("\n256,256,node-520\n"));
    assert!(of("666", "3735883980").ends_with("\n3735883980,3735883980,node-361\n"));
}

#[test]
fn hex_keys_are_bytes_and_echoed_as_given() {
    // redis/keyslot.csv and cases.md, C05: braces within binary keys are tags.
    assert_eq!(
        text(&["locate", "--family", "slots", "--input", "hex", "666F6F", "c3287b616263", ""]),
        "key,position,owner\n\
         666F6F,12182,node-5\n\
         c3287b616263,15349,node-7\n\
         ,0,node-0\n"
    );
}

#[test]
fn every_line_of_standard_input_is_a_key_the_empty_one_too() {
    let answers = printed(
        &["locate", "--family", "slots", "--format", "json", "-"],
        b"foo\r\n\n\xff\x00\xfe",
    );
    // redis/keyslot.csv: foo 12182, the empty key 0; cases.md, C05: ff00fe 434.
    let answers: Vec<serde_json::Value> = String::from_utf8(answers)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[0]["key"], "foo");
    assert_eq!(answers[0]["position"], 12_182);
    assert_eq!(answers[1]["key"], "");
    assert_eq!(answers[1]["owner"], "node-0");
    assert_eq!(answers[2]["position"], 434);
    assert_eq!(answers[2]["key_hex"], "ff00fe");
    assert_eq!(answers[2].get("replicas"), None);
}

#[test]
fn csv_echoes_keys_byte_for_byte() {
    let answers = printed(&["locate", "--family", "slots", "-"], b"a,b\n\"q\"\n\xff");
    assert!(answers.starts_with(b"key,position,owner\n\"a,b\","));
    assert!(answers.windows(6).any(|at| at == b"\n\"\"\"q\""));
    assert!(answers.windows(3).any(|at| at == b"\n\xff,"));
}

#[test]
fn keys_come_from_a_file_too() {
    let folder = tempfile::tempdir().unwrap();
    let keys = file(folder.path(), "keys.csv", b"bytes,key\n1,foo\n2,bar\n1,foo\n");
    let keys = keys.to_str().unwrap();
    // redis/keyslot.csv: foo 12182, bar 5061.
    assert_eq!(
        text(&["locate", "--family", "slots", "--nodes", "1", "--keys", keys]),
        "key,position,owner\nfoo,12182,node-0\nbar,5061,node-0\nfoo,12182,node-0\n"
    );
}

#[test]
fn tables_hold_names_as_data() {
    let folder = tempfile::tempdir().unwrap();
    let members = file(folder.path(), "m.json", br#"[{"id": "a|<b>\u001b[2J"}]"#);
    let members = members.to_str().unwrap();
    for format in ["table", "markdown"] {
        let answer =
            text(&["locate", "--family", "modulo", "--members", members, "--format", format, "x"]);
        assert!(!answer.contains('\u{1b}'), "{answer}");
    }
    let markdown =
        text(&["locate", "--family", "modulo", "--members", members, "--format", "markdown", "x"]);
    assert!(markdown.contains(r"a\|&lt;b&gt;"), "{markdown}");
}
