//! What is refused: exit status 2, nothing on standard output, one line.

use crate::{Folder, three_with_slots};

#[track_caller]
fn refuses(folder: &Folder, arguments: &[&str], parts: &[&str]) {
    let output = folder.plan(arguments).assert().code(2);
    let output = output.get_output();
    assert!(output.stdout.is_empty(), "{arguments:?} prints an answer");
    let told = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(told.lines().count(), 1, "{arguments:?}: {told}");
    assert!(!told.contains("panicked") && !told.trim_end().ends_with('.'), "{told}");
    for part in parts {
        assert!(told.contains(part), "{arguments:?}: {part:?} in {told}");
    }
}

#[test]
fn ends_that_are_none() {
    let folder = three_with_slots();
    folder.layout("ring.json", &["--family", "ring", "--members", "abc"]);
    refuses(&folder, &["ring.json"], &["AFTER", "--add", "--grow"]);
    refuses(&folder, &["--add", "x"], &["family is not given", "ring"]);
    refuses(&folder, &["ring.json", "slots.json"], &["\"ring\"", "\"slots\"", "homing diff"]);
    refuses(&folder, &["ring.json", "abc", "--add", "x"], &["twice", "AFTER"]);
    refuses(&folder, &["ring.json", "abc", "--nodes", "3"], &["twice", "--nodes"]);
    refuses(&folder, &["ring.json", "none"], &["none"]);
    refuses(&folder, &["ring.json", "--remove", "x"], &["\"x\"", "no member"]);
}

#[test]
fn a_change_that_the_family_cannot_make() {
    let folder = Folder::new();
    let jump = ["--family", "jump", "--nodes", "3"];
    refuses(&folder, &[&jump[..], &["--remove", "node-0"]].concat(), &["jump", "last"]);
    refuses(&folder, &[&jump[..], &["--reweight", "node-0=2"]].concat(), &["jump", "weight"]);
}

#[test]
fn wishes_of_an_operator_where_there_is_none() {
    let folder = three_with_slots();
    let ring = ["--family", "ring", "--nodes", "3", "--add", "x"];
    refuses(&folder, &[&ring[..], &["--prefer", "ranges"]].concat(), &["prefer", "ring"]);
    let stated = ["slots.json", "slots.json", "--prefer", "moves"];
    refuses(&folder, &stated, &["AFTER is a manifest"]);
    refuses(&folder, &["slots.json", "--by", "keys"], &["by", "--keys FILE"]);
    folder.add("keys", "k1\nk2\n");
    let tool = ["slots.json", "--by", "keys", "--keys", "keys", "--prefer", "tool"];
    refuses(&folder, &tool, &["prefer is tool", "moves or ranges"]);
    let by = ["slots.json", "--by", "bytes", "--keys", "keys"];
    refuses(&folder, &by, &["by is bytes", "no bytes"]);
}

#[test]
fn rates_and_steps_that_are_none() {
    let folder = three_with_slots();
    let ring = ["--family", "ring", "--nodes", "3", "--add", "x"];
    refuses(&folder, &[&ring[..], &["--rate", "5"]].concat(), &["rate", "--keys FILE"]);
    refuses(&folder, &[&ring[..], &["--max-step", "5"]].concat(), &["max-step", "5%"]);
    refuses(&folder, &[&ring[..], &["--max-step", "0%"]].concat(), &["max-step is \"0%\""]);
    refuses(&folder, &[&ring[..], &["--rate", "fast"]].concat(), &["rate is \"fast\"", "50MB"]);
    refuses(&folder, &["slots.json", "--rate", "5MB"], &["rate is a size", "slots"]);
    folder.add("keys", "k1\nk2\n");
    let keys = ["--keys", "keys", "--rate", "5MB"];
    refuses(&folder, &[&ring[..], &keys].concat(), &["rate is a size", "no bytes"]);
    let tiny = ["--max-step", "0.0000001"];
    refuses(&folder, &[&ring[..], &tiny].concat(), &["max-step", "10000 steps"]);
}

#[test]
fn a_node_that_nothing_moves_to() {
    let folder = three_with_slots();
    refuses(&folder, &["slots.json", "--remove", "c", "--to", "c"], &["to is \"c\"", "after"]);
}

#[test]
fn keys_and_samples_at_once() {
    let folder = three_with_slots();
    for flags in
        [&["--keys", "k", "--sample", "3"][..], &["--strict"], &["--check", "p", "--add", "x"]]
    {
        let arguments = [&["slots.json"], flags].concat();
        let output = folder.plan(&arguments).assert().code(2);
        assert!(!output.get_output().stderr.is_empty());
    }
    refuses(
        &folder,
        &["--family", "jump", "--add", "x", "--sample", "0"],
        &["sample is \"0\", but must be a whole number from 1"],
    );
}

#[test]
fn flags_that_a_check_would_pass_over() {
    let folder = three_with_slots();
    for flags in [
        &["--format", "json"][..],
        &["--strict"],
        &["--keys", "k"],
        &["--generate", "uuid"],
        &["--seed", "3"],
        &["--bytes-column", "size"],
        &["--grow", "1"],
    ] {
        let arguments = [&["--check", "p.json", "slots.json"], flags].concat();
        let output = folder.plan(&arguments).assert().code(2);
        let told = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        assert!(told.contains("--check <PLAN> does not go with --"), "{told}");
    }
}

#[test]
fn a_step_too_small_is_told_with_the_least() {
    // 4096 of 16384 slots go to d, and a thousandth of a slot is 1 / 16384000 of all.
    let folder = Folder::new();
    folder.layout("slots.json", &["--family", "slots", "--nodes", "3"]);
    let told = "max-step is 0.001 slots, but must be at least 0.4096 slots, to move 4096 slots in \
                10000 steps";
    let step = ["slots.json", "--add", "d", "--max-step", "0.00000006103515625"];
    refuses(&folder, &step, &[told]);
}
