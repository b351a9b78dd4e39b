//! What is read, and what is printed.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::Folder;

/// Redis cluster specification: foo is in slot 12182, bar in 5061, `user1000` in 3443;
/// of three nodes node-0 has 0 to 5460 and node-2 has 10923 to 16383.
const SLOTS: [&str; 4] = ["--family", "slots", "--nodes", "3"];
const CSV: &str = "key,node\nfoo,node-2\nbar,node-0\n{user1000}.following,node-0\n";

#[track_caller]
fn agrees(name: &str, content: impl AsRef<[u8]>, arguments: &[&str]) {
    let folder = Folder::with(name, content);
    let of = folder.json(0, &[&SLOTS[..], arguments, &[name]].concat());
    assert_eq!((&of["agree"], &of["rows"]), (&json!(3), &json!(3)), "{of}");
}

#[test]
fn a_file_is_known_by_its_name_or_by_its_first_line() {
    let tsv = CSV.replace(',', "\t");
    let lines = "{\"key\":\"foo\",\"node\":\"node-2\"}\n{\"node\":\"node-0\",\"key\":\"bar\"}\n\
                 \n{\"key\":\"{user1000}.following\",\"node\":\"node-0\",\"more\":[1]}";
    for (name, content) in [("rows.csv", CSV), ("rows.tsv", &tsv), ("rows.jsonl", lines)] {
        agrees(name, content, &[]);
        agrees("rows", content, &[]);
        agrees("rows", format!("\u{feff}{content}"), &[]);
        agrees(name, content.replace('\n', "\r\n"), &[]);
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(content.as_bytes()).unwrap();
        agrees(&format!("{name}.gz"), encoder.finish().unwrap(), &[]);
    }
}

#[test]
fn standard_input_is_read_for_a_dash() {
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_homing"))
        .args(["verify", "--family", "slots", "--nodes", "3", "-"])
        .write_stdin(CSV)
        .output()
        .unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(printed, "slots: 3 of 3 rows agree (100.00 %) in standard input\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn columns_are_chosen_by_name() {
    let content = "shard,bytes,id\nnode-2,1,foo\nnode-0,1,bar\nnode-0,1,{user1000}.x\n";
    agrees("rows.csv", content, &["--key-column", "id", "--node-column", "shard"]);
    let content = "owner\tkey\nnode-2\tfoo\nnode-0\tbar\nnode-0\t{user1000}.x\n";
    agrees("rows.tsv", content, &[]);
    let content = "{\"k\":\"foo\",\"n\":\"node-2\"}\n{\"k\":\"bar\",\"n\":\"node-0\"}\n\
                   {\"k_hex\":\"7b75736572313030307d2e78\",\"n\":\"node-0\"}\n";
    agrees("rows.jsonl", content, &["--key-column", "k", "--node-column", "n"]);
}

#[test]
fn quotes_and_numbers_are_read() {
    let folder = Folder::with("m.txt", "7\n");
    folder.add("rows.csv", "key,node\n\"a,\"\"b\"\"\nc\",7\n");
    folder.add("rows.jsonl", "{\"key\": 12, \"node\": 7}\n");
    for file in ["rows.csv", "rows.jsonl"] {
        let of = folder.json(0, &["--family", "jump", "--members", "m.txt", file]);
        assert_eq!(of["rows"], 1);
    }
}

#[test]
fn rows_that_do_not_agree_are_listed() {
    // bar is in slot 5061, which is node-0's, and foo in 12182, node-2's.
    let folder = Folder::with(
        "rows.csv",
        "key,node\nfoo,node-1\nbar,node-0\nbar,node-2\nfoo,node-9\nx,node-9\nfoo,\n",
    );
    let arguments = [&SLOTS[..], &["rows.csv"]].concat();
    let text = folder.verify(1, &arguments);
    // Of six rows one agrees; foo and bar stand four and two times, the second bar and
    // the second and third foo with other nodes.
    let expected = "slots: 1 of 6 rows agree (16.67 %) in rows.csv\n\
        2 rows on nodes that are no members: \"node-9\" on 2 rows, the first at line 5\n\
        3 rows with a key that stood before, 3 of them with another node: \"bar\" at line 4, \
        before at line 3\n\
        \n\
        The first that do not agree\n\
        line  key  theirs  ours\n\
        2     foo  node-1  node-2\n\
        4     bar  node-2  node-0\n\
        7     foo          node-2\n";
    assert!(text.starts_with(expected), "{text}");
    let listed = "line,key,theirs,ours\n2,foo,node-1,node-2\n4,bar,node-2,node-0\n";
    let csv = [&arguments[..], &["--format", "csv", "--show", "2"]].concat();
    assert_eq!(folder.verify(1, &csv), listed);
    let of = folder.json(1, &arguments);
    assert_eq!(of["unknown"]["first"], json!([{"node": "node-9", "rows": 2, "line": 5}]));
    assert_eq!(
        of["duplicates"],
        json!({"rows": 3, "conflicting": 3, "first": [
            {"line": 4, "before": 3, "key": "bar"},
            {"line": 5, "before": 2, "key": "foo"},
            {"line": 7, "before": 2, "key": "foo"},
        ]})
    );
    let markdown = folder.verify(1, &[&arguments[..], &["--format", "markdown"]].concat());
    assert!(markdown.contains("| 4 | bar | node-2 | node-0 |"), "{markdown}");
}

#[test]
fn a_key_on_several_rows_of_one_node_agrees() {
    let folder = Folder::with("rows.csv", "key,node\nfoo,node-2\nfoo,node-2\n");
    let of = folder.json(0, &[&SLOTS[..], &["rows.csv"]].concat());
    assert_eq!(of["duplicates"]["rows"], 1);
    assert_eq!(of["duplicates"]["conflicting"], 0);
}

#[test]
fn rows_that_cannot_be_read_are_counted_and_told() {
    let content = "key,node\nfoo,node-2\nbar\nbar,node-0,x\n\"open,node-1\nbar,node-0\n";
    let folder = Folder::with("rows.csv", content);
    let output = folder.homing(&[&["verify"], &SLOTS[..], &["rows.csv"]].concat());
    assert_eq!(output.status.code(), Some(0));
    let printed = String::from_utf8(output.stdout).unwrap();
    let expected = "slots: 2 of 2 rows agree (100.00 %) in rows.csv\n3 rows could not be read\n";
    assert_eq!(printed, expected);
    let told = String::from_utf8(output.stderr).unwrap();
    for line in ["rows.csv:3: a row of 1 fields", "rows.csv:4: a row of 3", "rows.csv:5: a quote"] {
        assert!(told.contains(line), "{told}");
    }
    let content =
        "{\"key\":\"foo\",\"node\":\"node-2\"}\n{\"key\":1}\n[]\n{\"key\":{},\"node\":\"a\"}\n";
    let folder = Folder::with("rows.jsonl", content);
    let output = folder.homing(&[&["verify"], &SLOTS[..], &["rows.jsonl"]].concat());
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("rows.jsonl:2: no field \"node\", the fields are \"key\""), "{told}");
    assert!(told.contains("rows.jsonl:4: key is a table, but must be a text"), "{told}");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn what_is_no_text_is_shown_as_data() {
    let folder = Folder::with("m.json", br#"[{"id": "a|<b>\u001b[2J"}, {"id": "c"}]"#);
    folder.add("rows.csv", b"key,node\n\xff\x1b,a|<b>\x1b[2J\nx,a|<b>\x1b[2J\ny,\x1bd\n");
    for format in ["table", "markdown"] {
        let arguments = ["--family", "jump", "--members", "m.json", "--format", format, "rows.csv"];
        let printed = folder.verify(1, &arguments);
        assert!(!printed.contains('\u{1b}'), "{printed}");
    }
}

#[test]
fn a_cause_that_few_rows_show_is_told_with_a_warning() {
    // Any of a hundred causes puts one key on one of two nodes.
    let folder = Folder::with("rows.csv", "key,node\na,node-0\nb,node-0\nc,node-0\n");
    let arguments = ["--family", "modulo", "--nodes", "2", "rows.csv"];
    let text = folder.verify(1, &arguments);
    assert!(text.contains("note: with so few rows "), "{text}");
}

#[test]
fn a_file_that_no_cause_explains_says_so() {
    // Each key in turn to the next node: nothing of the key is in it.
    let rows: Vec<String> = (0..300).map(|i| format!("key-{i},node-{}", i % 8)).collect();
    let folder = Folder::with("rows.csv", format!("key,node\n{}", rows.join("\n")));
    let arguments = ["--family", "modulo", "rows.csv"];
    let text = folder.verify(1, &arguments);
    assert!(text.contains("\ncause: none of "), "{text}");
    assert!(folder.json(1, &arguments).get("cause").is_none());
}

#[test]
fn nodes_that_are_not_listed_are_counted() {
    let folder = Folder::with("f.csv", "key,node\na,x\nb,y\nc,y\n");
    let printed = folder.verify(1, &["--family", "ring", "--show", "0", "f.csv"]);
    let line = printed.lines().nth(1).unwrap();
    assert_eq!(line, "3 rows on nodes that are no members: 2 of them");
    let printed = folder.verify(1, &["--family", "ring", "--show", "1", "f.csv"]);
    let line = printed.lines().nth(1).unwrap();
    assert!(line.ends_with(": \"x\" on 1 row, the first at line 2; and 1 more"), "{line}");
}

#[test]
fn the_name_of_a_zstd_file_tells_its_form() {
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    // By commas the first column would be that of the keys.
    let rows = "key,old\tkey\tnode\nx\ta\tnode-0\n";
    let packed = compress_to_vec(rows.as_bytes(), CompressionLevel::Fastest);
    let folder = Folder::with("rows.tsv.zst", packed);
    let found = folder.json(0, &["--family", "jump", "--nodes", "1", "rows.tsv.zst"]);
    assert_eq!((&found["rows"], &found["agree"]), (&1.into(), &1.into()));
}
