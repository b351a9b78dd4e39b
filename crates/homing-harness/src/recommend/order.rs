//! The order of the families let in, what would change it, and what would have to
//! be loosened where none is.

use std::cmp::Ordering;

use clap::ValueEnum;
use homing_core::Removal;

use super::loads::Loads;
use super::{
    Attempt, Candidate, Constraint, Constraints, Criterion, Ground, Loosened, Loosening, Removed,
    Shift, Verdict, judge, steps,
};
use crate::Result;

/// A family that is out and would be in but for one constraint.
#[derive(Clone, Debug)]
pub(super) struct Rescue {
    constraint: Constraint,
    needs: Option<f64>, // none for a requirement
    attempt: Attempt,
}

/// Puts those let in first, in order, and gives them their places.
pub(super) fn rank(candidates: &mut [Candidate], by: &[Criterion]) {
    candidates.sort_by(|a, b| {
        let (a, b) = (a.first(), b.first());
        let both = a.is_in() && b.is_in();
        let ranked = if both { compare(a, b, by) } else { Ordering::Equal };
        b.is_in().cmp(&a.is_in()).then(ranked)
    });
    for (candidate, place) in candidates.iter_mut().zip(1..) {
        candidate.place = candidate.first().is_in().then_some(place);
    }
}

/// The order of two attempts; equal where no criterion tells them apart.
fn compare(a: &Attempt, b: &Attempt, by: &[Criterion]) -> Ordering {
    by.iter()
        .map(|&it| rung(a, it).total_cmp(&rung(b, it)))
        .find(|it| it.is_ne())
        .unwrap_or(Ordering::Equal)
}

/// A figure in the steps in which it is compared: nearer ones are not told apart,
/// since chance and the machine are in them.
fn rung(attempt: &Attempt, by: Criterion) -> f64 {
    let figure = |limit| attempt.worst(limit).map_or(f64::INFINITY, |worst| worst.figure);
    let tenths = |figure: f64| (figure.max(1.0).ln() / 1.1_f64.ln()).floor();
    match by {
        Criterion::Moved => (figure(Constraint::MostExcess).max(0.0) * 1000.0).round(),
        Criterion::Evenness => (figure(Constraint::MostPeak) * 100.0).round(),
        Criterion::Lookup => tenths(figure(Constraint::MostLookupNs)),
        Criterion::Memory => tenths(figure(Constraint::MostMemory)),
    }
}

/// Every family that one constraint alone keeps out, under each such constraint.
///
/// Where a family cannot take a step at all it is measured again without it.
///
/// # Errors
///
/// As [`judge::attempt`].
pub(super) fn rescues(
    constraints: &Constraints,
    candidates: &[Candidate],
    loads: &Loads<'_>,
) -> Result<Vec<Rescue>> {
    let mut rescues = Vec::new();
    for candidate in candidates.iter().filter(|it| it.place.is_none()) {
        let mut ours: Vec<Rescue> = Vec::new();
        for attempt in &candidate.attempts {
            let Some(rescue) = rescued(constraints, attempt, loads)? else { continue };
            match ours.iter_mut().find(|it| it.constraint == rescue.constraint) {
                Some(other) if rescue.needs < other.needs => *other = rescue,
                Some(_) => {}
                None => ours.push(rescue),
            }
        }
        rescues.extend(ours);
    }
    Ok(rescues)
}

fn rescued(
    constraints: &Constraints,
    attempt: &Attempt,
    loads: &Loads<'_>,
) -> Result<Option<Rescue>> {
    let broken: Vec<&Verdict> = attempt.broken().collect();
    let [verdict] = broken.as_slice() else { return Ok(None) };
    let constraint = verdict.constraint;
    let rescue = |needs, attempt| Some(Rescue { constraint, needs, attempt });
    Ok(match &verdict.ground {
        Ground::Measured { worst, .. } if is_whole(attempt) => {
            rescue(Some(shown(constraint, worst.needs())), attempt.clone())
        }
        Ground::Able { .. } if is_whole(attempt) => rescue(None, attempt.clone()),
        Ground::Able { .. } if matches!(constraint, Constraint::Removal | Constraint::Weights) => {
            let relaxed = constraints.without(constraint);
            let steps = steps::steps(&relaxed);
            let again = judge::attempt(&relaxed, &steps, &attempt.choice, loads)?;
            if again.is_in() { rescue(None, again) } else { None }
        }
        _ => None,
    })
}

/// Whether every step was measured.
fn is_whole(attempt: &Attempt) -> bool {
    attempt.evidence.iter().filter(|it| it.counts).all(|it| it.row.measured().is_some())
}

/// The least limit of as many digits as are shown that is not below `needs`.
fn shown(constraint: Constraint, needs: f64) -> f64 {
    let scale = match constraint {
        Constraint::MostExcess | Constraint::MostStray => 1e4,
        Constraint::MostPeak => 1e3,
        Constraint::MostLookupNs => 10.0,
        _ => 1.0,
    };
    // A hair above a shown figure is that figure: 0.12500000000000003 x 10^4.
    (needs * scale - 1e-8).ceil() / scale
}

/// For each constraint the least loosening that lets a family in; where none alone
/// does, the fewest together.
pub(super) fn loosen(
    constraints: &Constraints,
    candidates: &[Candidate],
    rescues: &[Rescue],
) -> Vec<Loosening> {
    let mut least: Vec<&Rescue> = Vec::new();
    for rescue in rescues {
        match least.iter_mut().find(|it| it.constraint == rescue.constraint) {
            Some(other) if rescue.needs < other.needs => *other = rescue,
            Some(_) => {}
            None => least.push(rescue),
        }
    }
    let loosened =
        |constraint, needs| Loosened { constraint, limit: constraints.limit(constraint), needs };
    if !least.is_empty() {
        return least
            .into_iter()
            .map(|it| Loosening {
                loosen: vec![loosened(it.constraint, it.needs)],
                family: it.attempt.label(),
            })
            .collect();
    }
    let attempts = candidates.iter().flat_map(|it| &it.attempts).filter(|it| is_whole(it));
    let fewest = attempts.min_by_key(|it| it.broken().count());
    let of = |verdict: &Verdict| {
        let needs = match &verdict.ground {
            Ground::Measured { worst, .. } => Some(shown(verdict.constraint, worst.needs())),
            Ground::Able { .. } => None,
        };
        loosened(verdict.constraint, needs)
    };
    fewest
        .map(|it| Loosening { loosen: it.broken().map(of).collect(), family: it.label() })
        .into_iter()
        .collect()
}

/// What would change the order: who would be let in and where, what would put out
/// the first, and by what else families could be ranked.
pub(super) fn shifts(
    constraints: &Constraints,
    candidates: &[Candidate],
    rescues: &[Rescue],
) -> Vec<Shift> {
    let let_in: Vec<&Attempt> =
        candidates.iter().filter(|it| it.place.is_some()).map(Candidate::first).collect();
    let mut shifts: Vec<Shift> = Vec::new();
    if let_in.is_empty() {
        return shifts;
    }
    for Rescue { constraint, needs, attempt } in rescues {
        let after = |it: &&Attempt| compare(attempt, it, &constraints.rank_by).is_lt();
        let at = let_in.iter().position(after);
        shifts.push(Shift::LetIn {
            family: attempt.label(),
            constraint: *constraint,
            needs: *needs,
            place: at.unwrap_or(let_in.len()) + 1,
            before: at.map(|at| let_in[at].label()),
        });
    }
    let (first, others) = (let_in[0], &let_in[1..]);
    shifts.extend(puts_out(constraints, first, others));
    let order = |by: Criterion| {
        let by: Vec<Criterion> =
            [by].into_iter().chain(Criterion::value_variants().iter().copied()).collect();
        let mut order = let_in.clone();
        order.sort_by(|a, b| compare(a, b, &by));
        order.into_iter().map(Attempt::label).collect::<Vec<_>>()
    };
    let now: Vec<String> = let_in.iter().map(|it| it.label()).collect();
    for &rank_by in Criterion::value_variants() {
        let order = order(rank_by);
        if rank_by != constraints.rank_by[0] && order != now {
            shifts.push(Shift::RankBy { rank_by, order });
        }
    }
    shifts
}

/// What would put out the first of the order, and let in one of the others.
fn puts_out(constraints: &Constraints, first: &Attempt, others: &[&Attempt]) -> Vec<Shift> {
    let out = |constraint, below, next: &Attempt| Shift::PutOut {
        family: first.label(),
        constraint,
        below,
        next: next.label(),
    };
    let mut shifts = Vec::new();
    for constraint in Constraint::LIMITS {
        let Some(ours) = first.worst(constraint) else { continue };
        let digits = |needs| shown(constraint, needs);
        // What may be chance in the figure of another is not taken off.
        let next = others.iter().find(|other| {
            let theirs = other.worst(constraint);
            theirs.is_some_and(|theirs| digits(theirs.figure) < digits(ours.needs()))
        });
        // No limit is below 0, and no peak below 1.
        let least = if constraint == Constraint::MostPeak { 1.0 } else { 0.0 };
        if ours.needs() > least {
            shifts.extend(next.map(|next| out(constraint, Some(ours.needs()), next)));
        }
    }
    let able = |attempt: &Attempt, constraint| {
        let last = attempt.choice.entry.family.capabilities.removal != Removal::Any;
        match constraint {
            Constraint::Removal => !last,
            _ => attempt.abilities.iter().any(|it| it.constraint == constraint && it.met),
        }
    };
    for ability in &first.abilities {
        let constraint = ability.constraint;
        let asked = match constraint {
            Constraint::Removal => constraints.removal == Removed::Any,
            _ => constraints.requires(constraint),
        };
        if asked || able(first, constraint) {
            continue;
        }
        let next = others.iter().find(|other| able(other, constraint));
        shifts.extend(next.map(|next| out(constraint, None, next)));
    }
    shifts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_loosened_limit_is_the_next_one_that_is_shown() {
        let cases = [
            (Constraint::MostPeak, 1.157_12, 1.158),
            (Constraint::MostPeak, 1.125, 1.125),
            (Constraint::MostExcess, 0.007_77, 0.0078),
            (Constraint::MostLookupNs, 12.31, 12.4),
            (Constraint::MostMemory, 4096.0, 4096.0),
        ];
        for (constraint, needs, limit) in cases {
            let found = shown(constraint, needs);
            assert!((found - limit).abs() < 1e-9, "{needs}: {found}");
        }
    }
}
