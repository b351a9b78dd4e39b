//! The forms in which a comparison is printed.

use std::path::Path;

use crate::{assert_close, compare_in};

const RUN: [&str; 8] =
    ["--remove", "node-3", "--family", "slots", "--family", "jump", "--sample", "1000"];

fn printed(arguments: &[&str]) -> String {
    let output = compare_in(Path::new("."), arguments).assert().success();
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

#[test]
fn a_table_is_what_is_printed_by_default() {
    let table = printed(&RUN);
    for expected in ["family", "moved", "12.50 %", "2048", "removes only the node that joined last"]
    {
        assert!(table.contains(expected), "{expected:?} in {table}");
    }
}

#[test]
fn a_table_has_no_colour_where_there_is_no_terminal() {
    assert!(!printed(&RUN).contains('\u{1b}'));
}

#[test]
fn csv_has_a_header_and_a_row_a_family() {
    let text = printed(&[&RUN[..], &["--format", "csv"]].concat());
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|column| column == name).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    let families: Vec<&str> = rows.iter().map(|row| &row[column("family")]).collect();
    assert_eq!(families, ["slots", "slots+rebalance", "jump"]);
    // One of eight nodes leaves: an eighth moves, 2048 of 16384 slots.
    assert_close(rows[0][column("moved")].parse().unwrap(), 0.125);
    assert_close(rows[0][column("optimal")].parse().unwrap(), 0.125);
    assert_eq!(&rows[0][column("uncovered")], "2048");
    assert_eq!(&rows[0][column("basis")], "exact");
    assert_eq!(&rows[2][column("moved")], "");
    for name in ["single_p50_ns", "single_p999_ns", "throughput_one_thread_keys_per_s"] {
        assert!(rows[0][column(name)].parse::<f64>().is_ok(), "{name} in {text}");
        assert_eq!(&rows[2][column(name)], "");
    }
    assert_eq!(&rows[2][column("unsupported")], "removes only the node that joined last");
}

#[test]
fn markdown_has_rows_of_as_many_cells_as_the_header() {
    let text = printed(&[&RUN[..], &["--format", "markdown"]].concat());
    let cells = |line: &str| line.matches('|').count();
    let lines: Vec<&str> = text.lines().collect();
    let start = lines.iter().position(|line| line.starts_with("| family")).unwrap();
    assert!(lines[start + 1].starts_with("| ---"), "{text}");
    for line in &lines[start..start + 5] {
        assert_eq!(cells(line), cells(lines[start]), "{line}");
    }
}

#[test]
fn json_is_one_object() {
    let text = printed(&[&RUN[..], &["--format", "json"]].concat());
    assert!(serde_json::from_str::<serde_json::Value>(&text).unwrap().is_object());
}

#[test]
fn an_uneven_row_is_told_with_the_points_that_mend_it() {
    // One point a node is unusable: a node can hold 70 % (facts.md, section 1).
    let table = printed(&["--family", "ring:points=1", "--sample", "1000"]);
    let note = table.lines().find(|line| line.starts_with("note: ring:")).unwrap_or_default();
    let points = note.rsplit_once("points=").map(|(_, rest)| rest.split(' ').next());
    let points: u32 = points.flatten().unwrap_or_default().parse().unwrap_or_default();
    assert!(points > 1, "{table}");
    let mended = printed(&["--family", &format!("ring:points={points}"), "--sample", "1000"]);
    assert!(!mended.contains("above 1.5"), "{mended}");
}

#[test]
fn help_and_version_are_no_errors() {
    for flag in ["--help", "--version"] {
        compare_in(Path::new("."), &[flag]).assert().success();
    }
}
