//! `homing diff` from the command line.

use std::fs;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        Self(TempDir::new().unwrap())
    }

    fn add(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.0.path().join(name), content).unwrap();
    }

    fn run(&self, command: &str, arguments: &[&str]) -> Command {
        let mut run = Command::new(env!("CARGO_BIN_EXE_homing"));
        run.current_dir(self.0.path()).arg(command).args(arguments);
        run
    }

    fn layout(&self, name: &str, arguments: &[&str]) {
        let output = self.run("layout", arguments).assert().success();
        self.add(name, &output.get_output().stdout);
    }

    fn diff(&self, arguments: &[&str], status: i32) -> String {
        let output = self.run("diff", arguments).assert().code(status);
        String::from_utf8(output.get_output().stdout.clone()).unwrap()
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
    folder.add("ab", "a\nb\n");
    folder.layout("a.json", &["--family", "slots", "--members", "ab"]);
    folder.layout("b.json", &["--family", "slots", "--nodes", "2"]);
    let before = r#"{"version": 1, "epoch": 0, "family": "slots",
        "config": {"ranges": [[0, 16383, "a"]]}, "members": [{"id": "a"}, {"id": "b"}],
        "fingerprint": "FINGERPRINT"}"#;
    let after = before.replace(r#"[[0, 16383, "a"]]"#, r#"[[0, 16382, "a"], [16383, 16383, "b"]]"#);
    for (name, manifest) in [("a.json", before), ("b.json", &*after)] {
        let guess = manifest.replace("FINGERPRINT", "0000000000000000");
        folder.add(name, &guess);
        let output = folder.run("layout", &["--members", name]).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        let fingerprint = told.trim_end().rsplit(' ').next().unwrap();
        folder.add(name, manifest.replace("FINGERPRINT", fingerprint));
    }
    folder.add("keys", "k2\n");
    let told = folder.diff(&["a.json", "b.json", "--keys", "keys"], 1);
    assert!(told.contains("none of the 1 keys given moved, but positions of other keys do"));
    let csv = folder.diff(&["a.json", "b.json", "--format", "csv"], 1);
    assert_eq!(csv, "first,last,positions,from,to\n16383,16383,1,a,b\n");
}

#[test]
fn members_need_a_family() {
    let folder = Folder::new();
    folder.add("ab", "a\nb\n");
    let output = folder.run("diff", &["ab", "ab"]).assert().code(2);
    let told = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(told.starts_with("homing: family is not given, but must be one of"), "{told}");
    folder.diff(&["ab", "ab", "--family", "jump"], 0);
}
