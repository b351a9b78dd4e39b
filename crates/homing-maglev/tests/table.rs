//! The default placement: tables, weights, changes.

use homing_core::{Build, Change, Error, KeyHash, Members, Node, NodeId, Placement};
use homing_maglev::{Config, Maglev};

const XXH3: KeyHash = KeyHash::Xxh3 { seed: 0 };

/// The 11 ids of the vectors; two differ only in how their umlaut is composed.
const IDS: [&str; 11] = [
    "b\u{fc}ro-1",
    "bu\u{308}ro-1",
    "узел-2",
    "節点三",
    "\u{1f600}",
    "\u{fb00}",
    "Z",
    "z",
    "node-10",
    "node-2",
    "node-1",
];

fn maglev<'a>(
    hash: KeyHash,
    entries: u32,
    nodes: impl IntoIterator<Item = (&'a str, u32)>,
) -> Result<Maglev, Error> {
    let nodes = nodes.into_iter().map(|(id, weight)| Node::new(id).weighing(weight));
    Maglev::build(Config { hash, entries, ..Config::default() }, Members::new(nodes).unwrap())
}

/// The first entries as indices, which are in the order given.
fn head<const N: usize>(maglev: &Maglev) -> [usize; N] {
    let mut table = maglev.table();
    core::array::from_fn(|_| table.next().unwrap().get())
}

fn counts(maglev: &Maglev) -> Vec<u32> {
    maglev.members().iter_by_index().map(|(index, _)| maglev.entries_of(index)).collect()
}

/// The part of the entries that moves, and the part that moves between members of both.
fn moved(before: &Maglev, after: &Maglev) -> (f64, f64) {
    let stays = before.members().matched_in(after.members());
    let stayed = after.members().matched_in(before.members());
    let (mut moved, mut stray) = (0_u32, 0_u32);
    for (from, to) in before.table().zip(after.table()) {
        if stays[from.get()] != Some(to) {
            moved += 1;
            stray += u32::from(stays[from.get()].is_some() && stayed[to.get()].is_some());
        }
    }
    let part = |entries: u32| f64::from(entries) / f64::from(after.config().entries);
    (part(moved), part(stray))
}

#[test]
fn a_small_table_is_as_defined() {
    // maglev.jsonl: c, a, b at m = 13, xxh3.
    let maglev = maglev(XXH3, 13, [("c", 1), ("a", 1), ("b", 1)]).unwrap();
    assert_eq!(head(&maglev), [1, 2, 0, 2, 1, 2, 0, 0, 0, 1, 1, 1, 2]);
    assert_eq!(counts(&maglev), [4, 5, 4]);
}

#[test]
fn a_small_weighted_table_is_as_defined() {
    // maglev_weighted.jsonl: c, a, b of weights 1, 2, 4 at m = 7, xxh3.
    let maglev = maglev(XXH3, 7, [("c", 1), ("a", 2), ("b", 4)]).unwrap();
    assert_eq!(head(&maglev), [2, 2, 1, 2, 2, 0, 1]);
}

#[test]
fn a_large_weighted_table_is_as_defined() {
    // maglev_weighted.jsonl: c, a, b of weights 1, 2, 4 at m = 65537, xxh3.
    let maglev = maglev(XXH3, 65_537, [("c", 1), ("a", 2), ("b", 4)]).unwrap();
    assert_eq!(counts(&maglev), [9_362, 18_725, 37_450]);
    assert_eq!(
        head(&maglev),
        [
            2, 2, 2, 2, 1, 0, 0, 1, 2, 2, 2, 1, 2, 1, 1, 2, 2, 2, 0, 2, 1, 2, 2, 0, 1, 2, 2, 1, 2,
            2, 1, 2
        ]
    );
}

#[test]
fn ids_take_turns_in_order_of_their_utf8_bytes() {
    // maglev_weighted.jsonl: 11 ids, one drained, at m = 13, xxh3.
    let ids = IDS.map(|id| (id, if id == "節点三" { 0 } else { 2 }));
    let maglev = maglev(XXH3, 13, ids).unwrap();
    assert_eq!(head(&maglev), [6, 8, 1, 5, 4, 1, 0, 7, 0, 6, 2, 9, 10]);
}

#[test]
fn the_greatest_weights_share_the_table_and_a_small_one_gets_nothing() {
    // maglev_weighted.jsonl: weights 1, 2^32 - 1, 2^32 - 2, 65536 and 1000000.
    let ids = [
        ("cache-017.eu-west-1.example.net", 1),
        ("cache-002.eu-west-1.example.net", u32::MAX),
        ("cache-101.us-east-2.example.net", u32::MAX - 1),
        ("db.internal", 65_536),
        ("db.internal.example", 1_000_000),
    ];
    let maglev = maglev(XXH3, 65_537, ids).unwrap();
    assert_eq!(counts(&maglev), [0, 32_764, 32_764, 1, 8]);
}

#[test]
fn a_position_is_the_hash_mod_the_number_of_entries() {
    // maglev.jsonl: the hash of `foo`, xxh3, is 12352915711150947722.
    let maglev = maglev(XXH3, 13, [("c", 1), ("a", 1), ("b", 1)]).unwrap();
    assert_eq!(maglev.position(b"foo"), 12_352_915_711_150_947_722 % 13);
    assert_eq!(maglev.max_position(), 12);
}

#[cfg(feature = "sha2")]
#[test]
fn a_table_under_sha256_is_as_defined() {
    // maglev.jsonl: node-0 to node-7 at m = 65537, sha256.
    let ids: Vec<String> = (0..8).map(|i| format!("node-{i}")).collect();
    let nodes = ids.iter().map(|id| (id.as_str(), 1));
    let maglev = maglev(KeyHash::Sha256, 65_537, nodes).unwrap();
    assert_eq!(counts(&maglev), [8_193, 8_192, 8_192, 8_192, 8_192, 8_192, 8_192, 8_192]);
    assert_eq!(head(&maglev), [3, 1, 5, 6, 1, 0, 5, 3, 0, 3, 5, 6, 3, 5, 5, 1]);
}

#[test]
fn c23_weights_that_add_up_to_two_to_the_32_share_evenly() {
    let half = 1 << 31;
    let even = maglev(XXH3, 65_537, [("a", half), ("b", half)]).unwrap();
    assert_eq!(counts(&even), [32_769, 32_768]);
    let lopsided = maglev(XXH3, 65_537, [("a", u32::MAX), ("b", 1)]).unwrap();
    assert_eq!(counts(&lopsided), [65_537, 0]);
}

#[test]
fn c24_a_half_percent_weight_keeps_its_half_percent() {
    // By hand: 65537 * 5 / 1000 is 327.685.
    let maglev = maglev(XXH3, 65_537, [("a", 5), ("b", 995)]).unwrap();
    assert_eq!(counts(&maglev), [328, 65_209]);
}

#[test]
fn c25_the_order_of_the_members_plays_no_part() {
    let table = |ids: [&str; 3]| {
        let maglev = maglev(XXH3, 251, ids.map(|id| (id, 1))).unwrap();
        let owners: Vec<String> =
            maglev.table().map(|index| maglev.node(index).id.to_string()).collect();
        owners
    };
    let expected = table(["B0", "B1", "B2"]);
    assert_eq!(table(["B2", "B1", "B0"]), expected);
    assert_eq!(table(["B1", "B2", "B0"]), expected);
}

#[test]
fn c26_the_number_of_entries_must_be_a_prime() {
    for entries in [0, 1, 4, 8, 16_348, 65_536] {
        let error = maglev(XXH3, entries, [("A", 1), ("B", 1), ("C", 1)]).unwrap_err();
        assert_eq!(error.to_string(), format!("entries is {entries}, but must be a prime"));
    }
    assert!(maglev(XXH3, 65_537, [("A", 1), ("B", 1), ("C", 1)]).is_ok());
}

#[test]
fn c27_entries_are_in_proportion_to_the_weights() {
    let two = maglev(XXH3, 65_537, [("a", 1), ("b", 2)]).unwrap();
    assert_eq!(counts(&two), [21_846, 43_691]);
    let three = maglev(XXH3, 65_537, [("a", 1), ("b", 2), ("c", 5)]).unwrap();
    assert_eq!(counts(&three), [8_192, 16_384, 40_961]);
}

#[test]
fn c28_a_change_also_moves_a_little_between_nodes_that_stay() {
    // cases.md, C28: simulated over six seeds the extra is 0.19 to 0.54 % at 65537 entries and
    // 1.7 to 3.6 % at 1009; the bounds leave twice of that above.
    for (entries, least, most) in [(65_537, 0.0, 0.012), (1_009, 0.005, 0.06)] {
        let ids: Vec<String> = (0..10).map(|i| format!("n{i:03}")).collect();
        let nodes = ids.iter().map(|id| (id.as_str(), 1));
        let before = maglev(XXH3, entries, nodes).unwrap();
        for change in [Change::Remove(NodeId::new("n005")), Change::Add(Node::new("zz"))] {
            let after = before.with_changes(&[change]).unwrap();
            let counts = counts_in_use(&after);
            assert!(counts.iter().max().unwrap() - counts.iter().min().unwrap() <= 1);
            let (all, stray) = moved(&before, &after);
            assert!((least..=most).contains(&stray), "{stray} at {entries}");
            // A tenth leaves or an eleventh joins, to within an entry a node.
            assert!(all - stray > 0.09 && all - stray < 0.102, "{all} at {entries}");
        }
    }
}

fn counts_in_use(maglev: &Maglev) -> Vec<u32> {
    maglev.members().iter().map(|(index, _)| maglev.entries_of(index)).collect()
}

#[test]
fn c50_each_change_gives_what_a_fresh_build_gives() {
    let mut maglev = maglev(XXH3, 65_537, [("a", 1)]).unwrap();
    for change in
        [Change::Add(Node::new("b")), Change::Add(Node::new("c")), Change::Remove("a".into())]
    {
        maglev.apply(&[change]).unwrap();
        let ids: Vec<&str> = maglev.members().iter().map(|(_, node)| node.id.as_str()).collect();
        let fresh = Maglev::build(maglev.config(), Members::named(ids).unwrap()).unwrap();
        for i in 0..10_000 {
            let key = format!("key-{i}");
            let owner = |layout: &Maglev| layout.owner(key.as_bytes()).unwrap().id.clone();
            assert_eq!(owner(&maglev), owner(&fresh), "{key}");
        }
        assert!(counts_in_use(&maglev).iter().all(|&entries| entries > 0));
    }
}

#[test]
fn only_the_ratios_of_the_weights_count() {
    let table = |factor: u32| {
        let nodes = [("a", factor), ("b", 2 * factor), ("c", 5 * factor)];
        let maglev = maglev(XXH3, 2_039, nodes).unwrap();
        maglev.table().collect::<Vec<_>>()
    };
    assert_eq!(table(1), table(77_777));
}

#[test]
fn a_node_for_each_entry_is_the_most_there_can_be() {
    let ids = ["a", "b", "c", "d", "e"];
    let mut full = maglev(XXH3, 5, ids.map(|id| (id, 1))).unwrap();
    assert_eq!(counts(&full), [1; 5]);
    let before = full.clone();
    let error = full.apply(&[Change::Add(Node::new("f"))]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "entries is 5, but must be at least 6, the number of nodes of a weight above 0"
    );
    assert_eq!(full, before);
    assert_eq!(maglev(XXH3, 5, ids.into_iter().chain(["f"]).map(|id| (id, 1))), Err(error));
    full.apply(&[Change::Add(Node::new("f").weighing(0))]).unwrap();
    assert_eq!(counts(&full), [1, 1, 1, 1, 1, 0]);
}

#[test]
fn two_entries_are_the_fewest() {
    let maglev = maglev(XXH3, 2, [("a", 1), ("b", 1)]).unwrap();
    assert_eq!(counts(&maglev), [1, 1]);
}
