//! How long lookups take one at a time, the clock read around each.

use std::hint::black_box;
use std::time::{Duration, Instant};

use hdrhistogram::Histogram;
use homing_core::Placement;

use crate::record::Single;

/// How long all lookups may take together.
const BUDGET: Duration = Duration::from_millis(50);

/// The longest time that is told from a longer one, in nanoseconds: a second.
const LONGEST: u64 = 1_000_000_000;

/// The significant digits of a time: below 2048 ns every nanosecond is told apart.
const DIGITS: u8 = 3;

/// The times of lookups of `keys` in turn, each timed alone, over 50 ms.
///
/// Before each lookup the clock is read twice with nothing in between: the median of
/// those pairs is what the clock itself adds to every time. It is not taken off.
/// `None` without keys.
#[must_use]
pub fn single(placement: &dyn Placement, keys: &[&[u8]]) -> Option<Single> {
    if keys.is_empty() {
        return None;
    }
    let (mut lookups, mut timer) = (histogram(), histogram());
    let started = Instant::now();
    for key in keys.iter().cycle() {
        let idle = Instant::now();
        let start = Instant::now();
        black_box(placement.owner_at(placement.position(black_box(key))));
        let end = Instant::now();
        timer.saturating_record(nanoseconds(start - idle));
        lookups.saturating_record(nanoseconds(end - start));
        if end - started > BUDGET {
            break;
        }
    }
    Some(Single {
        lookups: lookups.len(),
        p50_ns: lookups.value_at_quantile(0.5),
        p99_ns: lookups.value_at_quantile(0.99),
        p999_ns: lookups.value_at_quantile(0.999),
        timer_ns: timer.value_at_quantile(0.5),
    })
}

fn histogram() -> Histogram<u32> {
    Histogram::new_with_bounds(1, LONGEST, DIGITS).expect("the bounds are apart, the digits few")
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_percentile_is_the_time_that_so_many_do_not_exceed() {
        // Of 1 to 1000 ns, 500 are at most 500, 990 at most 990, 999 at most 999.
        let mut times = histogram();
        for time in 1..=1000 {
            times.saturating_record(time);
        }
        assert_eq!([0.5, 0.99, 0.999].map(|part| times.value_at_quantile(part)), [500, 990, 999]);
    }

    #[test]
    fn a_time_above_a_second_is_told_as_one() {
        let mut times = histogram();
        times.saturating_record(u64::MAX);
        // To three digits.
        assert!(times.max().abs_diff(LONGEST) <= LONGEST / 1000, "{}", times.max());
    }
}
