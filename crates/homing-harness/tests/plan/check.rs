//! `homing plan --check`: a plan is for the layout that it starts from.

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
