//! What moves in steps over all positions, where every layout has segments.

use homing_core::{Segments, shares};

use super::{Figures, Moves, State};
use crate::record::Basis;
use crate::statistics::Interval;

/// A run of positions with one past.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Run {
    last: u64,            // inclusive; it begins after the run before
    first: Option<usize>, // the machine before the first step
    now: Option<usize>,   // the machine after the last step so far
    once: bool,           // whether it moved in any step
}

/// The figures of all positions; none if there is a layout without segments.
pub(super) fn figures(states: &[State<'_>]) -> Option<Figures> {
    let (start, steps) = states.split_first()?;
    let all = u128::from(start.placement.max_position()) + 1;
    let part = |positions: u128| positions as f64 / all as f64;
    let mut runs = Vec::new();
    for segment in start.placement.segments()? {
        let now = segment.owner.and_then(|owner| start.machines[owner.get()]);
        push(&mut runs, Run { last: segment.last, first: now, now, once: false });
    }
    let mut made = Vec::new();
    for state in steps {
        let (moved, stray);
        (runs, moved, stray) = followed(&runs, state, state.placement.segments()?);
        let (moved, stray) = (part(moved), part(stray));
        made.push(Moves {
            moved,
            moved_in: point(moved),
            stray,
            stray_in: point(stray),
            bytes: None,
            requests: None,
            loads: shares(state.placement)?,
        });
    }
    let (mut once, mut apart) = (0, 0);
    let mut begin = 0_u128;
    for run in &runs {
        let end = u128::from(run.last) + 1;
        once += if run.once { end - begin } else { 0 };
        apart += if run.first == run.now { 0 } else { end - begin };
        begin = end;
    }
    let (once, apart) = (part(once), part(apart));
    Some(Figures {
        basis: Basis::Exact,
        steps: made,
        once,
        once_in: point(once),
        apart,
        apart_in: point(apart),
    })
}

/// The runs after one more step, and the positions that moved and that strayed.
fn followed(runs: &[Run], state: &State<'_>, mut segments: Segments<'_>) -> (Vec<Run>, u128, u128) {
    let mut next = Vec::with_capacity(runs.len());
    let (mut moved, mut stray) = (0, 0);
    let mut begin = 0_u128;
    let mut olds = runs.iter();
    let (mut old, mut new) = (olds.next(), segments.next());
    while let (Some(run), Some(segment)) = (old, new) {
        let last = run.last.min(segment.last);
        let end = u128::from(last) + 1;
        let now = segment.owner.and_then(|owner| state.machines[owner.get()]);
        let moves = run.now != now;
        if moves {
            moved += end - begin;
            stray += if state.is_stray(run.now, now) { end - begin } else { 0 };
        }
        push(&mut next, Run { last, now, once: run.once || moves, ..*run });
        begin = end;
        if run.last == last {
            old = olds.next();
        }
        if segment.last == last {
            new = segments.next();
        }
    }
    (next, moved, stray)
}

/// Adds a run, as a part of the one before where they have the same past.
fn push(runs: &mut Vec<Run>, next: Run) {
    match runs.last_mut() {
        Some(run) if (Run { last: next.last, ..*run }) == next => run.last = next.last,
        _ => runs.push(next),
    }
}

fn point(at: f64) -> Interval {
    Interval { low: at, high: at }
}
