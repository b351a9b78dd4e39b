//! The targets, as data.

use crate::lanes::Lanes;
use crate::subject::Mode;
use crate::verdict::figure::Quantity;

/// The numbers of nodes that there are targets for.
pub(crate) const SIZES: [usize; 4] = [10, 100, 1_000, 10_000];

/// What a target compares with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Against {
    /// At most so many times the floor.
    Floor,
    /// At least so many times as fast as the fastest peer.
    Peer,
    /// At most so many times our own batch by static dispatch.
    Batch,
    /// At least so many times one thread.
    OneThread,
    /// At most so much.
    Nothing,
}

/// One target: a bound for each number of nodes that it is about.
pub(super) struct Target {
    pub(super) name: &'static str,
    pub(super) family: &'static str,
    pub(super) quantity: Quantity,
    pub(super) mode: Mode,
    pub(super) against: Against,
    /// The level of kernels that it is about; `None` for the widest.
    pub(super) lanes: Option<Lanes>,
    /// By place in [`SIZES`].
    pub(super) bounds: [Option<f64>; 4],
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

/// Our batch through `dyn Placement`, which takes at most 1.05 times as long as by
/// static dispatch.
const fn through_dyn(family: &'static str, name: &'static str) -> Target {
    lookup(family, name, Mode::Dyn, Against::Batch, all(1.05))
}

/// Two threads on one layout, which do at least 1.9 times what one does.
const fn threads(family: &'static str, name: &'static str, mode: Mode) -> Target {
    cost(family, name, Quantity::TwoThreads, Against::OneThread, at_1000(1.9)).asked(mode)
}

impl Target {
    /// The same, asked in another way.
    const fn asked(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }

    /// The same, for kernels of this level.
    const fn with(self, lanes: Lanes) -> Self {
        Self { lanes: Some(lanes), ..self }
    }
}

/// Every target. Where one does not say how keys are asked, it stands for both.
pub(super) const TARGETS: &[Target] = {
    use Against::{Floor, Nothing, Peer};
    use Lanes::{Avx2, Avx512, Baseline};
    use Mode::{Batch, One};
    use Quantity::{Add, BeforeAfter, Build, Held, Peak, PlanDrawn, PlanKept, Remove};
    &[
        lookup("ring", "ring, one key", One, Floor, all(1.6)),
        lookup("ring", "ring, one key", One, Peer, each([3.5, 5.0, 8.0, 12.0])),
        lookup("ring", "ring, batch", Batch, Floor, all(1.4)),
        lookup("ring", "ring, batch", Batch, Peer, from_1000(12.0, 35.0)),
        through_dyn("ring", "ring, batch through dyn"),
        lookup("slots", "slots with tags, one key", One, Floor, all(1.35)),
        lookup("slots", "slots with tags, one key", One, Peer, all(4.0)),
        lookup("slots", "slots with tags, batch", Batch, Floor, all(1.35)),
        lookup("slots", "slots with tags, batch", Batch, Peer, all(4.0)),
        through_dyn("slots", "slots with tags, batch through dyn"),
        lookup("maglev", "maglev, one key", One, Floor, all(1.3)),
        lookup("maglev", "maglev, one key", One, Peer, each([1.3, 1.3, 1.3, 8.0])),
        lookup("maglev", "maglev, batch", Batch, Floor, all(1.3)),
        lookup("maglev", "maglev, batch", Batch, Peer, each([1.3, 1.3, 1.3, 8.0])),
        through_dyn("maglev", "maglev, batch through dyn"),
        lookup("jump", "jump, batch", Batch, Floor, all(1.8)).with(Avx512),
        lookup("jump", "jump, batch", Batch, Peer, all(5.0)).with(Avx512),
        lookup("jump", "jump, batch", Batch, Peer, all(3.3)).with(Avx2),
        lookup("jump", "jump, batch", Batch, Peer, all(1.7)).with(Baseline),
        lookup("jump", "jump, one key", One, Peer, all(1.0)),
        through_dyn("jump", "jump, batch through dyn"),
        lookup("rendezvous", "rendezvous, batch", Batch, Floor, from_1000(1.4, 1.4)),
        lookup("rendezvous", "rendezvous, batch", Batch, Peer, each([6.0, 18.0, 27.0, 33.0])),
        lookup("rendezvous", "rendezvous, one key", One, Peer, each([5.0, 15.0, 24.0, 29.0])),
        through_dyn("rendezvous", "rendezvous, batch through dyn"),
        lookup("weighted", "weighted rendezvous, one key", One, Peer, WEIGHTED),
        lookup("weighted", "weighted rendezvous, batch", Batch, Peer, WEIGHTED),
        through_dyn("weighted", "weighted rendezvous, batch through dyn"),
        lookup("modulo", "modulo, one key", One, Floor, all(1.35)),
        lookup("modulo", "modulo, batch", Batch, Floor, all(1.35)),
        through_dyn("modulo", "modulo, batch through dyn"),
        cost("ring", "ring build", Build, Peer, from_100([1.8; 3])),
        cost("ring", "ring, one node added", Add, Peer, from_100([2.5, 3.5, 4.5])),
        cost("ring", "ring, one node removed", Remove, Peer, from_100([2.2, 5.0, 7.0])),
        cost("ring", "ring, bytes a point", Held, Nothing, all(10.8)),
        cost("maglev", "maglev build", Build, Peer, all(1.8)),
        cost("maglev", "maglev build, peak / table", Peak, Nothing, all(1.3)),
        cost("maglev", "maglev, bytes an entry", Held, Nothing, all(2.0)),
        cost("ring", "exact plan, points made again", PlanDrawn, Floor, at_1000(2.5)),
        cost("ring", "exact plan, points kept", PlanKept, Peer, at_1000(2.5)),
        cost("ring", BEFORE_AFTER, BeforeAfter, Floor, at_1000(2.4)).asked(Batch),
        threads("ring", "ring, one key, two threads", One),
        threads("ring", "ring, batch, two threads", Batch),
        threads("slots", "slots with tags, one key, two threads", One),
        threads("slots", "slots with tags, batch, two threads", Batch),
        threads("maglev", "maglev, one key, two threads", One),
        threads("maglev", "maglev, batch, two threads", Batch),
        threads("jump", "jump, one key, two threads", One),
        threads("jump", "jump, batch, two threads", Batch),
        threads("rendezvous", "rendezvous, one key, two threads", One),
        threads("rendezvous", "rendezvous, batch, two threads", Batch),
        threads("weighted", "weighted rendezvous, one key, two threads", One),
        threads("weighted", "weighted rendezvous, batch, two threads", Batch),
        threads("modulo", "modulo, one key, two threads", One),
        threads("modulo", "modulo, batch, two threads", Batch),
    ]
};

/// What is timed is `owners_at` of two rings, by the crates alone, over keys that are
/// made and hashed. The harness counts more, which a bench of its own times.
const BEFORE_AFTER: &str = "ring, owners_at before and after, by the crates";

const WEIGHTED: [Option<f64>; 4] = each([5.0, 10.0, 28.0, 48.0]);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subject::FAMILIES;

    #[test]
    fn jump_has_a_target_against_peers_at_each_level() {
        for lanes in Lanes::ALL {
            let judged = TARGETS.iter().filter(|target| target.lanes == Some(lanes));
            assert_eq!(judged.filter(|target| target.against == Against::Peer).count(), 1);
        }
    }

    #[test]
    fn each_family_with_targets_has_one_through_dyn() {
        let has_targets = |family: &&str| TARGETS.iter().any(|target| target.family == *family);
        for family in FAMILIES.into_iter().filter(has_targets) {
            let through = TARGETS.iter().filter(|target| target.mode == Mode::Dyn);
            assert_eq!(through.filter(|target| target.family == family).count(), 1, "{family}");
        }
    }

    #[test]
    fn every_target_is_of_a_family() {
        assert!(TARGETS.iter().all(|target| FAMILIES.contains(&target.family)));
    }
}
