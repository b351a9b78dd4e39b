//! What a layout costs: building, changing, planning, memory.

use homing_ring::Points;

use crate::heap;
use crate::ours;
use crate::peers::{self, maglev_entries};
use crate::subject::{Built, Maker, Mode, POINTS, Role, Subject};
use crate::timing::{self, Middle};
use crate::verdict::figure::{Figure, Quantity};
use crate::verdict::measure::{USUAL, worthwhile};

/// Builds and heaps; of rings also changes and, at 1000 nodes, plans.
pub(super) fn figures(family: &[Subject], nodes: usize, repetitions: usize) -> Vec<Figure> {
    let fitting: Vec<&Subject> =
        family.iter().filter(|subject| nodes <= subject.max_nodes).collect();
    let mut figures = builds(&fitting, nodes, repetitions);
    figures.extend(memory(&fitting, nodes));
    if fitting.iter().all(|subject| subject.family == "ring") {
        figures.extend(changes(&fitting, nodes, repetitions));
        if nodes == USUAL {
            figures.extend(plans(&fitting, nodes, repetitions));
        }
    }
    figures
}

fn builds(subjects: &[&Subject], nodes: usize, repetitions: usize) -> Vec<Figure> {
    let timed: Vec<&Subject> = subjects
        .iter()
        .copied()
        .filter(|subject| subject.role != Role::Floor && subject.mode == Mode::One)
        .filter(|subject| nodes <= subject.max_builds)
        .collect();
    let guesses: Vec<f64> =
        timed.iter().map(|subject| timing::guess_build(|| subject.prepare(nodes))).collect();
    let kept = worthwhile(&timed, &guesses);
    let timed: Vec<&Subject> =
        timed.into_iter().zip(kept).filter_map(|(subject, kept)| kept.then_some(subject)).collect();
    let makers: Vec<_> = timed.iter().map(|subject| || subject.prepare(nodes)).collect();
    let makers: Vec<&dyn Fn() -> Maker> =
        makers.iter().map(|maker| maker as &dyn Fn() -> Maker).collect();
    let times = timing::builds(&makers, repetitions);
    let figures = timed.iter().zip(times);
    figures.map(|(subject, time)| Figure::of(subject, Quantity::Build, nodes, time)).collect()
}

fn changes(subjects: &[&Subject], nodes: usize, repetitions: usize) -> Vec<Figure> {
    let changed: Vec<&Subject> = subjects
        .iter()
        .copied()
        .filter(|subject| subject.role != Role::Floor && subject.mode == Mode::One)
        .collect();
    let mut built: Vec<Box<dyn Built>> =
        changed.iter().map(|subject| subject.build(nodes)).collect();
    let times = timing::changes(&mut built, nodes, repetitions);
    let mut figures = Vec::new();
    for (subject, times) in changed.iter().zip(times) {
        if let Some((add, remove)) = times {
            figures.push(Figure::of(subject, Quantity::Add, nodes, add));
            figures.push(Figure::of(subject, Quantity::Remove, nodes, remove));
        }
    }
    figures
}

/// The heap of ours, which is exact: the membership is there before.
fn memory(subjects: &[&Subject], nodes: usize) -> Vec<Figure> {
    let ours =
        subjects.iter().find(|subject| subject.role == Role::Ours && subject.mode == Mode::One);
    let Some(subject) = ours else { return Vec::new() };
    let make = subject.prepare(nodes);
    let (built, heap) = heap::measured(make);
    drop(built);
    let exact = |median: f64| Middle { median, spread: 0.0 };
    let (held, peak) = (heap.held as f64, heap.peak as f64);
    if subject.family == "maglev" {
        let entries = maglev_entries(nodes) as f64;
        vec![
            Figure::of(subject, Quantity::Held, nodes, exact(held / entries)),
            Figure::of(subject, Quantity::Peak, nodes, exact(peak / (2.0 * entries))),
        ]
    } else {
        let points = (nodes * POINTS) as f64;
        vec![Figure::of(subject, Quantity::Held, nodes, exact(held / points))]
    }
}

/// Exact plans from a ring to one of a node more, the build of both, and the one
/// peer that lists what moves.
fn plans(subjects: &[&Subject], nodes: usize, repetitions: usize) -> Vec<Figure> {
    let ours =
        subjects.iter().find(|subject| subject.role == Role::Ours && subject.mode == Mode::One);
    let Some(subject) = ours else { return Vec::new() };
    let drawn = ours::planning(nodes, &Points::default());
    let kept = ours::planning(nodes, &ours::labelled());
    let peer = peers::migration(nodes);
    let (before, after) = (|| subject.prepare(nodes), || subject.prepare(nodes + 1));
    let times = timing::calls(&[&drawn, &kept, &peer], repetitions);
    let both = timing::builds(&[&before, &after], repetitions);
    let both = Middle {
        median: both.iter().map(|build| build.median).sum(),
        spread: both.iter().map(|build| build.spread).fold(0.0, f64::max),
    };
    let of = |(quantity, role, name): (Quantity, Role, &str), value| {
        let what = (subject.family, role, Mode::One);
        Figure::named(what, name.to_owned(), quantity, nodes, value)
    };
    let planned = [
        (Quantity::PlanDrawn, Role::Ours, "homing-core Plan, drawn points"),
        (Quantity::PlanKept, Role::Ours, "homing-core Plan, labelled points"),
        (Quantity::PlanKept, Role::Peer, peers::MIGRATION),
    ];
    let mut figures: Vec<Figure> =
        planned.into_iter().zip(times).map(|(what, time)| of(what, time)).collect();
    figures.push(of((Quantity::PlanDrawn, Role::Floor, "building both rings"), both));
    figures
}
