//! [`Config`]: the hash of a ring and where its points come from.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use homing_core::{Error, Fingerprinter, KeyHash, NodeId};

/// How many points a weight unit has where nothing is said.
pub(crate) const PER_WEIGHT: u32 = 160;

/// Every choice beyond the membership that decides who owns what on a ring.
///
/// With the feature `serde` it is written flat: `hash`; `points`, the number a
/// weight unit; `prefix` and `separator` where the points are labelled; or
/// `assigned`, a list of `[position, id]`, in place of these three. A position
/// is a number or decimal text.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::form::Form", into = "crate::form::Form"))]
pub struct Config {
    /// The hash of keys, and of ids or labels.
    pub hash: KeyHash,
    /// Where the points come from.
    pub points: Points,
}

/// Where the points of a ring come from.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Points {
    /// The draws of each node, as many as its weight times `per_weight`.
    Drawn {
        /// Points a weight unit, at least 1.
        per_weight: u32,
    },
    /// The hashes of labels: prefix, id, separator, and the number of the copy in
    /// decimal, from 0.
    Labelled {
        /// What stands before the id.
        prefix: String,
        /// What stands between the id and the number of the copy.
        separator: String,
        /// Points a weight unit, at least 1.
        per_weight: u32,
    },
    /// The points given, in any order.
    ///
    /// Of a weight it only counts whether it is 0. Every member must have a
    /// point; points of nodes that are no members wait until these join.
    Assigned(Vec<(u64, NodeId)>),
}

impl Default for Points {
    /// 160 draws a weight unit.
    fn default() -> Self {
        Self::Drawn { per_weight: PER_WEIGHT }
    }
}

impl Points {
    /// The same points in the one order that equal ones share: ascending, each once.
    pub(crate) fn in_order(mut self) -> Self {
        if let Self::Assigned(list) = &mut self {
            list.sort_unstable();
            list.dedup();
        }
        self
    }

    /// Checks that members of this total weight can have their points.
    pub(crate) fn check(&self, total_weight: u64) -> Result<(), Error> {
        const LIMIT: u32 = u32::MAX;
        let most = || alloc::format!("at most {LIMIT} in all");
        match self {
            Self::Drawn { per_weight: 0 } | Self::Labelled { per_weight: 0, .. } => {
                Err(Error::parameter("points", 0, alloc::format!("from 1 to {LIMIT}")))
            }
            Self::Drawn { per_weight } | Self::Labelled { per_weight, .. } => {
                if u128::from(*per_weight) * u128::from(total_weight) > u128::from(LIMIT) {
                    let value = alloc::format!("{per_weight} x a total weight of {total_weight}");
                    return Err(Error::parameter("points", value, most()));
                }
                Ok(())
            }
            Self::Assigned(list) if u32::try_from(list.len()).is_err() => {
                Err(Error::parameter("assigned", list.len(), most()))
            }
            Self::Assigned(list) if list.iter().any(|(_, id)| id.as_str().is_empty()) => {
                Err(Error::parameter("id", "\"\"", "at least one byte long"))
            }
            Self::Assigned(_) => Ok(()),
        }
    }

    /// Checks that these nodes have points, which only assigned ones can lack.
    pub(crate) fn check_nodes<'a>(
        &self,
        ids: impl IntoIterator<Item = &'a NodeId>,
    ) -> Result<(), Error> {
        let Self::Assigned(list) = self else { return Ok(()) };
        let assigned: BTreeSet<&NodeId> = list.iter().map(|(_, id)| id).collect();
        match ids.into_iter().find(|id| !assigned.contains(id)) {
            None => Ok(()),
            Some(id) => Err(Error::parameter(
                "assigned",
                alloc::format!("without a point of {id:?}"),
                "a list with at least one point of each member",
            )),
        }
    }

    /// Adds the points to a digest: a text for their kind, then what they are of.
    pub(crate) fn digest(&self, digest: Fingerprinter) -> Fingerprinter {
        match self {
            Self::Drawn { per_weight } => digest.text("drawn").number(u64::from(*per_weight)),
            Self::Labelled { prefix, separator, per_weight } => {
                digest.text("labelled").text(prefix).text(separator).number(u64::from(*per_weight))
            }
            Self::Assigned(list) => list
                .iter()
                .fold(digest.text("assigned").number(list.len() as u64), |digest, (at, id)| {
                    digest.number(*at).text(id.as_str())
                }),
        }
    }

    /// The heap memory behind the points as configured, in bytes.
    pub(crate) fn memory_usage(&self) -> usize {
        match self {
            Self::Drawn { .. } => 0,
            Self::Labelled { prefix, separator, .. } => prefix.capacity() + separator.capacity(),
            Self::Assigned(list) => {
                // An id is text behind two counts, shared by its clones.
                let ids: BTreeSet<&NodeId> = list.iter().map(|(_, id)| id).collect();
                let texts: usize =
                    ids.iter().map(|id| id.as_str().len() + 2 * size_of::<usize>()).sum();
                list.capacity() * size_of::<(u64, NodeId)>() + texts
            }
        }
    }
}
