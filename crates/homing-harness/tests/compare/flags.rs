//! Members, changes, families and keys as flags and as files.

use crate::{Folder, assert_close, assert_sampled, compare, figure, json_of, names, row};

/// A family that is quick and exact, where the family plays no part.
const SLOTS: [&str; 4] = ["--family", "slots", "--sample", "1000"];

fn optimum(arguments: &[&str]) -> f64 {
    let comparison = compare(&[arguments, &SLOTS[..]].concat());
    figure(&comparison, "optimal")
}

#[test]
fn grow_adds_as_many_nodes() {
    // Two of five equal nodes are new.
    let comparison = compare(&[&["--nodes", "3", "--grow", "2"], &SLOTS[..]].concat());
    assert_eq!((&comparison["nodes_before"], &comparison["nodes_after"]), (&3.into(), &5.into()));
    assert_close(figure(&comparison, "optimal"), 2.0 / 5.0);
    // 16384 = 5 x 3276 + 4: those that were there hold more and keep the
    // greater quotas, 3277, 3277 and 3277, and one new node the fourth.
    let moved = figure(row(&comparison, "slots+rebalance"), "moved");
    assert_close(moved, (3277.0 + 3276.0) / 16384.0);
}

#[test]
fn an_added_node_may_have_a_weight() {
    // Four nodes of weight 1 and one of 2: it is due a third.
    let comparison = compare(&[
        "--nodes",
        "4",
        "--add",
        "cache=2",
        "--family",
        "rendezvous",
        "--sample",
        "20000",
    ]);
    assert_close(figure(&comparison, "optimal"), 1.0 / 3.0);
    let rendezvous = row(&comparison, "rendezvous");
    assert_sampled(figure(rendezvous, "moved"), 1.0 / 3.0, 20_000.0);
    assert_close(figure(rendezvous, "stray"), 0.0);
}

#[test]
fn nodes_are_removed_added_and_reweighted_in_one_step() {
    // a to d, a quarter each: c and d leave, e joins, b weighs 2. After it a has
    // 1/4, b 1/2, e 1/4, so half of 0 + 1/4 + 1/4 + 1/4 + 1/4 must move.
    let folder = Folder::with("nodes", "a\nb\nc\nd\n");
    let mut arguments = vec!["--members", "nodes", "--remove", "c", "--remove", "d"];
    arguments.extend(["--add", "e", "--reweight", "b=2"]);
    arguments.extend(SLOTS);
    let comparison = json_of(folder.compare(&arguments));
    assert_close(figure(&comparison, "optimal"), 0.5);
    assert_eq!(comparison["changes"].as_array().unwrap().len(), 4);
}

#[test]
fn a_reweighting_moves_what_the_shares_say() {
    // 1 : 1 becomes 1 : 3, so the first falls from a half to a quarter.
    assert_close(optimum(&["--nodes", "2", "--reweight", "node-1=3"]), 0.25);
}

#[test]
fn a_drained_node_is_out_of_the_balance() {
    let arguments = [&["--nodes", "4", "--reweight", "node-1=0"], &SLOTS[..]].concat();
    let comparison = compare(&arguments);
    assert_eq!(comparison["nodes_after"], 3);
    // 16384 = 3 x 5461 + 1: the most that one of three holds is 5462.
    let planned = row(&comparison, "slots+rebalance");
    assert_close(figure(planned, "peak_to_mean"), 5462.0 * 3.0 / 16384.0);
}

#[test]
fn families_that_take_no_weights_say_so() {
    let comparison = compare(&["--nodes", "2", "--reweight", "node-1=3", "--sample", "1000"]);
    for name in ["modulo", "jump"] {
        let reason = row(&comparison, name)["unsupported"].as_str().unwrap();
        assert!(reason.contains("weight 1"), "{name}: {reason}");
    }
    assert!(figure(row(&comparison, "ring"), "moved") > 0.0);
}

#[test]
fn members_come_as_toml_as_json_and_as_lines() {
    // Weights 1 and 3, a third node of weight 1 joins: it is due a fifth. As
    // lines both weigh 1, and it is due a third.
    let forms = [
        ("m.toml", "[[node]]\nid = \"a\"\n[[node]]\nid = \"b\"\nweight = 3\nzone = \"z\"\n", 0.2),
        ("m.json", r#"{"node": [{"id": "a"}, {"id": "b", "weight": 3, "zone": "z"}]}"#, 0.2),
        ("m.txt", "a\nb\n", 1.0 / 3.0),
    ];
    for (name, text, optimal) in forms {
        let folder = Folder::with(name, text);
        let comparison = json_of(folder.compare(&[&["--members", name], &SLOTS[..]].concat()));
        assert_close(figure(&comparison, "optimal"), optimal);
    }
}

#[test]
fn a_family_may_stand_twice_with_other_parameters() {
    let comparison = compare(&[
        "--family",
        "ring:points=500,hash=sha256",
        "--family",
        "ring:points=1",
        "--sample",
        "1000",
    ]);
    assert_eq!(names(&comparison), ["ring", "ring"]);
    // facts.md, section 1: the cv is about sqrt((N-1)/(N v + 1)), 4.2 % at 500
    // points and 89 % at one.
    let cv = |i: usize| figure(&comparison["rows"][i], "cv");
    assert!(cv(0) < 0.1 && cv(1) > 0.3, "{} and {}", cv(0), cv(1));
}

#[test]
fn the_seed_chooses_the_keys_and_nothing_else() {
    let moved = |seed: &str| {
        let arguments = ["--family", "modulo", "--sample", "20000", "--seed", seed];
        figure(row(&compare(&arguments), "modulo"), "moved")
    };
    let first = moved("1");
    assert_close(moved("1"), first);
    let second = moved("2");
    assert!((first - second).abs() > f64::EPSILON, "{first} and {second}");
    // 8/9 of the keys move, whichever they are.
    for moved in [first, second] {
        assert_sampled(moved, 8.0 / 9.0, 20_000.0);
    }
}

#[test]
fn sample_is_the_number_of_generated_keys() {
    let comparison = compare(&["--family", "jump", "--sample", "1234"]);
    assert_eq!(comparison["workload"]["keys"], 1234);
}

#[test]
fn replicas_are_compared_where_a_family_has_them() {
    // Of nine nodes the new one is among the first two of a key with
    // probability 2/9, and then holds one copy of two that was not there.
    let arguments = ["--replicas", "2", "--sample", "20000"];
    let comparison = compare(&[&arguments[..], &["--family", "rendezvous"]].concat());
    let replicas = &row(&comparison, "rendezvous")["replicas"];
    assert_sampled(figure(replicas, "sets_changed"), 2.0 / 9.0, 20_000.0);
    assert_close(figure(replicas, "copies_moved"), figure(replicas, "sets_changed") / 2.0);
    assert_close(figure(replicas, "short"), 0.0);

    let comparison = compare(&[&arguments[..], &["--family", "jump"]].concat());
    assert!(row(&comparison, "jump")["replicas"]["unsupported"].is_string());
}

#[test]
fn more_replicas_than_nodes_are_a_short_list() {
    let arguments = ["--nodes", "2", "--replicas", "5", "--family", "ring", "--sample", "1000"];
    let comparison = compare(&arguments);
    assert_close(figure(&row(&comparison, "ring")["replicas"], "short"), 1.0);
}

#[test]
fn a_scenario_holds_everything() {
    // Five nodes of weight 1: node-0 leaves, node-1 weighs 3, x of weight 2
    // joins, in all 3 + 1 + 1 + 1 + 2 = 8. Shares go from 1/5 each to 0, 3/8,
    // 1/8, 1/8, 1/8 and 2/8, so 1/5 + 3 (1/5 - 1/8) = 17/40 must move.
    let scenario = r#"
        name = "all at once"
        nodes = 5
        [[change]]
        remove = "node-0"
        [[change]]
        reweight = "node-1"
        weight = 3
        [[change]]
        add = "x"
        weight = 2
        [[change]]
        rebalance = true
        [workload]
        keys = 500
        seed = 7
        [[family]]
        name = "slots"
        [[family]]
        name = "ring"
        points = 10
    "#;
    let folder = Folder::with("all.toml", scenario);
    let comparison = json_of(folder.compare(&["--scenario", "all.toml"]));
    assert_eq!(names(&comparison), ["slots", "slots+rebalance", "ring"]);
    assert_close(figure(&comparison, "optimal"), 17.0 / 40.0);
    assert_eq!(comparison["workload"]["keys"], 500);
    // A weight unit is 16384 / 8 = 2048 slots, without a remainder.
    let planned = row(&comparison, "slots+rebalance");
    assert_close(figure(planned, "peak_to_mean"), 1.0);
    assert_eq!(planned["uncovered"], 0);
}

#[test]
fn flags_for_families_and_keys_go_before_the_scenarios() {
    let text = "nodes = 4\n[workload]\nkeys = 500\n[[family]]\nname = \"ring\"\n";
    let folder = Folder::with("s.toml", text);
    let arguments = ["--scenario", "s.toml", "--family", "slots", "--sample", "700"];
    let comparison = json_of(folder.compare(&arguments));
    assert_eq!(names(&comparison), ["slots", "slots+rebalance"]);
    assert_eq!(comparison["workload"]["keys"], 700);
    assert_eq!(comparison["nodes_before"], 4);
}
