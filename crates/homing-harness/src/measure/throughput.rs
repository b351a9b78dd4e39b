//! How many keys a second one and two threads look up in one shared layout.

use std::array::from_fn;
use std::hint::black_box;
use std::sync::Barrier;
use std::thread;
use std::time::{Duration, Instant};

use homing_core::Placement;

use super::latency::at_once;
use crate::record::Throughput;

/// How long one run takes, and how many there are of one thread and of two.
const RUN: Duration = Duration::from_millis(2);
const RUNS: usize = 12;

/// The keys a second of one thread and, where the machine has as many, of two that
/// share the layout: the best of twelve runs of 2 ms each, taken in turn.
///
/// `None` without keys.
#[must_use]
#[expect(clippy::missing_panics_doc, reason = "a lookup does not panic")]
pub fn throughput(placement: &dyn Placement, keys: &[&[u8]]) -> Option<Throughput> {
    if keys.is_empty() {
        return None;
    }
    let at_once = at_once(placement, keys);
    let two = thread::available_parallelism().is_ok_and(|threads| threads.get() > 1);
    let threads = if two { 2 } else { 1 };
    let in_turn = &Barrier::new(threads);
    // Both threads are there from the first run on: one just made may be put beside
    // the other on its core, and moved only later.
    let one = &|thread: usize| -> [(Option<Run>, Option<Run>); RUNS] {
        let first = keys.len() / at_once * thread / threads;
        let run = || Run::of(placement, keys, at_once, first);
        from_fn(|_| {
            let alone = (thread == 0).then(run);
            in_turn.wait();
            let beside = two.then(run);
            in_turn.wait();
            (alone, beside)
        })
    };
    let runs: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|i| scope.spawn(move || one(i))).collect();
        threads.into_iter().map(|thread| thread.join().expect("a lookup does not panic")).collect()
    });
    let alone = (0..RUNS).map(|i| runs[0][i].0.as_slice()).map(|run| rate(run.iter()));
    let together = (0..RUNS).map(|i| rate(runs.iter().filter_map(|runs| runs[i].1.as_ref())));
    Some(Throughput {
        one_thread_keys_per_s: alone.fold(0.0, f64::max),
        two_threads_keys_per_s: two.then(|| together.fold(0.0, f64::max)),
    })
}

/// What one thread did in one run.
#[derive(Clone, Copy, Debug)]
struct Run {
    keys: u64,
    start: Instant,
    end: Instant,
}

impl Run {
    /// Looks keys up in batches, from batch number `first` on.
    fn of(placement: &dyn Placement, keys: &[&[u8]], at_once: usize, first: usize) -> Self {
        let mut owners = vec![None; at_once];
        let start = Instant::now();
        let mut run = Self { keys: 0, start, end: start };
        for keys in keys.chunks_exact(at_once).cycle().skip(first) {
            placement.owners(black_box(keys), &mut owners);
            black_box(&mut owners);
            run.keys += at_once as u64;
            run.end = Instant::now();
            if run.end - start > RUN {
                break;
            }
        }
        run
    }
}

/// The keys a second of runs side by side, from the first start to the last end: what
/// was not at the same time does not count as if it were.
fn rate<'a>(runs: impl Iterator<Item = &'a Run> + Clone) -> f64 {
    let keys: u64 = runs.clone().map(|run| run.keys).sum();
    let start = runs.clone().map(|run| run.start).min();
    let end = runs.map(|run| run.end).max();
    let time = start.zip(end).map_or(Duration::ZERO, |(start, end)| end - start);
    if time.is_zero() { 0.0 } else { keys as f64 / time.as_secs_f64() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_one_after_the_other_have_the_rate_of_one() {
        let start = Instant::now();
        let ms = |ms| start + Duration::from_millis(ms);
        // 4000 keys in 2 ms are 2 million a second.
        let run = |from| Run { keys: 4000, start: ms(from), end: ms(from + 2) };
        let close = |runs: &[Run], expected: f64| (rate(runs.iter()) / expected - 1.0).abs() < 1e-9;
        assert!(close(&[run(0)], 2e6));
        assert!(close(&[run(0), run(0)], 4e6));
        assert!(close(&[run(0), run(2)], 2e6));
    }
}
