//! Whether the sums of a plan are those of its moves, and no move is missing.

use std::collections::BTreeMap;
use std::fmt;

use homing_core::{Move, Placement, Plan};
use serde::Deserialize;
use serde::de::{self, Deserializer, Visitor};

use super::{Head, Row, shown};

/// An owner before and one after.
type Pair = (Option<String>, Option<String>);

/// What is counted, in the order of a [`Sum`].
const UNITS: [&str; 4] = ["positions", "keys", "bytes", "requests"];

/// How far a fraction may be off: it is written with all its digits.
const NEAR: f64 = 1e-9;

/// Counts of each of the units, where they are counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Sum([Option<u128>; 4]);

/// An amount, and whose it is where it is of anybody.
#[derive(Debug, Deserialize)]
pub(super) struct Told {
    node: Option<String>,
    from: Option<String>,
    to: Option<String>,
    positions: Option<Count>,
    keys: Option<Count>,
    bytes: Option<Count>,
    requests: Option<Count>,
}

/// A count; JSON has the number beyond 64 bits as a float.
#[derive(Clone, Copy, Debug)]
struct Count(u128);

impl Told {
    pub(super) fn sum(&self) -> Sum {
        let counts = [self.positions, self.keys, self.bytes, self.requests];
        Sum(counts.map(|count| count.map(|it| it.0)))
    }

    fn pair(&self) -> Pair {
        (self.from.clone(), self.to.clone())
    }
}

impl Sum {
    /// So many positions, and nothing else counted.
    pub(super) fn of_positions(count: u128) -> Self {
        Self([Some(count), None, None, None])
    }

    /// What a key weighs.
    pub(super) fn of_key(row: &Row) -> Self {
        let weight = |of: Option<u64>| Some(of.unwrap_or(0).into());
        Self([None, Some(1), weight(row.bytes), weight(row.requests)])
    }

    /// The part that is about keys.
    fn of_keys(self) -> Self {
        let [_, keys, bytes, requests] = self.0;
        Self([None, keys, bytes, requests])
    }

    /// Adds what both have, up to the greatest number; what this has not counted stays so.
    pub(super) fn add(&mut self, more: Self) {
        for (sum, more) in self.0.iter_mut().zip(more.0) {
            *sum = sum.map(|sum| sum.saturating_add(more.unwrap_or(0)));
        }
    }

    /// Nothing of each unit that this has.
    pub(super) fn zero(self) -> Self {
        Self(self.0.map(|count| count.map(|_| 0)))
    }

    /// Whether positions are counted.
    pub(super) fn has_positions(self) -> bool {
        self.0[0].is_some()
    }

    /// The same with so many positions.
    pub(super) fn set_positions(&mut self, count: u128) {
        self.0[0] = Some(count);
    }

    /// How much it is in the unit of this name, positions if it is none of the others.
    pub(super) fn of_unit(self, unit: &str) -> f64 {
        let place = UNITS.iter().position(|name| *name == unit).unwrap_or(0);
        self.0[place].unwrap_or(0) as f64
    }

    /// Fails unless it is what it should be.
    pub(super) fn check(self, place: &str, due: Self) -> Result<(), String> {
        for (unit, (found, due)) in UNITS.iter().zip(self.0.into_iter().zip(due.0)) {
            match (found, due) {
                (Some(found), Some(due)) if !same(found, due) => {
                    return Err(format!("{place}: {unit} is {found}, but must be {due}"));
                }
                (Some(found), None) => {
                    return Err(format!("{place}: {unit} is {found}, but must be left out"));
                }
                (None, Some(due)) => {
                    return Err(format!("{place}: {unit} is left out, but must be {due}"));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// Whether two counts are the same, as far as JSON tells.
fn same(found: u128, due: u128) -> bool {
    let beyond = u128::from(u64::MAX);
    found == due
        || (found > beyond && due > beyond && (found as f64).to_bits() == (due as f64).to_bits())
}

/// Fails unless a fraction is what it should be.
pub(super) fn check_fraction(place: &str, found: f64, due: f64) -> Result<(), String> {
    if (found - due).abs() <= NEAR {
        return Ok(());
    }
    Err(format!("{place}fraction is {found}, but must be {due}"))
}

/// Fails at the first run that moves and is in no move, or in two.
pub(super) fn check_missing(
    head: &Head,
    plan: &Plan,
    owners: impl Fn(&Move) -> Pair,
) -> Result<(), String> {
    let mut rows: Vec<(u64, u64, usize)> = (1..)
        .zip(&head.moves)
        .filter_map(|(number, row)| Some((row.first?, row.last?, number)))
        .collect();
    rows.sort_unstable();
    let mut rows = rows.into_iter().peekable();
    let twice = |number: usize, first: u64| {
        Err(format!("move {number} is from {first}, which another move has, but must be one's"))
    };
    for run in plan.moves() {
        let (from, to) = owners(run);
        if head.to.is_some() && head.to != to {
            continue;
        }
        let mut at = run.first;
        loop {
            match rows.peek().copied() {
                Some((first, last, _)) if first == at => {
                    rows.next();
                    // No row reaches over its run.
                    if last >= run.last {
                        break;
                    }
                    at = last + 1;
                }
                Some((first, _, number)) if first < at => return twice(number, first),
                other => {
                    let next = other.map(|(first, ..)| first).filter(|&first| first <= run.last);
                    let end = next.map_or(run.last, |first| first - 1);
                    return Err(format!(
                        "moves lack {at} to {end}, but must have it from {} to {}",
                        shown(from.as_deref()),
                        shown(to.as_deref())
                    ));
                }
            }
        }
    }
    match rows.next() {
        Some((first, _, number)) if head.to.is_none() => twice(number, first),
        Some((_, _, number)) => Err(format!(
            "move {number} is not to {}, but must be as to is that",
            shown(head.to.as_deref())
        )),
        None => Ok(()),
    }
}

/// Fails at the first sum that is not that of the moves, or of the layouts.
pub(super) fn check_sums(
    head: &Head,
    plan: Option<&Plan>,
    before: &dyn Placement,
    owners: impl Fn(&Move) -> Pair,
) -> Result<(), String> {
    let mut all = head.all.sum().of_keys();
    all.0[0] = plan.map(|_| u128::from(before.max_position()) + 1);
    head.all.sum().check("all", all)?;
    let zero = all.zero();
    let mut flows = BTreeMap::<Pair, Sum>::new();
    let mut flow = |pair, sum| flows.entry(pair).or_insert(zero).add(sum);
    for run in plan.map_or(&[][..], Plan::moves) {
        flow(owners(run), Sum::of_positions(run.positions()));
    }
    if head.lists_keys() && head.is_whole() {
        for row in &head.moves {
            flow((row.from.clone(), row.to.clone()), Sum::of_key(row));
        }
    } else {
        for told in head.matrix.iter().filter(|told| told.sum().0[1].is_some()) {
            flow(told.pair(), told.sum().of_keys());
        }
    }
    let names =
        |(from, to): &Pair| format!("from {} to {}", shown(from.as_deref()), shown(to.as_deref()));
    check_each("matrix", &head.matrix, Told::pair, &flows, zero, names)?;
    let (mut moved, mut gains, mut loses) = (zero, zero, zero);
    let (mut givers, mut takers) = (BTreeMap::new(), BTreeMap::new());
    for ((from, to), &sum) in &flows {
        moved.add(sum);
        match from {
            Some(from) => givers.entry(from.clone()).or_insert(zero).add(sum),
            None => gains.add(sum),
        }
        match to {
            Some(to) => takers.entry(to.clone()).or_insert(zero).add(sum),
            None => loses.add(sum),
        }
    }
    head.moved.sum().check("moved", moved)?;
    head.gains_owner.sum().check("gains_owner", gains)?;
    head.loses_owner.sum().check("loses_owner", loses)?;
    let node = |told: &Told| told.node.clone().unwrap_or_default();
    let name = |node: &String| shown(Some(node));
    check_each("givers", &head.givers, node, &givers, zero, name)?;
    check_each("takers", &head.takers, node, &takers, zero, name)?;
    let ranges = plan.map(|plan| plan.moves().len());
    if head.ranges != ranges {
        let told = |count: Option<usize>| count.map_or("left out".to_owned(), |it| it.to_string());
        return Err(format!("ranges is {}, but must be {}", told(head.ranges), told(ranges)));
    }
    let unit = if head.basis == "exact" { "positions" } else { "keys" };
    let due = if all.of_unit(unit) > 0.0 { moved.of_unit(unit) / all.of_unit(unit) } else { 0.0 };
    check_fraction("", head.fraction, due)
}

/// Fails at the first of a list that is not as it is due, or is not there.
fn check_each<K: Ord + Clone>(
    list: &str,
    rows: &[Told],
    key: impl Fn(&Told) -> K,
    due: &BTreeMap<K, Sum>,
    zero: Sum,
    name: impl Fn(&K) -> String,
) -> Result<(), String> {
    let mut missing = due.clone();
    for told in rows {
        let key = key(told);
        let place = format!("{list} {}", name(&key));
        told.sum().check(&place, missing.remove(&key).unwrap_or(zero))?;
    }
    match missing.first_key_value() {
        Some((key, &due)) => zero.check(&format!("{list} {}", name(key)), due),
        None => Ok(()),
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CountVisitor)
    }
}

struct CountVisitor;

impl Visitor<'_> for CountVisitor {
    type Value = Count;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a whole number from 0 up")
    }

    fn visit_u64<E: de::Error>(self, given: u64) -> Result<Count, E> {
        Ok(Count(given.into()))
    }

    fn visit_f64<E: de::Error>(self, given: f64) -> Result<Count, E> {
        if given >= 0.0 && given.fract() == 0.0 {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is whole and not negative"
            )]
            return Ok(Count(given as u128));
        }
        Err(E::invalid_value(de::Unexpected::Float(given), &self))
    }
}
