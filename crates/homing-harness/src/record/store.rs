//! Records as files: added once, never written again.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use serde::Deserialize;

use super::Record;
use crate::{Error, Result};

/// What a record says of its form.
#[derive(Deserialize)]
struct Form {
    version: u32,
}

/// Returns the file of a record of this name, after checking that there is none
/// yet and that its folder is there or can be made.
///
/// # Errors
///
/// Fails if the name is none for a file, the file is there already or the folder
/// cannot be made.
pub fn free(folder: &Path, name: &str) -> Result<PathBuf> {
    if !is_name(name) {
        return Err(Error::Parameter {
            name: "name".into(),
            value: format!("{name:?}"),
            rule: "of ASCII letters, digits, dots, - and _, a letter or a digit first".into(),
        });
    }
    fs::create_dir_all(folder)
        .map_err(|error| Error::from_io(&folder.display().to_string(), &error))?;
    let path = folder.join(format!("{name}.json"));
    if path.symlink_metadata().is_ok() {
        return Err(taken(&path));
    }
    Ok(path)
}

/// Writes a record to a file that is not there yet.
///
/// # Errors
///
/// Fails if the file is there already, or cannot be written.
pub fn save(path: &Path, record: &Record) -> Result<()> {
    let unwritten = |error| Error::from_io(&path.display().to_string(), &error);
    let text = serde_json::to_string_pretty(record).map_err(|error| unwritten(error.into()))?;
    let mut file = match File::create_new(path) {
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Err(taken(path)),
        made => made.map_err(unwritten)?,
    };
    writeln!(file, "{text}").and_then(|()| file.sync_all()).map_err(unwritten)
}

/// Reads a record.
///
/// # Errors
///
/// Fails, with the line where one is known, if it cannot be read, is cut short,
/// is of another form or has a figure out of range.
pub fn read(path: &Path) -> Result<Record> {
    let name = path.display().to_string();
    let bytes = fs::read(path).map_err(|error| Error::from_io(&name, &error))?;
    let form: Form =
        serde_json::from_slice(&bytes).map_err(|error| Error::from_json(&name, &error))?;
    if form.version != Record::VERSION {
        let reason = format!("version is {}, but must be {}", form.version, Record::VERSION);
        return Err(Error::in_file(&name, reason));
    }
    let record: Record =
        serde_json::from_slice(&bytes).map_err(|error| Error::from_json(&name, &error))?;
    began(&record).map_err(|reason| Error::in_file(&name, reason))?;
    record.check().map_err(|reason| Error::in_file(&name, reason))?;
    Ok(record)
}

/// Reads the record of a folder that was begun last; of several, the one whose
/// name is last.
///
/// # Errors
///
/// Fails if there is none, or one cannot be read: it might be the newest.
pub fn newest(folder: &Path) -> Result<Record> {
    let name = folder.display().to_string();
    let unread = |error| Error::from_io(&name, &error);
    let mut newest: Option<(Timestamp, String, Record)> = None;
    for entry in fs::read_dir(folder).map_err(unread)? {
        let path = entry.map_err(unread)?.path();
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let record = read(&path)?;
        let time = began(&record).map_err(|reason| Error::in_file(&name, reason))?;
        let file = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if newest.as_ref().is_none_or(|(last, name, _)| (*last, name) < (time, &file)) {
            newest = Some((time, file, record));
        }
    }
    newest
        .map(|(.., record)| record)
        .ok_or_else(|| Error::in_file(&name, "has no record, but must have one: homing record"))
}

fn began(record: &Record) -> Result<Timestamp, String> {
    record.time.parse().map_err(|_| {
        format!("time is {:?}, but must be a time as 2026-01-31T12:00:00Z", record.time)
    })
}

fn is_name(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_'))
}

fn taken(path: &Path) -> Error {
    Error::in_file(&path.display().to_string(), "is there already, and a record is never edited")
}
