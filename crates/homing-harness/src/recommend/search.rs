//! A value of the family's parameter that meets the limits it was put out by.

use homing_core::{Members, Placement, Plan, shares};

use super::steps::Stage;
use super::{Attempt, Constraint, Constraints, Search};
use crate::measure::{balance, optimal};
use crate::registry::Choice;

/// How far the next value that a family takes may be: entries are a prime.
const GAP: u64 = 1000;

/// The family with other values of its parameter, one for each kind of limit that
/// put it out, and what was built to find them.
///
/// Nothing is searched for where the value was asked for, or the family has none.
pub(super) fn turned(
    constraints: &Constraints,
    steps: &[Stage],
    attempt: &Attempt,
) -> (Vec<Choice>, Option<Search>) {
    let choice = &attempt.choice;
    let Some((knob, start)) = choice.entry.knob.zip(choice.knob()) else {
        return (Vec::new(), None);
    };
    let broken = |limits: &[Constraint]| attempt.broken().any(|it| limits.contains(&it.constraint));
    let shape = [Constraint::MostExcess, Constraint::MostStray, Constraint::MostPeak];
    if choice.parameters.contains_key(knob.name) {
        return (Vec::new(), None);
    }
    let mut search = Search { parameter: knob.name, values: Vec::new(), found: None };
    let mut choices = Vec::new();
    if broken(&shape) {
        let found = up(constraints, steps, choice, start, &mut search);
        choices.extend(found);
    }
    if broken(&[Constraint::MostMemory]) {
        let fits = |exact: &Exact| meets(constraints, Constraint::MostMemory, exact.memory);
        choices.extend(down(constraints, steps, choice, start, &mut search, fits));
    } else if broken(&[Constraint::MostLookupNs]) && !broken(&shape) {
        // The least value that is still even enough: the shortest lookups.
        let even = |exact: &Exact| exact.is_even(constraints);
        let mut least = None;
        let mut from = start;
        while let Some(next) = down(constraints, steps, choice, from, &mut search, |_| true) {
            let exact = exact(constraints, steps, &next);
            if !exact.is_some_and(|exact| even(&exact)) {
                break;
            }
            from = next.knob().unwrap_or(1);
            least = Some(next);
        }
        choices.extend(least);
    }
    search.found = choices.first().and_then(Choice::knob);
    let searched = (!search.values.is_empty()).then_some(search);
    (choices, searched)
}

/// Doubles the value until the exact figures are even enough.
fn up(
    constraints: &Constraints,
    steps: &[Stage],
    choice: &Choice,
    start: u64,
    search: &mut Search,
) -> Option<Choice> {
    let mut value = start.max(1);
    loop {
        value = value.checked_mul(2)?;
        let (next, exact) = (value..value.checked_add(GAP)?).find_map(|value| {
            let next = choice.turned(value);
            exact(constraints, steps, &next).map(|exact| (next, exact))
        })?;
        value = next.knob()?;
        search.values.push(value);
        if exact.is_even(constraints) {
            return Some(next);
        }
    }
}

/// Halves the value until the exact figures fit.
fn down(
    constraints: &Constraints,
    steps: &[Stage],
    choice: &Choice,
    start: u64,
    search: &mut Search,
    fits: impl Fn(&Exact) -> bool,
) -> Option<Choice> {
    let mut value = start / 2;
    while value > 0 {
        let least = value.saturating_sub(GAP).max(1);
        let (next, exact) = (least..=value).rev().find_map(|value| {
            let next = choice.turned(value);
            exact(constraints, steps, &next).map(|exact| (next, exact))
        })?;
        value = next.knob()?;
        search.values.push(value);
        if fits(&exact) {
            return Some(next);
        }
        value /= 2;
    }
    None
}

/// The worst exact figures of all steps; times are not among them.
struct Exact {
    excess: f64,
    stray: f64,
    peak: f64,
    memory: f64,
}

impl Exact {
    fn is_even(&self, constraints: &Constraints) -> bool {
        meets(constraints, Constraint::MostExcess, self.excess)
            && meets(constraints, Constraint::MostStray, self.stray)
            && meets(constraints, Constraint::MostPeak, self.peak)
    }
}

fn meets(constraints: &Constraints, constraint: Constraint, figure: f64) -> bool {
    constraints.limit(constraint).is_none_or(|limit| figure <= limit)
}

/// The exact figures; none where the family cannot take a step with these
/// parameters, or has no segments.
fn exact(constraints: &Constraints, steps: &[Stage], choice: &Choice) -> Option<Exact> {
    let builder = choice.builder().ok()?;
    // All of them, before one that is too large is built.
    for stage in steps {
        let mut members = constraints.members.clone();
        members.apply(&stage.changes).and_then(|()| builder.check(&members)).ok()?;
    }
    let before = builder.build(constraints.members.clone()).ok()?;
    let mut worst = Exact { excess: f64::MIN, stray: 0.0, peak: 0.0, memory: 0.0 };
    for stage in steps {
        let mut after = before.clone();
        after.apply(&stage.changes).ok()?;
        let moves = Plan::between(&*before, &*after)?;
        let even = balance(after.members(), &shares(&*after)?);
        let excess = moves.fraction() - optimal(&constraints.members, after.members());
        worst.excess = worst.excess.max(excess);
        worst.stray = worst.stray.max(stray(&moves, &*before, &*after));
        worst.peak = worst.peak.max(even.peak_to_mean);
        worst.memory = worst.memory.max(after.memory_usage() as f64);
    }
    Some(worst)
}

/// The part of all positions that moves between nodes that stay with their weight.
fn stray(moves: &Plan, before: &dyn Placement, after: &dyn Placement) -> f64 {
    let stays = |here: &Members, there: &Members, index| {
        let node = &here[index];
        there.index_of(&node.id).is_some_and(|other| there[other].weight == node.weight)
    };
    let strays = moves.moves().iter().filter(|step| {
        step.from.is_some_and(|from| stays(before.members(), after.members(), from))
            && step.to.is_some_and(|to| stays(after.members(), before.members(), to))
    });
    let stray: u128 = strays.map(homing_core::Move::positions).sum();
    stray as f64 / (u128::from(before.max_position()) + 1) as f64
}
