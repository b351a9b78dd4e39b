//! [`Figure`], what was measured of a subject, and how one is found among many.

use std::fmt;

use crate::lanes::Lanes;
use crate::subject::{Mode, Role, Subject};
use crate::timing::Middle;

/// What was measured of a subject.
#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub(crate) struct Figure {
    /// `family/what/nodes`, which is what the Criterion benches call it.
    pub(crate) name: String,
    pub(crate) family: String,
    pub(crate) role: Role,
    pub(crate) mode: Mode,
    pub(crate) subject: String,
    /// What its kernels were kept to, where it has some.
    pub(crate) lanes: Option<Lanes>,
    pub(crate) quantity: Quantity,
    pub(crate) nodes: usize,
    pub(crate) value: Middle,
}

/// What is measured.
#[derive(Clone, Copy, Debug, Eq, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Quantity {
    /// Nanoseconds a lookup.
    Lookup,
    /// Nanoseconds a lookup that waits for the one before.
    Latency,
    /// Nanoseconds a batch of so many keys that waits for the batch before.
    BatchLatency(usize),
    /// Nanoseconds a lookup of keys of so many bytes.
    KeyBytes(usize),
    /// Nanoseconds a lookup in a table beyond the second or the third cache.
    Beyond(usize),
    /// The same, where each lookup waits for the one before.
    BeyondLatency(usize),
    /// The lookups a second of two threads, as a multiple of those of one, each in
    /// its best pass.
    TwoThreads,
    /// Nanoseconds a key of finding its owners before and after a node joins, the
    /// key being made and hashed too.
    BeforeAfter,
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

/// Which figures are looked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Asked<'a> {
    pub(crate) family: &'a str,
    pub(crate) role: Role,
    /// `None` for any.
    pub(crate) mode: Option<Mode>,
    pub(crate) quantity: Quantity,
    pub(crate) nodes: usize,
    /// Those at this level, or without levels; `None` for the widest that there
    /// are.
    pub(crate) lanes: Option<Lanes>,
}

impl Figure {
    /// A figure of a subject.
    pub(super) fn of(subject: &Subject, quantity: Quantity, nodes: usize, value: Middle) -> Self {
        let Subject { family, role, mode, lanes, .. } = *subject;
        let subject = subject.label();
        let figure = Self::named((family, role, mode), subject, quantity, nodes, value);
        Self { lanes, ..figure }
    }

    /// A figure of what is no subject by itself.
    pub(super) fn named(
        (family, role, mode): (&str, Role, Mode),
        subject: String,
        quantity: Quantity,
        nodes: usize,
        value: Middle,
    ) -> Self {
        let what = match quantity {
            Quantity::Lookup => mode.to_string(),
            Quantity::KeyBytes(_)
            | Quantity::Beyond(_)
            | Quantity::BeyondLatency(_)
            | Quantity::TwoThreads => format!("{mode}-{quantity}"),
            _ => quantity.to_string(),
        };
        let name = format!("{family}/{what}/{nodes}");
        let family = family.to_owned();
        Self { name, family, role, mode, subject, lanes: None, quantity, nodes, value }
    }
}

/// The figure of the fastest subject of those asked for, which is the least one.
pub(crate) fn least<'a>(figures: &'a [Figure], asked: Asked) -> Option<&'a Figure> {
    let alike = || {
        figures.iter().filter(move |figure| {
            figure.family == asked.family
                && figure.role == asked.role
                && figure.quantity == asked.quantity
                && figure.nodes == asked.nodes
                && asked.mode.is_none_or(|mode| figure.mode == mode)
        })
    };
    let widest = alike().map(|figure| figure.lanes).max().flatten();
    let lanes = asked.lanes.or(widest);
    let level = alike().filter(|figure| figure.lanes.is_none() || figure.lanes == lanes);
    level.min_by(|a, b| a.value.median.total_cmp(&b.value.median))
}

/// The floor that ours are held against: asked the same way, and for batches the
/// lesser of that and of the floor key by key, as neither can be avoided.
pub(crate) fn floor<'a>(figures: &'a [Figure], asked: Asked) -> Option<&'a Figure> {
    let mode = asked.mode.filter(|&mode| mode == Mode::One);
    least(figures, Asked { role: Role::Floor, mode, ..asked })
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lookup => f.write_str("lookup"),
            Self::Latency => f.write_str("latency"),
            Self::BatchLatency(keys) => write!(f, "latency-{keys}"),
            Self::KeyBytes(bytes) => write!(f, "{bytes}-byte-keys"),
            Self::Beyond(cache) => write!(f, "beyond-cache-{cache}"),
            Self::BeyondLatency(cache) => write!(f, "beyond-cache-{cache}-latency"),
            Self::TwoThreads => f.write_str("two-threads"),
            Self::BeforeAfter => f.write_str("before-after"),
            Self::Build => f.write_str("build"),
            Self::Add => f.write_str("add"),
            Self::Remove => f.write_str("remove"),
            Self::Held => f.write_str("held"),
            Self::Peak => f.write_str("peak"),
            Self::PlanDrawn => f.write_str("plan-drawn"),
            Self::PlanKept => f.write_str("plan-kept"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: Asked<'static> = Asked {
        family: "jump",
        role: Role::Ours,
        mode: Some(Mode::Batch),
        quantity: Quantity::Lookup,
        nodes: 10,
        lanes: None,
    };

    fn figure(lanes: Option<Lanes>, median: f64) -> Figure {
        let value = Middle { median, spread: 0.0 };
        let what = ("jump", Role::Ours, Mode::Batch);
        let figure = Figure::named(what, "ours".to_owned(), Quantity::Lookup, 10, value);
        Figure { lanes, ..figure }
    }

    fn found(figures: &[Figure], lanes: Option<Lanes>) -> Option<f64> {
        least(figures, Asked { lanes, ..ASKED }).map(|figure| figure.value.median)
    }

    #[test]
    fn the_widest_lanes_are_found_unless_a_level_is_asked_for() {
        // The wider are not the faster here, so that what is found is found by its level.
        let figures = [figure(Some(Lanes::Baseline), 3.0), figure(Some(Lanes::Avx2), 4.0)];
        assert_eq!(found(&figures, None), Some(4.0));
        assert_eq!(found(&figures, Some(Lanes::Baseline)), Some(3.0));
        assert_eq!(found(&figures, Some(Lanes::Avx512)), None);
    }

    #[test]
    fn what_has_no_levels_is_the_same_at_all() {
        let figures = [figure(None, 3.0), figure(None, 2.0)];
        assert_eq!(found(&figures, None), Some(2.0));
        assert_eq!(found(&figures, Some(Lanes::Avx2)), Some(2.0));
    }

    #[test]
    fn a_figure_is_named_as_its_bench() {
        assert_eq!(figure(None, 1.0).name, "jump/batch/10");
    }
}
