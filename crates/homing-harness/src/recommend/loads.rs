//! [`Loads`]: the load that families are judged by, and what of it may be chance.

use homing_core::Members;
use serde::Serialize;

use super::Constraint;
use super::steps::Stage;
use crate::record::{Basis, Measured, Weighed};
use crate::statistics::evenness::effective;
use crate::workload::{Basis as Taken, Load, Workload};

/// How many standard deviations of a node's load a sampled peak may be high by
/// chance.
const DEVIATIONS: f64 = 4.0;

/// A workload, and which load of it counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loads<'a> {
    pub(super) workload: &'a Workload,
    pub(super) by: Load, // which the workload has
    draws: f64,          // keys of equal amounts that tell as much
    heaviest: f64,       // the part that one key has in any case; 0 where that is chance
}

/// What one key makes of the peak, whatever the family: it is on one node.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LeastPeak {
    /// The part of the load that the heaviest key has.
    pub part: f64,
    /// How many nodes of equal weight there are at most.
    pub nodes: usize,
    /// The peak-to-mean that none is below with so many: their product.
    pub peak_to_mean: f64,
}

/// Moves and balance by the load, of a row or of a layout that was tried.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figures {
    pub(super) basis: Basis,
    pub(super) moved: f64,
    pub(super) moved_low: f64,
    pub(super) optimal: f64,
    pub(super) stray: f64,
    pub(super) peak_to_mean: f64,
}

/// The parts of the weight that nodes have, those of weight 0 left out.
#[derive(Clone, Copy, Debug)]
pub(super) struct Due {
    least: f64,
    most: f64,
}

impl<'a> Loads<'a> {
    /// The loads of a workload by one that it has.
    pub(super) fn of(workload: &'a Workload, by: Load) -> Self {
        if by == Load::Keys {
            return Self { workload, by, draws: workload.count() as f64, heaviest: 0.0 };
        }
        let (sum, squares, most) = workload.fold(
            || (0_u128, 0.0, 0),
            |(sum, squares, most), block| {
                for i in 0..block.keys.len() {
                    let amount = block.amount(by, i);
                    *sum += u128::from(amount);
                    *squares += (amount as f64).powi(2);
                    *most = amount.max(*most);
                }
            },
            |a, b| (a.0 + b.0, a.1 + b.1, a.2.max(b.2)),
        );
        // Of generated sizes the greatest is one that chance has drawn; what part of
        // the requests one key has is what was asked for.
        let certain = workload.basis() == Taken::Counted || by == Load::Requests;
        let heaviest = if certain && sum > 0 { most as f64 / sum as f64 } else { 0.0 };
        Self { workload, by, draws: effective(sum as f64, squares), heaviest }
    }

    /// The figures of a row by this load.
    pub(super) fn figures(&self, row: &Measured) -> Figures {
        let weighed = match self.by {
            Load::Keys => None,
            Load::Bytes => row.by_bytes.as_ref(),
            Load::Requests => row.by_requests.as_ref(),
        };
        if let Some(weighed) = weighed {
            return Figures::of(weighed, row.basis);
        }
        assert!(self.by == Load::Keys, "a row has every load that its workload has");
        Figures {
            basis: row.basis,
            moved: row.moved,
            moved_low: row.moved_low,
            optimal: row.optimal,
            stray: row.stray,
            peak_to_mean: row.peak_to_mean,
        }
    }

    /// A figure in the unit of its limit, and how much of it may be chance; none
    /// where the limit is not one of a load.
    pub(super) fn judged(
        &self,
        constraint: Constraint,
        figures: &Figures,
        due: Due,
    ) -> Option<(f64, f64)> {
        let peak = figures.peak_to_mean;
        match constraint {
            Constraint::MostExcess => {
                Some((figures.moved - figures.optimal, figures.moved - figures.moved_low))
            }
            Constraint::MostStray => Some((figures.stray, 0.0)),
            Constraint::MostPeak if figures.basis == Basis::Sampled => {
                // What one key makes of it is none of the chance.
                let (noise, least) = (self.noise(due), self.least_peak(due));
                let above = (peak - least).max(0.0);
                Some((peak, if least > 0.0 { noise.min(above) } else { noise }))
            }
            Constraint::MostPeak => Some((peak, 0.0)),
            _ => None,
        }
    }

    /// How much of a sampled peak may be chance.
    ///
    /// Of K equal keys a node due the part p has a count of standard deviation
    /// sqrt(K p (1 - p)), over K p; the least part has the greatest.
    fn noise(&self, due: Due) -> f64 {
        DEVIATIONS * ((1.0 - due.least) / (self.draws * due.least)).sqrt()
    }

    /// The peak that no layout is below in which every key has an owner: with equal
    /// weights the mean is the part that is due. Without, 0 stands for not known.
    fn least_peak(&self, due: Due) -> f64 {
        if due.least < due.most { 0.0 } else { self.heaviest / due.least }
    }

    /// What one key alone makes of the peak after the steps, where that is anything.
    pub(super) fn least_of(&self, members: &Members, steps: &[Stage]) -> Option<LeastPeak> {
        let most = steps.iter().filter_map(|stage| {
            let mut after = members.clone();
            after.apply(&stage.changes).ok()?;
            let peak_to_mean = self.least_peak(Due::of(&after));
            Some(LeastPeak { part: self.heaviest, nodes: after.active(), peak_to_mean })
        });
        most.reduce(|a, b| if b.peak_to_mean > a.peak_to_mean { b } else { a })
            .filter(|least| least.peak_to_mean > 1.0)
    }
}

impl Figures {
    pub(super) fn of(weighed: &Weighed, basis: Basis) -> Self {
        Self {
            basis,
            moved: weighed.moved,
            moved_low: weighed.moved_low.unwrap_or(weighed.moved),
            optimal: weighed.optimal,
            stray: weighed.stray,
            peak_to_mean: weighed.peak_to_mean,
        }
    }
}

impl Due {
    pub(super) fn of(members: &Members) -> Self {
        let total = members.total_weight() as f64;
        Self::over(members.iter().map(|(_, node)| f64::from(node.weight) / total))
    }

    pub(super) fn of_row(row: &Measured) -> Self {
        Self::over(row.load.iter().map(|load| load.ideal))
    }

    fn over(ideals: impl Iterator<Item = f64>) -> Self {
        let none = Self { least: 1.0, most: 0.0 };
        ideals
            .filter(|&part| part > 0.0)
            .fold(none, |due, part| Self { least: part.min(due.least), most: part.max(due.most) })
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use homing_core::Node;

    use super::*;
    use crate::workload::{Generated, Rows, Sizes, Source};

    /// Keys of 3 and of 1 requests: as much as 4^2 / (3^2 + 1^2) = 1.6 equal ones.
    fn three_to_one() -> Workload {
        let text = "key,requests\na,3\nb,1\n";
        Workload::read(Rows::new("k.csv".into(), true, Cursor::new(text), false).unwrap()).unwrap()
    }

    fn figures(basis: Basis, peak_to_mean: f64) -> Figures {
        Figures { basis, moved: 0.0, moved_low: 0.0, optimal: 0.0, stray: 0.0, peak_to_mean }
    }

    fn close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}, but must be {expected}");
    }

    #[test]
    fn the_noise_of_a_peak_is_that_of_as_many_equal_keys() {
        // Two equal nodes are due a half each: four deviations are
        // 4 sqrt((1 - 1/2) / (K / 2)) = 4 / sqrt(K), of 2 keys and of 1.6.
        let workload = three_to_one();
        let due = Due::of(&Members::named(["a", "b"]).unwrap());
        let noise = |by, basis| {
            let loads = Loads::of(&workload, by);
            loads.judged(Constraint::MostPeak, &figures(basis, 10.0), due).unwrap().1
        };
        close(noise(Load::Keys, Basis::Sampled), 4.0 / 2_f64.sqrt());
        close(noise(Load::Requests, Basis::Sampled), 4.0 / 1.6_f64.sqrt());
        close(noise(Load::Requests, Basis::Counted), 0.0);
    }

    #[test]
    fn what_one_key_makes_of_a_peak_is_none_of_its_noise() {
        // 3 of 4 requests are on one of two nodes: 3/4 over 1/2.
        let workload = three_to_one();
        let loads = Loads::of(&workload, Load::Requests);
        let judged = |members: &Members, peak| {
            let figures = figures(Basis::Sampled, peak);
            loads.judged(Constraint::MostPeak, &figures, Due::of(members)).unwrap()
        };
        let equal = Members::named(["a", "b"]).unwrap();
        let (figure, noise) = judged(&equal, 1.7);
        close(figure - noise, 1.5);
        // With unequal weights what the mean is depends on where the others are.
        let weighted = [Node::new("a").weighing(1), Node::new("b").weighing(3)];
        let (_, noise) = judged(&Members::new(weighted).unwrap(), 1.7);
        close(noise, 4.0 * (0.75_f64 / (1.6 * 0.25)).sqrt());
    }

    #[test]
    fn the_greatest_of_generated_sizes_is_chance_and_of_ones_own_is_not() {
        let sizes = Some(Sizes::parse("lognormal:median=1000,sigma=1.5").unwrap());
        let source = Source::Generated(Generated { keys: 3, sizes, ..Generated::default() });
        let workload = Workload::load(&source).unwrap();
        close(Loads::of(&workload, Load::Bytes).heaviest, 0.0);
        close(Loads::of(&three_to_one(), Load::Requests).heaviest, 0.75);
        // By keys all weigh the same.
        close(Loads::of(&three_to_one(), Load::Keys).heaviest, 0.0);
    }
}
