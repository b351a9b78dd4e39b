//! [`OperatorTool`]: what the operator's own tool moves, slot by slot.

mod create;
mod reshard;

use alloc::vec;
use alloc::vec::Vec;

use homing_core::{Error, NodeId, NodeIndex, Placement};

pub use self::create::{Created, Replica};
use crate::{Handover, SLOTS, Slots};

/// Plans moves as the tool does that clusters of slots are run with.
///
/// Its moves are not the fewest ([`Slots::rebalance_moves`] are): they depend on
/// the order in which it has read the nodes, on a threshold, and on arithmetic in
/// 32-bit floating point. With the same order it makes the same moves, in the same
/// order, of the same slots, so an operator can say beforehand what it will do.
///
/// # Examples
///
/// ```
/// use homing_slots::homing_core::{Build, Change, Error, Members, Node, Placement};
/// use homing_slots::{Config, OperatorTool, Slots};
///
/// let slots = Slots::build(Config::default(), Members::named(["a", "b", "c"])?)?;
/// let joined = slots.with_changes(&[Change::Add(Node::new("d"))])?;
/// let tool = OperatorTool { use_empty: true, ..OperatorTool::default() };
/// let counts: Vec<usize> = tool.rebalance(&joined)?.iter().map(|it| it.slots.len()).collect();
/// assert_eq!(counts, [1366, 1365, 1365]);
/// # Ok::<(), Error>(())
/// ```
///
/// Source: the behaviour of `redis-cli --cluster` 7.0, recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct OperatorTool {
    /// How far a node may be from what it is due before anything is moved, in
    /// percent of what it holds; 2 by default. With 0 or less nothing is ever moved.
    pub threshold: f32,
    /// Whether a node without slots takes part; not by default.
    pub use_empty: bool,
    /// What a node weighs, if not its weight; at least 0, and finite.
    pub weights: Vec<(NodeId, f32)>,
    /// The order in which the tool has read the nodes: first the one that it was
    /// pointed at, then as that one lists the others. Nodes that are not named
    /// follow in order of index.
    pub order: Vec<NodeId>,
}

impl Default for OperatorTool {
    fn default() -> Self {
        Self { threshold: 2.0, use_empty: false, weights: Vec::new(), order: Vec::new() }
    }
}

/// A node that takes part in a rebalance.
struct Part {
    node: NodeIndex,
    balance: i64, // what it holds above what it is due
}

impl OperatorTool {
    /// The moves of a rebalance, in the order in which they are made.
    ///
    /// A node is due 16384 over the sum of the weights, times its weight, cut to
    /// an integer. Empty if every node is within the threshold. What rounding
    /// leaves undue is taken by the nodes that hold no more than their due, one
    /// slot each in the order read. Then the neediest node gets the lesser of its
    /// want and the surplus of the richest, whose lowest-numbered slots go, until
    /// the two meet; among equals the order read decides.
    ///
    /// # Errors
    ///
    /// Fails if slots are without an owner, which the tool asks to mend first, if
    /// no node that takes part weighs anything, if a weight is below 0 or not
    /// finite, if the threshold is no number, if the order names a node twice, or if
    /// a node is no member. Fails also where the tool would never end: where rounding
    /// leaves slots undue and every node holds more than its due.
    pub fn rebalance(&self, slots: &Slots) -> Result<Vec<Handover>, Error> {
        mended(slots)?;
        if self.threshold.is_nan() {
            return Err(Error::parameter("threshold", self.threshold, "a number"));
        }
        let weights = self.weights_of(slots)?;
        let mut held = held(slots);
        let order = self.order_of(slots)?;
        let taking = |node: &NodeIndex| self.use_empty || !held[node.get()].is_empty();
        let nodes: Vec<NodeIndex> = order.into_iter().filter(taking).collect();
        let total = nodes.iter().fold(0.0_f32, |sum, node| sum + weights[node.get()]);
        if total <= 0.0 {
            return Err(Error::NoNodes);
        }
        if !total.is_finite() {
            return Err(Error::parameter("sum of the weights", total, "finite"));
        }
        let mut over = false;
        let mut parts = Vec::with_capacity(nodes.len());
        for node in nodes {
            let count = count_of(&held[node.get()]);
            let due = f32::from(SLOTS) / total * weights[node.get()];
            #[expect(clippy::cast_possible_truncation, reason = "cut to an integer, as it does")]
            let due = due as i64;
            over |= self.is_over(count, due);
            parts.push(Part { node, balance: count - due });
        }
        if !over {
            return Ok(Vec::new());
        }
        even_out(&mut parts)?;
        Ok(moves(parts, &mut held))
    }

    /// Whether a node that holds `count` slots and is due `due` has the tool begin.
    #[expect(clippy::cast_possible_truncation, reason = "the tool keeps the percentage in 32 bits")]
    #[expect(clippy::cast_precision_loss, reason = "both are at most 16384")]
    fn is_over(&self, count: i64, due: i64) -> bool {
        if self.threshold <= 0.0 {
            return false;
        }
        if count == 0 {
            return due > 1;
        }
        let away = 100.0 - 100.0 * due as f64 / count as f64;
        away.abs() as f32 > self.threshold
    }

    /// The weight of each node, by index.
    #[expect(clippy::cast_precision_loss, reason = "the tool keeps weights in 32 bits")]
    fn weights_of(&self, slots: &Slots) -> Result<Vec<f32>, Error> {
        let members = slots.members();
        let mut weights = vec![0.0; members.index_bound()];
        for (index, node) in members.iter() {
            weights[index.get()] = node.weight as f32;
        }
        for (id, weight) in &self.weights {
            if !weight.is_finite() || *weight < 0.0 {
                let value = alloc::format!("{weight} of {id:?}");
                return Err(Error::parameter("weight", value, "finite and at least 0"));
            }
            weights[index_of(slots, id)?.get()] = *weight;
        }
        Ok(weights)
    }

    /// All nodes in the order read.
    fn order_of(&self, slots: &Slots) -> Result<Vec<NodeIndex>, Error> {
        let members = slots.members();
        let mut read = vec![false; members.index_bound()];
        let mut order = Vec::with_capacity(members.len());
        for id in &self.order {
            let index = index_of(slots, id)?;
            if core::mem::replace(&mut read[index.get()], true) {
                let value = alloc::format!("twice {id:?}");
                return Err(Error::parameter("order", value, "of different nodes"));
            }
            order.push(index);
        }
        order.extend(members.iter().map(|(index, _)| index).filter(|index| !read[index.get()]));
        Ok(order)
    }
}

/// Has the nodes that hold no more than their due take what rounding left over.
fn even_out(parts: &mut [Part]) -> Result<(), Error> {
    let mut left: i64 = parts.iter().map(|part| part.balance).sum();
    if left > 0 && parts.iter().all(|part| part.balance > 0) {
        let rule =
            "due to somebody: every node holds more than its due, and the tool would not end";
        return Err(Error::parameter("rest of the slots", left, rule));
    }
    while left > 0 {
        for part in parts.iter_mut().filter(|part| part.balance <= 0) {
            if left > 0 {
                part.balance -= 1;
                left -= 1;
            }
        }
    }
    Ok(())
}

/// The moves between the neediest and the richest, until they meet.
fn moves(mut parts: Vec<Part>, held: &mut [Vec<u16>]) -> Vec<Handover> {
    parts.sort_by_key(|part| part.balance);
    let mut handovers = Vec::new();
    let (mut taker, mut giver) = (0, parts.len() - 1);
    while taker < giver {
        let count = parts[giver].balance.min(-parts[taker].balance);
        // Where the dues add up to more than 16384 somebody stays in want.
        if count > 0 {
            let (from, to) = (parts[giver].node, parts[taker].node);
            handovers.push(Handover { from, to, slots: lowest(&mut held[from.get()], count) });
            parts[giver].balance -= count;
            parts[taker].balance += count;
        }
        let (sated, spent) = (parts[taker].balance >= 0, parts[giver].balance <= 0);
        taker += usize::from(sated);
        giver -= usize::from(spent);
    }
    handovers
}

/// Takes the lowest-numbered slots out of what a node holds.
fn lowest(held: &mut Vec<u16>, count: i64) -> Vec<u16> {
    let count = usize::try_from(count).expect("no move is of fewer than no slots");
    held.drain(..count.min(held.len())).collect()
}

fn count_of(slots: &[u16]) -> i64 {
    i64::try_from(slots.len()).expect("there are 16384 slots")
}

/// The slots of each node, ascending, by index.
fn held(slots: &Slots) -> Vec<Vec<u16>> {
    let mut held = vec![Vec::new(); slots.members().index_bound()];
    for slot in 0..SLOTS {
        if let Some(owner) = slots.owner_at(slot.into()) {
            held[owner.get()].push(slot);
        }
    }
    held
}

/// Fails where the tool asks to mend the map first.
fn mended(slots: &Slots) -> Result<(), Error> {
    let uncovered = slots.uncovered();
    let Some(first) = uncovered.first() else { return Ok(()) };
    let count: usize = uncovered.iter().map(ExactSizeIterator::len).sum();
    let value = alloc::format!("{count}, from slot {} on", first.start());
    Err(Error::parameter("number of slots without an owner", value, "0 before the tool moves any"))
}

fn index_of(slots: &Slots, id: &NodeId) -> Result<NodeIndex, Error> {
    slots.members().index_of(id).ok_or_else(|| Error::UnknownNode { id: id.clone() })
}
