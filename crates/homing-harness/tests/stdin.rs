//! `-` in the place of a file is standard input, of one file alone.

use std::fs;

use assert_cmd::Command;
use tempfile::TempDir;

const ABC: &str = "a\nb\nc\n";

/// A folder with the members `abc`, `slots.json`, the manifest of their slots, and
/// `plan.json`, which starts from it.
fn with_plan() -> TempDir {
    let folder = TempDir::new().unwrap();
    fs::write(folder.path().join("abc"), ABC).unwrap();
    for (name, line) in [
        ("slots.json", "layout --family slots --members abc"),
        ("plan.json", "plan slots.json --add d --format json"),
    ] {
        let printed = fed(&folder, line, "", 0).0;
        fs::write(folder.path().join(name), printed).unwrap();
    }
    folder
}

fn read(folder: &TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

/// What is printed and what is told, having ended with `status`.
#[track_caller]
fn fed(folder: &TempDir, line: &str, input: &str, status: i32) -> (String, String) {
    let mut run = Command::new(env!("CARGO_BIN_EXE_homing"));
    let run = run.current_dir(folder.path()).args(line.split(' '));
    let output = run.write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    let (printed, told) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(status), "{line}: {told}");
    (printed, told)
}

#[test]
fn members_come_from_standard_input_in_every_form_of_theirs() {
    let folder = with_plan();
    let manifest = read(&folder, "slots.json");
    let toml = "[[node]]\nid = \"a\"\n[[node]]\nid = \"b\"\n[[node]]\nid = \"c\"\n";
    let json = r#"[{"id": "a"}, {"id": "b"}, {"id": "c"}]"#;
    let of_file = fed(&folder, "layout --family slots --members abc", "", 0).0;
    for input in [ABC, toml, json, &manifest] {
        assert_eq!(fed(&folder, "layout --family slots --members -", input, 0).0, of_file);
    }
}

#[test]
fn members_come_from_standard_input_as_from_a_file_in_every_command() {
    let folder = with_plan();
    fs::write(folder.path().join("placed.csv"), "key,node\nk,a\n").unwrap();
    for line in [
        "locate --family ring --members FILE k1 k2",
        "plan --family ring --members FILE --add d --format json",
        "plan --family ring FILE --add d --format json",
        "plan --family ring --nodes 2 FILE --format json",
        "failures --family ring --members FILE --pairs 0 --format csv",
    ] {
        let of_file = fed(&folder, &line.replace("FILE", "abc"), "", 0).0;
        assert_eq!(fed(&folder, &line.replace("FILE", "-"), ABC, 0).0, of_file, "{line}");
    }
    // One node has every key.
    fed(&folder, "verify --family ring --members - placed.csv", "a\n", 0);
    fed(&folder, "sweep --family ring --members - --values 1 --seeds 1 --sample 100", ABC, 0);
    fed(&folder, "compare --family ring --members - --sample 100", ABC, 0);
    fed(&folder, "recommend --family ring --members - --sample 100", ABC, 0);
}

#[test]
fn a_plan_and_what_is_there_now_are_each_taken_from_standard_input() {
    let folder = with_plan();
    let of_file = fed(&folder, "plan --check plan.json --members slots.json", "", 0).0;
    let now = fed(&folder, "plan --check plan.json --members -", &read(&folder, "slots.json"), 0).0;
    assert_eq!(now, of_file);
    let plan =
        fed(&folder, "plan --check - --members slots.json", &read(&folder, "plan.json"), 0).0;
    assert_eq!(plan, of_file.replacen("plan.json", "standard input", 1));
    let same = fed(&folder, "diff - slots.json", &read(&folder, "slots.json"), 0).0;
    assert!(same.starts_with("standard input: slots"), "{same}");
}

#[test]
fn a_scenario_and_constraints_come_from_standard_input() {
    let folder = with_plan();
    // Three nodes become four: a quarter must move.
    let scenario = "members = 'abc'\n[workload]\nkeys = 100\n";
    let told = fed(&folder, "compare --family ring --scenario -", scenario, 0).0;
    assert!(told.starts_with("standard input: 3 to 4 nodes"), "{told}");
    assert!(told.contains("must move 25.00 %"), "{told}");
    let constraints = "members = 'abc'\n";
    fed(&folder, "recommend --family ring --constraints - --sample 100", constraints, 0);
}

#[test]
fn what_is_wrong_with_standard_input_is_told_as_its_place() {
    let folder = with_plan();
    for (line, input, told) in [
        ("locate --family ring --members - k", "a\nb\na\n", "3: node \"a\" is a member already"),
        ("locate --family ring --members - k", "", " no nodes: at least one must have a weight"),
        ("plan --check - --members slots.json", "{", "1: EOF within a table, but must have"),
        ("plan --family ring abc -", "a\na\n", "2: node \"a\" is a member already"),
        ("compare --scenario -", "nodes = 3\nnode = 4\n", "2: found 4, but must be a list"),
        ("compare --scenario -", "members = '-'\n", " members is \"-\", but must be the name of"),
        ("compare --scenario -", "[workload]\nfile = '-'\n", " file is \"-\", but standard input"),
        ("recommend --constraints -", "nodes = 3\nx = 4\n", "2: unknown field \"x\", but the"),
        ("recommend --constraints -", "members = '-'\n", " members is \"-\", but must be the"),
        ("diff - abc", "a\n", " is no manifest, and members alone are no layout"),
    ] {
        let said = fed(&folder, line, input, 2).1;
        assert!(said.starts_with(&format!("homing: standard input:{told}")), "{line}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn two_files_from_standard_input_are_refused_in_one_line_before_it_is_read() {
    let folder = with_plan();
    for (line, first, second) in [
        ("locate --family ring --members - --keys -", "--members", "--keys"),
        ("locate --cluster - -", "--cluster", "KEY"),
        ("locate --family ring --members - -", "--members", "KEY"),
        ("compare --scenario - --keys -", "--scenario", "--keys"),
        ("plan --check - --members -", "--members", "--check"),
        ("plan - -", "FILE", "FILE"),
        ("plan - --members abc --keys -", "FILE", "--keys"),
        ("diff - -", "A", "B"),
        ("verify --family ring --members - -", "--members", "FILE"),
        ("recommend --constraints - --members -", "--constraints", "--members"),
        ("failures --members - --keys -", "--members", "--keys"),
    ] {
        let said = fed(&folder, line, "", 2).1;
        let told = format!(
            "homing: {first} and {second} are both -, but standard input must be given to one \
             alone\n"
        );
        let turned = format!(
            "homing: {second} and {first} are both -, but standard input must be given to one \
             alone\n"
        );
        assert!(said == told || said == turned, "{line}: {said}");
    }
}

#[test]
fn a_minus_among_other_keys_is_a_key_beside_members_from_standard_input() {
    let folder = TempDir::new().unwrap();
    let placed = fed(&folder, "locate --family ring --members - - k", "a\n", 0).0;
    let keys: Vec<&str> = placed.lines().skip(1).map(|row| &row[..2]).collect();
    assert_eq!(keys, ["-,", "k,"]);
}
