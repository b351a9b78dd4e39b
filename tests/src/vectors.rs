//! The golden vectors, read at run time.
//!
//! They are read from the folder that the environment variable `HOMING_VECTORS`
//! names, or, when it is not set, from `tests/data/vectors`. A file that is
//! missing, has no rows or has a row of another shape panics: a test that reads
//! nothing would prove nothing.

use std::fmt::{self, Write as _};
use std::path::PathBuf;
use std::{env, fs};

use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest as _, Sha256};

use crate::oracle::{OracleHash, OracleNode};

/// The folder the vectors are in.
#[must_use]
pub fn folder() -> PathBuf {
    env::var_os("HOMING_VECTORS").map_or_else(
        || [env!("CARGO_MANIFEST_DIR"), "data", "vectors"].iter().collect(),
        PathBuf::from,
    )
}

/// The rows of a `.jsonl` or a `.csv` file of the folder.
///
/// # Panics
///
/// Panics if the file is missing, has no rows, or a row has another shape.
#[must_use]
pub fn rows<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let path = folder().join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let rows: Vec<T> = if path.extension().is_some_and(|extension| extension == "csv") {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        reader.deserialize().collect::<Result<_, _>>().unwrap_or_else(|e| panic!("{file}: {e}"))
    } else {
        let numbered = text.lines().enumerate().filter(|(_, line)| !line.is_empty());
        numbered
            .map(|(i, line)| {
                serde_json::from_str(line).unwrap_or_else(|e| panic!("{file}:{}: {e}", i + 1))
            })
            .collect()
    };
    assert!(!rows.is_empty(), "{}: no rows", path.display());
    rows
}

/// The SHA-256 of lines, in lower-case hex, as the digests of points and tables.
#[must_use]
pub fn digest_of_lines(lines: impl IntoIterator<Item = String>) -> String {
    let mut text = String::new();
    for line in lines {
        writeln!(text, "{line}").expect("a string takes every line");
    }
    hex::encode(Sha256::digest(text))
}

/// The key hash of a record.
#[derive(Clone, Debug, Deserialize)]
pub struct HashRow {
    /// `xxh3` or `sha256`.
    pub name: String,
    /// The seed; only of `xxh3`.
    #[serde(default)]
    pub seed: u64,
}

impl HashRow {
    /// The hash that the record names.
    ///
    /// # Panics
    ///
    /// Panics if the name is unknown.
    #[must_use]
    pub fn oracle(&self) -> OracleHash {
        match self.name.as_str() {
            "xxh3" => OracleHash::Xxh3(self.seed),
            "sha256" => OracleHash::Sha256,
            other => panic!("hash is {other:?}, but must be xxh3 or sha256"),
        }
    }
}

/// A looked-up key: `[key_hex, position before reduction, owner]`, or with a
/// fourth element, the first nodes in order.
#[derive(Clone, Deserialize)]
#[serde(from = "LookupRow")]
pub struct Lookup {
    /// The bytes of the key.
    pub key: Vec<u8>,
    /// The hash of the key.
    pub hash: u64,
    /// The owner, as a place in the record's nodes.
    pub owner: usize,
    /// The first nodes in order, the owner first; empty where not recorded.
    pub order: Vec<usize>,
}

/// The key in hexadecimal digits, as it is recorded.
impl fmt::Debug for Lookup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, hash, owner, order } = self;
        write!(f, "key {}, hash {hash}, owner {owner}, order {order:?}", hex::encode(key))
    }
}

#[derive(Deserialize)]
#[serde(untagged)]
enum LookupRow {
    Owner(String, u64, usize),
    Order(String, u64, usize, Vec<usize>),
}

impl From<LookupRow> for Lookup {
    fn from(row: LookupRow) -> Self {
        let (key, hash, owner, order) = match row {
            LookupRow::Owner(key, hash, owner) => (key, hash, owner, Vec::new()),
            LookupRow::Order(key, hash, owner, order) => (key, hash, owner, order),
        };
        Self { key: hex::decode(key).expect("a recorded key is hex"), hash, owner, order }
    }
}

/// A looked-up position: `[position, owner]` or `[position, order]`.
#[derive(Clone, Debug, Deserialize)]
#[serde(from = "PositionRow")]
pub struct PositionLookup {
    /// The position.
    pub position: u64,
    /// The first nodes in order, the owner first.
    pub order: Vec<usize>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum PositionRow {
    Owner(u64, usize),
    Order(u64, Vec<usize>),
}

impl From<PositionRow> for PositionLookup {
    fn from(row: PositionRow) -> Self {
        match row {
            PositionRow::Owner(position, owner) => Self { position, order: vec![owner] },
            PositionRow::Order(position, order) => Self { position, order },
        }
    }
}

/// A record of `homing/`, but those of `pieces.jsonl`.
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "the fields are described in data/vectors/README.md")]
pub struct LayoutRow {
    pub hash: HashRow,
    #[serde(default)]
    pub nodes: Vec<String>,
    pub weights: Option<Vec<u32>>,
    pub lookups_hex: Vec<Lookup>,
    #[serde(default)]
    pub positions: Vec<PositionLookup>,
    // ring
    pub points_a_weight_unit: Option<u32>,
    pub points: Option<usize>,
    pub points_sha256: Option<String>,
    #[serde(default)]
    pub tail: Vec<(u64, usize)>,
    // rendezvous
    #[serde(default)]
    pub seeds: Vec<u64>,
    #[serde(default)]
    pub tied_positions: usize,
    // maglev
    pub m: Option<u64>,
    #[serde(default)]
    pub entries: Vec<u64>,
    pub table_sha256: Option<String>,
    pub table: Option<Vec<usize>>,
    pub offset: Option<Vec<u64>>,
    pub skip: Option<Vec<u64>>,
    // ring: the first points; maglev: the first entries
    #[serde(default)]
    pub head: Vec<HeadRow>,
    // jump, modulo
    pub buckets: Option<u32>,
}

/// The first points of a ring, or the first entries of a table.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq)]
#[serde(untagged)]
pub enum HeadRow {
    /// A point with its owner.
    Point(u64, usize),
    /// The owner of an entry.
    Entry(usize),
}

impl LayoutRow {
    /// The record's nodes with their weights.
    ///
    /// # Panics
    ///
    /// Panics unless there is a weight for each node, or none at all.
    #[must_use]
    pub fn oracle_nodes(&self) -> Vec<OracleNode> {
        let weights = self.weights.clone().unwrap_or_else(|| vec![1; self.nodes.len()]);
        assert_eq!(weights.len(), self.nodes.len(), "a weight is recorded for each node");
        let pairs = self.nodes.iter().zip(weights);
        pairs.map(|(id, weight)| OracleNode::new(id).weighing(weight)).collect()
    }
}

/// A record of `homing/pieces.jsonl`.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "definition", rename_all = "lowercase")]
#[expect(missing_docs, reason = "the fields are described in data/vectors/README.md")]
pub enum Piece {
    /// `[in, out]`
    Mix64 { rows: Vec<(u64, u64)> },
    /// `[id, i, out]`
    Draw { hash: HashRow, rows: Vec<(String, u64, u64)> },
    /// `[position, seed, score]`
    Score { rows: Vec<(u64, u64, u32)> },
    /// `[score, bits of ln((score + 0.5) / 2^32)]`
    Ln { rows: Vec<(u32, u64)> },
}

/// A row of `jump/jump.csv`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[expect(missing_docs, reason = "the fields are described in data/vectors/README.md")]
pub struct JumpRow {
    pub key: u64,
    pub buckets: u32,
    pub bucket: u32,
}

/// A row of `redis/keyslot.csv`.
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "the fields are described in data/vectors/README.md")]
pub struct KeySlotRow {
    pub key_hex: String,
    pub slot: u16,
    pub category: String,
}

impl KeySlotRow {
    /// The bytes of the key.
    ///
    /// # Panics
    ///
    /// Panics if the recorded key is not hex.
    #[must_use]
    pub fn key(&self) -> Vec<u8> {
        hex::decode(&self.key_hex).expect("a recorded key is hex")
    }
}

/// A record of `redis/create_allocation.jsonl`.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
#[expect(missing_docs, reason = "the fields are described in data/vectors/README.md")]
pub enum CreateRow {
    /// Masters on one host.
    Create { masters: usize, replicas: u32, ranges: Vec<(usize, usize)>, counts: Vec<usize> },
    /// Masters on several hosts, interleaved before they are given ranges.
    CreateHosts {
        hosts: Vec<String>,
        replicas: u32,
        #[serde(rename = "master_index_and_range_in_slot_order")]
        masters: Vec<(usize, (usize, usize))>,
    },
}

/// The places of the masters in order of their ranges: the hosts in order of first
/// appearance, one node of each in turn, cut after the masters.
#[must_use]
pub fn interleaved(hosts: &[String], replicas: usize) -> Vec<usize> {
    let mut distinct: Vec<&String> = Vec::new();
    for host in hosts {
        if !distinct.contains(&host) {
            distinct.push(host);
        }
    }
    let mut order = Vec::new();
    for round in 0..hosts.len() {
        for host in &distinct {
            let mut own = (0..hosts.len()).filter(|&i| hosts[i] == **host);
            order.extend(own.nth(round));
        }
    }
    order.truncate(hosts.len() / (replicas + 1));
    order
}

/// A record of `articles/sha256_ring.jsonl`.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
#[expect(missing_docs, reason = "the fields are described in data/vectors/README.md")]
pub enum ArticleRow {
    /// A ring of 256-bit points.
    Ring(Box<ArticleRing>),
    /// Rings of small integers: points, then their owners.
    Integers {
        simple: (Vec<u64>, Vec<String>),
        joined: (Vec<u64>, Vec<String>),
        removed: (Vec<u64>, Vec<String>),
        lookups: Vec<(u64, String, String, String)>,
    },
}

/// A ring whose points are whole SHA-256 digests, of `node:{node}:{copy}`.
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "the fields are described in data/vectors/README.md")]
pub struct ArticleRing {
    pub nodes: Vec<String>,
    pub copies: u32,
    pub added: Vec<String>,
    pub removed: String,
    pub keys_counted: usize,
    pub moved_on_add: usize,
    pub moved_on_remove: usize,
    pub moved_modulo_n_to_n_plus_1: usize,
    pub owner_counts: std::collections::BTreeMap<String, usize>,
    pub owner_counts_after_add: std::collections::BTreeMap<String, usize>,
    pub owner_counts_after_remove: std::collections::BTreeMap<String, usize>,
    pub points_sha256: String,
    pub points_after_add_sha256: String,
    pub owner_of_key_hot: String,
    #[serde(alias = "points_hex_first")]
    pub points_hex: Vec<(String, String)>,
    pub lookups: Vec<(String, String, String, String, String)>,
    pub tie_lookups: Vec<(String, String)>,
}
