//! Command lines that cannot be read: exit status 2, one line, what was given and
//! what is allowed. Every flag goes through the same words.

use assert_cmd::Command;

fn homing(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_homing"));
    command.args(arguments);
    command
}

#[track_caller]
fn told(arguments: &[&str]) -> String {
    let output = homing(arguments).assert().code(2);
    let output = output.get_output();
    assert!(output.stdout.is_empty(), "{arguments:?} prints an answer");
    String::from_utf8(output.stderr.clone()).unwrap()
}

#[test]
fn a_value_that_is_none_of_the_known_is_told_with_these() {
    assert_eq!(
        told(&["compare", "--format", "xml"]),
        "homing: format is \"xml\", but must be one of table, json, csv, markdown\n"
    );
    assert_eq!(
        told(&["compare", "--format"]),
        "homing: format has no value, but must be one of table, json, csv, markdown\n"
    );
}

#[test]
fn a_number_that_is_none_is_told_with_what_it_must_be() {
    for (given, rule) in [
        ("1e6", "a whole number from 0 up, in digits"),
        ("-1", "a whole number from 0 up, in digits"),
        ("99999999999999999999", "a smaller whole number"),
    ] {
        assert_eq!(
            told(&["compare", "--sample", given]),
            format!("homing: sample is \"{given}\", but must be {rule}\n")
        );
    }
    assert_eq!(
        told(&["recommend", "--most-peak", "0.9"]),
        "homing: most-peak is \"0.9\", but must be a number from 1\n"
    );
    assert_eq!(
        told(&["compare", "--sample"]),
        "homing: sample has no value, but must have one: --sample <N>\n"
    );
}

#[test]
fn a_flag_that_is_none_is_told_with_the_nearest() {
    assert_eq!(
        told(&["compare", "--node", "3"]),
        "homing: no flag \"--node\", the nearest is --nodes; see homing compare --help\n"
    );
    assert_eq!(
        told(&["compare", "nodes.toml"]),
        "homing: no place for \"nodes.toml\"; see homing compare --help\n"
    );
    assert_eq!(
        told(&["plan", "a", "b", "c"]),
        "homing: no place for \"c\", [FILE]... has all it can; see homing plan --help\n"
    );
}

#[test]
fn a_command_that_is_none_is_told_with_those_there_are() {
    let told = told(&["compere"]);
    assert!(told.starts_with("homing: command is \"compere\", but must be one of compare, "));
    assert!(told.contains("recommend") && told.lines().count() == 1, "{told}");
}

#[test]
fn flags_that_do_not_go_together_are_both_told() {
    assert_eq!(
        told(&["compare", "--nodes", "3", "--members", "m"]),
        "homing: --nodes <N> does not go with --members <FILE>\n"
    );
    assert_eq!(
        told(&["compare", "--nodes", "3", "--nodes", "4"]),
        "homing: nodes is given twice, but must be once\n"
    );
}

#[test]
fn an_argument_that_is_missing_is_told() {
    assert_eq!(told(&["diff", "a.json"]), "homing: missing <B>; see homing diff --help\n");
}

#[test]
fn what_was_given_is_printed_in_one_line_whatever_it_is() {
    for given in ["a\nb", "\u{1b}[31m", "\u{202e}"] {
        for arguments in [
            vec![given],
            vec!["compare", given],
            vec!["compare", "--format", given],
            vec!["compare", "--sample", given],
        ] {
            let told = told(&arguments);
            let body = told.trim_end_matches('\n');
            assert!(body.starts_with("homing: "), "{told:?}");
            assert!(!body.contains(['\n', '\u{1b}', '\u{202e}']), "{told:?}");
        }
    }
}

#[test]
fn help_is_an_answer() {
    for arguments in [&["--help"][..], &["compare", "--help"], &["help", "plan"]] {
        let output = homing(arguments).assert().success();
        let output = output.get_output();
        assert!(output.stderr.is_empty());
        assert!(String::from_utf8_lossy(&output.stdout).contains("Usage: homing"));
    }
}

#[test]
fn a_program_without_a_command_tells_its_help_and_refuses() {
    let told = told(&[]);
    assert!(told.contains("Usage: homing <COMMAND>"), "{told}");
}

#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_told() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_homing"))
        .args(["compare", "--help"])
        .stdout(full)
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert_eq!(told, "homing: standard output: no space left on device\n");
}
