//! What a record says of a layout: answers of keys, points of rings, entries of tables.

use std::collections::BTreeMap;

use homing_core::{NodeIndex, Placement, Spread};
use homing_ring::Ring;
use homing_tests::vectors::digest_of_lines;

use crate::record::{Answer, Record};

/// Checks positions, owners and orders of recorded keys, one by one and in a batch, and
/// returns how many.
pub(crate) fn check_answers(layout: &dyn Placement, answers: &[Answer], record: &Record) -> usize {
    for answer in answers {
        let Answer { key, hash, .. } = answer;
        let position = layout.position(key);
        if let Some(hash) = *hash {
            let expected = match layout.max_position() {
                u64::MAX => hash,
                max => hash % (max + 1),
            };
            assert_eq!(position, expected, "{record}: the position of {answer:?}");
        }
        check_at(layout, position, answer, record);
    }
    let keys: Vec<&[u8]> = answers.iter().map(|answer| answer.key.as_slice()).collect();
    let mut owners = vec![None; keys.len()];
    layout.owners(&keys, &mut owners);
    for (answer, owner) in answers.iter().zip(owners) {
        assert_eq!(place(owner), answer.owner(), "{record}: {answer:?} in one batch");
    }
    answers.len()
}

/// Checks the owner of a position, and the order where there is one.
pub(crate) fn check_at(layout: &dyn Placement, position: u64, answer: &Answer, record: &Record) {
    let owner = place(layout.owner_at(position));
    assert_eq!(owner, answer.owner(), "{record}: the owner of {answer:?} at {position}");
    if !answer.order.is_empty() {
        let order = order_at(layout, position, answer.order.len());
        assert_eq!(order, answer.order, "{record}: the order of {answer:?} at {position}");
    }
}

/// The places of the first nodes for a position.
pub(crate) fn order_at(layout: &dyn Placement, position: u64, count: usize) -> Vec<usize> {
    let mut replicas = Vec::new();
    layout.replicas_at(position, count, Spread::Nodes, &mut replicas);
    replicas.iter().map(|index| index.get()).collect()
}

/// The labels of the members, in the order in which these were given.
pub(crate) fn labels_of(layout: &dyn Placement) -> Vec<String> {
    let mut labels: Vec<(usize, String)> = layout
        .members()
        .iter()
        .map(|(index, node)| (index.get(), node.label().to_owned()))
        .collect();
    labels.sort_unstable();
    labels.into_iter().map(|(_, label)| label).collect()
}

/// The place of an owner.
pub(crate) fn place(index: Option<NodeIndex>) -> usize {
    index.expect("every position has an owner").get()
}

/// The points of a ring, as the records write them.
pub(crate) fn points_of(ring: &Ring) -> Vec<(u64, usize)> {
    ring.points().map(|(point, index)| (point, index.get())).collect()
}

/// Checks the points of a ring by their digest, their number, as a list, or by the first
/// and the last of them, whichever the record has; `nodes` is how many nodes there are.
/// Returns how many points were compared.
///
/// `points` has each point that was thrown, ascending, those of one place by the node.
pub(crate) fn check_points(points: &[(u64, usize)], nodes: usize, record: &Record) -> usize {
    let mut compared = 0;
    let counts = ["point_count", "ring_size", "model_point_count"];
    if let Some(count) = record.any::<usize>(&counts) {
        assert_eq!(points.len(), count, "{record}: the number of points");
    }
    if let Some(digest) = record.any::<String>(&["points_sha256", "model_points_sha256"]) {
        let lines = points.iter().map(|(point, owner)| format!("{point} {owner}"));
        assert_eq!(digest_of_lines(lines), digest, "{record}: the digest of the points");
        compared = points.len();
    }
    if let Some(list) = record.any::<Vec<(u64, usize)>>(&["points", "model_points"]) {
        assert_eq!(points, list, "{record}: the points");
        compared = points.len();
    }
    let head = record.get::<Vec<(u64, usize)>>("points_head").unwrap_or_default();
    assert!(points.starts_with(&head), "{record}: the first points");
    let tail = record.get::<Vec<(u64, usize)>>("points_tail").unwrap_or_default();
    assert!(points.ends_with(&tail), "{record}: the last points");
    if let Some(each) = record.any::<Vec<usize>>(&["points_per_server", "points_per_host"]) {
        let counted = counts_of(points.iter().map(|&(_, owner)| owner), nodes);
        assert_eq!(counted, each, "{record}: the points of each node");
    }
    compared.max(head.len() + tail.len())
}

/// Checks a table by its digest, its size, as a list, or by some entries, whichever the
/// record has. `names` is what the record calls the node at each place. Returns how many
/// entries were compared.
pub(crate) fn check_table(table: &[usize], names: &[u64], record: &Record) -> usize {
    let named: Vec<u64> = table.iter().map(|&place| names[place]).collect();
    let mut compared = 0;
    if let Some(size) = record.any::<usize>(&["M", "table_size", "ring_size"]) {
        assert_eq!(table.len(), size, "{record}: the number of entries");
    }
    if let Some(digest) = record.get::<String>("table_sha256") {
        let lines = named.iter().map(ToString::to_string);
        assert_eq!(digest_of_lines(lines), digest, "{record}: the digest of the table");
        compared = table.len();
    }
    if let Some(list) = record.any::<Vec<u64>>(&["table", "model_map"]) {
        assert_eq!(named, list, "{record}: the table");
        compared = table.len();
    }
    let head = record.get::<Vec<u64>>("table_head").unwrap_or_default();
    assert!(named.starts_with(&head), "{record}: the first entries");
    for (entry, name) in record.get::<Vec<(usize, u64)>>("table_samples").unwrap_or_default() {
        assert_eq!(named[entry], name, "{record}: entry {entry}");
    }
    let counts = ["slots_per_host", "slots_per_backend", "slots_per_endpoint"];
    if let Some(each) = record.any::<Vec<usize>>(&counts) {
        let counted = counts_of(table.iter().copied(), names.len());
        assert_eq!(counted, each, "{record}: the entries of each node");
    }
    compared
}

/// The table of a layout whose positions are its entries.
pub(crate) fn table_of(layout: &dyn Placement) -> Vec<usize> {
    (0..=layout.max_position()).map(|entry| place(layout.owner_at(entry))).collect()
}

fn counts_of(owners: impl Iterator<Item = usize>, nodes: usize) -> Vec<usize> {
    let mut counts = BTreeMap::new();
    for owner in owners {
        *counts.entry(owner).or_default() += 1;
    }
    (0..nodes).map(|place| counts.get(&place).copied().unwrap_or(0)).collect()
}
