//! What is refused: exit status 2, nothing on standard output, and one line.

use std::path::Path;

use crate::failures_in;

#[track_caller]
fn refuses(arguments: &[&str], told: &str) {
    let output = failures_in(Path::new("."), arguments).assert().code(2);
    let output = output.get_output();
    assert!(output.stdout.is_empty(), "{arguments:?} prints an answer");
    let error = String::from_utf8(output.stderr.clone()).unwrap();
    assert_eq!(error.trim_end(), format!("homing: {told}"));
}

#[test]
fn more_pairs_than_anybody_waits_for() {
    refuses(
        &["--pairs", "1000001"],
        "pairs is \"1000001\", but must be a whole number from 0 to 1000000",
    );
}

#[test]
fn replicas_of_none_and_a_spread_of_no_replicas() {
    refuses(&["--replicas", "0"], "replicas is \"0\", but must be a whole number from 1 to 1024");
    let told = "spread is for replicas, but nothing says how many there are: --replicas R";
    refuses(&["--spread", "zones"], told);
}

#[test]
fn a_parameter_that_was_asked_for_and_is_out_of_range() {
    let told = "maglev: entries is 4, but must be a prime";
    refuses(&["--family", "maglev:entries=4"], told);
}

#[test]
fn a_family_that_does_not_exist() {
    let told =
        "family is \"rang\", but must be one of modulo, ring, slots, maglev, rendezvous, jump";
    refuses(&["--family", "rang"], told);
}

#[test]
fn keys_that_are_both_read_and_generated() {
    let wrong: [&[&str]; 2] = [&["--keys", "k", "--sample", "3"], &["--strict"]];
    for arguments in wrong {
        let output = failures_in(Path::new("."), arguments).assert().code(2);
        assert!(output.get_output().stdout.is_empty());
    }
}

#[test]
fn a_column_of_keys_that_is_not_there() {
    let folder = tempfile::TempDir::new().unwrap();
    std::fs::write(folder.path().join("k.csv"), "id,node\nk,a\n").unwrap();
    let output = failures_in(folder.path(), &["--keys", "k.csv"]).assert().code(2);
    let told = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    assert!(told.starts_with("homing: k.csv:1: no column \"key\""), "{told}");
}
