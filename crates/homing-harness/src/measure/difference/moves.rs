//! [`Moves`]: each run of positions, or each key, that changes its owner.

use std::sync::Arc;

use homing_core::{Move, NodeId, Plan};
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::pairs::Pairs;
use super::tally::Tally;

/// Each move.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[serde(untagged)]
pub enum Moves {
    /// Runs of positions, ascending, or step by step.
    Ranges(Ranges),
    /// Keys, in the order in which they were given.
    Keys(Vec<KeyMove>),
}

/// Runs of positions that change their owner.
///
/// Names are put to them one by one, for the reason that [`Matrix`](super::Matrix)
/// has.
#[derive(Clone, Debug, PartialEq)]
pub struct Ranges(Listed);

#[derive(Clone, Debug, PartialEq)]
enum Listed {
    Exactly(Arc<Pairs>, Plan),
    Some(Vec<RangeMove>),
}

/// A run of positions that changes its owner.
#[derive(Clone, Debug, Eq, PartialEq, serde::Serialize)]
pub struct RangeMove {
    /// The step of the plan it is part of, from 1, where the plan is cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<usize>,
    /// The least position, inclusive.
    pub first: u64,
    /// The greatest position, inclusive.
    pub last: u64,
    /// The owner before.
    pub from: Option<NodeId>,
    /// The owner after.
    pub to: Option<NodeId>,
}

/// A key that changes its owner.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct KeyMove {
    /// The step of the plan it is part of, from 1, where that is known.
    pub step: Option<usize>,
    /// The key, as it was given.
    pub key: Vec<u8>,
    /// The owner before.
    pub from: Option<NodeId>,
    /// The owner after.
    pub to: Option<NodeId>,
    /// Its bytes, where they are known.
    pub bytes: Option<u64>,
    /// Its requests, where they are told apart.
    pub requests: Option<u64>,
}

impl Serialize for KeyMove {
    /// The key as a text, and where it is not UTF-8 its bytes in `key_hex` too.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        if let Some(step) = self.step {
            map.serialize_entry("step", &step)?;
        }
        let text = String::from_utf8_lossy(&self.key);
        map.serialize_entry("key", &text)?;
        if matches!(text, std::borrow::Cow::Owned(_)) {
            map.serialize_entry("key_hex", &hex::encode(&self.key))?;
        }
        map.serialize_entry("from", &self.from)?;
        map.serialize_entry("to", &self.to)?;
        if let Some(bytes) = self.bytes {
            map.serialize_entry("bytes", &bytes)?;
        }
        if let Some(requests) = self.requests {
            map.serialize_entry("requests", &requests)?;
        }
        map.end()
    }
}

impl Moves {
    pub(super) fn new(pairs: &Arc<Pairs>, plan: Option<Plan>, tally: Option<Tally>) -> Self {
        match (tally, plan) {
            (Some(tally), _) if tally.listed => {
                let moves = tally.moves.into_iter().map(|it| {
                    let (from, to) = pairs.nodes(pairs.number(it.from, it.to));
                    KeyMove {
                        step: None,
                        key: it.key,
                        from: from.cloned(),
                        to: to.cloned(),
                        bytes: it.bytes,
                        requests: it.requests,
                    }
                });
                Self::Keys(moves.collect())
            }
            (_, Some(plan)) => Self::Ranges(Ranges(Listed::Exactly(Arc::clone(pairs), plan))),
            _ => Self::Ranges(Vec::new().into()),
        }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Ranges(moves) => moves.len(),
            Self::Keys(moves) => moves.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Keeps those to a node alone.
    pub fn keep_to(&mut self, node: &NodeId) {
        let is_to = |to: &Option<NodeId>| to.as_ref() == Some(node);
        match self {
            Self::Ranges(moves) => {
                *moves = moves.iter().filter(|it| is_to(&it.to)).collect::<Vec<_>>().into();
            }
            Self::Keys(moves) => moves.retain(|it| is_to(&it.to)),
        }
    }

    /// Keeps the first `count`.
    pub fn truncate(&mut self, count: usize) {
        match self {
            Self::Ranges(moves) => *moves = moves.iter().take(count).collect::<Vec<_>>().into(),
            Self::Keys(moves) => moves.truncate(count),
        }
    }
}

impl From<Vec<RangeMove>> for Ranges {
    fn from(moves: Vec<RangeMove>) -> Self {
        Self(Listed::Some(moves))
    }
}

impl Ranges {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        match &self.0 {
            Listed::Exactly(_, plan) => plan.moves().len(),
            Listed::Some(moves) => moves.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The runs, one by one.
    pub fn iter(&self) -> impl Iterator<Item = RangeMove> {
        (0..self.len()).map(|i| match &self.0 {
            Listed::Exactly(pairs, plan) => named(pairs, &plan.moves()[i]),
            Listed::Some(moves) => moves[i].clone(),
        })
    }
}

impl Serialize for Ranges {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

fn named(pairs: &Pairs, run: &Move) -> RangeMove {
    let (from, to) = pairs.nodes(pairs.number(run.from, run.to));
    RangeMove { step: None, first: run.first, last: run.last, from: from.cloned(), to: to.cloned() }
}
