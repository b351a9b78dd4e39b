//! The load by bytes and by requests, where the keys carry them.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use homing_core::{Members, Node};
use homing_harness::registry::Choice;
use serde_json::json;
use tempfile::TempDir;

use crate::{RING, abcd, assert_figures, failures, failures_in, figure, json_of, of, row};

/// The folder of `abcd` with `k.csv`: one key on each node, named as it, with its
/// sizes and requests in columns that are to be named.
fn trace() -> TempDir {
    let folder = abcd();
    let mut text = "key,size,hits\n".to_owned();
    // A owns the sixteenths from 0, B from 4, C from 6, D from 8.
    for (sixteenth, rest) in [(0, "100,10"), (4, "300,20"), (6, "200,10"), (8, "400,60")] {
        writeln!(text, "{},{rest}", key_in(sixteenth)).unwrap();
    }
    fs::write(folder.path().join("k.csv"), text).unwrap();
    folder
}

/// A key that the ring hashes into a sixteenth of the circle.
fn key_in(sixteenth: u64) -> String {
    let any = Members::new([Node::new("any")]).unwrap();
    let ring = Choice::parse("ring").unwrap().build(any).unwrap();
    let keys = (0..).map(|i| format!("key-{i}"));
    let mut there = keys.filter(|key| ring.position(key.as_bytes()) >> 60 == sixteenth);
    there.next().unwrap()
}

const TRACE: [&str; 6] = ["--keys", "k.csv", "--bytes-column", "size", "--requests-column", "hits"];

#[test]
fn the_load_is_that_of_keys_of_bytes_and_of_requests() {
    // Bytes on A B C D are 100 300 200 400, requests 10 20 10 60; what a node loses
    // goes to the next one. Peaks are over a mean of 1000/3 and 100/3.
    //            bytes                              requests
    //   A fails: B 400 C 200 D 400   1.2  B by 4/3    B 30 C 10 D 60   1.8 D  B by 1.5
    //   B fails: A 100 C 500 D 400   1.5  C by 2.5    A 10 C 30 D 60   1.8 D  C by 3
    //   C fails: A 100 B 300 D 600   1.8  D by 1.5    A 10 B 20 D 70   2.1 D  D by 7/6
    //   D fails: A 500 B 300 C 200   1.5  A by 5      A 70 B 20 C 10   2.1 A  A by 7
    let run = [&RING[..], &TRACE, &["--pairs", "0"]].concat();
    let found = json_of(failures_in(trace().path(), &run));
    assert_figures(&found, &[("workload.bytes", 1000.0), ("workload.requests", 100.0)]);
    let row = row(&found, "ring", "node");
    assert_eq!(row["basis"], "counted");
    for (node, bytes, requests, peaks) in [
        ("A", [0.1, 1.2, 4.0 / 3.0], [0.1, 1.8, 1.5], ["B", "D"]),
        ("B", [0.3, 1.5, 2.5], [0.2, 1.8, 3.0], ["C", "D"]),
        ("C", [0.2, 1.8, 1.5], [0.1, 2.1, 7.0 / 6.0], ["D", "D"]),
        ("D", [0.4, 1.5, 5.0], [0.6, 2.1, 7.0], ["A", "A"]),
    ] {
        let each = of(row, &[node]);
        // One key of four, to a node that had one.
        assert_figures(each, &[("lost", 0.25), ("peak_to_mean", 1.5), ("growth", 2.0)]);
        for (by, [lost, peak, growth], node) in
            [("by_bytes", bytes, peaks[0]), ("by_requests", requests, peaks[1])]
        {
            let expected = [
                ("lost", lost),
                ("peak_to_mean", peak),
                ("growth", growth),
                ("takers", 1.0),
                ("stray", 0.0),
                ("unserved", 0.0),
            ];
            assert_figures(&each[by], &expected);
            assert_eq!(each[by]["peak_node"], node);
        }
    }
    let summed = [
        ("peak_to_mean.worst", 1.5),
        ("by_bytes.lost.worst", 0.4),
        ("by_bytes.peak_to_mean.worst", 1.8),
        ("by_bytes.peak_to_mean.mean", 1.5),
        ("by_requests.lost.worst", 0.6),
        ("by_requests.peak_to_mean.worst", 2.1),
        ("by_requests.peak_to_mean.mean", 1.95),
        ("by_requests.growth.worst", 7.0),
    ];
    assert_figures(row, &summed);
    assert_eq!(row["by_bytes"]["peak_to_mean"]["worst_of"], json!(["C"]));
    assert_eq!(row["by_requests"]["growth"]["worst_of"], json!(["D"]));
}

#[test]
fn lost_replicas_are_weighed_by_what_their_keys_carry() {
    // The key of A is on A and B, that of B on B and C, of C on C and D, of D on D
    // and A: bytes 100 300 200 400, requests 10 20 10 60.
    let run = [&RING[..], &TRACE, &["--replicas", "2"]].concat();
    let found = json_of(failures_in(trace().path(), &run));
    let pairs = row(&found, "ring", "pair");
    for (pair, keys, bytes, requests) in [
        (["A", "B"], 0.25, 0.1, 0.1),
        (["A", "C"], 0.0, 0.0, 0.0),
        (["B", "C"], 0.25, 0.3, 0.2),
        (["A", "D"], 0.25, 0.4, 0.6),
        (["B", "D"], 0.0, 0.0, 0.0),
        (["C", "D"], 0.25, 0.2, 0.1),
    ] {
        let expected = [
            ("replicas.all_lost", keys),
            ("by_bytes.replicas.all_lost", bytes),
            ("by_requests.replicas.all_lost", requests),
            ("by_requests.replicas.all_lost_low", requests),
            ("by_requests.replicas.all_lost_high", requests),
        ];
        assert_figures(of(pairs, &pair), &expected);
    }
    // A or B has some replica of the keys of A, B and D, C or D of those of B, C and D.
    assert_figures(of(pairs, &["A", "B"]), &[("by_requests.replicas.some_lost", 0.9)]);
    assert_figures(of(pairs, &["C", "D"]), &[("by_bytes.replicas.some_lost", 0.9)]);
    // 20 of B to C and 60 of D to A, 1/(1/16 + 9/16); 300 and 400, 1/(9/49 + 16/49).
    let both = [("by_requests.effective_takers", 1.6), ("by_bytes.effective_takers", 1.96)];
    assert_figures(of(pairs, &["B", "D"]), &both);
    let summed = [
        ("by_bytes.replicas.all_lost.worst", 0.4),
        ("by_requests.replicas.all_lost.worst", 0.6),
        ("by_requests.replicas.all_lost.mean", 1.0 / 6.0),
    ];
    assert_figures(pairs, &summed);
    let worst = &pairs["by_requests"]["replicas"]["all_lost"]["worst_of"];
    assert_eq!(worst, &json!(["A", "D"]));
}

#[test]
fn tables_by_bytes_and_requests_follow_those_by_keys() {
    // The worst and the mean of the test of the load; growth by requests has the mean
    // (3/2 + 3 + 7/6 + 7) / 4.
    let run = [&RING[..], &TRACE, &["--pairs", "0", "--replicas", "2"]].concat();
    let output = failures_in(trace().path(), &run).assert().success();
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let titles: Vec<&str> =
        text.lines().filter(|line| line.starts_with("Load") || line.starts_with("Repl")).collect();
    let expected = [
        "Load of who survives",
        "Replicas, of all keys",
        "Load of who survives, by bytes",
        "Replicas, of all bytes",
        "Load of who survives, by requests",
        "Replicas, of all requests",
    ];
    assert_eq!(titles, expected, "{text}");
    let line = |title: &str| {
        let after = text.lines().skip_while(|line| *line != title).nth(2).unwrap();
        after.split_whitespace().skip(1).collect::<Vec<_>>().join(" ")
    };
    assert_eq!(
        line("Load of who survives, by requests"),
        "4 nodes 60.00 % 2.100 1.950 7.000 3.167 1 1.0 1.0 0.00 % 0.00 % counted"
    );
    // Some lost: with A 10 + 60, B 10 + 20, C 20 + 10, D 10 + 60.
    assert_eq!(
        line("Replicas, of all requests"),
        "4 nodes 0.00 % 0.00 % 70.00 % 50.00 % 0.00 % 70.00 % 0.00 % counted"
    );
}

#[test]
fn csv_has_columns_by_bytes_and_by_requests() {
    let run = [&RING[..], &TRACE, &["--replicas", "2", "--format", "csv"]].concat();
    let output = failures_in(trace().path(), &run).assert().success();
    let mut reader = csv::Reader::from_reader(&output.get_output().stdout[..]);
    let header = reader.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    let cell = |row: usize, name: &str| {
        rows[row][header.iter().position(|column| column == name).unwrap()].to_owned()
    };
    // D is the fourth node, AD the fourth pair.
    assert_eq!([cell(3, "node"), cell(3, "by_requests_lost")], ["D", "0.6"]);
    assert_eq!([cell(3, "by_requests_growth"), cell(3, "by_bytes_growth")], ["7", "5"]);
    assert_eq!([cell(7, "node"), cell(7, "node2")], ["A", "D"]);
    assert_eq!([cell(7, "by_bytes_all_lost"), cell(7, "by_requests_all_lost")], ["0.4", "0.6"]);
}

#[test]
fn keys_that_carry_nothing_are_counted_alone() {
    let found = failures(&["--nodes", "3", "--family", "ring", "--replicas", "2"]);
    let row = row(&found, "ring", "node");
    for by in ["by_bytes", "by_requests"] {
        assert_eq!((row.get(by), row["each"][0].get(by)), (None, None));
    }
}

#[test]
fn a_key_that_occurs_twice_has_two_requests() {
    // A key in A's sixteenths three times, one in D's once: A's failure loses 3 of 4
    // requests and 1 of 2 keys.
    let folder = abcd();
    let (a, d) = (key_in(0), key_in(8));
    fs::write(folder.path().join("k.txt"), format!("{a}\n{d}\n{a}\n{a}\n")).unwrap();
    let run = [&RING[..], &["--keys", "k.txt", "--pairs", "0"]].concat();
    let found = json_of(failures_in(folder.path(), &run));
    let row = row(&found, "ring", "node");
    assert_figures(of(row, &["A"]), &[("lost", 0.5), ("by_requests.lost", 0.75)]);
    assert_eq!(row.get("by_bytes"), None);
}

#[test]
fn where_one_key_has_half_of_all_requests_a_sample_tells_little_of_them() {
    // Each key is lost by one node of four. Who owns the hot key loses half and more.
    let run = ["--nodes", "4", "--family", "rendezvous", "--replicas", "2"];
    let generated = ["--sample", "20000", "--requests", "hot:share=0.5"];
    let found = failures(&[&run[..], &generated].concat());
    let nodes = row(&found, "rendezvous", "node");
    assert_eq!(nodes["basis"], "sampled");
    assert_figures(nodes, &[("by_requests.lost.mean", 0.25)]);
    assert!(figure(nodes, "by_requests.lost.worst") > 0.5);
    assert!(figure(nodes, "lost.worst") < 0.3);
    // One of two requests is one key's: as many draws as 1 / 0.25, four. The interval
    // of Clopper and Pearson at 2 of 4 is from 0.07 to 0.93, that of keys is 0.01 wide.
    let pairs = row(&found, "rendezvous", "pair");
    let wide = |by: &str| {
        let ends = ["low", "high"].map(|end| figure(pairs, &format!("{by}.all_lost_{end}")));
        ends[1] - ends[0]
    };
    assert!(wide("by_requests.replicas") > 0.5 && wide("replicas") < 0.02, "{pairs}");
    // A node's 5000 of 20,000 keys, off by sqrt(4 / 20000) = 1.41 %.
    let notes = found["notes"].to_string();
    assert!(notes.contains("off by about 1.41 %, by bytes or requests by more"), "{notes}");
}

#[test]
fn slots_of_who_fails_leave_their_requests_unserved() {
    // CRC-16/XMODEM of 123456789 is 0x31C3, the check value of its catalogue: slot
    // 12739, of two nodes with 8192 slots each the second's.
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("k.csv"), "key,requests\n123456789,7\n").unwrap();
    let run = ["--nodes", "2", "--family", "slots", "--keys", "k.csv", "--pairs", "0"];
    let found = json_of(failures_in(folder.path(), &run));
    let row = row(&found, "slots", "node");
    assert_figures(of(row, &["node-1"]), &[("by_requests.unserved", 1.0)]);
    assert_figures(of(row, &["node-0"]), &[("by_requests.unserved", 0.0)]);
}

#[test]
fn a_column_of_requests_is_refused_without_a_file_or_without_the_column() {
    let told = |folder: &Path, run: &[&str]| {
        let output = failures_in(folder, run).assert().code(2);
        String::from_utf8_lossy(&output.get_output().stderr).trim_end().to_owned()
    };
    let run = ["--requests-column", "hits"];
    let here = Path::new(".");
    assert_eq!(told(here, &run), "homing: requests-column is for keys from a file");
    let found = told(trace().path(), &["--keys", "k.csv", "--requests-column", "calls"]);
    assert!(found.starts_with("homing: k.csv:1: no column \"calls\""), "{found}");
}
