//! `homing sweep` from the command line: what it prints, finds and refuses.

mod refused;

use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};

fn sweep_in(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_homing"));
    command.current_dir(folder).arg("sweep").args(arguments);
    command
}

/// The object that `sweep --format json` prints, having ended with `status`.
fn sweep(arguments: &[&str], status: i32) -> Value {
    let mut command = sweep_in(Path::new("."), arguments);
    let output = command.args(["--sample", "1000", "--format", "json"]).assert().code(status);
    serde_json::from_slice(&output.get_output().stdout).unwrap()
}

fn row(found: &Value, value: u64) -> &Value {
    let rows = found["rows"].as_array().unwrap();
    rows.iter().find(|row| row["value"] == value).unwrap_or_else(|| panic!("no row {value}"))
}

fn values(found: &Value) -> Vec<u64> {
    found["rows"].as_array().unwrap().iter().map(|row| row["value"].as_u64().unwrap()).collect()
}

#[track_caller]
fn figure(value: &Value, path: &str) -> f64 {
    let found = path.split('.').fold(value, |value, name| &value[name]);
    found.as_f64().unwrap_or_else(|| panic!("{path} in {value}"))
}

#[track_caller]
fn assert_close(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-12, "{found}, but must be {expected}");
}

#[test]
fn the_spread_of_points_is_that_which_was_published() {
    // J. Lamping and E. Veach, "A Fast, Minimal Memory, Consistent Hash Algorithm",
    // 2014, table of standard errors: 1, 10, 100 and 1000 points for each of many
    // nodes. A share of v points has nearly a gamma distribution of shape v, with an
    // excess kurtosis of 6/v, so that the relative deviation of a spread measured over
    // N nodes is sqrt((2 + 6/v) / (4 N)), and of the mean over s seeds 1/sqrt(s) of it.
    // The bound is four of these, and for N nodes the term (N - 1)/N is under a root.
    for (points, nodes, seeds, published) in [
        (1.0_f64, 1000.0_f64, 3.0_f64, 0.998),
        (10.0, 1000.0, 3.0, 0.315),
        (100.0, 1000.0, 3.0, 0.0997),
        (1000.0, 100.0, 5.0, 0.0316),
    ] {
        let found = sweep(
            &[
                "--family",
                "ring",
                "--values",
                &points.to_string(),
                "--nodes",
                &nodes.to_string(),
                "--seeds",
                &seeds.to_string(),
            ],
            0,
        );
        let cv = figure(&found["rows"][0], "cv.mean");
        let bound = 4.0 * ((2.0 + 6.0 / points) / (4.0 * nodes * seeds)).sqrt();
        let off = cv / published - 1.0;
        assert!(off.abs() < bound, "{points}: {cv} is off {published} by {off} of {bound}");
    }
}

#[test]
fn the_formula_stands_beside_the_measured_curve() {
    // sqrt((N - 1) / (N V + 1)) for 8 nodes: sqrt(7/81) and sqrt(7/1281).
    let found = sweep(&["--family", "ring", "--values", "160,10", "--seeds", "3"], 0);
    assert_eq!(values(&found), [10, 160]);
    assert_close(figure(row(&found, 10), "cv_expected"), (7.0_f64 / 81.0).sqrt());
    assert_close(figure(row(&found, 160), "cv_expected"), (7.0_f64 / 1281.0).sqrt());
    let cv = &row(&found, 160)["cv"];
    assert!(figure(cv, "min") < figure(cv, "mean") && figure(cv, "mean") < figure(cv, "max"));
    assert_close(figure(&found, "optimal_join"), 1.0 / 9.0);
    assert_close(figure(&found, "optimal_leave"), 1.0 / 8.0);
    assert_eq!((&found["seeds"], &found["basis"]), (&json!(3), &json!("exact")));
    assert_eq!(found.get("answer"), None);
}

#[test]
fn entries_are_even_to_within_one() {
    // 7 entries on 3 nodes are 3, 2 and 2: cv sqrt(2)/7, peak 9/7, whatever the seed.
    let found = sweep(&["--family", "maglev", "--nodes", "3", "--values", "7", "--seeds", "4"], 0);
    let row = row(&found, 7);
    for of in ["mean", "min", "max"] {
        assert_close(figure(row, &format!("cv.{of}")), 2.0_f64.sqrt() / 7.0);
        assert_close(figure(row, &format!("peak_to_mean.{of}")), 9.0 / 7.0);
    }
    assert_close(figure(row, "cv_expected"), 2.0_f64.sqrt() / 7.0);
    assert_close(figure(row, "peak_expected"), 9.0 / 7.0);
}

#[test]
fn the_least_prime_that_meets_a_target_is_found_between_the_values() {
    // The cv of M entries on 3 nodes is sqrt(2)/M, M a prime above 3: at most 0.05
    // from 28.3 on, and the next prime is 29.
    let run = ["--family", "maglev", "--nodes", "3", "--seeds", "2", "--target-cv", "0.05"];
    let found = sweep(&[&run[..], &["--values", "5,101"]].concat(), 0);
    assert_eq!(
        found["answer"],
        json!({"met": true, "value": 29, "from": 4, "to": 1 << 25, "misses": []})
    );
    assert_eq!(values(&found), [5, 29, 101]);
    assert_eq!(row(&found, 29)["listed"], false);
    assert_eq!([5, 29, 101].map(|value| &row(&found, value)["meets"]), [false, true, true]);
    // From a value that does not meet it, beyond all values that are listed.
    let found = sweep(&[&run[..], &["--values", "5"]].concat(), 0);
    assert_eq!(found["answer"]["value"], 29);
}

#[test]
fn entries_that_are_even_by_arithmetic_are_found_below_others_that_are_not() {
    // M entries on 8 nodes peak at (M + 8 - M mod 8) / M: at most 1.01 from 100 on for
    // primes of 7 mod 8, and from 300 on for others. The first is 103; 107 is at 1.047.
    let run = ["--family", "maglev", "--seeds", "2", "--target-peak", "1.01"];
    let found = sweep(&[&run[..], &["--values", "107,1009"]].concat(), 0);
    assert_eq!(found["answer"]["value"], 103);
    assert_close(figure(row(&found, 103), "peak_to_mean.mean"), 104.0 / 103.0);
}

#[test]
fn one_point_less_than_the_least_does_not_meet_the_target() {
    // By the formula it takes about 7 / (8 x 0.1^2) = 87 points for a cv of 0.1.
    let run = ["--family", "ring", "--parameter", "points", "--seeds", "5", "--target-cv", "0.1"];
    let found = sweep(&[&run[..], &["--values", "10,20"]].concat(), 0);
    let least = found["answer"]["value"].as_u64().unwrap();
    // Five seeds of eight nodes: off by 1/sqrt(2 x 8 x 5) = 0.11, and points as the
    // square of it. Three of these.
    assert!((50..160).contains(&least), "{least}");
    assert!(figure(row(&found, least), "cv.mean") <= 0.1);
    let values = format!("{}", least - 1);
    let before = sweep(&[&run[..6], &["--values", &values]].concat(), 0);
    assert!(figure(row(&before, least - 1), "cv.mean") > 0.1);
}

#[test]
fn a_target_that_no_value_meets_ends_with_one_and_says_by_how_much() {
    // 4 entries are no prime: of 2, 3 and 5 on two nodes 2 is even, so from 3 to 5 the
    // nearest is 5 with a peak of 3 over 2.5.
    let run = ["--family", "maglev", "--nodes", "2", "--values", "3..5", "--target-peak", "1.1"];
    let found = sweep(&run, 1);
    let answer = &found["answer"];
    assert_eq!((&answer["met"], &answer["value"]), (&json!(false), &json!(5)));
    assert_eq!((&answer["from"], &answer["to"]), (&json!(3), &json!(5)));
    assert_eq!(answer["misses"][0]["figure"], "peak_to_mean");
    assert_close(figure(&answer["misses"][0], "found"), 1.2);
    let output = sweep_in(Path::new("."), &run).assert().code(1);
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    let said = "no entries from 3 to 5 with peak/mean at most 1.1: the nearest is 5, with a peak/mean of 1.200, 0.100 too much";
    assert!(text.contains(said), "{text}");
}

#[test]
fn memory_bounds_what_may_be_found() {
    let run = ["--family", "ring", "--seeds", "3", "--values", "10,20,2000"];
    let plain = sweep(&run, 0);
    let bytes = row(&plain, 20)["memory_bytes"].as_u64().unwrap();
    // Twenty points fit, and nothing with a cv of 0.05 does.
    let most = bytes.to_string();
    let memory = ["--max-memory", &most];
    let found = sweep(&[&run[..], &memory].concat(), 0);
    let greatest = found["answer"]["value"].as_u64().unwrap();
    assert!((20..40).contains(&greatest), "{greatest}");
    assert!(row(&found, greatest)["memory_bytes"].as_u64().unwrap() <= bytes);
    let found = sweep(&[&run[..], &memory, &["--target-cv", "0.05"]].concat(), 1);
    assert_eq!(found["answer"]["met"], false);
}

#[test]
fn seeds_are_swept_one_by_one() {
    let run = ["--family", "rendezvous", "--parameter", "seed", "--values", "0..3"];
    let found = sweep(&run, 0);
    assert_eq!((values(&found), &found["basis"]), (vec![0, 1, 2, 3], &json!("sampled")));
    assert_eq!((&found["seeds"], &found["parameter"]), (&json!(1), &json!("seed")));
    let cv = |value| figure(row(&found, value), "cv.mean");
    assert!((cv(0) - cv(1)).abs() > 1e-9);
    // The seed of the family is one of them.
    let found = sweep(&["--family", "ring:hash=xxh3:2", "--parameter", "seed", "--values", "5"], 0);
    assert_eq!(found["rows"].as_array().unwrap().len(), 1);
}

#[test]
fn a_family_without_a_knob_is_swept_over_its_seed() {
    let found = sweep(&["--family", "modulo", "--values", "0,1"], 0);
    assert_eq!(found["parameter"], "seed");
    // 8 nodes to 9: a key stays with probability 1/9, of 1000 keys.
    let moved = figure(row(&found, 0), "moved_join.mean");
    let bound = 4.0 * (8.0_f64 / 81.0 / 1000.0).sqrt();
    assert!((moved - 8.0 / 9.0).abs() < bound, "{moved}");
}

#[test]
fn csv_and_markdown_have_a_row_a_value() {
    let run = ["--family", "ring:hash=xxh3:3", "--values", "5,10", "--seeds", "2"];
    let print = |format| {
        let arguments = [&run[..], &["--sample", "100", "--format", format]].concat();
        let output = sweep_in(Path::new("."), &arguments).assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let text = print("csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Vec<csv::StringRecord> = reader.records().collect::<Result<_, _>>().unwrap();
    let first: Vec<Vec<&str>> = rows.iter().map(|row| row.iter().take(5).collect()).collect();
    let parameters = "hash=xxh3:3";
    assert_eq!(
        first,
        [["ring", parameters, "points", "5", "true"], ["ring", parameters, "points", "10", "true"]]
    );
    let markdown = print("markdown");
    let table: Vec<&str> = markdown.lines().filter(|line| line.starts_with("| ")).collect();
    assert_eq!(table.len(), 2 * (2 + 2), "{markdown}");
}

#[test]
fn a_manifest_gives_family_and_members() {
    let folder = tempfile::TempDir::new().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_homing"));
    let output = command.args(["layout", "--family", "ring:points=7", "--nodes", "3"]).assert();
    std::fs::write(folder.path().join("m.json"), &output.success().get_output().stdout).unwrap();
    let run = ["--members", "m.json", "--values", "2", "--sample", "100", "--format", "json"];
    let output = sweep_in(folder.path(), &run).assert().success();
    let found: Value = serde_json::from_slice(&output.get_output().stdout).unwrap();
    assert_eq!((&found["family"], &found["nodes"]), (&json!("ring"), &json!(3)));
}

#[test]
fn a_target_out_of_reach_is_told_by_the_formula() {
    // 8 nodes and a ninth may have 2^23 / 9 = 932067 points each: cv about
    // sqrt(7 / 7456537) = 0.00097, ten times what is asked.
    let run = ["--family", "ring", "--values", "1,2", "--target-cv", "0.0001"];
    let found = sweep(&run, 1);
    let answer = &found["answer"];
    assert_eq!((&answer["met"], &answer["value"]), (&json!(false), &json!(2)));
    assert_eq!((&answer["from"], &answer["to"]), (&json!(1), &json!(932_067)));
    assert_eq!(values(&found), [1, 2]);
    let told = found["notes"][0].as_str().unwrap();
    assert!(told.starts_with("beyond points 2 nothing was built: by the formula"), "{told}");
    // A prime is no multiple of 8, and more entries are nearer to it.
    let found = sweep(&["--family", "maglev", "--values", "11,101", "--target-cv", "0"], 1);
    let answer = &found["answer"];
    assert_eq!((&answer["met"], &answer["value"]), (&json!(false), &json!(101)));
    assert_eq!(values(&found), [11, 101]);
    let told = found["notes"][0].as_str().unwrap();
    assert!(told.starts_with("beyond entries 101 nothing was built"), "{told}");
}

#[test]
fn a_target_below_a_hundredth_of_a_per_cent_is_shown() {
    let run = ["--family", "ring", "--values", "1", "--target-cv", "0.000025", "--sample", "10"];
    let output = sweep_in(Path::new("."), &run).assert().code(1);
    let text = String::from_utf8(output.get_output().stdout.clone()).unwrap();
    assert!(text.contains("with cv at most 0.0025 %: the nearest is 1"), "{text}");
}

#[test]
fn sizes_are_read_in_the_units_of_plans_too() {
    let run = ["--family", "ring", "--values", "1..2", "--seeds", "1", "--max-memory"];
    let bytes = |size| sweep(&[&run[..], &[size]].concat(), 0)["targets"]["memory_bytes"].clone();
    assert_eq!(["16MB", "16MiB", "1.5kB"].map(bytes), [16_000_000, 16 << 20, 1500]);
}
