//! The tables of presets and of files.

use std::fmt::Write as _;

use homing_compat::PRESETS;

use super::example::count;
use crate::coverage;
use crate::tally::Agreed;

/// A row for each preset: whom it agrees with, and in how much.
pub(super) fn presets() -> String {
    let tallies: Vec<_> = coverage::below("").collect();
    let mut text = "\
## Presets

`--preset NAME` of the harness, or `Preset` of `homing-compat`. Records are rings, tables or lists \
of nodes; lookups are keys in them; points and entries were compared one by one or by their digest.

| preset | family | agrees with | versions | records | lookups | points, entries |
|---|---|---|---|--:|--:|--:|
"
    .to_owned();
    for entry in PRESETS {
        let mut all = Agreed::default();
        for (_, tally) in &tallies {
            if let Some(agreed) = tally.agreed.get(entry.name) {
                all.rows += agreed.rows;
                all.lookups += agreed.lookups;
                all.values += agreed.values;
            }
        }
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | {} | {} |",
            entry.name,
            entry.family,
            entry.agrees_with,
            entry.versions.join(", "),
            count(all.rows),
            count(all.lookups),
            count(all.values)
        );
    }
    text + "\n"
}

/// A row for each file: how many rows it has, what agrees, what is left out.
pub(super) fn files() -> String {
    let mut text = "\
## Vectors

Every row of every file agrees, but for what is left out. Where no preset stands, the crate does \
by itself: `homing-core` with its hashes by their names, `homing-compat` with its reader of \
clusters.

| file | rows | agree with them | left out |
|---|--:|---|---|
"
    .to_owned();
    for (file, tally) in coverage::below("") {
        let with: Vec<String> = tally.agreed.keys().map(|name| format!("`{name}`")).collect();
        let out: Vec<String> =
            tally.left_out.iter().map(|(reason, &n)| format!("{}: {reason}", count(n))).collect();
        let rows = match tally.rows {
            0 => format!("{} files", tally.agreed.values().map(|all| all.rows).sum::<usize>()),
            rows => count(rows),
        };
        let _ = writeln!(text, "| `{file}` | {rows} | {} | {} |", with.join(", "), out.join("; "));
    }
    text + "\n"
}
