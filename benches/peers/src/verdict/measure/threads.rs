//! Two threads on one shared layout, beside one.

use std::hint::{black_box, spin_loop};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Instant;

use crate::keys::Keys;
use crate::subject::Built;
use crate::timing::{Lookups, Middle};
use crate::verdict::figure::{Figure, Quantity};
use crate::verdict::measure::Layouts;

/// The least seconds of a pass.
const LEAST: f64 = 0.005;

/// How many times more passes there are than repetitions.
const PASSES: usize = 5;

/// The lookups a second of two threads, as a multiple of those of one.
pub(super) fn figures(layouts: &Layouts, lookups: Lookups) -> Vec<Figure> {
    let values = layouts.built.iter().map(|built| ratio(&**built, lookups)).collect();
    layouts.figures(Quantity::TwoThreads, values)
}

/// The best pass of two threads beside the best of one, passes of both in turn.
///
/// The best, as another process that runs for a moment delays two threads and not
/// one, which has a core to spare. What threads do to each other is in every pass.
/// The spread is that of single pairs of passes.
fn ratio(built: &dyn Built, lookups: Lookups) -> Middle {
    let each = lookups.guess(built);
    let half = lookups.keys.len() / 2;
    let count = ((LEAST * 1e9 / each) as usize).clamp(1, half);
    let rounds = (LEAST * 1e9 / (each * count as f64)).ceil() as usize;
    let [first, second] = [0, half].map(|at| lookups.keys.at(at..at + count));
    let passes = (0..PASSES * lookups.repetitions).map(|_| {
        let before = pass(built, &[first], rounds);
        let both = pass(built, &[first, second], rounds);
        let after = pass(built, &[second], rounds);
        (before.min(after), both)
    });
    let (one, both): (Vec<f64>, Vec<f64>) = passes.unzip();
    let mut ratios: Vec<f64> = one.iter().zip(&both).map(|(one, both)| 2.0 * one / both).collect();
    let best = |times: &[f64]| times.iter().copied().fold(f64::INFINITY, f64::min);
    Middle { median: 2.0 * best(&one) / best(&both), ..Middle::of(&mut ratios) }
}

/// The seconds from the first start to the last end of threads that begin
/// together, each with keys of its own.
fn pass(built: &dyn Built, parts: &[Keys], rounds: usize) -> f64 {
    let running = &AtomicUsize::new(0);
    let work = |part: Keys| {
        black_box(built.run(part));
        // A barrier that neither sleeps nor has to be woken up.
        running.fetch_add(1, Ordering::AcqRel);
        while running.load(Ordering::Acquire) < parts.len() {
            spin_loop();
        }
        let started = Instant::now();
        for _ in 0..rounds {
            black_box(built.run(part));
        }
        (started, Instant::now())
    };
    let spans: Vec<(Instant, Instant)> = thread::scope(|scope| {
        let threads: Vec<_> = parts.iter().map(|&part| scope.spawn(move || work(part))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a lookup ends")).collect()
    });
    let first = spans.iter().map(|(start, _)| *start).min();
    let last = spans.iter().map(|(_, end)| *end).max();
    first.zip(last).map_or(0.0, |(first, last)| (last - first).as_secs_f64())
}
