//! `homing diff` from the command line.

#[path = "../common/folder.rs"]
mod folder;

use serde_json::Value;

use self::folder::Folder;

impl Folder {
    fn diff(&self, arguments: &[&str], status: i32) -> String {
        self.print("diff", arguments, status)
    }

    fn json(&self, arguments: &[&str], status: i32) -> Value {
        let printed = self.diff(&[arguments, &["--format", "json"]].concat(), status);
        serde_json::from_str(&printed).unwrap()
    }
}

#[test]
fn equal_layouts_are_equal_and_exactly_so() {
    let folder = Folder::new();
    for family in ["ring", "slots", "maglev", "rendezvous", "jump", "modulo"] {
        folder.layout("a.json", &["--family", family, "--nodes", "3"]);
        folder.layout("b.json", &["--members", "a.json", "--epoch", "9"]);
        let told = folder.diff(&["a.json", "b.json"], 0);
        assert!(told.contains("exact: equal fingerprints, nothing moves"), "{told}");
        let diff = folder.json(&["a.json", "b.json"], 0);
        assert_eq!((&diff["basis"], &diff["fraction"]), (&"exact".into(), &0.0.into()));
        assert_eq!(diff["moves"], serde_json::json!([]));
    }
}

#[test]
fn more_points_of_a_ring_are_told_exactly() {
    let folder = Folder::new();
    folder.layout("a.json", &["--family", "ring:points=1", "--nodes", "3"]);
    folder.layout("b.json", &["--family", "ring:points=2", "--nodes", "3"]);
    let diff = folder.json(&["a.json", "b.json"], 1);
    assert_eq!((&diff["basis"], &diff["moves_anything"]), (&"exact".into(), &true.into()));
    assert_eq!(diff["optimal"], 0.0);
    let csv = folder.diff(&["a.json", "b.json", "--format", "csv"], 1);
    assert_eq!(csv.lines().next(), Some("first,last,positions,from,to"));
    assert_eq!(csv.lines().count() - 1, diff["moves"].as_array().unwrap().len());
}

#[test]
fn another_hash_is_counted() {
    // Of three equal nodes two keys in three change, by four standard deviations:
    // 4 sqrt(2/3 x 1/3 / 9000) = 0.0199.
    let folder = Folder::new();
    folder.layout("a.json", &["--family", "ring", "--nodes", "3"]);
    folder.layout("b.json", &["--family", "ring:hash=sha256", "--nodes", "3"]);
    let diff = folder.json(&["a.json", "b.json", "--sample", "9000"], 1);
    assert_eq!(diff["basis"], "sampled");
    let fraction = diff["fraction"].as_f64().unwrap();
    // A ring of 160 points is even to about 8 %, and so is this.
    assert!((fraction - 2.0 / 3.0).abs() < 0.02 + 0.08, "{fraction}");
}

#[test]
fn two_families_are_compared_on_the_keys_given() {
    // k3 has slot 4576 (case C06) of 16384: a's in a map of two, b's in the other.
    let folder = Folder::new();
    folder.add("ab", "a\nb\n");
    folder.layout("a.json", &["--family", "slots", "--members", "ab"]);
    folder.layout("b.json", &["--family", "rendezvous", "--members", "ab"]);
    folder.add("keys", "k3\nk0\nk1\n");
    let diff = folder.json(&["a.json", "b.json", "--keys", "keys"], 1);
    assert_eq!((&diff["basis"], &diff["all"]["keys"]), (&"counted".into(), &3.into()));
    let output = folder.run("locate", &["--members", "b.json", "k3", "k0", "k1"]).output().unwrap();
    let located = String::from_utf8(output.stdout).unwrap();
    // k3 is a's by its slot, k0 (8579) and k1 (12706) are b's.
    let moved = located
        .lines()
        .skip(1)
        .zip(["a", "b", "b"])
        .filter(|(line, owner)| !line.ends_with(&format!(",{owner}")));
    assert_eq!(diff["moved"]["keys"], moved.count());
}

#[test]
fn that_no_key_moved_is_told_with_its_bound() {
    // Another zone is another fingerprint, and moves nothing. Of 1000 keys none:
    // 1 - 0.025^(1/1000) = 0.368208 %.
    let folder = Folder::new();
    folder.add("a.json", r#"[{"id": "a"}, {"id": "b"}]"#);
    folder.add("b.json", r#"[{"id": "a", "zone": "z"}, {"id": "b"}]"#);
    let arguments = ["a.json", "b.json", "--family", "rendezvous"];
    let told = folder.diff(&[&arguments[..], &["--sample", "1000"]].concat(), 0);
    assert!(told.contains("none of 1000 keys moved (at most 0.368209 % of all keys do"), "{told}");
    folder.add("keys", "x\ny\n");
    let told = folder.diff(&[&arguments[..], &["--keys", "keys"]].concat(), 0);
    assert!(told.contains("none of the 2 keys given moved"), "{told}");
}

#[test]
fn a_move_of_no_key_given_is_a_move() {
    // By hand: k2 (449) stays, slot 16383 moves.
    let folder = Folder::new();
    let members = r#"[{"id": "a"}, {"id": "b"}]"#;
    let whole = r#"{"ranges": [[0, 16383, "a"]]}"#;
    folder.state("a.json", "slots", whole, members);
    let cut = r#"{"ranges": [[0, 16382, "a"], [16383, 16383, "b"]]}"#;
    folder.state("b.json", "slots", cut, members);
    folder.add("keys", "k2\n");
    let told = folder.diff(&["a.json", "b.json", "--keys", "keys"], 1);
    assert!(told.contains("none of the 1 keys given moved, but positions of other keys do"));
    let csv = folder.diff(&["a.json", "b.json", "--format", "csv"], 1);
    assert_eq!(csv, "first,last,positions,from,to\n16383,16383,1,a,b\n");
}

#[test]
fn members_need_a_family_and_which_file_does_is_told() {
    let folder = Folder::new();
    folder.add("ab", "a\nb\n");
    folder.layout("a.json", &["--family", "ring", "--members", "ab"]);
    for files in [["ab", "a.json"], ["a.json", "ab"]] {
        let output = folder.run("diff", &files).assert().code(2);
        let told = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
        let rule = "homing: ab: is no manifest, and members alone are no layout: --family says \
                    of which family it is\n";
        assert_eq!(told, rule);
    }
    folder.diff(&["ab", "ab", "--family", "jump"], 0);
}

#[test]
fn a_layout_that_cannot_be_is_told_with_its_file() {
    let folder = Folder::new();
    folder.add("even", "a\nb\n");
    folder.add("uneven.json", r#"[{"id": "a", "weight": 2}, {"id": "b"}]"#);
    let arguments = ["even", "uneven.json", "--family", "jump"];
    let output = folder.run("diff", &arguments).assert().code(2);
    let told = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert_eq!(told, "homing: uneven.json: jump: takes only nodes of weight 1\n");
}

#[test]
fn that_generated_keys_are_not_listed_is_told() {
    let folder = Folder::new();
    folder.layout("a.json", &["--family", "jump", "--nodes", "2"]);
    folder.layout("b.json", &["--family", "jump", "--nodes", "3"]);
    let arguments = ["a.json", "b.json", "--sample", "100"];
    let told = folder.diff(&arguments, 1);
    assert!(told.contains("listed for keys that are given, with --keys"), "{told}");
    let diff = folder.json(&arguments, 1);
    assert_eq!(diff["moves"], serde_json::json!([]));
    assert!(diff["notes"][0].as_str().unwrap().starts_with("100 generated keys"), "{diff}");
    // A table of moves has no room for it.
    let output = folder.run("diff", &[&arguments[..], &["--format", "csv"]].concat());
    let output = { output }.assert().code(1);
    assert_eq!(output.get_output().stdout, b"first,last,positions,from,to\n");
    let told = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(told.starts_with("homing: 100 generated keys") && told.contains("--keys"), "{told}");
}
