//! Results that others have published, measured again.

use homing_core::{Placement, Removal, shares};
use serde_json::Value;
use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::{balance, count};
use crate::Result;
use crate::members::Given;
use crate::record::Published;
use crate::registry::{Choice, Entry, FAMILIES};
use crate::workload::{Generated, Source, Workload};

/// How many equal nodes all of them are over.
const NODES: usize = 1000;

/// Points a node, and the standard error of the share of a node: J. Lamping and E.
/// Veach, "A fast, minimal memory, consistent hash algorithm", 2014.
const POINTS: [(u64, f64); 4] = [(1, 0.998), (10, 0.315), (100, 0.0997), (1000, 0.0316)];
const ON_POINTS: &str =
    "Lamping and Veach 2014: standard error of a bucket's size by points a bucket";

/// How many layouts the spread of points is taken over.
const SEEDS: u64 = 5;

/// Entries of the tables: D. E. Eisenbud et al., "Maglev: a fast and reliable
/// software network load balancer", NSDI 2016, section 5.3.
const ENTRIES: [u64; 2] = [65_537, 655_373];
const ON_ENTRIES: &str =
    "Eisenbud et al. 2016: nodes take turns, so no two differ by more than one entry";

const ON_BUCKETS: &str =
    "Lamping and Veach 2014: buckets are even to 8e-9, the rest is the chance of keys";

/// The keys that fall into buckets.
const KEYS: u64 = 1_000_000;

/// What is left out on each side of an interval: they are 99 %, since there are
/// several.
const TAIL: f64 = 0.005;

/// The standard normal quantile of `1 - TAIL`.
const DEVIATIONS: f64 = 2.576;

/// Measures the published results again, each with what agrees with it.
///
/// # Errors
///
/// Fails if a family refuses equal nodes.
pub fn published() -> Result<Vec<Published>> {
    let mut results = Vec::new();
    for entry in FAMILIES {
        match entry.knob {
            Some(knob) if knob.each_weight => {
                for (points, error) in POINTS {
                    results.push(spread(entry, points, error)?);
                }
            }
            Some(_) => {
                for entries in ENTRIES {
                    results.push(table(entry, entries)?);
                }
            }
            None if entry.family.capabilities.removal == Removal::Last => {
                results.push(buckets(entry)?);
            }
            None => {}
        }
    }
    Ok(results)
}

/// The spread of shares, as the root of the mean square of some layouts.
fn spread(entry: &'static Entry, points: u64, error: f64) -> Result<Published> {
    let members = Given::named(NODES)?.members;
    let mut squares = 0.0;
    for seed in 0..SEEDS {
        let mut choice = Choice::plain(entry).turned(points);
        choice.parameters.insert("hash".into(), Value::from(format!("xxh3:{seed}")));
        let shares = shares_of(&*choice.build(members.clone())?);
        squares += balance(&members, &shares).cv.powi(2);
    }
    // The share of a node is about Gamma distributed, with the kurtosis 3 + 6 / v:
    // the deviation of the spread of N shares is sqrt((2 + 6 / v) / N) / 2 of it.
    // The published figure has that of one layout, ours that of several.
    let (nodes, layouts) = (NODES as f64, SEEDS as f64);
    let one = ((2.0 + 6.0 / points as f64) / nodes).sqrt() / 2.0;
    let off = DEVIATIONS * one * (1.0 + 1.0 / layouts).sqrt();
    Ok(Published {
        family: entry.family.name.to_owned(),
        what: format!("cv of the shares of {NODES} nodes of {points} points, {SEEDS} seeds"),
        published: error,
        measured: (squares / layouts).sqrt(),
        low: error * (1.0 - off),
        high: error * (1.0 + off),
        source: ON_POINTS.to_owned(),
    })
}

/// The entries of the fullest node over those of the emptiest: whole numbers, and
/// no chance in them.
fn table(entry: &'static Entry, entries: u64) -> Result<Published> {
    let placement = Choice::plain(entry).turned(entries).build(Given::named(NODES)?.members)?;
    let shares = shares_of(&*placement);
    let held = |share: f64| (share * entries as f64).round();
    let most = shares.iter().copied().fold(0.0, f64::max);
    let least = shares.iter().copied().fold(f64::INFINITY, f64::min);
    let nodes = NODES as u64;
    let published = entries.div_ceil(nodes) as f64 / (entries / nodes) as f64;
    Ok(Published {
        family: entry.family.name.to_owned(),
        what: format!("greatest over least number of entries, {NODES} nodes, {entries} entries"),
        published,
        measured: held(most) / held(least),
        low: published,
        high: published,
        source: ON_ENTRIES.to_owned(),
    })
}

/// The spread of keys over buckets, which is that of chance if buckets are even:
/// its square times the keys is chi-square.
fn buckets(entry: &'static Entry) -> Result<Published> {
    let members = Given::named(NODES)?.members;
    let placement = Choice::plain(entry).build(members.clone())?;
    let source = Source::Generated(Generated { keys: KEYS, ..Generated::default() });
    let tally = count(&*placement, &*placement, &Workload::load(&source)?);
    let (freedom, keys) = ((NODES - 1) as f64, KEYS as f64);
    let chance = ChiSquared::new(freedom).expect("there are two nodes or more");
    let cv = |statistic: f64| (statistic / keys).sqrt();
    Ok(Published {
        family: entry.family.name.to_owned(),
        what: format!("cv of {KEYS} keys over {NODES} nodes"),
        published: cv(freedom),
        measured: balance(&members, &tally.keys.part().loads).cv,
        low: cv(chance.inverse_cdf(TAIL)),
        high: cv(chance.inverse_cdf(1.0 - TAIL)),
        source: ON_BUCKETS.to_owned(),
    })
}

fn shares_of(placement: &dyn Placement) -> Vec<f64> {
    shares(placement).expect("a family with points or entries has segments")
}
