//! From names of presets, hashes and parts of crates to values of them.

use std::fmt::Display;

use homing_compat::{Apart, Configuration, Preset};
use homing_core::{Build as _, KeyHash, Members, Node, Placement};
use homing_ring::Ring;

pub(crate) fn preset(text: &str, context: &dyn Display) -> Preset {
    Preset::parse(text).unwrap_or_else(|e| panic!("{context}: {text}: {e}"))
}

fn members(nodes: Vec<Node>, context: &dyn Display) -> Members {
    Members::new(nodes).unwrap_or_else(|e| panic!("{context}: {e}"))
}

/// The ring that a preset builds of nodes.
pub(crate) fn ring(text: &str, nodes: Vec<Node>, context: &dyn Display) -> Ring {
    let preset = preset(text, context);
    let members = preset.members(&members(nodes, context));
    let members = members.unwrap_or_else(|e| panic!("{context}: {text}: {e}"));
    match preset.configuration(&members) {
        Ok(Configuration::Ring(config)) => {
            Ring::build(config, members).unwrap_or_else(|e| panic!("{context}: {text}: {e}"))
        }
        Ok(other) => panic!("{context}: {text} is no ring: {other:?}"),
        Err(e) => panic!("{context}: {text}: {e}"),
    }
}

/// The layout that a preset builds of nodes.
pub(crate) fn layout(text: &str, nodes: Vec<Node>, context: &dyn Display) -> Box<dyn Placement> {
    let built = preset(text, context).build(&members(nodes, context));
    built.unwrap_or_else(|e| panic!("{context}: {text}: {e}"))
}

/// A hash by its text name.
pub(crate) fn hash(name: &str) -> KeyHash {
    name.parse().unwrap_or_else(|e| panic!("{e}"))
}

/// The table of the published populate, with the dead places left out.
pub(crate) fn populate(
    entries: u32,
    offsets: &[u32],
    skips: &[u32],
    dead: &[usize],
    context: &dyn Display,
) -> Vec<usize> {
    let live: Vec<usize> = (0..offsets.len()).filter(|place| !dead.contains(place)).collect();
    let permutations: Vec<(u32, u32)> =
        live.iter().map(|&place| (offsets[place], skips[place])).collect();
    let table = homing_maglev::populate(entries, &permutations);
    let table = table.unwrap_or_else(|e| panic!("{context}: {e}"));
    table.into_iter().map(|turn| live[turn as usize]).collect()
}

/// A preset by which key and node are hashed together, with its nodes.
pub(crate) struct Contested {
    apart: Apart,
}

impl Contested {
    /// The places of the first nodes of a key.
    pub(crate) fn order(&self, key: &str, count: usize) -> Vec<usize> {
        let order = self.apart.order(key.as_bytes(), count);
        order.expect("the key is a text").iter().map(|index| index.get()).collect()
    }
}

/// The contest of nodes of a preset that hashes key and node together.
pub(crate) fn contest(text: &str, nodes: Vec<Node>, context: &dyn Display) -> Contested {
    let preset = preset(text, context);
    let apart = preset.apart(&members(nodes, context));
    let apart = apart.unwrap_or_else(|e| panic!("{context}: {text}: {e}"));
    Contested { apart: apart.unwrap_or_else(|| panic!("{text}: is no contest")) }
}
