//! What is refused: exit status 2, nothing on standard output, and one line in
//! lower case on standard error with what was given and what is allowed.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::Folder;

/// Fails unless `compare` refuses the arguments in one line that has all of
/// `parts`.
#[track_caller]
pub(crate) fn refuses(folder: &Folder, arguments: &[&str], parts: &[&str]) {
    let output = folder.compare(arguments).assert().code(2);
    let output = output.get_output();
    assert!(output.stdout.is_empty(), "{arguments:?} prints an answer");
    let told = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(told.lines().count(), 1, "{arguments:?}: {told}");
    let reason = told.trim_end().strip_prefix("homing: ").unwrap_or_else(|| panic!("{told}"));
    assert!(!reason.starts_with(char::is_uppercase), "{told}");
    assert!(!reason.ends_with('.'), "{told}");
    assert!(!reason.contains("panicked"), "{told}");
    for part in parts {
        assert!(reason.contains(part), "{arguments:?}: {part:?} in {told}");
    }
}

#[track_caller]
fn refuses_flags(arguments: &[&str], parts: &[&str]) {
    refuses(&Folder::new(), arguments, parts);
}

#[track_caller]
fn refuses_members(name: &str, content: &str, parts: &[&str]) {
    let folder = Folder::with(name, content);
    refuses(&folder, &["--members", name], &[&[name], parts].concat());
}

#[track_caller]
fn refuses_keys(name: &str, content: impl AsRef<[u8]>, parts: &[&str]) {
    let folder = Folder::with(name, content);
    refuses(&folder, &["--keys", name], &[&[name], parts].concat());
}

#[track_caller]
pub(crate) fn refuses_scenario(content: &str, parts: &[&str]) {
    let folder = Folder::with("s.toml", content);
    refuses(&folder, &["--scenario", "s.toml"], &[&["s.toml"], parts].concat());
}

#[test]
fn no_nodes() {
    refuses_flags(&["--nodes", "0"], &["nodes is \"0\"", "from 1 to 10000000"]);
    refuses_members("m.toml", "", &["no nodes"]);
    refuses_members("m.txt", "\n\n", &["no nodes"]);
    refuses_members("m.json", "[]", &["no nodes"]);
}

#[test]
fn a_change_that_leaves_no_node() {
    refuses_flags(&["--nodes", "1", "--remove", "node-0"], &["no nodes"]);
    refuses_flags(&["--nodes", "1", "--reweight", "node-0=0"], &["no nodes"]);
}

#[test]
fn a_duplicate_id() {
    refuses_members("m.txt", "a\nb\na\n", &["\"a\"", "member already"]);
    refuses_members("m.toml", "[[node]]\nid = \"a\"\n[[node]]\nid = \"a\"\n", &["\"a\""]);
    refuses_flags(&["--add", "node-0"], &["\"node-0\"", "member already"]);
}

#[test]
fn an_empty_id() {
    refuses_members("m.toml", "[[node]]\nid = \"\"\n", &["id is \"\""]);
    refuses_flags(&["--add", ""], &["id is \"\""]);
    refuses_flags(&["--add", "=2"], &["id is \"\""]);
}

#[test]
fn an_unknown_id() {
    refuses_flags(&["--remove", "nobody"], &["\"nobody\"", "no member"]);
    refuses_flags(&["--reweight", "nobody=2"], &["\"nobody\"", "no member"]);
}

#[test]
fn a_weight_in_a_file_that_is_none() {
    const ALLOWED: &str = "a whole number from 0 to 4294967295";
    for (given, shown) in [
        ("nan", "NaN"),
        ("inf", "inf"),
        ("-1", "-1"),
        ("0.5", "0.5"),
        ("4294967296", "4294967296"),
        ("\"two\"", "\"two\""),
    ] {
        let text = format!("[[node]]\nid = \"a\"\nweight = {given}\n");
        refuses_members("m.toml", &text, &["\"a\"", shown, ALLOWED]);
    }
    refuses_members("m.json", r#"[{"id": "a", "weight": 4294967296}]"#, &["\"a\"", ALLOWED]);
    refuses_members("m.json", r#"[{"id": "a", "weight": -0.5}]"#, &["\"a\"", "-0.5", ALLOWED]);
}

#[test]
fn a_weight_in_a_flag_that_is_none() {
    const ALLOWED: &str = "a whole number from 0 to 4294967295";
    for weight in ["-1", "+3", "NaN", "4294967296", "", "1.5"] {
        let shown = format!("{weight:?}");
        refuses_flags(&["--add", &format!("a={weight}")], &["\"a\"", &shown, ALLOWED]);
        let reweight = format!("node-1={weight}");
        refuses_flags(&["--reweight", &reweight], &["\"node-1\"", &shown, ALLOWED]);
    }
    refuses_flags(&["--reweight", "node-1"], &["\"node-1\"", "ID=WEIGHT"]);
}

#[test]
fn all_weights_zero() {
    let text = "[[node]]\nid = \"a\"\nweight = 0\n[[node]]\nid = \"b\"\nweight = 0\n";
    refuses_members("m.toml", text, &["no nodes", "weight above 0"]);
}

#[test]
fn a_field_that_no_node_has() {
    let text = "[[node]]\nid = \"a\"\nwieght = 2\n";
    refuses_members("m.toml", text, &["m.toml:3: ", "\"wieght\"", "id", "weight", "zone"]);
}

#[test]
fn members_that_are_no_file_or_no_text() {
    refuses_flags(&["--members", "none.toml"], &["none.toml"]);
    let folder = Folder::with("m.txt", b"a\n\xff\n");
    refuses(&folder, &["--members", "m.txt"], &["m.txt:2: ", "UTF-8"]);
}

#[test]
fn a_parameter_out_of_its_range() {
    refuses_flags(&["--family", "ring:points=0"], &["points is 0", "but must be"]);
    refuses_flags(&["--family", "maglev:entries=65536"], &["entries is 65536", "a prime"]);
    // 7 is prime, but below the eight nodes of the default.
    refuses_flags(&["--family", "maglev:entries=7"], &["entries is 7", "at least 8"]);
    refuses_flags(&["--family", "maglev:entries=0"], &["entries is 0", "but must be"]);
    let most = "a whole number from 1 to 4294967295";
    for points in ["\"-1\"", "\"+3\"", "\"x\"", "4294967296", "18446744073709551615"] {
        let family = format!("ring:points={}", points.trim_matches('"'));
        let told = format!("ring: points is {points}, but must be {most}");
        refuses_flags(&["--family", &family], &[&told]);
    }
    let told = "maglev: entries is 4294967296, but must be a prime from 2 to 2147483647";
    refuses_flags(&["--family", "maglev:entries=4294967296"], &[told]);
    refuses_flags(&["--family", "slots:ranges=3"], &["slots: ranges: found string \"3\""]);
    refuses_flags(&["--family", "ring:hash=md5"], &["md5", "xxh3", "sha256"]);
}

#[test]
fn a_family_or_a_parameter_that_does_not_exist() {
    let families = ["modulo", "ring", "slots", "maglev", "rendezvous", "jump"];
    refuses_flags(&["--family", "rang"], &[&["\"rang\""], &families[..]].concat());
    refuses_flags(&["--family", ""], &families);
    refuses_flags(&["--family", "ring:pints=3"], &["ring", "\"pints\"", "points"]);
    refuses_flags(&["--family", "jump:points=3"], &["jump", "\"points\"", "hash"]);
    refuses_flags(&["--family", "ring:points"], &["\"points\"", "PARAMETER=VALUE"]);
    refuses_flags(&["--family", "ring:"], &["PARAMETER=VALUE"]);
    refuses_flags(&["--family", "ring:points=1,points=2"], &["\"points\"", "twice"]);
}

#[test]
fn counts_that_are_none() {
    for count in ["0", "10000001", "18446744073709551615"] {
        let told = format!("grow is \"{count}\", but must be a whole number from 1 to 10000000");
        refuses_flags(&["--grow", count], &[&told]);
    }
    refuses_flags(&["--sample", "0"], &["sample is \"0\"", "from 1"]);
    refuses_flags(&["--replicas", "0"], &["replicas is \"0\"", "1"]);
}

#[test]
fn a_spread_of_no_replicas() {
    refuses_flags(&["--spread", "zones"], &["spread", "replicas"]);
    let folder = Folder::with("s.toml", "nodes = 3\n");
    refuses(&folder, &["--scenario", "s.toml", "--spread", "nodes"], &["spread", "replicas"]);
}

#[test]
fn an_id_of_many_bytes() {
    let id = "x".repeat(100_000);
    let folder = Folder::with("m", format!("{id}\n{id}\n"));
    let told = format!("m:2: node \"{}...\" is a member already", "x".repeat(60));
    refuses(&folder, &["--members", "m"], &[&told]);
}

#[test]
fn keys_without_a_column_key() {
    let parts = ["keys.csv:1: ", "\"key\"", "\"id\"", "\"bytes\""];
    refuses_keys("keys.csv", "id,bytes\na,1\n", &parts);
}

#[test]
fn keys_of_which_there_are_none() {
    refuses_keys("keys.csv", "", &["no keys"]);
    refuses_keys("keys.txt", "", &["no keys"]);
    refuses_keys("keys.csv", "key,bytes\n", &["no keys"]);
}

#[test]
fn keys_of_which_none_can_be_read() {
    // What was passed over is told first; the reason is the last line.
    let folder = Folder::with("keys.csv", "key,bytes\na,x\nb,y\n");
    let output = folder.compare(&["--keys", "keys.csv"]).assert().code(2);
    let told = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    let last = told.lines().last().unwrap();
    assert!(last.starts_with("homing: keys.csv: no keys"), "{told}");
    assert!(last.contains("line 2"), "{told}");
}

#[test]
fn keys_that_are_cut_off() {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    for i in 0..1000 {
        writeln!(encoder, "key-{i}").unwrap();
    }
    let whole = encoder.finish().unwrap();
    refuses_keys("keys.gz", &whole[..whole.len() / 2], &["gzip", "cut off"]);
    refuses_keys("keys.gz", &whole[..whole.len() - 4], &["gzip", "cut off"]);
    let mut damaged = whole.clone();
    damaged[whole.len() - 6] ^= 1; // a byte of the checksum
    refuses_keys("keys.gz", &damaged, &["gzip"]);
}

#[test]
fn keys_that_are_no_file() {
    refuses_flags(&["--keys", "none.csv"], &["none.csv"]);
    refuses_flags(&["--keys", "."], &["."]);
}

#[test]
fn an_unreadable_row_where_reading_is_strict() {
    let folder = Folder::with("keys.csv", "key,bytes\na,1\nb,x\nc,3\n");
    let parts = ["keys.csv:3: ", "bytes is \"x\"", "whole number"];
    refuses(&folder, &["--keys", "keys.csv", "--strict"], &parts);
    folder.add("keys.csv", "key,bytes\na,1\nb\n");
    refuses(&folder, &["--keys", "keys.csv", "--strict"], &["keys.csv:3: ", "fields"]);
    folder.add("keys.csv", "key,requests\na,-1\n");
    refuses(&folder, &["--keys", "keys.csv", "--strict"], &["keys.csv:2: ", "requests is \"-1\""]);
}

#[test]
fn strict_without_a_file() {
    refuses_flags(&["--strict"], &["strict", "file"]);
}

#[test]
fn what_the_argument_parser_refuses_ends_with_two_as_well() {
    let folder = Folder::new();
    let wrong: [&[&str]; 6] = [
        &["--nodes", "many"],
        &["--nodes", "3", "--members", "m.toml"],
        &["--format", "xml"],
        &["--unknown"],
        &["--keys", "k", "--sample", "3"],
        &["stray"],
    ];
    for arguments in wrong {
        let output = folder.compare(arguments).assert().code(2);
        let told = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(!told.is_empty() && !told.contains("panicked"), "{arguments:?}: {told}");
    }
}
