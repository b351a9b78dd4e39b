//! [`OperatorTool::reshard`]: so many slots to one node.

use alloc::vec::Vec;

use homing_core::{Error, NodeId, NodeIndex};

use super::{OperatorTool, count_of, held, index_of, lowest, mended};
use crate::{Handover, SLOTS, Slots};

impl OperatorTool {
    /// The moves of `count` slots to the node `to`, from the nodes `from` in
    /// proportion to what they hold, or from all others if `from` is empty.
    ///
    /// Who holds most comes first and gives its part rounded up; the others give
    /// theirs rounded down, each its lowest-numbered slots. So it may move fewer
    /// than asked for.
    ///
    /// # Errors
    ///
    /// Fails if slots are without an owner, if `count` is 0 or above 16384, if
    /// `to` is among `from`, or if a node is no member or named twice.
    pub fn reshard(
        &self,
        slots: &Slots,
        from: &[NodeId],
        to: &NodeId,
        count: u16,
    ) -> Result<Vec<Handover>, Error> {
        mended(slots)?;
        if count == 0 || count > SLOTS {
            return Err(Error::parameter("number of slots to move", count, "from 1 to 16384"));
        }
        let to = index_of(slots, to)?;
        let mut held = held(slots);
        let mut sources = self.sources(slots, from, to)?;
        sources.sort_by_key(|source| core::cmp::Reverse(held[source.get()].len()));
        let all: usize = sources.iter().map(|source| held[source.get()].len()).sum();
        let mut left = i64::from(count);
        let mut handovers = Vec::new();
        for (place, &from) in sources.iter().enumerate() {
            let held = &mut held[from.get()];
            let part = part(count, all, held.len(), place == 0).min(left);
            if part > 0 && !held.is_empty() {
                let slots = lowest(held, part);
                left -= count_of(&slots);
                handovers.push(Handover { from, to, slots });
            }
        }
        Ok(handovers)
    }

    fn sources(
        &self,
        slots: &Slots,
        from: &[NodeId],
        to: NodeIndex,
    ) -> Result<Vec<NodeIndex>, Error> {
        if from.is_empty() {
            let order = self.order_of(slots)?;
            return Ok(order.into_iter().filter(|&node| node != to).collect());
        }
        let mut sources = Vec::with_capacity(from.len());
        for id in from {
            let source = index_of(slots, id)?;
            if source == to || sources.contains(&source) {
                let value = alloc::format!("{id:?}");
                return Err(Error::parameter("source", value, "named once, and not who gets them"));
            }
            sources.push(source);
        }
        Ok(sources)
    }
}

/// The part of a node that holds `held` of `all` slots, in `count`.
#[expect(clippy::cast_precision_loss, reason = "no number is above 16384")]
#[expect(clippy::cast_possible_truncation, reason = "cut to an integer on purpose")]
fn part(count: u16, all: usize, held: usize, first: bool) -> i64 {
    let part = f32::from(count) / all as f32 * held as f32;
    let cut = part as i64;
    if first && part > cut as f32 { cut + 1 } else { cut }
}
