//! Intervals and measures of balance.

pub mod evenness;

use statrs::distribution::{Beta, ContinuousCDF};

/// The part of the probability that a 95 % interval leaves out on each side.
pub const TAIL: f64 = 0.025;

/// An interval of fractions, in 0..=1, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// Returns the 95 % interval of a proportion, `hits` having been seen in
/// `draws`.
///
/// It is exact, that is it holds the true proportion in at least 95 of 100
/// cases, whatever it is: C. J. Clopper and E. S. Pearson, "The use of
/// confidence or fiducial limits illustrated in the case of the binomial",
/// Biometrika 26 (1934). Without draws nothing is known: `[0, 1]`.
///
/// # Panics
///
/// Panics if there are more hits than draws.
#[must_use]
pub fn proportion(hits: u64, draws: u64) -> Interval {
    assert!(hits <= draws, "{hits} hits cannot be seen in {draws} draws");
    if draws == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let misses = draws - hits;
    // Where all draws agree the Beta quantile is a root, TAIL^(1 / draws).
    let all = (TAIL.ln() / float(draws)).exp();
    let none = -(TAIL.ln() / float(draws)).exp_m1();
    Interval {
        low: match (hits, misses) {
            (0, _) => 0.0,
            (_, 0) => all,
            _ => beta_quantile(hits, misses + 1, TAIL),
        },
        high: match (hits, misses) {
            (_, 0) => 1.0,
            (0, _) => none,
            _ => beta_quantile(hits + 1, misses, 1.0 - TAIL),
        },
    }
}

/// Returns the mean of the loads, 0 without loads.
#[must_use]
pub fn mean(loads: &[f64]) -> f64 {
    if loads.is_empty() { 0.0 } else { loads.iter().sum::<f64>() / float(loads.len() as u64) }
}

/// Returns the coefficient of variation of the loads: the standard deviation
/// of the population, over the mean.
///
/// 0 without loads, and where the mean is 0.
#[must_use]
pub fn cv(loads: &[f64]) -> f64 {
    let mean = mean(loads);
    if mean == 0.0 {
        return 0.0;
    }
    let squares: f64 = loads.iter().map(|load| (load - mean).powi(2)).sum();
    (squares / float(loads.len() as u64)).sqrt() / mean
}

/// Returns the greatest load over the mean, 1 where all are equal.
///
/// 0 without loads, and where the mean is 0.
#[must_use]
pub fn peak_to_mean(loads: &[f64]) -> f64 {
    let mean = mean(loads);
    if mean == 0.0 {
        return 0.0;
    }
    loads.iter().copied().fold(f64::NEG_INFINITY, f64::max) / mean
}

fn beta_quantile(a: u64, b: u64, p: f64) -> f64 {
    quantile(float(a), float(b), p)
}

fn quantile(a: f64, b: f64, p: f64) -> f64 {
    Beta::new(a, b).expect("both shapes are above 0").inverse_cdf(p)
}

#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) -> bool {
        // The Beta quantile of statrs is good to about 2e-6 of itself.
        (found - expected).abs() <= 1e-5 * expected.abs()
    }

    #[test]
    fn the_interval_of_a_proportion_is_that_of_clopper_and_pearson() {
        // The roots of the two binomial tails, summed term by term with 30
        // digits and found by bisection.
        let cases = [
            (1, 2, 0.012_579_117_093_425_05, 0.987_420_882_906_575),
            (1, 10, 0.002_528_578_544_461_784, 0.445_016_117_028_195_4),
            (5, 10, 0.187_086_028_447_398_5, 0.812_913_971_552_601_5),
            (50, 100, 0.398_321_129_503_301, 0.601_678_870_496_699),
            (1, 1_000_000, 2.531_780_766_379_418e-8, 5.571_630_655_172_244e-6),
            (2041, 20_000, 0.097_887_735_880_544_24, 0.106_328_342_636_569_2),
            (111_111, 1_000_000, 0.110_495_669_923_259_3, 0.111_728_583_625_218),
        ];
        for (hits, draws, low, high) in cases {
            let found = proportion(hits, draws);
            assert!(
                close(found.low, low) && close(found.high, high),
                "{hits} of {draws}: {found:?}"
            );
            let turned = proportion(draws - hits, draws);
            assert!(close(turned.low, 1.0 - high), "{hits} of {draws}: {turned:?}");
            assert!(close(turned.high, 1.0 - low), "{hits} of {draws}: {turned:?}");
        }
    }

    #[test]
    fn the_interval_is_exact_where_all_draws_agree() {
        // 1 - 0.025^(1/10), and its mirror image.
        let none = proportion(0, 10);
        assert_eq!(none.low.to_bits(), 0.0_f64.to_bits());
        assert!(close(none.high, 0.308_497_107_818_760_8), "{none:?}");
        let all = proportion(10, 10);
        assert!(close(all.low, 0.691_502_892_181_239_2), "{all:?}");
        assert_eq!(all.high.to_bits(), 1.0_f64.to_bits());
    }

    #[test]
    fn nothing_is_known_without_draws() {
        assert_eq!(proportion(0, 0), Interval { low: 0.0, high: 1.0 });
    }

    #[test]
    fn the_interval_of_many_draws_is_near_the_normal_one() {
        // p -+ 1.96 sqrt(p (1 - p) / n), within a tenth of its half width.
        for draws in [1_000_000_u64, 1_000_000_000, 1_000_000_000_000] {
            let p = 1.0 / 9.0;
            let found = proportion(draws / 9, draws);
            let half = 1.959_964 * (p * (1.0 - p) / float(draws)).sqrt();
            assert!((found.low - (p - half)).abs() < half / 10.0, "{draws}: {found:?}");
            assert!((found.high - (p + half)).abs() < half / 10.0, "{draws}: {found:?}");
        }
    }

    #[test]
    fn every_interval_holds_its_proportion() {
        for draws in 1..=60 {
            for hits in 0..=draws {
                let Interval { low, high } = proportion(hits, draws);
                let p = float(hits) / float(draws);
                assert!(0.0 <= low && low <= p && p <= high && high <= 1.0, "{hits} of {draws}");
            }
        }
    }

    #[test]
    fn measures_of_no_load_are_zero() {
        for loads in [&[][..], &[0.0, 0.0]] {
            assert_eq!((mean(loads), cv(loads), peak_to_mean(loads)), (0.0, 0.0, 0.0));
        }
    }

    #[test]
    fn measures_of_balance_are_of_the_population() {
        // Mean 5, squared differences 32 over 8 loads: deviation 2.
        let loads = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
        assert_eq!((mean(&loads), cv(&loads), peak_to_mean(&loads)), (5.0, 0.4, 1.8));
        assert_eq!((cv(&[3.0; 4]), peak_to_mean(&[3.0; 4])), (0.0, 1.0));
    }
}
