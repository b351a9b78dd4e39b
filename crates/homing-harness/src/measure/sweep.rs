//! Figures over a range of one parameter: nodes, and points a node.

use homing_core::shares;
use serde_json::Value;

use super::{balance, lookup, single, throughput};
use crate::Result;
use crate::members::Given;
use crate::progress::Progress;
use crate::record::{LookupTime, PointSpread, Sweeps};
use crate::registry::{Choice, FAMILIES};
use crate::workload::Workload;

/// The numbers of nodes that lookups are timed at.
const NODES: [usize; 4] = [10, 100, 1000, 10_000];

/// The entries of the larger table that the Maglev paper measures (D. E.
/// Eisenbud et al., "Maglev: a fast and reliable software network load
/// balancer", NSDI 2016, section 5.3).
const LARGE_TABLE: u64 = 655_373;

/// The numbers of points a node that shares are taken at.
const POINTS: [u64; 11] = [1, 2, 5, 10, 20, 50, 100, 160, 200, 500, 1000];

/// How many nodes share, and how many layouts each number of points has.
const SHARERS: usize = 10;
const SEEDS: u64 = 101;

/// Takes every family of the registry over the numbers of nodes, and those with
/// points over the numbers of points.
///
/// # Errors
///
/// Fails if a family refuses some number of equal nodes.
pub fn sweeps(workload: &Workload) -> Result<Sweeps> {
    let progress = Progress::new(NODES.len() * FAMILIES.len() + POINTS.len());
    Ok(Sweeps { lookup: lookups(workload, &progress)?, spread: spreads(&progress)? })
}

fn lookups(workload: &Workload, progress: &Progress) -> Result<Vec<LookupTime>> {
    let keys = workload.sample(super::latency::SAMPLE);
    let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
    let mut times = Vec::new();
    for entry in FAMILIES {
        for nodes in NODES {
            let choice = sized(&Choice::plain(entry), nodes);
            progress.step(format!("{choice} at {nodes} nodes"));
            let placement = choice.build(Given::named(nodes)?.members)?;
            let time = lookup(&*placement, &keys);
            times.push(LookupTime {
                family: entry.family.name.to_owned(),
                parameters: super::parameters(&choice),
                nodes,
                lookup_ns: time.lookup_ns,
                hash_ns: time.hash_ns,
                single: single(&*placement, &keys),
                throughput: throughput(&*placement, &keys),
            });
        }
    }
    Ok(times)
}

/// The same family; where it has one table for all nodes, and that has not a
/// hundred entries a node, with the large one.
fn sized(choice: &Choice, nodes: usize) -> Choice {
    let few = choice.knob().is_some_and(|entries| entries < 100 * nodes as u64);
    if few && choice.entry.knob.is_some_and(|knob| !knob.each_weight) {
        choice.turned(LARGE_TABLE)
    } else {
        choice.clone()
    }
}

fn spreads(progress: &Progress) -> Result<Vec<PointSpread>> {
    let members = Given::named(SHARERS)?.members;
    let mut spreads = Vec::new();
    for entry in FAMILIES.iter().filter(|entry| entry.knob.is_some_and(|knob| knob.each_weight)) {
        for points in POINTS {
            progress.step(format!("{} with {points} points", entry.family.name));
            let mut found = Vec::new();
            for seed in 0..SEEDS {
                let mut choice = Choice::plain(entry).turned(points);
                choice.parameters.insert("hash".into(), Value::from(format!("xxh3:{seed}")));
                let placement = choice.build(members.clone())?;
                let Some(shares) = shares(&*placement) else { continue };
                found.push(balance(&members, &shares).cv);
            }
            found.sort_by(f64::total_cmp);
            let (Some(&cv_min), Some(&cv_max)) = (found.first(), found.last()) else { continue };
            spreads.push(PointSpread {
                family: entry.family.name.to_owned(),
                nodes: SHARERS,
                points,
                seeds: SEEDS,
                cv_min,
                cv_median: found[found.len() / 2],
                cv_max,
                cv_expected: expected(SHARERS, points),
            });
        }
    }
    Ok(spreads)
}

/// The coefficient of variation that theory expects of the shares of N nodes of
/// v points each: the N v spacings of uniform points have it by the moments of
/// the Dirichlet distribution.
fn expected(nodes: usize, points: u64) -> f64 {
    let (nodes, points) = (nodes as f64, points as f64);
    ((nodes - 1.0) / (nodes * points + 1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::by_name;

    #[test]
    fn the_expected_spread_is_that_of_the_worked_figures() {
        // The formula, by hand: 7.4 % for 8 nodes at v = 160, 4.2 % at v = 500.
        assert_eq!(format!("{:.3}", expected(8, 160)), "0.074");
        assert_eq!(format!("{:.3}", expected(8, 500)), "0.042");
    }

    #[test]
    fn a_table_has_a_hundred_entries_a_node_or_is_the_large_one() {
        let maglev = Choice::plain(by_name("maglev").unwrap());
        assert_eq!(sized(&maglev, 655).knob(), Some(65_537));
        assert_eq!(sized(&maglev, 656).knob(), Some(655_373));
        let ring = Choice::plain(by_name("ring").unwrap());
        assert_eq!(sized(&ring, 10_000).knob(), ring.knob());
    }
}
