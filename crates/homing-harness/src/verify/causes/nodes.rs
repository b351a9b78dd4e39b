//! In which order a program has the members.

use std::cmp::Reverse;

use homing_core::Members;

use crate::verify::{Cause, Part};

/// A member, with the index that it has here.
#[derive(Clone, Debug)]
pub(super) struct Member {
    pub(super) index: usize,
    pub(super) id: String,
    pub(super) weight: u32,
}

/// The members in the order in which a program has them.
#[derive(Clone, Debug)]
pub(super) struct Nodes(pub(super) Vec<Member>);

impl Nodes {
    /// The members in order of index, which is that of their file.
    pub(super) fn by_index(members: &Members) -> Self {
        let member = |(index, node): (homing_core::NodeIndex, &homing_core::Node)| Member {
            index: index.get(),
            id: node.id.as_str().to_owned(),
            weight: node.weight,
        };
        Self(members.iter_by_index().map(member).collect())
    }

    /// The members that weigh more than 0, in order of id.
    pub(super) fn by_id(members: &Members) -> Self {
        let Self(mut nodes) = Self::by_index(members);
        nodes.retain(|node| node.weight > 0);
        nodes.sort_by(|a, b| a.id.cmp(&b.id));
        Self(nodes)
    }

    /// Whether all have the same weight.
    pub(super) fn are_even(&self) -> bool {
        self.0.iter().all(|node| node.weight == self.0[0].weight)
    }
}

type Order = fn(&mut Vec<Member>);

const ORDERS: &[(&str, Order)] = &[
    ("members in order of id", |nodes| nodes.sort_by(|a, b| a.id.cmp(&b.id))),
    ("members in the order given", |nodes| nodes.sort_by_key(|node| node.index)),
    ("members in the order given, reversed", |nodes| nodes.sort_by_key(|node| Reverse(node.index))),
    ("members in order of id, reversed", |nodes| nodes.sort_by(|a, b| b.id.cmp(&a.id))),
    ("members in order of the numbers in their ids", |nodes| {
        nodes.sort_by_cached_key(|node| pieces(&node.id));
    }),
];

const SHIFTS: &[(&str, Order)] = &[
    ("members counted from 1", |nodes| nodes.rotate_right(1)),
    ("members counted from the second on", |nodes| nodes.rotate_left(1)),
];

/// The causes of a family that goes by the order of its members.
pub(super) fn orders<R: AsMut<Nodes>>() -> impl Iterator<Item = Cause<R>> {
    of(ORDERS)
}

/// The causes of a family that numbers its members.
pub(super) fn shifts<R: AsMut<Nodes>>() -> impl Iterator<Item = Cause<R>> {
    of(SHIFTS)
}

/// The cause of a family that goes by weights.
pub(super) fn weights<R: AsMut<Nodes>>() -> Cause<R> {
    Cause::new("weights ignored", Part::Weights, |recipe: &mut R| {
        for node in &mut recipe.as_mut().0 {
            node.weight = node.weight.min(1);
        }
    })
}

fn of<R: AsMut<Nodes>>(orders: &'static [(&str, Order)]) -> impl Iterator<Item = Cause<R>> {
    orders.iter().map(|&(name, order)| {
        Cause::new(name, Part::Members, move |recipe: &mut R| order(&mut recipe.as_mut().0))
    })
}

/// A run of digits of an id, or of anything else; numbers come first.
#[derive(Eq, Ord, PartialEq, PartialOrd)]
enum Piece {
    Number(usize, String), // its length without leading zeros, its digits
    Text(String),
}

/// An id as runs of digits and of other characters.
fn pieces(id: &str) -> Vec<Piece> {
    let bytes = id.as_bytes();
    let runs = bytes.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit());
    runs.map(|run| {
        let text = String::from_utf8_lossy(run).into_owned();
        if run[0].is_ascii_digit() {
            let digits = text.trim_start_matches('0').to_owned();
            Piece::Number(digits.len(), digits)
        } else {
            Piece::Text(text)
        }
    })
    .collect()
}
