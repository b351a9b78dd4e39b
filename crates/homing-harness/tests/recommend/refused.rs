//! What is refused: exit status 2, nothing on standard output, and one line.

use crate::Folder;

#[track_caller]
fn refuses(folder: &Folder, arguments: &[&str], parts: &[&str]) {
    let output = folder.recommend(arguments).assert().code(2);
    let output = output.get_output();
    assert!(output.stdout.is_empty(), "{arguments:?} prints an answer");
    let told = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(told.lines().count(), 1, "{arguments:?}: {told}");
    for part in parts {
        assert!(told.contains(part), "{arguments:?}: {part:?} in {told}");
    }
}

#[track_caller]
fn refuses_flags(arguments: &[&str], parts: &[&str]) {
    refuses(&Folder::new(), arguments, parts);
}

#[track_caller]
fn refuses_file(content: &str, parts: &[&str]) {
    let folder = Folder::with("c.toml", content);
    refuses(&folder, &["--constraints", "c.toml"], &[&["c.toml"], parts].concat());
}

#[test]
fn constraints_that_contradict_each_other() {
    refuses_flags(&["--most-nodes", "4"], &["most-nodes is 4", "from 8, the nodes now"]);
    refuses_flags(&["--staged", "--list-only"], &["staged and list-only contradict"]);
    refuses_flags(&["--staged", "--unattended"], &["staged and unattended contradict"]);
    refuses_flags(&["--replicas", "8"], &["replicas is 8", "from 1 to 7", "when one leaves"]);
    refuses_flags(&["--zones", "2"], &["zones are for replicas"]);
    refuses_flags(&["--zones", "9", "--replicas", "2"], &["zones is 9", "from 1 to 8"]);
}

#[test]
fn a_file_that_says_what_cannot_be() {
    refuses_file("nodes = 8\nmost-peek = 2\n", &["c.toml:2", "most-peek", "most-peak"]);
    refuses_file("most-peak = 0.5\n", &["c.toml:1", "0.5", "a number from 1"]);
    refuses_file("\nmost-excess = \"2\"\n", &["c.toml:2", "from 0 to 1"]);
    refuses_file("most-memory = \"64mb\"\n", &["c.toml:1", "64mb", "16MB"]);
    refuses_file("most-lookup-ns = true\n", &["c.toml:1", "nanoseconds"]);
    refuses_file("nodes = 8\nweights = [1]\n", &["members twice"]);
}

#[test]
fn a_load_that_the_keys_have_not() {
    let told = "by is bytes, but must be keys, as the keys have no bytes: --sizes";
    refuses_flags(&["--by", "bytes", "--sample", "100"], &[told]);
    let told = "by is requests, but must be keys or bytes, as the keys have no requests";
    let sizes = ["--sizes", "lognormal:median=1000,sigma=1", "--sample", "100"];
    refuses_flags(&[&["--by", "requests"], &sizes[..]].concat(), &[told, "--requests"]);
    let folder = Folder::with("k.csv", "key,requests\na,3\nb,1\n");
    let told = "by is bytes, but must be keys or requests, as the keys have no bytes";
    refuses(&folder, &["--by", "bytes", "--keys", "k.csv"], &[told, "--bytes-column"]);
    let folder = Folder::with("k", "a\nb\n");
    let told = "by is requests, but must be keys, as the keys have no requests";
    refuses(&folder, &["--by", "requests", "--keys", "k"], &[told, "--requests-column"]);
    refuses_flags(&["--by", "weight"], &["by is \"weight\"", "keys, bytes, requests"]);
    refuses_file("nodes = 8\nby = \"weight\"\n", &["c.toml:2", "weight", "requests"]);
}

#[test]
fn a_file_that_is_not_there() {
    refuses_flags(&["--constraints", "none.toml"], &["none.toml"]);
}

#[test]
fn a_family_that_does_not_exist() {
    refuses_flags(&["--family", "roulette"], &["\"roulette\"", "rendezvous"]);
}

#[test]
fn keys_that_are_both_read_and_generated() {
    let told = "seed is for generated keys, but --keys reads a file";
    refuses_flags(&["--keys", "k", "--seed", "3"], &[told]);
    refuses_flags(&["--strict"], &["strict is for keys from a file"]);
    refuses_flags(&["--key-column", "id"], &["key-column is for keys from a file"]);
}
