//! What is refused: exit status 2, nothing on standard output, and one line with what
//! was given and what is allowed.

use crate::Folder;

#[track_caller]
fn refuses(name: &str, content: &str, arguments: &[&str], told: &str) {
    let folder = Folder::with(name, content);
    let arguments = [&["verify", "--family", "jump"], arguments, &[name]].concat();
    let output = folder.homing(&arguments);
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(output.stdout.is_empty());
    assert_eq!(said, format!("homing: {told}\n"));
}

#[test]
fn a_key_a_line_has_no_node() {
    refuses(
        "keys.txt",
        "user:1\nuser:2\n",
        &[],
        "keys.txt:1: found \"user:1\", which has a key or a node but not both; must be CSV or TSV \
         with the columns \"key\" and \"node\", or lines of JSON with these fields",
    );
}

#[test]
fn a_column_that_is_not_there() {
    let told = "rows.csv:1: no column \"node\", the columns are \"key\", \"shard\"";
    refuses("rows.csv", "key,shard\na,b\n", &[], told);
    let told = "rows:1: no column \"id\", the columns are \"key\", \"node\"";
    refuses("rows", "key,node\na,b\n", &["--key-column", "id"], told);
    let told = "rows.tsv:1: no column \"shard\", the columns are \"key\", \"node\"";
    refuses("rows.tsv", "key\tnode\n", &["--node-column", "shard"], told);
    let told = "rows.csv:1: column \"node\" stands twice in the header";
    refuses("rows.csv", "key,node,node\n", &[], told);
}

#[test]
fn a_file_without_a_row_to_use() {
    refuses("rows.csv", "", &[], "rows.csv: no keys, the file has no rows");
    refuses("rows.csv", "key,node\n", &[], "rows.csv: no keys, the file has no rows");
}

#[test]
fn a_file_of_which_no_row_can_be_read() {
    let folder = Folder::with("rows.jsonl", "{\"key\":\"a\"}\n{\"key\":\"b\"}\n");
    let output = folder.homing(&["verify", "--family", "jump", "rows.jsonl"]);
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    let last = "homing: rows.jsonl: no keys, none of 2 rows can be read, the first at line 1: no \
                field \"node\", the fields are \"key\"";
    assert_eq!(told.lines().last(), Some(last));
}

#[test]
fn a_file_or_a_family_that_is_not_there() {
    let folder = Folder::new();
    for arguments in [
        &["verify", "--family", "jump", "none.csv"][..],
        &["verify", "none.csv"],
        &["verify", "--family", "jump"],
        &["verify", "--family", "rong", "none.csv"],
        &["verify", "--family", "jump", "--show", "-1", "none.csv"],
    ] {
        let output = folder.homing(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn keys_that_are_no_hexadecimal_are_rows_that_cannot_be_read() {
    let folder = Folder::with("rows.csv", "key,node\n6b,node-0\nzz,node-0\n");
    let output = folder
        .homing(&["verify", "--family", "slots", "--nodes", "1", "--input", "hex", "rows.csv"]);
    assert_eq!(output.status.code(), Some(0));
    let told = String::from_utf8(output.stderr).unwrap();
    let line = "rows.csv:3: key is \"zz\", but must be hexadecimal digits, two a byte";
    assert!(told.contains(line), "{told}");
}

#[test]
fn help_has_examples() {
    let output = Folder::new().homing(&["verify", "--help"]);
    assert_eq!(output.status.code(), Some(0));
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(told.contains("Examples:") && told.contains("Exit status: 0 if every row agrees"));
}

#[test]
fn a_line_that_is_no_json_is_told_in_our_words() {
    let folder = Folder::with("f.jsonl", "nope\n{\"key\":\"a\",\"node\":\"node-0\"}\n");
    let output = folder.homing(&["verify", "--family", "ring", "f.jsonl"]);
    let told = String::from_utf8(output.stderr).unwrap();
    let first = told.lines().next().unwrap();
    let rule = "found a word, but must be true, false or null";
    assert_eq!(first, format!("homing: f.jsonl:1: no object of JSON: {rule}"));
}
