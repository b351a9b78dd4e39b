//! Files that are read whole, and standard input in their place.

use std::io::Read;
use std::path::Path;

use crate::workload::STDIN;
use crate::{Error, Result};

/// Whether a path is that of standard input: `-`.
pub(crate) fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// What a file is called in messages and answers.
pub(crate) fn name_of(path: &Path) -> String {
    if is_stdin(path) { STDIN.to_owned() } else { path.display().to_string() }
}

/// The name and the bytes of a file; `-` is standard input.
///
/// # Errors
///
/// Fails if it cannot be read, with the system's reason.
pub(crate) fn read(path: &Path) -> Result<(String, Vec<u8>)> {
    let name = name_of(path);
    let read = if is_stdin(path) {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = read.map_err(|error| Error::from_io(&name, &error))?;
    Ok((name, bytes))
}

/// The path of members in a file, relative to its folder.
///
/// # Errors
///
/// Fails if it is `-`: who reads the file cannot know that it takes standard input.
pub(crate) fn beside(folder: &Path, members: &Path) -> Result<std::path::PathBuf> {
    if is_stdin(members) {
        return Err(Error::Parameter {
            name: "members".to_owned(),
            value: "\"-\"".to_owned(),
            rule: "the name of a file: standard input gives members as a flag alone".to_owned(),
        });
    }
    Ok(folder.join(members))
}
