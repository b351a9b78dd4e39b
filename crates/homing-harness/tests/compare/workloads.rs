//! Keys of every shape and every format, and how much of them is held.

use std::fmt::Write as _;

use serde_json::Value;

use crate::{Folder, assert_close, compare, figure, json_of, row};

/// The keys of facts.md, section 3, with other names for the columns: with two
/// nodes foo and 123456789 are on node-1, the others on node-0. When node-1 leaves,
/// 2 of 4 keys move, 400 of 1000 bytes, 7 of 10 requests.
const ROWS: [(&str, u64, u64); 4] = [
    ("foo", 100, 6),
    ("123456789", 300, 1),
    ("{user1000}.following", 500, 1),
    ("foo{bar}{zap}", 100, 2),
];

fn slots_of(folder: &Folder, arguments: &[&str]) -> Value {
    let two = ["--family", "slots", "--nodes", "2", "--remove", "node-1"];
    let comparison = json_of(folder.compare(&[&two, arguments].concat()));
    row(&comparison, "slots").clone()
}

fn table(between: char) -> String {
    let mut text = format!("id{between}size{between}hits{between}at\n");
    for (key, bytes, requests) in ROWS {
        writeln!(text, "{key}{between}{bytes}{between}{requests}{between}x").unwrap();
    }
    text
}

fn objects() -> String {
    let mut text = String::new();
    for (key, bytes, requests) in ROWS {
        writeln!(text, "{{\"at\":[],\"hits\":{requests},\"id\":\"{key}\",\"size\":{bytes}}}")
            .unwrap();
    }
    text
}

fn refusal(folder: &Folder, arguments: &[&str]) -> String {
    let output = folder.compare(arguments).assert().code(2);
    String::from_utf8(output.get_output().stderr.clone()).unwrap()
}

#[test]
fn columns_are_named_by_flags_in_every_format() {
    let columns = ["--key-column", "id", "--bytes-column", "size", "--requests-column", "hits"];
    for (name, text) in [
        ("trace.csv", table(',')),
        ("trace.tsv", table('\t')),
        ("trace.jsonl", objects()),
        ("trace", table('\t')),
        ("trace", objects()),
    ] {
        let folder = Folder::with(name, &text);
        let slots = slots_of(&folder, &[&["--keys", name], &columns[..]].concat());
        assert_close(figure(&slots, "moved"), 0.5);
        assert_close(figure(&slots["by_bytes"], "moved"), 0.4);
        assert_close(figure(&slots["by_requests"], "moved"), 0.7);
    }
}

#[test]
fn a_scenario_names_columns_and_format_as_flags_do() {
    let folder = Folder::with("trace.txt", table('\t'));
    let scenario = "nodes = 2\n[[change]]\nremove = 'node-1'\n[workload]\nfile = 'trace.txt'\n\
                    format = 'tsv'\nkey_column = 'id'\nbytes_column = 'size'\nsketch = 64\n";
    folder.add("s.toml", scenario);
    let comparison = json_of(folder.compare(&["--scenario", "s.toml", "--family", "slots"]));
    let slots = row(&comparison, "slots");
    assert_close(figure(&slots["by_bytes"], "moved"), 0.4);
    assert!(slots.get("by_requests").is_none(), "{slots}");
}

#[test]
fn a_column_that_does_not_exist_is_refused_with_those_that_do() {
    let folder = Folder::with("trace.csv", table(','));
    let told = refusal(&folder, &["--keys", "trace.csv", "--key-column", "name"]);
    assert_eq!(
        told,
        "homing: trace.csv:1: no column \"name\", the columns are \"id\", \"size\", \"hits\", \"at\"\n"
    );
}

#[test]
fn negative_bytes_are_told_with_their_line() {
    let folder =
        Folder::with("t.jsonl", "{\"key\":\"a\",\"bytes\":1}\n{\"key\":\"b\",\"bytes\":-2}\n");
    let told = refusal(&folder, &["--keys", "t.jsonl", "--strict"]);
    assert_eq!(
        told,
        "homing: t.jsonl:2: bytes is -2, but must be a whole number from 0 to 18446744073709551615\n"
    );
}

#[test]
fn keys_of_one_tag_are_on_one_node() {
    // All keys are in one slot: of nine nodes one has all, nine times
    // the mean of 1/9.
    let arguments =
        ["--family", "slots", "--sample", "1000", "--generate", "tagged:share=1,tags=1"];
    let comparison = compare(&arguments);
    let slots = row(&comparison, "slots");
    assert_eq!(slots["basis"], "counted");
    assert_eq!(comparison["workload"]["generated"], true);
    assert_close(figure(slots, "peak_to_mean"), 9.0);
}

#[test]
fn keys_of_other_shapes_are_a_sample() {
    for shape in ["numbered", "uuid", "words"] {
        let arguments = ["--family", "jump", "--sample", "20000", "--generate", shape];
        let jump = row(&compare(&arguments), "jump").clone();
        assert_eq!(jump["basis"], "sampled");
        // Four standard deviations of a binomial of 1/9 over 20,000 keys: 0.0089.
        assert!((figure(&jump, "moved") - 1.0 / 9.0).abs() < 0.0089, "{shape}: {jump}");
    }
}

#[test]
fn requests_and_sizes_are_asked_for_by_flags() {
    // 1000 / (r H), H the sum of 1/r for r from 1 to 10: the first has 341 of 1000.
    let zipf = ["--family", "jump", "--sample", "10", "--requests", "zipf:exponent=1,total=1000"];
    let workload = compare(&zipf)["workload"].clone();
    assert_eq!(
        (&workload["requests"], &workload["hottest"]["requests"]),
        (&1000.into(), &341.into())
    );
    // Ten for each of 1001 keys, half of it for the first: 5 for each of the others.
    let hot = ["--family", "jump", "--sample", "1001", "--requests", "hot:share=0.5"];
    let workload = compare(&hot)["workload"].clone();
    assert_eq!(
        (&workload["requests"], &workload["hottest"]["requests"]),
        (&10_000.into(), &5000.into())
    );
    // The quantiles of six draws, as in the unit test of sizes: 22,638 in all.
    let sized = ["--family", "jump", "--sample", "6", "--sizes", "lognormal:median=4096,sigma=1.5"];
    assert_eq!(compare(&sized)["workload"]["bytes"], 22_638);
}

#[test]
fn a_scenario_asks_for_shapes_as_flags_do() {
    let folder = Folder::with(
        "s.toml",
        "[workload]\nkeys = 1001\ngenerate = 'uuid'\nhot = 0.5\nrequests = 10010\n",
    );
    let arguments = ["--scenario", "s.toml", "--family", "jump"];
    let by_file = json_of(folder.compare(&arguments))["workload"].clone();
    let flags = ["--sample", "1001", "--generate", "uuid", "--requests", "hot:share=0.5"];
    let by_flags = compare(&[&["--family", "jump"], &flags[..]].concat())["workload"].clone();
    assert_eq!(by_file, by_flags);

    folder.add("bad.toml", "[workload]\nkeys = 5\ngenerate = 'guid'\n");
    let told = refusal(&folder, &["--scenario", "bad.toml"]);
    assert!(told.starts_with("homing: bad.toml:3: generate is \"guid\""), "{told}");
}

#[test]
fn a_sketch_finds_the_hot_key_and_says_what_it_holds() {
    // A quarter of 40,000 rows are one key, the others once each: 1024 counters
    // are off by 3.5 / 1024 of all rows at most.
    let rows: String = (0..40_000)
        .map(|i| if i % 4 == 0 { "hot\n".to_owned() } else { format!("k{i}\n") })
        .collect();
    let folder = Folder::with("keys", rows);
    let arguments = ["--family", "jump", "--keys", "keys", "--sketch", "1024"];
    let comparison = json_of(folder.compare(&arguments));
    let workload = &comparison["workload"];
    assert_eq!((&workload["requests"], &workload["generated"]), (&40_000.into(), &false.into()));
    assert_eq!(workload["hottest"]["key"], "\"hot\"");
    let off = figure(&workload["hottest"], "fraction") - 0.25;
    assert!(off.abs() <= 3.5 / 1024.0, "{off}");
    // 30,001 keys; 1 / sqrt(1022) of it is 3.2 %.
    let keys = figure(workload, "keys");
    assert!((keys / 30_001.0 - 1.0).abs() < 4.0 / 1022_f64.sqrt(), "{keys}");
    let jump = row(&comparison, "jump");
    assert_eq!(jump["basis"], "sampled");
    // Four standard deviations of a binomial of 1/9 over 1024 keys: 0.0393.
    assert!((figure(jump, "moved") - 1.0 / 9.0).abs() < 0.0393, "{jump}");
}

#[test]
fn a_flag_for_files_is_none_for_generated_keys_and_the_other_way_round() {
    let folder = Folder::with("s.toml", "[workload]\nfile = 'keys'\n");
    folder.add("keys", "a\nb\n");
    for (arguments, told) in [
        (&["--sketch", "100"][..], "homing: sketch is for keys from a file\n"),
        (&["--key-column", "id"], "homing: key-column is for keys from a file\n"),
        (
            &["--scenario", "s.toml", "--generate", "uuid"],
            "homing: generate is for generated keys, but the scenario reads a file\n",
        ),
        (
            &["--keys", "keys", "--sketch", "5"],
            "homing: sketch is \"5\", but must be a whole number from 64 to 268435456\n",
        ),
        (
            &["--requests", "pareto"],
            "homing: requests is \"pareto\", but must be one of zipf, hot\n",
        ),
    ] {
        assert_eq!(refusal(&folder, arguments), told);
    }
}
