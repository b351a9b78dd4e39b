//! Steps against what else says the same: one change, and the steps undone.

use std::fmt::Write as _;

use homing_core::mix64;
use serde_json::{Value, json};

use crate::{Folder, assert_close, figure, json_of, row};

fn run(text: &str) -> Value {
    let folder = Folder::with("s.toml", text);
    json_of(folder.compare(&["--scenario", "s.toml"]))
}

#[test]
fn one_step_is_one_change() {
    let opening = "nodes = 6\n[workload]\nkeys = 3000\nzipf = 1.0\nrequests = 9000\n";
    for (step, change) in [
        ("join = \"x\"", "add = \"x\""),
        ("leave = \"node-5\"", "remove = \"node-5\""),
        ("leave = \"node-2\"", "remove = \"node-2\""),
        ("reweight = \"node-2\"\nweight = 3", "reweight = \"node-2\"\nweight = 3"),
        ("drain = \"node-2\"", "reweight = \"node-2\"\nweight = 0"),
    ] {
        let steps = run(&format!("{opening}[[step]]\n{step}\n"));
        let change = run(&format!("{opening}[[change]]\n{change}\n"));
        for found in steps["rows"].as_array().unwrap() {
            let family = found["family"].as_str().unwrap();
            // What leaves as planned is drained first, which a change alone is not; and
            // a change has no second way for jump.
            if family == "jump+swap" || (family == "slots" && step.starts_with("leave")) {
                continue;
            }
            let expected = row(&change, family);
            assert_eq!(found["unsupported"], expected["unsupported"], "{family}, {step}");
            if found["unsupported"].is_null() {
                for name in ["moved", "moved_low", "optimal", "stray", "peak_to_mean", "cv"] {
                    assert_close(figure(found, name), figure(expected, name));
                }
                let by_requests = figure(&expected["by_requests"], "moved");
                assert_close(figure(found, "moved_requests"), by_requests);
            }
        }
    }
}

/// A scenario of some steps at random, and of what undoes them, the last first.
fn undone(seed: u64) -> String {
    let mut nodes: Vec<(String, u64)> = (0..5).map(|i| (format!("node-{i}"), 1)).collect();
    let (mut made, mut back) = (Vec::new(), Vec::new());
    for i in 0..5_u64 {
        let drawn = mix64(seed * 5 + i);
        let at = usize::try_from(drawn >> 8).unwrap() % nodes.len();
        let join = |id: &str, weight| format!("join = \"{id}\"\nweight = {weight}");
        let reweight = |id: &str, weight| format!("reweight = \"{id}\"\nweight = {weight}");
        let (step, undo);
        match drawn % 4 {
            0 => {
                let (id, weight) = (format!("x{i}"), drawn >> 32 & 3);
                (step, undo) = (join(&id, weight), format!("leave = \"{id}\""));
                nodes.push((id, weight));
            }
            // Somebody of a weight above 0 stays.
            1 if nodes.iter().filter(|node| node.1 > 0).count() > 2 => {
                let (id, weight) = nodes.remove(at);
                (step, undo) = (format!("fail = \"{id}\""), join(&id, weight));
            }
            2 => {
                let id = std::mem::replace(&mut nodes[at].0, format!("y{i}"));
                let renamed = |from, to| format!("rename = {{ from = \"{from}\", to = \"{to}\" }}");
                let now = format!("y{i}");
                (step, undo) = (renamed(&id, &now), renamed(&now, &id));
            }
            _ => {
                let weight = std::mem::replace(&mut nodes[at].1, 1 + (drawn >> 32 & 3));
                let (id, now) = &nodes[at];
                (step, undo) = (reweight(id, *now), reweight(id, weight));
            }
        }
        made.push(step);
        back.push(undo);
    }
    made.extend(back.into_iter().rev());
    let mut text = "nodes = 5\n[workload]\nkeys = 300\n".to_owned();
    for family in ["ring", "maglev", "rendezvous"] {
        let _ = write!(text, "[[family]]\nname = \"{family}\"\n");
    }
    for step in made {
        let _ = write!(text, "[[step]]\n{step}\n");
    }
    text
}

#[test]
fn where_the_layout_depends_on_the_membership_alone_steps_that_are_undone_lead_back() {
    for seed in 0..12 {
        let text = undone(seed);
        let run = run(&text);
        assert_eq!(run["undone"], true, "{text}");
        for sum in run["sums"].as_array().unwrap() {
            let returned = json!({"fingerprint": true, "map": true});
            assert_eq!(sum["returned"], returned, "{sum}, {text}");
            assert_close(figure(sum, "moved_at_once"), 0.0);
            let once = figure(sum, "moved_once");
            assert!((0.0..=1.0).contains(&once) && once <= figure(sum, "moved"), "{sum}");
        }
    }
}
