//! Maglev: nodes take turns, each takes its next preferred entry that is free.

use super::{OracleHash, OracleNode, apportion, draw, live};

/// The offset and the skip of a node for a table of `m` entries.
#[must_use]
pub fn offset_and_skip(hash: OracleHash, id: &str, m: u64) -> (u64, u64) {
    (draw(hash, id, 0) % m, draw(hash, id, 1) % (m - 1) + 1)
}

/// The entries of each node, by its place in `nodes`.
#[must_use]
pub fn entries(nodes: &[OracleNode], m: u64) -> Vec<u64> {
    let live = live(nodes);
    let weights: Vec<u32> = live.iter().map(|&i| nodes[i].weight).collect();
    let mut entries = vec![0; nodes.len()];
    for (&i, part) in live.iter().zip(apportion(m, &weights, |a, b| a < b)) {
        entries[i] = part;
    }
    entries
}

/// The owner of each entry, as a place in `nodes`.
#[must_use]
pub fn table(nodes: &[OracleNode], hash: OracleHash, m: u64) -> Vec<usize> {
    let mut turns = Vec::new(); // (t, weight, node), those of one t / weight in order of id
    let entries = entries(nodes, m);
    for i in live(nodes) {
        turns.extend((0..entries[i]).map(|t| (u128::from(t), u128::from(nodes[i].weight), i)));
    }
    turns.sort_by(|(t, w, _), (other_t, other_w, _)| (t * other_w).cmp(&(other_t * w)));
    let turns: Vec<usize> = turns.into_iter().map(|(_, _, node)| node).collect();
    let pairs: Vec<(u64, u64)> =
        nodes.iter().map(|node| offset_and_skip(hash, &node.id, m)).collect();
    fill(m, &pairs, &turns)
}

/// The table of the published algorithm: nodes in order, one turn each a round.
///
/// # Panics
///
/// Panics if `pairs` is empty.
#[must_use]
pub fn populate(m: u64, pairs: &[(u64, u64)]) -> Vec<usize> {
    let turns: Vec<usize> = (0..m).zip((0..pairs.len()).cycle()).map(|(_, node)| node).collect();
    fill(m, pairs, &turns)
}

fn fill(m: u64, pairs: &[(u64, u64)], turns: &[usize]) -> Vec<usize> {
    let mut table: Vec<Option<usize>> = (0..m).map(|_| None).collect();
    let mut sequences: Vec<(u64, u64)> = pairs.to_vec(); // the next preferred entry, and the skip
    for &node in turns {
        let (next, skip) = &mut sequences[node];
        loop {
            let entry = &mut table[usize::try_from(*next).expect("an entry is below m")];
            *next = (*next + *skip) % m;
            if entry.is_none() {
                *entry = Some(node);
                break;
            }
        }
    }
    table.into_iter().map(|entry| entry.expect("there are as many turns as entries")).collect()
}
