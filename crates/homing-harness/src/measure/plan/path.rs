//! The steps of a plan where the membership decides: weights little by little, or
//! node by node.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use homing_core::{Change, Members, NodeId, Placement};

use super::cut::{Stretch, cut};
use super::{Counter, Leg, words};
use crate::Result;
use crate::ends::{End, Ends};
use crate::measure::difference::Amount;
use crate::registry::Choice;

/// The most parts that a unit of weight is cut into.
const FINEST: u32 = 10_000;

/// The legs of a plan, each moving at most `limit` where that can be.
///
/// # Errors
///
/// As [`cut`].
pub(super) fn legs(
    ends: &Ends,
    after: &End,
    counter: &Counter<'_>,
    limit: f64,
    notes: &mut Vec<String>,
) -> Result<Vec<Leg>> {
    let moved = counter.moved(&*ends.before.layout, &*after.layout);
    let whole = || whole(ends, after, counter, limit, moved);
    if counter.of(&moved) <= limit || !same_configuration(ends, after)? {
        return Ok(vec![whole()]);
    }
    if !ends.before.choice.entry.family.capabilities.weights {
        return by_node(ends, after, counter, limit);
    }
    let wanted = (counter.of(&moved) / limit * 4.0).ceil();
    for scale in Scale::fit(ends, wanted) {
        let Some(ladder) = Ladder::new(ends, after, counter, scale)? else { continue };
        let stretches = ladder.cut(ends, after, counter, limit)?;
        let exceeds = stretches.iter().any(|stretch| stretch.exceeds);
        if exceeds && scale.can_be_finer {
            continue;
        }
        notes.extend(ladder.told(after));
        return Ok(ladder.legs(after, stretches));
    }
    by_node(ends, after, counter, limit)
}

/// The one leg from end to end.
fn whole(ends: &Ends, after: &End, counter: &Counter<'_>, limit: f64, moved: Amount) -> Leg {
    let exceeds = counter.of(&moved) > limit;
    Leg { end: after.clone(), changes: words(&ends.changes), moved, exceeds }
}

/// Whether both layouts are of one configuration, written in full.
fn same_configuration(ends: &Ends, after: &End) -> Result<bool> {
    Ok(ends.before.manifest()?["config"] == after.manifest()?["config"])
}

/// One node after the other, in the order of the changes.
fn by_node(ends: &Ends, after: &End, counter: &Counter<'_>, limit: f64) -> Result<Vec<Leg>> {
    let before = &*ends.before.layout;
    let changes = &ends.changes;
    let at = |place: usize| {
        let mut layout = before.dyn_clone();
        Ok(layout.apply(&changes[..place]).is_ok().then_some(layout))
    };
    let arrives =
        at(changes.len())?.is_some_and(|layout| layout.fingerprint() == after.layout.fingerprint());
    if !arrives {
        let moved = counter.moved(before, &*after.layout);
        return Ok(vec![whole(ends, after, counter, limit, moved)]);
    }
    let stretches = cut(counter, before, &*after.layout, changes.len(), limit, at)?;
    let mut from = 0;
    let legs = stretches.into_iter().map(|stretch| {
        let changes = words(&changes[from..stretch.to]);
        from = stretch.to;
        let choice = ends.before.choice.clone();
        leg(
            End { choice, layout: stretch.layout, epoch: after.epoch },
            changes,
            &stretch.moved,
            stretch.exceeds,
        )
    });
    Ok(legs.collect())
}

fn leg(end: End, changes: Vec<String>, moved: &Amount, exceeds: bool) -> Leg {
    Leg { end, changes, moved: *moved, exceeds }
}

/// So many parts to a unit of weight.
#[derive(Clone, Copy)]
struct Scale {
    parts: u32,
    can_be_finer: bool,
}

impl Scale {
    /// The scales to try: the least that has `wanted` parts, and the finest.
    ///
    /// Where a parameter is counted for each unit of weight, it is divided by what
    /// weights are multiplied with, so only its divisors keep the layout as it is.
    fn fit(ends: &Ends, wanted: f64) -> Vec<Self> {
        let choice = &ends.before.choice;
        // What other weights make of the points of another system is not known.
        if choice.preset.is_some() {
            return Vec::new();
        }
        let heaviest = |members: &Members| members.iter().map(|(_, node)| node.weight).max();
        let heaviest = heaviest(ends.before.layout.members()).max(heaviest(&ends.joined));
        let most = (u32::MAX / heaviest.unwrap_or(1).max(1)).min(FINEST);
        let each = choice.entry.knob.filter(|knob| knob.each_weight).and_then(|_| choice.knob());
        let allowed: Vec<u32> = match each {
            Some(value) => (1..=most).filter(|&parts| value % u64::from(parts) == 0).collect(),
            None => (1..=most).collect(),
        };
        let finest = allowed.last().copied().unwrap_or(1);
        let parts = allowed.into_iter().find(|&parts| f64::from(parts) >= wanted);
        let parts = parts.unwrap_or(finest);
        let mut scales = vec![Self { parts, can_be_finer: parts < finest }];
        if parts < finest {
            scales.push(Self { parts: finest, can_be_finer: false });
        }
        scales
    }
}

/// The weights of the nodes that change, rung by rung: in each one node has one
/// part more of its way.
struct Ladder {
    parts: u32,
    choice: Choice,                 // with the parameter divided, where there is one
    members: Members,               // of both ends, every weight times `parts`, those before
    nodes: Vec<(NodeId, u32, u32)>, // who changes: weight before and after, unscaled
    was_member: BTreeSet<NodeId>,
}

impl Ladder {
    /// The ladder with this scale, if its lowest and its highest rung are the maps
    /// before and after.
    fn new(ends: &Ends, after: &End, counter: &Counter<'_>, scale: Scale) -> Result<Option<Self>> {
        let choice = &ends.before.choice;
        let choice = match choice.entry.knob.filter(|knob| knob.each_weight).and(choice.knob()) {
            Some(value) if scale.parts > 1 => choice.turned(value / u64::from(scale.parts)),
            _ => choice.clone(),
        };
        let before = ends.before.layout.members();
        let weight = |id: &NodeId| before.index_of(id).map_or(0, |index| before[index].weight);
        let nodes: Vec<(NodeId, u32, u32)> = ends
            .joined
            .iter_by_index()
            .map(|(_, node)| (node.id.clone(), weight(&node.id), node.weight))
            .filter(|(_, from, to)| from != to)
            .collect();
        let mut members = ends.joined.clone();
        let scaled: Vec<Change> = ends
            .joined
            .iter()
            .map(|(_, node)| Change::Reweight(node.id.clone(), weight(&node.id) * scale.parts))
            .collect();
        members.apply(&scaled)?;
        let was_member = before.iter().map(|(_, node)| node.id.clone()).collect();
        let ladder = Self { parts: scale.parts, choice, members, nodes, was_member };
        let is_whole = |place, end: &dyn Placement| {
            let Ok(Some(rung)) = ladder.rung(place) else { return false };
            counter.of(&counter.moved(&*rung, end)) == 0.0
        };
        let stands = is_whole(0, &*ends.before.layout) && is_whole(ladder.len(), &*after.layout);
        Ok(stands.then_some(ladder))
    }

    fn len(&self) -> usize {
        self.nodes.len() * self.parts as usize
    }

    /// The weights at a rung, scaled, of the nodes that change.
    fn weights(&self, rung: usize) -> impl Iterator<Item = (&NodeId, u32)> {
        let (done, more) = (rung / self.nodes.len().max(1), rung % self.nodes.len().max(1));
        self.nodes.iter().enumerate().map(move |(i, (id, from, to))| {
            #[expect(clippy::cast_possible_truncation, reason = "at most the parts")]
            let done = (done + usize::from(i < more)) as u32;
            (id, from * (self.parts - done) + to * done)
        })
    }

    fn rung(&self, rung: usize) -> Result<Option<Box<dyn Placement>>> {
        let mut members = self.members.clone();
        let changes: Vec<Change> =
            self.weights(rung).map(|(id, weight)| Change::Reweight(id.clone(), weight)).collect();
        if members.apply(&changes).is_err() {
            return Ok(None); // nobody has a weight
        }
        self.choice.build(members).map(Some)
    }

    fn cut(
        &self,
        ends: &Ends,
        after: &End,
        counter: &Counter<'_>,
        limit: f64,
    ) -> Result<Vec<Stretch>> {
        let before = &*ends.before.layout;
        cut(counter, before, &*after.layout, self.len(), limit, |rung| self.rung(rung))
    }

    /// What is to be told of the scale.
    fn told(&self, after: &End) -> Option<String> {
        (self.parts > 1).then(|| {
            let mut told = format!("steps are in weights times {}", self.parts);
            if let (Some(knob), Some(value)) =
                (self.choice.entry.knob.filter(|knob| knob.each_weight), self.choice.knob())
            {
                let _ = write!(told, ", with {}={value} for each of them", knob.name);
            }
            told + &format!(
                ", which gives the same layout; the last step has the weights of AFTER again, \
                 fingerprint {}",
                after.layout.fingerprint()
            )
        })
    }

    fn legs(&self, after: &End, stretches: Vec<Stretch>) -> Vec<Leg> {
        let mut weights: BTreeMap<&NodeId, u32> = self.weights(0).collect();
        let last = stretches.len() - 1;
        let legs = stretches.into_iter().enumerate().map(|(i, stretch)| {
            let mut changes = Vec::new();
            for (id, weight) in self.weights(stretch.to) {
                let from = weights.insert(id, weight).unwrap_or(weight);
                if from == weight {
                    continue;
                }
                let joins = from == 0 && !self.was_member.contains(id);
                changes.push(match (joins, self.parts) {
                    (true, 1) => format!("add {id:?} of weight {weight}"),
                    (true, parts) => format!("add {id:?} of weight {weight}/{parts}"),
                    (false, 1) => format!("reweight {id:?} to {weight}"),
                    (false, parts) => format!("reweight {id:?} to {weight}/{parts}"),
                });
            }
            if i == last {
                changes.push("members as in AFTER".to_owned());
                return leg(after.clone(), changes, &stretch.moved, stretch.exceeds);
            }
            let end =
                End { choice: self.choice.clone(), layout: stretch.layout, epoch: after.epoch };
            leg(end, changes, &stretch.moved, stretch.exceeds)
        });
        legs.collect()
    }
}
