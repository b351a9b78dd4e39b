//! What moves in steps, counted over the keys of a workload.

use homing_core::NodeIndex;

use super::ways::Route;
use super::{Figures, Moves, State};
use crate::record::Basis;
use crate::statistics::{Interval, proportion};
use crate::workload::{Basis as Taken, Block, Workload};

/// Counts of a route.
#[derive(Clone, Debug)]
struct Tally {
    steps: Vec<Count>,
    once: u64,
    apart: u64,
    bytes: u128,    // of all keys
    requests: u128, // likewise
}

/// Counts of a step.
#[derive(Clone, Debug, Default)]
struct Count {
    moved: u64,
    stray: u64,
    bytes: u128,
    requests: u128,
    loads: Vec<u64>, // by index, after the step
}

/// The figures over the keys of `workload`.
pub(super) fn figures(states: &[State<'_>], route: &Route, workload: &Workload) -> Figures {
    let tally = workload.fold(
        || Tally::new(states),
        |tally, block| tally.add(states, route, block),
        |a, b| a.merge(&b),
    );
    let keys = workload.count();
    let sampled = workload.basis() == Taken::Generated;
    let part = |count: u64| if keys == 0 { 0.0 } else { count as f64 / keys as f64 };
    let within = |count: u64| {
        if sampled {
            proportion(count, keys)
        } else {
            Interval { low: part(count), high: part(count) }
        }
    };
    let of = |some: u128, all: u128| if all == 0 { 0.0 } else { some as f64 / all as f64 };
    let steps = tally.steps.iter().map(|step| Moves {
        moved: part(step.moved),
        moved_in: within(step.moved),
        stray: part(step.stray),
        stray_in: within(step.stray),
        bytes: workload.has_bytes().then(|| of(step.bytes, tally.bytes)),
        requests: workload.has_requests().then(|| of(step.requests, tally.requests)),
        loads: step.loads.iter().map(|&load| part(load)).collect(),
    });
    Figures {
        basis: if sampled { Basis::Sampled } else { Basis::Counted },
        steps: steps.collect(),
        once: part(tally.once),
        once_in: within(tally.once),
        apart: part(tally.apart),
        apart_in: within(tally.apart),
    }
}

impl Tally {
    fn new(states: &[State<'_>]) -> Self {
        let step = |state: &State<'_>| Count {
            loads: vec![0; state.placement.members().index_bound()],
            ..Count::default()
        };
        let steps = states.iter().skip(1).map(step).collect();
        Self { steps, once: 0, apart: 0, bytes: 0, requests: 0 }
    }

    fn add(&mut self, states: &[State<'_>], route: &Route, block: &Block<'_>) {
        let Some((start, after)) = states.split_first() else { return };
        let positions: Vec<u64> =
            block.keys.iter().map(|key| start.placement.position(key)).collect();
        let owners: Vec<Vec<Option<NodeIndex>>> = route
            .layouts
            .iter()
            .map(|layout| {
                let mut owners = vec![None; positions.len()];
                layout.owners_at(&positions, &mut owners);
                owners
            })
            .collect();
        for key in 0..block.keys.len() {
            let at = |state: &State<'_>| {
                let owner = owners[state.layout][key];
                (owner, owner.and_then(|owner| state.machines[owner.get()]))
            };
            let bytes = block.bytes.map_or(0, |bytes| bytes[key].into());
            let requests = block.requests.map_or(0, |requests| requests[key].into());
            let (_, first) = at(start);
            let (mut from, mut once) = (first, false);
            for (count, state) in self.steps.iter_mut().zip(after) {
                let (owner, to) = at(state);
                if let Some(owner) = owner {
                    count.loads[owner.get()] += 1;
                }
                if from != to {
                    once = true;
                    count.moved += 1;
                    count.stray += u64::from(state.is_stray(from, to));
                    count.bytes += bytes;
                    count.requests += requests;
                }
                from = to;
            }
            self.once += u64::from(once);
            self.apart += u64::from(first != from);
            self.bytes += bytes;
            self.requests += requests;
        }
    }

    fn merge(mut self, other: &Self) -> Self {
        for (count, more) in self.steps.iter_mut().zip(&other.steps) {
            count.moved += more.moved;
            count.stray += more.stray;
            count.bytes += more.bytes;
            count.requests += more.requests;
            for (load, more) in count.loads.iter_mut().zip(&more.loads) {
                *load += more;
            }
        }
        self.once += other.once;
        self.apart += other.apart;
        self.bytes += other.bytes;
        self.requests += other.requests;
        self
    }
}
