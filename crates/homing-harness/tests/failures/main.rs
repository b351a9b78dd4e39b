//! `homing failures` from the command line: what it prints, and what it refuses.

mod amounts;
mod forms;
mod refused;
mod replicas;

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use homing_core::{Members, Node};
use homing_harness::registry::Choice;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A sixteenth of all positions.
const UNIT: u64 = 1 << 60;

fn failures_in(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_homing"));
    command.current_dir(folder).arg("failures").args(arguments);
    command
}

fn json_of(mut command: Command) -> Value {
    let output = command.args(["--format", "json"]).assert().success();
    serde_json::from_slice(&output.get_output().stdout).unwrap()
}

fn failures(arguments: &[&str]) -> Value {
    json_of(failures_in(Path::new("."), arguments))
}

fn row<'a>(found: &'a Value, family: &str, kind: &str) -> &'a Value {
    let rows = found["rows"].as_array().unwrap();
    let is = |row: &&Value| row["family"] == family && row["kind"] == kind;
    rows.iter().find(is).unwrap_or_else(|| panic!("no row {family} {kind}"))
}

/// The failure of these nodes.
fn of<'a>(row: &'a Value, nodes: &[&str]) -> &'a Value {
    let each = row["each"].as_array().unwrap();
    each.iter().find(|each| each["nodes"] == json!(nodes)).unwrap_or_else(|| panic!("{nodes:?}"))
}

/// The figure at a path of names; fails if it is no number.
#[track_caller]
fn figure(value: &Value, path: &str) -> f64 {
    let found = path.split('.').fold(value, |value, name| &value[name]);
    found.as_f64().unwrap_or_else(|| panic!("{path} in {value}"))
}

#[track_caller]
fn assert_figures(value: &Value, expected: &[(&str, f64)]) {
    for (path, expected) in expected {
        let found = figure(value, path);
        assert!((found - expected).abs() < 1e-12, "{path}: {found}, but must be {expected}");
    }
}

/// Fails unless a sampled figure is within four standard deviations of `p`, for
/// keys that each hit with probability `p` (a binomial: sqrt(p (1 - p) / keys)).
#[track_caller]
fn assert_sampled(found: f64, p: f64, keys: f64) {
    let bound = 4.0 * (p * (1.0 - p) / keys).sqrt();
    assert!((found - p).abs() <= bound, "{found}, but must be {p} to within {bound}");
}

/// A folder with `ring.json`, the manifest of a ring on which each node has one
/// point and owns so many sixteenths of the circle, one after the other from 0.
fn ring(nodes: &[(&str, u64)], zone: impl Fn(&str) -> Option<String>) -> TempDir {
    let mut next = 0;
    let mut points = Vec::new();
    for (id, sixteenths) in nodes {
        next += sixteenths;
        // A point owns (predecessor, point]; the last one is the greatest position.
        points.push(json!([((u128::from(UNIT) * u128::from(next)) - 1).to_string(), id]));
    }
    assert_eq!(next, 16);
    let mut choice = Choice::parse("ring").unwrap();
    choice.parameters.insert("assigned".into(), Value::Array(points));
    let members = nodes.iter().map(|(id, _)| match zone(id) {
        Some(zone) => Node::new(*id).in_zone(zone.as_str()),
        None => Node::new(*id),
    });
    let manifest = choice.describe(Members::new(members).unwrap(), 0).unwrap();
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("ring.json"), manifest).unwrap();
    folder
}

/// A owns 4 sixteenths, B 2, C 2 and D 8; what a node loses goes to the next one.
fn abcd() -> TempDir {
    ring(&[("A", 4), ("B", 2), ("C", 2), ("D", 8)], |_| None)
}

const RING: [&str; 4] = ["--members", "ring.json", "--family", "ring"];

#[test]
fn the_load_of_a_node_of_one_point_falls_to_its_neighbour() {
    // In sixteenths, over the mean 16/3 of three survivors:
    //   A fails: B 6, C 2, D 8     peak 1.5     B grows by 6/2
    //   B fails: A 4, C 4, D 8     peak 1.5     C grows by 4/2
    //   C fails: A 4, B 2, D 10    peak 1.875   D grows by 10/8
    //   D fails: A 12, B 2, C 2    peak 2.25    A grows by 12/4
    let found = json_of(failures_in(abcd().path(), &RING));
    let row = row(&found, "ring", "node");
    assert_eq!(row["basis"], "exact");
    for (node, lost, peak, growth, grown) in [
        ("A", 4.0 / 16.0, 1.5, 3.0, "B"),
        ("B", 2.0 / 16.0, 1.5, 2.0, "C"),
        ("C", 2.0 / 16.0, 1.875, 1.25, "D"),
        ("D", 8.0 / 16.0, 2.25, 3.0, "A"),
    ] {
        let each = of(row, &[node]);
        let expected = [
            ("survivors", 3.0),
            ("lost", lost),
            ("peak_to_mean", peak),
            ("growth", growth),
            ("takers", 1.0),
            ("effective_takers", 1.0),
            ("stray", 0.0),
            ("unserved", 0.0),
        ];
        assert_figures(each, &expected);
        assert_eq!(each["growth_node"], grown);
    }
    let summed = [
        ("lost.worst", 0.5),
        ("lost.mean", 0.25),
        ("peak_to_mean.worst", 2.25),
        ("peak_to_mean.mean", 7.125 / 4.0),
        ("growth.worst", 3.0),
        ("growth.mean", 9.25 / 4.0),
        ("takers.worst", 1.0),
    ];
    assert_figures(row, &summed);
    assert_eq!(row["peak_to_mean"]["worst_of"], json!(["D"]));
    // A and D are alike: the first is named.
    assert_eq!(row["growth"]["worst_of"], json!(["A"]));
}

#[test]
fn a_pair_falls_to_one_neighbour_or_to_two() {
    // In sixteenths, over the mean 8 of two survivors:
    //   AB: C 8,  D 8     peak 1      growth 4     all of it to C
    //   AC: B 6,  D 10    peak 1.25   growth 3     4 to B, 2 to D: 1/(4/9 + 1/9)
    //   BC: A 4,  D 12    peak 1.5    growth 1.5   all of it to D
    //   AD: B 14, C 2     peak 1.75   growth 7     all of it to B
    //   BD: A 12, C 4     peak 1.5    growth 3     2 to C, 8 to A: 1/(1/25 + 16/25)
    //   CD: A 14, B 2     peak 1.75   growth 3.5   all of it to A
    let found = json_of(failures_in(abcd().path(), &RING));
    let row = row(&found, "ring", "pair");
    assert_eq!((&row["failures"], &row["of"]), (&json!(6), &json!(6)));
    for (pair, peak, growth, takers, effective) in [
        (["A", "B"], 1.0, 4.0, 1.0, 1.0),
        (["A", "C"], 1.25, 3.0, 2.0, 1.8),
        (["B", "C"], 1.5, 1.5, 1.0, 1.0),
        (["A", "D"], 1.75, 7.0, 1.0, 1.0),
        (["B", "D"], 1.5, 3.0, 2.0, 25.0 / 17.0),
        (["C", "D"], 1.75, 3.5, 1.0, 1.0),
    ] {
        let expected = [
            ("peak_to_mean", peak),
            ("growth", growth),
            ("takers", takers),
            ("effective_takers", effective),
        ];
        assert_figures(of(row, &pair), &expected);
    }
    assert_figures(row, &[("peak_to_mean.mean", 8.75 / 6.0), ("growth.mean", 22.0 / 6.0)]);
    assert_eq!(row["growth"]["worst_of"], json!(["A", "D"]));
}

#[test]
fn modulo_moves_a_third_between_survivors_when_one_of_three_fails() {
    // Of h mod 6 two lose their owner, whichever node fails, and of the other four
    // two keep it: 0 and 1 when the last fails, 4 and 5 when the first does, 0 and 5
    // when the middle one does.
    let keys = 30_000.0;
    let found = failures(&["--nodes", "3", "--family", "modulo", "--sample", "30000"]);
    let row = row(&found, "modulo", "node");
    assert_eq!(row["basis"], "sampled");
    for each in row["each"].as_array().unwrap() {
        assert_sampled(figure(each, "lost"), 1.0 / 3.0, keys);
        assert_sampled(figure(each, "stray"), 1.0 / 3.0, keys);
        assert_figures(each, &[("takers", 2.0), ("unserved", 0.0)]);
    }
}

#[test]
fn jump_refuses_and_the_last_node_takes_over() {
    // The last of four nodes takes the bucket of the failed one as a whole. Its own
    // bucket goes to three buckets alike, of which one is its new one: 1/4 x 2/3 stray.
    let keys = 30_000.0;
    let found = failures(&["--nodes", "4", "--family", "jump", "--sample", "30000"]);
    for kind in ["node", "pair"] {
        let rule = "removes only the node that joined last";
        assert_eq!(row(&found, "jump", kind)["unsupported"], rule);
    }
    let row = row(&found, "jump+takeover", "node");
    for node in ["node-0", "node-1", "node-2"] {
        let each = of(row, &[node]);
        assert_sampled(figure(each, "lost"), 1.0 / 4.0, keys);
        assert_sampled(figure(each, "stray"), 1.0 / 6.0, keys);
        assert_figures(each, &[("takers", 1.0), ("effective_takers", 1.0), ("unserved", 0.0)]);
    }
    assert_figures(of(row, &["node-3"]), &[("takers", 3.0), ("stray", 0.0)]);
}

#[test]
fn slots_of_who_fails_are_unserved_and_nobody_else_notices() {
    // Of 16384 slots a and b have 4096 each, c of weight 2 has 8192.
    let folder = TempDir::new().unwrap();
    let text = "[[node]]\nid = \"a\"\n[[node]]\nid = \"b\"\n[[node]]\nid = \"c\"\nweight = 2\n";
    fs::write(folder.path().join("m.toml"), text).unwrap();
    let command = failures_in(folder.path(), &["--members", "m.toml", "--family", "slots"]);
    let found = json_of(command);
    let row = row(&found, "slots", "node");
    for (node, lost) in [("a", 0.25), ("b", 0.25), ("c", 0.5)] {
        let expected = [
            ("lost", lost),
            ("unserved", lost),
            ("peak_to_mean", 1.0),
            ("growth", 1.0),
            ("takers", 0.0),
            ("effective_takers", 0.0),
            ("stray", 0.0),
        ];
        assert_figures(of(row, &[node]), &expected);
    }
    let notes = found["notes"].to_string();
    assert!(notes.contains("slots: keys are unserved"), "{notes}");
}

#[test]
fn where_nobody_survives_nothing_is_served() {
    let found = failures(&["--nodes", "2", "--replicas", "2", "--sample", "1000"]);
    for family in ["ring", "slots", "maglev", "rendezvous", "modulo", "jump+takeover"] {
        let row = row(&found, family, "pair");
        let each = of(row, &["node-0", "node-1"]);
        assert_figures(each, &[("survivors", 0.0), ("lost", 1.0), ("unserved", 1.0)]);
        assert_eq!(each.get("peak_to_mean"), None, "{family}");
        assert_eq!(row.get("growth"), None, "{family}");
    }
    assert_figures(row(&found, "ring", "pair"), &[("replicas.all_lost.worst", 1.0)]);
    assert_figures(row(&found, "rendezvous", "pair"), &[("replicas.all_lost.worst", 1.0)]);
}

#[test]
fn a_family_without_an_operator_waits_for_none() {
    let found = failures(&["--nodes", "2", "--family", "ring"]);
    let told = json!("keys are unserved where nobody is left");
    let notes = found["notes"].as_array().unwrap();
    assert!(notes.contains(&told), "{notes:?}");
    assert!(!found["notes"].to_string().contains("operator"), "{notes:?}");
}

#[test]
fn one_node_has_no_pair_and_no_zone() {
    let found = failures(&["--nodes", "1", "--family", "ring"]);
    assert_eq!(found["rows"].as_array().unwrap().len(), 1);
    assert_figures(row(&found, "ring", "node"), &[("unserved.worst", 1.0)]);
}

#[test]
fn pairs_are_sampled_by_the_seed_where_there_are_more() {
    let run = |seed| {
        failures(&["--nodes", "20", "--family", "ring:points=5", "--pairs", "30", "--seed", seed])
    };
    let found = run("7");
    let pairs = row(&found, "ring", "pair");
    assert_eq!((&pairs["failures"], &pairs["of"]), (&json!(30), &json!(190)));
    assert!(
        found["notes"].to_string().contains("30 of 190 pairs of nodes fail, drawn with seed 7")
    );
    assert_eq!(pairs["each"], row(&run("7"), "ring", "pair")["each"]);
    assert_ne!(pairs["each"], row(&run("8"), "ring", "pair")["each"]);
}

#[test]
fn your_own_keys_are_counted() {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("k.txt"), "a\nb\nc\nd\n").unwrap();
    let found = json_of(failures_in(
        folder.path(),
        &["--keys", "k.txt", "--nodes", "3", "--family", "ring", "--pairs", "0"],
    ));
    let row = row(&found, "ring", "node");
    assert_eq!(row["basis"], "counted");
    // Each key is lost once, by the failure of its owner: a third of all on average.
    assert_figures(row, &[("lost.mean", 1.0 / 3.0), ("stray.worst", 0.0)]);
}

#[test]
fn every_key_is_lost_by_one_node_and_both_its_replicas_by_one_pair() {
    let run = ["--nodes", "7", "--replicas", "2", "--sample", "2000"];
    let found = failures(&run);
    for row in found["rows"].as_array().unwrap() {
        if row.get("unsupported").is_some() {
            continue;
        }
        let (one, failing) = if row["kind"] == "node" { (1.0, 7.0) } else { (6.0, 21.0) };
        // A node is in 6 of 21 pairs.
        assert_figures(row, &[("lost.mean", one / failing)]);
        for each in row["each"].as_array().unwrap() {
            let (takers, effective) = (figure(each, "takers"), figure(each, "effective_takers"));
            assert!(effective <= takers + 1e-9 && takers <= figure(each, "survivors"), "{each}");
        }
        if row["kind"] == "pair" && row["replicas"].get("unsupported").is_none() {
            assert_figures(row, &[("replicas.all_lost.mean", 1.0 / 21.0)]);
        }
        if ["ring", "slots", "rendezvous"].map(Value::from).contains(&row["family"]) {
            assert_figures(row, &[("stray.worst", 0.0)]);
        }
    }
}
