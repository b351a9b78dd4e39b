//! The configuration as it is written.

#![cfg(feature = "serde")]

use homing_core::{Build, KeyHash, Manifest, Members, NodeId};
use homing_ring::{Boundary, Config, Count, Place, Points, Ring, Rounding, Scheme, Sums, Ties};
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

fn derived(scheme: Scheme, count: Count) -> Config {
    Config { points: Points::Derived { scheme, count }, ..Config::default() }
}

#[test]
fn the_form_of_what_is_made_of_labels_is_flat() {
    let hash = KeyHash::Xxh3 { seed: 1 };
    let text = |copy| Scheme::Text { copy, separator: "-".into(), hash };
    let digest = Scheme::Digest { copy: Place::Last, separator: String::new(), words: 4 };
    let share = Count::Share { average: 40, rounding: Rounding::F32F64 };
    let scaled = Count::Scaled { least: 9, greatest: 10, sums: Sums::ByIndex };
    let bounded = Config { boundary: Boundary::Nearest, ..Config::default() };
    for (config, form) in [
        (
            derived(text(Place::First), Count::PerWeight(20)),
            json!({
                "hash": "xxh3", "points": 20, "copy": "first", "separator": "-",
                "point_hash": "xxh3:1",
            }),
        ),
        (
            derived(text(Place::Last), scaled),
            json!({
                "hash": "xxh3", "copy": "last", "separator": "-", "point_hash": "xxh3:1",
                "least": 9, "greatest": 10, "sums": "by-index",
            }),
        ),
        (
            derived(digest, share),
            json!({
                "hash": "xxh3", "copy": "last", "separator": "", "words": 4, "average": 40,
                "rounding": "f32-f64",
            }),
        ),
        (
            derived(Scheme::Chain { hash }, Count::PerWeight(1)),
            json!({ "hash": "xxh3", "points": 1, "copy": "chain", "point_hash": "xxh3:1" }),
        ),
        (
            derived(Scheme::Number { stride: 4096 }, Count::PerWeight(16)),
            json!({ "hash": "xxh3", "points": 16, "copy": "number", "stride": 4096 }),
        ),
        (bounded, json!({ "hash": "xxh3", "points": 160, "boundary": "nearest" })),
        (
            Config { ties: Ties::HighestIndex, ..assigned(&[(7, "A")]) },
            json!({ "hash": "xxh3", "assigned": [[7, "A"]], "ties": "highest-index" }),
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
        (r#"{"hash":"xxh3:1","copy":"last"}"#, {
            let hash = KeyHash::Xxh3 { seed: 1 };
            let scheme = Scheme::Text { copy: Place::Last, separator: String::new(), hash };
            Config { hash, ..derived(scheme, Count::PerWeight(160)) }
        }),
        (r#"{"copy":"number","stride":1,"average":40}"#, {
            let count = Count::Share { average: 40, rounding: Rounding::Exact };
            derived(Scheme::Number { stride: 1 }, count)
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
        (r#"{"boundary":"before"}"#, "\"before\", but must be one of at-or-after, after, nearest"),
        (r#"{"ties":"first"}"#, "must be one of least-id, lowest-index, highest-index"),
        (r#"{"copy":"none"}"#, "must be one of last, first, chain, number"),
        (r#"{"words":4}"#, "words is given without copy, but must be with it"),
        (r#"{"average":4,"prefix":"a"}"#, "average is given without copy"),
        (r#"{"copy":"last","prefix":"a"}"#, "prefix is given with copy, but must be without it"),
        (r#"{"copy":"chain","separator":"-"}"#, "copy is \"chain\" with separator, but must be"),
        (r#"{"copy":"number"}"#, "copy is \"number\" without stride, but must be last or first"),
        (r#"{"copy":"last","words":4,"point_hash":"xxh3"}"#, "with point_hash, words, but"),
        (r#"{"copy":"last","points":4,"average":4}"#, "count is points, average, but must be"),
        (r#"{"copy":"last","least":4}"#, "count is least, but must be"),
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
