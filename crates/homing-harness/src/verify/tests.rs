//! That ours is ours in plain, and that no cause passes for another.

use std::collections::BTreeMap;

use homing_core::{Members, Node, NodeIndex};

use super::Suspects;
use crate::registry::{Choice, FAMILIES};

/// Members whose orders by file, by id and by the numbers in their ids differ.
///
/// Eleven, since modulo 3, 5, 15 or 17 a power of 256 is 1, and modulo 7 one of 8:
/// there some orders of the bytes of a hash leave its remainder as it is.
fn members(weights: [u32; 11]) -> Members {
    let ids = ["N10", "n9", "n1", "n30", "n2", "n04", "n7", "n100", "N8", "n11", "n3"];
    let nodes = ids.iter().zip(weights).map(|(id, weight)| Node::new(*id).weighing(weight));
    Members::new(nodes).unwrap()
}

/// Keys that every text and every tag rule sees otherwise.
fn keys() -> Vec<Vec<u8>> {
    let mut keys: Vec<Vec<u8>> = Vec::new();
    for i in 0..400_u32 {
        let texts = [
            format!("Key-{i}"),
            format!("{}", i * 7919),
            format!("6b{i:04}"),
            format!(" ключ é {i} "),
            format!("a{{}}{{b{i}}}c"),
            format!("x{{y{i}}}z{{w}}"),
            format!("{{t{{{i}}}u}}"),
            format!("{{u{i}}}v"),
        ];
        keys.extend(texts.map(String::into_bytes));
    }
    keys
}

fn owners(suspects: &Suspects, causes: &[usize], keys: &[Vec<u8>]) -> Vec<Option<usize>> {
    let program = suspects.program(causes);
    keys.iter().map(|key| program(key)).collect()
}

fn choice(text: &str) -> Choice {
    Choice::parse(text).unwrap()
}

#[test]
fn without_a_cause_a_program_is_the_layout() {
    let families = [
        "ring",
        "ring:points=7,hash=sha256",
        "ring:prefix=p/,separator=#,points=9",
        "slots",
        "maglev",
        "maglev:entries=251,hash=xxh3:42",
        "rendezvous",
        "jump",
        "modulo:hash=sha256",
    ];
    let keys = keys();
    for text in families {
        for weights in [[1; 11], [2, 1, 3, 0, 7, 1, 1, 9, 4, 2, 2]] {
            let choice = choice(text);
            if weights[0] > 1 && !choice.entry.family.capabilities.weights {
                continue;
            }
            let layout = choice.build(members(weights)).unwrap();
            let suspects = choice.suspects(layout.members()).unwrap();
            let expected: Vec<Option<usize>> = keys
                .iter()
                .map(|key| layout.owner_at(layout.position(key)).map(NodeIndex::get))
                .collect();
            assert_eq!(owners(&suspects, &[], &keys), expected, "{text} {weights:?}");
        }
    }
}

#[test]
fn points_and_ranges_that_are_given_stay() {
    let mut ring = choice("ring");
    let points = serde_json::json!([[9, "n9"], [1_u64 << 62, "n1"], [1_u64 << 63, "N10"]]);
    ring.parameters.insert("assigned".into(), points);
    let mut slots = choice("slots");
    let ranges = serde_json::json!([[0, 99, "n1"], [4000, 16000, "n9"]]);
    slots.parameters.insert("ranges".into(), ranges);
    let members = Members::named(["N10", "n9", "n1"]).unwrap();
    let keys = keys();
    for choice in [ring, slots] {
        let layout = choice.build(members.clone()).unwrap();
        let suspects = choice.suspects(&members).unwrap();
        let expected: Vec<Option<usize>> = keys
            .iter()
            .map(|key| layout.owner_at(layout.position(key)).map(NodeIndex::get))
            .collect();
        assert_eq!(owners(&suspects, &[], &keys), expected, "{choice}");
    }
}

/// Causes that are ours here, each by its reason.
///
/// - Some name what is the default.
/// - With equal weights weights do nothing, and with all slots owned the mask is
///   16383.
/// - A lookup strictly above the position is another only on a point itself, which
///   no key here hashes to.
/// - The upper 32 bits keep the order around a ring.
fn is_ours(name: &str) -> bool {
    [
        "hash=xxh3",
        "points=160",
        "entries=1021",
        "weights ignored",
        "scores times weights",
        "scores with the weight as an exponent of 1 / weight, in f32",
        "the first point strictly above the position owns it",
        "only the upper 32 bits of the hash",
        "the greatest slot with an owner as a mask, in place of 16383",
        "members in the order given",
        "members in order of id",
    ]
    .contains(&name)
}

#[test]
fn no_cause_passes_for_another() {
    let keys = keys();
    let members = members([1; 11]);
    let mut alike = Vec::new();
    // Modulo 65537 a sign that is extended to 64 bits is 0.
    for text in ["modulo", "ring", "slots", "maglev:entries=1021", "rendezvous", "jump"] {
        let suspects = choice(text).suspects(&members).unwrap();
        let mut seen = BTreeMap::new();
        seen.insert(owners(&suspects, &[], &keys), "ours".to_owned());
        for cause in 0..suspects.count() {
            let name = suspects.name(&[cause]);
            let owners = owners(&suspects, &[cause], &keys);
            match seen.get(&owners) {
                None => drop(seen.insert(owners, name)),
                Some(other) if other == "ours" && is_ours(&name) => {}
                Some(other) => alike.push(format!("{text}: {name} = {other}")),
            }
        }
    }
    assert!(alike.is_empty(), "{alike:#?}");
}

#[test]
fn names_are_told_apart() {
    for entry in FAMILIES {
        let suspects = Choice::plain(entry).suspects(&members([1; 11])).unwrap();
        let mut names: Vec<String> = (0..suspects.count()).map(|i| suspects.name(&[i])).collect();
        names.sort();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all, "{}", entry.family.name);
    }
}
