//! [`Scenario`]: members, changes, a workload and families, from flags or TOML.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use homing_core::{Change, Members, Node, NodeId, Spread, Zone};
use serde::Deserialize;
use serde_json::Value;

use crate::members::{Given, NodeSpec};
use crate::registry::{Choice, Parameters, by_name};
use crate::workload::Source;
use crate::{Error, Result, members};

/// How many nodes there are where nothing is said.
const NODES: usize = 8;

/// More replicas than this are a mistake, and a column each.
const MOST_REPLICAS: usize = 1024;

/// One membership, one step of changes and one workload, for some families.
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
    /// Where the keys are from.
    pub workload: Source,
    /// The families, in the order in which rows are shown.
    pub families: Vec<Choice>,
    /// How many replicas to compare.
    pub replicas: Option<usize>,
    /// How replicas are kept apart.
    pub spread: Spread,
}

/// A scenario as it is written in TOML.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<String>,
    about: Option<String>,
    nodes: Option<usize>,
    members: Option<PathBuf>,
    #[serde(default)]
    node: Vec<NodeSpec>,
    #[serde(default)]
    change: Vec<ChangeTable>,
    #[serde(default)]
    workload: Source,
    #[serde(default)]
    family: Vec<Parameters>,
    replicas: Option<usize>,
    #[serde(default)]
    spread: Apart,
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

/// A change as it is written in TOML: one of the first four, and what goes with it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeTable {
    add: Option<NodeId>,
    remove: Option<NodeId>,
    reweight: Option<NodeId>,
    rebalance: Option<bool>,
    weight: Option<u32>,
    zone: Option<Zone>,
}

impl Scenario {
    /// Reads a scenario from a TOML file. Paths in it are relative to its folder.
    ///
    /// # Errors
    ///
    /// Fails with file and line if it cannot be read, has a field that does not
    /// exist, or gives members in two ways.
    pub fn read(path: &Path) -> Result<Self> {
        let name = path.display().to_string();
        let bytes = std::fs::read(path).map_err(|error| Error::from_io(&name, &error))?;
        let text = members::utf8(&name, &bytes)?;
        let file: File =
            toml::from_str(text).map_err(|error| Error::from_toml(&name, text, &error))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let titled = file.name.clone();
        let mut scenario = file.open(&name, folder)?;
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        scenario.name = titled.unwrap_or_else(|| stem.into_owned());
        Ok(scenario)
    }
}

impl File {
    fn open(self, name: &str, folder: &Path) -> Result<Scenario> {
        let given = match (self.nodes, self.members, self.node) {
            (None, None, nodes) if nodes.is_empty() => Given::named(NODES)?,
            (Some(count), None, nodes) if nodes.is_empty() => Given::named(count)?,
            (None, Some(path), nodes) if nodes.is_empty() => members::read(&folder.join(path))?,
            (None, None, nodes) => Given::from(members::members(name, nodes)?),
            _ => {
                return Err(Error::in_file(
                    name,
                    "members are given twice, but must be one of nodes, members and [[node]]",
                ));
            }
        };
        let mut changes = Vec::new();
        for (i, table) in self.change.into_iter().enumerate() {
            let reason = |reason| Error::in_file(name, format!("change {} {reason}", i + 1));
            changes.push(table.open().map_err(reason)?);
        }
        if changes.is_empty() {
            changes = grown(&given.members, 1);
        }
        let mut families = Vec::new();
        for table in self.family {
            families.push(family(name, table)?);
        }
        if families.is_empty() {
            families = Choice::all();
        }
        if let Some(count) = self.replicas {
            check_replicas(count).map_err(|error| Error::in_file(name, error))?;
        }
        Ok(Scenario {
            name: String::new(),
            about: self.about,
            families: configured(&given, families)?,
            members: given.members,
            changes,
            workload: self.workload.relative_to(folder),
            replicas: self.replicas,
            spread: self.spread.into(),
        })
    }
}

impl ChangeTable {
    fn open(self) -> Result<Change, &'static str> {
        const ONE: &str = "must have one of add, remove, reweight and rebalance = true";
        match (self.add, self.remove, self.reweight, self.rebalance) {
            (Some(id), None, None, None) => {
                let mut node = Node::new(id).weighing(self.weight.unwrap_or(1));
                node.zone = self.zone;
                Ok(Change::Add(node))
            }
            (None, Some(id), None, None) if self.weight.is_none() && self.zone.is_none() => {
                Ok(Change::Remove(id))
            }
            (None, None, Some(id), None) if self.zone.is_none() => {
                let weight = self.weight.ok_or("reweights a node, but has no weight")?;
                Ok(Change::Reweight(id, weight))
            }
            (None, None, None, Some(true)) if self.weight.is_none() && self.zone.is_none() => {
                Ok(Change::Rebalance)
            }
            (None, Some(_), None, None) | (None, None, None, Some(true)) => {
                Err("has a weight or a zone, but takes neither")
            }
            (None, None, Some(_), None) => Err("reweights a node, and takes no zone"),
            _ => Err(ONE),
        }
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

/// The changes that add `count` nodes, named on from the number of members:
/// `node-8` after eight. Names taken are passed over.
#[must_use]
pub fn grown(members: &Members, count: usize) -> Vec<Change> {
    (members.len()..)
        .map(|i| NodeId::from(format!("node-{i}")))
        .filter(|id| members.index_of(id).is_none())
        .take(count)
        .map(|id| Change::Add(Node::new(id)))
        .collect()
}

/// The families, with the configuration of the manifest that gave the members
/// where it is one of theirs and nothing else was asked.
///
/// # Errors
///
/// Fails if the manifest does not build what it states.
pub fn configured(given: &Given, families: Vec<Choice>) -> Result<Vec<Choice>> {
    let Some(stated) = &given.manifest else { return Ok(families) };
    let named = |error: Error| Error::in_file(&stated.file, error);
    let entry = by_name(&stated.family).map_err(named)?;
    let described = Choice { entry, parameters: stated.config.clone() };
    let built = described.build(given.members.clone()).map_err(named)?;
    let computed = built.fingerprint();
    if computed != stated.fingerprint {
        let stated = stated.fingerprint;
        return Err(named(homing_core::Error::FingerprintMismatch { stated, computed }.into()));
    }
    let name = described.entry.family.name;
    let same = |choice: Choice| {
        let plain = choice.entry.family.name == name && choice.parameters.is_empty();
        if plain { described.clone() } else { choice }
    };
    Ok(families.into_iter().map(same).collect())
}

fn family(name: &str, mut table: Parameters) -> Result<Choice> {
    let Some(Value::String(family)) = table.remove("name") else {
        return Err(Error::in_file(name, "a [[family]] has no name, but must have one, a text"));
    };
    Ok(Choice { entry: by_name(&family)?, parameters: table })
}
