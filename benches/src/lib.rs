//! What the benchmarks share: settings, members, keys and layouts.
//!
//! Every family of the registry is built from the same members and asked for
//! the same keys. A benchmark is named `topic/family/nodes/what`, so
//! `cargo bench -- --save-baseline` compares one run with another.

use std::time::Duration;

use criterion::Criterion;
use homing_core::{Members, Placement, mix64};
use homing_harness::members::Given;
use homing_harness::registry::Choice;
use homing_harness::workload::{Generated, Source, Workload};

/// The numbers of nodes of a cluster that is built or looked up in.
pub const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

/// The numbers of nodes of a cluster that is changed.
pub const CHANGED_SIZES: [usize; 3] = [10, 100, 1_000];

/// The number of keys that are looked up in turn: more than the first cache
/// holds the lines of, so that a lookup is not always in the same place.
pub const KEYS: usize = 4_096;

/// The layout of one family, by the name it has in the registry.
#[derive(Debug)]
pub struct Layout {
    /// The name of the family.
    pub family: &'static str,
    /// The layout, under the family's default configuration.
    pub placement: Box<dyn Placement>,
}

/// Settings that keep a whole run to a few minutes.
#[must_use]
pub fn criterion() -> Criterion {
    Criterion::default()
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(1))
        .sample_size(20)
}

/// Returns the members `node-0` to `node-(nodes - 1)`, each of weight 1.
///
/// # Panics
///
/// Panics if `nodes` is 0 or above 1,000,000.
#[must_use]
pub fn members(nodes: usize) -> Members {
    Given::named(nodes).expect("from 1 to 1,000,000 nodes make a membership").members
}

/// Returns the first [`KEYS`] keys of the harness's default workload: decimal
/// text of about 20 bytes.
///
/// # Panics
///
/// Never: the default workload has that many.
#[must_use]
pub fn keys() -> Vec<Vec<u8>> {
    let source = Source::Generated(Generated { keys: KEYS as u64, ..Generated::default() });
    Workload::load(&source).expect("generated keys need no file").sample(KEYS)
}

/// Returns a key of `length` bytes, any of the 256 values among them.
#[must_use]
pub fn key_of(length: usize) -> Vec<u8> {
    (1..).flat_map(|i| mix64(i).to_le_bytes()).take(length).collect()
}

/// Returns the layout of each family for `nodes` nodes.
///
/// A family that refuses so many is passed over, with its reason on standard
/// error.
#[must_use]
pub fn layouts(nodes: usize) -> Vec<Layout> {
    Choice::all()
        .into_iter()
        .filter_map(|choice| {
            let family = choice.entry.family.name;
            match choice.build(members(nodes)) {
                Ok(placement) => Some(Layout { family, placement }),
                Err(error) => {
                    eprintln!("{family}/{nodes} is passed over: {error}");
                    None
                }
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use homing_harness::registry::FAMILIES;

    use super::*;

    #[test]
    fn every_family_is_benched() {
        let benched: Vec<_> = layouts(10).iter().map(|layout| layout.family).collect();
        let registered: Vec<_> = FAMILIES.iter().map(|entry| entry.family.name).collect();
        assert_eq!(benched, registered);
    }

    #[test]
    fn every_layout_has_the_members_asked_for() {
        for layout in layouts(100) {
            assert_eq!(layout.placement.members(), &members(100), "{}", layout.family);
        }
    }

    #[test]
    fn the_keys_are_distinct() {
        assert_eq!(keys().into_iter().collect::<HashSet<_>>().len(), KEYS);
    }

    #[test]
    fn a_key_has_the_length_asked_for() {
        for length in [0, 1, 8, 255, 256] {
            assert_eq!(key_of(length).len(), length);
        }
    }
}
