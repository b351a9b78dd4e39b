//! Leaps that are rounded once.

use homing_core::{Build, Members, Node, Placement};
use homing_jump::{Config, Jump, Rounding};

/// Key, buckets, and the bucket under each rounding.
///
/// jump/jump.csv of the vectors, `bucket` and `guava_bucket`.
const ROWS: [(u64, u32, u32, u32); 6] = [
    (0, 1, 0, 0),
    (8_180_206_408_731_233_202, 65_536, 32_767, 32_768),
    (257_324_222_699_199_885, 10_000, 5_631, 5_632),
    (12_394_942_296_781_537_975, 4_096, 3_071, 3_072),
    (14_701_990_027_597_485_028, 2_147_483_647, 532_808_871, 532_808_959),
    (5_586_950_913_210_796_073, 2_147_483_647, 1_636_723_825, 1_636_724_030),
];

#[test]
fn one_rounding_leads_where_the_vectors_say() {
    for (key, buckets, twice, once) in ROWS {
        assert_eq!(Rounding::Twice.jump(key, buckets), Some(twice), "{key} of {buckets}");
        assert_eq!(Rounding::Once.jump(key, buckets), Some(once), "{key} of {buckets}");
    }
}

#[test]
fn a_layout_rounds_as_its_configuration_says() {
    let members = Members::new((0..4_096).map(|i| Node::new(format!("{i}")))).unwrap();
    let config = Config { rounding: Rounding::Once, ..Config::default() };
    let layout = Jump::build(config, members.clone()).unwrap();
    let twice = Jump::build(Config::default(), members).unwrap();
    let key = 12_394_942_296_781_537_975;
    assert_eq!(layout.owner_at(key).unwrap().get(), 3_072);
    assert_eq!(twice.owner_at(key).unwrap().get(), 3_071);
    let mut owners = [None; 40];
    layout.owners_at(&[key; 40], &mut owners);
    assert!(owners.iter().all(|&owner| owner == layout.owner_at(key)));
    assert_ne!(layout.fingerprint(), twice.fingerprint());
}

#[test]
fn a_batch_rounded_once_reaches_what_its_keys_reach_alone() {
    let special = ROWS.map(|row| row.0).into_iter().chain([4_626_093_953_513_826_134]);
    let keys: Vec<u64> = special.chain((0..20_000).map(homing_core::mix64)).collect();
    for count in [1, 2, 7, 1_000, 4_096] {
        let members = Members::new((0..count).map(|i| Node::new(format!("{i}")))).unwrap();
        let config = Config { rounding: Rounding::Once, ..Config::default() };
        let layout = Jump::build(config, members).unwrap();
        let mut owners = vec![None; keys.len()];
        layout.owners_at(&keys, &mut owners);
        for (&key, owner) in keys.iter().zip(owners) {
            let bucket = Rounding::Once.jump(key, count).unwrap();
            assert_eq!(owner.unwrap().get(), bucket as usize, "{key} of {count}");
        }
    }
}

#[test]
fn a_draw_of_two_to_the_31_ends_the_walk() {
    // By hand: the key whose first state is 2^64 - 1. In 32 signed bits its draw is -2^31, so
    // that the leap is negative; a draw of 2^31 leaps from bucket 0 to bucket 1.
    let key = 4_626_093_953_513_826_134;
    assert_eq!(Rounding::Once.jump(key, 1_000), Some(0));
    assert_ne!(Rounding::Twice.jump(key, 1_000), Some(0));
}

#[test]
fn counts_out_of_range_have_no_bucket() {
    for rounding in [Rounding::Twice, Rounding::Once] {
        assert_eq!(rounding.jump(1, 0), None);
        assert_eq!(rounding.jump(1, 1 << 31), None);
    }
}

#[cfg(feature = "serde")]
#[test]
fn the_rounding_is_a_text_and_left_out_where_it_is_the_default() {
    assert_eq!(serde_json::to_string(&Config::default()).unwrap(), r#"{"hash":"xxh3"}"#);
    let config = Config { rounding: Rounding::Once, ..Config::default() };
    let json = serde_json::to_string(&config).unwrap();
    assert_eq!(json, format!(r#"{{"hash":"xxh3","rounding":"{}"}}"#, Rounding::Once.name()));
    assert_eq!(serde_json::from_str::<Config>(&json).unwrap(), config);
}
