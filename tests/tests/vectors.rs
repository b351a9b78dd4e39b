//! Every row of the golden vectors through the crates.
//!
//! The rows are read at run time, from the folder that `HOMING_VECTORS` names when it is
//! set. Each file tells how many rows were checked, whether the output is captured or not.

use std::collections::BTreeMap;
use std::io::Write as _;

use homing_core::{
    Build as _, KeyHash, Members, Node, NodeId, NodeIndex, Placement, Spread, draw, mix64,
};
use homing_jump::{Jump, jump};
use homing_maglev::Maglev;
use homing_modulo::Modulo;
use homing_rendezvous::{Rendezvous, ln, score};
use homing_ring::{Points, Ring};
use homing_slots::{Slots, slot};
use homing_tests::bridge::{add, key_hash, members, owner, owner_at, remove};
use homing_tests::vectors::{
    self, ArticleRing, ArticleRow, CreateRow, HeadRow, JumpRow, KeySlotRow, LayoutRow, Piece,
    digest_of_lines,
};
use serde::de::DeserializeOwned;

// Written around the capture of output. The line starts on its own whatever stands there.
fn rows<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let rows = vectors::rows(file);
    let line = format!("\n{file}: {} rows\n", rows.len());
    std::io::stdout().write_all(line.as_bytes()).expect("standard output is open");
    rows
}

fn place(index: Option<NodeIndex>) -> usize {
    index.expect("every position has an owner").get()
}

// What holds for every family: positions, owners and replicas of the recorded keys.
fn check_lookups(layout: &dyn Placement, row: &LayoutRow, context: &str) {
    let mut replicas = Vec::new();
    let mut check_order = |position, order: &[usize]| {
        assert_eq!(place(layout.owner_at(position)), order[0], "{context}: owner of {position}");
        if layout.family().capabilities.replicas {
            layout.replicas_at(position, order.len(), Spread::Nodes, &mut replicas);
            let places: Vec<usize> = replicas.iter().map(|index| index.get()).collect();
            assert_eq!(places, order, "{context}: nodes of {position}");
        }
    };
    for lookup in &row.lookups_hex {
        let position = match layout.max_position() {
            u64::MAX => lookup.hash,
            max => lookup.hash % (max + 1),
        };
        assert_eq!(layout.position(&lookup.key), position, "{context}: {lookup:?}");
        check_order(position, &[lookup.owner]);
        if !lookup.order.is_empty() {
            check_order(position, &lookup.order);
        }
    }
    for lookup in &row.positions {
        check_order(lookup.position, &lookup.order);
    }
    let keys: Vec<&[u8]> = row.lookups_hex.iter().map(|lookup| lookup.key.as_slice()).collect();
    let mut owners = vec![None; keys.len()];
    layout.owners(&keys, &mut owners);
    for (lookup, owner) in row.lookups_hex.iter().zip(owners) {
        assert_eq!(place(owner), lookup.owner, "{context}: in one batch");
    }
}

#[test]
fn pieces() {
    for piece in rows("homing/pieces.jsonl") {
        match piece {
            Piece::Mix64 { rows } => {
                for (x, mixed) in rows {
                    assert_eq!(mix64(x), mixed, "mix64({x})");
                }
            }
            Piece::Draw { hash, rows } => {
                for (id, i, drawn) in rows {
                    let hash = key_hash(hash.oracle()).hash(id.as_bytes());
                    assert_eq!(draw(hash, i), drawn, "draw {i} of {id:?}");
                }
            }
            Piece::Score { rows } => {
                for (position, seed, scored) in rows {
                    assert_eq!(score(position, seed), scored, "{position} with {seed}");
                }
            }
            Piece::Ln { rows } => {
                for (score, bits) in rows {
                    assert_eq!(ln(score).to_bits(), bits, "the logarithm of score {score}");
                }
            }
        }
    }
}

#[test]
fn ring() {
    for (line, row) in rows::<LayoutRow>("homing/ring.jsonl").iter().enumerate() {
        let context = format!("ring row {line}");
        let per_weight = row.points_a_weight_unit.expect("a ring row states its points");
        let config = homing_ring::Config {
            hash: key_hash(row.hash.oracle()),
            points: Points::Drawn { per_weight },
            ..homing_ring::Config::default()
        };
        let ring = Ring::build(config, members(&row.oracle_nodes())).unwrap();
        let points: Vec<(u64, usize)> = ring.points().map(|(p, index)| (p, index.get())).collect();

        assert_eq!(Some(points.len()), row.points, "{context}");
        let lines = points.iter().map(|(point, owner)| format!("{point} {owner}"));
        assert_eq!(Some(digest_of_lines(lines)), row.points_sha256, "{context}");
        let head: Vec<HeadRow> =
            points.iter().map(|&(p, owner)| HeadRow::Point(p, owner)).collect();
        assert!(head.starts_with(&row.head), "{context}");
        assert!(points.ends_with(&row.tail), "{context}");
        check_lookups(&ring, row, &context);
    }
}

#[test]
fn rendezvous() {
    for file in ["homing/rendezvous.jsonl", "homing/rendezvous_weighted.jsonl"] {
        for (line, row) in rows::<LayoutRow>(file).iter().enumerate() {
            let hash = key_hash(row.hash.oracle());
            for (id, &seed) in row.nodes.iter().zip(&row.seeds) {
                assert_eq!(draw(hash.hash(id.as_bytes()), 0), seed, "{file} row {line}");
            }
            let config = homing_rendezvous::Config { hash, ..Default::default() };
            let layout = Rendezvous::build(config, members(&row.oracle_nodes())).unwrap();
            check_lookups(&layout, row, &format!("{file} row {line}"));
        }
    }
}

#[test]
fn maglev() {
    for file in ["homing/maglev.jsonl", "homing/maglev_weighted.jsonl"] {
        for (line, row) in rows::<LayoutRow>(file).iter().enumerate() {
            let context = format!("{file} row {line}");
            let hash = key_hash(row.hash.oracle());
            let m = row.m.expect("a maglev row states its entries");
            let entries = u32::try_from(m).unwrap();
            let config = homing_maglev::Config { hash, entries, ..Default::default() };
            let layout = Maglev::build(config, members(&row.oracle_nodes())).unwrap();
            let table: Vec<usize> =
                (0..m).map(|position| place(layout.owner_at(position))).collect();
            let mut counts = vec![0; row.nodes.len()];
            for &owner in &table {
                counts[owner] += 1;
            }

            assert_eq!(counts, row.entries, "{context}");
            assert!(row.table.as_ref().is_none_or(|t| *t == table), "{context}");
            let head: Vec<HeadRow> = table.iter().map(|&owner| HeadRow::Entry(owner)).collect();
            assert!(head.starts_with(&row.head), "{context}");
            let lines = table.iter().map(ToString::to_string);
            assert_eq!(Some(digest_of_lines(lines)), row.table_sha256, "{context}");
            for (i, id) in row.nodes.iter().enumerate() {
                let id_hash = hash.hash(id.as_bytes());
                let offset = draw(id_hash, 0) % m;
                let skip = draw(id_hash, 1) % (m - 1) + 1;
                assert!(row.offset.as_ref().is_none_or(|o| o[i] == offset), "{context}");
                assert!(row.skip.as_ref().is_none_or(|s| s[i] == skip), "{context}");
            }
            check_lookups(&layout, row, &context);
        }
    }
}

#[test]
fn jump_buckets() {
    for row in rows::<JumpRow>("jump/jump.csv") {
        assert_eq!(jump(row.key, row.buckets), Some(row.bucket), "{row:?}");
    }
    for (line, row) in rows::<LayoutRow>("homing/jump.jsonl").iter().enumerate() {
        let n = row.buckets.expect("a jump row states its buckets");
        let hash = key_hash(row.hash.oracle());
        for lookup in &row.lookups_hex {
            assert_eq!(hash.hash(&lookup.key), lookup.hash, "row {line}");
            let bucket = jump(lookup.hash, n).map(|bucket| usize::try_from(bucket).unwrap());
            assert_eq!(bucket, Some(lookup.owner), "row {line}: {lookup:?}");
        }
        for lookup in &row.positions {
            let bucket = jump(lookup.position, n).map(|bucket| usize::try_from(bucket).unwrap());
            assert_eq!(bucket, Some(lookup.order[0]), "row {line}: {lookup:?}");
        }
        if let Some(members) = buckets(row, n) {
            let layout =
                Jump::build(homing_jump::Config { hash, ..Default::default() }, members).unwrap();
            check_lookups(&layout, row, &format!("jump row {line}"));
        }
    }
}

#[test]
fn modulo() {
    for (line, row) in rows::<LayoutRow>("homing/modulo.jsonl").iter().enumerate() {
        let n = row.buckets.expect("a modulo row states its buckets");
        let hash = key_hash(row.hash.oracle());
        let config = homing_modulo::Config { hash, ..Default::default() };
        if let Some(members) = buckets(row, n) {
            let layout = Modulo::build(config, members).unwrap();
            check_lookups(&layout, row, &format!("modulo row {line}"));
        } else {
            // 2^31 - 1 members are too many to hold: their remainder is plain arithmetic.
            let layout = Modulo::build(config, Members::named(["one"]).unwrap()).unwrap();
            for lookup in &row.lookups_hex {
                assert_eq!(layout.position(&lookup.key), lookup.hash, "row {line}");
                assert_eq!(usize::try_from(lookup.hash % u64::from(n)), Ok(lookup.owner));
            }
        }
    }
}

// The members of a row, made up where only their number is recorded; none above 2^20.
fn buckets(row: &LayoutRow, n: u32) -> Option<Members> {
    if !row.nodes.is_empty() {
        assert_eq!(row.nodes.len(), usize::try_from(n).unwrap(), "a node for each bucket");
        return Some(members(&row.oracle_nodes()));
    }
    (n <= 1 << 20).then(|| Members::new((0..n).map(|i| Node::new(format!("node-{i}")))).unwrap())
}

#[test]
fn keyslot() {
    let slots = Slots::build(homing_slots::Config::default(), Members::named(["a"]).unwrap());
    let slots = slots.unwrap();
    for row in rows::<KeySlotRow>("redis/keyslot.csv") {
        assert_eq!(slot(&row.key()), row.slot, "{row:?}");
        assert_eq!(slots.position(&row.key()), u64::from(row.slot), "{row:?}");
    }
}

#[test]
fn create_allocation() {
    for row in rows::<CreateRow>("redis/create_allocation.jsonl") {
        let ranges: Vec<(usize, usize)> = match row {
            CreateRow::Create { masters, ranges } => {
                assert_eq!(ranges.len(), masters);
                ranges
            }
            CreateRow::CreateHosts { hosts, replicas, master_index_and_range_in_slot_order } => {
                let (places, ranges): (Vec<usize>, Vec<_>) =
                    master_index_and_range_in_slot_order.into_iter().unzip();
                assert_eq!(vectors::interleaved(&hosts, replicas), places, "{hosts:?}");
                ranges
            }
        };
        // The split goes by id, so the ids are given in the order of the ranges.
        let ids: Vec<String> = (0..ranges.len()).map(|k| format!("m{k:04}")).collect();
        let members = Members::named(ids.iter().map(String::as_str)).unwrap();
        let slots = Slots::build(homing_slots::Config::default(), members).unwrap();
        let split: Vec<(usize, usize, String)> = slots
            .ranges()
            .into_iter()
            .map(|range| (range.first.into(), range.last.into(), range.node.as_str().to_owned()))
            .collect();
        let expected: Vec<(usize, usize, String)> =
            ranges.iter().zip(ids).map(|(&(first, last), id)| (first, last, id)).collect();
        assert_eq!(split, expected, "{} masters", ranges.len());
    }
}

#[test]
fn sha256_ring() {
    for row in rows::<ArticleRow>("articles/sha256_ring.jsonl") {
        match row {
            ArticleRow::Ring(row) => check_article_ring(&row),
            ArticleRow::Integers { simple, joined, removed, lookups } => {
                let [simple, joined, removed] = [simple, joined, removed].map(assigned);
                for (position, before, after_add, after_remove) in lookups {
                    let owner = |ring: &Ring| owner_at(ring, position).unwrap();
                    assert_eq!(owner(&simple), before, "position {position}");
                    assert_eq!(owner(&joined), after_add, "position {position}");
                    assert_eq!(owner(&removed), after_remove, "position {position}");
                }
            }
        }
    }
}

fn assigned((points, ids): (Vec<u64>, Vec<String>)) -> Ring {
    let members = Members::named(ids.iter().map(String::as_str)).unwrap();
    let points = points.into_iter().zip(ids.iter().map(NodeId::new)).collect();
    let config =
        homing_ring::Config { points: Points::Assigned(points), ..homing_ring::Config::default() };
    Ring::build(config, members).unwrap()
}

// The article's positions have 256 bits. The first 64, big-endian, keep their order, so owners,
// counts and moves are the article's; hash mod N alone differs, with 15,962 moves (not 16,013).
fn check_article_ring(row: &ArticleRing) {
    let config = homing_ring::Config {
        hash: KeyHash::Sha256,
        points: Points::Labelled {
            prefix: "node:".to_owned(),
            separator: ":".to_owned(),
            per_weight: row.copies,
        },
        ..homing_ring::Config::default()
    };
    let members = Members::named(row.nodes.iter().map(String::as_str)).unwrap();
    let before = Ring::build(config, members).unwrap();
    let joining: Vec<_> = row.added.iter().map(|id| add(id)).collect();
    let after_add = before.with_changes(&joining).unwrap();
    let after_remove = before.with_changes(&[remove(&row.removed)]).unwrap();

    for ((point, index), (hex_point, owner)) in before.points().zip(&row.points_hex) {
        assert_eq!(format!("{point:016x}"), hex_point[..16]);
        assert_eq!(before.node(index).id.as_str(), owner);
    }
    for (key, hash, old, added, removed) in &row.lookups {
        assert_eq!(format!("{:016x}", before.position(key.as_bytes())), hash[..16]);
        assert_eq!(owner(&before, key.as_bytes()).unwrap(), *old, "{key}");
        assert_eq!(owner(&after_add, key.as_bytes()).unwrap(), *added, "{key}");
        assert_eq!(owner(&after_remove, key.as_bytes()).unwrap(), *removed, "{key}");
    }
    for (key, expected) in &row.tie_lookups {
        assert_eq!(owner(&before, key.as_bytes()).unwrap(), *expected, "{key} is on a point");
    }
    assert_eq!(owner(&before, b"key:hot").unwrap(), row.owner_of_key_hot);

    let keys: Vec<String> = (0..row.keys_counted).map(|i| format!("key:{i}")).collect();
    let owners = |ring: &Ring| -> Vec<String> {
        keys.iter().map(|key| owner(ring, key.as_bytes()).unwrap()).collect()
    };
    let (old, new, left) = (owners(&before), owners(&after_add), owners(&after_remove));
    assert_eq!(counts(&old), row.owner_counts);
    assert_eq!(counts(&new), row.owner_counts_after_add);
    assert_eq!(counts(&left), row.owner_counts_after_remove);

    let moved = |other: &[String]| old.iter().zip(other).filter(|(a, b)| a != b).count();
    assert_eq!(moved(&new), row.moved_on_add);
    assert_eq!(moved(&left), row.moved_on_remove);
    for (from, to) in old.iter().zip(&new).filter(|(from, to)| from != to) {
        assert!(row.added.contains(to), "a key moved from {from} to {to}");
    }
    for (from, to) in old.iter().zip(&left).filter(|(from, to)| from != to) {
        assert_eq!(*from, row.removed, "a key moved from {from} to {to}");
    }
}

fn counts(owners: &[String]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for owner in owners {
        *counts.entry(owner.clone()).or_default() += 1;
    }
    counts
}
