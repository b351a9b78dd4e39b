//! Maglev, as others write it.

use homing_core::{Members, apportion, draw};
use homing_maglev::{Config, Maglev};

use super::hashes::{self, Hashing};
use super::nodes::{self, Nodes};
use super::texts::{self, Texts};
use crate::verify::{Cause, Part, Program, Suspect};

/// Numbers of entries that are common: near powers of two, and the paper's.
const ENTRIES: [u32; 14] = [
    251, 503, 1009, 1021, 2039, 4093, 5003, 8191, 10_007, 16_381, 65_521, 65_537, 131_071, 655_373,
];

/// Offset and skip of a node, of the hash of its id and the number of entries.
type Throw = fn(u64, u64) -> (u64, u64);

const THROWS: &[(&str, Throw)] = &[
    ("offset and skip exchanged", |hash, entries| {
        (draw(hash, 1) % entries, draw(hash, 0) % (entries - 1) + 1)
    }),
    ("the skip below the number of entries, not one less", |hash, entries| {
        (draw(hash, 0) % entries, (draw(hash, 1) % entries).max(1))
    }),
    ("the hash of the id as the offset", |hash, entries| {
        (hash % entries, draw(hash, 1) % (entries - 1) + 1)
    }),
    ("offset and skip from one draw", |hash, entries| {
        (draw(hash, 0) % entries, draw(hash, 0) % (entries - 1) + 1)
    }),
];

#[derive(Clone)]
pub(crate) struct Recipe {
    hashing: Hashing,
    nodes: Nodes, // in order of id
    entries: u32,
    throw: Throw,
}

impl Suspect for Maglev {
    type Recipe = Recipe;

    fn recipe(config: &Config, members: &Members) -> Recipe {
        Recipe {
            hashing: Hashing::of(config.hash),
            nodes: Nodes::by_id(members),
            entries: config.entries,
            throw: |hash, entries| (draw(hash, 0) % entries, draw(hash, 1) % (entries - 1) + 1),
        }
    }

    fn causes(recipe: &Recipe) -> Vec<Cause<Recipe>> {
        let enough = recipe.nodes.0.len();
        let entries = ENTRIES.into_iter().filter(move |&entries| entries as usize >= enough);
        let entries = entries.map(|entries| {
            let change = move |recipe: &mut Recipe| recipe.entries = entries;
            Cause::new(format!("entries={entries}"), Part::Count, change)
        });
        let throws = THROWS.iter().map(|&(name, throw)| {
            Cause::new(name, Part::Throw, move |recipe: &mut Recipe| recipe.throw = throw)
        });
        entries
            .chain(nodes::orders())
            .chain([nodes::weights()])
            .chain(throws)
            .chain(hashes::causes())
            .chain([hashes::extended()])
            .chain(hashes::remainders())
            .chain(texts::of_keys())
            .chain(texts::of_all())
            .collect()
    }

    fn program(Recipe { hashing, nodes, entries, throw }: Recipe) -> Program {
        let sequences: Vec<(u64, u64)> = nodes
            .0
            .iter()
            .map(|node| throw(hashing.of_id(node.id.as_bytes()), entries.into()))
            .collect();
        let table = filled(entries.into(), sequences, &turns(&nodes, entries));
        Box::new(move |key| {
            let entry = (hashing.rest)(hashing.position(key), entries.into());
            let place = *table.get(usize::try_from(entry).ok()?)?;
            Some(nodes.0[place?].index)
        })
    }
}

/// Whose turn it is, from the first to the last.
fn turns(nodes: &Nodes, entries: u32) -> Vec<usize> {
    if nodes.are_even() {
        return (0..nodes.0.len()).cycle().take(entries as usize).collect();
    }
    let weights: Vec<u32> = nodes.0.iter().map(|node| node.weight).collect();
    let parts = apportion(entries, &weights, &vec![0; weights.len()]);
    let mut turns: Vec<(u64, u64, usize)> = Vec::new(); // turn t of a weight, and whose
    for (place, (&part, &weight)) in parts.iter().zip(&weights).enumerate() {
        turns.extend((0..part).map(|t| (t.into(), weight.into(), place)));
    }
    turns.sort_by_key(|&(_, _, place)| place);
    turns.sort_by(|(t, w, _), (other, of, _)| (t * of).cmp(&(other * w)));
    turns.into_iter().map(|(_, _, place)| place).collect()
}

/// The place of the owner of each entry. An entry that no sequence gets to has
/// none: a skip that is no unit goes round without it.
fn filled(entries: u64, mut sequences: Vec<(u64, u64)>, turns: &[usize]) -> Vec<Option<usize>> {
    let mut table = vec![None; usize::try_from(entries).unwrap_or_default()];
    for &place in turns {
        let (next, skip) = &mut sequences[place];
        for _ in 0..entries {
            let entry = usize::try_from(*next).ok().and_then(|entry| table.get_mut(entry));
            *next += *skip;
            *next -= if *next < entries { 0 } else { entries };
            if let Some(entry @ None) = entry {
                *entry = Some(place);
                break;
            }
        }
    }
    table
}

shares_parts!(Recipe);
