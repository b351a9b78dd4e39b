//! How even shares are, and what of that is chance.

use statrs::distribution::{ChiSquared, ContinuousCDF};

use super::{Interval, float, mean, quantile};

/// Returns the interval of a fraction that was seen in so many draws, `tail` of the
/// probability left out on each side; 0.025 is the 95 % interval.
///
/// Draws need not be whole: where things of unequal amounts are drawn they are as
/// many as [`effective`] says. The interval is that of Clopper and Pearson with
/// these draws: E. L. Korn and B. I. Graubard, "Confidence intervals for
/// proportions with small expected number of positive counts estimated from survey
/// data", Survey Methodology 24 (1998). Of an infinite number of draws both ends
/// are the fraction; without draws it is `[0, 1]`.
#[must_use]
pub fn fraction(part: f64, draws: f64, tail: f64) -> Interval {
    if draws == f64::INFINITY {
        return Interval { low: part, high: part };
    }
    if draws <= 0.0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let (hits, misses) = (part * draws, (1.0 - part) * draws);
    let low = match part {
        part if part <= 0.0 => 0.0,
        part if part >= 1.0 => (tail.ln() / draws).exp(),
        _ => quantile(hits, misses + 1.0, tail),
    };
    let high = match part {
        part if part >= 1.0 => 1.0,
        part if part <= 0.0 => -(tail.ln() / draws).exp_m1(),
        _ => quantile(hits + 1.0, misses, 1.0 - tail),
    };
    // Far from the middle the quantile is good to a few digits alone.
    Interval { low: low.min(part), high: high.max(part) }
}

/// Returns the draws of equal amounts that tell as much as draws of unequal ones:
/// the square of the sum of the amounts over the sum of their squares.
///
/// L. Kish, "Survey Sampling", Wiley 1965, section 11.7. 0 if all amounts are 0.
#[must_use]
pub fn effective(sum: f64, squares: f64) -> f64 {
    if squares > 0.0 { sum * sum / squares } else { 0.0 }
}

/// Returns the Gini coefficient of the loads: half the mean absolute difference of
/// two of them over their mean, 0 where all are equal.
///
/// C. Gini, "Variabilità e mutabilità", 1912. It is in `[0, 1 - 1 / N]` for N
/// loads; 0 without loads, and where all are 0.
#[must_use]
pub fn gini(loads: &[f64]) -> f64 {
    let mut loads = loads.to_vec();
    loads.sort_by(f64::total_cmp);
    let count = float(loads.len() as u64);
    let sum: f64 = loads.iter().sum();
    if sum == 0.0 {
        return 0.0;
    }
    // Of the ascending load i, i from 1, i - 1 are below and N - i above.
    let ranked = loads.iter().zip(1_u64..).map(|(load, i)| (float(2 * i) - count - 1.0) * load);
    (ranked.sum::<f64>() / (count * sum)).max(0.0)
}

/// Returns the coefficient of variation of the loads, each a share over its ideal,
/// without what the draws add to it: at least 0.
///
/// The counts of the nodes are multinomial. So with K draws of shares s and ideal
/// shares d, the variance of the loads l = s / d is greater by
/// `(sum s (1 - s) / d^2 / N - (sum s / d^2 - (sum s / d)^2) / N^2) / K` on average
/// than that of the true ones; the shares that were seen in place of the true ones,
/// and K - 1 in place of K, make the estimate unbiased. With equal ideal shares
/// this is `cv^2 - (N - 1 - cv^2) / (K - 1)`, that is about `cv^2 - N / K`.
#[must_use]
pub fn cv_corrected(shares: &[f64], ideals: &[f64], draws: f64) -> f64 {
    let loads: Vec<f64> = shares.iter().zip(ideals).map(|(share, ideal)| share / ideal).collect();
    let (cv, mean) = (super::cv(&loads), mean(&loads));
    if draws == f64::INFINITY || mean == 0.0 {
        return cv;
    }
    if draws <= 1.0 {
        return 0.0;
    }
    let count = float(shares.len() as u64);
    let over = |of: fn(f64, f64) -> f64| -> f64 {
        shares.iter().zip(ideals).map(|(&share, &ideal)| of(share, ideal)).sum()
    };
    let each = over(|share, ideal| share * (1.0 - share) / (ideal * ideal)) / count;
    let common = over(|share, ideal| share / (ideal * ideal)) - (count * mean).powi(2);
    let noise = (each - common / (count * count)) / (draws - 1.0);
    (cv * cv - noise / (mean * mean)).max(0.0).sqrt()
}

/// A chi-square test of shares against their ideals.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChiSquare {
    /// The statistic.
    pub statistic: f64,
    /// How likely shares as far from their ideals are, or farther, by chance alone.
    pub p: f64,
    /// The least number of draws that a node is due.
    pub least_expected: f64,
}

/// Tests whether the shares, seen in so many draws, are the ideal ones.
///
/// K. Pearson, "On the criterion that a given system of deviations ...",
/// Philosophical Magazine 50 (1900): with K draws of N nodes,
/// `K sum (s - d)^2 / d` has N - 1 degrees of freedom. Where the draws are
/// effective ones it is the first correction of J. N. K. Rao and A. J. Scott, "The
/// analysis of categorical data from complex sample surveys", Journal of the
/// American Statistical Association 76 (1981). What is on none of these nodes is
/// left out of the draws.
#[must_use]
pub fn chi_square(shares: &[f64], ideals: &[f64], draws: f64) -> ChiSquare {
    let owned: f64 = shares.iter().sum();
    let draws = draws * owned;
    let least = ideals.iter().copied().fold(f64::INFINITY, f64::min);
    if shares.len() < 2 || draws <= 0.0 {
        return ChiSquare { statistic: 0.0, p: 1.0, least_expected: least.min(1.0) * draws };
    }
    let far = |(share, ideal): (&f64, &f64)| (share / owned - ideal).powi(2) / ideal;
    let statistic = draws * shares.iter().zip(ideals).map(far).sum::<f64>();
    let freedom = float(shares.len() as u64 - 1);
    let p = ChiSquared::new(freedom).map_or(1.0, |law| law.sf(statistic));
    ChiSquare { statistic, p: p.clamp(0.0, 1.0), least_expected: least * draws }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) -> bool {
        (found - expected).abs() <= 1e-5 * expected.abs()
    }

    #[test]
    fn draws_that_are_not_whole_have_an_interval() {
        // The Beta quantiles by bisection of the incomplete Beta function, with 30
        // digits.
        let cases = [
            (0.25, 10.5, 0.046_891_911_034_095_45, 0.596_470_477_727_485_6),
            (0.1, 2.5, 9.128_387_479_110_168e-8, 0.832_583_559_558_609_4),
            (0.9, 40.25, 0.763_920_270_879_763_6, 0.971_925_163_674_297_9),
        ];
        for (part, draws, low, high) in cases {
            let found = fraction(part, draws, 0.025);
            assert!(
                close(found.low, low) && close(found.high, high),
                "{part} of {draws}: {found:?}"
            );
        }
    }

    #[test]
    fn whole_draws_have_the_interval_of_a_proportion() {
        for (hits, draws) in [(0, 10), (1, 10), (5, 10), (10, 10), (2041, 20_000)] {
            let found = fraction(float(hits) / float(draws), float(draws), 0.025);
            let expected = crate::statistics::proportion(hits, draws);
            assert!((found.low - expected.low).abs() < 1e-9, "{hits} of {draws}: {found:?}");
            assert!((found.high - expected.high).abs() < 1e-9, "{hits} of {draws}: {found:?}");
        }
    }

    #[test]
    fn amounts_that_are_equal_count_whole_and_one_that_is_all_counts_once() {
        // 5 amounts of 3: 15^2 / 45. One of 10 and four of 0: 10^2 / 10^2.
        assert_eq!((effective(15.0, 45.0), effective(10.0, 100.0)), (5.0, 1.0));
        assert_eq!(effective(0.0, 0.0).to_bits(), 0.0_f64.to_bits());
    }

    #[test]
    fn the_gini_coefficient_is_that_of_the_mean_difference() {
        // 1, 2, 3, 4: the differences of all 16 pairs add up to 20, so 20 / 16 / 2
        // over 2.5 is 1/4. One of four has all: 3/4.
        assert!(close(gini(&[3.0, 1.0, 4.0, 2.0]), 0.25));
        assert!(close(gini(&[0.0, 8.0, 0.0, 0.0]), 0.75));
        assert_eq!((gini(&[2.0; 5]), gini(&[]), gini(&[0.0; 3])), (0.0, 0.0, 0.0));
    }

    #[test]
    fn sampling_noise_is_taken_out_of_the_variation() {
        // Two nodes, 60 and 40 of 100 keys: cv^2 = 0.04, and
        // 0.04 - (2 - 1 - 0.04) / 99 = 3 / 99.
        let found = cv_corrected(&[0.6, 0.4], &[0.5, 0.5], 100.0);
        assert!(close(found * found, 3.0 / 99.0), "{found}");
        // 52 and 48: cv^2 = 0.0016 is less than the noise.
        let found = cv_corrected(&[0.52, 0.48], &[0.5, 0.5], 100.0);
        assert_eq!(found.to_bits(), 0.0_f64.to_bits());
        // Ideal shares 1/4 and 3/4, shares 1/2 each, 101 keys: loads 2 and 2/3, mean
        // 4/3, cv 1/2. Each: (1/4 x 16 + 1/4 x 16/9) / 2 = 20/9; common: 8 + 8/9 -
        // (8/3)^2 = 16/9, over N^2 = 4/9; noise: (20/9 - 4/9) / 100 = 4/225, over
        // (4/3)^2 = 1/100. So 1/4 - 1/100.
        let found = cv_corrected(&[0.5, 0.5], &[0.25, 0.75], 101.0);
        assert!(close(found * found, 0.24), "{found}");
    }

    #[test]
    fn exact_shares_have_no_noise() {
        let found = cv_corrected(&[0.6, 0.4], &[0.5, 0.5], f64::INFINITY);
        assert!(close(found, 0.2), "{found}");
        assert_eq!(fraction(0.3, f64::INFINITY, 0.025), Interval { low: 0.3, high: 0.3 });
    }

    #[test]
    fn sixty_throws_of_a_die_are_tested_as_in_the_textbook() {
        // 5, 8, 9, 8, 10 and 20 of 60: 134 / 10 with five degrees of freedom. The
        // tail is the incomplete gamma function Q(5/2, 13.4/2).
        let shares = [5.0, 8.0, 9.0, 8.0, 10.0, 20.0].map(|seen| seen / 60.0);
        let found = chi_square(&shares, &[1.0 / 6.0; 6], 60.0);
        assert!(close(found.statistic, 13.4), "{found:?}");
        assert!(close(found.p, 0.019_905_220_334_774_26), "{found:?}");
        assert!(close(found.least_expected, 10.0), "{found:?}");
    }

    #[test]
    fn one_node_is_always_even() {
        let found = chi_square(&[1.0], &[1.0], 50.0);
        assert_eq!((found.statistic, found.p, found.least_expected), (0.0, 1.0, 50.0));
    }

    #[test]
    fn the_average_of_corrected_squares_is_the_true_one() {
        // All 2^4 ways in which 4 keys fall on two nodes of shares 3/4 and 1/4, due
        // a half each: the mean of cv^2 - (1 - cv^2) / 3 over them must be the true
        // cv^2 = 1/4, the negative ones counted.
        let mut sum = 0.0;
        for (first, ways) in [(0, 1.0), (1, 4.0), (2, 6.0), (3, 4.0), (4, 1.0_f64)] {
            let share = f64::from(first) / 4.0;
            let square = crate::statistics::cv(&[share, 1.0 - share]).powi(2);
            let chance = ways * 0.75_f64.powi(first) * 0.25_f64.powi(4 - first);
            let corrected = square - (1.0 - square) / 3.0;
            let found = cv_corrected(&[share, 1.0 - share], &[0.5; 2], 4.0);
            assert!((found * found - corrected.max(0.0)).abs() < 1e-12, "{first}: {found}");
            sum += chance * corrected;
        }
        assert!(close(sum, 0.25), "{sum}");
    }
}
