//! [`Config`]: the hash of a ring, where its points come from, and what they own.

use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;

use homing_core::{Error, Fingerprinter, KeyHash, Members, Node, NodeId};

use crate::count::Count;
use crate::derived::Scheme;

/// How many points a weight unit has where nothing is said.
pub(crate) const PER_WEIGHT: u32 = 160;

/// The most points of a ring.
pub(crate) const LIMIT: u32 = u32::MAX;

/// Every choice beyond the membership that decides who owns what on a ring.
///
/// With the feature `serde` it is written flat: `hash`; `points`, the number a
/// weight unit; `prefix` and `separator` where the points are labelled; or
/// `assigned`, a list of `[position, id]`, in place of these three. A position
/// is a number or decimal text. The crate documentation has the rest, all of
/// which is left out where it is the default.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(try_from = "crate::form::Form", into = "crate::form::Form"))]
pub struct Config {
    /// The hash of keys; and of ids or labels, where points are not derived.
    pub hash: KeyHash,
    /// Where the points come from.
    pub points: Points,
    /// Which positions a point owns.
    pub boundary: Boundary,
    /// Who has a point that several nodes have.
    pub ties: Ties,
}

/// Where the points of a ring come from.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Points {
    /// The draws of each node, as many as its weight times `per_weight`.
    ///
    /// Where positions have fewer than 64 bits, the leading bits of the draws.
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
    /// Points made of the [label](Node::label) of each node, copy by copy.
    Derived {
        /// What is made of a copy.
        scheme: Scheme,
        /// How many copies each node has.
        count: Count,
    },
}

/// Which positions a point owns.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Boundary {
    /// `(predecessor, point]`: a key on a point belongs to it.
    #[default]
    AtOrAfter,
    /// `[predecessor, point)`: a key on a point belongs to the next one.
    After,
    /// The positions that are nearer to it than to any other point, either side
    /// and around the circle; of two as near the predecessor has the position.
    Nearest,
}

/// Who has a point that several nodes have.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Ties {
    /// The least id, by its UTF-8 bytes.
    #[default]
    LeastId,
    /// The least index: who came first.
    LowestIndex,
    /// The greatest index: who came last, in place of the others. A walk does not meet
    /// these there.
    HighestIndex,
}

impl Config {
    /// The greatest position: of the hash of the points, or of the keys where the
    /// points are not derived.
    pub(crate) fn max_position(&self) -> u64 {
        match &self.points {
            Points::Derived { scheme, .. } => scheme.max_point(),
            _ => self.hash.max_hash(),
        }
    }

    /// Whether the order of the members plays a part.
    pub(crate) fn is_ordered(&self) -> bool {
        self.ties != Ties::LeastId
            || matches!(&self.points, Points::Derived { count, .. } if count.is_ordered())
    }

    /// Whether a node may have other points because another one has changed.
    pub(crate) fn is_relative(&self) -> bool {
        matches!(&self.points, Points::Derived { count, .. } if count.is_relative())
    }

    /// Checks all that does not depend on who the members are.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let max = self.max_position();
        match &self.points {
            Points::Derived { scheme, count } => {
                scheme.check()?;
                count.check()?;
            }
            Points::Assigned(list) => {
                if let Some((at, id)) = list.iter().find(|&&(at, _)| at > max) {
                    let value = alloc::format!("at {at} for {id:?}");
                    let rule = alloc::format!("at {max} or below, as far as {} goes", self.hash);
                    return Err(Error::parameter("assigned", value, rule));
                }
            }
            Points::Drawn { .. } | Points::Labelled { .. } => {}
        }
        if self.hash.max_hash() > max {
            let value = alloc::format!("{}, up to {}", self.hash, self.hash.max_hash());
            let rule = alloc::format!("one up to {max}, as far as the points go");
            return Err(Error::parameter("hash", value, rule));
        }
        Ok(())
    }

    /// Adds the configuration to a digest; what is there by default adds nothing
    /// beyond hash and points.
    pub(crate) fn digest(&self, digest: Fingerprinter) -> Fingerprinter {
        let mut digest = self.points.digest(digest.hash(self.hash));
        if self.boundary != Boundary::default() {
            digest = digest.text("boundary").text(self.boundary.name());
        }
        if self.ties != Ties::default() {
            digest = digest.text("ties").text(self.ties.name());
        }
        digest
    }

    /// Adds the members, and their labels where these are hashed.
    pub(crate) fn digest_members(&self, digest: Fingerprinter, members: &Members) -> Fingerprinter {
        let derived = matches!(self.points, Points::Derived { .. });
        let label = |digest: Fingerprinter, node: &Node| digest.text(node.label());
        if self.is_ordered() {
            let digest = digest.members_by_index(members);
            let nodes = members.iter_by_index().map(|(_, node)| node);
            return if derived { nodes.fold(digest, label) } else { digest };
        }
        let digest = digest.members(members);
        let nodes = members.iter().map(|(_, node)| node);
        if derived { nodes.fold(digest, label) } else { digest }
    }
}

impl Boundary {
    /// Every boundary.
    #[cfg(feature = "serde")]
    pub(crate) const ALL: [Self; 3] = [Self::AtOrAfter, Self::After, Self::Nearest];

    /// The name in files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::AtOrAfter => "at-or-after",
            Self::After => "after",
            Self::Nearest => "nearest",
        }
    }
}

impl Ties {
    /// Every rule.
    #[cfg(feature = "serde")]
    pub(crate) const ALL: [Self; 3] = [Self::LeastId, Self::LowestIndex, Self::HighestIndex];

    /// The name in files.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::LeastId => "least-id",
            Self::LowestIndex => "lowest-index",
            Self::HighestIndex => "highest-index",
        }
    }
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
            Self::Assigned(_) | Self::Derived { .. } => Ok(()),
        }
    }

    /// Checks that these nodes can have points: that there are some where they are
    /// assigned, and that a label is a number where it must be one.
    pub(crate) fn check_nodes<'a>(
        &self,
        nodes: impl IntoIterator<Item = &'a Node>,
    ) -> Result<(), Error> {
        match self {
            Self::Assigned(list) => {
                let assigned: BTreeSet<&NodeId> = list.iter().map(|(_, id)| id).collect();
                match nodes.into_iter().find(|node| !assigned.contains(&node.id)) {
                    None => Ok(()),
                    Some(node) => Err(Error::parameter(
                        "assigned",
                        alloc::format!("without a point of {:?}", node.id),
                        "a list with at least one point of each member",
                    )),
                }
            }
            Self::Derived { scheme, .. } => {
                nodes.into_iter().try_for_each(|node| scheme.check_node(node))
            }
            Self::Drawn { .. } | Self::Labelled { .. } => Ok(()),
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
            Self::Derived { scheme, count } => count.digest(scheme.digest(digest.text("derived"))),
        }
    }

    /// The heap memory behind the points as configured, in bytes.
    pub(crate) fn memory_usage(&self) -> usize {
        match self {
            Self::Drawn { .. } => 0,
            Self::Derived { scheme, .. } => scheme.memory_usage(),
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
