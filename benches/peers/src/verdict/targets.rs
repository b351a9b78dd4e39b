//! The targets, as data, and how one is judged.

use std::fmt;

use crate::machine::Lanes;
use crate::subject::{Mode, Role};
use crate::verdict::measure::Figure;

/// The numbers of nodes that there are targets for.
pub(crate) const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

/// What is measured.
#[derive(Clone, Copy, Debug, Eq, PartialEq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Quantity {
    /// Nanoseconds a lookup.
    Lookup,
    /// Nanoseconds of building a layout.
    Build,
    /// Nanoseconds of adding a node.
    Add,
    /// Nanoseconds of removing a node.
    Remove,
    /// Bytes held besides the membership, a point of a ring or an entry of a table.
    Held,
    /// The peak of the heap while building, as a multiple of a table of 2-byte entries.
    Peak,
    /// Nanoseconds of an exact plan, the points being made again.
    PlanDrawn,
    /// Nanoseconds of an exact plan, the points being kept.
    PlanKept,
}

/// What a target compares with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Against {
    /// At most so many times the floor.
    Floor,
    /// At least so many times as fast as the fastest peer.
    Peer,
    /// At most so many times our own batch by static dispatch.
    Batch,
    /// At most so much.
    Nothing,
}

/// One target: a bound for each number of nodes that it is about.
struct Target {
    name: &'static str,
    family: &'static str,
    quantity: Quantity,
    mode: Mode,
    against: Against,
    lanes: Option<Lanes>,     // judged only where these are the widest
    bounds: [Option<f64>; 4], // by place in SIZES
}

/// A target for one number of nodes, judged.
#[derive(Clone, Debug, serde::Serialize)]
pub(crate) struct Row {
    pub(crate) target: String,
    pub(crate) nodes: usize,
    /// The bound, in words.
    pub(crate) bound: String,
    /// What is held against the bound, to two decimals.
    pub(crate) measured: Option<f64>,
    #[serde(serialize_with = "in_words")]
    pub(crate) verdict: Verdict,
    pub(crate) ours: Option<Figure>,
    pub(crate) against: Option<Figure>,
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

/// The same bound for each number of nodes.
const fn all(bound: f64) -> [Option<f64>; 4] {
    [Some(bound); 4]
}

/// A bound for each number of nodes from 10 on.
const fn each(bounds: [f64; 4]) -> [Option<f64>; 4] {
    let [a, b, c, d] = bounds;
    [Some(a), Some(b), Some(c), Some(d)]
}

/// A bound for each number of nodes from 100 on.
const fn from_100(bounds: [f64; 3]) -> [Option<f64>; 4] {
    let [b, c, d] = bounds;
    [None, Some(b), Some(c), Some(d)]
}

/// A bound for 1000 and for 10000 nodes.
const fn from_1000(thousand: f64, ten_thousand: f64) -> [Option<f64>; 4] {
    [None, None, Some(thousand), Some(ten_thousand)]
}

/// A bound for 1000 nodes only.
const fn at_1000(bound: f64) -> [Option<f64>; 4] {
    [None, None, Some(bound), None]
}

const fn lookup(
    family: &'static str,
    name: &'static str,
    mode: Mode,
    against: Against,
    bounds: [Option<f64>; 4],
) -> Target {
    Target { name, family, quantity: Quantity::Lookup, mode, against, lanes: None, bounds }
}

const fn cost(
    family: &'static str,
    name: &'static str,
    quantity: Quantity,
    against: Against,
    bounds: [Option<f64>; 4],
) -> Target {
    Target { name, family, quantity, mode: Mode::One, against, lanes: None, bounds }
}

impl Target {
    /// The same, where these lanes are the widest.
    const fn with(self, lanes: Lanes) -> Self {
        Self { lanes: Some(lanes), ..self }
    }
}

/// Every target. Where one does not say how keys are asked, it stands for both.
const TARGETS: &[Target] = {
    use Against::{Batch as OurBatch, Floor, Nothing, Peer};
    use Lanes::{Avx2, Avx512, Portable};
    use Mode::{Batch, Dyn, One};
    use Quantity::{Add, Build, Held, Peak, PlanDrawn, PlanKept, Remove};
    &[
        lookup("ring", "ring, one key", One, Floor, all(1.6)),
        lookup("ring", "ring, one key", One, Peer, each([3.5, 5.0, 8.0, 12.0])),
        lookup("ring", "ring, batch", Batch, Floor, all(1.4)),
        lookup("ring", "ring, batch", Batch, Peer, from_1000(12.0, 35.0)),
        lookup("ring", "ring, batch through dyn", Dyn, OurBatch, all(1.05)),
        lookup("slots", "slots with tags, one key", One, Floor, all(1.35)),
        lookup("slots", "slots with tags, one key", One, Peer, all(4.0)),
        lookup("slots", "slots with tags, batch", Batch, Floor, all(1.35)),
        lookup("slots", "slots with tags, batch", Batch, Peer, all(4.0)),
        lookup("maglev", "maglev, one key", One, Floor, all(1.3)),
        lookup("maglev", "maglev, one key", One, Peer, each([1.3, 1.3, 1.3, 8.0])),
        lookup("maglev", "maglev, batch", Batch, Floor, all(1.3)),
        lookup("maglev", "maglev, batch", Batch, Peer, each([1.3, 1.3, 1.3, 8.0])),
        lookup("jump", "jump, batch", Batch, Floor, all(1.8)).with(Avx512),
        lookup("jump", "jump, batch", Batch, Peer, all(5.0)).with(Avx512),
        lookup("jump", "jump, batch", Batch, Peer, all(3.3)).with(Avx2),
        lookup("jump", "jump, batch", Batch, Peer, all(1.7)).with(Portable),
        lookup("jump", "jump, one key", One, Peer, all(1.0)),
        lookup("rendezvous", "rendezvous, batch", Batch, Floor, from_1000(1.4, 1.4)),
        lookup("rendezvous", "rendezvous, batch", Batch, Peer, each([6.0, 18.0, 27.0, 33.0])),
        lookup("rendezvous", "rendezvous, one key", One, Peer, each([5.0, 15.0, 24.0, 29.0])),
        lookup("weighted", "weighted rendezvous, one key", One, Peer, WEIGHTED),
        lookup("weighted", "weighted rendezvous, batch", Batch, Peer, WEIGHTED),
        lookup("modulo", "modulo, one key", One, Floor, all(1.35)),
        lookup("modulo", "modulo, batch", Batch, Floor, all(1.35)),
        cost("ring", "ring build", Build, Peer, from_100([1.8; 3])),
        cost("ring", "ring, one node added", Add, Peer, from_100([2.5, 3.5, 4.5])),
        cost("ring", "ring, one node removed", Remove, Peer, from_100([2.2, 5.0, 7.0])),
        cost("ring", "ring, bytes a point", Held, Nothing, all(10.8)),
        cost("maglev", "maglev build", Build, Peer, all(1.8)),
        cost("maglev", "maglev build, peak / table", Peak, Nothing, all(1.3)),
        cost("maglev", "maglev, bytes an entry", Held, Nothing, all(2.0)),
        cost("ring", "exact plan, points made again", PlanDrawn, Floor, at_1000(2.5)),
        cost("ring", "exact plan, points kept", PlanKept, Peer, at_1000(2.5)),
    ]
};

const WEIGHTED: [Option<f64>; 4] = each([5.0, 10.0, 28.0, 48.0]);

/// Judges the targets of these families and sizes.
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

fn row(target: &Target, nodes: usize, bound: f64, figures: &[Figure], lanes: Lanes) -> Row {
    let of = |role: Role, mode: Option<Mode>| {
        let alike = figures.iter().filter(move |figure| {
            figure.family == target.family
                && figure.quantity == target.quantity
                && figure.nodes == nodes
                && figure.role == role
                && mode.is_none_or(|mode| figure.mode == mode)
        });
        alike.min_by(|a, b| a.value.median.total_cmp(&b.value.median)).cloned()
    };
    let ours = of(Role::Ours, Some(target.mode));
    let against = match target.against {
        Against::Floor => of(Role::Floor, Some(target.mode)).or_else(|| of(Role::Floor, None)),
        Against::Peer => of(Role::Peer, None),
        Against::Batch => of(Role::Ours, Some(Mode::Batch)),
        Against::Nothing => None,
    };
    let ratio = ours.as_ref().and_then(|ours| {
        let ours = ours.value.median;
        let theirs = against.as_ref().map(|figure| figure.value.median);
        match target.against {
            Against::Nothing => Some(ours),
            Against::Peer => Some(theirs? / ours),
            Against::Floor | Against::Batch => Some(ours / theirs?),
        }
    });
    let judged = target.lanes.is_none_or(|needed| needed == lanes);
    // A target is judged as it is printed.
    let measured = ratio.filter(|_| judged).map(|ratio| (ratio * 100.0).round() / 100.0);
    let least = target.against == Against::Peer;
    let verdict = match (target.lanes, measured) {
        (Some(needed), _) if !judged => {
            let (needed, lanes) = (needed.name(), lanes.name());
            Verdict::NotRun(format!("for {needed}, this machine has {lanes}"))
        }
        (_, None) => Verdict::NotRun("nothing to compare".to_owned()),
        (_, Some(measured)) if (least && measured >= bound) || (!least && measured <= bound) => {
            Verdict::Met
        }
        _ => Verdict::Missed,
    };
    let of_what = match target.against {
        Against::Floor => " of the floor",
        Against::Peer => " of the peer",
        Against::Batch => " of static",
        Against::Nothing => "",
    };
    Row {
        target: target.name.to_owned(),
        nodes,
        bound: format!("{} {bound}{of_what}", if least { "at least" } else { "at most" }),
        measured,
        verdict,
        ours,
        against,
    }
}

fn in_words<S: serde::Serializer>(verdict: &Verdict, serializer: S) -> Result<S::Ok, S::Error> {
    match verdict {
        Verdict::Met => serializer.serialize_str("met"),
        Verdict::Missed => serializer.serialize_str("missed"),
        Verdict::NotRun(_) => serializer.collect_str(verdict),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::FAMILIES;
    use crate::timing::Middle;

    fn figure(role: Role, mode: Mode, subject: &str, median: f64) -> Figure {
        Figure {
            family: "ring",
            role,
            mode,
            subject: subject.to_owned(),
            quantity: Quantity::Lookup,
            nodes: 1_000,
            value: Middle { median, spread: 0.0 },
        }
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
    fn one_of_the_targets_by_lanes_is_judged_on_any_machine() {
        for lanes in [Lanes::Avx512, Lanes::Avx2, Lanes::Portable] {
            let judged = TARGETS.iter().filter(|target| target.lanes == Some(lanes));
            assert_eq!(judged.filter(|target| target.against == Against::Peer).count(), 1);
        }
    }

    #[test]
    fn every_target_is_of_a_family() {
        assert!(TARGETS.iter().all(|target| FAMILIES.contains(&target.family)));
    }
}
