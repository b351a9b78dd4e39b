//! What of a scenario of several steps is refused, with its line.

use crate::Folder;
use crate::refused::{refuses, refuses_scenario};

#[test]
fn a_step_that_cannot_be_is_told_with_its_number_and_line() {
    let first = "nodes = 3\n[[step]]\nleave = \"node-1\"\n[[step]]\n";
    for (step, told) in [
        ("leave = \"node-1\"", "cannot be: node \"node-1\" is no member"),
        ("fail = \"nope\"", "cannot be: node \"nope\" is no member"),
        ("replace = \"nope\"", "cannot be: node \"nope\" is no member"),
        ("drain = \"nope\"", "cannot be: node \"nope\" is no member"),
        ("shift = \"nope\"", "cannot be: node \"nope\" is no member"),
        ("rename = { from = \"x\", to = \"y\" }", "cannot be: node \"x\" is no member"),
        (
            "rename = { from = \"node-0\", to = \"node-2\" }",
            "cannot be: node \"node-2\" is a member already",
        ),
        ("join = \"node-0\"", "cannot be: node \"node-0\" is a member already"),
        ("join = \"\"", "cannot be: id is \"\", but must be at least one byte long"),
        ("reweight = \"node-0\"", "reweights a node, but has no weight"),
        ("leave = \"node-0\"\nfail = \"node-2\"", "must have one of join, grow, leave, fail, "),
        ("name = \"x\"", "must have one of join, grow, leave, fail, "),
        ("rebalance = false", "must have one of join, grow, leave, fail, "),
        ("replace = \"node-0\"\nweight = 2", "has a weight, which goes with join and reweight "),
        ("leave = \"node-0\"\nzone = \"a\"", "has a zone, which goes with join only"),
        ("fail = { zone = \"a\" }", "is about the zone \"a\", but no member is in it"),
        ("reorder = \"back\"", "has the order \"back\", but must have \"reverse\", a seed, or a "),
        (
            "reorder = [\"node-0\"]",
            "cannot be: reorder is a list of 1, but must be a list of all 2 members",
        ),
        ("grow = 0", "grows by 0, but must be a whole number from 1 to "),
        ("grow = 1\nrepeat = 0", "repeat is 0, but must be a whole number from 1 to 1000"),
        ("step = []\nrepeat = 2", "repeats an empty list of steps"),
        ("step = [{ grow = 1 }]", "has steps of its own, but then must have repeat and nothing "),
    ] {
        // Whatever stands after it.
        let text = format!("{first}{step}\n[[step]]\nleave = \"nobody\"\n");
        refuses_scenario(&text, &[&format!("s.toml:4: step 2 {told}")]);
    }
    let nobody = "nodes = 1\n[[step]]\nfail = \"node-0\"\n";
    refuses_scenario(nobody, &["s.toml:2: step 1 cannot be: no nodes: at least one must have"]);
}

#[test]
fn a_step_that_cannot_be_repeated_is_told_with_its_round() {
    let twice = "nodes = 3\n[[step]]\nleave = \"node-1\"\nrepeat = 2\n";
    refuses_scenario(twice, &["s.toml:2: step 2 (round 1) cannot be: node \"node-1\" is no"]);
    let inner = "nodes = 3\n[[step]]\nrepeat = 2\n[[step.step]]\ngrow = 1\n[[step.step]]\n\
                 leave = \"node-2\"\n";
    refuses_scenario(inner, &["s.toml:6: step 4 (round 1) cannot be: node \"node-2\" is no"]);
    let many = "[[step]]\ngrow = 1\nrepeat = 1000\n[[step]]\ngrow = 1\n";
    refuses_scenario(many, &["s.toml:4: step 1001 is one too many: there are at most 1000"]);
    let vast = "nodes = 1000001\n[[step]]\nrebalance = true\nrepeat = 2\n";
    refuses_scenario(vast, &["s.toml:2: step 2 (round 1) brings the nodes after all steps so far"]);
    let deep = "[[step]]\nrepeat = 2\n[[step.step]]\ngrow = 1\nrepeat = 2\n";
    refuses_scenario(deep, &["s.toml:3: step 1 (round 0) is within a repeat, but must not"]);
}

#[test]
fn steps_beside_what_goes_with_one_change_alone() {
    let both = "[[step]]\ngrow = 1\n[[change]]\nadd = \"x\"\n";
    refuses_scenario(both, &["s.toml: has changes twice", "[[change]] and [[step]]"]);
    let copies = "replicas = 2\n[[step]]\ngrow = 1\n";
    refuses_scenario(copies, &["s.toml: has replicas, which are compared over [[change]]"]);
    refuses_scenario("step = []\n", &["s.toml:1: step is an empty list"]);
    refuses_scenario("[[step]]\nfail = 3\n", &["s.toml:2: found neither an id nor a zone"]);
    refuses_scenario(
        "[[step]]\nreorder = 0.5\n",
        &["s.toml:2: found 0.5, but must be \"reverse\""],
    );
    refuses_scenario("[[step]]\nlaeve = \"a\"\n", &["s.toml:2: ", "\"laeve\"", "leave"]);
    let folder = Folder::with("s.toml", "[[step]]\ngrow = 1\n");
    let flags = ["--scenario", "s.toml", "--remove", "node-0"];
    refuses(&folder, &flags, &["members and changes are in the scenario"]);
    let flags = ["--scenario", "s.toml", "--replicas", "2"];
    refuses(&folder, &flags, &["replicas are compared over one change"]);
}
