//! [`Buckets`] and [`Order`]: which member has which bucket.

use alloc::collections::{BTreeSet, BinaryHeap};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;

use homing_core::{Members, NodeIndex};

/// Which buckets a member has.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Buckets {
    /// One each, in order: weights other than 1 are refused.
    #[default]
    Members,
    /// As many as its weight, in a row; none at weight 0.
    Repeated,
    /// As many as its weight over the greatest common divisor of all weights, spread
    /// evenly among those of the others; none at weight 0.
    ///
    /// Bucket by bucket the credit of each member grows by its weight, and the first
    /// member with the greatest floor((credit + W) / W) has the bucket and gives W of
    /// its credit, W the sum of the weights.
    Interleaved,
}

/// The order in which members take their buckets.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Order {
    /// By index.
    #[default]
    Index,
    /// By the length of the label in bytes, equal ones by its bytes; equal labels by id.
    LabelLength,
}

impl Buckets {
    /// The name in configurations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Members => "members",
            Self::Repeated => "repeated",
            Self::Interleaved => "interleaved",
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::Members
    }

    /// Writes the owner of each bucket to `owners`, which is empty.
    pub(crate) fn deal(self, order: &[NodeIndex], members: &Members, owners: &mut Vec<NodeIndex>) {
        let weight = |index: NodeIndex| members[index].weight;
        match self {
            Self::Members => owners.extend(order),
            Self::Repeated => {
                let rows = order.iter().map(|&index| (index, weight(index) as usize));
                owners.extend(rows.flat_map(|(index, count)| core::iter::repeat_n(index, count)));
            }
            Self::Interleaved => {
                let weights: Vec<u32> = order.iter().map(|&index| weight(index)).collect();
                owners.extend(interleave(&weights).map(|place| order[place]));
            }
        }
    }
}

impl Order {
    /// The name in configurations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Index => "index",
            Self::LabelLength => "label-length",
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    pub(crate) fn is_default(&self) -> bool {
        *self == Self::Index
    }

    /// The members in this order.
    pub(crate) fn arrange(self, members: &Members) -> Vec<NodeIndex> {
        match self {
            Self::Index => members.iter_by_index().map(|(index, _)| index).collect(),
            Self::LabelLength => {
                let mut order: Vec<NodeIndex> = members.iter().map(|(index, _)| index).collect();
                order.sort_by_key(|&index| {
                    let label = members[index].label();
                    (label.len(), label)
                });
                order
            }
        }
    }
}

/// The place among `weights` that has each bucket. One weight at least is above 0.
fn interleave(weights: &[u32]) -> Interleaved {
    let divisor = weights.iter().fold(0, |a, &b| gcd(a, b));
    let weights: Vec<u64> = weights.iter().map(|&weight| (weight / divisor).into()).collect();
    let total = weights.iter().sum();
    let places = (0..weights.len()).filter(|&place| weights[place] > 0);
    Interleaved {
        standing: places.clone().map(|place| (Reverse(1), place)).collect(),
        rises: places.map(|place| Reverse(rise(total, &weights, place, 1))).collect(),
        levels: vec![1; weights.len()],
        weights,
        total,
        dealt: 0,
    }
}

/// The buckets of [`Buckets::Interleaved`], in O(log n) each.
///
/// At bucket t, from 1, a member that has had k buckets has the credit t w - k W, and so
/// the level floor(t w / W) + 1 - k: it rises where t w comes to another multiple of W.
struct Interleaved {
    weights: Vec<u64>, // without a common divisor
    total: u64,        // W, and how many buckets there are
    dealt: u64,
    levels: Vec<i64>,                          // of each place
    standing: BTreeSet<(Reverse<i64>, usize)>, // of those that weigh, the first has the bucket
    rises: BinaryHeap<Reverse<Rise>>,          // the next of each
}

/// At which bucket the level of a place rises, and for which time.
type Rise = (u64, u64, usize);

fn rise(total: u64, weights: &[u64], place: usize, time: u64) -> Rise {
    ((time * total).div_ceil(weights[place]), time, place)
}

impl Interleaved {
    fn shift(&mut self, place: usize, by: i64) {
        let level = &mut self.levels[place];
        self.standing.remove(&(Reverse(*level), place));
        *level += by;
        self.standing.insert((Reverse(*level), place));
    }
}

impl Iterator for Interleaved {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        if self.dealt == self.total {
            return None;
        }
        self.dealt += 1;
        while let Some(&Reverse((at, time, place))) = self.rises.peek()
            && at <= self.dealt
        {
            self.rises.pop();
            self.rises.push(Reverse(rise(self.total, &self.weights, place, time + 1)));
            self.shift(place, 1);
        }
        let &(_, first) = self.standing.first()?;
        self.shift(first, -1);
        Some(first)
    }
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use homing_core::draw;

    use super::*;

    /// By the definition of [`Buckets::Interleaved`], weights without a common divisor.
    fn plain(weights: &[u32]) -> Vec<usize> {
        let weights: Vec<i64> = weights.iter().copied().map(i64::from).collect();
        let total: i64 = weights.iter().sum();
        let mut credits = vec![0; weights.len()];
        let deal = |_| {
            credits.iter_mut().zip(&weights).for_each(|(credit, weight)| *credit += weight);
            let level = |place: &usize| (credits[*place] + total).div_euclid(total);
            let weighing = (0..weights.len()).rev().filter(|&place| weights[place] > 0);
            // Of equal ones the last, which is the first place.
            let first = weighing.max_by_key(level).unwrap();
            credits[first] -= total;
            first
        };
        (0..total).map(deal).collect()
    }

    #[test]
    fn buckets_are_dealt_as_defined() {
        for count in 1..40 {
            for bound in [2, 3, 10, 300] {
                let drawn = (0..count).map(|i| draw(count, i) % bound);
                let drawn = drawn.map(|weight| u32::try_from(weight).unwrap());
                // With a weight of 1 there is no common divisor.
                let weights: Vec<u32> = drawn.chain([1, 0]).collect();
                assert_eq!(interleave(&weights).collect::<Vec<_>>(), plain(&weights));
            }
        }
    }
}
