//! Whether the steps of a plan are those of its moves.

use homing_core::{Fingerprint, Move, Placement, Plan};
use serde::Deserialize;
use serde_json::Value;

use super::sums::{Sum, Told, check_fraction};
use super::{Head, layout_of, owner_at, shown};
use crate::{Error, Result};

/// A step as it is written.
#[derive(Debug, Deserialize)]
pub(super) struct Step {
    #[serde(rename = "step")]
    number: usize,
    moved: Told,
    fraction: f64,
    fingerprint: Fingerprint,
    manifest: Value,
}

/// Checks the steps one by one, each from the layout of the one before.
///
/// # Errors
///
/// Fails at the first whose layout is not that of its fingerprint, or which does not
/// move what it says, and if the last does not come to the end of the plan.
pub(super) fn check(name: &str, head: &Head, before: &dyn Placement) -> Result<()> {
    let refused = |reason: String| Err(Error::in_file(name, reason));
    let said = |reason: String| Error::in_file(name, reason);
    let count = head.steps.len();
    let has_step = head.steps_of_moves();
    for (number, row) in (1..).zip(&head.moves) {
        match row.step {
            Some(step) if !(1..=count).contains(&step) => {
                let rule = if count == 0 {
                    "be left out: the plan has no steps".to_owned()
                } else {
                    format!("be from 1 to {count}")
                };
                return refused(format!("move {number}: step is {step}, but must {rule}"));
            }
            None if has_step => {
                return refused(format!(
                    "move {number}: step is left out, but other moves have it"
                ));
            }
            _ => {}
        }
    }
    let mut last = before.dyn_clone();
    for (number, step) in (1..).zip(&head.steps) {
        let place = format!("step {number}");
        if step.number != number {
            return refused(format!("{place}: step is {}, but must be {number}", step.number));
        }
        let field = format!("{place}: manifest");
        let stated = ("fingerprint", step.fingerprint);
        let (_, layout) = layout_of(name, head, &field, &step.manifest, stated)?;
        for (number, row) in (1..).zip(&head.moves).filter(|(_, row)| row.step == Some(step.number))
        {
            let places = match (row.first, row.key_bytes()) {
                (Some(first), _) => [first, first],
                (None, Some(key)) => [last.position(&key), layout.position(&key)],
                (None, None) => continue, // which is refused before
            };
            let ends = (owner_at(&*last, places[0]), owner_at(&*layout, places[1]));
            if (&ends.0, &ends.1) != (&row.from, &row.to) {
                return refused(format!(
                    "move {number} is of step {}, but that has it from {} to {}",
                    step.number,
                    shown(ends.0.as_deref()),
                    shown(ends.1.as_deref())
                ));
            }
        }
        let found = step.moved.sum();
        let due = due(head, step, found, &*last, &*layout);
        found.check(&format!("{place}: moved"), due).map_err(said)?;
        let all = head.all.sum().of_unit(&head.unit);
        let part = if all > 0.0 { due.of_unit(&head.unit) / all } else { 0.0 };
        check_fraction(&format!("{place}: "), step.fraction, part).map_err(said)?;
        last = layout;
    }
    match head.steps.last() {
        Some(step) if step.fingerprint != head.end => refused(format!(
            "step {count}: fingerprint is {}, but the last must have that of end, {}",
            step.fingerprint, head.end
        )),
        _ => Ok(()),
    }
}

/// What a step moves: positions by its layouts, keys by the moves that are told to be
/// of it, and as it says where neither tells.
fn due(head: &Head, step: &Step, found: Sum, before: &dyn Placement, after: &dyn Placement) -> Sum {
    let mut due = found;
    if head.lists_keys() && head.is_whole() && head.steps_of_moves() {
        due = found.zero();
        let rows = head.moves.iter().filter(|row| row.step == Some(step.number));
        rows.for_each(|row| due.add(Sum::of_key(row)));
    }
    if found.has_positions()
        && let Some(plan) = Plan::between(before, after)
    {
        due.set_positions(plan.moves().iter().map(Move::positions).sum());
    }
    due
}
