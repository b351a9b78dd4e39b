//! Times of lookups, builds and changes, every repetition through all subjects.

use std::hint::black_box;
use std::time::Instant;

use crate::keys::Keys;
use crate::subject::{Built, Maker};

/// The middle of some repetitions.
#[derive(Clone, Copy, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub(crate) struct Middle {
    /// The median.
    pub(crate) median: f64,
    /// Half the distance between the quartiles, as a part of the median.
    pub(crate) spread: f64,
}

/// How the lookups of a run are timed.
#[derive(Clone, Copy)]
pub(crate) struct Lookups {
    pub(crate) keys: Keys,
    /// How often every subject is timed.
    pub(crate) repetitions: usize,
    /// The most seconds that one timed pass may take; a slow subject gets fewer
    /// keys.
    pub(crate) budget: f64,
    /// How the keys follow each other.
    pub(crate) pace: Pace,
}

/// How the keys of a pass follow each other.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Pace {
    /// None waits for another.
    Free,
    /// Each lookup waits for the one before, or each batch of so many keys for the
    /// batch before.
    InTurn(usize),
}

/// How often every subject is timed by default.
pub(crate) const REPETITIONS: usize = 11;

/// How many keys are looked up untimed, so that a subject's tables are back in
/// the caches.
const WARMING: usize = 300_000;

/// How many passes a first idea is made of.
const TRIES: usize = 3;

/// The least nanoseconds that are timed at once.
const LEAST: f64 = 2e6;

impl Middle {
    /// The middle of at least one value.
    pub(crate) fn of(values: &mut [f64]) -> Self {
        values.sort_by(f64::total_cmp);
        let median = quantile(values, 0.5);
        let quartiles = quantile(values, 0.75) - quantile(values, 0.25);
        Self { median, spread: quartiles / 2.0 / median }
    }
}

impl Lookups {
    /// The nanoseconds a lookup of each subject, in the order given.
    ///
    /// A repetition visits every subject once.
    pub(crate) fn time(&self, built: &[Box<dyn Built>]) -> Vec<Middle> {
        let counts: Vec<usize> = built.iter().map(|built| self.affordable(&**built)).collect();
        let mut times = vec![Vec::new(); built.len()];
        for repetition in 0..self.repetitions {
            for ((built, &count), times) in built.iter().zip(&counts).zip(&mut times) {
                let rest = self.keys.len() - count;
                let first = if rest > 0 { repetition * count % rest } else { 0 };
                let keys = self.keys.at(first..first + count);
                self.run(&**built, keys.at(0..count.min(WARMING)));
                times.push(self.run(&**built, keys));
            }
        }
        times.iter_mut().map(|times| Middle::of(times)).collect()
    }

    /// A first idea of the nanoseconds a lookup: the least of some passes over
    /// few keys.
    ///
    /// The least, as an interrupted pass makes a subject seem far slower than it is.
    pub(crate) fn guess(&self, built: &dyn Built) -> f64 {
        let mut count = 64.min(self.keys.len());
        loop {
            let passes = (0..TRIES).map(|_| self.run(built, self.keys.at(0..count)));
            let each = passes.fold(f64::INFINITY, f64::min);
            if each * count as f64 > LEAST || count == self.keys.len() {
                return each;
            }
            count = (count * 4).min(self.keys.len());
        }
    }

    /// How many keys a pass within the budget can have.
    pub(crate) fn affordable(&self, built: &dyn Built) -> usize {
        let count = (self.budget * 1e9 / self.guess(built)) as usize;
        count.clamp(32.min(self.keys.len()), self.keys.len())
    }

    /// The nanoseconds a key of one pass.
    fn run(&self, built: &dyn Built, keys: Keys) -> f64 {
        let started = Instant::now();
        black_box(match self.pace {
            Pace::Free => built.run(keys),
            Pace::InTurn(batch) => built.run_in_turn(keys, batch),
        });
        nanoseconds(started) / keys.len() as f64
    }
}

/// The nanoseconds of building each, in the order given; a repetition builds
/// each once untimed, then as often as fills two milliseconds.
///
/// Neither making the input nor dropping the layout is timed.
pub(crate) fn builds(makers: &[&dyn Fn() -> Maker], repetitions: usize) -> Vec<Middle> {
    let mut times = vec![Vec::new(); makers.len()];
    for _ in 0..repetitions {
        for (prepare, times) in makers.iter().zip(&mut times) {
            let untimed = build(prepare());
            let count = (LEAST / untimed).clamp(1.0, 100.0) as usize;
            let total: f64 = (0..count).map(|_| build(prepare())).sum();
            times.push(total / count as f64);
        }
    }
    times.iter_mut().map(|times| Middle::of(times)).collect()
}

/// The nanoseconds of building once.
pub(crate) fn build(make: Maker) -> f64 {
    let started = Instant::now();
    let built = black_box(make());
    let time = nanoseconds(started);
    drop(built);
    time
}

/// A first idea of the nanoseconds of building: the least of some.
pub(crate) fn guess_build(prepare: impl Fn() -> Maker) -> f64 {
    (0..TRIES).map(|_| build(prepare())).fold(f64::INFINITY, f64::min)
}

/// The nanoseconds of adding a node and of removing it again, in the order
/// given; `None` for a subject that cannot in place.
///
/// A repetition changes each subject twice untimed, then five times; the id is
/// a new one each time, from `nodes` on.
pub(crate) fn changes(
    built: &mut [Box<dyn Built>],
    nodes: usize,
    repetitions: usize,
) -> Vec<Option<(Middle, Middle)>> {
    const UNTIMED: usize = 2;
    const TIMED: usize = 5;
    let mut times = vec![Some((Vec::new(), Vec::new())); built.len()];
    let mut id = nodes as u32;
    for _ in 0..repetitions {
        for (built, times) in built.iter_mut().zip(&mut times) {
            for visit in 0..UNTIMED + TIMED {
                let Some((adds, removes)) = times else { continue };
                let started = Instant::now();
                let added = built.add(id);
                let add = nanoseconds(started);
                let started = Instant::now();
                let removed = built.remove(id);
                let remove = nanoseconds(started);
                id += 1;
                if !added || !removed {
                    *times = None;
                } else if visit >= UNTIMED {
                    adds.push(add);
                    removes.push(remove);
                }
            }
        }
    }
    let middles = |(mut adds, mut removes): (Vec<f64>, Vec<f64>)| {
        (Middle::of(&mut adds), Middle::of(&mut removes))
    };
    times.into_iter().map(|times| times.map(middles)).collect()
}

/// The nanoseconds of each call, in the order given; a repetition makes each
/// once untimed, then once more.
pub(crate) fn calls(calls: &[&dyn Fn()], repetitions: usize) -> Vec<Middle> {
    let mut times = vec![Vec::new(); calls.len()];
    for _ in 0..repetitions {
        for (call, times) in calls.iter().zip(&mut times) {
            call();
            let started = Instant::now();
            call();
            times.push(nanoseconds(started));
        }
    }
    times.iter_mut().map(|times| Middle::of(times)).collect()
}

/// What so large a part of ascending values is not above; between two of them on
/// the line from the one to the other.
fn quantile(values: &[f64], part: f64) -> f64 {
    let place = part * (values.len() - 1) as f64;
    let (below, above) = (values[place.floor() as usize], values[place.ceil() as usize]);
    below + (above - below) * place.fract()
}

pub(crate) fn nanoseconds(started: Instant) -> f64 {
    started.elapsed().as_secs_f64() * 1e9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_is_the_median_and_half_the_quartile_distance() {
        // By hand: quartiles 2 and 4 around a median of 3.
        let middle = Middle::of(&mut [5.0, 1.0, 4.0, 2.0, 3.0]);
        assert_eq!(middle, Middle { median: 3.0, spread: 1.0 / 3.0 });
    }

    #[test]
    fn a_quartile_between_two_values_is_interpolated() {
        // By hand: of 1, 2 and 4 the quartiles are 1.5 and 3, so half their distance
        // is 0.75.
        let middle = Middle::of(&mut [4.0, 1.0, 2.0]);
        assert_eq!(middle, Middle { median: 2.0, spread: 0.75 / 2.0 });
    }
}
