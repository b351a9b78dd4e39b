//! Loads levelled: slot by slot from the node with the greatest.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::{Ordering, Reverse};

use homing_core::{Members, NodeIndex};

/// Loads are taken in units of which all of them together have at most so many
/// bits, so that no product of a load and a weight overflows.
const BITS: u32 = 52;

/// A node while loads are levelled.
struct Holder {
    index: NodeIndex,
    weight: u128,
    load: u128,
    slots: BTreeSet<(u64, Reverse<u16>)>, // load and slot; of equal loads the least slot is last
}

/// The owners after levelling, as
/// [`Slots::moves_to_level`](crate::Slots::moves_to_level) says.
pub(super) fn levelled(
    members: &Members,
    owners: &[Option<NodeIndex>],
    loads: &[u64],
    within: u32,
) -> Vec<Option<NodeIndex>> {
    let shift = shift_of(owners, loads);
    let mut place_of = vec![0; members.index_bound()];
    let mut holders: Vec<Holder> = Vec::new();
    for (index, node) in members.iter() {
        place_of[index.get()] = holders.len();
        let weight = node.weight.into();
        holders.push(Holder { index, weight, load: 0, slots: BTreeSet::new() });
    }
    for (slot, (owner, &load)) in (0_u16..).zip(owners.iter().zip(loads)) {
        if let Some(owner) = owner {
            holders[place_of[owner.get()]].take((load >> shift, Reverse(slot)));
        }
    }
    drain(&mut holders);
    level(&mut holders, within);
    let mut after = vec![None; owners.len()];
    for holder in holders {
        for (_, Reverse(slot)) in holder.slots {
            after[usize::from(slot)] = Some(holder.index);
        }
    }
    after
}

/// By how many bits the loads of slots with an owner are shifted down, so that all of
/// them have at most [`BITS`].
pub(super) fn shift_of(owners: &[Option<NodeIndex>], loads: &[u64]) -> u32 {
    let owned = owners.iter().zip(loads).filter(|(owner, _)| owner.is_some());
    let all: u128 = owned.map(|(_, &load)| u128::from(load)).sum();
    (u128::BITS - all.leading_zeros()).saturating_sub(BITS)
}

impl Holder {
    fn take(&mut self, slot: (u64, Reverse<u16>)) {
        self.load += u128::from(slot.0);
        self.slots.insert(slot);
    }

    fn hand_over(&mut self, slot: (u64, Reverse<u16>)) {
        self.load -= u128::from(slot.0);
        self.slots.remove(&slot);
    }
}

/// A load over a weight above 0, compared without rounding.
#[derive(Clone, Copy)]
struct Ratio(u128, u128);

impl Ratio {
    fn cmp(self, other: Self) -> Ordering {
        (self.0 * other.1).cmp(&(other.0 * self.1))
    }
}

/// Nodes of weight 0 hand over all they have: the greatest load first, to who has
/// least with it; slots of no load to who has fewest.
fn drain(holders: &mut [Holder]) {
    let mut leaving = Vec::new();
    for holder in holders.iter_mut().filter(|holder| holder.weight == 0) {
        leaving.extend(core::mem::take(&mut holder.slots));
        holder.load = 0;
    }
    leaving.sort_by_key(|&(load, slot)| (Reverse(load), slot.0));
    for slot in leaving {
        let with = |holder: &Holder| match slot.0 {
            0 => Ratio(holder.slots.len() as u128 + 1, holder.weight),
            load => Ratio(holder.load + u128::from(load), holder.weight),
        };
        let taker = holders
            .iter_mut()
            .filter(|holder| holder.weight > 0)
            .min_by(|a, b| with(a).cmp(with(b)))
            .expect("a membership has a weight above 0");
        taker.take(slot);
    }
}

fn level(holders: &mut [Holder], within: u32) {
    let all: u128 = holders.iter().map(|holder| holder.load).sum();
    let weights: u128 = holders.iter().map(|holder| holder.weight).sum();
    loop {
        let ratio = |place: usize| Ratio(holders[place].load, holders[place].weight);
        let places = || (0..holders.len()).filter(|&place| holders[place].weight > 0);
        // Among equals the first in order of id.
        let Some(giver) = places().rev().max_by(|&a, &b| ratio(a).cmp(ratio(b))) else { return };
        let Ratio(load, weight) = ratio(giver);
        if load * weights * 1000 <= all * weight * (1000 + u128::from(within)) {
            return;
        }
        let best = places()
            .filter(|&taker| taker != giver)
            .flat_map(|taker| candidates(holders, giver, taker))
            .min_by(|a, b| a.0.cmp(b.0));
        match best {
            // The nodes in order of their loads fall with each move, so there is
            // an end.
            Some((greater, slot, taker)) if greater.cmp(Ratio(load, weight)).is_lt() => {
                holders[giver].hand_over(slot);
                holders[taker].take(slot);
            }
            _ => return,
        }
    }
}

/// The slots that could go from one node to another, at most two, each with the
/// greater of both loads after it.
fn candidates(
    holders: &[Holder],
    giver: usize,
    taker: usize,
) -> impl Iterator<Item = (Ratio, (u64, Reverse<u16>), usize)> {
    let (from, to) = (&holders[giver], &holders[taker]);
    // Both are even after this much; the greater of both falls up to it, and
    // rises beyond.
    let surplus = (from.load * to.weight).saturating_sub(to.load * from.weight);
    let even = u64::try_from(surplus / (from.weight + to.weight)).unwrap_or(u64::MAX);
    let below = from.slots.range(..=(even, Reverse(0))).next_back();
    let above = from.slots.range((even, Reverse(0))..).find(|slot| slot.0 > even);
    [below, above].into_iter().flatten().filter(|slot| slot.0 > 0).map(move |&slot| {
        let load = u128::from(slot.0);
        let (left, got) = (Ratio(from.load - load, from.weight), Ratio(to.load + load, to.weight));
        (if left.cmp(got).is_lt() { got } else { left }, slot, taker)
    })
}
