//! Members in JSON: a list of nodes, an object with one, or a manifest.

use std::collections::BTreeMap;
use std::fmt;

use homing_core::{Fingerprint, Manifest, Members, Node};
use serde::Deserialize;
use serde::de::{self, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::{Given, NodeSpec, Stated, Table, members};
use crate::error::{Error, Result, quoted};

/// An object of nodes.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NodeFile {
    node: Vec<Table<NodeSpec>>,
}

/// A [`Manifest`] of a family that is not yet looked up.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ManifestFile {
    version: u32,
    epoch: u64,
    family: String,
    config: Config,
    members: Vec<Option<Table<Node>>>, // by index, `None` where it is free
    fingerprint: Fingerprint,
}

/// The configuration in a manifest, each field once.
struct Config(Map<String, Value>);

/// Reads the members in a JSON text of a file of this name.
pub(super) fn parse(name: &str, text: &str) -> Result<Given> {
    let in_json = |error: serde_json::Error| Error::from_json(name, &error);
    if text.trim_start().starts_with('[') {
        return listed(name, serde_json::from_str(text).map_err(in_json)?);
    }
    #[expect(clippy::zero_sized_map_values, reason = "a map can be read, a set cannot")]
    let fields: BTreeMap<String, IgnoredAny> = serde_json::from_str(text).map_err(in_json)?;
    if fields.contains_key("members") {
        return manifest(name, text);
    }
    if fields.contains_key("node") {
        let file: NodeFile = serde_json::from_str(text).map_err(in_json)?;
        return listed(name, file.node);
    }
    let found: Vec<_> = fields.keys().take(8).map(|field| quoted(field.as_bytes())).collect();
    let found = if found.is_empty() { "no fields".to_owned() } else { found.join(", ") };
    let reason = format!("found {found}, but must have node, or members as a manifest has");
    Err(Error::in_file(name, reason))
}

fn listed(name: &str, nodes: Vec<Table<NodeSpec>>) -> Result<Given> {
    // Where a value stood is known to the reader of JSON only while it reads.
    let nodes = nodes.into_iter().map(|node| node.0.0).collect();
    Ok(members(name, nodes, |_| None)?.into())
}

fn manifest(name: &str, text: &str) -> Result<Given> {
    let file: ManifestFile =
        serde_json::from_str(text).map_err(|error| Error::from_json(name, &error))?;
    let current = Manifest::<()>::VERSION;
    if file.version != current {
        let reason = format!("version is {}, but must be {current}", file.version);
        return Err(Error::in_file(name, reason));
    }
    let nodes: Vec<Option<Node>> =
        file.members.into_iter().map(|node| node.map(|node| node.0)).collect();
    // Only what serde reads can have free indices.
    let nodes = serde_json::to_value(nodes).expect("nodes are plain data");
    let members: Members =
        serde_json::from_value(nodes).map_err(|error| Error::from_json(name, &error))?;
    let stated = Stated {
        file: name.to_owned(),
        epoch: file.epoch,
        family: file.family,
        config: file.config.0,
        fingerprint: file.fingerprint,
    };
    Ok(Given { members, manifest: Some(stated), told: Vec::new() })
}

impl<'de> Deserialize<'de> for Config {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ConfigVisitor)
    }
}

struct ConfigVisitor;

impl<'de> Visitor<'de> for ConfigVisitor {
    type Value = Config;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a table of fields")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Config, A::Error> {
        let mut config = Map::new();
        while let Some(field) = table.next_key::<String>()? {
            if config.contains_key(&field) {
                let field = quoted(field.as_bytes());
                return Err(de::Error::custom(format!("config has the field {field} twice")));
            }
            config.insert(field, table.next_value()?);
        }
        Ok(Config(config))
    }
}
