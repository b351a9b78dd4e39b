//! `homing plan --check`: is what is there now what the plan starts from?

mod steps;
mod sums;

use std::io::Write;
use std::path::Path;

use homing_core::{Fingerprint, Move, Placement, Plan};
use serde::Deserialize;
use serde_json::Value;

use self::steps::Step;
use self::sums::{Told, check_missing, check_sums};
use crate::cmd::{Status, print};
use crate::ends::End;
use crate::error::{printable, quoted};
use crate::input;
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
    end: Fingerprint,
    before: Value,
    after: Value,
    moves: Vec<Row>,
    to: Option<String>, // whom alone the moves are to, where they were asked for so
    limit: Option<usize>, // how many there are alone, where there were more
    workload: Option<Keys>,
    basis: String,
    fraction: f64,
    all: Told,
    moved: Told,
    gains_owner: Told,
    loses_owner: Told,
    ranges: Option<usize>,
    givers: Vec<Told>,
    takers: Vec<Told>,
    matrix: Vec<Told>,
    unit: String,
    #[serde(default)]
    steps: Vec<Step>,
}

/// Where the keys are from that were counted.
#[derive(Deserialize)]
struct Keys {
    generated: bool,
}

/// A move: of a run of positions, or of a key.
#[derive(Deserialize)]
struct Row {
    first: Option<u64>,
    last: Option<u64>,
    key: Option<String>,
    key_hex: Option<String>,
    from: Option<String>,
    to: Option<String>,
    bytes: Option<u64>,
    requests: Option<u64>,
    step: Option<usize>,
}

impl Head {
    /// Whether the moves are of keys, rather than of runs.
    fn lists_keys(&self) -> bool {
        self.workload.as_ref().is_some_and(|keys| !keys.generated)
    }

    /// Whether every move is listed.
    fn is_whole(&self) -> bool {
        self.to.is_none() && self.limit.is_none()
    }

    /// Whether the moves say which step they are of.
    fn steps_of_moves(&self) -> bool {
        self.moves.iter().any(|row| row.step.is_some())
    }
}

/// Checks a plan against what is there now.
///
/// # Errors
///
/// Fails if it is no plan, or not as it was written, or what is there now cannot be built.
pub(super) fn run(
    path: &Path,
    asked: Option<Choice>,
    now: Given,
    out: &mut dyn Write,
) -> Result<Status> {
    let (name, bytes) = input::read(path)?;
    let text = members::utf8(&name, &bytes)?;
    let head: Head = serde_json::from_str(text).map_err(|error| Error::from_json(&name, &error))?;
    if head.version != VERSION {
        let reason = format!("version is {}, but must be {VERSION}", head.version);
        return Err(Error::in_file(&name, reason));
    }
    let start = ("start", head.start);
    let (choice, before) = layout_of(&name, &head, "before", &head.before, start)?;
    let (_, after) = layout_of(&name, &head, "after", &head.after, ("end", head.end))?;
    let plan = Plan::between(&*before, &*after);
    check_moves(&name, &head, plan.as_ref(), &*before, &*after)?;
    let owners = |run: &Move| (owner_at(&*before, run.first), owner_at(&*after, run.first));
    if let Some(plan) = plan.as_ref().filter(|_| !head.lists_keys() && head.limit.is_none()) {
        check_missing(&head, plan, owners).map_err(|reason| Error::in_file(&name, reason))?;
    }
    check_sums(&head, plan.as_ref(), &*before, owners)
        .map_err(|reason| Error::in_file(&name, reason))?;
    steps::check(&name, &head, &*before)?;
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

/// The layout of a manifest in the plan, as stated and as built, whose fingerprint the
/// plan says elsewhere.
fn layout_of(
    name: &str,
    head: &Head,
    field: &str,
    manifest: &Value,
    (end, fingerprint): (&str, Fingerprint),
) -> Result<(Choice, Box<dyn Placement>)> {
    let within = |error: Error| of_field(name, field, &error);
    let given = members::parse("layout.json", manifest.to_string().as_bytes()).map_err(within)?;
    let Some(choice) = stated(&given).map_err(within)? else {
        return Err(Error::in_file(name, format!("{field} is no manifest, but must be one")));
    };
    let stated = given.manifest.as_ref().map(|manifest| manifest.fingerprint);
    if stated != Some(fingerprint) {
        let found = stated.map_or_else(|| "none".to_owned(), |it| it.to_string());
        let reason = format!("{end} is {fingerprint}, but {field} has the fingerprint {found}");
        return Err(Error::in_file(name, reason));
    }
    let family = choice.entry.family.name;
    if family != head.family {
        let reason = format!("family is {:?}, but {field} is of {family:?}", head.family);
        return Err(Error::in_file(name, reason));
    }
    let layout = choice.build(given.members).map_err(within)?;
    Ok((choice, layout))
}

/// Fails at the first move that is not one between the two layouts.
fn check_moves(
    name: &str,
    head: &Head,
    plan: Option<&Plan>,
    before: &dyn Placement,
    after: &dyn Placement,
) -> Result<()> {
    let greatest = before.max_position().min(after.max_position());
    // A run that moves as one holds all of it, as neighbours that move so are one run.
    let as_one = |first, last| {
        let runs = plan.map_or(&[][..], Plan::moves);
        let run = runs.get(runs.partition_point(|run| run.last < first));
        run.is_some_and(|run| run.first <= first && last <= run.last)
    };
    for (number, row) in (1..).zip(&head.moves) {
        let refused = |reason: &str| Err(Error::in_file(name, format!("move {number} {reason}")));
        let ends = match (row.first, row.last, row.key_bytes()) {
            (None, None, Some(_)) if !head.lists_keys() => {
                return refused("is of a key, but must be of a run: no keys were given");
            }
            (Some(first), Some(last), None)
                if head.lists_keys() && first <= last && last <= greatest =>
            {
                return refused("is of a run, but must be of a key: keys were given");
            }
            (Some(first), Some(last), None) if first <= last && last <= greatest => {
                [first, last].map(|at| (owner_at(before, at), owner_at(after, at)))
            }
            (None, None, Some(key)) => {
                let owner = |layout: &dyn Placement| owner_at(layout, layout.position(&key));
                let ends = (owner(before), owner(after));
                [ends.clone(), ends]
            }
            _ => {
                return refused(&format!(
                    "has neither a key nor a run, which is first and last, from 0 to {greatest}"
                ));
            }
        };
        for (from, to) in ends {
            if (&from, &to) != (&row.from, &row.to) {
                return refused(&format!(
                    "is from {} to {}, but by before and after is from {} to {}",
                    shown(row.from.as_deref()),
                    shown(row.to.as_deref()),
                    shown(from.as_deref()),
                    shown(to.as_deref()),
                ));
            }
        }
        if let (Some(first), Some(last)) = (row.first, row.last)
            && !as_one(first, last)
        {
            return refused(&format!(
                "is from {first} to {last}, but not all of that moves so by before and after"
            ));
        }
    }
    Ok(())
}

impl Row {
    /// The key; none if there is none, or its digits are no bytes.
    fn key_bytes(&self) -> Option<Vec<u8>> {
        match &self.key_hex {
            Some(digits) => hex::decode(digits).ok(),
            None => self.key.clone().map(String::into_bytes),
        }
    }
}

fn owner_at(layout: &dyn Placement, position: u64) -> Option<String> {
    let owner = layout.owner_at(position)?;
    layout.members().get(owner).map(|node| node.id.as_str().to_owned())
}

fn shown(id: Option<&str>) -> String {
    id.map_or_else(|| "no owner".to_owned(), |id| quoted(id.as_bytes()))
}

/// An error in a manifest within the plan.
fn of_field(name: &str, field: &str, error: &Error) -> Error {
    let reason = match error {
        Error::Input { reason, .. } => reason.clone(),
        other => other.to_string(),
    };
    Error::in_file(name, format!("{field}: {reason}"))
}
