//! The figures that the targets are judged by.

use homing_ring::Points;

use crate::heap;
use crate::ours;
use crate::peers::{self, maglev_entries};
use crate::subject::{Built, Maker, Mode, POINTS, Role, Subject};
use crate::timing::{self, Lookups, Middle};
use crate::verdict::targets::Quantity;

/// What was measured of a subject.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct Figure {
    pub(crate) family: &'static str,
    pub(crate) role: Role,
    pub(crate) mode: Mode,
    pub(crate) subject: String,
    pub(crate) quantity: Quantity,
    pub(crate) nodes: usize,
    pub(crate) value: Middle,
}

/// How many times slower than the fastest peer of its family a peer may be at
/// the first try and still be measured.
const HOPELESS: f64 = 5.0;

/// Measures every quantity that has targets, a family and a size at a time.
pub(super) fn all(subjects: &[Subject], sizes: &[usize], lookups: Lookups) -> Vec<Figure> {
    let mut figures = Vec::new();
    for family in subjects.chunk_by(|a, b| a.family == b.family) {
        let Some(name) = family.first().map(|subject| subject.family) else { continue };
        if name == "other" {
            continue;
        }
        for &nodes in sizes {
            eprintln!("measuring {name}, {nodes} nodes");
            let built_for: Vec<&Subject> =
                family.iter().filter(|subject| nodes <= subject.max_nodes).collect();
            figures.extend(looked_up(&built_for, nodes, lookups));
            if name == "ring" || name == "maglev" {
                figures.extend(builds(&built_for, nodes, lookups.repetitions));
                figures.extend(memory(&built_for, nodes));
            }
            if name == "ring" {
                figures.extend(changes(&built_for, nodes, lookups.repetitions));
            }
            if name == "ring" && nodes == 1_000 {
                figures.extend(plans(&built_for, nodes, lookups.repetitions));
            }
        }
    }
    figures
}

fn looked_up(subjects: &[&Subject], nodes: usize, lookups: Lookups) -> Vec<Figure> {
    let built: Vec<Box<dyn Built>> = subjects.iter().map(|subject| subject.build(nodes)).collect();
    let guesses: Vec<f64> = built.iter().map(|built| lookups.guess(&**built)).collect();
    let kept = worthwhile(subjects, &guesses);
    let (subjects, built): (Vec<&Subject>, Vec<_>) = subjects
        .iter()
        .copied()
        .zip(built)
        .zip(kept)
        .filter(|(_, kept)| *kept)
        .map(|(pair, _)| pair)
        .unzip();
    let times = lookups.time(&built);
    let figures = subjects.iter().zip(times);
    figures.map(|(subject, time)| figure(subject, Quantity::Lookup, nodes, time)).collect()
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
    figures.map(|(subject, time)| figure(subject, Quantity::Build, nodes, time)).collect()
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
            figures.push(figure(subject, Quantity::Add, nodes, add));
            figures.push(figure(subject, Quantity::Remove, nodes, remove));
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
            figure(subject, Quantity::Held, nodes, exact(held / entries)),
            figure(subject, Quantity::Peak, nodes, exact(peak / (2.0 * entries))),
        ]
    } else {
        let points = (nodes * POINTS) as f64;
        vec![figure(subject, Quantity::Held, nodes, exact(held / points))]
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
    let of = |(quantity, role, name): (Quantity, Role, &str), value| Figure {
        family: subject.family,
        role,
        mode: Mode::One,
        subject: name.to_owned(),
        quantity,
        nodes,
        value,
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

/// Whether each is worth more time: all but the peers that are hopelessly slower
/// than the fastest one.
fn worthwhile(subjects: &[&Subject], guesses: &[f64]) -> Vec<bool> {
    let is_peer = |subject: &Subject| subject.role == Role::Peer;
    let peers = subjects.iter().zip(guesses).filter(|(subject, _)| is_peer(subject));
    let fastest = peers.map(|(_, &guess)| guess).fold(f64::INFINITY, f64::min);
    let pairs = subjects.iter().zip(guesses);
    pairs.map(|(subject, &guess)| !is_peer(subject) || guess <= HOPELESS * fastest).collect()
}

fn figure(subject: &Subject, quantity: Quantity, nodes: usize, value: Middle) -> Figure {
    let Subject { family, role, mode, .. } = *subject;
    Figure { family, role, mode, subject: subject.label(), quantity, nodes, value }
}
