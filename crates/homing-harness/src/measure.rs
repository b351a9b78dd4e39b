//! One scenario taken through its families: each row of a [`Comparison`].

mod balance;
pub mod diff;
pub mod difference;
mod failures;
mod latency;
mod migration;
mod parameter;
pub mod plan;
mod published;
mod replicas;
mod single;
mod steps;
mod sweep;
mod throughput;
mod verify;

use homing_core::{Change, Disruption, Error as CoreError, Members, Placement, Spread};

pub use self::balance::{balance, evenness};
pub use self::failures::{FailuresAsked, failures};
pub use self::latency::{Latency, lookup};
pub use self::migration::{Tally, count, optimal};
pub use self::parameter::{Parameter, SweepAsked, Values, sweep};
pub use self::published::published;
pub(crate) use self::replicas::NO_REPLICAS;
pub use self::single::single;
pub use self::steps::steps;
pub use self::sweep::sweeps;
pub use self::throughput::throughput;
pub use self::verify::{
    Disagreement, Duplicate, Duplicates, Explains, Found, Key, Skipped, Trial, Trials, Tried,
    Unknown, UnknownNode, Verification, Which, trials, verify,
};
use crate::error::quoted;
use crate::progress::Progress;
use crate::record::{
    Basis, Comparison, Hottest, Load, Measured, Outcome, Row, Weighed, WorkloadSummary,
};
use crate::registry::Choice;
use crate::scenario::Scenario;
use crate::workload::{Basis as Taken, Load as ByLoad, Workload};
use crate::{Error, Result, advice};

/// Takes the members and the changes of a scenario through its families, over
/// the keys of `workload`.
///
/// # Errors
///
/// Fails if the changes cannot be made to the members, or a family was given a
/// parameter out of range. What a family cannot do by its nature is told in its
/// row instead.
pub fn compare(scenario: &Scenario, workload: &Workload) -> Result<Comparison> {
    let mut after = scenario.members.clone();
    after.apply(&scenario.changes)?;
    let optimal = optimal(&scenario.members, &after);
    let progress = Progress::new(scenario.families.len());
    let mut rows = Vec::new();
    let mut notes = Vec::new();
    for choice in &scenario.families {
        progress.step(choice.to_string());
        let first = rows.len();
        for (name, changes) in ways(choice, scenario) {
            let outcome = row(choice, scenario, &changes, workload, optimal)?;
            rows.push(Row { family: name, parameters: parameters(choice), outcome });
        }
        notes.extend(advice::on_balance(choice, &after, &rows[first..]));
        notes.extend(advice::on_uncovered(&rows[first..]));
        notes.extend(advice::on_tool(choice, &scenario.members, &scenario.changes));
    }
    notes.extend(advice::on_sampling(&rows, workload.count(), after.active()));
    notes.extend(advice::on_hot_key(&rows, workload.hottest()));
    Ok(Comparison {
        scenario: scenario.name.clone(),
        about: scenario.about.clone(),
        nodes_before: scenario.members.active(),
        nodes_after: after.active(),
        changes: scenario.changes.iter().map(described).collect(),
        workload: summary(workload),
        replicas: scenario.replicas,
        optimal,
        rows,
        notes,
    })
}

/// A change in words: `add "node-8"`.
pub(crate) fn described(change: &Change) -> String {
    match change {
        Change::Add(node) if node.weight == 1 => format!("add {:?}", node.id),
        Change::Add(node) => format!("add {:?} of weight {}", node.id, node.weight),
        Change::Remove(id) => format!("remove {id:?}"),
        Change::Reweight(id, weight) => format!("reweight {id:?} to {weight}"),
        Change::Rebalance => "rebalance".to_owned(),
        _ => format!("{change:?}"),
    }
}

pub(crate) fn parameters(choice: &Choice) -> String {
    choice.to_string().split_once(':').map_or_else(String::new, |(_, rest)| rest.to_owned())
}

/// The ways in which a family goes through the changes, by the name of the row.
///
/// Where moves are the operator's there are two: membership alone, and the
/// planned way. Every other family is at rest in a rebalance.
fn ways(choice: &Choice, scenario: &Scenario) -> Vec<(String, Vec<Change>)> {
    let family = choice.entry.family;
    let alone: Vec<Change> =
        scenario.changes.iter().filter(|change| **change != Change::Rebalance).cloned().collect();
    let mut ways = vec![(family.name.to_owned(), alone)];
    if family.capabilities.disruption == Disruption::Operator {
        ways.push((format!("{}+rebalance", family.name), planned(&scenario.changes)));
    }
    ways
}

/// The changes as an operator plans them: who joins joins, who is to leave is
/// drained, then all is rebalanced, and who is drained leaves.
fn planned(changes: &[Change]) -> Vec<Change> {
    let mut steps = Vec::new();
    let mut leaving = Vec::new();
    for change in changes {
        match change {
            Change::Remove(id) if leaving.contains(change) => {
                steps.push(Change::Reweight(id.clone(), 0));
            }
            Change::Remove(id) => {
                steps.push(Change::Reweight(id.clone(), 0));
                leaving.push(change.clone());
            }
            // A node that leaves and joins again within one list is gone in between.
            Change::Add(node) if leaving.contains(&Change::Remove(node.id.clone())) => {
                steps.push(Change::Rebalance);
                steps.append(&mut leaving);
                steps.push(change.clone());
            }
            Change::Rebalance => {}
            change => steps.push(change.clone()),
        }
    }
    steps.push(Change::Rebalance);
    steps.append(&mut leaving);
    steps
}

fn row(
    choice: &Choice,
    scenario: &Scenario,
    changes: &[Change],
    workload: &Workload,
    optimal: f64,
) -> Result<Outcome> {
    // What was asked for must work; of what is there by default, or by a manifest,
    // the row may say why it does not.
    let told = |error| Ok(Outcome::Unsupported { unsupported: rule(choice, error)? });
    let builder = choice.builder()?;
    let before = match builder.build(scenario.members.clone()) {
        Ok(before) => before,
        Err(error) => return told(error),
    };
    let mut after = before.clone();
    let mut members = scenario.members.clone();
    let applied = members.apply(changes).and_then(|()| builder.check(&members));
    if let Err(error) = applied.and_then(|()| after.apply(changes)) {
        return told(error);
    }
    let figures = figures(
        &*before,
        &*after,
        workload,
        scenario.replicas.map(|count| (count, scenario.spread)),
        optimal,
    );
    let keys = workload.sample(latency::SAMPLE);
    let keys: Vec<&[u8]> = keys.iter().map(Vec::as_slice).collect();
    let latency = lookup(&*after, &keys);
    Ok(Outcome::Measured(Box::new(Measured {
        lookup_ns: latency.lookup_ns,
        hash_ns: latency.hash_ns,
        single: single(&*after, &keys),
        throughput: throughput(&*after, &keys),
        build_ns: latency::build(&builder, &scenario.members),
        change_ns: latency::change(&*before, changes),
        ..figures
    })))
}

/// Why a family has no row here: a rule of its own, or of what is there by default;
/// what the user asked for must work.
fn rule(choice: &Choice, error: CoreError) -> Result<String> {
    match error {
        CoreError::Unsupported { rule, .. } => Ok(rule.to_owned()),
        error if !choice.is_asked() => Ok(Error::Core(error).to_string()),
        error => {
            let said = Error::Usage(format!("{}: {error}", choice.entry.family.name));
            Err(choice.origin.located(said))
        }
    }
}

/// Every figure that is no time: moves, balance, memory.
fn figures(
    before: &dyn Placement,
    after: &dyn Placement,
    workload: &Workload,
    replicas: Option<(usize, Spread)>,
    optimal: f64,
) -> Measured {
    let members = after.members();
    let sampled = workload.basis() != Taken::Counted;
    let plain =
        workload.basis() == Taken::Generated && !workload.has_bytes() && !workload.has_requests();
    let exact = if plain { migration::exact(before, after) } else { None };
    let tally = match exact {
        Some(_) => None,
        None => Some(migration::count(before, after, workload)),
    };
    let (basis, moves) = match (exact, &tally) {
        (Some(exact), _) => (Basis::Exact, exact),
        (None, Some(tally)) if sampled => (Basis::Sampled, tally.keys.part()),
        (None, Some(tally)) => (Basis::Counted, tally.keys.part()),
        (None, None) => unreachable!("keys are counted where there is no exact plan"),
    };
    let even = balance(members, &moves.loads);
    let (moved, stray) = (moves.interval(moves.moved, basis), moves.interval(moves.stray, basis));
    let weighed = |part: migration::Part| part.weighed(members, optimal, basis);
    Measured {
        moved: moves.moved,
        moved_low: moved.low,
        moved_high: moved.high,
        optimal,
        stray: moves.stray,
        stray_low: Some(stray.low),
        stray_high: Some(stray.high),
        peak_to_mean: even.peak_to_mean,
        cv: even.cv,
        evenness: Some(evenness(members, &moves.loads, basis, moves.draws)),
        basis,
        uncovered: uncovered(after),
        by_bytes: tally
            .as_ref()
            .filter(|_| workload.has_bytes())
            .map(|tally| weighed(tally.bytes.part())),
        by_requests: tally
            .as_ref()
            .filter(|_| workload.has_requests())
            .map(|tally| weighed(tally.requests.part())),
        hottest_owner: workload
            .hottest()
            .and_then(|hottest| after.owner(&hottest.key).map(|node| node.id.as_str().to_owned())),
        replicas: replicas.map(|count| replicas::moved(before, after, workload, count)),
        load: load(members, &moves.loads),
        lookup_ns: 0.0,
        hash_ns: 0.0,
        single: None,
        throughput: None,
        build_ns: 0.0,
        change_ns: 0.0,
        memory_bytes: after.memory_usage() as u64,
    }
}

/// Moves and balance by a load of a workload, which must have it, with their basis.
pub(crate) fn by_load(
    before: &dyn Placement,
    after: &dyn Placement,
    (workload, load): (&Workload, ByLoad),
    optimal: f64,
) -> (Basis, Weighed) {
    let tally = migration::count(before, after, workload);
    let basis = if workload.basis() == Taken::Counted { Basis::Counted } else { Basis::Sampled };
    let count = match load {
        ByLoad::Keys => &tally.keys,
        ByLoad::Bytes => &tally.bytes,
        ByLoad::Requests => &tally.requests,
    };
    (basis, count.part().weighed(after.members(), optimal, basis))
}

/// Moves and balance over all positions, where both layouts have segments.
pub(crate) fn by_positions(
    before: &dyn Placement,
    after: &dyn Placement,
    optimal: f64,
) -> Option<Weighed> {
    let part = migration::exact(before, after)?;
    Some(part.weighed(after.members(), optimal, Basis::Exact))
}

/// How many positions have no owner, where the operator may leave some.
fn uncovered(placement: &dyn Placement) -> Option<u64> {
    if placement.family().capabilities.disruption != Disruption::Operator {
        return None;
    }
    let mut first = 0;
    let mut uncovered = 0;
    for segment in placement.segments()? {
        if segment.owner.is_none() {
            uncovered += segment.last - first + 1;
        }
        first = segment.last.wrapping_add(1);
    }
    Some(uncovered)
}

fn load(members: &Members, loads: &[f64]) -> Vec<Load> {
    let total = members.total_weight() as f64;
    members
        .iter()
        .map(|(index, node)| Load {
            node: node.id.as_str().to_owned(),
            share: loads[index.get()],
            ideal: f64::from(node.weight) / total,
        })
        .collect()
}

pub(crate) fn summary(workload: &Workload) -> WorkloadSummary {
    let totals = workload.totals();
    WorkloadSummary {
        source: workload.summary(),
        generated: workload.is_generated(),
        keys: totals.keys,
        requests: workload.has_requests().then_some(totals.requests),
        bytes: workload.has_bytes().then_some(totals.bytes),
        hottest: workload.hottest().map(|hottest| Hottest {
            key: quoted(&hottest.key),
            requests: hottest.requests,
            fraction: hottest.fraction,
        }),
        unreadable: workload.reading().map_or(0, |reading| reading.unreadable),
    }
}
