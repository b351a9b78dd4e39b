//! The golden files of the default placements, as the oracles write them.
//!
//! `cargo run -p homing-tests --example golden` writes them anew. They change only
//! when a promise is broken, or a layout is added to the list here.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::oracle::slots::{OracleSlots, slot};
use crate::oracle::{
    OracleHash, OracleNode, jump, live, maglev, mix64, modulo, rendezvous, replicas, ring,
};

/// A key or a position with the nodes that hold it, by id.
///
/// The key in hex, or null for a bare position; the position; the owner; the first
/// three nodes; the first three nodes with zones kept apart. The last two are empty
/// for a family without replicas.
pub type GoldenLookup = (Option<String>, u64, Option<String>, Vec<String>, Vec<String>);

/// One layout.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct GoldenRow {
    /// The family's name.
    pub family: String,
    /// `xxh3:` with the seed, or `sha256`; of slots, `crc16`.
    pub hash: String,
    /// The members in the order given: id, weight, zone.
    pub nodes: Vec<(String, u32, Option<String>)>,
    /// The points a weight unit, of a ring of default or labelled points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<u32>,
    /// The prefix and the separator of labelled points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub labels: Option<(String, String)>,
    /// Assigned points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub assigned: Option<Vec<(u64, String)>>,
    /// The entries of a table.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entries: Option<u64>,
    /// Keys and positions.
    pub lookups: Vec<GoldenLookup>,
    /// The runs of a slot map, at first and after each step.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<GoldenStep>,
}

/// A step of an operator, and the slot map after it.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct GoldenStep {
    /// `even split`, `add`, `remove`, `reweight` or `rebalance`.
    pub step: String,
    /// The node of the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The node's weight from now on.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weight: Option<u32>,
    /// The runs, `[first, last, owner]`.
    pub ranges: Vec<(usize, usize, Option<String>)>,
}

/// The names of the golden files.
pub const FILES: [&str; 6] = ["ring", "slots", "maglev", "rendezvous", "jump", "modulo"];

/// The path of a golden file.
#[must_use]
pub fn path(family: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "data", "golden", &format!("{family}.jsonl")].iter().collect()
}

/// The rows of a golden file, from the oracles.
///
/// # Panics
///
/// Panics if the family is none of [`FILES`].
#[must_use]
pub fn rows(family: &str) -> Vec<GoldenRow> {
    match family {
        "ring" => ring_rows(),
        "slots" => slots_rows(),
        "maglev" => maglev_rows(),
        "rendezvous" => rendezvous_rows(),
        "jump" | "modulo" => ordered_rows(family),
        other => panic!("family is {other:?}, but must be one of {FILES:?}"),
    }
}

/// The text of a golden file, one row a line.
///
/// # Panics
///
/// As [`rows`].
#[must_use]
pub fn text(family: &str) -> String {
    let line = |row| serde_json::to_string(&row).expect("a row is JSON") + "\n";
    rows(family).into_iter().map(line).collect()
}

const HASHES: [OracleHash; 3] = [OracleHash::Xxh3(0), OracleHash::Xxh3(42), OracleHash::Sha256];

fn numbered(count: usize) -> Vec<OracleNode> {
    (0..count).map(|i| OracleNode::new(&format!("node-{i}"))).collect()
}

fn equal_memberships() -> Vec<Vec<OracleNode>> {
    let zoned = |i: usize| OracleNode::new(&format!("rack-{i}")).in_zone(["east", "west"][i % 2]);
    let far = ["zürich", "zu\u{308}rich", "\u{FB00}", "\u{1F600}", " a", "a ", "A", "a", "aa"];
    vec![
        numbered(1),
        ["c", "a", "b"].map(OracleNode::new).to_vec(),
        numbered(8),
        (0..12).map(zoned).collect(),
        far.map(OracleNode::new).to_vec(),
        numbered(40),
    ]
}

fn weighted_memberships() -> Vec<Vec<OracleNode>> {
    let node = |id: &str, weight, zone: &str| OracleNode::new(id).weighing(weight).in_zone(zone);
    vec![
        vec![node("small", 1, "z1"), node("large", 4, "z2"), node("drained", 0, "z3")],
        ["x", "y", "z"].map(|id| OracleNode::new(id).weighing(5)).to_vec(),
        vec![
            node("e", 2, "z1"),
            node("d", 3, "z1"),
            node("c", 5, "z1"),
            node("b", 7, "z2"),
            OracleNode::new("a").weighing(11),
        ],
    ]
}

fn keys() -> Vec<Vec<u8>> {
    let mut keys: Vec<Vec<u8>> =
        ["", "node-0", "node-1", "a", "foo{}{bar}", "{user1000}.following"]
            .map(|key| key.as_bytes().to_vec())
            .to_vec();
    keys.extend([vec![0], vec![0xFF, 0xFE], vec![b'x'; 300]]);
    keys.extend((0..24).map(|i| format!("key-{i}").into_bytes()));
    keys
}

fn row(family: &str, hash: &str, nodes: &[OracleNode]) -> GoldenRow {
    let member = |n: &OracleNode| (n.id.clone(), n.weight, n.zone.clone());
    GoldenRow {
        family: family.to_owned(),
        hash: hash.to_owned(),
        nodes: nodes.iter().map(member).collect(),
        ..GoldenRow::default()
    }
}

fn hash_name(hash: OracleHash) -> String {
    match hash {
        OracleHash::Xxh3(seed) => format!("xxh3:{seed}"),
        OracleHash::Sha256 => "sha256".to_owned(),
    }
}

// The lookups of a family whose nodes stand in an order for each position.
fn ordered_lookups(
    nodes: &[OracleNode],
    hash: OracleHash,
    positions: &[u64],
    order: impl Fn(u64) -> Vec<usize>,
) -> Vec<GoldenLookup> {
    let ids = |places: Vec<usize>| places.into_iter().map(|i| nodes[i].id.clone()).collect();
    let lookup = |key: Option<String>, position| {
        let order = order(position);
        let first = ids(replicas(nodes, &order, 3, false));
        let apart = ids(replicas(nodes, &order, 3, true));
        (key, position, Some(nodes[order[0]].id.clone()), first, apart)
    };
    let keys = keys();
    let of_keys = keys.iter().map(|key| lookup(Some(hex::encode(key)), hash.hash(key)));
    of_keys.chain(positions.iter().map(|&position| lookup(None, position))).collect()
}

// The lookups of a family that knows the owner alone.
fn owner_lookups(
    nodes: &[OracleNode],
    positions: impl IntoIterator<Item = (Option<String>, u64)>,
    owner: impl Fn(u64) -> Option<usize>,
) -> Vec<GoldenLookup> {
    let id = |position| owner(position).map(|place| nodes[place].id.clone());
    let lookup = |(key, at): (Option<String>, u64)| (key, at, id(at), Vec::new(), Vec::new());
    positions.into_iter().map(lookup).collect()
}

fn scattered() -> Vec<u64> {
    let mixed = (1..12).map(|i| mix64(i * 0x0123_4567));
    [0, 1, u64::MAX, u64::MAX - 1, 1 << 63].into_iter().chain(mixed).collect()
}

fn near_points(ring: &ring::OracleRing) -> Vec<u64> {
    let places = [0, ring.points.len() / 2, ring.points.len() - 1];
    let near = places.map(|place| ring.points[place].0);
    let around = |p: u64| [p.wrapping_sub(1), p, p.wrapping_add(1)];
    near.into_iter().flat_map(around).chain([0, u64::MAX]).collect()
}

fn ring_rows() -> Vec<GoldenRow> {
    let memberships = equal_memberships().into_iter().chain(weighted_memberships());
    let mut rows = Vec::new();
    for ((nodes, hash), points) in
        memberships.zip(HASHES.into_iter().cycle()).zip([160, 40, 1, 160, 7].into_iter().cycle())
    {
        let ring = ring::OracleRing::drawn(&nodes, hash, points);
        let mut row = row("ring", &hash_name(hash), &nodes);
        row.points = Some(points);
        row.lookups =
            ordered_lookups(&nodes, hash, &near_points(&ring), |position| ring.order(position));
        rows.push(row);
    }
    for ((prefix, separator), nodes) in [("node:", ":"), ("", "#"), ("", "")].into_iter().zip([
        numbered(5),
        weighted_memberships().remove(0),
        ["1", "11"].map(OracleNode::new).to_vec(),
    ]) {
        let hash = OracleHash::Sha256;
        let ring = ring::OracleRing::labelled(&nodes, hash, 20, prefix, separator);
        let mut row = row("ring", &hash_name(hash), &nodes);
        row.points = Some(20);
        row.labels = Some((prefix.to_owned(), separator.to_owned()));
        row.lookups =
            ordered_lookups(&nodes, hash, &near_points(&ring), |position| ring.order(position));
        rows.push(row);
    }
    // Where points coincide, at 50, the least id has it.
    let nodes = ["b", "a", "c"].map(OracleNode::new).to_vec();
    let points = [(50, "b"), (50, "a"), (20, "c"), (80, "b"), (80, "c"), (u64::MAX, "a")];
    let ring = ring::OracleRing::assigned(&nodes, &points);
    let hash = OracleHash::Xxh3(0);
    let mut row = row("ring", &hash_name(hash), &nodes);
    row.assigned = Some(points.iter().map(|&(point, id)| (point, id.to_owned())).collect());
    row.lookups =
        ordered_lookups(&nodes, hash, &[0, 20, 21, 50, 51, 80, 81, u64::MAX], |p| ring.order(p));
    rows.push(row);
    rows
}

fn rendezvous_rows() -> Vec<GoldenRow> {
    let memberships = equal_memberships().into_iter().chain(weighted_memberships());
    let mut rows = Vec::new();
    for (nodes, hash) in memberships.zip(HASHES.into_iter().cycle()) {
        let mut row = row("rendezvous", &hash_name(hash), &nodes);
        row.lookups = ordered_lookups(&nodes, hash, &scattered(), |position| {
            rendezvous::order(&nodes, hash, position)
        });
        rows.push(row);
    }
    rows
}

fn maglev_rows() -> Vec<GoldenRow> {
    let memberships = equal_memberships().into_iter().chain(weighted_memberships());
    let mut rows = Vec::new();
    for ((nodes, hash), m) in
        memberships.zip(HASHES.into_iter().cycle()).zip([65537, 251, 101, 1009].into_iter().cycle())
    {
        let table = maglev::table(&nodes, hash, m);
        let mut row = row("maglev", &hash_name(hash), &nodes);
        row.entries = Some(m);
        let of_keys = keys().into_iter().map(|key| (Some(hex::encode(&key)), hash.hash(&key) % m));
        let positions = of_keys.chain((0..24).chain(m - 4..m).map(|entry| (None, entry)));
        row.lookups = owner_lookups(&nodes, positions, |entry| {
            Some(table[usize::try_from(entry).expect("an entry is below m")])
        });
        rows.push(row);
    }
    rows
}

fn ordered_rows(family: &str) -> Vec<GoldenRow> {
    let mut rows = Vec::new();
    for (nodes, hash) in equal_memberships().into_iter().zip(HASHES.into_iter().cycle()) {
        let n = nodes.len();
        let owner = |position| match family {
            "jump" => {
                let bucket = jump::bucket(position, u32::try_from(n).expect("a short list"));
                usize::try_from(bucket).expect("32 bits fit")
            }
            _ => modulo::place(position, n),
        };
        let of_keys = keys().into_iter().map(|key| (Some(hex::encode(&key)), hash.hash(&key)));
        let positions = of_keys.chain(scattered().into_iter().map(|position| (None, position)));
        let mut row = row(family, &hash_name(hash), &nodes);
        row.lookups = owner_lookups(&nodes, positions, |position| Some(owner(position)));
        rows.push(row);
    }
    rows
}

fn slots_rows() -> Vec<GoldenRow> {
    let memberships = equal_memberships().into_iter().chain(weighted_memberships());
    memberships.map(|nodes| slots_row(&nodes)).collect()
}

fn slots_row(nodes: &[OracleNode]) -> GoldenRow {
    let mut slots = OracleSlots::even(nodes.to_vec());
    let mut row = row("slots", "crc16", nodes);
    let of_keys = keys().into_iter().map(|key| (Some(hex::encode(&key)), u64::from(slot(&key))));
    let positions = of_keys.chain([0, 5460, 5461, 8191, 8192, 16383].map(|slot| (None, slot)));
    row.lookups = owner_lookups(nodes, positions, |slot| {
        slots.map[usize::try_from(slot).expect("a slot is below 16384")]
    });
    let first = nodes[live(nodes)[0]].id.clone();
    let mut record = |slots: &OracleSlots, step: &str, id: Option<&str>, weight| {
        let id = id.map(str::to_owned);
        row.steps.push(GoldenStep { step: step.to_owned(), id, weight, ranges: slots.ranges() });
    };

    record(&slots, "even split", None, None);
    slots.add(OracleNode::new("joins").weighing(2));
    record(&slots, "add", Some("joins"), Some(2));
    slots.rebalance();
    record(&slots, "rebalance", None, None);
    for weight in [3, 0] {
        slots.reweight(&first, weight);
        record(&slots, "reweight", Some(&first), Some(weight));
        slots.rebalance();
        record(&slots, "rebalance", None, None);
    }
    slots.reweight(&first, 1);
    record(&slots, "reweight", Some(&first), Some(1));
    slots.remove("joins");
    record(&slots, "remove", Some("joins"), None);
    slots.rebalance();
    record(&slots, "rebalance", None, None);
    row
}
