//! [`Count`], how many copies of a label make points.

use alloc::vec;
use alloc::vec::Vec;

use homing_core::{Error, Fingerprinter, Members, Node, NodeIndex};

use crate::config::LIMIT;

/// How many copies each node has.
///
/// A node of weight 0 has none, and none is an error for any other.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Count {
    /// As many as the weight times a number, at least 1.
    PerWeight(u32),
    /// `floor(average * n * w / W)` for weight w, n nodes of weight above 0, and W
    /// the sum of the weights.
    Share {
        /// Copies of a node of mean weight, at least 1.
        average: u32,
        /// In which numbers that is reckoned.
        rounding: Rounding,
    },
    /// Copies until their running number reaches the running sum of `scale * w / W`,
    /// in f64; `scale = min(ceil(m * least) / m, greatest)` where m is the least
    /// `w / W`.
    Scaled {
        /// The least number of copies in all, at least 1.
        least: u32,
        /// The greatest number of copies in all, but for the last sum's rounding.
        greatest: u32,
        /// The order of the nodes in the sum.
        sums: Sums,
    },
}

/// In which numbers `floor(average * n * w / W)` is reckoned, each operation being
/// rounded to the nearest, ties to even.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub enum Rounding {
    /// In integers, without rounding.
    #[default]
    Exact,
    /// `((w / W) * average) * n` in f64.
    F64,
    /// `((w / W) * average) * n` in f32.
    F32,
    /// `w / W` in f32, `(that * average) * n` in f64, the product as f32.
    F32F64,
}

/// The order of the nodes in a running sum.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[non_exhaustive]
pub enum Sums {
    /// By label, by its UTF-8 bytes, then by id.
    #[default]
    ByLabel,
    /// By index: as they came.
    ByIndex,
}

impl Rounding {
    /// Every way.
    #[cfg(feature = "serde")]
    pub(crate) const ALL: [Self; 4] = [Self::Exact, Self::F64, Self::F32, Self::F32F64];

    /// The name in files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::F64 => "f64",
            Self::F32 => "f32",
            Self::F32F64 => "f32-f64",
        }
    }

    /// `floor(average * n * w / W)`.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "what is lost is what the rounding is named for; nothing is below 0"
    )]
    fn share(self, average: u32, count: usize, weight: u32, total: u64) -> u64 {
        match self {
            Self::Exact => {
                let copies = u128::from(average) * count as u128 * u128::from(weight);
                (copies / u128::from(total)) as u64
            }
            Self::F64 => {
                let part = f64::from(weight) / total as f64;
                (part * f64::from(average) * count as f64) as u64
            }
            Self::F32 => {
                let part = weight as f32 / total as f32;
                (part * average as f32 * count as f32) as u64
            }
            Self::F32F64 => {
                let part = weight as f32 / total as f32;
                let copies = f64::from(part) * f64::from(average) * f64::from(count as f32);
                (copies as f32) as u64
            }
        }
    }
}

impl Sums {
    /// Every order.
    #[cfg(feature = "serde")]
    pub(crate) const ALL: [Self; 2] = [Self::ByLabel, Self::ByIndex];

    /// The name in files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::ByLabel => "by-label",
            Self::ByIndex => "by-index",
        }
    }
}

impl Count {
    /// Whether the order of the members plays a part.
    pub(crate) fn is_ordered(self) -> bool {
        matches!(self, Self::Scaled { sums: Sums::ByIndex, .. })
    }

    /// Whether the count of a node depends on the other nodes.
    pub(crate) fn is_relative(self) -> bool {
        !matches!(self, Self::PerWeight(_))
    }

    pub(crate) fn check(self) -> Result<(), Error> {
        let from_1 = || alloc::format!("from 1 to {LIMIT}");
        match self {
            Self::PerWeight(0) => Err(Error::parameter("points", 0, from_1())),
            Self::Share { average: 0, .. } => Err(Error::parameter("average", 0, from_1())),
            Self::Scaled { least: 0, .. } => Err(Error::parameter("least", 0, from_1())),
            Self::Scaled { least, greatest, .. } if greatest < least => Err(Error::parameter(
                "greatest",
                greatest,
                alloc::format!("at least {least}, as least is"),
            )),
            _ => Ok(()),
        }
    }

    /// How many copies each member has, by index.
    ///
    /// Fails if one of weight above 0 has none, or if all have more than 2^32 - 1
    /// points, of which a copy has `points_a_copy`.
    pub(crate) fn copies(self, members: &Members, points_a_copy: u32) -> Result<Vec<u32>, Error> {
        let mut copies = vec![0; members.index_bound()];
        let mut all = 0_u64;
        let mut set = |index: NodeIndex, node: &Node, count: u64| {
            all = all.saturating_add(count.saturating_mul(points_a_copy.into()));
            let few = u32::try_from(all).ok().and(u32::try_from(count).ok());
            let Some(count) = few else {
                let rule = alloc::format!("at most {LIMIT} in all");
                return Err(Error::parameter("points", alloc::format!("{all} or more"), rule));
            };
            if count == 0 && node.weight > 0 {
                let value =
                    alloc::format!("{} for {:?}, which gives it no point", node.weight, node.id);
                return Err(Error::parameter("weight", value, "0, or enough for one"));
            }
            copies[index.get()] = count;
            Ok(())
        };
        let total = members.total_weight();
        match self {
            Self::PerWeight(number) => {
                for (index, node) in members.iter_by_index() {
                    set(index, node, u64::from(number) * u64::from(node.weight))?;
                }
            }
            Self::Share { average, rounding } => {
                let count = members.active();
                for (index, node) in members.iter_by_index() {
                    set(index, node, rounding.share(average, count, node.weight, total))?;
                }
            }
            Self::Scaled { least, greatest, sums } => {
                let mut nodes: Vec<(NodeIndex, &Node)> =
                    members.iter_by_index().filter(|(_, node)| node.weight > 0).collect();
                if sums == Sums::ByLabel {
                    nodes.sort_by_key(|(_, node)| (node.label(), &node.id));
                }
                let sums = Scale::new(least, greatest, &nodes, total);
                for ((index, node), count) in nodes.iter().zip(sums.counts(&nodes)) {
                    set(*index, node, count)?;
                }
            }
        }
        Ok(copies)
    }

    /// Adds the count to a digest.
    pub(crate) fn digest(self, digest: Fingerprinter) -> Fingerprinter {
        match self {
            Self::PerWeight(number) => digest.text("per weight").number(number.into()),
            Self::Share { average, rounding } => {
                digest.text("share").number(average.into()).text(rounding.name())
            }
            Self::Scaled { least, greatest, sums } => {
                let digest = digest.text("scaled").number(least.into()).number(greatest.into());
                digest.text(sums.name())
            }
        }
    }
}

/// What the parts of the nodes are multiplied by in a running sum.
struct Scale {
    scale: f64,
    total: f64,
}

#[expect(clippy::cast_precision_loss, reason = "numbers of copies are below 2^53")]
impl Scale {
    fn new(least: u32, greatest: u32, nodes: &[(NodeIndex, &Node)], total: u64) -> Self {
        let total = total as f64;
        let lightest = nodes.iter().map(|(_, node)| node.weight).min().unwrap_or(1);
        let part = f64::from(lightest) / total;
        let scale = (ceil(part * f64::from(least)) as f64 / part).min(f64::from(greatest));
        Self { scale, total }
    }

    fn counts(&self, nodes: &[(NodeIndex, &Node)]) -> impl Iterator<Item = u64> {
        let (mut sum, mut made) = (0.0, 0);
        nodes.iter().map(move |(_, node)| {
            sum += self.scale * (f64::from(node.weight) / self.total);
            let before = made;
            made = ceil(sum).max(made);
            made - before
        })
    }
}

/// The least integer that is not below a number, itself not below 0.
fn ceil(number: f64) -> u64 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "to cut the fraction off is the purpose"
    )]
    let floor = number as u64;
    #[expect(clippy::cast_precision_loss, reason = "an integral f64 comes back as it was")]
    let short = (floor as f64) < number;
    floor + u64::from(short)
}
