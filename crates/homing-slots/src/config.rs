//! [`Config`], who owns which slots, and the owners that it gives.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use homing_core::{Error, Members, NodeId, NodeIndex, apportion};

use crate::SLOTS;

/// The slot map that a layout is built with.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Config {
    /// Who owns what, in any order; a slot in no range has no owner.
    ///
    /// `None`, the default, splits the slots over the members in proportion to
    /// their weights. The configuration of a layout always has ranges.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub ranges: Option<Vec<SlotRange>>,
}

/// A run of slots with one owner.
#[derive(Clone, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(into = "(u16, u16, NodeId)", try_from = "(u64, u64, NodeId)"))]
pub struct SlotRange {
    /// The least slot of the run, inclusive.
    pub first: u16,
    /// The greatest slot of the run, inclusive.
    pub last: u16,
    /// Who owns it.
    pub node: NodeId,
}

impl fmt::Display for SlotRange {
    /// The range as in `0-5460 of "a"`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{} of {:?}", self.first, self.last, self.node)
    }
}

impl From<SlotRange> for (u16, u16, NodeId) {
    fn from(range: SlotRange) -> Self {
        (range.first, range.last, range.node)
    }
}

impl TryFrom<(u64, u64, NodeId)> for SlotRange {
    type Error = Error;

    fn try_from((first, last, node): (u64, u64, NodeId)) -> Result<Self, Error> {
        match (u16::try_from(first), u16::try_from(last)) {
            (Ok(first), Ok(last)) => Ok(Self { first, last, node }),
            _ => Err(beyond(format_args!("{first}-{last} of {node:?}"))),
        }
    }
}

impl Config {
    /// The owner of each slot.
    pub(crate) fn owners(&self, members: &Members) -> Result<Box<[Option<NodeIndex>]>, Error> {
        match &self.ranges {
            Some(ranges) => assigned(ranges, members),
            None => Ok(split(members)),
        }
    }
}

/// The owners that `ranges` say.
fn assigned(ranges: &[SlotRange], members: &Members) -> Result<Box<[Option<NodeIndex>]>, Error> {
    let mut owners = vec![None; usize::from(SLOTS)];
    for (i, range) in ranges.iter().enumerate() {
        let SlotRange { first, last, ref node } = *range;
        if last >= SLOTS || first >= SLOTS {
            return Err(beyond(range));
        }
        if first > last {
            return Err(Error::parameter("range", range, "from a slot to one not below it"));
        }
        let owner =
            members.index_of(node).ok_or_else(|| Error::UnknownNode { id: node.clone() })?;
        let run = &mut owners[usize::from(first)..=usize::from(last)];
        if run.iter().any(Option::is_some) {
            let overlaps = |other: &&SlotRange| first <= other.last && other.first <= last;
            let other = ranges[..i].iter().find(overlaps).expect("an earlier range filled it");
            return Err(Error::parameter("range", range, alloc::format!("apart from {other}")));
        }
        run.fill(Some(owner));
    }
    Ok(owners.into_boxed_slice())
}

/// The slots in one range for each node, in order of id.
///
/// With equal weights the ends are those that `redis-cli --cluster create` gives.
fn split(members: &Members) -> Box<[Option<NodeIndex>]> {
    let nodes = members.iter().filter(|(_, node)| node.weight > 0);
    let (nodes, weights): (Vec<NodeIndex>, Vec<u32>) =
        nodes.map(|(index, node)| (index, node.weight)).unzip();
    let counts = if members.weighs_evenly() {
        even(nodes.len())
    } else {
        let quotas = apportion(u32::from(SLOTS), &weights, &vec![0; weights.len()]);
        quotas.into_iter().map(|quota| quota as usize).collect()
    };
    let owners = nodes.into_iter().zip(counts);
    owners.flat_map(|(node, count)| core::iter::repeat_n(Some(node), count)).collect()
}

/// How many slots each of `nodes` nodes gets: node k, from 0, ends before the
/// slot at 16384 (k + 1) / nodes, rounded, halves up.
fn even(nodes: usize) -> Vec<usize> {
    let all = usize::from(SLOTS);
    let end = |k: usize| (2 * all as u64 * k as u64 + nodes as u64) / (2 * nodes as u64);
    #[expect(clippy::cast_possible_truncation, reason = "an end is at most 16384")]
    (0..nodes).map(|k| (end(k + 1) - end(k)) as usize).collect()
}

fn beyond(range: impl fmt::Display) -> Error {
    Error::parameter("range", range, "within 0-16383")
}
