//! Our own crates, through their public API.
//!
//! One key is `position` and `owner_at`, a batch is `owners`, both by static
//! dispatch; each batch also goes through `dyn Placement`. The input of a build is
//! a membership that is there already.

use std::hint::black_box;

use homing_core::{Build, Change, Members, Node, NodeId, NodeIndex, Placement, Plan};
use homing_jump::Jump;
use homing_maglev::Maglev;
use homing_modulo::Modulo;
use homing_rendezvous::Rendezvous;
use homing_ring::{Points, Ring};
use homing_slots::Slots;

use crate::lanes::Lanes;
use crate::peers::{maglev_entries, weight};
use crate::subject::{BATCH, Mode, POINTS, Role, Subject};

/// What a subject is called: its family, its name, its name through `dyn`, and its
/// hasher.
type Id = [&'static str; 4];

const RING: Id = ["ring", "homing-ring", "homing-ring, dyn", "xxh3"];
const SLOTS: Id = ["slots", "homing-slots", "homing-slots, dyn", "crc16"];
const MAGLEV: Id = ["maglev", "homing-maglev", "homing-maglev, dyn", "xxh3"];
const JUMP: Id = ["jump", "homing-jump", "homing-jump, dyn", "xxh3"];
const RENDEZVOUS: Id = ["rendezvous", "homing-rendezvous", "homing-rendezvous, dyn", "xxh3"];
const WEIGHTED: Id =
    ["weighted", "homing-rendezvous, weighted", "homing-rendezvous, weighted, dyn", "xxh3"];
const MODULO: Id = ["modulo", "homing-modulo", "homing-modulo, dyn", "xxh3"];

/// One subject a family and mode; where a family has kernels, one for each level
/// of them that the machine has, and through `dyn` the widest.
pub(crate) fn all() -> Vec<Subject> {
    let mut ours = Vec::from(ring_of(POINTS));
    ours.push(through_dyn::<Ring>(RING, |n| (drawn(POINTS), even(n))));

    let input = |n| (homing_slots::Config::default(), even(n));
    ours.extend(levels(Lanes::Avx2, || both::<Slots>(SLOTS, input)));
    ours.push(through_dyn::<Slots>(SLOTS, input));

    ours.extend(table_of(maglev_entries));
    ours.push(through_dyn::<Maglev>(MAGLEV, |n| (entries(maglev_entries(n)), even(n))));

    // Key by key, jump has no kernel.
    let input = |n| (homing_jump::Config::default(), even(n));
    let jump = || both::<Jump>(JUMP, input);
    ours.extend(jump().into_iter().filter(|subject| subject.mode == Mode::One));
    let batches = levels(Lanes::Avx512, jump);
    ours.extend(batches.filter(|subject| subject.mode == Mode::Batch));
    ours.push(through_dyn::<Jump>(JUMP, input));

    let input = |n| (homing_rendezvous::Config::default(), even(n));
    ours.extend(levels(Lanes::Avx512, || both::<Rendezvous>(RENDEZVOUS, input)));
    ours.push(through_dyn::<Rendezvous>(RENDEZVOUS, input));

    let input = |n| (homing_rendezvous::Config::default(), weighted(n));
    ours.extend(levels(Lanes::Avx2, || both::<Rendezvous>(WEIGHTED, input)));
    ours.push(through_dyn::<Rendezvous>(WEIGHTED, input));

    let input = |n| (homing_modulo::Config::default(), even(n));
    ours.extend(both::<Modulo>(MODULO, input));
    ours.push(through_dyn::<Modulo>(MODULO, input));
    ours
}

/// The ring, with so many points a node.
pub(crate) fn ring_of(points: usize) -> [Subject; 2] {
    both::<Ring>(RING, move |n| (drawn(points), even(n)))
}

/// The Maglev table, with so many entries for a number of nodes.
pub(crate) fn table_of(count: impl Fn(usize) -> usize + Copy + 'static) -> [Subject; 2] {
    both::<Maglev>(MAGLEV, move |n| (entries(count(n)), even(n)))
}

/// A ring of so many nodes by default.
pub(crate) fn ring(nodes: usize) -> Ring {
    built((drawn(POINTS), even(nodes)))
}

/// Returns what plans the change from a ring of `nodes` to one of a node more.
///
/// `points` says whether the points are made again (drawn) or kept (labelled).
pub(crate) fn planning(nodes: usize, points: &Points) -> impl Fn() + use<> {
    let ring = |nodes| {
        let config =
            homing_ring::Config { points: points.clone(), ..homing_ring::Config::default() };
        built::<Ring>((config, even(nodes)))
    };
    let (before, after) = (ring(nodes), ring(nodes + 1));
    move || {
        let plan = Plan::between(&before, &after).expect("rings of one hash have a plan");
        black_box(plan);
    }
}

/// Points that a ring keeps, as many a node as it draws.
pub(crate) fn labelled() -> Points {
    Points::Labelled { prefix: String::new(), separator: "-".to_owned(), per_weight: POINTS as u32 }
}

/// A family at each level of lanes that its kernels and the machine have.
fn levels(widest: Lanes, both: impl Fn() -> [Subject; 2]) -> impl Iterator<Item = Subject> {
    widest.to_here().flat_map(move |lanes| both().map(|subject| subject.kept_to(lanes)))
}

/// A family key by key, and in batches.
fn both<P: Build + 'static>(
    [family, name, _, hasher]: Id,
    input: impl Fn(usize) -> (P::Config, Members) + Copy + 'static,
) -> [Subject; 2] {
    let id = (family, Role::Ours, name, hasher);
    [
        Subject::changing(
            id,
            input,
            built::<P>,
            |layout, key| number(layout.owner_at(layout.position(key.as_bytes()))),
            |layout, id| change(layout, Change::Add(Node::new(named(id)))),
            |layout, id| change(layout, Change::Remove(NodeId::new(named(id)))),
        ),
        Subject::batch(id, input, built::<P>, |layout, keys| sum(layout, keys)),
    ]
}

/// A family's batches, through `dyn Placement`.
fn through_dyn<P: Build + 'static>(
    [family, _, name, hasher]: Id,
    input: impl Fn(usize) -> (P::Config, Members) + Copy + 'static,
) -> Subject {
    let id = (family, Role::Ours, name, hasher);
    let build = |input| -> Box<dyn Placement> {
        // Hidden from the compiler, which could see through the box otherwise.
        black_box(Box::new(built::<P>(input)))
    };
    Subject::batch(id, input, build, |layout, keys| sum(&**layout, keys)).asked(Mode::Dyn)
}

fn built<P: Build>((config, members): (P::Config, Members)) -> P {
    P::build(config, members).expect("every family takes these nodes")
}

fn change(layout: &mut impl Placement, change: Change) {
    layout.apply(&[change]).expect("a new node joins, and the last one leaves");
}

#[inline]
fn sum<P: Placement + ?Sized>(layout: &P, keys: &[&[u8]]) -> u64 {
    let mut owners = [None; BATCH];
    let owners = &mut owners[..keys.len()];
    layout.owners(keys, owners);
    owners.iter().fold(0, |sum: u64, &owner| sum.wrapping_add(number(owner)))
}

#[inline]
fn number(owner: Option<NodeIndex>) -> u64 {
    owner.map_or(0, |index| index.get() as u64)
}

fn drawn(points: usize) -> homing_ring::Config {
    let points = Points::Drawn { per_weight: points as u32 };
    homing_ring::Config { points, ..homing_ring::Config::default() }
}

fn entries(count: usize) -> homing_maglev::Config {
    homing_maglev::Config { entries: count as u32, ..homing_maglev::Config::default() }
}

fn even(nodes: usize) -> Members {
    let nodes = (0..nodes as u32).map(|id| Node::new(named(id)));
    Members::new(nodes).expect("the ids differ and the weights are above 0")
}

fn weighted(nodes: usize) -> Members {
    let nodes = (0..nodes as u32).map(|id| Node::new(named(id)).weighing(weight(id)));
    Members::new(nodes).expect("the ids differ and the weights are above 0")
}

fn named(id: u32) -> String {
    format!("node-{id}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::Keys;

    #[test]
    fn one_key_a_batch_dyn_and_every_level_find_the_same_owners() {
        let keys = Keys::make(3_000);
        for subjects in all().chunk_by(|a, b| a.family == b.family) {
            let sums: Vec<u64> =
                subjects.iter().map(|subject| subject.build(17).run(keys)).collect();
            let first = sums.first().copied();
            assert!(sums.iter().all(|&sum| Some(sum) == first), "{sums:?}");
        }
    }
}
