//! `docs/compatibility.md`, written from the presets, the vectors and what agrees.
//!
//! The page is compared with what stands there; with `HOMING_WRITE=1` it is written.

mod example;
mod files;
mod keys;
mod nodes;
mod points;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

use homing_compat::PRESETS;

use crate::coverage;

const HEAD: &str = "\
# Compatibility

Which systems the presets of `homing-compat` place keys like, how far that has been compared, \
and where these systems part among themselves. Everything here is computed, by `HOMING_WRITE=1 \
cargo test -p homing-tests --test vectors`, from the presets and from the vectors in \
`tests/data/vectors`, which the programs themselves have made; without the variable the same test \
fails where the page is not what they say.

";

fn page() -> String {
    let mut page = HEAD.to_owned();
    page += &files::presets();
    page += &files::files();
    page += "## Where the systems part\n\n";
    page += "Programs that are said to do the same do not always. What follows is computed by the \
             presets, from nodes and keys of the vectors; the programs' own answers are the \
             same.\n\n";
    for section in points::SECTIONS.iter().chain(nodes::SECTIONS).chain(keys::SECTIONS) {
        let _ = writeln!(page, "{}", section());
    }
    page.truncate(page.trim_end().len());
    example::filled(&page)
}

fn place() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "..", "docs", "compatibility.md"].iter().collect()
}

#[test]
fn the_page_of_compatibility_is_what_the_presets_and_the_vectors_say() {
    if env::var_os("HOMING_VECTORS").is_some() {
        println!("not compared: the page is of the vectors in tests/data/vectors");
        return;
    }
    let (place, page) = (place(), page());
    if env::var_os("HOMING_WRITE").is_some() {
        fs::write(&place, page).unwrap_or_else(|e| panic!("{}: {e}", place.display()));
        return;
    }
    let stored = fs::read_to_string(&place).unwrap_or_else(|e| panic!("{}: {e}", place.display()));
    let first = stored.lines().zip(page.lines()).position(|(stored, now)| stored != now);
    let line = first.unwrap_or_else(|| stored.lines().count().min(page.lines().count()));
    assert!(
        stored == page,
        "docs/compatibility.md:{}: is not what the presets and the vectors say; HOMING_WRITE=1 \
         writes it. It should be:\n{}",
        line + 1,
        page.lines().nth(line).unwrap_or_default()
    );
}

/// What a preset says of its vectors is what was counted.
#[test]
fn a_preset_has_as_many_vectors_as_it_says() {
    if env::var_os("HOMING_VECTORS").is_some() {
        println!("not counted: the numbers are of the vectors in tests/data/vectors");
        return;
    }
    let tallies: Vec<_> = coverage::below("").collect();
    for entry in PRESETS {
        for said in entry.vectors {
            let counted = tallies
                .iter()
                .find(|(file, _)| *file == said.file)
                .and_then(|(_, tally)| tally.agreed.get(entry.name).copied())
                .unwrap_or_default();
            let (name, file) = (entry.name, said.file);
            assert_eq!(said.records, counted.rows, "{name}: records of {file}");
            assert_eq!(said.lookups, counted.lookups, "{name}: lookups of {file}");
        }
        for (file, tally) in &tallies {
            let said = entry.vectors.iter().any(|said| said.file == *file);
            let counted = tally.agreed.contains_key(entry.name);
            assert!(said || !counted, "{}: says nothing of {file}", entry.name);
        }
    }
}
