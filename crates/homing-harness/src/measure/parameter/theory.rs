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
        let all = value as f64 * members.total_weight() as f64;
        let of = |weight: u32| {
            let own = value as f64 * f64::from(weight);
            (all - own) / (own * (all + 1.0))
        };
        let weights = members.iter().map(|(_, node)| node.weight).filter(|&weight| weight > 0);
        return Some((weights.map(of).sum::<f64>() / count).sqrt());
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
}
