//! Answers and messages that nobody takes: closed pipes and full devices.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};

use super::{file, printed, refused};

fn homing(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_homing"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Takes the first line of the answer, then closes the pipe.
fn first_line(child: &mut Child) -> String {
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    line
}

/// Fails unless the run ends with status 0, and has said nothing.
#[track_caller]
fn passes_in_silence(child: Child) {
    let output = child.wait_with_output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    assert!(output.status.success(), "{:?}", output.status);
}

#[test]
fn a_reader_that_has_enough_ends_the_run_as_passed() {
    let folder = tempfile::tempdir().unwrap();
    let keys = file(folder.path(), "keys.txt", &b"user:1\nuser:2\n".repeat(100_000));
    for format in ["csv", "json", "table", "markdown"] {
        let arguments = ["locate", "--family", "jump", "--format", format, "--keys"];
        let mut child =
            homing(&[&arguments[..], &[keys.to_str().unwrap()]].concat()).spawn().unwrap();
        assert!(!first_line(&mut child).is_empty());
        passes_in_silence(child);
    }
}

#[test]
fn no_more_keys_are_read_than_answers_are_taken() {
    for format in ["csv", "json"] {
        let arguments = ["locate", "--family", "jump", "--format", format, "-"];
        let mut child = homing(&arguments).spawn().unwrap();
        let mut keys = child.stdin.take().unwrap();
        let writer = std::thread::spawn(move || {
            // 64 MiB, of which a pipe holds far less.
            (0..1024).all(|_| keys.write_all(&b"y\n".repeat(1 << 15)).is_ok())
        });
        first_line(&mut child);
        assert!(!writer.join().unwrap(), "{format}: all keys were read");
        passes_in_silence(child);
    }
}

#[cfg(target_os = "linux")]
fn full() -> Stdio {
    std::fs::File::options().write(true).open("/dev/full").unwrap().into()
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_told_with_the_systems_reason() {
    for format in ["csv", "json", "table"] {
        let arguments = ["locate", "--family", "jump", "--format", format, "-"];
        let mut child = homing(&arguments).stdout(full()).spawn().unwrap();
        // It may end before it has read all.
        let _ = child.stdin.take().unwrap().write_all(&b"y\n".repeat(10_000));
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(told, "homing: standard output: no space left on device\n", "{format}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_is_given_although_nobody_can_be_told_of_unreadable_rows() {
    let folder = tempfile::tempdir().unwrap();
    let keys = file(folder.path(), "keys.csv", b"key,bytes\nfoo,1\nbar,x\n");
    let keys = keys.to_str().unwrap();
    let family = ["--family", "slots", "--nodes", "1", "--keys", keys];
    let mut child = homing(&[&["locate"][..], &family].concat()).stderr(full()).spawn().unwrap();
    let mut answer = String::new();
    child.stdout.take().unwrap().read_to_string(&mut answer).unwrap();
    // redis/keyslot.csv: foo 12182.
    assert_eq!(answer, "key,position,owner\nfoo,12182,node-0\n");
    assert_eq!(child.wait().unwrap().code(), Some(0));

    let compare = [&["compare", "--format", "csv"][..], &family].concat();
    let output = homing(&compare).stderr(full()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert!(output.stdout.starts_with(b"family,"));
}

#[cfg(target_os = "linux")]
#[test]
fn an_error_that_cannot_be_told_is_still_an_error() {
    let output = homing(&["locate", "k"]).stderr(full()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_file_without_a_key_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (name, content, reason) in [
        ("none.csv", "", "no keys, the file has no rows"),
        ("none.txt", "", "no keys, the file has no rows"),
        ("header.csv", "key,bytes\n", "no keys, the file has no rows"),
        (
            "broken.csv",
            "key,bytes\na\nb\n",
            "no keys, none of 2 rows can be read, the first at line 2: \
             a row of 1 fields, but the header has 2",
        ),
    ] {
        let path = file(folder.path(), name, content.as_bytes());
        let path = path.to_str().unwrap();
        for format in ["csv", "json", "table"] {
            let arguments = ["locate", "--family", "ring", "--format", format, "--keys", path];
            assert_eq!(refused(&arguments, b""), format!("{path}: {reason}"));
            assert!(super::homing(&arguments, b"").stdout.is_empty(), "{format}");
        }
        let compared = refused(&["compare", "--family", "ring", "--keys", path], b"");
        assert_eq!(compared, format!("{path}: {reason}"));
    }
    let told = refused(&["locate", "--family", "ring", "-"], b"");
    assert_eq!(told, "standard input: no keys, the file has no rows");
}

#[test]
fn a_column_of_another_name_gives_the_keys() {
    let input = b"x,id\n1,k3\n";
    for lone in [&["-"][..], &["--keys", "-"]] {
        let flags = ["locate", "--family", "slots", "--nodes", "1", "--key-column", "id"];
        // k3 has slot 4576 (case C06).
        let found = printed(&[&flags[..], lone].concat(), input);
        assert_eq!(String::from_utf8(found).unwrap(), "key,position,owner\nk3,4576,node-0\n");
    }
}
