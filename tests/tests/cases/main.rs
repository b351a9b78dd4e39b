//! Faults from the field, each with a small input and what is right.
//!
//! A test is named after its case. Not here: C35 and C45, which concern modes that
//! are not offered, and C44, which is about time.

mod any;
mod hashed;
mod maglev;
mod ring;
mod ring_points;
mod slots;

use homing_core::{Build, Members, Node, Placement};
use homing_tests::bridge::owner;

pub(crate) fn build<P: Build>(ids: &[&str]) -> P {
    P::build(P::Config::default(), Members::named(ids.iter().copied()).unwrap()).unwrap()
}

pub(crate) fn weighted<P: Build>(config: P::Config, weights: &[(&str, u32)]) -> P {
    let nodes = weights.iter().map(|&(id, weight)| Node::new(id).weighing(weight));
    P::build(config, Members::new(nodes).unwrap()).unwrap()
}

pub(crate) fn numbered(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|i| format!("{prefix}{i}")).collect()
}

pub(crate) fn owners(layout: &dyn Placement, keys: &[String]) -> Vec<Option<String>> {
    keys.iter().map(|key| owner(layout, key.as_bytes())).collect()
}

pub(crate) fn fraction(part: usize, all: usize) -> f64 {
    f64::from(u32::try_from(part).unwrap()) / f64::from(u32::try_from(all).unwrap())
}
