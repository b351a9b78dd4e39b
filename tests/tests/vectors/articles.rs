//! `articles/`: programs that circulate in articles.

use std::collections::BTreeMap;

use homing_compat::PRESETS;
use homing_core::{Build as _, Members, Node, NodeId, Placement as _};
use homing_ring::{Points, Ring};
use homing_slots::slot;
use homing_tests::bridge::{add, owner, owner_at, remove};
use homing_tests::vectors::{ArticleRing, digest_of_lines};
use serde::Deserialize;

use crate::answers::points_of;
use crate::record::Record;
use crate::system;
use crate::tally::{Tally, read};

fn named(ids: &[String]) -> Vec<Node> {
    ids.iter().map(|id| Node::new(&**id)).collect()
}

// How many of the first keys are whose.
fn counts(owners: &[String]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for owner in owners {
        *counts.entry(owner.clone()).or_default() += 1;
    }
    counts
}

fn owners(ring: &Ring, keys: &[String]) -> Vec<String> {
    keys.iter().map(|key| owner(ring, key.as_bytes()).unwrap()).collect()
}

fn differing(before: &[String], after: &[String]) -> usize {
    before.iter().zip(after).filter(|(before, after)| before != after).count()
}

#[derive(Deserialize)]
struct Integers {
    simple: (Vec<u64>, Vec<String>),
    joined: (Vec<u64>, Vec<String>),
    removed: (Vec<u64>, Vec<String>),
    lookups: Vec<(u64, String, String, String)>,
}

/// Rings of small integers, whose points are given.
pub(crate) fn integers(record: &Record, tally: &mut Tally) {
    let Integers { simple, joined, removed, lookups } = record.whole();
    let [simple, joined, removed] = [simple, joined, removed].map(assigned);
    for (position, before, after_add, after_remove) in &lookups {
        let owner = |ring: &Ring| owner_at(ring, *position).unwrap();
        assert_eq!(owner(&simple), *before, "{record}: position {position}");
        assert_eq!(owner(&joined), *after_add, "{record}: position {position}");
        assert_eq!(owner(&removed), *after_remove, "{record}: position {position}");
    }
    tally.agree("homing-ring", lookups.len(), 0);
}

fn assigned((points, ids): (Vec<u64>, Vec<String>)) -> Ring {
    let members = Members::named(ids.iter().map(String::as_str)).unwrap();
    let points = points.into_iter().zip(ids.iter().map(NodeId::new)).collect();
    let config =
        homing_ring::Config { points: Points::Assigned(points), ..homing_ring::Config::default() };
    Ring::build(config, members).unwrap()
}

// The article's positions have 256 bits. The first 64, big-endian, keep their order, so owners,
// counts and moves are the article's; the whole points are its own.
pub(crate) fn sha256_ring(record: &Record, tally: &mut Tally) {
    let row: ArticleRing = record.whole();
    assert_eq!(record.text("vnode_label"), "node:{node}:{copy}", "{record}: unknown label");
    let key_label = record.text("key_label");
    let preset = format!("article-sha256-ring:replicas={}", row.copies);
    let before = system::ring(&preset, named(&row.nodes), record);
    let joining: Vec<_> = row.added.iter().map(|id| add(id)).collect();
    let after_add = before.with_changes(&joining).unwrap();
    let after_remove = before.with_changes(&[remove(&row.removed)]).unwrap();

    let all = |ring: &Ring, ids: &[String]| whole_points(ring, ids, row.copies, record);
    let mut ids = row.nodes.clone();
    let points = all(&before, &ids);
    assert!(points.starts_with(&row.points_hex), "{record}: the first points");
    let digest = |points: &[(String, String)]| {
        digest_of_lines(points.iter().map(|(hex, id)| format!("{} {id}", decimal(hex))))
    };
    assert_eq!(digest(&points), row.points_sha256, "{record}: the points");
    ids.extend(row.added.iter().cloned());
    let with_added = all(&after_add, &ids);
    assert_eq!(digest(&with_added), row.points_after_add_sha256, "{record}: with one more");

    for (key, hash, old, added, removed) in &row.lookups {
        assert_eq!(format!("{:016x}", before.position(key.as_bytes())), hash[..16], "{record}");
        assert_eq!(owner(&before, key.as_bytes()).unwrap(), *old, "{record}: {key}");
        assert_eq!(owner(&after_add, key.as_bytes()).unwrap(), *added, "{record}: {key}");
        assert_eq!(owner(&after_remove, key.as_bytes()).unwrap(), *removed, "{record}: {key}");
    }
    for (key, expected) in &row.tie_lookups {
        assert_eq!(owner(&before, key.as_bytes()).unwrap(), *expected, "{key} is on a point");
    }
    assert_eq!(owner(&before, b"key:hot").unwrap(), row.owner_of_key_hot, "{record}");

    let keys: Vec<String> =
        (0..row.keys_counted).map(|i| key_label.replace("{index}", &i.to_string())).collect();
    let [old, new, left] = [&before, &after_add, &after_remove].map(|ring| owners(ring, &keys));
    assert_eq!(counts(&old), row.owner_counts, "{record}");
    assert_eq!(counts(&new), row.owner_counts_after_add, "{record}");
    assert_eq!(counts(&left), row.owner_counts_after_remove, "{record}");
    assert_eq!(differing(&old, &new), row.moved_on_add, "{record}");
    assert_eq!(differing(&old, &left), row.moved_on_remove, "{record}");
    let n = row.nodes.len();
    let moved = keys.iter().filter(|key| remainder(key, n) != remainder(key, n + 1)).count();
    assert_eq!(moved, row.moved_modulo_n_to_n_plus_1, "{record}: mod {n} to {}", n + 1);
    for (from, to) in old.iter().zip(&new).filter(|(from, to)| from != to) {
        assert!(row.added.contains(to), "{record}: a key moved from {from} to {to}");
    }
    for (from, to) in old.iter().zip(&left).filter(|(from, to)| from != to) {
        assert_eq!(*from, row.removed, "{record}: a key moved from {from} to {to}");
    }
    tally.agree(&preset, row.lookups.len(), points.len() + with_added.len());
}

// The points with all their 256 bits, in the order of the ring's.
fn whole_points(
    ring: &Ring,
    ids: &[String],
    copies: u32,
    record: &Record,
) -> Vec<(String, String)> {
    let mut whole: Vec<(String, String)> = ids
        .iter()
        .flat_map(|id| (0..copies).map(move |copy| (sha256_hex(&format!("node:{id}:{copy}")), id)))
        .map(|(digest, id)| (digest, id.clone()))
        .collect();
    whole.sort();
    let points = ring.points().map(|(point, index)| (point, ring.node(index).id.to_string()));
    let cut: Vec<(u64, String)> = whole
        .iter()
        .map(|(digest, id)| (u64::from_str_radix(&digest[..16], 16).unwrap(), id.clone()))
        .collect();
    assert_eq!(points.collect::<Vec<_>>(), cut, "{record}: the first 64 bits of the points");
    whole
}

// A number of any length in hex, in decimal.
fn decimal(hex: &str) -> String {
    let mut digits = vec![0_u32]; // the least first
    for place in hex.chars() {
        let mut carry = place.to_digit(16).expect("a digit of hex");
        for digit in &mut digits {
            let value = *digit * 16 + carry;
            (*digit, carry) = (value % 10, value / 10);
        }
        while carry > 0 {
            digits.push(carry % 10);
            carry /= 10;
        }
    }
    digits.iter().rev().map(ToString::to_string).collect()
}

fn sha256_hex(text: &str) -> String {
    use sha2::Digest as _;
    hex::encode(sha2::Sha256::digest(text))
}

// The digest of a key as a number of 256 bits, mod n.
fn remainder(key: &str, n: usize) -> usize {
    use sha2::Digest as _;
    sha2::Sha256::digest(key).iter().fold(0, |rest, &byte| (rest * 256 + usize::from(byte)) % n)
}

#[derive(Deserialize)]
struct Md5Ring {
    vnode_label: String,
    nodes: Vec<String>,
    replicas: u32,
    added: String,
    removed: String,
    keys_counted: usize,
    key_label: String,
    moved_on_add: usize,
    moved_on_remove: usize,
    moved_modulo_n_to_n_plus_1: usize,
    owner_counts: BTreeMap<String, usize>,
    article_share_arcs: BTreeMap<String, u64>,
    true_owned_arcs: BTreeMap<String, u64>,
    lookups: Vec<(String, u64, String, String, String)>,
}

/// A ring that draws again where a point is taken. Where none is, ours is the same.
pub(crate) fn md5_ring(record: &Record, tally: &mut Tally) {
    if let Some(point) = record.get::<u64>("colliding_point") {
        let collision = Collision::of(record);
        assert!(collision.ours.len() < collision.count, "{record}: {point} is drawn twice");
        tally.leave_out(
            "a record of points that collide, where the order of arrival decides; ours is \
             compared in `a_taken_point_is_not_drawn_again`",
        );
        return;
    }
    let row: Md5Ring = record.whole();
    assert_eq!(row.vnode_label, "{node}#{salt}", "{record}: unknown label");
    let preset = format!("article-md5-ring:replicas={}", row.replicas);
    let before = system::ring(&preset, named(&row.nodes), record);
    let after_add = before.with_changes(&[add(&row.added)]).unwrap();
    let after_remove = before.with_changes(&[remove(&row.removed)]).unwrap();

    // The owners are written as ids.
    let points: Vec<(u64, String)> =
        before.points().map(|(point, index)| (point, before.node(index).id.to_string())).collect();
    assert_eq!(record.field::<usize>("point_count"), points.len(), "{record}");
    let lines = points.iter().map(|(point, id)| format!("{point} {id}"));
    assert_eq!(record.text("points_sha256"), digest_of_lines(lines), "{record}");
    let head = record.any::<Vec<(u64, String)>>(&["points", "points_head"]).unwrap_or_default();
    assert!(points.starts_with(&head), "{record}: the first points");

    for (key, hash, old, added, removed) in &row.lookups {
        let key = key.as_bytes();
        assert_eq!(before.position(key), *hash, "{record}: {key:?}");
        let found = [&before, &after_add, &after_remove].map(|ring| owner(ring, key).unwrap());
        assert_eq!(found, [old, added, removed].map(String::clone), "{record}: {key:?}");
    }
    let keys: Vec<String> =
        (0..row.keys_counted).map(|i| row.key_label.replace("{i}", &i.to_string())).collect();
    let [old, new, left] = [&before, &after_add, &after_remove].map(|ring| owners(ring, &keys));
    assert_eq!(counts(&old), row.owner_counts, "{record}");
    assert_eq!(differing(&old, &new), row.moved_on_add, "{record}");
    assert_eq!(differing(&old, &left), row.moved_on_remove, "{record}");
    let n = u64::try_from(row.nodes.len()).unwrap();
    let position = |key: &String| before.position(key.as_bytes());
    let moved = keys.iter().filter(|key| position(key) % n != position(key) % (n + 1)).count();
    assert_eq!(moved, row.moved_modulo_n_to_n_plus_1, "{record}");

    let mut owned = BTreeMap::<String, u64>::new();
    let mut credited = BTreeMap::<String, u64>::new();
    let circle = 1 << 32;
    for (i, (point, id)) in points.iter().enumerate() {
        let last = points.len() - 1;
        let before = if i == 0 { points[last].0 } else { points[i - 1].0 };
        let after = if i == last { points[0].0 } else { points[i + 1].0 };
        *owned.entry(id.clone()).or_default() += (circle + point - before) % circle;
        *credited.entry(id.clone()).or_default() += (circle + after - point) % circle;
    }
    assert_eq!(owned, row.true_owned_arcs, "{record}: what each owns");
    assert_eq!(credited, row.article_share_arcs, "{record}: what the article says that it does");
    tally.agree(&preset, row.lookups.len(), points.len());
}

/// A record of two nodes that draw one point twice, and our ring of them.
struct Collision {
    arrived: Vec<String>,
    count: usize,
    ours: Vec<(u64, usize)>,
    ring: Ring,
}

impl Collision {
    fn of(record: &Record) -> Self {
        let arrived: Vec<String> = record.field("insertion_order");
        let preset = format!("article-md5-ring:replicas={}", record.field::<u32>("replicas"));
        let ring = system::ring(&preset, named(&arrived), record);
        Self { arrived, count: record.field("point_count"), ours: points_of(&ring), ring }
    }
}

/// Where two nodes draw one point, the article's second node draws another one, so its ring
/// depends on who arrived first. Ours keeps one point, of the least id, and is the same in
/// either order: it differs by the owner of that point, if the other came first, and by what
/// lies before the point that was drawn in its place.
#[test]
fn a_taken_point_is_not_drawn_again() {
    let (rows, _) = read::<serde_json::Value>("articles/md5_ring.jsonl");
    let mut collisions = 0;
    for (line, row) in rows.into_iter().enumerate() {
        let record = Record::new(row, format!("articles/md5_ring.jsonl:{}", line + 1));
        let Some(taken) = record.get::<u64>("colliding_point") else { continue };
        collisions += 1;
        let Collision { arrived, ours, ring, .. } = Collision::of(&record);
        let extra: u64 = record.field("extra_salt_point_of_second");
        let at = ours.binary_search_by_key(&taken, |&(point, _)| point).expect("it is drawn");
        let least = usize::from(arrived[1] < arrived[0]);
        assert_eq!(ours[at].1, least, "{record}: the least id has the point that both draw");
        for label in record.field::<Vec<String>>("labels") {
            assert_eq!(ring.position(label.as_bytes()), taken, "{record}: {label}");
        }

        let mut theirs = ours.clone();
        theirs[at].1 = 0;
        theirs.push((extra, 1));
        theirs.sort_unstable();
        let lines = theirs.iter().map(|(point, place)| format!("{point} {}", arrived[*place]));
        assert_eq!(digest_of_lines(lines), record.text("points_sha256"), "{record}");
        assert_eq!(arrived[0], record.text("owner_of_colliding_point"), "{record}");

        let owner_among = |points: &[(u64, usize)], position| {
            let next = points.partition_point(|&(point, _)| point < position);
            points[next % points.len()].1
        };
        for (key, hash, recorded) in record.field::<Vec<(String, u64, String)>>("lookups") {
            let here = ring.position(key.as_bytes());
            assert_eq!(here, hash, "{record}: {key}");
            assert_eq!(arrived[owner_among(&theirs, here)], recorded, "{record}: {key}");
            assert_eq!(arrived[owner_among(&ours, here)], owner(&ring, key.as_bytes()).unwrap());
        }
    }
    assert!(collisions > 0, "no record has points that collide");
}

#[derive(Deserialize)]
struct ModbusRow {
    key_hex: String,
    article_slot: u16,
    redis_slot: u16,
}

/// The slots of an article that are those of no system: no row agrees with ours, and no
/// preset offers them.
pub(crate) fn modbus(file: &str) -> Tally {
    let (rows, mut tally) = read::<ModbusRow>(file);
    for row in &rows {
        let key = hex::decode(&row.key_hex).unwrap();
        assert_eq!(slot(&key), row.redis_slot, "{file}: {}", row.key_hex);
        assert_ne!(slot(&key), row.article_slot, "{file}: {}", row.key_hex);
        tally.agree("homing-slots", 1, 0);
    }
    for entry in PRESETS {
        assert!(!entry.name.contains("modbus"), "{}: the article's slots", entry.name);
        assert_ne!(entry.family, "slots", "{}: a preset of slots", entry.name);
    }
    tally
}
