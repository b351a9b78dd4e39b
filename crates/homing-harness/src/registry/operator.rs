//! [`Operator`]: what a family leaves to whoever runs it, behind the registry.

use homing_core::{Build, Members, NodeIndex, Placement};
use homing_slots::{Config, OperatorTool, Prefer, SlotRange, Slots};
use serde_json::Value;

use super::{Parameters, config};
use crate::Result;

/// What a planner aims at, for families whose moves are the operator's.
#[derive(Clone, Copy, Debug)]
pub enum Aim<'a> {
    /// A quota by weight for each node, with the fewest moves.
    FewestMoves,
    /// A quota by weight for each node, in the fewest ranges.
    FewestRanges,
    /// The load that each position has, level by weight to so many thousandths.
    Level(&'a [u64], u32),
    /// The same in one range for each node, level as far as ranges can be.
    LevelInRanges(&'a [u64], u32),
    /// What the operator's own tool does with who joins and who is drained, having
    /// read the nodes in order of index.
    AsTheTool,
}

/// What no plan to quotas in the fewest ranges goes below.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Bound {
    /// The ranges of the map.
    pub ranges: usize,
    /// The positions that move.
    pub moved: usize,
}

/// Positions that one node hands to another.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Handing {
    /// Who hands them over.
    pub from: NodeIndex,
    /// Who gets them.
    pub to: NodeIndex,
    /// The positions, ascending.
    pub positions: Vec<u64>,
}

/// How an operator plans and states a map.
#[derive(Clone, Copy)]
pub struct Operator {
    /// What a position is called, in the plural.
    pub unit: &'static str,
    /// Of more nodes than this a plan in ranges moves few, not certainly the fewest.
    pub ordered_nodes: usize,
    plan: fn(&Parameters, Members, Aim<'_>) -> Result<Vec<Handing>>,
    bound: fn(&Parameters, Members) -> Result<Bound>,
    state: fn(&Members, &[Option<NodeIndex>]) -> Parameters,
}

/// The operator of slots.
pub(super) const SLOTS: Operator =
    Operator { unit: "slots", ordered_nodes: Slots::ORDERED_NODES, plan, bound, state };

impl std::fmt::Debug for Operator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Operator of {}", self.unit)
    }
}

impl Operator {
    /// What an operator would hand over in the layout of `members` under these
    /// parameters; nothing else is changed.
    ///
    /// # Errors
    ///
    /// Fails if there is no such layout, if there is not one load a position, or if
    /// the operator's tool would refuse.
    pub fn plan(
        &self,
        parameters: &Parameters,
        members: Members,
        aim: Aim<'_>,
    ) -> Result<Vec<Handing>> {
        (self.plan)(parameters, members, aim)
    }

    /// What no plan to quotas in the fewest ranges goes below.
    ///
    /// # Errors
    ///
    /// Fails if there is no such layout.
    pub fn bound(&self, parameters: &Parameters, members: Members) -> Result<Bound> {
        (self.bound)(parameters, members)
    }

    /// The parameters under which each position has the owner in `owners`.
    #[must_use]
    pub fn state(&self, members: &Members, owners: &[Option<NodeIndex>]) -> Parameters {
        (self.state)(members, owners)
    }
}

fn plan(parameters: &Parameters, members: Members, aim: Aim<'_>) -> Result<Vec<Handing>> {
    let slots = Slots::build(config::<Slots>(parameters)?, members)?;
    let moves = match aim {
        Aim::FewestMoves => slots.moves_to_quotas(Prefer::Moves),
        Aim::FewestRanges => slots.moves_to_quotas(Prefer::Ranges),
        Aim::Level(loads, within) => slots.moves_to_level(loads, within, Prefer::Moves)?,
        Aim::LevelInRanges(loads, within) => slots.moves_to_level(loads, within, Prefer::Ranges)?,
        Aim::AsTheTool => {
            OperatorTool { use_empty: true, ..OperatorTool::default() }.rebalance(&slots)?
        }
    };
    let moves = moves.into_iter().map(|it| Handing {
        from: it.from,
        to: it.to,
        positions: it.slots.into_iter().map(u64::from).collect(),
    });
    Ok(moves.collect())
}

fn bound(parameters: &Parameters, members: Members) -> Result<Bound> {
    let bound = Slots::build(config::<Slots>(parameters)?, members)?.bound_in_ranges();
    Ok(Bound { ranges: bound.ranges, moved: bound.moved })
}

fn state(members: &Members, owners: &[Option<NodeIndex>]) -> Parameters {
    let mut first = 0_u16;
    let mut ranges = Vec::new();
    for run in owners.chunk_by(|a, b| a == b) {
        let last = first + (u16::try_from(run.len()).expect("there are 16384 slots") - 1);
        if let Some(owner) = run[0] {
            ranges.push(SlotRange { first, last, node: members[owner].id.clone() });
        }
        first = last + 1;
    }
    match serde_json::to_value(Config { ranges: Some(ranges) }) {
        Ok(Value::Object(parameters)) => parameters,
        other => unreachable!("a configuration is a table, not {other:?}"),
    }
}

/// The owner of every position of a layout of an operator's family.
#[must_use]
pub fn owners(placement: &dyn Placement) -> Vec<Option<NodeIndex>> {
    (0..=placement.max_position()).map(|position| placement.owner_at(position)).collect()
}
