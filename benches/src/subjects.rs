//! [`SUBJECTS`], what is measured, each through its own type: none of a lookup is
//! an indirect call.

use std::hint::black_box;

use homing_core::{Build, Change, Members, NodeIndex, Placement, Plan};
use homing_jump::Jump;
use homing_maglev::Maglev;
use homing_modulo::Modulo;
use homing_rendezvous::Rendezvous;
use homing_ring::{Boundary, Config, Count, Place, Points, Ring, Scheme};
use homing_slots::Slots;

use crate::{members, weighted};

/// How many keys a batch holds.
pub const BATCH: usize = 1024;

/// A family under one configuration, and a kind of membership.
#[derive(Debug)]
pub struct Subject {
    /// The name that the verdict has for it.
    pub name: &'static str,
    /// Its members, for so many nodes.
    pub members: fn(usize) -> Members,
    build: fn(Members) -> Box<dyn Layout>,
}

/// Every subject: one a family, and rendezvous with weights too.
pub const SUBJECTS: [Subject; 7] = [
    Subject { name: "ring", members, build: built::<Ring> },
    Subject { name: "slots", members, build: built::<Slots> },
    Subject { name: "maglev", members, build: maglev },
    Subject { name: "jump", members, build: built::<Jump> },
    Subject { name: "rendezvous", members, build: built::<Rendezvous> },
    Subject { name: "weighted", members: weighted, build: built::<Rendezvous> },
    Subject { name: "modulo", members, build: built::<Modulo> },
];

impl Subject {
    /// The layout of so many nodes.
    ///
    /// # Panics
    ///
    /// Panics if `nodes` is 0.
    #[must_use]
    pub fn build(&self, nodes: usize) -> Box<dyn Layout> {
        self.build_for((self.members)(nodes))
    }

    /// The layout of some members that [`Subject::members`] made.
    #[must_use]
    pub fn build_for(&self, members: Members) -> Box<dyn Layout> {
        (self.build)(members)
    }
}

/// A layout with its loops, which are compiled for its type.
///
/// Each returns the sum of the indices found, so that none is left out.
pub trait Layout {
    /// Looks keys up one by one.
    fn one(&self, keys: &[&[u8]]) -> usize;

    /// The same, where each waits for the one before.
    fn in_turn(&self, keys: &[&[u8]]) -> usize;

    /// Looks keys up in batches of [`BATCH`].
    fn batches(&self, keys: &[&[u8]]) -> usize;

    /// Looks keys up in batches of `batch`, at most [`BATCH`], where each waits for
    /// the one before.
    fn batches_in_turn(&self, keys: &[&[u8]], batch: usize) -> usize;

    /// Makes changes in place.
    fn change(&mut self, changes: &[Change]);

    /// A copy.
    fn copy(&self) -> Box<dyn Layout>;

    /// The same layout as any placement.
    fn as_placement(&self) -> &dyn Placement;
}

impl<P: Placement + Clone + 'static> Layout for P {
    fn one(&self, keys: &[&[u8]]) -> usize {
        keys.iter().map(|key| number(self.owner_at(self.position(key)))).sum()
    }

    fn in_turn(&self, keys: &[&[u8]]) -> usize {
        // Always 0, which the compiler must not know.
        let zero = black_box(0);
        let (mut sum, mut at) = (0, 0);
        while let Some(key) = keys.get(at) {
            let found = number(self.owner_at(self.position(key)));
            sum += found;
            at += 1 + (found & zero);
        }
        sum
    }

    fn batches(&self, keys: &[&[u8]]) -> usize {
        keys.chunks(BATCH).map(|batch| sum(self, batch)).sum()
    }

    fn batches_in_turn(&self, keys: &[&[u8]], batch: usize) -> usize {
        let zero = black_box(0); // as above
        let (mut total, mut at) = (0, 0);
        while at < keys.len() {
            let end = (at + batch).min(keys.len());
            let found = sum(self, &keys[at..end]);
            total += found;
            at = end + (found & zero);
        }
        total
    }

    fn change(&mut self, changes: &[Change]) {
        self.apply(changes).expect("any family takes a new node and loses its last one");
    }

    fn copy(&self) -> Box<dyn Layout> {
        Box::new(self.clone())
    }

    fn as_placement(&self) -> &dyn Placement {
        self
    }
}

/// Returns rings of `nodes` with 160 points each, by name: the default one, and those
/// of 32 bits whose points are words of MD5 digests, by what a point owns.
///
/// # Panics
///
/// Panics if `nodes` is 0.
pub fn rings(nodes: usize) -> impl Iterator<Item = (&'static str, Ring)> {
    let words = |boundary| Config {
        hash: "md5-le32".parse().expect("the feature compat has it"),
        points: Points::Derived {
            scheme: Scheme::Digest { copy: Place::Last, separator: "-".to_owned(), words: 4 },
            count: Count::PerWeight(40),
        },
        boundary,
        ..Config::default()
    };
    let configs = [
        ("default", Config::default()),
        ("at-or-after", words(Boundary::AtOrAfter)),
        ("after", words(Boundary::After)),
        ("nearest", words(Boundary::Nearest)),
    ];
    configs.into_iter().map(move |(name, config)| {
        (name, Ring::build(config, members(nodes)).expect("a ring takes any nodes"))
    })
}

/// Returns rings of `nodes` and of a node more: drawn points, which a plan makes
/// again, or labelled ones, which are kept.
///
/// # Panics
///
/// Panics if `nodes` is 0.
pub fn planned(nodes: usize, labelled: bool) -> impl Fn() -> Plan {
    let points = if labelled {
        Points::Labelled { prefix: String::new(), separator: "-".to_owned(), per_weight: 160 }
    } else {
        Points::default()
    };
    let ring = |nodes| {
        let config = Config { points: points.clone(), ..Config::default() };
        Ring::build(config, members(nodes)).expect("a ring takes any nodes")
    };
    let (before, after) = (ring(nodes), ring(nodes + 1));
    move || Plan::between(&before, &after).expect("rings of one hash have a plan")
}

fn built<P: Build + Clone + 'static>(members: Members) -> Box<dyn Layout>
where
    P::Config: Default,
{
    Box::new(P::build(P::Config::default(), members).expect("every family takes these nodes"))
}

/// A larger table above 1000 nodes, where the default one is too small to be even.
fn maglev(members: Members) -> Box<dyn Layout> {
    let entries = if members.len() <= 1_000 { 65_537 } else { 1_000_003 };
    let config = homing_maglev::Config { entries, ..Default::default() };
    Box::new(Maglev::build(config, members).expect("the number is prime and above that of nodes"))
}

#[inline]
fn sum<P: Placement + ?Sized>(layout: &P, keys: &[&[u8]]) -> usize {
    let mut owners = [None; BATCH];
    let owners = &mut owners[..keys.len()];
    layout.owners(keys, owners);
    owners.iter().map(|&owner| number(owner)).sum()
}

#[inline]
fn number(owner: Option<NodeIndex>) -> usize {
    owner.map_or(0, NodeIndex::get)
}
