//! The configuration as it is written.

#![cfg(feature = "serde")]

use homing_core::{Build, KeyHash, Manifest, Members, NodeId};
use homing_ring::{Config, Points, Ring};
use serde_json::{from_str, json, to_value};

fn labelled(prefix: &str, separator: &str, per_weight: u32) -> Config {
    let (prefix, separator) = (prefix.into(), separator.into());
    Config { points: Points::Labelled { prefix, separator, per_weight }, ..Config::default() }
}

fn assigned(points: &[(u64, &str)]) -> Config {
    let points = points.iter().map(|&(at, id)| (at, NodeId::new(id))).collect();
    Config { points: Points::Assigned(points), ..Config::default() }
}

#[test]
fn the_form_is_flat() {
    let seeded = Config { hash: KeyHash::Xxh3 { seed: 42 }, ..Config::default() };
    for (config, form) in [
        (seeded, json!({ "hash": "xxh3:42", "points": 160 })),
        (
            labelled("node:", ":", 256),
            json!({ "hash": "xxh3", "points": 256, "prefix": "node:", "separator": ":" }),
        ),
        (
            assigned(&[(20, "A"), (1 << 53, "B"), (u64::MAX, "A")]),
            json!({
                "hash": "xxh3",
                "assigned": [[20, "A"], [1_u64 << 53, "B"], ["18446744073709551615", "A"]],
            }),
        ),
    ] {
        assert_eq!(to_value(&config).unwrap(), form);
        assert_eq!(serde_json::from_value::<Config>(form).unwrap(), config);
    }
}

#[test]
fn what_is_left_out_has_its_default() {
    for (form, config) in [
        ("{}", Config::default()),
        (r#"{"prefix":"n"}"#, labelled("n", "", 160)),
        (r#"{"separator":"-","points":3}"#, labelled("", "-", 3)),
        (r#"{"assigned":[["7","A"],[18446744073709551615,"B"]]}"#, {
            assigned(&[(7, "A"), (u64::MAX, "B")])
        }),
    ] {
        assert_eq!(from_str::<Config>(form).unwrap(), config, "{form}");
    }
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let together = |other: &str| {
        format!("assigned is given with {other}, but must be without points, prefix and separator")
    };
    let position = "a position from 0 to 18446744073709551615";
    for (form, part) in [
        (r#"{"assigned":[[1,"A"]],"points":160}"#, together("points").as_str()),
        (r#"{"assigned":[[1,"A"]],"prefix":""}"#, &together("prefix")),
        (r#"{"assigned":[[1,"A"]],"separator":""}"#, &together("separator")),
        (r#"{"assigned":[[-1,"A"]]}"#, position),
        (r#"{"assigned":[[1.5,"A"]]}"#, position),
        (r#"{"assigned":[["+1","A"]]}"#, position),
        (r#"{"assigned":[["","A"]]}"#, position),
        (r#"{"assigned":[["18446744073709551616","A"]]}"#, position),
        (r#"{"points":4294967296}"#, "4294967296"),
        (r#"{"vnodes":3}"#, "expected one of `hash`, `points`, `prefix`, `separator`, `assigned`"),
    ] {
        let error = from_str::<Config>(form).unwrap_err().to_string();
        assert!(error.contains(part), "{form}: {error}");
    }
}

#[test]
fn a_manifest_builds_the_ring_that_it_describes() {
    let config = assigned(&[(u64::MAX, "B"), (20, "A"), (35, "D")]);
    let ring = Ring::build(config, Members::named(["A", "B"]).unwrap()).unwrap();
    let written = serde_json::to_string(&Manifest::of(&ring, 3)).unwrap();
    let read: Manifest<Config> = from_str(&written).unwrap();
    assert_eq!(read.build::<Ring>().unwrap(), ring);
}
