//! What of a scenario is refused, with its line, and how flags go over it.

use crate::refused::{refuses, refuses_scenario};
use crate::{Folder, assert_close, assert_sampled, figure, json_of, row};

#[test]
fn a_scenario_with_an_unknown_field() {
    refuses_scenario("nodes = 3\nnods = 4\n", &["s.toml:2: ", "\"nods\"", "nodes", "family"]);
    let change = "[[change]]\nad = \"x\"\n";
    refuses_scenario(change, &["s.toml:2: ", "\"ad\"", "add", "remove", "reweight"]);
    refuses_scenario("[workload]\nkyes = 3\n", &["\"kyes\"", "keys", "seed", "file"]);
    let family = "[[family]]\nname = \"ring\"\npints = 3\n";
    let folder = Folder::with("s.toml", family);
    refuses(&folder, &["--scenario", "s.toml"], &["\"pints\"", "points"]);
}

#[test]
fn a_scenario_that_contradicts_itself() {
    refuses_scenario("nodes = 3\n[[node]]\nid = \"a\"\n", &["twice"]);
    refuses_scenario("[[change]]\nadd = \"a\"\nremove = \"b\"\n", &["change 1"]);
    refuses_scenario("[[change]]\nreweight = \"node-1\"\n", &["change 1", "weight"]);
    refuses_scenario("[[family]]\npoints = 3\n", &["name"]);
    refuses_scenario("nodes = \"x\"\n", &["s.toml:1: ", "\"x\"", "whole number"]);
    refuses_scenario("nodes = [\n", &["s.toml:"]);
}

#[test]
fn a_scenario_beside_flags_for_what_it_holds() {
    let folder = Folder::with("s.toml", "nodes = 3\n");
    for flags in [["--nodes", "4"], ["--grow", "2"], ["--remove", "node-0"]] {
        let arguments = [&["--scenario", "s.toml"], &flags[..]].concat();
        refuses(&folder, &arguments, &["scenario"]);
    }
}

#[test]
fn a_number_of_a_file_that_is_too_great_is_told_with_the_greatest_of_its_field() {
    // More than 64 bits hold.
    let great = "99999999999999999999999";
    for (text, told) in [
        ("nodes = N", "s.toml:1: nodes is N, but must be a whole number from 1 to 10000000"),
        ("[[step]]\ngrow = N", "step 1 grows by N, but must be a whole number from 1 to 2000000"),
        (
            "[[step]]\ngrow = 1\nrepeat = N",
            "repeat is N, but must be a whole number from 1 to 1000",
        ),
        (
            "[[step]]\nreorder = N",
            "s.toml:2: found N, but must be \"reverse\", a seed from 0 to 18446744073709551615, or \
             a list of ids",
        ),
        (
            "[workload]\nkeys = N",
            "s.toml:2: keys is N, but must be a whole number from 1 to 10000000000",
        ),
        (
            "[workload]\nseed = N",
            "s.toml:2: found N, but must be a whole number from 0 to 18446744073709551615",
        ),
        (
            "[workload]\nzipf = 1.0\nrequests = N",
            "s.toml:3: requests is N, but must be a whole number from 1 to 9007199254740992",
        ),
        (
            "[workload]\nfile = 'k'\nsketch = N",
            "s.toml:3: sketch is N, but must be a whole number from 64 to 268435456",
        ),
        (
            "[[node]]\nid = 'a'\nweight = N",
            "the weight of node \"a\" is N, but must be a whole number from 0 to 4294967295",
        ),
        (
            "[[family]]\nname = 'ring'\npoints = N",
            "s.toml:3: found a number out of range, but must be a whole number from \
             -9223372036854775808 to 18446744073709551615",
        ),
    ] {
        refuses_scenario(&text.replace('N', great), &[&told.replace('N', great)]);
    }
}

#[test]
fn a_count_of_a_scenario_that_is_none() {
    let nodes = "but must be a whole number from 1 to 10000000";
    for given in ["0", "-1", "10000001", "18446744073709551616", "1.5", "\"3\"", "true"] {
        let told = format!("s.toml:2: nodes is {given}, {nodes}");
        refuses_scenario(&format!("name = \"s\"\nnodes = {given}\n"), &[&told]);
    }
    for given in ["0", "1025"] {
        let told =
            format!("s.toml:1: replicas is {given}, but must be a whole number from 1 to 1024");
        refuses_scenario(&format!("replicas = {given}\n"), &[&told]);
    }
}

#[test]
fn a_change_that_cannot_be_made_is_told_with_its_line() {
    let first = "[[change]]\nadd = \"x\"\n";
    for (change, told) in [
        ("add = \"\"", "id is \"\", but must be at least one byte long"),
        ("add = \"x\"", "node \"x\" is a member already"),
        ("remove = \"nope\"", "node \"nope\" is no member"),
        ("reweight = \"nope\"\nweight = 2", "node \"nope\" is no member"),
        ("weight = 2", "change 2 must have one of add, remove, reweight and rebalance = true"),
        ("reweight = \"x\"", "change 2 reweights a node, but has no weight"),
        (
            "add = \"y\"\nweight = 4294967296",
            "change 2 has the weight 4294967296, but must be a whole number from 0 to 4294967295",
        ),
    ] {
        // Whatever stands after it.
        let text = format!("{first}[[change]]\n{change}\n[[change]]\nremove = \"nobody\"\n");
        refuses_scenario(&text, &[&format!("s.toml:3: {told}")]);
    }
    // No one line leaves no node.
    let text = "nodes = 1\n[[change]]\nremove = \"node-0\"\n";
    refuses_scenario(text, &["s.toml: no nodes: at least one must have a weight above 0"]);
}

#[test]
fn a_family_that_cannot_be_is_told_with_its_line() {
    for (family, told) in [
        ("name = \"rang\"", "family is \"rang\", but must be one of modulo, "),
        ("points = 3", "a [[family]] has no name, but must have one, a text"),
        ("name = \"ring\"\npints = 3", "ring: unknown field \"pints\", but the fields are "),
        ("name = \"ring\"\npoints = 0", "ring: points is 0, but must be from 1 to 4294967295"),
        (
            "name = \"ring\"\npoints = -1",
            "ring: points is -1, but must be a whole number from 1 to 4294967295",
        ),
        (
            "name = \"ring\"\npoints = nan",
            "ring: points is no number, but must be a whole number from 1 to 4294967295",
        ),
        ("name = \"ring\"\nhash = 5", "ring: hash: found 5, but must be a text"),
        ("name = \"slots\"\nranges = [[0, 9, \"x\"]]", "slots: node \"x\" is no member"),
        ("name = \"maglev\"\nentries = 65536", "maglev: entries is 65536, but must be a prime"),
    ] {
        let text = format!("nodes = 3\n\n[[family]]\n{family}\n");
        refuses_scenario(&text, &[&format!("s.toml:3: {told}")]);
    }
}

#[test]
fn a_node_of_a_scenario_that_cannot_be_is_told_with_its_line() {
    let text = "[[node]]\nid = \"a\"\n[[node]]\nid = \"a\"\n";
    refuses_scenario(text, &["s.toml:3: node \"a\" is a member already"]);
    let text = "[[node]]\nid = \"a\"\n[[node]]\nid = \"b\"\nweight = -1\n";
    refuses_scenario(text, &["s.toml:3: the weight of node \"b\" is -1, but must be "]);
}

#[test]
fn a_list_of_nothing_is_no_default() {
    for field in ["change", "node", "family"] {
        let told = format!("s.toml:1: {field} is an empty list, but must have a table");
        refuses_scenario(&format!("{field} = []\n"), &[&told]);
    }
}

#[test]
fn a_table_is_no_list() {
    let told = "s.toml:1: found a list, but must be a table of fields";
    for text in [
        "[[workload]]\nkeys = 5\n",
        "[[workload]]\nkeys = 5\n[[workload]]\nkeys = 6\n",
        "workload = [5, 6]\n",
        "change = [[\"a\"]]\n",
        "node = [[\"a\", 1]]\n",
    ] {
        refuses_scenario(text, &[told]);
    }
}

#[test]
fn flags_for_replicas_go_over_their_own_field_alone() {
    let text = "spread = \"zones\"\n[workload]\nkeys = 2000\n[[family]]\nname = \"rendezvous\"\n\
                [[change]]\nremove = \"a\"\n\
                [[node]]\nid = \"a\"\nzone = \"1\"\n[[node]]\nid = \"b\"\nzone = \"1\"\n\
                [[node]]\nid = \"c\"\nzone = \"2\"\n";
    let folder = Folder::with("zones.toml", text);
    folder.add("two.toml", format!("replicas = 2\n{text}"));
    let changed = |arguments: &[&str]| {
        let comparison = json_of(folder.compare(arguments));
        figure(&row(&comparison, "rendezvous")["replicas"], "copies_moved")
    };
    let zones = changed(&["--scenario", "two.toml"]);
    let nodes = changed(&["--scenario", "two.toml", "--spread", "nodes"]);
    // b and c hold every key in the end. Over zones c always did, and a for one
    // half of the keys; over nodes a did for two thirds. One of two copies is new
    // wherever a had one.
    assert_sampled(zones * 2.0, 1.0 / 2.0, 2000.0);
    assert_sampled(nodes * 2.0, 2.0 / 3.0, 2000.0);
    assert_close(changed(&["--scenario", "two.toml", "--replicas", "2"]), zones);
    assert_close(changed(&["--scenario", "zones.toml", "--replicas", "2"]), zones);
    let arguments = ["--scenario", "zones.toml", "--replicas", "2", "--spread", "nodes"];
    assert_close(changed(&arguments), nodes);
}
