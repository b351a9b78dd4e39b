//! `homing report`: a record as a page with charts, written or checked.

use std::fmt::Write as _;
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::ValueHint;

use super::{Status, print};
use crate::error::printable;
use crate::record::{Record, store};
use crate::report::markdown::{self, Report};
use crate::{Error, Result};

/// Turn a record into the page report.md and its charts, or check that they are
/// what the record says
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct ReportCommand {
    /// The record: a name in the folder record, or a file [default: the newest]
    #[arg(value_name = "RECORD")]
    record: Option<String>,

    /// The folder of the page; records are in the folder record in it, charts in
    /// report
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath,
        default_value = "docs")]
    to: PathBuf,

    /// Write nothing; exit with 1 if the page or a chart is not what the record
    /// says
    #[arg(long)]
    check: bool,
}

const EXAMPLES: &str = "\
Only what is between the two marks of the page is written; text around them is
kept.

Examples:
  homing report
  homing report before-the-upgrade
  homing report --check";

impl ReportCommand {
    pub(super) fn run(self, out: &mut dyn Write) -> Result<Status> {
        let record = self.record()?;
        let report = markdown::report(&record);
        let page = self.to.join("report.md");
        let old = read(&page)?;
        let new = spliced(&page, old.as_deref(), &report)?;
        let mut files = vec![(page, new)];
        for chart in &report.charts {
            files.push((self.to.join("report").join(&chart.file), chart.svg.clone()));
        }
        if self.check { check(&record, &files, out) } else { write(&record, &files, out) }
    }

    fn record(&self) -> Result<Record> {
        let folder = self.to.join("record");
        match &self.record {
            None => store::newest(&folder),
            Some(given) if is_file(given) => store::read(Path::new(given)),
            Some(name) => store::read(&folder.join(format!("{name}.json"))),
        }
    }
}

fn is_file(given: &str) -> bool {
    Path::new(given).extension().is_some_and(|extension| extension == "json")
        || given.contains(std::path::is_separator)
}

/// The page with the report between its marks; what is outside them is kept.
fn spliced(path: &Path, old: Option<&[u8]>, report: &Report) -> Result<String> {
    let refused = |reason| Error::in_file(&path.display().to_string(), reason);
    let old = match old {
        None => markdown::EMPTY,
        Some(bytes) => std::str::from_utf8(bytes)
            .map_err(|_| refused("is not UTF-8, but must be".to_owned()))?,
    };
    markdown::splice(old, &report.body).map_err(refused)
}

fn write(record: &Record, files: &[(PathBuf, String)], out: &mut dyn Write) -> Result<Status> {
    for (path, text) in files {
        let folder = path.parent().unwrap_or(Path::new(""));
        fs::create_dir_all(folder)
            .map_err(|error| Error::from_io(&folder.display().to_string(), &error))?;
        fs::write(path, text)
            .map_err(|error| Error::from_io(&path.display().to_string(), &error))?;
    }
    let page = files[0].0.display().to_string();
    let said = format!(
        "wrote {} and {} charts of record {}\n",
        printable(&page),
        files.len() - 1,
        printable(&record.name)
    );
    print(out, said.as_bytes())?;
    Ok(Status::Passed)
}

fn check(record: &Record, files: &[(PathBuf, String)], out: &mut dyn Write) -> Result<Status> {
    let mut said = String::new();
    for (path, text) in files {
        if read(path)?.as_deref() != Some(text.as_bytes()) {
            let path = path.display().to_string();
            let _ = writeln!(
                said,
                "{}: is not what record {} says, but homing report makes it so",
                printable(&path),
                printable(&record.name)
            );
        }
    }
    let failed = !said.is_empty();
    if !failed {
        let page = files[0].0.display().to_string();
        said = format!(
            "{} and {} charts are what record {} says\n",
            printable(&page),
            files.len() - 1,
            printable(&record.name)
        );
    }
    print(out, said.as_bytes())?;
    Ok(if failed { Status::Failed } else { Status::Passed })
}

/// The bytes of a file; none if there is no such file.
fn read(path: &Path) -> Result<Option<Vec<u8>>> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Error::from_io(&path.display().to_string(), &error)),
    }
}
