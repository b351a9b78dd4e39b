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
        ("1e6", "from 1 to 10000000000"),
        ("-1", "from 1 to 10000000000"),
        ("+1", "from 1 to 10000000000"),
        ("10000000001", "from 1 to 10000000000"),
        ("99999999999999999999", "from 1 to 10000000000"),
    ] {
        assert_eq!(
            told(&["compare", "--sample", given]),
            format!("homing: sample is \"{given}\", but must be a whole number {rule}\n")
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

/// The name of a flag, and the least and the greatest number that it takes.
type Flag = (&'static str, u64, u64);

/// What is given has 23 digits, which no type of ours holds.
#[test]
fn a_number_too_great_for_any_type_is_told_with_the_greatest_that_is_allowed() {
    const NUMBER: u64 = u64::MAX;
    let great = "99999999999999999999999";
    let flags: &[(&str, &[Flag])] = &[
        (
            "compare",
            &[
                ("nodes", 1, 10_000_000),
                ("grow", 1, 10_000_000),
                ("sample", 1, 10_000_000_000),
                ("seed", 0, NUMBER),
                ("sketch", 64, 1 << 28),
                ("replicas", 1, 1024),
            ],
        ),
        ("layout", &[("epoch", 0, NUMBER)]),
        ("plan", &[("limit", 0, NUMBER)]),
        ("diff", &[("limit", 0, NUMBER)]),
        ("failures", &[("pairs", 0, 1_000_000), ("replicas", 1, 1024)]),
        ("sweep", &[("seeds", 1, 10_000), ("sample", 1, 10_000_000_000)]),
        ("verify", &[("show", 0, NUMBER)]),
        (
            "recommend",
            &[
                ("nodes", 1, 10_000_000),
                ("weights", 0, 4_294_967_295),
                ("zones", 1, 10_000_000),
                ("most-nodes", 1, 10_000_000),
                ("replicas", 1, 1024),
            ],
        ),
    ];
    for (command, flags) in flags {
        for (flag, least, most) in *flags {
            let beyond = (u128::from(*most) + 1).to_string();
            for given in [great, &beyond, "1.5"] {
                assert_eq!(
                    told(&[command, &format!("--{flag}"), given]),
                    format!(
                        "homing: {flag} is \"{given}\", but must be a whole number from {least} \
                         to {most}\n"
                    ),
                );
            }
        }
    }
    assert_eq!(
        told(&["recommend", "--weights", &format!("1,{great}")]),
        format!(
            "homing: weights is \"{great}\", but must be a whole number from 0 to 4294967295\n"
        )
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
