//! Scenarios of several steps: their rows, their sum, and the forms of both.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use serde_json::{Value, json};

use crate::{Folder, assert_close, assert_sampled, compare_in, figure, json_of};

fn run(text: &str, arguments: &[&str]) -> Value {
    let folder = Folder::with("s.toml", text);
    json_of(folder.compare(&[&["--scenario", "s.toml"], arguments].concat()))
}

/// The rows of a family, one a step.
fn rows<'a>(run: &'a Value, family: &str) -> Vec<&'a Value> {
    let rows = run["rows"].as_array().unwrap().iter();
    rows.filter(|row| row["family"] == family).collect()
}

fn moved(run: &Value, family: &str) -> Vec<f64> {
    rows(run, family).into_iter().map(|row| figure(row, "moved")).collect()
}

fn sum<'a>(run: &'a Value, family: &str) -> &'a Value {
    let mut sums = run["sums"].as_array().unwrap().iter();
    sums.find(|row| row["family"] == family).unwrap_or_else(|| panic!("no sum of {family}"))
}

/// The folder of the scenarios that are shipped.
fn shipped() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/scenarios")
}

const RESTART: &str = "nodes = 4\n[[step]]\nrepeat = 4\n[[step.step]]\nleave = \"node-{round}\"\n\
                       [[step.step]]\njoin = \"node-{round}\"\n";

#[test]
fn steps_that_are_repeated_are_numbered_on() {
    let run = run(RESTART, &["--family", "slots"]);
    let steps = run["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 8);
    assert_eq!([&steps[4]["step"], &steps[4]["action"]], [&json!(5), &json!("leave node-2")]);
    assert_eq!(steps[7]["name"], "join node-3");
    // A quarter each time, whoever leaves or joins.
    assert_close(figure(&run, "optimal"), 2.0);
    assert_close(figure(&run, "optimal_at_once"), 0.0);
    assert_eq!(run["undone"], true);
}

#[test]
fn a_restart_takes_a_ring_back_to_where_it_was() {
    let run = run(RESTART, &["--family", "ring"]);
    let moved = moved(&run, "ring");
    // What a node gives away when it leaves is what it gets when it is back.
    for pair in moved.chunks(2) {
        assert_close(pair[0], pair[1]);
    }
    // Each key is on one of the four, and so moves away once and back once.
    let sum = sum(&run, "ring");
    assert_close(figure(sum, "moved"), 2.0);
    assert_close(figure(sum, "moved_once"), 1.0);
    assert_close(figure(sum, "moved_at_once"), 0.0);
    assert_close(figure(sum, "stray"), 0.0);
    assert_eq!(sum["returned"], json!({"fingerprint": true, "map": true}));
    assert_eq!(sum["basis"], "exact");
}

#[test]
fn a_node_that_leaves_hands_its_slots_over_and_one_that_fails_does_not() {
    let gone = |how: &str| format!("nodes = 4\n[[step]]\n{how} = \"node-1\"\n");
    // 4096 of 16384 slots are a quarter.
    let planned = run(&gone("leave"), &["--family", "slots"]);
    assert_close(moved(&planned, "slots")[0], 0.25);
    assert_eq!(rows(&planned, "slots")[0]["uncovered"], 0);
    for family in ["slots", "slots+rebalance"] {
        let failed = run(&gone("fail"), &["--family", "slots"]);
        assert_close(moved(&failed, family)[0], 0.25);
        assert_eq!(rows(&failed, family)[0]["uncovered"], 4096);
        let note = failed["notes"][0].as_str().unwrap();
        assert!(note.starts_with("slots: 4096 slots have no owner"), "{note}");
    }
}

#[test]
fn who_joins_has_slots_only_once_they_are_rebalanced() {
    let text = "nodes = 3\n[[step]]\ngrow = 1\n[[step]]\nrebalance = true\n";
    let run = run(text, &["--family", "slots", "--family", "ring"]);
    assert_eq!(moved(&run, "slots"), [0.0, 0.25]);
    assert_eq!(moved(&run, "slots+rebalance"), [0.25, 0.0]);
    assert_close(moved(&run, "ring")[1], 0.0);
}

#[test]
fn a_renamed_machine_keeps_its_keys_where_ownership_goes_by_the_list() {
    let text = "nodes = 8\n[workload]\nkeys = 20000\n\
                [[step]]\nrename = { from = \"node-3\", to = \"x\" }\n\
                [[step]]\nrename = { from = \"x\", to = \"node-3\" }\n";
    let run = run(text, &[]);
    for family in ["jump", "modulo", "slots", "slots+rebalance"] {
        assert_eq!(moved(&run, family), [0.0, 0.0], "{family}");
    }
    // Nine equal draws a key: seven of other nodes, one of each id. A key leaves the
    // machine if the old id's is the greatest (1/9) and then not the new one's
    // (7/8), and comes to it likewise: 2 x 7/72.
    assert_sampled(moved(&run, "rendezvous")[0], 7.0 / 36.0, 20_000.0);
    for family in ["ring", "rendezvous", "maglev", "jump", "modulo", "slots"] {
        for row in rows(&run, family) {
            // No machine has come or gone.
            assert_close(figure(row, "optimal"), 0.0);
            assert_close(figure(row, "stray"), figure(row, "moved"));
        }
        let returned = json!({"fingerprint": true, "map": true});
        assert_eq!(sum(&run, family)["returned"], returned, "{family}");
    }
}

#[test]
fn another_order_moves_keys_only_where_ownership_goes_by_the_list() {
    for order in ["\"reverse\"", "7", "[\"node-2\", \"node-0\", \"node-1\", \"node-3\"]"] {
        let text = format!("nodes = 4\n[workload]\nkeys = 2000\n[[step]]\nreorder = {order}\n");
        let run = run(&text, &[]);
        for family in ["ring", "slots", "maglev", "rendezvous"] {
            assert_eq!(moved(&run, family), [0.0], "{family}, {order}");
            let returned = &sum(&run, family)["returned"];
            assert_eq!(*returned, json!({"fingerprint": true, "map": true}), "{family}");
        }
        for family in ["jump", "modulo"] {
            assert!(moved(&run, family)[0] > 0.4, "{family}, {order}");
            let returned = &sum(&run, family)["returned"];
            assert_eq!(*returned, json!({"fingerprint": false, "map": false}), "{family}");
        }
    }
}

#[test]
fn where_only_the_last_can_leave_it_takes_the_place_of_who_does() {
    let text = "nodes = 9\n[workload]\nkeys = 20000\n[[step]]\nleave = \"node-4\"\n\
                [[step]]\njoin = \"node-4\"\n";
    let run = run(text, &["--family", "jump"]);
    let plain = rows(&run, "jump");
    assert_eq!(plain[0]["unsupported"], "removes only the node that joined last");
    assert_eq!(plain[1]["unsupported"], "stopped at step 1");
    let told = "stopped at step 1: removes only the node that joined last";
    assert_eq!(sum(&run, "jump")["unsupported"], told);
    // Bucket 4 goes to node-8 whole, 1/9; of the ninth in bucket 8 an eighth comes to
    // bucket 4 and so stays: 1/9 + 7/72. The latter is stray.
    let row = rows(&run, "jump+swap")[0];
    assert_sampled(figure(row, "moved"), 15.0 / 72.0, 20_000.0);
    assert_sampled(figure(row, "stray"), 7.0 / 72.0, 20_000.0);
    // node-4 is the last of the list now.
    assert_eq!(sum(&run, "jump+swap")["returned"]["map"], false);
}

#[test]
fn a_shifted_list_moves_all_after_the_gap() {
    // Five nodes of 3277, 3277, 3276, 3277, 3277 slots; node-1's machine leaves. The
    // slots of ids 1 to 3 are then on the machine of the next id: 9830. The 3277 of
    // node-4 fill up ids 0 to 3 to 4096 each, and the 819 for id 3 stay, since node-4
    // goes on under it: 2458 move. 12288 of 16384 in all; but for the 3277 of the
    // machine that left it is stray.
    let text = "nodes = 5\n[[step]]\nshift = \"node-1\"\n";
    let run = run(text, &["--family", "slots"]);
    let row = rows(&run, "slots")[0];
    assert_close(figure(row, "moved"), 12_288.0 / 16_384.0);
    assert_close(figure(row, "stray"), 9_011.0 / 16_384.0);
    assert_close(figure(row, "optimal"), 0.2);
}

#[test]
fn another_machine_under_the_same_id_moves_nothing() {
    let run = run("nodes = 3\n[[step]]\nreplace = \"node-1\"\n", &["--sample", "1000"]);
    for row in run["rows"].as_array().unwrap() {
        assert_close(figure(row, "moved"), 0.0);
    }
    assert!(run["notes"].to_string().contains("the new machine is empty"), "{run}");
}

#[test]
fn keys_of_a_file_are_counted_with_their_bytes_and_requests() {
    // CLUSTER KEYSLOT, Redis: somekey is in slot 11058, foo{hash_tag} in 2515; the
    // cluster specification: 123456789 is in 12739. node-1 of two has 8192 to 16383.
    let keys = "key,bytes,requests\nsomekey,10,1\nfoo{hash_tag},60,4\n123456789,30,3\n";
    let text = "nodes = 2\n[[step]]\nfail = \"node-1\"\n[[step]]\njoin = \"node-1\"\n";
    let folder = Folder::with("s.toml", text);
    folder.add("keys.csv", keys);
    let arguments = ["--scenario", "s.toml", "--keys", "keys.csv", "--family", "slots"];
    let run = json_of(folder.compare(&arguments));
    let row = rows(&run, "slots")[0];
    assert_close(figure(row, "moved"), 2.0 / 3.0);
    assert_close(figure(row, "moved_bytes"), 0.4);
    assert_close(figure(row, "moved_requests"), 0.5);
    assert_eq!(row["basis"], "counted");
    // The slots of who failed are nobody's, though it is back.
    let sum = sum(&run, "slots");
    assert_close(figure(sum, "moved_at_once"), 2.0 / 3.0);
    assert_eq!(sum["returned"], json!({"fingerprint": false, "map": false}));
}

#[test]
fn keys_tell_what_all_positions_do() {
    let text = "nodes = 5\n[[step]]\nleave = \"node-1\"\n[[step]]\ngrow = 2\n\
                [[step]]\nreweight = \"node-2\"\nweight = 3\n[[step]]\ndrain = \"node-0\"\n";
    let exact = run(text, &["--family", "ring", "--family", "maglev"]);
    let skewed = "\n[workload]\nkeys = 20000\nzipf = 1.0\nrequests = 100000\n";
    let text = format!("{text}{skewed}");
    let sampled = run(&text, &["--family", "ring", "--family", "maglev"]);
    for family in ["ring", "maglev"] {
        for (exact, sampled) in rows(&exact, family).iter().zip(rows(&sampled, family)) {
            assert_eq!([&exact["basis"], &sampled["basis"]], ["exact", "sampled"]);
            for name in ["moved", "stray"] {
                assert_sampled(figure(sampled, name), figure(exact, name), 20_000.0);
            }
        }
        let (exact, sampled) = (sum(&exact, family), sum(&sampled, family));
        for name in ["moved_once", "moved_at_once"] {
            assert_sampled(figure(sampled, name), figure(exact, name), 20_000.0);
        }
        assert!(figure(exact, "moved_at_once") <= figure(exact, "moved_once"));
        assert!(figure(exact, "moved_once") <= figure(exact, "moved"));
    }
}

#[test]
fn one_by_one_comes_to_the_same_as_all_at_once_but_moves_more() {
    let compared = |file: &str| {
        let families = ["--family", "ring", "--family", "slots"];
        let arguments = [&["--scenario", file], &families[..]].concat();
        json_of(compare_in(&shipped(), &arguments))
    };
    let one_by_one = compared("s2-grow-one-by-one.toml");
    let at_once = compared("2-grow-8-to-12.toml");
    let ring = sum(&one_by_one, "ring");
    assert_close(figure(ring, "moved_at_once"), figure(&at_once["rows"][0], "moved"));
    assert!(figure(ring, "moved") > figure(ring, "moved_at_once"));
    // 1/9 + 1/10 + 1/11 + 1/12, and 4/12.
    let least = 1.0 / 9.0 + 0.1 + 1.0 / 11.0 + 1.0 / 12.0;
    assert_close(figure(&one_by_one, "optimal"), least);
    assert_close(figure(&one_by_one, "optimal_at_once"), 1.0 / 3.0);
}

#[test]
fn every_shipped_scenario_of_steps_goes_through_every_family() {
    let mut files: Vec<String> = fs::read_dir(shipped())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with('s'))
        .collect();
    files.sort();
    assert_eq!(files.len(), 8);
    for file in &files {
        let run = json_of(compare_in(&shipped(), &["--scenario", file, "--sample", "500"]));
        let steps = run["steps"].as_array().unwrap().len();
        for family in ["modulo", "ring", "slots", "maglev", "rendezvous", "jump"] {
            assert_eq!(rows(&run, family).len(), steps, "{file}, {family}");
        }
    }
}

#[test]
fn a_run_is_printed_in_every_form() {
    let printed = |format: &str| {
        let folder = Folder::with("s.toml", RESTART);
        let arguments = ["--scenario", "s.toml", "--family", "slots", "--family", "jump"];
        let all = [&arguments[..], &["--sample", "500", "--format", format]].concat();
        let output = folder.compare(&all).assert().success();
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
    };
    let table = printed("table");
    for told in ["s: 4 to 4 nodes in 8 steps", "200.00 % in all", "1: leave node-0", "25.00 %"] {
        assert!(table.contains(told), "{told:?} in {table}");
    }
    let csv = printed("csv");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let all: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    // Four ways (two of slots, two of jump) of eight steps and a sum.
    assert_eq!(all.len(), 4 * 9);
    let first: Vec<&str> = all[0].iter().take(5).collect();
    assert_eq!(first, ["slots", "", "1", "leave node-0", "0.25"]);
    assert_eq!(all.iter().filter(|row| &row[2] == "sum").count(), 4);
    let markdown = printed("markdown");
    for title in ["**Steps**", "**Sum of the steps**"] {
        assert!(markdown.contains(title), "{markdown}");
    }
}

#[test]
fn names_of_users_stay_in_their_cells() {
    let text = "nodes = 2\n[[step]]\nname = \"a|b<i>\\u001b[2J\"\ngrow = 1\n";
    let folder = Folder::with("s.toml", text);
    for format in ["table", "markdown"] {
        let arguments = ["--scenario", "s.toml", "--family", "slots", "--format", format];
        let output = folder.compare(&arguments).assert().success();
        let printed = String::from_utf8(output.get_output().stdout.clone()).unwrap();
        assert!(!printed.contains('\u{1b}'), "{printed}");
        assert!(format == "table" || printed.contains(r"a\|b&lt;i&gt;"), "{printed}");
    }
}

#[test]
fn a_report_has_the_steps_of_its_record() {
    let step = run(RESTART, &["--family", "ring", "--family", "jump", "--sample", "500"]);
    let record = |steps: Value| {
        json!({
            "version": 1, "name": "r", "time": "2026-01-31T12:00:00Z", "command": "homing record",
            "package": "0.1.0", "comparisons": [], "steps": steps,
            "sweeps": {"lookup": [], "spread": []},
            "machine": {"cpu": "c", "cores": 1, "memory_bytes": 1, "os": "o", "arch": "a",
                        "rustc": "r", "release": true},
        })
    };
    let folder = Folder::new();
    let homing = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_homing"));
        command.current_dir(folder.0.path()).args(arguments);
        command
    };
    fs::create_dir_all(folder.0.path().join("docs/record")).unwrap();
    folder.add("docs/record/r.json", record(json!([step])).to_string());
    homing(&["report"]).assert().success();
    let page = fs::read_to_string(folder.0.path().join("docs/report.md")).unwrap();
    for told in ["\n## s\n", "| 1: leave node-0 | 25.00 % |", "| jump+swap |", "200.00 %"] {
        assert!(page.contains(told), "{told:?} in {page}");
    }
    homing(&["report", "--check"]).assert().success();
    let mut wrong = step;
    wrong["sums"][0]["moved"] = json!(9.0);
    folder.add("docs/record/r.json", record(json!([wrong])).to_string());
    let assert = homing(&["report"]).assert().code(2);
    let told = String::from_utf8(assert.get_output().stderr.clone()).unwrap();
    assert!(told.contains("s: moved is 9e0, but must be from 0 to "), "{told}");
}
