//! How long a lookup, a build and a change take.

use std::hint::black_box;
use std::time::{Duration, Instant};

use homing_core::{Change, Members, Placement};

use crate::registry::Builder;

/// How many keys are looked up in turn: more than the first cache holds the
/// lines of, fewer than the second holds the texts of.
pub(super) const SAMPLE: usize = 16_384;

/// How long one figure is measured, once it is known to be shorter.
const BUDGET: Duration = Duration::from_millis(60);

/// How long one timed run should be: far above the cost of reading the clock.
const RUN: Duration = Duration::from_micros(20);

/// Medians over runs of some keys each, in nanoseconds a key.
#[derive(Clone, Copy, Debug)]
pub struct Latency {
    /// Of hash and lookup together.
    pub lookup_ns: f64,
    /// Of the hash alone, that is of the position.
    pub hash_ns: f64,
}

/// The time of one lookup in a batch, and of the hash alone, over `keys` in turn.
///
/// The two are timed alternately, so that both see the machine at the same speed.
/// 0 without keys.
#[must_use]
pub fn lookup(placement: &dyn Placement, keys: &[&[u8]]) -> Latency {
    if keys.is_empty() {
        return Latency { lookup_ns: 0.0, hash_ns: 0.0 };
    }
    let mut owners = vec![None; keys.len()];
    let mut look_up = |keys: &[&[u8]]| {
        let owners = &mut owners[..keys.len()];
        placement.owners(keys, owners);
        black_box(owners);
    };
    let hash = |keys: &[&[u8]]| {
        for key in keys {
            black_box(placement.position(key));
        }
    };
    let at_once = at_once(placement, keys);
    let (mut lookups, mut hashes) = (Vec::new(), Vec::new());
    let started = Instant::now();
    for keys in keys.chunks_exact(at_once).cycle() {
        lookups.push(timed(|| look_up(black_box(keys))));
        hashes.push(timed(|| hash(black_box(keys))));
        if started.elapsed() > 2 * BUDGET && lookups.len() >= 11 {
            break;
        }
    }
    let a_key = |times| nanoseconds(middle(times)) / at_once as f64;
    Latency { lookup_ns: a_key(lookups), hash_ns: a_key(hashes) }
}

/// How many of `keys` one timed run looks up: so many that it takes about 20 us, from
/// 16 to 4096, or all if fewer.
pub(super) fn at_once(placement: &dyn Placement, keys: &[&[u8]]) -> usize {
    let few = &keys[..keys.len().min(64)];
    let mut owners = vec![None; few.len()];
    let time = timed(|| placement.owners(black_box(few), &mut owners));
    let at_once = RUN.as_nanos() * 64 / time.max(Duration::from_nanos(64)).as_nanos();
    usize::try_from(at_once).unwrap_or(usize::MAX).clamp(16, 4096).min(keys.len())
}

/// The median time to build the layout of `members`, in nanoseconds.
pub(super) fn build(builder: &Builder, members: &Members) -> f64 {
    median(|| {
        let members = members.clone();
        let start = Instant::now();
        let built = black_box(builder.build(members));
        let time = start.elapsed();
        drop(built);
        time
    })
}

/// The median time to make `changes` in place, in nanoseconds.
pub(super) fn change(placement: &dyn Placement, changes: &[Change]) -> f64 {
    median(|| {
        let mut next = placement.dyn_clone();
        let start = Instant::now();
        let made = black_box(next.apply(changes));
        let time = start.elapsed();
        drop((next, made));
        time
    })
}

fn timed(run: impl FnOnce()) -> Duration {
    let start = Instant::now();
    run();
    start.elapsed()
}

/// The median of what `run` says it took, over at least one run and at most 1001.
fn median(mut run: impl FnMut() -> Duration) -> f64 {
    let started = Instant::now();
    let mut times = Vec::new();
    while times.len() < 1001 && (times.is_empty() || started.elapsed() < BUDGET) {
        times.push(run());
    }
    nanoseconds(middle(times))
}

fn middle(mut times: Vec<Duration>) -> Duration {
    let at = times.len() / 2;
    *times.select_nth_unstable(at).1
}

fn nanoseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e9
}
