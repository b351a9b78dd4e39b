//! A value of the family's parameter that meets the limits it was put out by.

use homing_core::Placement;

use super::judge::ROUNDING;
use super::loads::{Due, Figures, Loads};
use super::steps::Stage;
use super::{Attempt, Constraint, Constraints, Search};
use crate::measure::{by_load, by_positions, optimal};
use crate::record::Basis;
use crate::registry::Choice;
use crate::workload::{Basis as Taken, Load};

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
    loads: &Loads<'_>,
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
    let tried = Tried { constraints, steps, loads };
    let mut search = Search { parameter: knob.name, values: Vec::new(), basis: None, found: None };
    let mut choices = Vec::new();
    if broken(&shape) && !tried.is_vain() {
        search.basis = Some(tried.basis());
        choices.extend(up(&tried, choice, start, &mut search));
    }
    if broken(&[Constraint::MostMemory]) {
        let fits = |&memory: &f64| meets(constraints, Constraint::MostMemory, memory);
        let found = down(choice, start, &mut search, |choice| tried.memory(choice), fits);
        choices.extend(found.map(|(choice, _)| choice));
    } else if broken(&[Constraint::MostLookupNs]) && !broken(&shape) {
        // The least value that is still even enough: the shortest lookups.
        search.basis = Some(tried.basis());
        let mut least = None;
        let mut from = start;
        let shape = |choice: &Choice| tried.shape(choice);
        while let Some((next, shape)) = down(choice, from, &mut search, shape, |_| true) {
            if !shape.is_even(constraints) {
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

/// Doubles the value until moves and balance are within the limits.
fn up(tried: &Tried<'_>, choice: &Choice, start: u64, search: &mut Search) -> Option<Choice> {
    let mut value = start.max(1);
    loop {
        value = value.checked_mul(2)?;
        let (next, shape) = (value..value.checked_add(GAP)?).find_map(|value| {
            let next = choice.turned(value);
            tried.shape(&next).map(|shape| (next, shape))
        })?;
        value = next.knob()?;
        search.values.push(value);
        if shape.is_even(tried.constraints) {
            return Some(next);
        }
    }
}

/// Halves the value until its figures fit.
fn down<T>(
    choice: &Choice,
    start: u64,
    search: &mut Search,
    figures: impl Fn(&Choice) -> Option<T>,
    fits: impl Fn(&T) -> bool,
) -> Option<(Choice, T)> {
    let mut value = start / 2;
    while value > 0 {
        let least = value.saturating_sub(GAP).max(1);
        let (next, found) = (least..=value).rev().find_map(|value| {
            let next = choice.turned(value);
            figures(&next).map(|found| (next, found))
        })?;
        value = next.knob()?;
        search.values.push(value);
        if fits(&found) {
            return Some((next, found));
        }
        value /= 2;
    }
    None
}

/// The worst moves and balance of all steps, less what may be chance.
struct Shape {
    excess: f64,
    stray: f64,
    peak: f64,
}

impl Shape {
    fn is_even(&self, constraints: &Constraints) -> bool {
        meets(constraints, Constraint::MostExcess, self.excess)
            && meets(constraints, Constraint::MostStray, self.stray)
            && meets(constraints, Constraint::MostPeak, self.peak)
    }
}

fn meets(constraints: &Constraints, constraint: Constraint, figure: f64) -> bool {
    constraints.limit(constraint).is_none_or(|limit| figure <= limit + ROUNDING)
}

/// What of a family is looked at: its layouts under every step, with any value of its
/// parameter.
struct Tried<'a> {
    constraints: &'a Constraints,
    steps: &'a [Stage],
    loads: &'a Loads<'a>,
}

impl Tried<'_> {
    /// Calls `each` with the layouts before and after each step; none where the family
    /// cannot take a step with these parameters, or `each` has none.
    fn layouts(
        &self,
        choice: &Choice,
        mut each: impl FnMut(&dyn Placement, &dyn Placement) -> Option<()>,
    ) -> Option<()> {
        let builder = choice.builder().ok()?;
        // All of them, before one that is too large is built.
        for stage in self.steps {
            let mut members = self.constraints.members.clone();
            members.apply(&stage.changes).and_then(|()| builder.check(&members)).ok()?;
        }
        let before = builder.build(self.constraints.members.clone()).ok()?;
        self.steps.iter().try_for_each(|stage| {
            let mut after = before.clone();
            after.apply(&stage.changes).ok()?;
            each(&*before, &*after)
        })
    }

    /// The greatest memory of all steps.
    fn memory(&self, choice: &Choice) -> Option<f64> {
        let mut most = 0.0_f64;
        self.layouts(choice, |_, after| {
            most = most.max(after.memory_usage() as f64);
            Some(())
        })?;
        Some(most)
    }

    /// Moves and balance: by keys over all positions, where the family has segments,
    /// else by the load of the workload.
    fn shape(&self, choice: &Choice) -> Option<Shape> {
        let mut worst = Shape { excess: f64::MIN, stray: 0.0, peak: 0.0 };
        self.layouts(choice, |before, after| {
            let figures = self.figures(before, after)?;
            let due = Due::of(after.members());
            let needs = |constraint| {
                let (figure, noise) = self.loads.judged(constraint, &figures, due)?;
                Some(figure - noise)
            };
            worst.excess = worst.excess.max(needs(Constraint::MostExcess)?);
            worst.stray = worst.stray.max(needs(Constraint::MostStray)?);
            worst.peak = worst.peak.max(needs(Constraint::MostPeak)?);
            Some(())
        })?;
        Some(worst)
    }

    fn figures(&self, before: &dyn Placement, after: &dyn Placement) -> Option<Figures> {
        let optimal = optimal(before.members(), after.members());
        let Loads { workload, by, .. } = *self.loads;
        if by == Load::Keys {
            let exact = by_positions(before, after, optimal)?;
            return Some(Figures::of(&exact, Basis::Exact));
        }
        let (basis, weighed) = by_load(before, after, (workload, by), optimal);
        Some(Figures::of(&weighed, basis))
    }

    /// The basis of these figures.
    fn basis(&self) -> Basis {
        match (self.loads.by, self.loads.workload.basis()) {
            (Load::Keys, _) => Basis::Exact,
            (_, Taken::Counted) => Basis::Counted,
            _ => Basis::Sampled,
        }
    }

    /// Whether one key alone is more than a limit: no value of a parameter splits it.
    fn is_vain(&self) -> bool {
        let least = self.loads.least_of(&self.constraints.members, self.steps);
        let limit = self.constraints.limit(Constraint::MostPeak);
        least.zip(limit).is_some_and(|(least, limit)| least.peak_to_mean > limit + ROUNDING)
    }
}
