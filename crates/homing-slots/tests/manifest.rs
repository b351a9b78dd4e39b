//! The configuration through serde, and manifests of slot maps.
#![cfg(feature = "serde")]

use homing_core::{Build, Change, Manifest, Members, Node, NodeId, Placement};
use homing_slots::{Config, SlotRange, Slots};

fn read(json: &str) -> Result<Config, String> {
    serde_json::from_str(json).map_err(|error| error.to_string())
}

#[test]
fn ranges_are_read_as_first_last_and_id() {
    let range = SlotRange { first: 0, last: 5_460, node: NodeId::new("a") };
    let config = Config { ranges: Some(vec![range]) };
    assert_eq!(read(r#"{"ranges":[[0,5460,"a"]]}"#), Ok(config.clone()));
    assert_eq!(serde_json::to_string(&config).unwrap(), r#"{"ranges":[[0,5460,"a"]]}"#);
}

#[test]
fn no_ranges_are_the_even_split() {
    assert_eq!(read("{}"), Ok(Config::default()));
    assert_eq!(serde_json::to_string(&Config::default()).unwrap(), "{}");
}

#[test]
fn a_slot_beyond_sixteen_bits_is_told_with_the_rule() {
    let error = read(r#"{"ranges":[[0,70000,"a"]]}"#).unwrap_err();
    assert!(error.starts_with("range is 0-70000 of \"a\", but must be within 0-16383"), "{error}");
}

#[test]
fn unknown_fields_are_named() {
    let error = read(r#"{"range":[]}"#).unwrap_err();
    assert!(error.starts_with("unknown field `range`, expected `ranges`"), "{error}");
}

#[test]
fn a_manifest_builds_a_map_with_uncovered_slots_again() {
    let mut slots =
        Slots::build(Config::default(), Members::named(["a", "b", "c"]).unwrap()).unwrap();
    slots.apply(&[Change::Remove(NodeId::new("b")), Change::Add(Node::new("d"))]).unwrap();
    let json = serde_json::to_string(&Manifest::of(&slots, 3)).unwrap();
    let manifest: Manifest<Config> = serde_json::from_str(&json).unwrap();
    let again: Slots = manifest.build().unwrap();
    assert_eq!(again.ranges(), slots.ranges());
    assert_eq!(again.uncovered(), [5_461..=10_922]);
}
