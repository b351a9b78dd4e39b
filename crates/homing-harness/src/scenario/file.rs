//! A scenario as it is written in TOML.

use std::path::{Path, PathBuf};

use homing_core::{Change, Error as CoreError, Members, Node, NodeId, Zone};
use serde::Deserialize;
use serde_json::Value;
use toml::Spanned;

use super::tables::{StepTable, steps};
use super::{Apart, MOST_REPLICAS, NODES, Scenario, grown};
use crate::error::line_of;
use crate::input;
use crate::members::{self, Given, MOST_NAMED, NodeSpec, Table, Told, Written};
use crate::registry::{Choice, Origin, Parameters, by_name};
use crate::workload::Source;
use crate::{Error, Result};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    name: Option<String>,
    about: Option<String>,
    nodes: Option<Spanned<Written>>,
    members: Option<PathBuf>,
    node: Option<Spanned<Vec<Spanned<Table<NodeSpec>>>>>,
    change: Option<Spanned<Vec<Spanned<Table<ChangeTable>>>>>,
    step: Option<Spanned<Vec<Spanned<Table<StepTable>>>>>,
    workload: Option<Table<Source>>,
    family: Option<Spanned<Vec<Spanned<Parameters>>>>,
    replicas: Option<Spanned<Written>>,
    #[serde(default)]
    spread: Apart,
}

/// A change: one of the first four, and what goes with it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChangeTable {
    add: Option<NodeId>,
    remove: Option<NodeId>,
    reweight: Option<NodeId>,
    rebalance: Option<bool>,
    weight: Option<Written>,
    zone: Option<Zone>,
    attributes: Option<Table<Told>>,
}

/// Reads a scenario, as [`Scenario::read`] says.
pub(super) fn read(path: &Path) -> Result<Scenario> {
    let (name, bytes) = input::read(path)?;
    let text = members::utf8(&name, &bytes)?;
    let file: File = toml::from_str(text).map_err(|error| Error::from_toml(&name, text, &error))?;
    let stem = if input::is_stdin(path) { Path::new(&name) } else { path }.file_stem();
    let stem = stem.unwrap_or_default().to_string_lossy().into_owned();
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut scenario = Place { name: &name, text }.open(file, folder)?;
    if scenario.name.is_empty() {
        scenario.name = stem;
    }
    Ok(scenario)
}

/// A file that is read, for what is said of its lines.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    name: &'a str,
    text: &'a str,
}

impl Place<'_> {
    fn open(self, file: File, folder: &Path) -> Result<Scenario> {
        let node = self.list("node", file.node)?;
        let given = match (file.nodes, file.members, node) {
            (None, None, None) => Given::named(NODES)?,
            (Some(count), None, None) => Given::named(self.count("nodes", &count, MOST_NAMED)?)?,
            (None, Some(path), None) => {
                let path = input::beside(folder, &path).map_err(|error| error.within(self.name))?;
                members::read(&path)?
            }
            (None, None, Some(nodes)) => members::in_toml(self.name, self.text, nodes)?.into(),
            _ => {
                return Err(Error::in_file(
                    self.name,
                    "has members twice, but must have one of nodes, members and [[node]]",
                ));
            }
        };
        let step = self.list("step", file.step)?;
        let (changes, steps) = match (self.list("change", file.change)?, step) {
            (Some(_), Some(_)) => {
                let reason = "has changes twice, but must have one of [[change]] and [[step]]";
                return Err(Error::in_file(self.name, reason));
            }
            (None, Some(_)) if file.replicas.is_some() => {
                let reason = "has replicas, which are compared over [[change]], not over [[step]]";
                return Err(Error::in_file(self.name, reason));
            }
            (None, Some(tables)) => (Vec::new(), steps(self, tables, &given.members)?),
            (Some(tables), None) => (self.changes(tables, &given.members)?, Vec::new()),
            (None, None) => (grown(&given.members, &given.members, 1), Vec::new()),
        };
        let replicas = file.replicas.map(|count| self.count("replicas", &count, MOST_REPLICAS));
        let mut scenario = Scenario {
            name: file.name.unwrap_or_default(),
            about: file.about,
            changes,
            steps,
            workload: file.workload.map(|it| it.0).unwrap_or_default().relative_to(folder),
            replicas: replicas.transpose()?,
            spread: file.spread.into(),
            ..Scenario::of(given)?
        };
        if let Some(tables) = self.list("family", file.family)? {
            let families: Result<_> = tables.into_iter().map(|table| self.family(table)).collect();
            scenario.choose(families?);
        }
        Ok(scenario)
    }

    /// The tables of a list, none if it is not there.
    fn list<T>(self, field: &str, list: Option<Spanned<Vec<T>>>) -> Result<Option<Vec<T>>> {
        let Some(list) = list else { return Ok(None) };
        if list.as_ref().is_empty() {
            let reason = format!("{field} is an empty list, but must have a table or be left out");
            return Err(self.at(list.span().start, reason));
        }
        Ok(Some(list.into_inner()))
    }

    /// A number of things, from 1 to `most`.
    fn count(self, field: &str, given: &Spanned<Written>, most: usize) -> Result<usize> {
        let count = given.as_ref().within(1..=most as u64);
        let count =
            count.map_err(|reason| self.at(given.span().start, format!("{field} is {reason}")))?;
        Ok(usize::try_from(count).expect("it is at most a usize"))
    }

    fn changes(
        self,
        tables: Vec<Spanned<Table<ChangeTable>>>,
        members: &Members,
    ) -> Result<Vec<Change>> {
        let starts: Vec<usize> = tables.iter().map(|table| table.span().start).collect();
        let said = |i: usize, reason| self.at(starts[i], format!("change {} {reason}", i + 1));
        let mut changes = Vec::new();
        for (i, table) in tables.into_iter().enumerate() {
            changes.push(table.into_inner().0.open().map_err(|reason| said(i, reason))?);
        }
        match members.preview(&changes) {
            Ok(_) => Ok(changes),
            // Nobody may be left between two changes: no line has that alone.
            Err(error @ CoreError::NoNodes) => Err(Error::in_file(self.name, error)),
            Err(error) => {
                // The first that goes wrong makes every longer list go wrong.
                let lengths: Vec<usize> = (1..=changes.len()).collect();
                let fine = lengths.partition_point(|&length| {
                    members.preview(&changes[..length]).as_ref() != Err(&error)
                });
                Err(self.at(starts[fine], error))
            }
        }
    }

    fn family(self, table: Spanned<Parameters>) -> Result<Choice> {
        let start = table.span().start;
        let line = line_of(self.text.as_bytes(), start);
        let origin = Origin::Scenario { file: self.name.to_owned(), line };
        let mut parameters = table.into_inner();
        let preset = parameters.remove("preset");
        if let Some(Value::String(preset)) = &preset
            && parameters.is_empty()
        {
            let choice = Choice::of_preset(preset).map_err(|error| origin.located(error))?;
            return Ok(Choice { origin, ..choice });
        }
        if preset.is_some() {
            let reason = "a [[family]] has a preset, and then must have that alone, a text";
            return Err(self.at(start, reason));
        }
        let Some(Value::String(name)) = parameters.remove("name") else {
            let reason = "a [[family]] has no name, but must have one, a text";
            return Err(self.at(start, reason));
        };
        let entry = by_name(&name).map_err(|error| origin.located(error))?;
        let choice = Choice { entry, parameters, preset: None, origin };
        choice.builder()?;
        Ok(choice)
    }

    /// An error at a byte of the file.
    pub(super) fn at(self, offset: usize, reason: impl std::fmt::Display) -> Error {
        Error::in_line(self.name, line_of(self.text.as_bytes(), offset), reason)
    }
}

impl ChangeTable {
    fn open(self) -> Result<Change, String> {
        const ONE: &str = "must have one of add, remove, reweight and rebalance = true";
        let given = self.weight.is_some();
        let weight = self.weight.map(|weight| weight.weight()).transpose();
        let weight = weight.map_err(|reason| format!("has the weight {reason}"))?;
        if self.attributes.is_some() && self.add.is_none() {
            return Err("has attributes, which go with add only".into());
        }
        match (self.add, self.remove, self.reweight, self.rebalance) {
            (Some(id), None, None, None) => {
                let mut node = Node::new(id).weighing(weight.unwrap_or(1));
                node.zone = self.zone;
                Ok(Change::Add(self.attributes.unwrap_or(Table(Told::default())).0.on(node)))
            }
            (None, Some(id), None, None) if !given && self.zone.is_none() => Ok(Change::Remove(id)),
            (None, None, Some(id), None) if self.zone.is_none() => {
                let weight = weight.ok_or("reweights a node, but has no weight")?;
                Ok(Change::Reweight(id, weight))
            }
            (None, None, None, Some(true)) if !given && self.zone.is_none() => {
                Ok(Change::Rebalance)
            }
            (None, Some(_), None, None) | (None, None, None, Some(true)) => {
                Err("has a weight or a zone, but takes neither".into())
            }
            (None, None, Some(_), None) => Err("reweights a node, and takes no zone".into()),
            _ => Err(ONE.into()),
        }
    }
}
