//! What a reader must be told besides the figures.

use homing_core::{Change, Members, shares};
use homing_slots::SLOTS;

use crate::measure::balance;
use crate::record::{Basis, Row};
use crate::registry::Choice;
use crate::registry::operator::{Aim, owners};
use crate::workload::Hottest;

/// The peak-to-mean above which a row is told.
const PEAK: f64 = 1.5;

/// What would even the rows of a family whose peak-to-mean is above 1.5.
///
/// `rows` are one, or two where the family has an operator: without and with the
/// rebalance. The value named of the family's knob is one that was built, and the
/// peak-to-mean beside it what its exact shares come to.
pub(crate) fn on_balance(choice: &Choice, members: &Members, rows: &[Row]) -> Vec<String> {
    let peaks: Vec<(&str, f64)> = rows
        .iter()
        .filter_map(|row| Some((row.family.as_str(), row.measured()?.peak_to_mean)))
        .filter(|&(_, peak)| is_uneven(peak))
        .collect();
    let best = rows.iter().filter_map(Row::measured).map(|row| row.peak_to_mean);
    let best = best.fold(f64::INFINITY, f64::min);
    peaks
        .into_iter()
        .map(|(name, peak)| {
            let told = format!("{name}: peak-to-mean is {peak:.3}, above {PEAK}");
            if thousandths(peak) > thousandths(best) {
                return format!("{told}; a rebalance brings it to {best:.3}");
            }
            told + &mend(choice, members)
        })
        .collect()
}

fn mend(choice: &Choice, members: &Members) -> String {
    if of_positions(choice, members).is_none_or(|ours| !is_uneven(ours)) {
        let nodes = members.active();
        return format!(
            ": the keys are too few or too unequal for {nodes} nodes, no parameter evens that"
        );
    }
    match mended(choice, members) {
        Some((knob, value, peak)) => {
            format!("; {knob}={value} brings it to {peak:.3} of all positions")
        }
        None => ", and no parameter within reach mends it".to_owned(),
    }
}

/// That slots are left without an owner, and their keys with them.
pub(crate) fn on_uncovered(rows: &[Row]) -> Vec<String> {
    let all = u64::from(SLOTS);
    let uncovered = |row: &Row| Some((row.label(), row.measured()?.uncovered?));
    rows.iter()
        .filter_map(uncovered)
        .filter(|&(_, slots)| slots > 0)
        .map(|(name, slots)| match slots {
            slots if slots == all => {
                format!("{name}: none of the {all} slots has an owner, so nobody owns a key")
            }
            1 => format!("{name}: 1 of {all} slots has no owner, and its keys have none"),
            slots => format!("{name}: {slots} of {all} slots have no owner, and their keys none"),
        })
        .collect()
}

/// That the operator's own tool moves another number of positions than a rebalance.
///
/// Nothing if it moves as many, or refuses.
pub(crate) fn on_tool(choice: &Choice, before: &Members, changes: &[Change]) -> Option<String> {
    let operator = choice.entry.operator?;
    let mut layout = choice.build(before.clone()).ok()?;
    for change in changes {
        // Who leaves is drained first, and nobody has moved anything yet.
        let change = match change {
            Change::Remove(id) => Change::Reweight(id.clone(), 0),
            Change::Rebalance => continue,
            other => other.clone(),
        };
        layout.apply(&[change]).ok()?;
    }
    let parameters = operator.state(layout.members(), &owners(&*layout));
    let moved = |aim| -> Option<usize> {
        let moves = operator.plan(&parameters, layout.members().clone(), aim).ok()?;
        Some(moves.iter().map(|it| it.positions.len()).sum())
    };
    let (fewest, tool) = (moved(Aim::FewestMoves)?, moved(Aim::AsTheTool)?);
    (fewest != tool).then(|| {
        let (name, unit) = (choice.entry.family.name, operator.unit);
        format!("{name}: a rebalance moves {fewest} {unit}, and the operator's own tool {tool}")
    })
}

/// What sampling alone shows, where rows are sampled.
pub(crate) fn on_sampling(rows: &[Row], keys: u64, nodes: usize) -> Option<String> {
    let sampled = |row: &Row| row.measured().is_some_and(|row| row.basis == Basis::Sampled);
    (keys > 0 && rows.iter().any(sampled)).then(|| {
        format!(
            "sampled rows: with {keys} keys over {nodes} nodes even a perfect placement shows a cv of about {:.4}",
            (nodes as f64 / keys as f64).sqrt()
        )
    })
}

/// That nothing splits a key, where one key makes a node's load uneven.
pub(crate) fn on_hot_key(rows: &[Row], hottest: Option<&Hottest>) -> Option<String> {
    let fraction = hottest?.fraction;
    let uneven = |row: &Row| {
        let by_requests = row.measured().and_then(|row| row.by_requests.as_ref());
        by_requests.is_some_and(|weighed| is_uneven(weighed.peak_to_mean))
    };
    (rows.iter().any(uneven)).then(|| {
        format!(
            "the hottest key has {:.1} % of the requests: one key is on one node, and no placement splits it",
            fraction * 100.0
        )
    })
}

/// Whether a peak-to-mean, as it is shown, is above 1.5.
fn is_uneven(peak: f64) -> bool {
    thousandths(peak) > thousandths(PEAK)
}

/// A peak-to-mean as it is shown, to three digits.
fn thousandths(peak: f64) -> f64 {
    (peak * 1000.0).round()
}

fn of_positions(choice: &Choice, members: &Members) -> Option<f64> {
    let placement = choice.build(members.clone()).ok()?;
    Some(balance(members, &shares(&*placement)?).peak_to_mean)
}

/// The first value of the knob, doubled again and again, that brings the exact
/// shares to a peak-to-mean of at most 1.5.
fn mended(choice: &Choice, members: &Members) -> Option<(&'static str, u64, f64)> {
    let (knob, mut value) = (choice.entry.knob?, choice.knob()?);
    let units = if knob.each_weight { members.total_weight() } else { 1 };
    loop {
        value = value.max(1).checked_mul(2)?;
        if value.checked_mul(units)? > knob.most {
            return None;
        }
        // Not every value may be allowed: the entries of a table are a prime.
        let allowed = (value..value + 1000).find_map(|value| {
            of_positions(&choice.turned(value), members).map(|peak| (value, peak))
        });
        let (allowed, peak) = allowed?;
        value = allowed;
        if !is_uneven(peak) {
            return Some((knob.name, value, peak));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_uneven_by_what_it_shows() {
        for (peak, uneven) in [(1.5, false), (1.500_000_1, false), (1.500_6, true), (1.7, true)] {
            assert_eq!(is_uneven(peak), uneven, "{peak}");
            assert_eq!(format!("{peak:.3}") != "1.500", uneven, "{peak}");
        }
    }
}
