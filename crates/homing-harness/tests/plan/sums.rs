//! `homing plan --check`: the sums and the steps of a plan are those of its moves, and no
//! move is missing.

use serde_json::{Value, json};

use crate::{Folder, three_with_slots};

/// `slots.json`, and a map in which `slots` of a are b's.
fn handing(slots: [u64; 2]) -> Folder {
    let folder = three_with_slots();
    let [first, last] = slots;
    let before = if first > 0 { format!("[0, {}, \"a\"], ", first - 1) } else { String::new() };
    let ranges = format!(
        "{{\"ranges\": [{before}[{first}, {last}, \"b\"], [{}, 5460, \"a\"], \
         [5461, 10922, \"b\"], [10923, 16383, \"c\"]]}}",
        last + 1
    );
    let members =
        r#"[{"id": "a", "weight": 1}, {"id": "b", "weight": 1}, {"id": "c", "weight": 1}]"#;
    folder.state("after.json", "slots", &ranges, members);
    folder
}

/// What is told of a plan, having ended with status 2, or 0 if it is let through.
fn told(folder: &Folder, plan: &Value, now: &[&str]) -> Result<String, String> {
    folder.add("plan.json", plan.to_string());
    let run = [&["--check", "plan.json"], now].concat();
    let output = folder.plan(&run).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    match output.status.code() {
        Some(0) => Ok(text(output.stdout)),
        Some(2) => Err(text(output.stderr)),
        other => panic!("{other:?}"),
    }
}

const NOW: [&str; 2] = ["--members", "slots.json"];

/// Puts `value` in the place of what is at `place`, or takes it away for null.
fn edited(plan: &Value, place: &str, value: Value) -> Value {
    let mut plan = plan.clone();
    let (parent, name) = place.rsplit_once('/').unwrap();
    let parent = plan.pointer_mut(parent).unwrap();
    match (parent, value) {
        (Value::Object(fields), Value::Null) => drop(fields.remove(name)),
        (Value::Object(fields), value) => drop(fields.insert(name.to_owned(), value)),
        (parent, value) => parent[name.parse::<usize>().unwrap()] = value,
    }
    plan
}

#[track_caller]
fn refuses(folder: &Folder, plan: &Value, edits: &[(&str, Value, &str)]) {
    assert!(told(folder, plan, &NOW).is_ok(), "{:?}", told(folder, plan, &NOW));
    for (place, value, reason) in edits {
        let edited = edited(plan, place, value.clone());
        let told = told(folder, &edited, &NOW).unwrap_err();
        assert_eq!(told, format!("homing: plan.json: {reason}\n"), "{place}");
    }
}

// a hands the slots 0 to 9 to b: one run, 10 of 16384 slots, which is 0.0006103515625.
#[test]
fn a_sum_that_is_not_that_of_the_moves_is_refused_with_what_it_must_be() {
    let folder = handing([0, 9]);
    let plan = folder.json(&["slots.json", "after.json"]);
    refuses(
        &folder,
        &plan,
        &[
            ("/moved/positions", json!(11), "moved: positions is 11, but must be 10"),
            ("/moved/keys", json!(3), "moved: keys is 3, but must be left out"),
            ("/all/positions", json!(5), "all: positions is 5, but must be 16384"),
            ("/gains_owner/positions", json!(1), "gains_owner: positions is 1, but must be 0"),
            ("/loses_owner/positions", json!(1), "loses_owner: positions is 1, but must be 0"),
            ("/ranges", json!(2), "ranges is 2, but must be 1"),
            (
                "/matrix/0/positions",
                json!(9),
                "matrix from \"a\" to \"b\": positions is 9, but must be 10",
            ),
            ("/matrix", json!([]), "matrix from \"a\" to \"b\": positions is 0, but must be 10"),
            ("/givers/0/node", json!("c"), "givers \"c\": positions is 10, but must be 0"),
            (
                "/takers/0/positions",
                Value::Null,
                "takers \"b\": positions is left out, but must be 10",
            ),
            ("/fraction", json!(0.5), "fraction is 0.5, but must be 0.0006103515625"),
        ],
    );
}

#[test]
fn a_range_that_changes_its_owner_and_is_in_no_move_is_told() {
    let folder = handing([0, 9]);
    let plan = folder.json(&["slots.json", "after.json"]);
    let run = |first: u64, last: u64| json!({"first": first, "last": last, "from": "a", "to": "b"});
    let lack = |first: u64, last: u64| {
        format!("moves lack {first} to {last}, but must have it from \"a\" to \"b\"")
    };
    let twice = "move 2 is from 4, which another move has, but must be one's";
    refuses(
        &folder,
        &plan,
        &[
            ("/moves", json!([]), &lack(0, 9)),
            ("/moves", json!([run(0, 4)]), &lack(5, 9)),
            ("/moves", json!([run(5, 9)]), &lack(0, 4)),
            ("/moves", json!([run(7, 9), run(0, 4)]), &lack(5, 6)),
            ("/moves", json!([run(0, 4), run(4, 9)]), twice),
        ],
    );
    // One run in two moves is all of it.
    assert!(told(&folder, &edited(&plan, "/moves", json!([run(5, 9), run(0, 4)])), &NOW).is_ok());
}

// k3 has slot 4576 (case C06), foo 12182: a hands k3 to b, c keeps foo. Of 130 bytes 100
// move, of 12 requests 7.
#[test]
fn sums_of_keys_are_those_of_the_keys_that_move() {
    let folder = handing([4576, 4576]);
    folder.add("keys.csv", "key,bytes,requests\nk3,100,7\nfoo,30,5\n");
    let plan = folder.json(&["slots.json", "after.json", "--keys", "keys.csv"]);
    let pair = "matrix from \"a\" to \"b\": ";
    refuses(
        &folder,
        &plan,
        &[
            ("/moved/bytes", json!(99), "moved: bytes is 99, but must be 100"),
            ("/moved/positions", json!(2), "moved: positions is 2, but must be 1"),
            ("/givers/0/keys", json!(2), "givers \"a\": keys is 2, but must be 1"),
            ("/matrix/0/requests", json!(1), &format!("{pair}requests is 1, but must be 7")),
            ("/moves/0/bytes", json!(9), &format!("{pair}bytes is 100, but must be 9")),
            ("/moves", json!([]), &format!("{pair}keys is 1, but must be 0")),
            ("/all/keys", json!(4), "fraction is 0.5, but must be 0.25"),
            (
                "/moves/0",
                json!({"first": 4576, "last": 4576, "from": "a", "to": "b"}),
                "move 1 is of a run, but must be of a key: keys were given",
            ),
        ],
    );
}

// The ten slots in steps of five: 0 to 4, then 5 to 9; five are 0.00030517578125 of all.
#[test]
fn a_step_that_is_not_that_of_its_moves_is_refused_with_what_it_must_be() {
    let folder = handing([0, 9]);
    let plan = folder.json(&["slots.json", "after.json", "--max-step", "5"]);
    let zeros = "0000000000000000";
    let second = plan["steps"][1]["fingerprint"].as_str().unwrap();
    let stated =
        format!("fingerprint is {zeros}, but step 2: manifest has the fingerprint {second}");
    refuses(
        &folder,
        &plan,
        &[
            ("/steps/0/moved/positions", json!(6), "step 1: moved: positions is 6, but must be 5"),
            ("/steps/0/step", json!(7), "step 1: step is 7, but must be 1"),
            (
                "/steps/0/fraction",
                json!(0.5),
                "step 1: fraction is 0.5, but must be 0.00030517578125",
            ),
            ("/steps/1/fingerprint", json!(zeros), &stated),
            ("/moves/0/step", json!(2), "move 1 is of step 2, but that has it from \"b\" to \"b\""),
            ("/moves/0/step", json!(3), "move 1: step is 3, but must be from 1 to 2"),
            ("/moves/0/step", Value::Null, "move 1: step is left out, but other moves have it"),
            ("/steps", json!([]), "move 1: step is 1, but must be left out: the plan has no steps"),
        ],
    );
}

#[test]
fn a_plan_that_lists_some_moves_is_checked_as_far_as_it_says() {
    let folder = handing([0, 9]);
    let to = folder.json(&["slots.json", "after.json", "--to", "b"]);
    assert_eq!(to["to"], "b");
    let lack = "moves lack 0 to 9, but must have it from \"a\" to \"b\"";
    refuses(&folder, &to, &[("/moves", json!([]), lack)]);
    let to_c = folder.json(&["slots.json", "after.json", "--to", "c"]);
    refuses(&folder, &to_c, &[]);
    let limited = folder.json(&["slots.json", "after.json", "--limit", "0"]);
    assert_eq!((&limited["limit"], limited["moves"].as_array().unwrap().len()), (&json!(0), 0));
    let sum = "moved: positions is 1, but must be 10";
    refuses(&folder, &limited, &[("/moved/positions", json!(1), sum)]);
}

#[test]
fn what_is_planned_is_let_through_of_every_family_and_in_steps() {
    let folder = Folder::new();
    let now = ["--nodes", "3"];
    for family in ["ring:points=7", "maglev:entries=101", "rendezvous", "jump", "modulo"] {
        let flags = ["--family", family, "--nodes", "3", "--grow", "2", "--sample", "1000"];
        for more in [&[][..], &["--max-step", "10%"], &["--generate", "uuid"]] {
            let plan = folder.json(&[&flags[..], more].concat());
            assert!(told(&folder, &plan, &now).is_ok(), "{:?}", told(&folder, &plan, &now));
        }
    }
}
