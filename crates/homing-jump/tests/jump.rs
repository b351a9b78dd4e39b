//! The published function to the digit, and what the placement over it refuses.

use homing_core::{Build, Change, Error, KeyHash, Members, Node, NodeId, Placement};
use homing_jump::{Config, Jump, jump};

fn numbered(count: usize) -> Members {
    Members::new((0..count).map(|i| Node::new(format!("shard-{i}")))).unwrap()
}

fn named(ids: &[&str]) -> Jump {
    Jump::build(Config::default(), Members::named(ids.iter().copied()).unwrap()).unwrap()
}

fn add(id: &str) -> Change {
    Change::Add(Node::new(id))
}

fn remove(id: &str) -> Change {
    Change::Remove(NodeId::new(id))
}

fn unsupported(rule: &'static str) -> Error {
    Error::Unsupported { family: "jump", rule }
}

#[test]
fn the_published_vectors_hold() {
    // facts.md, section 6.
    assert_eq!(jump(256, 1024), Some(520));
    assert_eq!(jump(0xdead_10cc, 666), Some(361));
    assert_eq!(jump(10_863_919_174_838_991, 11), Some(6));
    assert_eq!(jump(2_016_238_256_797_177_309, 11), Some(3));
}

#[test]
fn keys_above_the_precision_of_a_double_are_exact() {
    // cases.md, C33.
    let buckets = [1, 2, 3, 10, 100, 1000, 65_536, 2_147_483_647];
    let table = [
        (0, [0, 0, 0, 0, 0, 0, 0, 0]),
        (1, [0, 0, 0, 6, 55, 549, 21_134, 262_355_607]),
        (9_007_199_254_740_992, [0, 0, 0, 8, 63, 784, 44_309, 570_704_205]),
        (9_007_199_254_740_993, [0, 0, 0, 8, 40, 446, 58_142, 1_663_717_268]),
        (9_223_372_036_854_775_807, [0, 0, 2, 8, 97, 972, 8_550, 213_047_985]),
        (9_223_372_036_854_775_808, [0, 1, 1, 5, 84, 453, 53_854, 1_119_800_965]),
        (18_446_744_073_709_551_615, [0, 1, 2, 9, 92, 313, 18_311, 699_554_662]),
    ];
    for (key, row) in table {
        for (count, bucket) in buckets.into_iter().zip(row) {
            assert_eq!(jump(key, count), Some(bucket), "jump({key}, {count})");
        }
    }
}

#[test]
fn a_first_step_that_wraps_to_zero_leaps_past_every_bucket() {
    // Vectors, homing/jump.jsonl: `positions`, every count.
    for count in [1, 2, 12, 1000, 2_147_483_647] {
        assert_eq!(jump(2_313_046_976_756_913_067, count), Some(0));
    }
}

#[test]
fn counts_out_of_range_have_no_bucket() {
    // cases.md, C31.
    assert_eq!(jump(43_966, 0), None);
    assert_eq!(jump(43_966, 1), Some(0));
    assert!(jump(43_966, 2_147_483_647).is_some_and(|bucket| bucket < 2_147_483_647));
    assert_eq!(jump(43_966, 2_147_483_648), None);
    assert_eq!(jump(43_966, u32::MAX), None);
}

#[test]
fn keys_go_where_the_vectors_say() {
    // Vectors, homing/jump.jsonl: 12 buckets, xxh3 without and with a seed.
    let keys: [&[u8]; 5] = [b"", b"foo", b"bar", b"\xff", b"user:1"];
    for (seed, owners) in [(0, [0, 2, 3, 2, 1]), (42, [3, 4, 9, 5, 8])] {
        let config = Config { hash: KeyHash::Xxh3 { seed }, ..Config::default() };
        let layout = Jump::build(config, numbered(12)).unwrap();
        for (key, owner) in keys.iter().zip(owners) {
            assert_eq!(layout.owner(key).unwrap().id.as_str(), format!("shard-{owner}"));
        }
    }
}

#[test]
fn the_bucket_is_the_place_in_the_list_and_not_among_the_ids() {
    // cases.md, C33: jump(2^64 - 1, 3) = 2, jump(2^63, 3) = 1, jump(0, 3) = 0.
    let layout = named(&["c", "a", "b"]);
    for (position, id) in [(0, "c"), (1 << 63, "a"), (u64::MAX, "b")] {
        assert_eq!(layout.node(layout.owner_at(position).unwrap()).id.as_str(), id);
    }
}

#[test]
fn removing_the_last_node_moves_its_keys_alone() {
    // cases.md, C30: of the positions 0 .. 9999, in order of index.
    let before = named(&["a", "b", "c", "d", "e"]);
    let mut counts = [0; 5];
    for position in 0..10_000 {
        counts[before.owner_at(position).unwrap().get()] += 1;
    }
    assert_eq!(counts, [2001, 1996, 2002, 2005, 1996]);
    let after = before.with_changes(&[remove("e")]).unwrap();
    let moved = (0..10_000).filter(|&at| before.owner_at(at) != after.owner_at(at)).count();
    assert_eq!(moved, 1996);
}

#[test]
fn shifting_the_list_over_a_middle_node_would_move_most_keys() {
    // cases.md, C30: of the positions 0 .. 9999, with the third of five buckets taken out.
    let shifted = |p: u64| jump(p, 4).map(|bucket| if bucket < 2 { bucket } else { bucket + 1 });
    let moved: Vec<u64> = (0..10_000).filter(|&p| jump(p, 5) != shifted(p)).collect();
    assert_eq!(moved.len(), 5506);
    assert_eq!(moved.iter().filter(|&&p| jump(p, 5) != Some(2)).count(), 3504);
}

#[test]
fn a_key_wider_than_64_bits_is_not_cut_but_hashed() {
    // cases.md, C32: the two ways in which other tools cut these 160 bits.
    assert_eq!(jump(0x7850_C26C_9CD0_D89D, 5), Some(2));
    assert_eq!(jump(0xA999_3E36_4706_816A, 5), Some(0));
    #[cfg(feature = "sha2")]
    {
        let key =
            b"\xa9\x99\x3e\x36\x47\x06\x81\x6a\xba\x3e\x25\x71\x78\x50\xc2\x6c\x9c\xd0\xd8\x9d";
        let config = Config { hash: KeyHash::Sha256, ..Config::default() };
        let layout = Jump::build(config, numbered(5)).unwrap();
        // The first eight bytes of the SHA-256 of these 20, by Python's hashlib.
        assert_eq!(layout.position(key), 3_210_510_582_847_411_799);
    }
}

#[test]
fn only_the_node_that_joined_last_can_be_removed() {
    // cases.md, C30.
    let refused = unsupported("removes only the node that joined last");
    assert_eq!(refused.to_string(), "jump: removes only the node that joined last");
    let before = named(&["a", "b", "c", "d", "e"]);
    let mut layout = before.clone();
    for changes in [
        vec![remove("c")],
        vec![remove("a")],
        vec![remove("e"), remove("c")],
        vec![add("f"), remove("e")],
        vec![add("f"), add("g"), remove("f"), remove("g")],
        vec![remove("e"), add("f"), remove("d")],
    ] {
        assert_eq!(layout.apply(&changes), Err(refused.clone()), "{changes:?}");
        assert_eq!(layout, before);
    }
}

#[test]
fn removals_are_judged_step_by_step() {
    let mut layout = named(&["a", "b", "c"]);
    let changes =
        [remove("c"), remove("b"), add("x"), add("y"), remove("y"), add("b"), Change::Rebalance];
    layout.apply(&changes).unwrap();
    assert_eq!(layout, named(&["a", "x", "b"]));
    layout.apply(&[remove("b"), remove("x"), remove("a"), add("z")]).unwrap();
    assert_eq!(layout, named(&["z"]));
}

#[test]
fn a_membership_with_a_freed_index_is_refused() {
    let mut members = numbered(3);
    members.apply(&[remove("shard-1")]).unwrap();
    assert_eq!(
        Jump::build(Config::default(), members.clone()),
        Err(unsupported("takes no membership with a freed index"))
    );
    members.apply(&[add("again")]).unwrap();
    assert!(Jump::build(Config::default(), members).is_ok());
}

#[test]
fn weights_other_than_1_are_refused() {
    let refused = unsupported("takes only nodes of weight 1");
    for weight in [0, 2, u32::MAX] {
        let members = Members::new([Node::new("a"), Node::new("b").weighing(weight)]).unwrap();
        assert_eq!(Jump::build(Config::default(), members), Err(refused.clone()));
        let before = named(&["a", "b", "c"]);
        let mut layout = before.clone();
        for change in [
            Change::Add(Node::new("d").weighing(weight)),
            Change::Reweight(NodeId::new("a"), weight),
        ] {
            assert_eq!(layout.apply(&[remove("c"), change]), Err(refused.clone()));
            assert_eq!(layout, before);
        }
    }
}

#[test]
fn fingerprints_tell_orders_apart_and_keyings_do_not() {
    let (one, other) = (named(&["a", "b"]), named(&["b", "a"]));
    assert_ne!(one.fingerprint(), other.fingerprint());
    assert_eq!(one.keying(), other.keying());
}

#[cfg(feature = "serde")]
#[test]
fn the_configuration_names_its_fields() {
    let config: Config = serde_json::from_str(r#"{"hash":"xxh3:42"}"#).unwrap();
    assert_eq!(config.hash, KeyHash::Xxh3 { seed: 42 });
    assert_eq!(serde_json::to_string(&config).unwrap(), r#"{"hash":"xxh3:42"}"#);
    assert_eq!(serde_json::from_str::<Config>("{}").unwrap(), Config::default());
    assert!(serde_json::from_str::<Config>(r#"{"buckets":5}"#).is_err());
}
