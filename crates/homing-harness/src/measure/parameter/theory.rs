//! What formulas expect of a parameter.

use homing_core::Members;

use super::Parameter;

/// The coefficient of variation that theory expects of the loads.
///
/// Points for each unit of weight: a node of a of T points in all has a share with
/// the Beta distribution of a of T spacings of uniform points, of variance
/// (T - a) / (a (T + 1)) in units of its mean squared; the root of the mean of these
/// over the nodes. With N equal nodes of V points it is sqrt((N - 1) / (N V + 1)).
///
/// Entries in all: M = q N + r of them on N equal nodes are q + 1 on r nodes and q on
/// the others: sqrt(r (N - r)) / M. None for unequal weights.
pub(super) fn cv(parameter: Parameter, value: u64, members: &Members) -> Option<f64> {
    let Parameter::Knob(knob) = parameter else { return None };
    let count = members.active() as f64;
    if knob.each_weight {
        let weights = members.iter().map(|(_, node)| node.weight).filter(|&weight| weight > 0);
        let variances = variances(value, &weights.collect::<Vec<_>>());
        return Some((variances.iter().sum::<f64>() / count).sqrt());
    }
    let fuller = value % members.active() as u64;
    let even = members.weighs_evenly();
    even.then(|| (fuller as f64 * (count - fuller as f64)).sqrt() / value as f64)
}

/// The peak over the mean that a formula gives: of M entries on N equal nodes the
/// fullest has M / N rounded up. Of points there is none.
pub(super) fn peak(parameter: Parameter, value: u64, members: &Members) -> Option<f64> {
    let Parameter::Knob(knob) = parameter else { return None };
    let count = members.active() as u64;
    let known = !knob.each_weight && members.weighs_evenly();
    known.then(|| value.div_ceil(count) as f64 * count as f64 / value as f64)
}

/// The coefficient of variation and the peak over the mean of a value, where they are
/// the same under every seed: of entries on equal nodes.
pub(super) fn load(parameter: Parameter, value: u64, members: &Members) -> Option<(f64, f64)> {
    let peak = peak(parameter, value, members)?;
    Some((cv(parameter, value, members)?, peak))
}

/// What no value from `from` to `to` is below: a coefficient of variation, and a peak
/// over the mean.
///
/// Of points it is what theory expects at `to`, less five standard deviations of the
/// mean over the seeds: the coefficient of variation of k degrees of freedom has a
/// relative deviation of 1 / sqrt(2 k), and a mean lower than the root of the mean of
/// the squares by less than 1 / (4 (n - 1)) of it for n nodes. The degrees of freedom
/// of unequal nodes are those of F. E. Satterthwaite, "An approximate distribution of
/// estimates of variance components", Biometrics Bulletin 2 (1946). The fullest of
/// n nodes is on average more than one such deviation above the mean.
///
/// M entries, a prime, are no multiple of a total weight W but M itself, so that some
/// node of weight w misses its M w / W by at least 1 / W.
pub(super) fn floor(
    parameter: Parameter,
    (from, to): (u64, u64),
    members: &Members,
    seeds: u64,
) -> Option<(f64, f64)> {
    let Parameter::Knob(knob) = parameter else { return None };
    let weights: Vec<u32> =
        members.iter().map(|(_, node)| node.weight).filter(|&weight| weight > 0).collect();
    if knob.each_weight {
        let variances = variances(to, &weights);
        let sum: f64 = variances.iter().sum();
        let nodes = sum * sum / variances.iter().map(|it| it * it).sum::<f64>();
        let freedom = seeds as f64 * (nodes - 1.0);
        let low = 1.0 - 0.25 / (nodes - 1.0) - 5.0 / (2.0 * freedom).sqrt();
        let cv = low * cv(parameter, to, members)?;
        return (low > 0.0).then_some((cv, 1.0 + cv));
    }
    let common = weights.iter().copied().fold(0, divisor);
    let total = members.total_weight() / u64::from(common.max(1));
    if weights.len() < 2 || (from..=to).contains(&total) {
        return None;
    }
    let most = f64::from(weights.iter().copied().max()? / common);
    let least = 1.0 / (to as f64 * most);
    Some((least / (weights.len() as f64).sqrt(), 1.0 + least))
}

/// The variance of the share of each node of V points for a unit of weight, its mean
/// as the unit.
fn variances(value: u64, weights: &[u32]) -> Vec<f64> {
    let all = value as f64 * weights.iter().map(|&weight| f64::from(weight)).sum::<f64>();
    let of = |&weight: &u32| {
        let own = value as f64 * f64::from(weight);
        (all - own) / (own * (all + 1.0))
    };
    weights.iter().map(of).collect()
}

/// The greatest common divisor.
fn divisor(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use homing_core::Node;

    use super::*;
    use crate::registry::by_name;

    fn knob(family: &str) -> Parameter {
        Parameter::Knob(by_name(family).unwrap().knob.unwrap())
    }

    fn nodes(weights: &[u32]) -> Members {
        let nodes = weights.iter().enumerate();
        Members::new(nodes.map(|(i, &weight)| Node::new(format!("n{i}")).weighing(weight))).unwrap()
    }

    #[test]
    fn points_follow_the_spacings() {
        // sqrt(7 / 1281) = 0.0739, sqrt(7 / 4001) = 0.0418.
        let cv = |value| cv(knob("ring"), value, &nodes(&[1; 8])).unwrap();
        assert_eq!(format!("{:.4} {:.4}", cv(160), cv(500)), "0.0739 0.0418");
        assert_eq!(peak(knob("ring"), 160, &nodes(&[1; 8])), None);
    }

    #[test]
    fn unequal_points_follow_each_nodes_own() {
        // V = 10, weights 1 and 3, T = 40: (30 / (10 * 41) + 10 / (30 * 41)) / 2
        // = (0.0731707 + 0.0081301) / 2 = 0.0406504, whose root is 0.201620.
        let found = cv(knob("ring"), 10, &nodes(&[1, 3, 0])).unwrap();
        assert!((found - 0.201_619).abs() < 1e-5, "{found}");
    }

    #[test]
    fn entries_are_even_to_within_one() {
        // 7 entries on 3 nodes are 3, 2 and 2: mean 7/3, variance 2/9, so cv is
        // sqrt(2) / 7, and the peak 9/7.
        let three = nodes(&[1; 3]);
        let found = cv(knob("maglev"), 7, &three).unwrap();
        assert!((found - 2_f64.sqrt() / 7.0).abs() < 1e-12, "{found}");
        let found = peak(knob("maglev"), 7, &three).unwrap();
        assert!((found - 9.0 / 7.0).abs() < 1e-12, "{found}");
        assert_eq!(cv(knob("maglev"), 7, &nodes(&[1, 2])), None);
    }

    #[test]
    fn no_number_of_points_comes_near_nothing() {
        // At 1000 points each of 101 nodes: cv sqrt(100 / 101001) = 0.031466. Of 10
        // seeds k = 1000, so that the floor is 1 - 0.0025 - 5 / sqrt(2000) = 0.885697
        // of it.
        let (cv, peak) = floor(knob("ring"), (1, 1000), &nodes(&[1; 101]), 10).unwrap();
        assert!((cv - 0.885_697 * 0.031_466).abs() < 1e-6, "{cv}");
        assert!((peak - 1.0 - cv).abs() < 1e-12, "{peak}");
        // Two nodes under one seed may come out as even as it happens.
        assert_eq!(floor(knob("ring"), (1, 1000), &nodes(&[1; 2]), 1), None);
        // Equal weights are as one, however great.
        let (equal, _) = floor(knob("ring"), (1, 10), &nodes(&[100; 101]), 10).unwrap();
        assert!((equal - cv).abs() < 1e-4, "{equal}");
    }

    #[test]
    fn a_prime_of_entries_is_level_on_its_own_number_of_nodes_alone() {
        // 1/M of what is due, at least: on 3 nodes with a cv of at least 1/(M sqrt 3).
        let found = floor(knob("maglev"), (4, 101), &nodes(&[2, 2, 2, 0]), 1).unwrap();
        let expected = (1.0 / (101.0 * 3_f64.sqrt()), 1.0 + 1.0 / 101.0);
        assert!((found.0 - expected.0).abs() < 1e-12 && (found.1 - expected.1).abs() < 1e-12);
        for value in [5, 7, 11, 13, 97, 101] {
            assert!(cv(knob("maglev"), value, &nodes(&[1; 3])).unwrap() >= found.0, "{value}");
            assert!(peak(knob("maglev"), value, &nodes(&[1; 3])).unwrap() >= found.1, "{value}");
        }
        assert_eq!(floor(knob("maglev"), (2, 101), &nodes(&[1; 3]), 1), None);
        assert_eq!(floor(knob("maglev"), (2, 101), &nodes(&[1]), 1), None);
    }
}
