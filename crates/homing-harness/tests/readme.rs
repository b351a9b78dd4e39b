//! The README of the workspace shows what its first command prints.

use assert_cmd::Command;

#[test]
fn the_readme_shows_what_compare_prints_but_for_times() {
    let readme = std::fs::read_to_string("../../README.md").unwrap();
    let (_, rest) = readme.split_once("<!-- BEGIN: compare -->\n```text\n").unwrap();
    let (shown, _) = rest.split_once("```\n<!-- END: compare -->").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_homing")).arg("compare").output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert_eq!(untimed(shown), untimed(&printed));
}

/// The text without the rows of its tables of times.
fn untimed(text: &str) -> String {
    let timed = ["Time and memory\n", "Single lookups, and keys a second\n"];
    let blocks = text.trim_end().split("\n\n").map(|block| {
        let title = timed.iter().find(|&&title| block.starts_with(title));
        title.map_or(block, |title| title.trim_end())
    });
    let blocks: Vec<&str> = blocks.collect();
    assert!(timed.iter().all(|title| blocks.contains(&title.trim_end())), "{text}");
    blocks.join("\n\n")
}
