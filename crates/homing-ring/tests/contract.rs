//! The contract of `Placement`, over the hash ring.

use homing_core::{KeyHash, mix64};
use homing_ring::{Boundary, Config, Count, Place, Points, Ring, Rounding, Scheme, Sums, Ties};

homing_core::contract!(Ring);

/// Few points, many, and those of another hash.
fn drawn() -> Vec<Config> {
    let config = |seed, per_weight| Config {
        hash: KeyHash::Xxh3 { seed },
        points: Points::Drawn { per_weight },
        ..Config::default()
    };
    vec![config(0, 1), config(0, 2), config(7, 40), config(u64::MAX, 400)]
}

mod drawn_otherwise {
    homing_core::contract!(super::Ring, configs: super::drawn());
}

/// Labels that are told apart; and labels of which some coincide, such as copy 11 of
/// `node-1` and copy 1 of `node-11`.
fn labelled() -> Vec<Config> {
    let config = |prefix: &str, separator: &str, per_weight| {
        let (prefix, separator) = (prefix.to_owned(), separator.to_owned());
        let points = Points::Labelled { prefix, separator, per_weight };
        Config { points, ..Config::default() }
    };
    vec![config("node:", ":", 160), config("", "", 100)]
}

mod labelled {
    homing_core::contract!(super::Ring, configs: super::labelled());
}

/// Points all over the circle; and so many on so few positions that most coincide.
fn assigned() -> Vec<Config> {
    let config = |each: u64, bound: u64| {
        let ids = homing_core::dev::ids().zip(0_u64..);
        let points = ids.flat_map(|(id, node)| {
            (0..each).map(move |i| (mix64(node << 32 | i) % bound, id.clone()))
        });
        Config { points: Points::Assigned(points.collect()), ..Config::default() }
    };
    vec![config(50, u64::MAX), config(20, 100), config(1, 3)]
}

mod assigned {
    homing_core::contract!(super::Ring, configs: super::assigned());
}

/// What a point owns otherwise, and who has it; fewer bits where there is such a hash.
fn bounded() -> Vec<Config> {
    let hash = if cfg!(feature = "compat") { "crc32" } else { "xxh3" };
    let config = |hash: &str, boundary, points| Config {
        hash: hash.parse().unwrap(),
        points,
        boundary,
        ..Config::default()
    };
    let drawn = || Points::Drawn { per_weight: 40 };
    vec![
        config(hash, Boundary::AtOrAfter, drawn()),
        config("xxh3", Boundary::After, drawn()),
        config(hash, Boundary::After, labelled()[1].points.clone()),
        config(hash, Boundary::Nearest, drawn()),
        config("xxh3", Boundary::Nearest, assigned()[1].points.clone()),
    ]
}

mod bounded {
    homing_core::contract!(super::Ring, configs: super::bounded());
}

/// Points of labels, each node's whatever the others are.
fn derived() -> Vec<Config> {
    let scheme = |copy, hash: KeyHash| Scheme::Text { copy, separator: String::new(), hash };
    let config = |scheme, boundary| Config {
        points: Points::Derived { scheme, count: Count::PerWeight(100) },
        boundary,
        ..Config::default()
    };
    let other = KeyHash::Xxh3 { seed: 3 };
    vec![
        config(scheme(Place::First, KeyHash::default()), Boundary::Nearest),
        config(scheme(Place::Last, other), Boundary::After),
    ]
}

mod derived {
    homing_core::contract!(super::Ring, configs: super::derived());
}

/// Points in proportion to all weights, which move when these change.
fn relative() -> Vec<Config> {
    let scheme =
        || Scheme::Text { copy: Place::Last, separator: "-".into(), hash: KeyHash::default() };
    let config =
        |count| Config { points: Points::Derived { scheme: scheme(), count }, ..Config::default() };
    let share = |rounding| config(Count::Share { average: 40, rounding });
    let scaled = Count::Scaled { least: 256, greatest: 1000, sums: Sums::ByLabel };
    vec![share(Rounding::F64), share(Rounding::Exact), config(scaled)]
}

mod relative {
    homing_core::contract!(super::Ring, configs: super::relative());
}

/// Points that crowd on a hundred positions, to be had by index.
fn ordered() -> Vec<Config> {
    [Ties::LowestIndex, Ties::HighestIndex]
        .map(|ties| Config { ties, ..assigned()[1].clone() })
        .to_vec()
}

mod ordered {
    homing_core::contract!(super::Ring, configs: super::ordered());
}
