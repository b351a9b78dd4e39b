//! How even the load of a membership is.

use homing_core::Members;

use crate::statistics;

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
    let total = members.total_weight() as f64;
    let relative: Vec<f64> = members
        .iter()
        .filter(|(_, node)| node.weight > 0)
        .map(|(index, node)| loads[index.get()] * total / f64::from(node.weight))
        .collect();
    Balance { peak_to_mean: statistics::peak_to_mean(&relative), cv: statistics::cv(&relative) }
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
}
