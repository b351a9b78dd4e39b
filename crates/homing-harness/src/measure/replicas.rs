//! What a change does to sets of replicas.

use homing_core::{NodeIndex, Placement, Spread};

use crate::record::{Basis, Replicas};
use crate::statistics::TAIL;
use crate::statistics::evenness::fraction;
use crate::workload::{Basis as Taken, Block, Workload};

/// The rule of every family without replicas.
pub(crate) const NO_REPLICAS: &str = "has no second choice after the owner";

#[derive(Clone, Copy, Debug, Default)]
struct Count {
    copies: u64,
    copies_moved: u64,
    keys: u64,
    sets_changed: u64,
    short: u64,
}

/// What changes in sets of `count` replicas, kept apart by `spread`, over the keys
/// of a workload.
pub(super) fn moved(
    before: &dyn Placement,
    after: &dyn Placement,
    workload: &Workload,
    (count, spread): (usize, Spread),
) -> Replicas {
    if !before.family().capabilities.replicas {
        return Replicas::Unsupported { unsupported: NO_REPLICAS.to_owned() };
    }
    let kept = before.members().matched_in(after.members());
    let tally = workload.fold(
        Count::default,
        |tally, block| compare(tally, block, before, after, &kept, (count, spread)),
        |a, b| Count {
            copies: a.copies + b.copies,
            copies_moved: a.copies_moved + b.copies_moved,
            keys: a.keys + b.keys,
            sets_changed: a.sets_changed + b.sets_changed,
            short: a.short + b.short,
        },
    );
    let part = |some: u64, all: u64| if all == 0 { 0.0 } else { some as f64 / all as f64 };
    let basis = match workload.basis() {
        Taken::Generated | Taken::Sketched => Basis::Sampled,
        Taken::Counted => Basis::Counted,
    };
    // A key's part of copies moved is from 0 to 1 too, so that its variance is at
    // most that of a key that moves whole or not at all.
    let draws = if basis == Basis::Sampled { tally.keys as f64 } else { f64::INFINITY };
    let interval = |some: u64, all: u64| fraction(part(some, all), draws, TAIL);
    let copies = interval(tally.copies_moved, tally.copies);
    let (sets, short) =
        (interval(tally.sets_changed, tally.keys), interval(tally.short, tally.keys));
    Replicas::Moved {
        basis,
        copies_moved: part(tally.copies_moved, tally.copies),
        copies_moved_low: Some(copies.low),
        copies_moved_high: Some(copies.high),
        sets_changed: part(tally.sets_changed, tally.keys),
        sets_changed_low: Some(sets.low),
        sets_changed_high: Some(sets.high),
        short: part(tally.short, tally.keys),
        short_low: Some(short.low),
        short_high: Some(short.high),
    }
}

fn compare(
    tally: &mut Count,
    block: &Block<'_>,
    before: &dyn Placement,
    after: &dyn Placement,
    kept: &[Option<NodeIndex>],
    (count, spread): (usize, Spread),
) {
    let (mut old, mut new) = (Vec::new(), Vec::new());
    for key in block.keys {
        let position = before.position(key);
        before.replicas_at(position, count, spread, &mut old);
        after.replicas_at(position, count, spread, &mut new);
        let stayed = old
            .iter()
            .filter(|index| kept[index.get()].is_some_and(|index| new.contains(&index)))
            .count();
        tally.keys += 1;
        tally.copies += new.len() as u64;
        tally.copies_moved += (new.len() - stayed) as u64;
        tally.sets_changed += u64::from(stayed < new.len() || stayed < old.len());
        tally.short += u64::from(new.len() < count);
    }
}
