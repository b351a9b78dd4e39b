//! The page `docs/performance.md`, written from a stored result and from nothing
//! else.

mod families;
mod markdown;
mod sections;
mod view;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::verdict::{Record, at};

/// Where results are stored, from the root of the repository.
pub(crate) const RESULTS: &str = "docs/performance";

/// The page, from the root of the repository.
pub(crate) const PAGE: &str = "docs/performance.md";

/// Writes the page of a result, the newest stored one by default; or, to `check`,
/// only says whether it is what it would be.
///
/// # Errors
///
/// Fails if the result cannot be read, or the page cannot be read or written.
pub(crate) fn run(result: Option<PathBuf>, page: &Path, check: bool) -> io::Result<bool> {
    let result = match result {
        Some(result) => result,
        None => newest(Path::new(RESULTS))?,
    };
    let record = Record::read(&result)?;
    let name = result.file_name().unwrap_or_default().to_string_lossy();
    let text = text(&record, &name);
    if check {
        let same = fs::read_to_string(page).map_err(|error| at(page, &error))? == text;
        if !same {
            eprintln!("peers: {} is not what {} gives", page.display(), result.display());
        }
        return Ok(same);
    }
    fs::write(page, text).map_err(|error| at(page, &error))?;
    eprintln!("{} is written from {}", page.display(), result.display());
    Ok(true)
}

/// The stored result that was recorded last, which its name tells.
fn newest(folder: &Path) -> io::Result<PathBuf> {
    let entries = fs::read_dir(folder).map_err(|error| at(folder, &error))?;
    let files = entries.filter_map(|entry| Some(entry.ok()?.path()));
    let results = files.filter(|path| path.extension().is_some_and(|ending| ending == "json"));
    let none = || io::Error::new(io::ErrorKind::NotFound, "there is no result, NAME.json");
    results.max().ok_or_else(|| at(folder, &none()))
}

fn text(record: &Record, name: &str) -> String {
    let mut text = sections::head(record, name);
    text += &sections::targets(record);
    text += &families::all(record);
    text += &sections::levels(record);
    text += &sections::latency(record);
    text += &sections::key_lengths(record);
    text += &sections::beyond(record);
    text += &sections::threads(record);
    text += &sections::before_after(record);
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where tests of this package run is below the root of the repository.
    fn root() -> PathBuf {
        Path::new("../..").to_owned()
    }

    #[test]
    fn the_page_is_what_the_newest_result_gives() {
        let result = newest(&root().join(RESULTS)).expect("a result is stored");
        let same = run(Some(result), &root().join(PAGE), true).expect("both can be read");
        assert!(same, "`peers page` writes it again");
    }
}
