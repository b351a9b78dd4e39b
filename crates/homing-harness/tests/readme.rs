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

/// The text without its times: of the tables of times the title stays, and of each row its
/// name and what is no time, the memory.
fn untimed(text: &str) -> String {
    let (memory, single) = ("Time and memory\n", "Single lookups, and keys a second\n");
    let blocks: Vec<&str> = text.trim_end().split("\n\n").collect();
    for title in [memory, single] {
        assert!(blocks.iter().any(|block| block.starts_with(title)), "{title} in {text}");
    }
    let blocks = blocks.into_iter().map(|block| {
        if block.starts_with(single) {
            return single.to_owned();
        }
        if !block.starts_with(memory) {
            return block.to_owned();
        }
        let rows = block.lines().map(|row| {
            let cells: Vec<&str> = row.split_whitespace().collect();
            // The memory is a number and its unit.
            let (name, last) = (cells[0], &cells[cells.len() - 2..]);
            format!("{name} {}\n", last.join(" "))
        });
        rows.collect()
    });
    blocks.collect::<Vec<String>>().join("\n\n")
}
