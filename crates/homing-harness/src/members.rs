//! Members from a file: TOML, JSON, a manifest, or an id a line.

mod cluster;
mod json;
mod said;
mod spec;

use std::ffi::OsStr;
use std::path::Path;

use homing_core::{Error as CoreError, Fingerprint, Members, Node, NodeId};
use serde::Deserialize;
use serde_json::{Map, Value};
use toml::Spanned;

pub(crate) use self::said::Told;
pub(crate) use self::spec::{NodeSpec, Table, Written};
use crate::error::{Error, Result, line_of, quoted};
use crate::input;

/// The most nodes that are named by their number: each is in memory, in every
/// layout.
pub(crate) const MOST_NAMED: usize = 10_000_000;

/// A members file in TOML.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NodeFile {
    #[serde(default)]
    node: Vec<Spanned<Table<NodeSpec>>>,
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
    /// What else the manifest states, or a cluster of its slots.
    pub manifest: Option<Stated>,
    /// What must be known besides, a sentence each.
    pub told: Vec<String>,
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
        Self { members, manifest: None, told: Vec::new() }
    }
}

/// Reads the members in a file, with indices in the order of the file; `-` is standard
/// input.
///
/// The form is told by the name (`.toml`, `.json`), else by the content: TOML
/// begins with a table `node`, JSON with `{` or with `[` and then `{`, a
/// quote or `]`; and what a cluster prints of itself is known by its beginning. Any
/// other text is one id a line, blank lines passed over, ids
/// taken as they are; but not under a name of CSV or YAML, which it is not.
///
/// # Errors
///
/// Fails if the file cannot be read, is not UTF-8 or not of its form, has a
/// field that no node has, or a weight that is none, or its nodes make no
/// sound membership.
pub fn read(path: &Path) -> Result<Given> {
    let (name, bytes) = input::read(path)?;
    parse(&name, &bytes)
}

/// Reads the members in what a cluster prints of itself, in any of its forms; `-` is
/// standard input.
///
/// # Errors
///
/// Fails if the file cannot be read, is no such dump or is cut short, with the line
/// or the byte; or several nodes claim a slot.
pub fn read_cluster(path: &Path) -> Result<Given> {
    let (name, bytes) = input::read(path)?;
    cluster::parse(&name, &bytes)
}

/// Reads the members in the bytes of a file of this name.
///
/// # Errors
///
/// As [`read`].
pub fn parse(name: &str, bytes: &[u8]) -> Result<Given> {
    if cluster::begins(bytes) && !is_toml(name) {
        return cluster::parse(name, bytes);
    }
    let text = utf8(name, bytes)?;
    match form(name, text)? {
        Form::Toml => {
            let file: NodeFile =
                toml::from_str(text).map_err(|error| Error::from_toml(name, text, &error))?;
            Ok(in_toml(name, text, file.node)?.into())
        }
        Form::Json => json::parse(name, text),
        // A raw dump begins with a slot, or with a name that its lists have.
        Form::Lines if cluster::may_be_raw(text) && cluster::parse(name, bytes).is_ok() => {
            cluster::parse(name, bytes)
        }
        Form::Lines => {
            let numbered = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
            let (lines, nodes): (Vec<u64>, Vec<Node>) =
                numbered.map(|(line, id)| (line, Node::new(id))).unzip();
            Ok(members(name, nodes, |place| Some(lines[place]))?.into())
        }
    }
}

/// Returns the text that is in the bytes of a file, without a byte order mark.
///
/// # Errors
///
/// Fails, with the line, if they are not UTF-8, or hold a NUL as UTF-16 does.
pub fn utf8<'a>(name: &str, bytes: &'a [u8]) -> Result<&'a str> {
    if bytes.starts_with(b"\xfe\xff") || bytes.starts_with(b"\xff\xfe") {
        return Err(Error::in_line(name, 1, "found the mark of UTF-16, but must be UTF-8"));
    }
    let text = str::from_utf8(bytes).map_err(|error| {
        let bad = error.valid_up_to();
        let start = bytes[..bad].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
        let line = bytes[start..].split(|&byte| byte == b'\n').next().unwrap_or_default();
        let reason = format!("found {}, but must be UTF-8", quoted(line.trim_ascii_end()));
        Error::in_line(name, line_of(bytes, bad), reason)
    })?;
    if let Some(at) = bytes.iter().position(|&byte| byte == 0) {
        let reason = "found a NUL, as UTF-16 has, but must be UTF-8 without";
        return Err(Error::in_line(name, line_of(bytes, at), reason));
    }
    Ok(text.strip_prefix('\u{feff}').unwrap_or(text))
}

/// Returns the members that a file of this name tells, in its order.
///
/// `line` says on which line the node at a place in `nodes` stands, where that
/// is known.
///
/// # Errors
///
/// Fails if an id is empty or stands twice, with the line of the second, or no
/// node has a weight above 0.
pub(crate) fn members(
    name: &str,
    nodes: Vec<Node>,
    line: impl Fn(usize) -> Option<u64>,
) -> Result<Members> {
    // Once it is known to be unsound the nodes are gone, and ids are cheap to keep.
    let ids: Vec<NodeId> = nodes.iter().map(|node| node.id.clone()).collect();
    Members::new(nodes).map_err(|error| {
        let mut places = ids.iter().enumerate();
        let place = match &error {
            CoreError::DuplicateNode { id } => places.filter(|(_, other)| *other == id).nth(1),
            CoreError::InvalidParameter { .. } => places.find(|(_, id)| id.as_str().is_empty()),
            _ => None,
        };
        let line = place.and_then(|(place, _)| line(place));
        Error::Input { name: name.to_owned(), line, reason: error.to_string() }
    })
}

/// Returns the members of `[[node]]` tables in a TOML text.
///
/// # Errors
///
/// As [`members`].
pub(crate) fn in_toml(
    name: &str,
    text: &str,
    nodes: Vec<Spanned<Table<NodeSpec>>>,
) -> Result<Members> {
    let starts: Vec<usize> = nodes.iter().map(|node| node.span().start).collect();
    let nodes = nodes.into_iter().map(|node| node.into_inner().0.0).collect();
    members(name, nodes, |place| Some(line_of(text.as_bytes(), starts[place])))
}

fn is_toml(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|it| it.eq_ignore_ascii_case("toml"))
}

fn form(name: &str, text: &str) -> Result<Form> {
    let extension = Path::new(name).extension().map(OsStr::to_ascii_lowercase);
    match extension.as_ref().and_then(|it| it.to_str()) {
        Some("toml") => return Ok(Form::Toml),
        Some("json") => return Ok(Form::Json),
        Some(other @ ("csv" | "tsv" | "yaml" | "yml")) => {
            let reason = format!(
                "members are not read from .{other}, but from TOML (.toml), JSON or a manifest \
                 (.json), or one id a line under any other name"
            );
            return Err(Error::in_file(name, reason));
        }
        _ => {}
    }
    let text = text.trim_start();
    let begins_json_array = |rest: &str| rest.trim_start().starts_with(['{', '"', ']']);
    let begins_node_table = |rest: &str| {
        let rest = rest.strip_prefix('[').unwrap_or(rest).trim_start();
        rest.strip_prefix("node").is_some_and(|rest| rest.trim_start().starts_with(']'))
    };
    Ok(match text.strip_prefix('[') {
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
    })
}

#[cfg(test)]
mod tests;
