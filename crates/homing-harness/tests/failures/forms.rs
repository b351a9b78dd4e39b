//! The forms in which failures are printed.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::{RING, abcd, failures_in};

fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = failures_in(folder, arguments).assert().success();
    String::from_utf8(output.get_output().stdout.clone()).unwrap()
}

#[test]
fn the_table_has_the_worst_and_the_mean_of_each_kind() {
    // Every figure is worked out beside the tests of the load and of replicas: a node
    // lost 8 of 16, peak 2.25 and 7.125/4, growth 3 and 9.25/4; a pair lost 12 of 16,
    // peak 1.75 and 8.75/6, growth 7 and 22/6, effective (4 + 1.8 + 25/17) / 6.
    let expected = "\
failures: 4 nodes, each failure on its own
keys: 100,000 generated keys, seed 0
replicas: 2 of each key, to be in 2 zones

Load of who survives
family   failing  lost     peak/mean  (mean)  growth  (mean)  takers  effective  (mean)  stray   unserved  basis
ring     4 nodes  50.00 %  2.250      1.781   3.000   2.312   1       1.0        1.0     0.00 %  0.00 %    exact
ring     6 pairs  75.00 %  1.750      1.458   7.000   3.667   1       1.0        1.2     0.00 %  0.00 %    exact

Replicas, of all keys
family   failing  all lost  (mean)   some lost  (mean)   few zones before  left     after    basis
ring     4 nodes  0.00 %    0.00 %   75.00 %    50.00 %  0.00 %            75.00 %  0.00 %   exact
ring     6 pairs  50.00 %   16.67 %  100.00 %   83.33 %  0.00 %            100.00 % 0.00 %   exact

note: no node has a zone, so no zone fails, and each node counts as a zone
";
    let found = printed(abcd().path(), &[&RING[..], &["--replicas", "2"]].concat());
    let words = |text: &str| -> Vec<Vec<String>> {
        // The label has the number of assigned points, and columns are padded.
        let text = text
            .replace("ring:hash=xxh3,assigned=[4]", "ring")
            .replace("ring:assigned=[4]", "ring");
        text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
    };
    assert_eq!(words(&found), words(expected), "{found}");
}

#[test]
fn csv_has_a_row_a_failure() {
    let text = printed(abcd().path(), &[&RING[..], &["--format", "csv"]].concat());
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let header = reader.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|column| column == name).unwrap();
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    let cells = |row: usize, names: [&str; 4]| names.map(|name| rows[row][column(name)].to_owned());
    assert_eq!(rows.len(), 4 + 6);
    assert_eq!(cells(0, ["kind", "node", "node2", "growth"]), ["node", "A", "", "3"]);
    // Pairs come as AB, AC, BC, AD, BD, CD.
    assert_eq!(cells(7, ["kind", "node", "node2", "growth"]), ["pair", "A", "D", "7"]);
    assert_eq!(
        cells(7, ["peak_node", "growth_node", "all_lost", "basis"]),
        ["B", "B", "", "exact"]
    );
}

#[test]
fn a_refusal_is_a_row_of_its_own_in_csv() {
    let arguments = ["--nodes", "3", "--family", "jump", "--pairs", "0", "--format", "csv"];
    let text = printed(Path::new("."), &[&arguments[..], &["--sample", "100"]].concat());
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    assert_eq!(rows.len(), 1 + 3);
    assert_eq!(rows[0].iter().next_back(), Some("removes only the node that joined last"));
    assert_eq!(&rows[1][0], "jump+takeover");
}

#[test]
fn names_cannot_leave_their_cell() {
    let folder = TempDir::new().unwrap();
    let id = "x|<b>*\\u001b[2J";
    let text = format!("[[node]]\nid = \"{id}\"\nzone = \"{id}\"\n[[node]]\nid = \"b\"\n");
    fs::write(folder.path().join("m.toml"), text).unwrap();
    let run = ["--members", "m.toml", "--family", "ring", "--replicas", "2"];
    for format in ["table", "markdown", "json"] {
        let found = printed(folder.path(), &[&run[..], &["--format", format]].concat());
        assert!(!found.contains('\u{1b}'), "{format}: {found}");
    }
    let markdown = printed(folder.path(), &[&run[..], &["--format", "markdown"]].concat());
    let cells: Vec<usize> = markdown
        .lines()
        .filter(|line| line.starts_with("| ring"))
        .map(|line| line.matches('|').count())
        .collect();
    assert_eq!(cells, [14, 14, 14, 11, 11, 11], "{markdown}");
}

#[test]
fn help_has_examples() {
    let text = printed(Path::new("."), &["--help"]);
    assert!(text.contains("Examples:") && text.contains("--pairs"), "{text}");
}

#[test]
fn one_node_is_no_nodes() {
    let text = printed(Path::new("."), &["--nodes", "1", "--family", "ring", "--sample", "10"]);
    assert!(text.starts_with("failures: 1 node, each failure on its own\n"), "{text}");
}

#[test]
fn pairs_are_drawn_by_the_seed_where_keys_are_read() {
    let folder = tempfile::TempDir::new().unwrap();
    std::fs::write(folder.path().join("k"), "a\nb\nc\n").unwrap();
    let run = ["--family", "ring", "--nodes", "20", "--keys", "k", "--pairs", "9", "--format"];
    let pairs = |seed| {
        let csv = printed(folder.path(), &[&run[..], &["csv", "--seed", seed]].concat());
        let pairs = csv.lines().filter(|line| line.starts_with("ring,,pair"));
        let pairs: Vec<String> =
            pairs.map(|line| line.split(',').skip(4).take(2).collect()).collect();
        assert_eq!(pairs.len(), 9);
        pairs
    };
    assert_eq!(pairs("3"), pairs("3"));
    // That nine of 190 are the same by chance has a probability below 10^-14.
    assert_ne!(pairs("3"), pairs("4"));
}
