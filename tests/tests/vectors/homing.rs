//! `homing/`: our default placements, as their definitions give them.

use homing_core::{Build as _, Members, Node, NodeIndex, Placement, Spread, draw, mix64};
use homing_jump::{Jump, jump as bucket_of};
use homing_maglev::Maglev;
use homing_modulo::Modulo;
use homing_rendezvous::{Rendezvous, ln, score};
use homing_ring::{Points, Ring};
use homing_tests::bridge::{key_hash, members};
use homing_tests::vectors::{HeadRow, LayoutRow, Piece, digest_of_lines};

use crate::tally::{Tally, read};

fn place(index: Option<NodeIndex>) -> usize {
    index.expect("every position has an owner").get()
}

// Checks every record of a file; a check returns how many lookups and other values it has
// compared.
fn each(file: &str, with: &str, check: impl Fn(&LayoutRow, &str) -> (usize, usize)) -> Tally {
    let (rows, mut tally) = read(file);
    for (line, row) in rows.iter().enumerate() {
        let (lookups, values) = check(row, &format!("{file}:{}", line + 1));
        tally.agree(with, lookups, values);
    }
    tally
}

// What holds for every family: positions, owners and replicas of the recorded keys.
fn check_lookups(layout: &dyn Placement, row: &LayoutRow, context: &str) -> usize {
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
    row.lookups_hex.len() + row.positions.len()
}

pub(crate) fn pieces(file: &str) -> Tally {
    let (rows, mut tally) = read(file);
    for piece in rows {
        let answers = match piece {
            Piece::Mix64 { rows } => {
                for &(x, mixed) in &rows {
                    assert_eq!(mix64(x), mixed, "{file}: mix64({x})");
                }
                rows.len()
            }
            Piece::Draw { hash, rows } => {
                for (id, i, drawn) in &rows {
                    let hash = key_hash(hash.oracle()).hash(id.as_bytes());
                    assert_eq!(draw(hash, *i), *drawn, "{file}: draw {i} of {id:?}");
                }
                rows.len()
            }
            Piece::Score { rows } => {
                for &(position, seed, scored) in &rows {
                    assert_eq!(score(position, seed), scored, "{file}: {position} with {seed}");
                }
                rows.len()
            }
            Piece::Ln { rows } => {
                for &(score, bits) in &rows {
                    assert_eq!(ln(score).to_bits(), bits, "{file}: the logarithm of score {score}");
                }
                rows.len()
            }
        };
        tally.agree("homing-core", answers, 0);
    }
    tally
}

pub(crate) fn ring(file: &str) -> Tally {
    each(file, "homing-ring", |row, context| {
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
        (check_lookups(&ring, row, context), points.len())
    })
}

pub(crate) fn rendezvous(file: &str) -> Tally {
    each(file, "homing-rendezvous", |row, context| {
        let hash = key_hash(row.hash.oracle());
        for (id, &seed) in row.nodes.iter().zip(&row.seeds) {
            assert_eq!(draw(hash.hash(id.as_bytes()), 0), seed, "{context}");
        }
        let config = homing_rendezvous::Config { hash, ..homing_rendezvous::Config::default() };
        let layout = Rendezvous::build(config, members(&row.oracle_nodes())).unwrap();
        (check_lookups(&layout, row, context), row.seeds.len())
    })
}

pub(crate) fn maglev(file: &str) -> Tally {
    each(file, "homing-maglev", |row, context| {
        let hash = key_hash(row.hash.oracle());
        let m = row.m.expect("a maglev row states its entries");
        let entries = u32::try_from(m).unwrap();
        let config = homing_maglev::Config { hash, entries, ..homing_maglev::Config::default() };
        let layout = Maglev::build(config, members(&row.oracle_nodes())).unwrap();
        let table: Vec<usize> = (0..m).map(|position| place(layout.owner_at(position))).collect();
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
        (check_lookups(&layout, row, context), table.len())
    })
}

pub(crate) fn jump(file: &str) -> Tally {
    each(file, "homing-jump", |row, context| {
        let n = row.buckets.expect("a jump row states its buckets");
        let hash = key_hash(row.hash.oracle());
        for lookup in &row.lookups_hex {
            assert_eq!(hash.hash(&lookup.key), lookup.hash, "{context}: {lookup:?}");
            let bucket = bucket_of(lookup.hash, n).map(|bucket| usize::try_from(bucket).unwrap());
            assert_eq!(bucket, Some(lookup.owner), "{context}: {lookup:?}");
        }
        for lookup in &row.positions {
            let bucket =
                bucket_of(lookup.position, n).map(|bucket| usize::try_from(bucket).unwrap());
            assert_eq!(bucket, Some(lookup.order[0]), "{context}: {lookup:?}");
        }
        if let Some(members) = buckets(row, n) {
            let config = homing_jump::Config { hash, ..homing_jump::Config::default() };
            let layout = Jump::build(config, members).unwrap();
            check_lookups(&layout, row, context);
        }
        (row.lookups_hex.len() + row.positions.len(), 0)
    })
}

pub(crate) fn modulo(file: &str) -> Tally {
    each(file, "homing-modulo", |row, context| {
        let n = row.buckets.expect("a modulo row states its buckets");
        let hash = key_hash(row.hash.oracle());
        let config = homing_modulo::Config { hash, ..homing_modulo::Config::default() };
        if let Some(members) = buckets(row, n) {
            let layout = Modulo::build(config, members).unwrap();
            return (check_lookups(&layout, row, context), 0);
        }
        // 2^31 - 1 members are too many to hold: their remainder is plain arithmetic.
        let layout = Modulo::build(config, Members::named(["one"]).unwrap()).unwrap();
        for lookup in &row.lookups_hex {
            assert_eq!(layout.position(&lookup.key), lookup.hash, "{context}: {lookup:?}");
            assert_eq!(
                usize::try_from(lookup.hash % u64::from(n)),
                Ok(lookup.owner),
                "{context}: {lookup:?}"
            );
        }
        (row.lookups_hex.len(), 0)
    })
}

// The members of a row, made up where only their number is recorded; none above 2^20.
fn buckets(row: &LayoutRow, n: u32) -> Option<Members> {
    if !row.nodes.is_empty() {
        assert_eq!(row.nodes.len(), usize::try_from(n).unwrap(), "a node for each bucket");
        return Some(members(&row.oracle_nodes()));
    }
    (n <= 1 << 20).then(|| Members::new((0..n).map(|i| Node::new(format!("node-{i}")))).unwrap())
}
