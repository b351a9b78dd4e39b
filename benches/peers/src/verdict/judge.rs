//! How a target is judged.

use std::fmt;

use crate::machine::Machine;
use crate::subject::{Mode, Role};
use crate::tables;
use crate::verdict::figure::{Asked, Figure, floor, least};
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
        "{} met, {} missed, {} without figures, {} not run",
        count(|verdict| *verdict == Verdict::Met),
        count(|verdict| *verdict == Verdict::Missed),
        count(|verdict| *verdict == Verdict::Lacking),
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
    /// It should have been measured and was not, or what it compares with.
    Lacking,
    /// The machine has not what it takes, for this reason.
    NotRun(String),
}

impl Verdict {
    /// Whether it fails a run.
    pub(crate) fn fails(&self) -> bool {
        matches!(self, Self::Missed | Self::Lacking)
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Met => f.write_str("met"),
            Self::Missed => f.write_str("**missed**"),
            Self::Lacking => f.write_str("**without figures**"),
            Self::NotRun(reason) => write!(f, "not run: {reason}"),
        }
    }
}

/// Judges the targets of these families and sizes, by the figures of a machine.
pub(crate) fn judge(
    figures: &[Figure],
    families: &[&str],
    sizes: &[usize],
    machine: &Machine,
) -> Vec<Row> {
    let targets = TARGETS.iter().filter(|target| families.contains(&target.family));
    targets
        .flat_map(|target| {
            let bounds = SIZES.iter().zip(target.bounds);
            bounds.filter(|(nodes, _)| sizes.contains(nodes)).filter_map(move |(&nodes, bound)| {
                Some(row(target, nodes, bound?, figures, machine))
            })
        })
        .collect()
}

fn row(target: &Target, nodes: usize, bound: f64, figures: &[Figure], machine: &Machine) -> Row {
    let Target { family, quantity, lanes, .. } = *target;
    let asked = |role: Role, mode| Asked { family, role, mode, quantity, nodes, lanes };
    let of = |role, mode| least(figures, asked(role, mode)).cloned();
    let ours = of(Role::Ours, Some(target.mode));
    let against = match target.against {
        Against::Floor => floor(figures, asked(Role::Floor, Some(target.mode))).cloned(),
        Against::Peer => of(Role::Peer, None),
        Against::Batch => of(Role::Ours, Some(Mode::Batch)),
        Against::OneThread | Against::Nothing => None,
    };
    let measured = ratio(target.against, ours.as_ref(), against.as_ref()).map(rounded);
    let verdict = match (lacks(target, machine), measured) {
        (Some(reason), _) => Verdict::NotRun(reason),
        (_, None) => Verdict::Lacking,
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

/// What a machine lacks that a target takes, in words.
fn lacks(target: &Target, machine: &Machine) -> Option<String> {
    let here = machine.lanes;
    if let Some(needed) = target.lanes.filter(|&needed| needed > here) {
        return Some(format!("for {}, this machine has {}", needed.name(), here.name()));
    }
    (target.against == Against::OneThread && machine.cores < 2)
        .then(|| "for two threads, this machine runs one".to_owned())
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
        Verdict::Lacking => serializer.serialize_str("without figures"),
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
    use crate::lanes::Lanes;
    use crate::timing::Middle;
    use crate::verdict::figure::Quantity;

    fn figure(role: Role, mode: Mode, subject: &str, median: f64) -> Figure {
        let value = Middle { median, spread: 0.0 };
        let what = ("ring", role, mode);
        Figure::named(what, subject.to_owned(), Quantity::Lookup, 1_000, value)
    }

    fn machine(lanes: Lanes, cores: usize) -> Machine {
        Machine { cores, lanes, ..Machine::here() }
    }

    fn judged(figures: &[Figure], target: &str) -> Vec<(Option<f64>, Verdict)> {
        let rows = judge(figures, &["ring"], &[1_000], &machine(Lanes::Avx2, 2));
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
    fn a_batch_is_held_against_the_lesser_floor_and_one_key_against_its_own() {
        let figures = |one, batch| {
            [
                figure(Role::Floor, Mode::One, "one", one),
                figure(Role::Floor, Mode::Batch, "batch", batch),
                figure(Role::Ours, Mode::One, "ours", 6.0),
                figure(Role::Ours, Mode::Batch, "ours", 6.0),
            ]
        };
        let measured = |figures: &[Figure], target| judged(figures, target)[0].0;
        // By hand: 6 / 4 and 6 / 5.
        assert_eq!(measured(&figures(4.0, 5.0), "ring, batch"), Some(1.5));
        assert_eq!(measured(&figures(5.0, 4.0), "ring, batch"), Some(1.5));
        assert_eq!(measured(&figures(5.0, 4.0), "ring, one key"), Some(1.2));
    }

    #[test]
    fn a_target_without_figures_fails_unless_the_machine_lacks_what_it_takes() {
        let verdicts = |cores| -> Vec<Verdict> {
            let rows = judge(&[], &["jump"], &[1_000], &machine(Lanes::Avx2, cores));
            rows.into_iter().map(|row| row.verdict).collect()
        };
        let not_run = |verdicts: &[Verdict]| {
            assert!(verdicts.iter().all(|verdict| verdict.fails() != is_not_run(verdict)));
            verdicts.iter().filter(|verdict| is_not_run(verdict)).count()
        };
        // Two targets are for AVX-512, and two for two threads.
        assert_eq!(not_run(&verdicts(2)), 2);
        assert_eq!(not_run(&verdicts(1)), 4);
        assert!(verdicts(2).contains(&Verdict::Lacking));
        assert!(judge(&[], &["jump"], &[], &machine(Lanes::Avx2, 2)).is_empty());
    }

    fn is_not_run(verdict: &Verdict) -> bool {
        matches!(verdict, Verdict::NotRun(_))
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
        let rows = judge(&figures, &["jump"], &[10], &machine(Lanes::Avx2, 2));
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
