//! A check of two layouts, of any two families: does anything move?

use homing_core::Fingerprint;
use serde::Serialize;

use super::difference::{Difference, difference, unlisted};
use super::summary;
use crate::ends::End;
use crate::record::{Basis, WorkloadSummary};
use crate::workload::Workload;

/// Two layouts, and what moves from one to the other.
#[derive(Clone, Debug, Serialize)]
pub struct Diff {
    /// The layout before.
    pub before: Side,
    /// The layout after.
    pub after: Side,
    /// The keys that were counted, where any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workload: Option<WorkloadSummary>,
    /// Whether anything is known to move.
    pub moves_anything: bool,
    /// What is known, in words.
    pub verdict: String,
    /// What a reader must be told besides, a sentence each.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What moves.
    #[serde(flatten)]
    pub difference: Difference,
}

/// One of two layouts.
#[derive(Clone, Debug, Serialize)]
pub struct Side {
    /// The file it is from.
    pub file: String,
    /// The name of the family.
    pub family: String,
    /// The parameters, as its manifest states them or as they differ from the
    /// defaults.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub parameters: String,
    /// How many nodes own keys.
    pub nodes: usize,
    /// The fingerprint of the layout.
    pub fingerprint: Fingerprint,
}

impl Side {
    /// A layout that a file gave.
    #[must_use]
    pub fn of(file: String, end: &End) -> Self {
        Self {
            file,
            family: end.choice.entry.family.name.to_owned(),
            parameters: end.parameters(),
            nodes: end.layout.members().active(),
            fingerprint: end.layout.fingerprint(),
        }
    }
}

/// Compares two layouts, over the keys of a workload where there is one.
#[must_use]
pub fn diff(
    (before, from): (Side, &End),
    (after, to): (Side, &End),
    workload: Option<&Workload>,
) -> Diff {
    let difference = difference(&*from.layout, &*to.layout, workload);
    let equal = before.fingerprint == after.fingerprint;
    Diff {
        moves_anything: difference.moves_anything(),
        verdict: verdict(&difference, equal),
        before,
        after,
        workload: workload.map(summary),
        notes: unlisted(&difference, workload).into_iter().collect(),
        difference,
    }
}

/// What is known, in words.
fn verdict(difference: &Difference, equal: bool) -> String {
    let exact = difference.ranges.map(|ranges| ranges > 0);
    match (difference.basis, difference.moved.keys, exact) {
        _ if equal => "exact: equal fingerprints, nothing moves".to_owned(),
        (Basis::Exact, _, Some(true)) => "exact: positions move".to_owned(),
        (Basis::Exact, ..) | (Basis::Counted, Some(0), Some(false)) => {
            "exact: nothing moves".to_owned()
        }
        (Basis::Sampled, Some(0), _) => format!(
            "none of {} keys moved (at most {} of all keys do, with 95 % confidence)",
            difference.all.keys.unwrap_or(0),
            bound(difference.fraction_high)
        ),
        (Basis::Counted, Some(0), Some(true)) => format!(
            "none of the {} keys given moved, but positions of other keys do",
            difference.all.keys.unwrap_or(0)
        ),
        (Basis::Counted, Some(0), None) => {
            format!("none of the {} keys given moved", difference.all.keys.unwrap_or(0))
        }
        _ => "keys move".to_owned(),
    }
}

/// A small part in per cent, never rounded to nothing.
fn bound(part: f64) -> String {
    let percent = part * 100.0;
    let digits = if percent >= 1.0 { 2 } else { 6 };
    // Upwards, since it is a bound.
    let scale = 10_f64.powi(digits);
    format!("{} %", (percent * scale).ceil() / scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_is_rounded_upwards() {
        // 1 - 0.025^(1/10^6) is 3.68887...e-6.
        assert_eq!(bound(3.688_873e-6), "0.000369 %");
        assert_eq!(bound(0.308_497), "30.85 %");
    }
}
