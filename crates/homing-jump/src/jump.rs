//! [`Jump`] and the function behind it, [`jump()`].

use alloc::vec::Vec;

use homing_core::{
    Build, Capabilities, Change, Disruption, Error, Family, Fingerprint, Fingerprinter, KeyHash,
    Members, NodeId, NodeIndex, Placement, Removal,
};

use crate::batch::{KEYS, MULTIPLIER, Path};
use crate::leap::base_after;
use crate::once;

/// What decides ownership beyond the members.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct Config {
    /// The hash of the keys.
    pub hash: KeyHash,
    /// How a leap is rounded.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Rounding::is_default"))]
    pub rounding: Rounding,
}

/// How a leap, the real number of the bucket that a key goes to next, is rounded.
///
/// The two give different buckets to a few keys.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Rounding {
    /// As published: the quotient 2^31 / draw, then its product with b + 1.
    #[default]
    Twice,
    /// The quotient of b + 1 and draw / 2^31. A draw of 2^31 ends the walk, as it does
    /// where draws are signed integers of 32 bits.
    Once,
}

impl Rounding {
    /// The name in configurations.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Twice => "twice",
            Self::Once => "once",
        }
    }

    /// Returns the bucket of a key as [`jump()`] does, rounded in this way.
    #[inline]
    #[must_use]
    pub fn jump(self, key: u64, buckets: u32) -> Option<u32> {
        match self {
            Self::Twice => jump(key, buckets),
            Self::Once => (1..=MAX_BUCKETS).contains(&buckets).then(|| once::jump(key, buckets)),
        }
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_default(&self) -> bool {
        *self == Self::Twice
    }
}

/// Jump consistent hash: bucket b belongs to the member with index b.
#[derive(Clone, Debug)]
pub struct Jump {
    config: Config,
    members: Members, // no index is free, every weight is 1
    buckets: u32,     // how many members there are, in 1..=MAX_BUCKETS
    path: Path,       // how batches are worked off
}

/// How batches are worked off plays no part.
impl PartialEq for Jump {
    fn eq(&self, other: &Self) -> bool {
        self.config == other.config && self.members == other.members
    }
}

impl Eq for Jump {}

const FAMILY: Family = Family {
    name: "jump",
    title: "jump consistent hash",
    source: "John Lamping and Eric Veach, \"A Fast, Minimal Memory, Consistent Hash Algorithm\", 2014",
    lookup: "O(ln N)",
    capabilities: Capabilities {
        weights: false,
        removal: Removal::Last,
        disruption: Disruption::Minimal,
        replicas: false,
        ordered: true,
    },
};

/// The published function counts buckets in a signed 32-bit integer.
const MAX_BUCKETS: u32 = (1 << 31) - 1;

impl Jump {
    /// Checks that each change, made after those before it, leaves buckets in a
    /// row, each of weight 1.
    fn check_steps(&self, changes: &[Change]) -> Result<(), Error> {
        let mut kept = self.members.len();
        let mut joined: Vec<&NodeId> = Vec::new();
        for change in changes {
            match change {
                Change::Add(node) => {
                    check_weight(node.weight)?;
                    joined.push(&node.id);
                }
                Change::Remove(id) => {
                    let last = joined.pop().unwrap_or_else(|| {
                        kept -= 1;
                        &self.members[NodeIndex::new(kept)].id
                    });
                    if last != id {
                        return Err(unsupported("removes only the node that joined last"));
                    }
                }
                Change::Reweight(_, weight) => check_weight(*weight)?,
                Change::Rebalance => {}
                _ => return Err(unsupported("knows no such change")),
            }
        }
        Ok(())
    }
}

impl Placement for Jump {
    fn family(&self) -> &'static Family {
        Self::FAMILY
    }

    fn members(&self) -> &Members {
        &self.members
    }

    #[inline]
    fn position(&self, key: &[u8]) -> u64 {
        self.config.hash.hash(key)
    }

    #[inline]
    fn owner_at(&self, position: u64) -> Option<NodeIndex> {
        self.config.rounding.jump(position, self.buckets).and_then(NodeIndex::checked)
    }

    fn owners_at(&self, positions: &[u64], owners: &mut [Option<NodeIndex>]) {
        assert_eq!(positions.len(), owners.len(), "one owner is written for each position");
        if self.config.rounding == Rounding::Once {
            let (full, rest) = positions.as_chunks::<8>();
            let (full_owners, rest_owners) = owners.as_chunks_mut::<8>();
            for (owners, positions) in full_owners.iter_mut().zip(full) {
                *owners = once::jump_eight(*positions, self.buckets).map(NodeIndex::checked);
            }
            for (owner, &position) in rest_owners.iter_mut().zip(rest) {
                *owner = self.owner_at(position);
            }
            return;
        }
        let mut reached = [0; KEYS];
        let (full, positions) = positions.as_chunks::<KEYS>();
        let (full_owners, owners) = owners.as_chunks_mut::<KEYS>();
        for (owners, positions) in full_owners.iter_mut().zip(full) {
            self.path.jump(positions, self.buckets, &mut reached);
            *owners = reached.map(NodeIndex::checked);
        }
        if !positions.is_empty() {
            // What the last batch lacks is filled up with keys nobody asked for.
            let mut keys = [0; KEYS];
            keys[..positions.len()].copy_from_slice(positions);
            self.path.jump(&keys, self.buckets, &mut reached);
            for (owner, bucket) in owners.iter_mut().zip(reached) {
                *owner = NodeIndex::checked(bucket);
            }
        }
    }

    fn apply(&mut self, changes: &[Change]) -> Result<(), Error> {
        let after = self.members.preview(changes)?;
        let buckets = check_count(after.len)?;
        self.check_steps(changes)?;
        self.members.apply(changes)?;
        self.buckets = buckets;
        Ok(())
    }

    /// Digests the hash, the rounding by name unless it is the default, and the members
    /// in order of index.
    fn fingerprint(&self) -> Fingerprint {
        let Config { hash, rounding } = self.config;
        let mut parts = Fingerprinter::new(FAMILY.name).hash(hash);
        if !rounding.is_default() {
            parts = parts.text("rounding").text(rounding.name());
        }
        parts.members_by_index(&self.members).finish()
    }

    fn keying(&self) -> Fingerprint {
        Fingerprint::of_keying(self.max_position(), self.config.hash)
    }

    fn memory_usage(&self) -> usize {
        self.members.memory_usage()
    }

    /// The greatest value of the hash.
    fn max_position(&self) -> u64 {
        self.config.hash.max_hash()
    }
}

impl Build for Jump {
    type Config = Config;

    const FAMILY: &'static Family = &FAMILY;

    /// Builds the layout of `members` under `config`.
    ///
    /// # Errors
    ///
    /// Fails if a member's weight is not 1, an index is free, or there are more
    /// than 2^31 - 1 members.
    fn build(config: Config, members: Members) -> Result<Self, Error> {
        let buckets = check_count(members.len())?;
        if members.len() < members.index_bound() {
            return Err(unsupported("takes no membership with a freed index"));
        }
        for (_, node) in members.iter() {
            check_weight(node.weight)?;
        }
        Ok(Self { config, members, buckets, path: Path::detect() })
    }

    fn config(&self) -> Config {
        self.config.clone()
    }
}

/// Returns the bucket of a key, in `0..buckets`, or `None` unless `buckets` is in
/// `1..=2^31 - 1`.
///
/// Raising `buckets` from n to n + 1 moves a key with probability 1 / (n + 1),
/// and only to bucket n. Takes about ln `buckets` steps.
///
/// The key should be a hash: a key wider than 64 bits is hashed to 64 first.
///
/// Source: John Lamping and Eric Veach, "A Fast, Minimal Memory, Consistent Hash
/// Algorithm", 2014, figure 1.
///
/// # Examples
///
/// ```
/// use homing_jump::jump;
///
/// assert_eq!(jump(256, 1024), Some(520));
/// assert_eq!(jump(256, 0), None);
/// ```
#[inline]
#[must_use]
pub fn jump(key: u64, buckets: u32) -> Option<u32> {
    if !(1..=MAX_BUCKETS).contains(&buckets) {
        return None;
    }
    let end = f64::from(buckets);
    let mut base = 1.0; // one more than the bucket
    let mut state = key;
    loop {
        state = state.wrapping_mul(MULTIPLIER).wrapping_add(1);
        let drawn = (state >> 33) as u32 + 1;
        // The quotient is rounded before the product is, as in the paper: another
        // order of operations gives other buckets.
        let leap = base * (f64::from(1_u32 << 31) / f64::from(drawn));
        // The paper cuts it to a whole number first. Below a whole number both are or
        // neither is.
        if leap >= end {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is a whole number from 1 to `buckets`"
            )]
            return Some(base as i64 as u32 - 1);
        }
        base = base_after(leap);
    }
}

fn check_count(count: usize) -> Result<u32, Error> {
    u32::try_from(count)
        .ok()
        .filter(|&count| count <= MAX_BUCKETS)
        .ok_or_else(|| Error::parameter("nodes", count, "at most 2147483647"))
}

fn check_weight(weight: u32) -> Result<(), Error> {
    if weight == 1 { Ok(()) } else { Err(unsupported("takes only nodes of weight 1")) }
}

fn unsupported(rule: &'static str) -> Error {
    Error::Unsupported { family: FAMILY.name, rule }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString;

    use super::*;

    #[test]
    fn more_nodes_than_buckets_are_refused() {
        assert_eq!(check_count(2_147_483_647), Ok(2_147_483_647));
        assert_eq!(
            check_count(2_147_483_648).unwrap_err().to_string(),
            "nodes is 2147483648, but must be at most 2147483647"
        );
    }
}
