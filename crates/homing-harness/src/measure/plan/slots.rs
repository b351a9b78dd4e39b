//! Plans where the moves are the operator's.

use std::collections::BTreeMap;

use homing_core::{Change, NodeId, NodeIndex, Placement};

use super::alternative::{Alternative, alternative};
use super::{Counter, Leg, Load, Unit, Wish, Wishes, words};
use crate::ends::{End, Ends};
use crate::measure::balance;
use crate::measure::difference::{Moves, RangeMove};
use crate::registry::operator::{Aim, Operator, owners};
use crate::registry::{Choice, Origin};
use crate::workload::Workload;
use crate::{Error, Result};

/// How many thousandths a node may have above its due before it gives.
const WITHIN: u32 = 10;

/// The layout that the operator's plan comes to, and what else there could be.
pub(super) fn planned(
    ends: &Ends,
    operator: Operator,
    wishes: &Wishes<'_>,
) -> Result<(End, Vec<Alternative>)> {
    let asked = wishes.aim.unwrap_or(Wish::Moves);
    let before = owners(&*ends.before.layout);
    // Who leaves keeps its slots until they are handed over.
    let joined = &ends.joined;
    let there = ends.before.layout.members().matched_in(joined);
    let before: Vec<Option<NodeIndex>> =
        before.into_iter().map(|owner| there[owner?.get()]).collect();
    let loads = loads(ends, asked, wishes.workload)?;
    let parameters = operator.state(joined, &before);
    let mut aims = vec![(Wish::Moves, Aim::FewestMoves), (Wish::Ranges, Aim::FewestRanges)];
    if let (Some(loads), Wish::By(load) | Wish::InRangesBy(load)) = (&loads, asked) {
        aims.push((Wish::By(load), Aim::Level(loads, WITHIN)));
        aims.push((Wish::InRangesBy(load), Aim::LevelInRanges(loads, WITHIN)));
    }
    aims.push((Wish::Tool, Aim::AsTheTool));
    let mut alternatives = Vec::new();
    let mut chosen = before.clone();
    for (wish, aim) in aims {
        let mut after = before.clone();
        let moves = match operator.plan(&parameters, joined.clone(), aim) {
            Ok(moves) => moves,
            // The tool moves nothing while slots have no owner; the others do.
            Err(_) if wish == Wish::Tool && asked != Wish::Tool => continue,
            Err(error) => return Err(error),
        };
        for it in moves {
            for position in it.positions {
                after[index(position)] = Some(it.to);
            }
        }
        let peak = loads.as_ref().map(|loads| {
            let mut sums = vec![0.0; joined.index_bound()];
            for (owner, &load) in after.iter().zip(loads) {
                if let Some(owner) = owner {
                    sums[owner.get()] += load as f64;
                }
            }
            balance(joined, &sums).peak_to_mean
        });
        let mut told = alternative(word(wish), wish == asked, &before, &after, peak);
        if wish == Wish::Ranges {
            let bound = operator.bound(&parameters, joined.clone())?;
            told.positions_at_least = Some(bound.moved);
            told.ranges_at_least = Some(bound.ranges);
        }
        alternatives.push(told);
        if wish == asked {
            chosen = after;
        }
    }
    let parameters = operator.state(joined, &chosen);
    let choice = Choice { parameters, origin: Origin::Flags, ..ends.before.choice.clone() };
    let layout = choice.build(ends.members.clone())?;
    Ok((End { choice, layout, epoch: ends.before.epoch + 1 }, alternatives))
}

/// The figures of a map that AFTER states.
pub(super) fn as_stated(ends: &Ends, after: &End) -> Alternative {
    let map = owners(&*after.layout);
    let there = ends.before.layout.members().matched_in(after.layout.members());
    // Who is no member after it has nothing there; any other index does for it.
    let gone = NodeIndex::new(after.layout.members().index_bound());
    let before: Vec<Option<NodeIndex>> = owners(&*ends.before.layout)
        .into_iter()
        .map(|owner| Some(there[owner?.get()].unwrap_or(gone)))
        .collect();
    alternative("stated", true, &before, &map, None)
}

fn word(wish: Wish) -> &'static str {
    match wish {
        Wish::Moves => "moves",
        Wish::Ranges => "ranges",
        Wish::Tool => "tool",
        Wish::By(load) => load.word(),
        Wish::InRangesBy(Load::Keys) => "keys in ranges",
        Wish::InRangesBy(Load::Bytes) => "bytes in ranges",
        Wish::InRangesBy(Load::Requests) => "requests in ranges",
    }
}

/// Who leaves once it owns nothing.
fn leaving(ends: &Ends) -> Vec<Change> {
    let gone = ends.joined.iter().filter(|(_, node)| ends.members.index_of(&node.id).is_none());
    gone.map(|(_, node)| Change::Remove(node.id.clone())).collect()
}

/// The load of each position, if the plan goes by load.
fn loads(ends: &Ends, asked: Wish, workload: Option<&Workload>) -> Result<Option<Vec<u64>>> {
    let (Wish::By(load) | Wish::InRangesBy(load)) = asked else { return Ok(None) };
    let Some(workload) = workload else {
        return Err(Error::Usage(
            "by is what a load is counted in, but no keys are given to count: --keys FILE".into(),
        ));
    };
    workload.check(load)?;
    Ok(Some(by_position(&*ends.before.layout, workload, load)))
}

/// The keys, bytes or requests of each position.
fn by_position(layout: &dyn Placement, workload: &Workload, load: Load) -> Vec<u64> {
    let count = index(layout.max_position()) + 1;
    workload.fold(
        || vec![0_u64; count],
        |sums, block| {
            for (i, key) in block.keys.iter().enumerate() {
                let sum = &mut sums[index(layout.position(key))];
                *sum = sum.saturating_add(block.amount(load, i));
            }
        },
        |mut sums, more| {
            for (sum, more) in sums.iter_mut().zip(more) {
                *sum = sum.saturating_add(more);
            }
            sums
        },
    )
}

/// The legs: the positions that move, pair by pair, in stretches of at most
/// `limit`; each of `moves` is cut at them, and told its step.
///
/// # Errors
///
/// Fails if a layout cannot be built.
pub(super) fn legs(
    ends: &Ends,
    after: &End,
    counter: &Counter<'_>,
    limit: f64,
    moves: &mut Moves,
) -> Result<Vec<Leg>> {
    let way = Way::new(ends, after);
    let steps = way.steps(ends, counter, limit);
    let mut legs = Vec::new();
    let mut map = way.before.clone();
    let mut last: Box<dyn Placement> = ends.before.layout.clone();
    let count = steps.last().map_or(1, |step| step.number);
    for number in 1..=count {
        let part: Vec<&Stepped> = steps.iter().filter(|step| step.number == number).collect();
        for it in &part {
            map[it.slot] = way.after[it.slot];
        }
        let end = if number == count { after.clone() } else { on_the_way(ends, after, &map)? };
        let mut changes = if number == 1 { words(&first_changes(ends)) } else { Vec::new() };
        changes.extend(way.handed(&part));
        if number == count {
            changes.extend(words(&leaving(ends)));
        }
        let mut moved = counter.moved(&*last, &*end.layout);
        moved.positions = Some(part.len() as u128);
        let exceeds = counter.of(&moved) > limit;
        last = end.layout.clone();
        legs.push(Leg { end, changes, moved, exceeds });
    }
    number_moves(moves, &steps, &*ends.before.layout);
    Ok(legs)
}

/// A slot that moves, with the step it moves in.
struct Stepped {
    slot: usize,
    number: usize,
}

/// A map and the one after it, over the members of both.
struct Way {
    ids: Vec<NodeId>, // by index
    before: Vec<Option<NodeIndex>>,
    after: Vec<Option<NodeIndex>>,
}

impl Way {
    fn new(ends: &Ends, after: &End) -> Self {
        let over_joined = |layout: &dyn Placement| {
            let there = layout.members().matched_in(&ends.joined);
            owners(layout).into_iter().map(|owner| there[owner?.get()]).collect()
        };
        let mut ids = vec![NodeId::new(""); ends.joined.index_bound()];
        for (index, node) in ends.joined.iter() {
            ids[index.get()] = node.id.clone();
        }
        Self { ids, before: over_joined(&*ends.before.layout), after: over_joined(&*after.layout) }
    }

    fn pair(&self, slot: usize) -> (Option<&NodeId>, Option<&NodeId>) {
        let id = |owner: Option<NodeIndex>| Some(&self.ids[owner?.get()]);
        (id(self.before[slot]), id(self.after[slot]))
    }

    /// The slots that move, giver by giver and taker by taker, in steps.
    fn steps(&self, ends: &Ends, counter: &Counter<'_>, limit: f64) -> Vec<Stepped> {
        let mut slots: Vec<usize> =
            (0..self.before.len()).filter(|&slot| self.before[slot] != self.after[slot]).collect();
        slots.sort_by_key(|&slot| (self.pair(slot), slot));
        let loads = counter.gauge.workload().map(|workload| {
            let load = if counter.unit == Unit::Bytes { Load::Bytes } else { Load::Keys };
            by_position(&*ends.before.layout, workload, load)
        });
        let (mut number, mut sum) = (1, 0.0);
        let steps = slots.into_iter().map(|slot| {
            let load = loads.as_ref().map_or(1.0, |loads| loads[slot] as f64);
            if sum > 0.0 && sum + load > limit {
                number += 1;
                sum = 0.0;
            }
            sum += load;
            Stepped { slot, number }
        });
        steps.collect()
    }

    /// What is handed over in a step, in words.
    fn handed(&self, part: &[&Stepped]) -> Vec<String> {
        let mut counts = BTreeMap::<(Option<&NodeId>, Option<&NodeId>), usize>::new();
        for it in part {
            *counts.entry(self.pair(it.slot)).or_default() += 1;
        }
        let name = |id: Option<&NodeId>| id.map_or_else(|| "nobody".into(), |id| format!("{id:?}"));
        counts
            .into_iter()
            .map(|((from, to), count)| {
                let noun = if count == 1 { "slot" } else { "slots" };
                format!("{count} {noun} from {} to {}", name(from), name(to))
            })
            .collect()
    }
}

/// The layout of a map on the way.
fn on_the_way(ends: &Ends, after: &End, map: &[Option<NodeIndex>]) -> Result<End> {
    let operator = ends.before.choice.entry.operator.expect("it has an operator");
    let parameters = operator.state(&ends.joined, map);
    let choice = Choice { parameters, origin: Origin::Flags, ..ends.before.choice.clone() };
    let layout = choice.build(ends.joined.clone())?;
    Ok(End { choice, layout, epoch: after.epoch })
}

/// What changes before any slot moves: who joins, and other weights.
fn first_changes(ends: &Ends) -> Vec<Change> {
    let before = ends.before.layout.members();
    let changes = ends.joined.iter().filter_map(|(_, node)| match before.index_of(&node.id) {
        None => Some(Change::Add(node.clone())),
        Some(index) if before[index].weight != node.weight => {
            Some(Change::Reweight(node.id.clone(), node.weight))
        }
        Some(_) => None,
    });
    changes.collect()
}

/// Tells each move its step; runs are cut where another step begins.
fn number_moves(moves: &mut Moves, steps: &[Stepped], layout: &dyn Placement) {
    let numbers: BTreeMap<usize, usize> = steps.iter().map(|it| (it.slot, it.number)).collect();
    match moves {
        Moves::Keys(moves) => {
            for it in moves {
                it.step = numbers.get(&index(layout.position(&it.key))).copied();
            }
        }
        Moves::Ranges(runs) => {
            let mut cut: Vec<RangeMove> = Vec::new();
            for run in runs.iter() {
                for position in run.first..=run.last {
                    let step = numbers.get(&index(position)).copied();
                    match cut.last_mut() {
                        Some(open)
                            if open.step == step
                                && open.last + 1 == position
                                && (&open.from, &open.to) == (&run.from, &run.to) =>
                        {
                            open.last = position;
                        }
                        _ => cut.push(RangeMove {
                            step,
                            first: position,
                            last: position,
                            ..run.clone()
                        }),
                    }
                }
            }
            cut.sort_by_key(|it| (it.step, it.first));
            *runs = cut.into();
        }
    }
}

fn index(position: u64) -> usize {
    usize::try_from(position).expect("an operator's map is in memory")
}
