//! The user's own keys: by keys, by bytes, by requests, and how they are read.

use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::Value;

use crate::{Folder, assert_close, figure, json_of, row};

/// Four keys of which facts.md, section 3, gives the slots. With two nodes,
/// node-0 has slots 0 to 8191 and node-1 the others:
///
/// | key | slot | node | bytes | requests |
/// |---|---|---|---|---|
/// | foo | 12182 | node-1 | 100 | 6 |
/// | 123456789 | 12739 | node-1 | 300 | 1 |
/// | {user1000}.following | 3443 | node-0 | 500 | 1 |
/// | foo{bar}{zap} | 5061 | node-0 | 100 | 2 |
const TRACE: &str = "\
key,bytes,requests
foo,100,6
123456789,300,1
{user1000}.following,500,1
foo{bar}{zap},100,2
";

/// The arguments for one family over a file of keys.
fn of<'a>(family: &'a str, keys: &'a str) -> Vec<&'a str> {
    vec!["--family", family, "--keys", keys]
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// The rows of a comparison of two nodes over a file of keys.
fn two_nodes(name: &str, content: impl AsRef<[u8]>, change: [&str; 2]) -> Value {
    let folder = Folder::with(name, content);
    let mut arguments = of("slots", name);
    arguments.extend(["--nodes", "2"].into_iter().chain(change));
    json_of(folder.compare(&arguments))
}

#[test]
fn moves_are_told_by_keys_by_bytes_and_by_requests() {
    // node-1 leaves, and its slots lose their owner: two of four keys, 400 of
    // 1000 bytes, 7 of 10 requests.
    let comparison = two_nodes("keys.csv", TRACE, ["--remove", "node-1"]);
    for name in ["slots", "slots+rebalance"] {
        let row = row(&comparison, name);
        assert_eq!(row["basis"], "counted");
        assert_close(figure(row, "moved"), 0.5);
        assert_close(figure(row, "moved_low"), 0.5);
        assert_close(figure(row, "moved_high"), 0.5);
        assert_close(figure(&row["by_bytes"], "moved"), 0.4);
        assert_close(figure(&row["by_requests"], "moved"), 0.7);
        for row in [row, &row["by_bytes"], &row["by_requests"]] {
            assert_close(figure(row, "optimal"), 0.5);
        }
    }
    assert_eq!(row(&comparison, "slots")["uncovered"], 8192);
}

#[test]
fn balance_is_told_by_keys_by_bytes_and_by_requests() {
    // A third node joins and owns nothing. The mean load is 1/3; node-0 and
    // node-1 have 1/2 and 1/2 of the keys, 0.6 and 0.4 of the bytes, 0.3 and
    // 0.7 of the requests. cv is sqrt(3 (a^2 + b^2) - 1).
    let comparison = two_nodes("keys.csv", TRACE, ["--grow", "1"]);
    let slots = row(&comparison, "slots");
    let loads = [
        (slots, [0.5_f64, 0.5_f64]),
        (&slots["by_bytes"], [0.6, 0.4]),
        (&slots["by_requests"], [0.3, 0.7]),
    ];
    for (row, [a, b]) in loads {
        assert_close(figure(row, "moved"), 0.0);
        assert_close(figure(row, "peak_to_mean"), 3.0 * a.max(b));
        assert_close(figure(row, "cv"), (3.0 * (a * a + b * b) - 1.0).sqrt());
    }
}

#[test]
fn the_hottest_key_is_named_with_its_owner_and_its_part() {
    // foo, with 6 of 10 requests, is on node-1.
    let folder = Folder::with("keys.csv", TRACE);
    let arguments = [&of("slots", "keys.csv")[..], &["--nodes", "2"]].concat();
    let output = folder.compare(&arguments).assert().success();
    let table = String::from_utf8_lossy(&output.get_output().stdout).into_owned();
    let line = table.lines().find(|line| line.contains("\"foo\"")).unwrap();
    assert!(line.contains("60.00 %") && line.contains("slots node-1"), "{line}");
}

#[test]
fn one_hot_key_makes_requests_uneven_while_keys_are_even() {
    // cases.md, C41: over five nodes the owner of the hot key has
    // 0.5 + 0.5 s of the requests, s its share of the keys.
    let mut trace = String::from("key,requests\nhot,5000\n");
    for i in 0..5000 {
        writeln!(trace, "d{i},1").unwrap();
    }
    let folder = Folder::with("hot.csv", trace);
    for family in ["ring", "maglev", "rendezvous", "jump", "modulo", "slots+rebalance"] {
        let name = family.trim_end_matches("+rebalance");
        let comparison =
            json_of(folder.compare(&[&of(name, "hot.csv")[..], &["--nodes", "4"]].concat()));
        let row = row(&comparison, family);
        let by_requests = figure(&row["by_requests"], "peak_to_mean");
        assert!((2.8..=3.25).contains(&by_requests), "{family}: {by_requests}");
        let by_keys = figure(row, "peak_to_mean");
        assert!(by_keys <= 1.45, "{family}: {by_keys}");
        assert_eq!(comparison["workload"]["hottest"]["key"], "\"hot\"");
        assert_close(figure(&comparison["workload"]["hottest"], "fraction"), 0.5);
    }
}

#[test]
fn a_key_on_several_rows_has_their_requests_and_its_largest_bytes() {
    // foo: 3 requests and 30 bytes, on node-1; the other: 1 and 10, on node-0.
    let rows = "key,bytes\nfoo,10\nfoo,30\n{user1000}.following,10\nfoo,20\n";
    let comparison = two_nodes("keys.csv", rows, ["--remove", "node-1"]);
    assert_eq!(comparison["workload"]["keys"], 2);
    let slots = row(&comparison, "slots");
    assert_close(figure(slots, "moved"), 0.5);
    assert_close(figure(&slots["by_bytes"], "moved"), 0.75);
    assert_close(figure(&slots["by_requests"], "moved"), 0.75);
}

#[test]
fn any_other_file_is_a_key_a_line() {
    let comparison =
        two_nodes("keys.txt", "foo\n123456789\nfoo{bar}{zap}\n", ["--remove", "node-1"]);
    let slots = row(&comparison, "slots");
    assert_close(figure(slots, "moved"), 2.0 / 3.0);
    assert!(slots.get("by_bytes").is_none() && slots.get("by_requests").is_none(), "{slots}");
}

#[test]
fn a_first_line_with_a_field_key_is_a_header_whatever_the_files_name() {
    let comparison = two_nodes("trace.log", TRACE, ["--remove", "node-1"]);
    assert_close(figure(&row(&comparison, "slots")["by_bytes"], "moved"), 0.4);
}

#[test]
fn gzip_is_known_by_its_first_bytes() {
    for name in ["keys.csv.gz", "keys"] {
        let comparison = two_nodes(name, gzip(TRACE.as_bytes()), ["--remove", "node-1"]);
        assert_close(figure(&row(&comparison, "slots")["by_requests"], "moved"), 0.7);
    }
}

#[test]
fn a_dash_is_standard_input() {
    let folder = Folder::new();
    let mut command = folder.compare(&of("slots", "-"));
    command.args(["--nodes", "2", "--remove", "node-1"]).write_stdin(TRACE);
    assert_close(figure(&row(&json_of(command), "slots")["by_bytes"], "moved"), 0.4);
}

#[test]
fn keys_need_not_be_text() {
    let comparison = two_nodes("keys", b"\xff\xfe\n\x00\x01\x1b[2J\n\n\xff\xfe\n", ["--grow", "1"]);
    // Two of them and the empty key; the first twice.
    assert_eq!(comparison["workload"]["keys"], 3);
    assert_eq!(comparison["workload"]["requests"], 4);
}

#[test]
fn a_hot_key_of_control_characters_does_not_reach_the_terminal() {
    let folder = Folder::with("keys", b"\x1b[2J\n\x1b[2J\nb\n");
    for form in ["table", "markdown"] {
        let arguments = [&of("slots", "keys")[..], &["--format", form]].concat();
        let output = folder.compare(&arguments).assert().success();
        assert!(!output.get_output().stdout.contains(&0x1b), "{form}");
    }
}

#[test]
fn an_unreadable_row_is_passed_over_and_told_with_its_line() {
    let rows = "key,bytes\nfoo,1\n123456789,many\n{user1000}.following,3\n";
    let folder = Folder::with("keys.csv", rows);
    let output = folder.compare(&of("slots", "keys.csv")).assert().success();
    let told = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(told.contains("keys.csv:3: ") && told.contains("\"many\""), "{told}");
    assert!(told.contains("2 were used"), "{told}");

    let comparison = json_of(folder.compare(&of("slots", "keys.csv")));
    assert_eq!(comparison["workload"]["unreadable"], 1);
    assert_eq!(comparison["workload"]["keys"], 2);
}

#[test]
fn rows_that_can_be_read_are_told_nothing_of() {
    let folder = Folder::with("keys.csv", TRACE);
    let output = folder.compare(&of("slots", "keys.csv")).arg("--strict").assert().success();
    assert!(output.get_output().stderr.is_empty());
}

#[test]
fn sizes_that_are_all_zero_are_no_figures() {
    let comparison =
        two_nodes("keys.csv", "key,bytes,requests\nfoo,0,0\nbar,0,0\n", ["--grow", "1"]);
    let slots = row(&comparison, "slots");
    assert!(slots.get("by_bytes").is_none() && slots.get("by_requests").is_none(), "{slots}");
    let workload = &comparison["workload"];
    assert!(workload.get("bytes").is_none() && workload.get("requests").is_none(), "{workload}");
}

#[test]
fn a_quote_in_every_row_costs_these_rows_alone() {
    // A measure in inches is no field in quotes: the quote is never closed.
    let rows = format!("key,name\na,1\n{}b,2\n", "5\",\"6 inch pipe\n".repeat(20_000));
    let folder = Folder::with("keys.csv", rows);
    let comparison = json_of(folder.compare(&of("slots", "keys.csv")));
    assert_eq!(comparison["workload"]["keys"], 2);
    assert_eq!(comparison["workload"]["unreadable"], 20_000);
}
