//! The oracles agree with every row that other programs wrote down.

use std::collections::BTreeMap;

use homing_tests::oracle::{self, OracleNode, jump, maglev, modulo, rendezvous, ring, slots};
use homing_tests::vectors::{
    self, ArticleRing, ArticleRow, CreateRow, HeadRow, JumpRow, KeySlotRow, LayoutRow, Piece,
    digest_of_lines,
};
use sha2::{Digest as _, Sha256};

#[test]
fn the_pieces_agree_with_their_rows() {
    for piece in vectors::rows("homing/pieces.jsonl") {
        match piece {
            Piece::Mix64 { rows } => {
                for (x, mixed) in rows {
                    assert_eq!(oracle::mix64(x), mixed, "mix64({x})");
                }
            }
            Piece::Draw { hash, rows } => {
                for (id, i, drawn) in rows {
                    assert_eq!(oracle::draw(hash.oracle(), &id, i), drawn, "draw {i} of {id:?}");
                }
            }
            Piece::Score { rows } => {
                for (position, seed, score) in rows {
                    assert_eq!(rendezvous::score(position, seed), score, "{position} with {seed}");
                }
            }
            Piece::Ln { rows } => {
                for (score, bits) in rows {
                    let ln = rendezvous::ln_of_score(score);
                    assert_eq!(ln.to_bits(), bits, "the logarithm of score {score}");
                }
            }
        }
    }
}

#[test]
fn the_ring_agrees_with_its_rows() {
    for (line, row) in vectors::rows::<LayoutRow>("homing/ring.jsonl").iter().enumerate() {
        let (nodes, hash) = (row.oracle_nodes(), row.hash.oracle());
        let per_unit = row.points_a_weight_unit.expect("a ring row states its points");
        let ring = ring::OracleRing::drawn(&nodes, hash, per_unit);

        assert_eq!(Some(ring.points.len()), row.points, "row {line}");
        let lines = ring.points.iter().map(|(point, owner)| format!("{point} {owner}"));
        assert_eq!(Some(digest_of_lines(lines)), row.points_sha256, "row {line}");
        for (head, &(point, owner)) in row.head.iter().zip(&ring.points) {
            assert_eq!(*head, HeadRow::Point(point, owner), "row {line}");
        }
        assert!(ring.points.ends_with(&row.tail), "row {line}");
        for lookup in &row.lookups_hex {
            assert_eq!(hash.hash(&lookup.key), lookup.hash, "row {line}");
            assert_eq!(ring.owner(lookup.hash), lookup.owner, "row {line}");
            let order = ring.order(lookup.hash);
            assert!(order.starts_with(&lookup.order), "row {line}: {order:?}, {lookup:?}");
        }
        for lookup in &row.positions {
            assert_eq!(ring.owner(lookup.position), lookup.order[0], "row {line}: {lookup:?}");
        }
    }
}

#[test]
fn rendezvous_agrees_with_its_rows() {
    for file in ["homing/rendezvous.jsonl", "homing/rendezvous_weighted.jsonl"] {
        for (line, row) in vectors::rows::<LayoutRow>(file).iter().enumerate() {
            let (nodes, hash) = (row.oracle_nodes(), row.hash.oracle());
            for (node, &seed) in nodes.iter().zip(&row.seeds) {
                assert_eq!(oracle::draw(hash, &node.id, 0), seed, "{file} row {line}");
            }
            for lookup in &row.lookups_hex {
                assert_eq!(hash.hash(&lookup.key), lookup.hash, "{file} row {line}");
                let order = rendezvous::order(&nodes, hash, lookup.hash);
                assert_eq!(order[0], lookup.owner, "{file} row {line}");
                assert!(order.starts_with(&lookup.order), "{file} row {line}: {lookup:?}");
            }
            for lookup in &row.positions {
                let order = rendezvous::order(&nodes, hash, lookup.position);
                assert!(order.starts_with(&lookup.order), "{file} row {line}: {lookup:?}");
            }
            let tied = &row.positions[row.positions.len() - row.tied_positions..];
            for lookup in tied {
                let score = |i: usize| {
                    rendezvous::score(lookup.position, oracle::draw(hash, &nodes[i].id, 0))
                };
                let order = rendezvous::order(&nodes, hash, lookup.position);
                assert_eq!(score(order[0]), score(order[1]), "{file} row {line}: a tie");
            }
        }
    }
}

#[test]
fn maglev_agrees_with_its_rows() {
    for file in ["homing/maglev.jsonl", "homing/maglev_weighted.jsonl"] {
        for (line, row) in vectors::rows::<LayoutRow>(file).iter().enumerate() {
            let (nodes, hash) = (row.oracle_nodes(), row.hash.oracle());
            let m = row.m.expect("a maglev row states its entries");
            let pairs = nodes.iter().map(|node| maglev::offset_and_skip(hash, &node.id, m));
            let (offsets, skips): (Vec<u64>, Vec<u64>) = pairs.unzip();
            let table = maglev::table(&nodes, hash, m);

            assert_eq!(maglev::entries(&nodes, m), row.entries, "{file} row {line}");
            assert!(row.offset.as_ref().is_none_or(|o| *o == offsets), "{file} row {line}");
            assert!(row.skip.as_ref().is_none_or(|s| *s == skips), "{file} row {line}");
            assert!(row.table.as_ref().is_none_or(|t| *t == table), "{file} row {line}");
            for (head, &owner) in row.head.iter().zip(&table) {
                assert_eq!(*head, HeadRow::Entry(owner), "{file} row {line}");
            }
            let lines = table.iter().map(ToString::to_string);
            assert_eq!(Some(digest_of_lines(lines)), row.table_sha256, "{file} row {line}");
            for lookup in &row.lookups_hex {
                assert_eq!(hash.hash(&lookup.key), lookup.hash, "{file} row {line}");
                let entry = usize::try_from(lookup.hash % m).expect("an entry is below m");
                assert_eq!(table[entry], lookup.owner, "{file} row {line}: {lookup:?}");
            }
        }
    }
}

#[test]
fn jump_agrees_with_its_rows() {
    for row in vectors::rows::<JumpRow>("jump/jump.csv") {
        assert_eq!(jump::bucket(row.key, row.buckets), row.bucket, "{row:?}");
    }
    for row in vectors::rows::<LayoutRow>("homing/jump.jsonl") {
        let n = row.buckets.expect("a jump row states its buckets");
        let owner = |position| usize::try_from(jump::bucket(position, n)).expect("32 bits fit");
        for lookup in &row.lookups_hex {
            assert_eq!(row.hash.oracle().hash(&lookup.key), lookup.hash);
            assert_eq!(owner(lookup.hash), lookup.owner, "{lookup:?} of {n}");
        }
        for lookup in &row.positions {
            assert_eq!(owner(lookup.position), lookup.order[0], "{lookup:?} of {n}");
        }
    }
}

#[test]
fn modulo_agrees_with_its_rows() {
    for row in vectors::rows::<LayoutRow>("homing/modulo.jsonl") {
        let n = row.buckets.expect("a modulo row states its buckets");
        let n = usize::try_from(n).expect("32 bits fit");
        for lookup in &row.lookups_hex {
            assert_eq!(row.hash.oracle().hash(&lookup.key), lookup.hash);
            assert_eq!(modulo::place(lookup.hash, n), lookup.owner, "{lookup:?} of {n}");
        }
        for lookup in &row.positions {
            assert_eq!(modulo::place(lookup.position, n), lookup.order[0], "{lookup:?} of {n}");
        }
    }
}

#[test]
fn the_slot_of_a_key_agrees_with_the_servers() {
    for row in vectors::rows::<KeySlotRow>("redis/keyslot.csv") {
        assert_eq!(slots::slot(&row.key()), row.slot, "{row:?}");
    }
}

#[test]
fn the_even_split_agrees_with_the_ranges_that_redis_cli_makes() {
    for row in vectors::rows::<CreateRow>("redis/create_allocation.jsonl") {
        let (order, ranges) = match row {
            CreateRow::Create { masters, ranges, .. } => ((0..masters).collect(), ranges),
            CreateRow::CreateHosts { hosts, replicas, masters } => {
                let (places, ranges): (Vec<usize>, Vec<_>) = masters.into_iter().unzip();
                assert_eq!(vectors::interleaved(&hosts, replicas as usize), places, "{hosts:?}");
                (places, ranges)
            }
        };
        // The split goes by id, so the ids are given in the order of the ranges.
        let nodes: Vec<OracleNode> =
            (0..order.len()).map(|k| OracleNode::new(&format!("m{k:04}"))).collect();
        let split = slots::ranges(&slots::even_split(&nodes));
        let expected: Vec<_> =
            ranges.iter().enumerate().map(|(k, &(first, last))| (first, last, Some(k))).collect();
        assert_eq!(split, expected, "{} masters", order.len());
    }
}

// The article's ring in full: points of 256 bits, a key belongs to the first at or above it.
fn article_ring(nodes: &[String], copies: u32) -> Vec<([u8; 32], String)> {
    let mut ring = Vec::new();
    for node in nodes {
        for copy in 0..copies {
            ring.push((Sha256::digest(format!("node:{node}:{copy}")).into(), node.clone()));
        }
    }
    ring.sort();
    ring
}

fn article_owner<'a>(ring: &'a [([u8; 32], String)], key: &str) -> &'a str {
    let digest: [u8; 32] = Sha256::digest(key).into();
    &ring.iter().find(|(point, _)| *point >= digest).unwrap_or(&ring[0]).1
}

fn decimal(bytes: &[u8; 32]) -> String {
    let mut number = bytes.to_vec();
    let mut digits = Vec::new();
    while number.iter().any(|&byte| byte != 0) {
        let mut rest = 0_u16;
        for byte in &mut number {
            let value = rest * 256 + u16::from(*byte);
            *byte = u8::try_from(value / 10).expect("the rest is below 10");
            rest = value % 10;
        }
        digits.push(char::from(b'0' + u8::try_from(rest).expect("the rest is below 10")));
    }
    digits.iter().rev().collect()
}

fn article_digest(ring: &[([u8; 32], String)]) -> String {
    digest_of_lines(ring.iter().map(|(point, node)| format!("{} {node}", decimal(point))))
}

fn check_article_ring(row: &ArticleRing) {
    let before = article_ring(&row.nodes, row.copies);
    let after_add = article_ring(&[row.nodes.clone(), row.added.clone()].concat(), row.copies);
    let survivors: Vec<String> = row.nodes.iter().filter(|n| **n != row.removed).cloned().collect();
    let after_remove = article_ring(&survivors, row.copies);

    assert_eq!(article_digest(&before), row.points_sha256);
    assert_eq!(article_digest(&after_add), row.points_after_add_sha256);
    for ((point, node), (hex_point, owner)) in before.iter().zip(&row.points_hex) {
        assert_eq!((hex::encode(point), node), (hex_point.clone(), owner));
    }
    for (key, hash, owner, added, removed) in &row.lookups {
        assert_eq!(hex::encode(Sha256::digest(key)), *hash);
        assert_eq!(article_owner(&before, key), owner, "{key}");
        assert_eq!(article_owner(&after_add, key), added, "{key}");
        assert_eq!(article_owner(&after_remove, key), removed, "{key}");
    }
    for (key, owner) in &row.tie_lookups {
        assert_eq!(article_owner(&before, key), owner, "{key} lies on a point");
    }
    assert_eq!(article_owner(&before, "key:hot"), row.owner_of_key_hot);

    let keys: Vec<String> = (0..row.keys_counted).map(|i| format!("key:{i}")).collect();
    let owners = |ring| -> Vec<&str> { keys.iter().map(|key| article_owner(ring, key)).collect() };
    let (old, new, left) = (owners(&before), owners(&after_add), owners(&after_remove));
    assert_eq!(counts(&old), row.owner_counts);
    assert_eq!(counts(&new), row.owner_counts_after_add);
    assert_eq!(counts(&left), row.owner_counts_after_remove);
    assert_eq!(old.iter().zip(&new).filter(|(a, b)| a != b).count(), row.moved_on_add);
    assert_eq!(old.iter().zip(&left).filter(|(a, b)| a != b).count(), row.moved_on_remove);

    let n = row.nodes.len();
    let remainder = |key: &str, n: usize| {
        Sha256::digest(key).iter().fold(0, |rest, &byte| (rest * 256 + usize::from(byte)) % n)
    };
    let moved = keys.iter().filter(|key| remainder(key, n) != remainder(key, n + 1)).count();
    assert_eq!(moved, row.moved_modulo_n_to_n_plus_1);
}

fn counts(owners: &[&str]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for owner in owners {
        *counts.entry((*owner).to_owned()).or_default() += 1;
    }
    counts
}

#[test]
fn the_sha256_ring_of_the_article_agrees_with_its_rows() {
    for row in vectors::rows::<ArticleRow>("articles/sha256_ring.jsonl") {
        match row {
            ArticleRow::Ring(row) => check_article_ring(&row),
            ArticleRow::Integers { simple, joined, removed, lookups } => {
                let ring = |(points, ids): &(Vec<u64>, Vec<String>)| {
                    let nodes: Vec<OracleNode> = ids.iter().map(|id| OracleNode::new(id)).collect();
                    let points: Vec<(u64, &str)> =
                        points.iter().copied().zip(ids.iter().map(String::as_str)).collect();
                    (ring::OracleRing::assigned(&nodes, &points), nodes)
                };
                let [simple, joined, removed] = [ring(&simple), ring(&joined), ring(&removed)];
                for (position, before, after_add, after_remove) in lookups {
                    let owner = |(ring, nodes): &(ring::OracleRing, Vec<OracleNode>)| {
                        nodes[ring.owner(position)].id.clone()
                    };
                    assert_eq!(owner(&simple), before, "position {position}");
                    assert_eq!(owner(&joined), after_add, "position {position}");
                    assert_eq!(owner(&removed), after_remove, "position {position}");
                }
            }
        }
    }
}
