//! The contract of `Placement`, over the hash ring.

use homing_core::{KeyHash, mix64};
use homing_ring::{Config, Points, Ring};

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
