//! `homing plan --check`: a plan is for the layout that it starts from.

use serde_json::{Value, json};

use crate::{Folder, three_with_slots};

fn told(folder: &Folder, arguments: &[&str], status: i32) -> String {
    let output = folder.plan(arguments).assert().code(status);
    let output = output.get_output();
    let told = if status == 2 { &output.stderr } else { &output.stdout };
    let told = String::from_utf8(told.clone()).unwrap();
    assert_eq!(told.lines().count(), 1, "{told}");
    told
}

#[test]
fn a_plan_is_refused_once_its_start_is_gone() {
    let folder = three_with_slots();
    let plan = folder.planned(&["slots.json", "--add", "d", "--format", "json"]);
    folder.add("plan.json", &plan);
    let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
    let passed = told(&folder, &["--check", "plan.json", "--members", "slots.json"], 0);
    assert!(passed.contains(plan["start"].as_str().unwrap()), "{passed}");

    folder.add("now.json", plan["after"].to_string());
    let refused = told(&folder, &["--check", "plan.json", "--members", "now.json"], 1);
    for fingerprint in [&plan["start"], &plan["end"]] {
        assert!(refused.contains(fingerprint.as_str().unwrap()), "{refused}");
    }
    let without = told(&folder, &["--check", "plan.json", "--members", "abc"], 2);
    assert!(without.contains("must be a manifest"), "{without}");
}

#[test]
fn members_are_taken_with_the_configuration_of_the_plan() {
    let folder = Folder::new();
    folder.add("abc", "a\nb\nc\n");
    folder.add("cba", "c\nb\na\n");
    folder.add("abd", "a\nb\nd\n");
    let arguments = ["--family", "ring:points=7", "abc", "--add", "x", "--format", "json"];
    folder.add("plan.json", folder.planned(&arguments));
    told(&folder, &["--check", "plan.json", "--members", "abc"], 0);
    // A ring does not go by the order of its members.
    told(&folder, &["--check", "plan.json", "cba"], 0);
    told(&folder, &["--check", "plan.json", "--members", "abd"], 1);
    told(&folder, &["--check", "plan.json", "--members", "abc", "--family", "ring"], 1);
}

#[test]
fn what_is_no_plan_is_told_with_its_place() {
    let folder = three_with_slots();
    let check = |name: &str| told(&folder, &["--check", name, "--members", "slots.json"], 2);
    let no_plan = check("slots.json");
    assert!(no_plan.contains("missing field \"start\""), "{no_plan}");
    let plan = folder.planned(&["slots.json", "--add", "d", "--format", "json"]);
    folder.add("cut.json", &plan[..50]);
    let cut = check("cut.json");
    assert!(cut.starts_with("homing: cut.json:") && cut.contains("EOF"), "{cut}");
    folder.add("version.json", plan.replacen("\"version\": 1", "\"version\": 2", 1));
    assert!(check("version.json").contains("version is 2, but must be 1"));
    let start = plan.find("\"start\": \"").unwrap() + "\"start\": \"".len();
    let mut other = plan.clone();
    other.replace_range(start..start + 16, "0000000000000000");
    folder.add("start.json", &other);
    assert!(check("start.json").contains("start is 0000000000000000, but before has"));
    other.replace_range(start..=start, "x");
    folder.add("digits.json", &other);
    assert!(check("digits.json").contains("16 hexadecimal digits"));
    assert!(check("none.json").starts_with("homing: none.json: "));
}

/// Every move is to d, who is new: to c, or from nobody, is none of the plan.
#[test]
fn a_plan_that_was_edited_by_hand_is_refused_with_what_is_wrong() {
    let folder = three_with_slots();
    folder.add("keys", "k1\nk2\nk3\nk4\nk5\nk6\nk7\nk8\nk9\n\u{e9}\n");
    folder.add("keys.bin", b"\xff1\n\xff2\n\xff3\n\xff4\n\xff5\n\xff6\n\xff7\n\xff8\n");
    for keys in [&[][..], &["--keys", "keys"], &["--keys", "keys.bin"]] {
        let arguments = [&["slots.json", "--add", "d", "--format", "json"], keys].concat();
        let plan: Value = serde_json::from_str(&folder.planned(&arguments)).unwrap();
        let check = |edit: &dyn Fn(&mut Value), status: i32| {
            let mut edited = plan.clone();
            edit(&mut edited);
            folder.add("plan.json", edited.to_string());
            told(&folder, &["--check", "plan.json", "--members", "slots.json"], status)
        };
        check(&|_| {}, 0);
        let moved = check(&|plan| plan["moves"][0]["to"] = "c".into(), 2);
        assert!(moved.contains("plan.json: move 1 is from"), "{moved}");
        assert!(moved.contains("to \"c\", but by before and after is from"), "{moved}");
        let nobody = check(&|plan| plan["moves"][0]["from"] = Value::Null, 2);
        assert!(nobody.contains("move 1 is from no owner to \"d\", but"), "{nobody}");
        let nothing = check(&|plan| plan["moves"][0] = json!({"from": "a", "to": "d"}), 2);
        assert!(nothing.contains("move 1 has neither a key nor a run"), "{nothing}");
        let far = json!({"first": 0, "last": 16384, "from": "a", "to": "d"});
        let far = check(&|plan| plan["moves"][0] = far.clone(), 2);
        assert!(far.contains("from 0 to 16383"), "{far}");
        let end = check(&|plan| plan["end"] = "0000000000000000".into(), 2);
        assert!(end.contains("end is 0000000000000000, but after has the fingerprint"), "{end}");
        let after = check(&|plan| plan["after"]["members"][0]["id"] = "z".into(), 2);
        assert!(after.contains("plan.json: after: "), "{after}");
        let gone = check(&|plan| drop(plan.as_object_mut().unwrap().remove("moves")), 2);
        assert!(gone.contains("missing field \"moves\""), "{gone}");
    }
}

#[test]
fn a_run_that_reaches_over_what_stays_is_refused() {
    let folder = Folder::new();
    folder.add("abc", "a\nb\nc\n");
    let arguments = ["--family", "ring:points=7", "abc", "--add", "x", "--format", "json"];
    let mut plan: Value = serde_json::from_str(&folder.planned(&arguments)).unwrap();
    let moves = plan["moves"].as_array().unwrap();
    // Runs of one giver that are not one run have something between them that stays, or
    // that another gives.
    let pairs = (0..moves.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    let (i, j) = pairs.into_iter().find(|&(i, j)| moves[i]["from"] == moves[j]["from"]).unwrap();
    plan["moves"][i]["last"] = plan["moves"][j]["last"].clone();
    folder.add("plan.json", plan.to_string());
    let told = told(&folder, &["--check", "plan.json", "--members", "abc"], 2);
    assert!(told.contains(&format!("move {} is from", i + 1)), "{told}");
    assert!(told.contains("but not all of that moves so by before and after"), "{told}");
}
