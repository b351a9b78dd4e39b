//! Members from a file: TOML, JSON, a manifest, or an id a line.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::fs;
use std::path::Path;

use homing_core::{Fingerprint, Manifest, Members, Node};
use serde::Deserialize;
use serde::de::{self, Deserializer, IgnoredAny, Visitor};
use serde_json::{Map, Value};

use crate::error::{Error, Result, line_of, quoted};

/// What a weight must be.
const WEIGHT_RULE: &str = "a whole number from 0 to 4294967295";

/// The most nodes that are named by their number: each is in memory, in every
/// layout.
pub(crate) const MOST_NAMED: usize = 10_000_000;

/// A node as a file tells it: `id`, and where they are given `weight` and
/// `zone`.
///
/// Any weight can stand here; [`node`](Self::node) checks it, so that an error
/// can name the node.
#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub struct NodeSpec {
    id: String,
    #[serde(default)]
    weight: Weight,
    zone: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Weight {
    Whole(u32),
    Other(String), // what stood there instead
}

/// A members file, TOML or JSON.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NodeFile {
    #[serde(default)]
    node: Vec<NodeSpec>,
}

/// A [`Manifest`] of a family that is not yet looked up.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ManifestFile {
    version: u32,
    epoch: u64,
    family: String,
    config: Map<String, Value>,
    members: Members,
    fingerprint: Fingerprint,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Form {
    Toml,
    Json,
    Lines,
}

/// Members that were given, and the layout they were part of if it was a
/// manifest that gave them.
#[derive(Clone, Debug, PartialEq)]
pub struct Given {
    /// The members.
    pub members: Members,
    /// What else the manifest states.
    pub manifest: Option<Stated>,
}

/// What a manifest states beside its members.
///
/// The configuration is of a family that is not yet looked up, so it stands
/// here as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Stated {
    /// The file, as it was given.
    pub file: String,
    /// How many layouts came before.
    pub epoch: u64,
    /// The name of the family.
    pub family: String,
    /// The configuration of the family.
    pub config: Map<String, Value>,
    /// The fingerprint of the layout.
    pub fingerprint: Fingerprint,
}

impl Given {
    /// The members `node-0` to `node-(count - 1)`, each of weight 1.
    ///
    /// # Errors
    ///
    /// Fails if `count` is 0, or more than 10,000,000.
    pub fn named(count: usize) -> Result<Self> {
        if count > MOST_NAMED {
            return Err(Error::Parameter {
                name: "nodes".to_owned(),
                value: count.to_string(),
                rule: format!("from 1 to {MOST_NAMED}"),
            });
        }
        Ok(Members::new((0..count).map(|i| Node::new(format!("node-{i}"))))?.into())
    }
}

impl From<Members> for Given {
    fn from(members: Members) -> Self {
        Self { members, manifest: None }
    }
}

/// Reads the members in a file, with indices in the order of the file.
///
/// The form is told by the name (`.toml`, `.json`), else by the content: TOML
/// begins with a table `node`, JSON with `{` or with `[` and then `{`, a
/// quote or `]`. Any other text is one id a line, blank lines passed over, ids
/// taken as they are.
///
/// # Errors
///
/// Fails if the file cannot be read, is not UTF-8 or not of its form, has a
/// field that no node has, or a weight that is none, or its nodes make no
/// sound membership.
pub fn read(path: &Path) -> Result<Given> {
    let name = path.to_string_lossy();
    let bytes = fs::read(path).map_err(|error| Error::from_io(&name, &error))?;
    parse(&name, &bytes)
}

/// Reads the members in the bytes of a file of this name.
///
/// # Errors
///
/// As [`read`].
pub fn parse(name: &str, bytes: &[u8]) -> Result<Given> {
    let text = utf8(name, bytes)?;
    match form(name, text) {
        Form::Toml => {
            let file: NodeFile =
                toml::from_str(text).map_err(|error| Error::from_toml(name, text, &error))?;
            Ok(members(name, file.node)?.into())
        }
        Form::Json => parse_json(name, text),
        Form::Lines => {
            let ids = text.lines().filter(|line| !line.trim().is_empty());
            let members = Members::named(ids).map_err(|error| Error::in_file(name, error))?;
            Ok(members.into())
        }
    }
}

/// Returns the text that is in the bytes of a file, without a byte order mark.
///
/// # Errors
///
/// Fails, with the line, if they are not UTF-8.
pub fn utf8<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str> {
    let text = str::from_utf8(bytes).map_err(|error| {
        let bad = error.valid_up_to();
        let start = bytes[..bad].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line = bytes[start..].split(|&byte| byte == b'\n').next().unwrap_or_default();
        let reason = format!("found {}, but must be UTF-8", quoted(line.trim_ascii_end()));
        Error::in_line(name, line_of(bytes, bad), reason)
    })?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Returns the members that a file of this name tells, in its order.
///
/// # Errors
///
/// Fails if a weight is none, an id is empty or stands twice, or no node has a
/// weight above 0.
pub fn members(name: &str, specs: Vec<NodeSpec>) -> Result<Members> {
    let nodes = specs
        .into_iter()
        .map(NodeSpec::node)
        .collect::<Result<Vec<Node>, String>>()
        .map_err(|reason| Error::in_file(name, reason))?;
    Members::new(nodes).map_err(|error| Error::in_file(name, error))
}

impl NodeSpec {
    /// Returns the node.
    ///
    /// # Errors
    ///
    /// Fails, with the id and the range, if the weight is not a whole number
    /// from 0 to 4294967295.
    pub fn node(self) -> Result<Node, String> {
        let weight = match self.weight {
            Weight::Whole(weight) => weight,
            Weight::Other(given) => {
                let id = quoted(self.id.as_bytes());
                return Err(format!(
                    "the weight of node {id} is {given}, but must be {WEIGHT_RULE}"
                ));
            }
        };
        let node = Node::new(self.id).weighing(weight);
        Ok(match self.zone {
            Some(zone) => node.in_zone(zone),
            None => node,
        })
    }
}

impl Default for Weight {
    fn default() -> Self {
        Self::Whole(1)
    }
}

impl<'de> Deserialize<'de> for Weight {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(WeightVisitor)
    }
}

struct WeightVisitor;

impl Visitor<'_> for WeightVisitor {
    type Value = Weight;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(WEIGHT_RULE)
    }

    fn visit_i64<E: de::Error>(self, given: i64) -> Result<Weight, E> {
        self.visit_i128(given.into())
    }

    fn visit_u64<E: de::Error>(self, given: u64) -> Result<Weight, E> {
        self.visit_u128(given.into())
    }

    fn visit_i128<E: de::Error>(self, given: i128) -> Result<Weight, E> {
        Ok(u32::try_from(given).map_or_else(|_| Weight::Other(given.to_string()), Weight::Whole))
    }

    fn visit_u128<E: de::Error>(self, given: u128) -> Result<Weight, E> {
        Ok(u32::try_from(given).map_or_else(|_| Weight::Other(given.to_string()), Weight::Whole))
    }

    fn visit_f64<E: de::Error>(self, given: f64) -> Result<Weight, E> {
        if given.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&given) {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is whole and in the range"
            )]
            return Ok(Weight::Whole(given as u32));
        }
        Ok(Weight::Other(format!("{given:?}")))
    }

    fn visit_bool<E: de::Error>(self, given: bool) -> Result<Weight, E> {
        Ok(Weight::Other(given.to_string()))
    }

    fn visit_str<E: de::Error>(self, given: &str) -> Result<Weight, E> {
        Ok(Weight::Other(quoted(given.as_bytes())))
    }

    fn visit_unit<E: de::Error>(self) -> Result<Weight, E> {
        Ok(Weight::Other("null".to_owned()))
    }
}

fn form(name: &str, text: &str) -> Form {
    let extension = Path::new(name).extension().map(OsStr::to_ascii_lowercase);
    match extension.as_ref().and_then(|it| it.to_str()) {
        Some("toml") => return Form::Toml,
        Some("json") => return Form::Json,
        _ => {}
    }
    let text = text.trim_start();
    let begins_json_array = |rest: &str| rest.trim_start().starts_with(['{', '"', ']']);
    let begins_node_table = |rest: &str| {
        let rest = rest.strip_prefix('[').unwrap_or(rest).trim_start();
        rest.strip_prefix("node").is_some_and(|rest| rest.trim_start().starts_with(']'))
    };
    match text.strip_prefix('[') {
        Some(rest) if begins_node_table(rest) => Form::Toml,
        Some(rest) if begins_json_array(rest) => Form::Json,
        None if text.starts_with('{') => Form::Json,
        // Comments before the first table are no ids.
        None if text
            .lines()
            .find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
            .and_then(|line| line.trim_start().strip_prefix('['))
            .is_some_and(begins_node_table)
            && text.starts_with('#') =>
        {
            Form::Toml
        }
        _ => Form::Lines,
    }
}

fn parse_json(name: &str, text: &str) -> Result<Given> {
    let in_json = |error: serde_json::Error| Error::from_json(name, &error);
    if text.trim_start().starts_with('[') {
        let nodes = serde_json::from_str(text).map_err(in_json)?;
        return Ok(members(name, nodes)?.into());
    }
    #[expect(clippy::zero_sized_map_values, reason = "a map can be read, a set cannot")]
    let fields: BTreeMap<String, IgnoredAny> = serde_json::from_str(text).map_err(in_json)?;
    if fields.contains_key("members") {
        return parse_manifest(name, text);
    }
    if fields.contains_key("node") {
        let file: NodeFile = serde_json::from_str(text).map_err(in_json)?;
        return Ok(members(name, file.node)?.into());
    }
    let found: Vec<_> = fields.keys().take(8).map(|field| quoted(field.as_bytes())).collect();
    let found = if found.is_empty() { "no fields".to_owned() } else { found.join(", ") };
    let reason = format!("found {found}, but must have node, or members as a manifest has");
    Err(Error::in_file(name, reason))
}

fn parse_manifest(name: &str, text: &str) -> Result<Given> {
    let file: ManifestFile =
        serde_json::from_str(text).map_err(|error| Error::from_json(name, &error))?;
    let current = Manifest::<()>::VERSION;
    if file.version != current {
        let reason = format!("version is {}, but must be {current}", file.version);
        return Err(Error::in_file(name, reason));
    }
    let stated = Stated {
        file: name.to_owned(),
        epoch: file.epoch,
        family: file.family,
        config: file.config,
        fingerprint: file.fingerprint,
    };
    Ok(Given { members: file.members, manifest: Some(stated) })
}

#[cfg(test)]
mod tests;
