//! [`Buckets`] and [`Order`]: which member has which bucket.

use alloc::vec;
use alloc::vec::Vec;

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
fn interleave(weights: &[u32]) -> impl Iterator<Item = usize> {
    let divisor = weights.iter().fold(0, |a, &b| gcd(a, b));
    let weights: Vec<i64> = weights.iter().map(|&weight| i64::from(weight / divisor)).collect();
    let total: i64 = weights.iter().sum();
    let mut credits = vec![0; weights.len()];
    (0..total).map(move |_| {
        let mut first = (0, i64::MIN);
        for (place, (credit, &weight)) in credits.iter_mut().zip(&weights).enumerate() {
            *credit += weight;
            let level = (*credit + total).div_euclid(total);
            if weight > 0 && level > first.1 {
                first = (place, level);
            }
        }
        credits[first.0] -= total;
        first.0
    })
}

fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}
