//! How a target is judged.

use std::fmt;

use crate::lanes::Lanes;
use crate::subject::{Mode, Role};
use crate::tables;
use crate::verdict::figure::{Asked, Figure, least};
use crate::verdict::targets::{Against, SIZES, TARGETS, Target};

/// A target for one number of nodes, judged.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct Row {
    pub(crate) target: String,
    pub(crate) family: String,
    pub(crate) nodes: usize,
    /// The bound, in words.
    pub(crate) bound: String,
    /// What is held against the bound, to two decimals.
    pub(crate) measured: Option<f64>,
    #[serde(serialize_with = "in_words")]
    pub(crate) verdict: Verdict,
    #[serde(serialize_with = "by_name")]
    pub(crate) ours: Option<Figure>,
    #[serde(serialize_with = "by_name")]
    pub(crate) against: Option<Figure>,
}

impl Row {
    /// The time of ours, if that is what is compared: a quantity that is judged by
    /// itself is what is measured.
    pub(crate) fn our_time(&self) -> Option<String> {
        let ours = self.ours.as_ref().filter(|_| self.against.is_some());
        ours.map(|figure| tables::time(figure.value.median))
    }
}

/// Says how many targets are met, missed and not run.
pub(crate) fn counted(rows: &[Row]) -> String {
    let count =
        |verdict: fn(&Verdict) -> bool| rows.iter().filter(|row| verdict(&row.verdict)).count();
    format!(
        "{} met, {} missed, {} not run",
        count(|verdict| *verdict == Verdict::Met),
        count(|verdict| *verdict == Verdict::Missed),
        count(|verdict| matches!(verdict, Verdict::NotRun(_))),
    )
}

/// Whether a target is met.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(crate) enum Verdict {
    /// It is.
    Met,
    /// It is not.
    Missed,
    /// It was not judged, for this reason.
    NotRun(String),
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Met => f.write_str("met"),
            Self::Missed => f.write_str("**missed**"),
            Self::NotRun(reason) => write!(f, "not run: {reason}"),
        }
    }
}

/// Judges the targets of these families and sizes, on a machine with these lanes.
pub(crate) fn judge(
    figures: &[Figure],
    families: &[&str],
    sizes: &[usize],
    lanes: Lanes,
) -> Vec<Row> {
    let targets = TARGETS.iter().filter(|target| families.contains(&target.family));
    targets
        .flat_map(|target| {
            let bounds = SIZES.iter().zip(target.bounds);
            bounds
                .filter(|(nodes, _)| sizes.contains(nodes))
                .filter_map(move |(&nodes, bound)| Some(row(target, nodes, bound?, figures, lanes)))
        })
        .collect()
}

fn row(target: &Target, nodes: usize, bound: f64, figures: &[Figure], here: Lanes) -> Row {
    let Target { family, quantity, lanes, .. } = *target;
    let of = |role: Role, mode: Option<Mode>| {
        least(figures, Asked { family, role, mode, quantity, nodes, lanes }).cloned()
    };
    let ours = of(Role::Ours, Some(target.mode));
    let against = match target.against {
        Against::Floor => of(Role::Floor, Some(target.mode)).or_else(|| of(Role::Floor, None)),
        Against::Peer => of(Role::Peer, None),
        Against::Batch => of(Role::Ours, Some(Mode::Batch)),
        Against::OneThread | Against::Nothing => None,
    };
    let measured = ratio(target.against, ours.as_ref(), against.as_ref()).map(rounded);
    let verdict = match (lanes, measured) {
        (Some(needed), _) if needed > here => {
            let (needed, here) = (needed.name(), here.name());
            Verdict::NotRun(format!("for {needed}, this machine has {here}"))
        }
        (_, None) => Verdict::NotRun("nothing to compare".to_owned()),
        (_, Some(measured)) if meets(target.against, measured, bound) => Verdict::Met,
        _ => Verdict::Missed,
    };
    let level = lanes.map_or_else(String::new, |lanes| format!(", {}", lanes.name()));
    Row {
        target: format!("{}{level}", target.name),
        family: family.to_owned(),
        nodes,
        bound: in_full(target.against, bound),
        measured,
        verdict,
        ours,
        against,
    }
}

/// A ratio to two decimals.
fn rounded(ratio: f64) -> f64 {
    // A target is judged as it is printed.
    (ratio * 100.0).round() / 100.0
}

fn ratio(against: Against, ours: Option<&Figure>, theirs: Option<&Figure>) -> Option<f64> {
    let ours = ours?.value.median;
    let theirs = theirs.map(|figure| figure.value.median);
    match against {
        Against::Nothing | Against::OneThread => Some(ours),
        Against::Peer => Some(theirs? / ours),
        Against::Floor | Against::Batch => Some(ours / theirs?),
    }
}

fn meets(against: Against, measured: f64, bound: f64) -> bool {
    match against {
        Against::Peer | Against::OneThread => measured >= bound,
        Against::Floor | Against::Batch | Against::Nothing => measured <= bound,
    }
}

fn in_full(against: Against, bound: f64) -> String {
    match against {
        Against::Floor => format!("at most {bound} of the floor"),
        Against::Peer => format!("at least {bound} of the peer"),
        Against::Batch => format!("at most {bound} of static"),
        Against::OneThread => format!("at least {bound} of one thread"),
        Against::Nothing => format!("at most {bound}"),
    }
}

fn in_words<S: serde::Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    match verdict {
        Verdict::Met => serializer.serialize_str("met"),
        Verdict::Missed => serializer.serialize_str("missed"),
        Verdict::NotRun(_) => serializer.collect_str(verdict),
    }
}

/// The subject of a figure, which stands in the list of figures.
#[expect(clippy::ref_option, reason = "that is what serde hands over")]
fn by_name<S: serde::Serializer>(
    figure: &Option<Figure>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match figure {
        Some(figure) => serializer.serialize_some(&figure.subject),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::timing::Middle;
    use crate::verdict::figure::Quantity;

    fn figure(role: Role, mode: Mode, subject: &str, median: f64) -> Figure {
        let value = Middle { median, spread: 0.0 };
        let what = ("ring", role, mode);
        Figure::named(what, subject.to_owned(), Quantity::Lookup, 1_000, value)
    }

    fn judged(figures: &[Figure], target: &str) -> Vec<(Option<f64>, Verdict)> {
        let rows = judge(figures, &["ring"], &[1_000], Lanes::Avx2);
        let rows = rows.into_iter().filter(|row| row.target == target);
        rows.map(|row| (row.measured, row.verdict)).collect()
    }

    #[test]
    fn the_fastest_peer_and_the_floor_are_compared_with() {
        let figures = [
            figure(Role::Floor, Mode::One, "floor", 4.0),
            figure(Role::Peer, Mode::One, "slower", 90.0),
            figure(Role::Peer, Mode::One, "faster", 50.0),
            figure(Role::Ours, Mode::One, "ours", 6.4),
        ];
        // By hand: 6.4 / 4 is 1.6, the bound; 50 / 6.4 is 7.81, below 8.
        assert_eq!(
            judged(&figures, "ring, one key"),
            [(Some(1.6), Verdict::Met), (Some(7.81), Verdict::Missed)]
        );
    }

    #[test]
    fn what_was_not_measured_is_not_judged() {
        let verdicts = judged(&[], "ring, one key");
        assert_eq!(verdicts.len(), 2);
        assert!(verdicts.iter().all(|(_, verdict)| matches!(verdict, Verdict::NotRun(_))));
    }

    #[test]
    fn a_level_that_the_machine_lacks_is_not_run_and_one_that_it_has_is_judged() {
        let at = |lanes, role, median| {
            let value = Middle { median, spread: 0.0 };
            let figure = Figure::named(
                ("jump", role, Mode::Batch),
                "any".to_owned(),
                Quantity::Lookup,
                10,
                value,
            );
            Figure { lanes, ..figure }
        };
        let figures = [
            at(Some(Lanes::Baseline), Role::Ours, 20.0),
            at(Some(Lanes::Avx2), Role::Ours, 10.0),
            at(None, Role::Peer, 33.0),
        ];
        let rows = judge(&figures, &["jump"], &[10], Lanes::Avx2);
        let measured = |level: &str| {
            let row = rows.iter().find(|row| row.target == format!("jump, batch, {level}"));
            row.map(|row| (row.measured, row.verdict.clone()))
        };
        // By hand: 33 / 10, at least 3.3; 33 / 20, at least 1.7.
        assert_eq!(measured("AVX2"), Some((Some(3.3), Verdict::Met)));
        assert_eq!(measured("baseline"), Some((Some(1.65), Verdict::Missed)));
        assert!(matches!(measured("AVX-512"), Some((_, Verdict::NotRun(_)))));
    }
}
