//! Each planted cause is found and named, and no other in its place.

use crate::plain::{
    IDS, Placed, at_or_above, by_id, circle, draw, hash, jump, keys, many, placed, score, seeded,
    table, utf16,
};
use crate::{Folder, csv};

/// Fails unless of a file with these rows exactly this cause is named, and explains
/// every row.
#[track_caller]
fn names(family: &str, rows: &Placed, cause: &str) {
    let folder = Folder::with("rows.csv", csv(rows));
    folder.add("members.txt", IDS.join("\n"));
    let of = folder.json(1, &["--family", family, "--members", "members.txt", "rows.csv"]);
    let found = &of["cause"];
    assert_eq!(found["name"], cause, "{family}: {of:#}");
    assert_eq!(found["explains"], "all", "{family}: {found}");
    assert_eq!(found["agree"], of["rows"], "{family}: {found}");
    assert_eq!(found["alike"], serde_json::json!([]), "{family}: {found}");
    assert!(found["chance"].as_f64().unwrap() < 1e-6, "{family}: {found}");
}

/// From an id and a copy to a point.
type Point = fn(&str, u64) -> u64;

fn reversed() -> Vec<&'static str> {
    IDS.into_iter().rev().collect()
}

fn natural() -> [&'static str; 7] {
    ["n1", "n2", "n4", "n7", "n9", "n10", "n30"]
}

fn place(number: u64) -> usize {
    (number % 7) as usize
}

#[test]
fn modulo_over_members_in_another_order() {
    let of = |ids: &[&str]| placed(&keys(), |key| place(hash(key)), ids);
    names("modulo", &of(&by_id()), "members in order of id");
    names("modulo", &of(&reversed()), "members in the order given, reversed");
    names("modulo", &of(&natural()), "members in order of the numbers in their ids");
    let counted = placed(&keys(), |key| (place(hash(key)) + 6) % 7, &IDS);
    names("modulo", &counted, "members counted from 1");
}

#[test]
fn modulo_of_another_number() {
    let of = |number: fn(&str) -> usize| placed(&keys(), number, &IDS);
    let rows = of(|key| ((hash(key) as i64 % 7).unsigned_abs()) as usize);
    names("modulo", &rows, "the remainder of the signed hash, its sign dropped");
    let rows = of(|key| (((hash(key) as i64 % 7) + 7) % 7) as usize);
    names("modulo", &rows, "the remainder of the signed hash, rounded down");
    let rows = of(|key| place(hash(key) & 0xFFFF_FFFF));
    names("modulo", &rows, "only the lower 32 bits of the hash");
    let rows = of(|key| place(hash(key) >> 32));
    names("modulo", &rows, "only the upper 32 bits of the hash");
    let rows = of(|key| place(u64::from_le_bytes(hash(key).to_be_bytes())));
    names("modulo", &rows, "the bytes of the hash in reverse order");
    names("modulo", &of(|key| place(seeded(key, 42))), "hash=xxh3:42");
    let rows = placed(&keys(), |key| place(hash(key)), &IDS);
    names("modulo:hash=xxh3:7", &rows, "hash=xxh3");
}

#[test]
fn other_bytes_of_a_key() {
    let of = |text: fn(&str) -> Vec<u8>| placed(&keys(), |key| place(hash(text(key))), &IDS);
    let rows = of(|key| format!("{key}\n").into_bytes());
    names("modulo", &rows, "keys with a line feed after them");
    names("modulo", &of(|key| format!("\"{key}\"").into_bytes()), "keys in double quotes");
    names("modulo", &of(utf16), "keys as UTF-16, little-endian");
    names("modulo", &of(|key| key.to_lowercase().into_bytes()), "keys in lower case");
    let hexed = |key: &str| hex::encode(key);
    let rows = placed(&keys(), |key| place(hash(hexed(key))), &IDS);
    names("modulo", &rows, "keys as hexadecimal digits in lower case");
    // The keys of the file are digits, and the program hashed the bytes.
    let digits: Vec<String> = keys().iter().map(|key| hexed(key)).collect();
    let bytes = |key: &str| {
        let pairs = key.as_bytes().chunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
        pairs.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect::<Vec<_>>()
    };
    let rows = placed(&digits, |key| place(hash(bytes(key))), &IDS);
    names("modulo", &rows, "keys as the bytes that they spell in hexadecimal digits");
}

#[test]
fn keys_that_are_numbers() {
    let numbers: Vec<String> = (0..300_u64).map(|i| (i * 7919 + 3).to_string()).collect();
    let number = |key: &str| key.parse::<u64>().unwrap();
    let rows = placed(&numbers, |key| place(number(key)), &IDS);
    names("modulo", &rows, "keys are the number that they spell, not hashed");
    let rows = placed(&numbers, |key| place(hash(number(key).to_le_bytes())), &IDS);
    names("modulo", &rows, "keys as the number that they spell, 8 bytes little-endian");
    let rows = placed(&numbers, |key| jump(number(key), 7), &IDS);
    names("jump", &rows, "keys are the number that they spell, not hashed");
}

#[test]
fn jump_of_another_list_or_position() {
    let rows = placed(&keys(), |key| jump(hash(key), 7), &reversed());
    names("jump", &rows, "members in the order given, reversed");
    let rows = placed(&keys(), |key| jump(hash(key), 7), &by_id());
    names("jump", &rows, "members in order of id");
    let rows = placed(&keys(), |key| jump(hash(key) & 0xFFFF_FFFF, 7), &IDS);
    names("jump", &rows, "only the lower 32 bits of the hash");
    let rows = placed(&keys(), |key| place(hash(key)), &IDS);
    names("jump", &rows, "the position modulo the number of members");
}

#[test]
fn a_ring_with_another_boundary() {
    let points = circle(0..160, |id, i| draw(hash(id), i));
    let rows = placed(
        &keys(),
        |key| {
            points.iter().rev().find(|(at, _)| *at <= hash(key)).unwrap_or(points.last().unwrap()).1
        },
        &by_id(),
    );
    names("ring", &rows, "the last point at or below the position owns it");
    // Keys that read like labels are on points, and tell `>` from `>=`.
    let labels: Vec<String> =
        by_id().iter().flat_map(|id| (0..40).map(move |i| format!("{id}-{i}"))).collect();
    let points = circle(0..160, |id, i| hash(format!("{id}-{i}")));
    let above = |key: &str| points.iter().find(|(at, _)| *at > hash(key)).unwrap_or(&points[0]).1;
    let rows = placed(&labels, above, &by_id());
    names("ring:prefix=,separator=-", &rows, "the first point strictly above the position owns it");
}

#[test]
fn a_ring_with_other_points() {
    let of = |copies: std::ops::Range<u64>, point: Point| {
        let points = circle(copies, point);
        // One copy of 160 is another: in a file of a few hundred rows that is chance.
        placed(&many(1500), |key| at_or_above(&points, hash(key)), &by_id())
    };
    let labels: [(&str, Point); 6] = [
        ("{id}-{i}", |id, i| hash(format!("{id}-{i}"))),
        ("{id}:{i}", |id, i| hash(format!("{id}:{i}"))),
        ("{id}#{i}", |id, i| hash(format!("{id}#{i}"))),
        ("{id}{i}", |id, i| hash(format!("{id}{i}"))),
        ("{i}{id}", |id, i| hash(format!("{i}{id}"))),
        ("{i}-{id}", |id, i| hash(format!("{i}-{id}"))),
    ];
    for (name, point) in labels {
        names("ring", &of(0..160, point), &format!("points labelled {name}"));
    }
    for count in [100, 128, 200] {
        let rows = of(0..count, |id, i| draw(hash(id), i));
        names("ring", &rows, &format!("points={count}"));
    }
    let label: Point = |id, i| hash(format!("{id}-{i}"));
    names("ring:prefix=,separator=-", &of(1..161, label), "copies counted from 1");
    let drawn: Point = |id, i| draw(hash(id), i);
    names("ring:prefix=,separator=-", &of(0..160, drawn), "points drawn, not labelled");
}

#[test]
fn two_causes_at_once() {
    let points = circle(0..100, |id, i| hash(format!("{id}#{i}")));
    let rows = placed(&keys(), |key| at_or_above(&points, hash(key)), &by_id());
    names("ring", &rows, "points labelled {id}#{i}; points=100");
    let rows = placed(&keys(), |key| place(hash(format!("{key}\n"))), &reversed());
    names(
        "modulo",
        &rows,
        "members in the order given, reversed; keys with a line feed after them",
    );
}

#[test]
fn rendezvous_that_takes_another_score() {
    let best = |key: &str, merit: fn(u64, u64) -> i64| {
        let merits = by_id().into_iter().map(|id| merit(hash(key), hash(id))).enumerate();
        merits.max_by_key(|&(place, merit)| (merit, std::cmp::Reverse(place))).unwrap().0
    };
    let of = |merit: fn(u64, u64) -> i64| placed(&keys(), |key| best(key, merit), &by_id());
    let rows = of(|key, id| -i64::from(score(key, draw(id, 0))));
    names("rendezvous", &rows, "the least score owns");
    let rows = of(|key, id| i64::from(score(key, draw(id, 0)) as i32));
    names("rendezvous", &rows, "scores compared as signed numbers");
    let rows = of(|key, id| score(key, id).into());
    names("rendezvous", &rows, "the hash of the id as it is");
    let rows = of(|key, id| score(key.swap_bytes(), draw(id.swap_bytes(), 0)).into());
    names("rendezvous", &rows, "the bytes of the hash in reverse order");
}

#[test]
fn maglev_with_another_table() {
    let sequences = |ids: &[&str], m: u64| -> Vec<(u64, u64)> {
        let of = |id: &&str| (draw(hash(id), 0) % m, draw(hash(id), 1) % (m - 1) + 1);
        ids.iter().map(of).collect()
    };
    let of = |ids: &[&str], m: u64| {
        let table = table(m, sequences(ids, m));
        placed(&keys(), |key| table[(hash(key) % m) as usize], ids)
    };
    names("maglev", &of(&by_id(), 1021), "entries=1021");
    names("maglev:entries=251", &of(&by_id(), 65_537), "entries=65537");
    // Few entries, so that many are wanted by two nodes in one round.
    names("maglev:entries=13", &of(&reversed(), 13), "members in the order given, reversed");
    names("maglev:entries=13", &of(&IDS, 13), "members in the order given");
    let table = table(251, sequences(&by_id(), 251));
    let entry = |key: &str| ((hash(key) as i64 % 251).unsigned_abs()) as usize;
    let rows = placed(&keys(), |key| table[entry(key)], &by_id());
    names("maglev:entries=251", &rows, "the remainder of the signed hash, its sign dropped");
}

#[test]
fn among_many_nodes_a_cause_is_found_as_well() {
    // More nodes than causes are first tried with: 100 points of node-0 to node-99.
    let ids: Vec<String> = (0..100).map(|i| format!("node-{i}")).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let mut points = Vec::new();
    for (place, id) in ids.iter().enumerate() {
        points.extend((0..100).map(|i| (hash(format!("{id}:{i}")), place)));
    }
    points.sort_unstable();
    let rows = placed(&many(2000), |key| at_or_above(&points, hash(key)), &ids);
    let folder = Folder::with("rows.csv", csv(&rows));
    let of = folder.json(1, &["--family", "ring", "--nodes", "100", "rows.csv"]);
    assert_eq!(of["cause"]["name"], "points labelled {id}:{i}; points=100", "{of:#}");
    assert_eq!(of["cause"]["explains"], "all");
}
