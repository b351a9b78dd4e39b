//! What happens to load and replicas when a node, a zone or a pair of nodes fails.

mod by;
mod cases;
mod figures;
mod flow;
mod losses;

use homing_core::{
    Change, Error as CoreError, Members, Node, NodeIndex, Placement, Removal, Spread,
};
use rayon::prelude::*;

use self::cases::{Case, cases};
use self::figures::{failure, figures};
use self::flow::Flow;
use self::losses::losses;
use super::{parameters, rule, summary};
use crate::Result;
use crate::progress::Progress;
use crate::record::Basis;
use crate::record::failures::{Failure, FailureFigures, FailureOutcome, FailureRow, Failures};
use crate::registry::{Builder, Choice};
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
            let flows = Flow::of(&*before, after.as_deref(), &case.failed, over);
            let replicas =
                copies.map(|copies| losses(&*before, after.as_deref(), &case.failed, copies, over));
            Ok(failure(&*before, case, flows, replicas))
        })
        .collect::<Result<_, CoreError>>()?;
    Ok(figures(basis, each, asked.replicas.is_some()))
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
        FailureOutcome::Measured(figures) => Some((figures.basis, figures.by_keys.unserved.worst)),
        FailureOutcome::Unsupported { .. } => None,
    };
    if rows.iter().filter_map(figures).any(|(basis, _)| basis == Basis::Sampled) {
        let carries = workload.has_bytes() || workload.has_requests();
        let unlike = if carries { ", by bytes or requests by more" } else { "" };
        notes.push(format!(
            "sampled over {} keys, so who takes over very little may be missed, and a peak is high by chance alone: a node's load is off by about {:.2} %{unlike}",
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
