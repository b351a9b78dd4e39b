//! `homing plan --check`: is what is there now what the plan starts from?

use std::io::Write;
use std::path::Path;

use homing_core::Fingerprint;
use serde::Deserialize;
use serde_json::Value;

use super::text_of;
use crate::cmd::{Status, print};
use crate::ends::End;
use crate::error::printable;
use crate::measure::plan::VERSION;
use crate::members::{self, Given};
use crate::registry::Choice;
use crate::scenario::stated;
use crate::{Error, Result};

/// What is read of a plan; the rest is passed over.
#[derive(Deserialize)]
struct Head {
    version: u32,
    family: String,
    start: Fingerprint,
    before: Value,
}

/// Checks a plan against what is there now.
///
/// # Errors
///
/// Fails if it is no plan, or what is there now cannot be built.
pub(super) fn run(
    path: &Path,
    asked: Option<Choice>,
    now: Given,
    out: &mut dyn Write,
) -> Result<Status> {
    let (name, bytes) = text_of(path)?;
    let text = members::utf8(&name, &bytes)?;
    let head: Head = serde_json::from_str(text).map_err(|error| Error::from_json(&name, &error))?;
    if head.version != VERSION {
        let reason = format!("version is {}, but must be {VERSION}", head.version);
        return Err(Error::in_file(&name, reason));
    }
    let before = members::parse("before.json", head.before.to_string().as_bytes())
        .map_err(|error| of_field(&name, &error))?;
    let Some(choice) = stated(&before).map_err(|error| of_field(&name, &error))? else {
        return Err(Error::in_file(&name, "before is no manifest, but must be one"));
    };
    let stated_start = before.manifest.map(|manifest| manifest.fingerprint);
    if stated_start != Some(head.start) {
        let found = stated_start.map_or_else(|| "none".to_owned(), |it| it.to_string());
        let reason = format!("start is {}, but before has the fingerprint {found}", head.start);
        return Err(Error::in_file(&name, reason));
    }
    if choice.entry.family.name != head.family {
        let reason =
            format!("family is {:?}, but before is of {:?}", head.family, choice.entry.family.name);
        return Err(Error::in_file(&name, reason));
    }
    if now.manifest.is_none() && asked.is_none() && choice.entry.operator.is_some() {
        return Err(Error::Usage(format!(
            "members alone do not say who owns which of the {}: what is there now must be a \
             manifest",
            choice.entry.operator.map_or("positions", |operator| operator.unit)
        )));
    }
    let choice = match (asked, &now.manifest) {
        (Some(asked), _) => Some(asked),
        (None, Some(_)) => None,
        (None, None) => Some(choice),
    };
    let computed = End::read(choice, now)?.layout.fingerprint();
    let name = printable(&name);
    let stated = head.start;
    if computed == stated {
        print(out, format!("{name}: starts from what is there, {stated}\n").as_bytes())?;
        return Ok(Status::Passed);
    }
    let told = format!(
        "{name}: refused: it starts from fingerprint {stated}, but what is there has {computed}\n"
    );
    print(out, told.as_bytes())?;
    Ok(Status::Failed)
}

/// An error in the manifest within the plan.
fn of_field(name: &str, error: &Error) -> Error {
    let reason = match error {
        Error::Input { reason, .. } => reason.clone(),
        other => other.to_string(),
    };
    Error::in_file(name, format!("before: {reason}"))
}
