//! What happens to load and replicas when a node, a zone or a pair of nodes fails.

mod cases;
mod flow;
mod losses;

use homing_core::{
    Change, Error as CoreError, Members, Node, NodeIndex, Placement, Removal, Spread,
};
use rayon::prelude::*;

use self::cases::{Case, cases};
use self::flow::{Flow, marked};
use self::losses::losses;
use super::{NO_REPLICAS, parameters, rule, summary};
use crate::Result;
use crate::progress::Progress;
use crate::record::Basis;
use crate::record::failures::{
    Extreme, Failure, FailureFigures, FailureOutcome, FailureRow, Failures, Losses, LossesOutcome,
};
use crate::registry::{Builder, Choice};
use crate::statistics::{mean, peak_to_mean};
use crate::workload::{Basis as Taken, Workload};

/// What fails, and what is asked of it.
#[derive(Clone, Debug)]
pub struct FailuresAsked {
    /// The members before any failure.
    pub members: Members,
    /// The families, in the order of their rows.
    pub families: Vec<Choice>,
    /// How many replicas each key has, and how they are kept apart.
    pub replicas: Option<(usize, Spread)>,
    /// How many pairs of nodes fail: all if there are no more, else a sample.
    pub pairs: usize,
    /// The seed of that sample.
    pub seed: u64,
}

/// How a family goes on without a node.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Way {
    /// The node is removed.
    Removed,
    /// The last node takes its place, and is removed from its own: the answer of a
    /// family that can remove only the last.
    TakenOver,
}

/// Lets each node, each zone and each pair of nodes fail in turn, under each family.
///
/// # Errors
///
/// Fails if a family was given a parameter out of range. What a family cannot do by
/// its nature is told in its row instead.
pub fn failures(asked: &FailuresAsked, workload: &Workload) -> Result<Failures> {
    let kinds = cases(&asked.members, asked.pairs, asked.seed);
    let progress = Progress::new(asked.families.len() * kinds.len());
    let mut rows = Vec::new();
    for choice in &asked.families {
        let builder = choice.builder()?;
        let removal = choice.entry.family.capabilities.removal;
        for kind in &kinds {
            progress.step(format!("{choice}: each {}", kind.kind.word()));
            let mut ways = vec![(Way::Removed, choice.entry.family.name.to_owned())];
            if removal == Removal::Last {
                ways.push((Way::TakenOver, format!("{}+takeover", choice.entry.family.name)));
            }
            for (way, family) in ways {
                let outcome = match taken(asked, &builder, workload, way, &kind.cases) {
                    Ok(figures) => FailureOutcome::Measured(Box::new(figures)),
                    Err(error) => FailureOutcome::Unsupported { unsupported: rule(choice, error)? },
                };
                rows.push(FailureRow {
                    family,
                    parameters: parameters(choice),
                    kind: kind.kind,
                    failures: kind.cases.len() as u64,
                    of: kind.of,
                    outcome,
                });
            }
        }
    }
    let zones = cases::zones(&asked.members);
    Ok(Failures {
        nodes: asked.members.len(),
        zones: zones.len(),
        workload: summary(workload),
        replicas: asked.replicas.map(|(count, _)| count),
        zones_due: asked.replicas.map(|(count, _)| losses::due(&asked.members, count)),
        notes: notes(asked, &rows, workload, zones.len()),
        rows,
    })
}

fn taken(
    asked: &FailuresAsked,
    builder: &Builder,
    workload: &Workload,
    way: Way,
    cases: &[Case],
) -> Result<FailureFigures, CoreError> {
    let before = builder.build(asked.members.clone())?;
    let generated = workload.basis() == Taken::Generated;
    let plain = generated && !workload.has_bytes() && !workload.has_requests();
    let exact = plain && before.segments().is_some();
    let over = if exact { None } else { Some(workload) };
    let basis = match (exact, generated) {
        (true, _) => Basis::Exact,
        (false, true) => Basis::Sampled,
        (false, false) => Basis::Counted,
    };
    let copies = asked.replicas.filter(|_| before.family().capabilities.replicas);
    let each: Vec<Failure> = cases
        .par_iter()
        .map(|case| {
            let after = without(&*before, builder, way, case)?;
            let flow = Flow::of(&*before, after.as_deref(), &case.failed, over);
            let replicas =
                copies.map(|copies| losses(&*before, after.as_deref(), &case.failed, copies, over));
            Ok(failure(&*before, case, &flow, replicas))
        })
        .collect::<Result<_, CoreError>>()?;
    let replicas = asked.replicas.map(|_| lost(&each, basis));
    Ok(figures(basis, each, replicas))
}

/// The layout after a failure; none if nobody is left to own keys.
fn without(
    before: &dyn Placement,
    builder: &Builder,
    way: Way,
    case: &Case,
) -> Result<Option<Box<dyn Placement>>, CoreError> {
    let members = before.members();
    // The greatest index first: so the last nodes can leave one after the other.
    let mut failed = case.failed.clone();
    failed.sort_unstable_by(|a, b| b.cmp(a));
    let made = match way {
        Way::Removed => {
            let id = |&index: &NodeIndex| Change::Remove(members[index].id.clone());
            let changes: Vec<Change> = failed.iter().map(id).collect();
            let mut after = before.dyn_clone();
            after.apply(&changes).map(|()| after)
        }
        Way::TakenOver => {
            let mut nodes: Vec<Node> =
                members.iter_by_index().map(|(_, node)| node.clone()).collect();
            for index in failed {
                nodes.swap_remove(index.get());
            }
            Members::new(nodes).and_then(|members| builder.build(members))
        }
    };
    match made {
        Ok(after) => Ok(Some(after)),
        Err(CoreError::NoNodes) => Ok(None),
        Err(error) => Err(error),
    }
}

fn failure(before: &dyn Placement, case: &Case, flow: &Flow, replicas: Option<Losses>) -> Failure {
    let members = before.members();
    let failed = marked(before, &case.failed);
    let id = |index: NodeIndex| members[index].id.as_str().to_owned();
    let survives = |index: &NodeIndex| !failed[index.get()];
    let survivors: Vec<NodeIndex> =
        members.iter().map(|(index, _)| index).filter(survives).collect();
    // Over the weight alone: what all weigh together cancels out of every ratio.
    let loads: Vec<(NodeIndex, f64)> = survivors
        .iter()
        .filter(|&&index| members[index].weight > 0)
        .map(|&index| (index, flow.after[index.get()] as f64 / f64::from(members[index].weight)))
        .collect();
    let grown = |&index: &NodeIndex| {
        let (then, now) = (flow.before[index.get()], flow.after[index.get()]);
        (then > 0).then(|| (index, now as f64 / then as f64))
    };
    let (peak, growth) = if loads.is_empty() {
        (None, None)
    } else {
        (greatest(loads.iter().copied()), greatest(survivors.iter().filter_map(grown)))
    };
    let relative: Vec<f64> = loads.iter().map(|&(_, load)| load).collect();
    Failure {
        zone: case.zone.as_ref().map(|zone| zone.as_str().to_owned()),
        nodes: case.failed.iter().copied().map(id).collect(),
        survivors: loads.len(),
        lost: flow.part(flow.lost),
        peak_to_mean: peak.map(|_| peak_to_mean(&relative)),
        peak_node: peak.map(|(index, _)| id(index)),
        growth: growth.map(|(_, growth)| growth),
        growth_node: growth.map(|(index, _)| id(index)),
        takers: flow.taken.iter().filter(|&&taken| taken > 0).count(),
        effective_takers: effective(&flow.taken),
        stray: flow.part(flow.stray),
        unserved: flow.part(flow.unserved),
        replicas,
    }
}

/// The first of the greatest.
fn greatest(figures: impl Iterator<Item = (NodeIndex, f64)>) -> Option<(NodeIndex, f64)> {
    figures.reduce(|most, next| if next.1 > most.1 { next } else { most })
}

/// 1 over the sum of the squared parts of a whole; 0 of nothing.
fn effective(parts: &[u128]) -> f64 {
    let whole = parts.iter().sum::<u128>() as f64;
    if whole == 0.0 {
        return 0.0;
    }
    parts.iter().map(|&part| (part as f64 / whole).powi(2)).sum::<f64>().recip()
}

fn figures(basis: Basis, each: Vec<Failure>, replicas: Option<LossesOutcome>) -> FailureFigures {
    let most = |figure: fn(&Failure) -> f64| greatest_of(&each, |each| Some(figure(each)));
    let least = |figure: fn(&Failure) -> f64| {
        let turned = greatest_of(&each, |each| Some(-figure(each)));
        // Not 0 - x, since -0 is shown with its sign.
        Extreme { worst: turned.worst.abs(), mean: turned.mean.abs(), ..turned }
    };
    let some = |figure: fn(&Failure) -> Option<f64>| {
        each.iter().any(|each| figure(each).is_some()).then(|| greatest_of(&each, figure))
    };
    FailureFigures {
        basis,
        lost: most(|each| each.lost),
        peak_to_mean: some(|each| each.peak_to_mean),
        growth: some(|each| each.growth),
        takers: least(|each| each.takers as f64),
        effective_takers: least(|each| each.effective_takers),
        stray: most(|each| each.stray),
        unserved: most(|each| each.unserved),
        replicas,
        each,
    }
}

/// The greatest, and the mean, of a figure over the failures that have it.
fn greatest_of(each: &[Failure], figure: impl Fn(&Failure) -> Option<f64>) -> Extreme {
    let all: Vec<f64> = each.iter().filter_map(&figure).collect();
    let worst = each
        .iter()
        .filter_map(|each| Some((figure(each)?, each)))
        .reduce(|most, next| if next.0 > most.0 { next } else { most });
    Extreme {
        worst: worst.map_or(0.0, |(worst, _)| worst),
        mean: mean(&all),
        worst_of: worst.map(|(_, each)| each.named()).unwrap_or_default(),
    }
}

fn lost(each: &[Failure], basis: Basis) -> LossesOutcome {
    if each.iter().any(|each| each.replicas.is_none()) {
        return LossesOutcome::Unsupported { unsupported: NO_REPLICAS.to_owned() };
    }
    let most =
        |figure: fn(&Losses) -> f64| greatest_of(each, |each| each.replicas.as_ref().map(figure));
    let all_lost = most(|losses| losses.all_lost);
    let worst = each.iter().filter_map(|each| each.replicas.as_ref());
    // The interval of the same failure: its ends rise with the figure.
    let end = |end: fn(&Losses) -> f64| worst.clone().map(end).fold(0.0, f64::max);
    LossesOutcome::Measured {
        basis,
        all_lost_low: end(|losses| losses.all_lost_low),
        all_lost_high: end(|losses| losses.all_lost_high),
        all_lost,
        some_lost: most(|losses| losses.some_lost),
        few_zones_before: most(|losses| losses.few_zones_before).worst,
        few_zones_left: most(|losses| losses.few_zones_left),
        few_zones_after: most(|losses| losses.few_zones_after),
    }
}

fn notes(
    asked: &FailuresAsked,
    rows: &[FailureRow],
    workload: &Workload,
    zones: usize,
) -> Vec<String> {
    let mut notes = Vec::new();
    if let Some(row) = rows.iter().find(|row| row.failures < row.of) {
        notes.push(format!(
            "{} of {} pairs of nodes fail, drawn with seed {}: what is worst here need not be the worst there is; --pairs {} takes all",
            row.failures, row.of, asked.seed, row.of
        ));
    }
    if zones == 0 {
        notes.push("no node has a zone, so no zone fails, and each node counts as a zone".into());
    }
    let figures = |row: &FailureRow| match &row.outcome {
        FailureOutcome::Measured(figures) => Some((figures.basis, figures.unserved.worst)),
        FailureOutcome::Unsupported { .. } => None,
    };
    if rows.iter().filter_map(figures).any(|(basis, _)| basis == Basis::Sampled) {
        notes.push(format!(
            "sampled over {} keys, so who takes over very little may be missed, and a peak is high by chance alone: a node's load is off by about {:.2} %",
            workload.count(),
            100.0 * (asked.members.active() as f64 / workload.count() as f64).sqrt()
        ));
    }
    let unserved = |row: &&FailureRow| figures(row).is_some_and(|(_, part)| part > 0.0);
    let operated = |row: &&FailureRow| {
        asked
            .families
            .iter()
            .any(|choice| choice.entry.family.name == row.family && choice.entry.operator.is_some())
    };
    if let Some(row) = rows.iter().filter(unserved).find(operated) {
        notes.push(format!(
            "{}: keys are unserved until the operator gives the positions of who failed to somebody",
            row.label()
        ));
    }
    if rows.iter().filter(unserved).any(|row| !operated(&row)) {
        notes.push("keys are unserved where nobody is left".into());
    }
    notes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_effective_number_is_that_of_equal_parts() {
        // Four equal parts are four; halves and quarters 1 / (1/4 + 1/16 + 1/16) = 8/3.
        assert!((effective(&[5, 5, 5, 5, 0]) - 4.0).abs() < 1e-12);
        assert!((effective(&[2, 1, 1]) - 8.0 / 3.0).abs() < 1e-12);
        assert!((effective(&[7]) - 1.0).abs() < 1e-12);
        assert_eq!(effective(&[0, 0]).to_bits(), 0.0_f64.to_bits());
    }
}
