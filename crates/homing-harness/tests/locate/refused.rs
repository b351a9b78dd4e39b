//! What `homing locate` refuses, and in which words.

use super::{file, homing, refused};

#[test]
fn a_family_without_replicas_refuses_them_by_its_rule() {
    for family in ["slots", "maglev", "jump", "modulo"] {
        let told = refused(&["locate", "--family", family, "--replicas", "2", "k"], b"");
        assert_eq!(told, format!("{family}: has no second choice after the owner"));
    }
}

#[test]
fn replicas_are_at_least_one() {
    for count in ["0", "1025", "18446744073709551615"] {
        let told = refused(&["locate", "--family", "ring", "--replicas", count, "k"], b"");
        assert_eq!(
            told,
            format!("replicas is \"{count}\", but must be a whole number from 1 to 1024")
        );
    }
}

#[test]
fn a_spread_goes_with_replicas() {
    let told = refused(&["locate", "--family", "ring", "--spread", "zones", "k"], b"");
    assert!(told.starts_with("spread is for replicas, "), "{told}");
}

#[test]
fn a_position_above_the_greatest_is_refused_with_its_line() {
    let told =
        refused(&["locate", "--family", "slots", "--input", "positions", "-"], b"1\n16384\n");
    assert_eq!(
        told,
        "standard input:2: position is \"16384\", but must be a whole number from 0 to 16383"
    );
    for bad in ["-1", "+1", "", "1.0", "18446744073709551616", "0x10"] {
        let told = refused(&["locate", "--family", "jump", "--input", "positions", "--", bad], b"");
        assert!(told.ends_with("a whole number from 0 to 18446744073709551615"), "{told}");
    }
}

#[test]
fn a_key_that_is_no_hexadecimal_is_refused() {
    for bad in ["0", "0g", "zz", "0x00"] {
        let told = refused(&["locate", "--family", "ring", "--input", "hex", bad], b"");
        assert_eq!(told, format!("key is {bad:?}, but must be hexadecimal digits, two a byte"));
    }
}

#[test]
fn members_and_families_that_cannot_be_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let twice = file(folder.path(), "twice.txt", b"a\nb\na\n");
    for (arguments, told) in [
        (
            vec!["--family", "ring", "--nodes", "0"],
            "nodes is \"0\", but must be a whole number from 1 to 10000000",
        ),
        (
            vec!["--family", "rign"],
            "family is \"rign\", but must be one of modulo, ring, slots, maglev, rendezvous, jump",
        ),
        (vec!["--family", "ring:points=0"], "points is 0, but must be from 1 to 4294967295"),
        (vec!["--family", "maglev:entries=65536"], "entries is 65536, but must be a prime"),
        (
            vec!["--family", "ring:points"],
            "ring: parameter is \"points\", but must be PARAMETER=VALUE",
        ),
        (vec!["--family", "ring:points=1,points=2"], "ring: parameter \"points\" is given twice"),
    ] {
        let mut all = vec!["locate"];
        all.extend(arguments);
        all.push("k");
        assert_eq!(refused(&all, b""), told);
    }
    let told =
        refused(&["locate", "--family", "ring", "--members", twice.to_str().unwrap(), "k"], b"");
    assert!(told.ends_with("twice.txt:3: node \"a\" is a member already"), "{told}");
    assert!(refused(&["locate", "k"], b"").starts_with("family is not given, but must be one of "));
}

#[test]
fn a_layout_too_large_to_hold_is_refused_before_it_is_built() {
    // cases.md, C22: a weight of a million at 160 points a weight unit.
    let folder = tempfile::tempdir().unwrap();
    let members =
        file(folder.path(), "m.json", br#"[{"id": "a", "weight": 1000000}, {"id": "b"}]"#);
    let told =
        refused(&["locate", "--family", "ring", "--members", members.to_str().unwrap(), "k"], b"");
    assert_eq!(
        told,
        "points is 160 x a total weight of 1000001, but must be at most 8388608 in all, \
         which is what homing builds"
    );
}

#[cfg(unix)]
#[test]
fn arguments_that_are_no_text_are_keys_all_the_same() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let key = OsStr::from_bytes(b"\xff\x00\xfe".split(|&byte| byte == 0).next().unwrap());
    let arguments = [OsStr::new("locate"), OsStr::new("--family"), OsStr::new("slots"), key];
    let output = homing(&arguments, b"");
    assert!(output.status.success());
    assert!(output.stdout.ends_with(b"\n") && output.stdout.windows(2).any(|at| at == b"\xff,"));
}

#[test]
fn what_is_said_of_a_file_needs_one() {
    for flag in [&["--strict"][..], &["--keys-format", "csv"], &["--key-column", "id"]] {
        let arguments = [&["locate", "--family", "ring"], flag, &["k"]].concat();
        let told = refused(&arguments, b"");
        assert_eq!(told, format!("{} is for keys from a file", &flag[0][2..]));
    }
}

#[test]
fn a_column_of_keys_that_is_not_there_is_told_with_those_that_are() {
    let input = b"id,node\nk,a\n";
    let columns = ["locate", "--family", "ring", "--keys-format", "csv", "--key-column", "name"];
    let told = refused(&[&columns[..], &["-"]].concat(), input);
    assert_eq!(told, "standard input:1: no column \"name\", the columns are \"id\", \"node\"");
    let lines = ["locate", "--family", "ring", "--keys-format", "lines", "--key-column", "id", "-"];
    let told = refused(&lines, input);
    assert_eq!(told, "key column is for a file with columns, not for lines");
}

#[test]
fn a_strict_reading_ends_at_the_first_row_that_cannot_be_read() {
    let input = b"key,bytes\na,1\nb\n";
    let told = refused(&["locate", "--family", "ring", "--strict", "--keys", "-"], input);
    assert_eq!(told, "standard input:3: a row of 1 fields, but the header has 2");
}
