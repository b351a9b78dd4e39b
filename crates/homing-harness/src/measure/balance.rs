//! How even the load of a membership is.

use homing_core::Members;

use crate::record::{Basis, Evenness, Verdict};
use crate::statistics::evenness::{chi_square, cv_corrected, fraction, gini};
use crate::statistics::{self, TAIL};

/// A node that is due fewer keys makes the chi-square test say nothing: W. G.
/// Cochran, "Some methods for strengthening the common chi-square tests",
/// Biometrics 10 (1954).
const LEAST_EXPECTED: f64 = 5.0;

/// Shares that chance alone makes less often than this are uneven.
const UNEVEN: f64 = 0.01;

/// The evenness of loads, each over its node's weight share.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Balance {
    /// The greatest over the mean; 1 where all are equal, 0 without load.
    pub peak_to_mean: f64,
    /// The coefficient of variation of the population; 0 where all are equal.
    pub cv: f64,
}

/// The evenness of `loads`, by index; drained nodes are left out.
#[must_use]
pub fn balance(members: &Members, loads: &[f64]) -> Balance {
    let relative = relative(members, loads);
    Balance { peak_to_mean: statistics::peak_to_mean(&relative), cv: statistics::cv(&relative) }
}

/// What else is known of the evenness of `loads`, by index, which are those of so
/// many draws; drained nodes are left out.
#[must_use]
pub fn evenness(members: &Members, loads: &[f64], basis: Basis, draws: f64) -> Evenness {
    let total = members.total_weight() as f64;
    let active = || members.iter().filter(|(_, node)| node.weight > 0);
    let shares: Vec<f64> = active().map(|(index, _)| loads[index.get()]).collect();
    let ideals: Vec<f64> = active().map(|(_, node)| f64::from(node.weight) / total).collect();
    let relative = relative(members, loads);
    let peak = statistics::peak_to_mean(&relative);
    let (low, high) = match basis {
        Basis::Sampled => peak_interval(&shares, &ideals, draws, statistics::mean(&relative)),
        _ => (peak, peak),
    };
    let test = (basis != Basis::Exact).then(|| chi_square(&shares, &ideals, draws));
    Evenness {
        cv_corrected: cv_corrected(&shares, &ideals, draws),
        // No peak is below its mean.
        peak_to_mean_low: low.max(1.0).min(peak),
        peak_to_mean_high: high.max(peak),
        gini: gini(&relative),
        chi_square: test.map(|test| test.statistic),
        chi_square_p: test.map(|test| test.p),
        verdict: match test {
            None => Verdict::Exact,
            // Five as a sum of parts may end a rounding below.
            Some(test) if test.least_expected < LEAST_EXPECTED - 1e-9 => Verdict::TooFew,
            Some(test) if test.p < UNEVEN => Verdict::Uneven,
            Some(_) => Verdict::Even,
        },
    }
}

/// The greatest of the lower ends and of the upper ends of the intervals of all
/// nodes, each with its part of the 5 %, so that all hold at once: C. E. Bonferroni,
/// 1936. The mean is taken as it was counted.
fn peak_interval(shares: &[f64], ideals: &[f64], draws: f64, mean: f64) -> (f64, f64) {
    if mean == 0.0 {
        return (0.0, 0.0);
    }
    let tail = TAIL / shares.len() as f64;
    // Of the nodes with one ideal share the fullest has the greatest ends.
    let mut fullest: Vec<(f64, f64)> = ideals.iter().copied().zip(shares.iter().copied()).collect();
    fullest.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.total_cmp(&a.1)));
    fullest.dedup_by(|next, kept| next.0.total_cmp(&kept.0).is_eq());
    let (mut low, mut high) = (0.0_f64, 0.0_f64);
    for (ideal, share) in fullest {
        let ends = fraction(share.min(1.0), draws, tail);
        low = low.max(ends.low / ideal / mean);
        high = high.max(ends.high / ideal / mean);
    }
    (low, high)
}

/// The load of each node over its weight share, drained nodes left out.
fn relative(members: &Members, loads: &[f64]) -> Vec<f64> {
    let total = members.total_weight() as f64;
    members
        .iter()
        .filter(|(_, node)| node.weight > 0)
        .map(|(index, node)| loads[index.get()] * total / f64::from(node.weight))
        .collect()
}

#[cfg(test)]
mod tests {
    use homing_core::Node;

    use super::*;

    #[test]
    fn load_is_taken_over_the_weight_share() {
        // Weights 1, 3 and 0 with a quarter, three quarters and nothing: even.
        let members = Members::new([
            Node::new("a").weighing(1),
            Node::new("b").weighing(3),
            Node::new("c").weighing(0),
        ])
        .unwrap();
        assert_eq!(balance(&members, &[0.25, 0.75, 0.0]), Balance { peak_to_mean: 1.0, cv: 0.0 });
        // Half each: 2 and 2/3 of what is due, mean 4/3, so peak 1.5 and cv 0.5.
        let Balance { peak_to_mean, cv } = balance(&members, &[0.5, 0.5, 0.0]);
        assert!((peak_to_mean - 1.5).abs() < 1e-12 && (cv - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_node_that_owns_nothing_counts() {
        // Eight nodes hold an eighth each, the ninth nothing: peak 9/8, cv 1/sqrt(8).
        let names: Vec<String> = (0..9).map(|i| format!("n{i}")).collect();
        let members = Members::named(names.iter().map(String::as_str)).unwrap();
        let mut loads = [0.125; 9];
        loads[8] = 0.0;
        let Balance { peak_to_mean, cv } = balance(&members, &loads);
        assert!((peak_to_mean - 1.125).abs() < 1e-12 && (cv - 8_f64.sqrt().recip()).abs() < 1e-12);
    }

    #[test]
    fn no_load_is_even_and_never_nan() {
        let members = Members::named(["a", "b"]).unwrap();
        assert_eq!(balance(&members, &[0.0, 0.0]), Balance { peak_to_mean: 0.0, cv: 0.0 });
    }
    #[test]
    fn the_peak_of_a_sample_has_an_interval_and_that_of_ones_own_keys_none() {
        // 80 and 20 of 100 keys on two equal nodes: the Beta quantiles of 80 of 100
        // at 0.025 / 2 on each side, by bisection with 30 digits, over a half.
        let members = Members::named(["a", "b"]).unwrap();
        let found = evenness(&members, &[0.8, 0.2], Basis::Sampled, 100.0);
        assert!((found.peak_to_mean_low - 2.0 * 0.694_848_510_628_211_2).abs() < 1e-4, "{found:?}");
        assert!(
            (found.peak_to_mean_high - 2.0 * 0.881_897_920_223_865_2).abs() < 1e-4,
            "{found:?}"
        );
        // 60 of 100 may well be a half of all, but no peak is below its mean.
        let found = evenness(&members, &[0.6, 0.4], Basis::Sampled, 100.0);
        assert_eq!(found.peak_to_mean_low.to_bits(), 1.0_f64.to_bits());
        let found = evenness(&members, &[0.6, 0.4], Basis::Counted, 100.0);
        assert_eq!((found.peak_to_mean_low, found.peak_to_mean_high), (1.2, 1.2));
    }

    #[test]
    fn a_verdict_needs_five_keys_a_node_and_chances_below_one_of_a_hundred() {
        let members = Members::named(["a", "b"]).unwrap();
        let of = |share: f64, draws| {
            evenness(&members, &[share, 1.0 - share], Basis::Counted, draws).verdict
        };
        // Half of 9 keys is 4.5. Of 100 keys, 62 and 38 have a statistic of 2 x
        // 12^2 / 50 = 5.76, and 63 and 37 one of 6.76; one degree of freedom has 1 %
        // above 6.635.
        assert_eq!(of(1.0, 9.0), Verdict::TooFew);
        assert_eq!(of(0.62, 100.0), Verdict::Even);
        assert_eq!(of(0.63, 100.0), Verdict::Uneven);
        let exact = evenness(&members, &[0.5, 0.5], Basis::Exact, f64::INFINITY);
        assert_eq!((exact.verdict, exact.chi_square_p), (Verdict::Exact, None));
    }

    #[test]
    fn weighted_nodes_are_tested_against_their_weights() {
        // 250 and 750 of 1000 keys are what weights 1 and 3 are due; 500 and 500 are
        // not: 250^2 / 250 + 250^2 / 750 = 333.3.
        let nodes = [Node::new("a").weighing(1), Node::new("b").weighing(3)];
        let members = Members::new(nodes).unwrap();
        let due = evenness(&members, &[0.25, 0.75], Basis::Sampled, 1000.0);
        assert_eq!((due.verdict, due.chi_square, due.gini), (Verdict::Even, Some(0.0), 0.0));
        let half = evenness(&members, &[0.5, 0.5], Basis::Sampled, 1000.0);
        assert!((half.chi_square.unwrap() - 1000.0 / 3.0).abs() < 1e-9, "{half:?}");
        assert_eq!(half.verdict, Verdict::Uneven);
        // Loads 2 and 2/3: the mean difference of all four pairs is 2/3, half of it
        // over the mean of 4/3 is 1/4.
        assert!((half.gini - 0.25).abs() < 1e-12, "{half:?}");
    }

    #[test]
    fn nobody_owning_anything_is_no_panic() {
        let members = Members::named(["a", "b"]).unwrap();
        for basis in [Basis::Sampled, Basis::Counted] {
            let found = evenness(&members, &[0.0, 0.0], basis, 100.0);
            assert_eq!((found.cv_corrected, found.peak_to_mean_high), (0.0, 0.0));
            assert_eq!(found.verdict, Verdict::TooFew);
        }
    }
}
