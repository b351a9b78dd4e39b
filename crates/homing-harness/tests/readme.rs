//! The README of the workspace shows what its first command prints.

use assert_cmd::Command;

#[test]
fn the_readme_shows_what_compare_prints_but_for_times() {
    let readme = std::fs::read_to_string("../../README.md").unwrap();
    let (_, rest) = readme.split_once("<!-- BEGIN: compare -->\n```text\n").unwrap();
    let (shown, _) = rest.split_once("```\n<!-- END: compare -->").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_homing")).arg("compare").output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    let untimed = |text: &str| {
        let (before, rest) = text.split_once("\nTime and memory\n").unwrap();
        let (_, notes) = rest.split_once("\n\n").unwrap();
        format!("{before}\n{}", notes.trim_end())
    };
    assert_eq!(untimed(shown), untimed(&printed));
}
