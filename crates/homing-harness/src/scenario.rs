//! [`Scenario`]: members, changes or steps, a workload and families, from flags or
//! TOML.

mod file;
mod steps;
mod tables;

use std::path::Path;

use clap::ValueEnum;
use homing_core::{Change, Error as CoreError, Members, Node, NodeId, Spread};
use serde::Deserialize;

pub use self::steps::{Action, Cluster, Step};
pub(crate) use self::steps::{drains, removals, renamed, reordered};
use crate::members::Given;
use crate::registry::{Choice, Origin, by_name, names};
use crate::workload::Source;
use crate::{Error, Result};

/// How many nodes there are where nothing is said.
pub(crate) const NODES: usize = 8;

/// More replicas than this are a mistake, and a column each.
pub(crate) const MOST_REPLICAS: usize = 1024;

/// One membership, one step of changes or several steps, and one workload, for
/// some families.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What it is called.
    pub name: String,
    /// What it is about.
    pub about: Option<String>,
    /// The members before the change.
    pub members: Members,
    /// The change: a list made as one step.
    pub changes: Vec<Change>,
    /// The steps, in order, where there are several instead of one change.
    pub steps: Vec<Step>,
    /// Where the keys are from.
    pub workload: Source,
    /// The family of the manifest that gave the members, if one did, as it states
    /// it.
    pub stated: Option<Choice>,
    /// The families, in the order in which rows are shown.
    pub families: Vec<Choice>,
    /// How many replicas to compare.
    pub replicas: Option<usize>,
    /// How replicas are kept apart.
    pub spread: Spread,
}

/// How replicas are kept apart, as flags and scenarios say it.
#[derive(Clone, Copy, Debug, Default, Deserialize, ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Apart {
    /// On distinct nodes.
    #[default]
    Nodes,
    /// On distinct zones first.
    Zones,
}

impl From<Apart> for Spread {
    fn from(apart: Apart) -> Self {
        match apart {
            Apart::Nodes => Self::Nodes,
            Apart::Zones => Self::Zones,
        }
    }
}

impl Scenario {
    /// The default of everything but the members: no change yet, every family,
    /// generated keys, no replicas.
    ///
    /// # Errors
    ///
    /// Fails if the manifest that gave the members does not build what it states.
    pub fn of(given: Given) -> Result<Self> {
        let mut scenario = Self {
            name: "compare".into(),
            about: None,
            stated: stated(&given)?,
            members: given.members,
            changes: Vec::new(),
            steps: Vec::new(),
            workload: Source::default(),
            families: Vec::new(),
            replicas: None,
            spread: Spread::Nodes,
        };
        scenario.choose(Choice::all());
        Ok(scenario)
    }

    /// Reads a scenario from a TOML file. Paths in it are relative to its folder.
    ///
    /// # Errors
    ///
    /// Fails with the file, and the line where there is one, if it cannot be read,
    /// has a field that does not exist, gives members in two ways, or says what
    /// cannot be.
    pub fn read(path: &Path) -> Result<Self> {
        file::read(path)
    }

    /// Takes these families instead, that of the manifest as it states it where no
    /// parameters are asked for.
    pub fn choose(&mut self, families: Vec<Choice>) {
        let stated = self.stated.as_ref();
        self.families = families.into_iter().map(|choice| choice.or(stated)).collect();
    }
}

/// Checks how many replicas are asked for.
///
/// # Errors
///
/// Fails if it is none, or more than 1024.
pub fn check_replicas(count: usize) -> Result<()> {
    if (1..=MOST_REPLICAS).contains(&count) {
        return Ok(());
    }
    Err(Error::Parameter {
        name: "replicas".into(),
        value: count.to_string(),
        rule: format!("from 1 to {MOST_REPLICAS}"),
    })
}

/// The changes that add `count` nodes to `members`, named on from their number:
/// `node-8` after eight. Names taken are passed over, and those of `before`.
#[must_use]
pub fn grown(members: &Members, before: &Members, count: usize) -> Vec<Change> {
    let is_free = |id: &NodeId| members.index_of(id).or(before.index_of(id)).is_none();
    (members.len()..)
        .map(|i| NodeId::from(format!("node-{i}")))
        .filter(is_free)
        .take(count)
        .map(|id| Change::Add(Node::new(id)))
        .collect()
}

/// The family that is asked for, or the one that the manifest states which gave the
/// members; the latter too where it is the same and nothing else is asked.
///
/// # Errors
///
/// Fails if there is neither, naming the families, or as [`stated`].
pub fn chosen(asked: Option<Choice>, given: &Given) -> Result<Choice> {
    match (asked, stated(given)?) {
        (Some(choice), stated) => Ok(choice.or(stated.as_ref())),
        (None, Some(stated)) => Ok(stated),
        (None, None) => Err(no_family()),
    }
}

/// That no family is given, and which there are.
pub(crate) fn no_family() -> Error {
    Error::Usage(format!(
        "family is not given, but must be one of {}, or of a --preset where there is that flag",
        names().join(", ")
    ))
}

/// The family of the manifest that gave the members, if one did, as it states it.
///
/// # Errors
///
/// Fails with the manifest's file if it does not build what it states.
pub fn stated(given: &Given) -> Result<Option<Choice>> {
    let Some(stated) = &given.manifest else { return Ok(None) };
    let origin = Origin::Manifest { file: stated.file.clone() };
    let entry = by_name(&stated.family).map_err(|error| origin.located(error))?;
    let choice = Choice { entry, parameters: stated.config.clone(), preset: None, origin };
    let computed = choice.build(given.members.clone())?.fingerprint();
    if computed != stated.fingerprint {
        let stated = stated.fingerprint;
        let mismatch = CoreError::FingerprintMismatch { stated, computed };
        return Err(choice.origin.located(mismatch.into()));
    }
    Ok(Some(choice))
}
