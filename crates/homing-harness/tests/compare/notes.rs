//! What a comparison says besides its figures, and the change that it names.

use serde_json::Value;

use crate::{compare, figure};

const SLOTS: [&str; 4] = ["--family", "slots", "--sample", "1000"];

fn notes(comparison: &Value) -> Vec<&str> {
    comparison["notes"].as_array().unwrap().iter().map(|note| note.as_str().unwrap()).collect()
}

#[test]
fn slots_without_an_owner_are_told_by_their_number() {
    // A quarter of 16384 is one node's of four.
    let comparison = compare(&[&["--nodes", "4", "--remove", "node-3"], &SLOTS[..]].concat());
    let told = "slots: 4096 of 16384 slots have no owner, and their keys none";
    assert_eq!(notes(&comparison), [told]);
    // rebalance.jsonl, "4->5 use-empty on fragmented map": 3280. By hand: 16384 / 5 is
    // 3276 and 4 over, which need not move.
    let tool = "slots: a rebalance moves 3276 slots, and the operator's own tool 3280";
    assert_eq!(notes(&compare(&[&["--nodes", "4"], &SLOTS[..]].concat())), [tool]);
}

#[test]
fn a_peak_to_mean_of_one_and_a_half_is_not_above_it() {
    // Two nodes hold 8192 slots each and a third none: a half over a third.
    let comparison = compare(&[&["--nodes", "2"], &SLOTS[..]].concat());
    assert!(!comparison["notes"].to_string().contains("peak-to-mean"), "{comparison}");
    // Of one node and a second, 1 over 1/2.
    let comparison = compare(&[&["--nodes", "1"], &SLOTS[..]].concat());
    let told = "slots: peak-to-mean is 2.000, above 1.5; a rebalance brings it to 1.000";
    assert_eq!(notes(&comparison), [told]);
}

#[test]
fn who_leaves_does_not_come_back_by_growing() {
    let comparison = compare(&[&["--remove", "node-7", "--grow", "2"], &SLOTS[..]].concat());
    let changes = ["remove \"node-7\"", "add \"node-8\"", "add \"node-9\""];
    assert_eq!(comparison["changes"], serde_json::json!(changes));
}

#[test]
fn the_optimum_is_printed_without_a_rounding() {
    // One of four, and one of five.
    for (nodes, optimal) in [("3", 0.25_f64), ("4", 0.2)] {
        let comparison = compare(&[&["--nodes", nodes], &SLOTS[..]].concat());
        let found = figure(&comparison, "optimal");
        assert_eq!(found.to_bits(), optimal.to_bits(), "{found}");
    }
}
