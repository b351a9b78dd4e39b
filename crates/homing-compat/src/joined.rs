//! [`Joined`]: contests in which a key and a node are hashed together.

use alloc::vec::Vec;

use homing_core::compat::Algorithm;
use homing_core::{Error, Members, Node, NodeIndex, Zone};
use sha2::{Digest, Sha256};

/// What is hashed of a key and a node, and by what. The node is its label.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Contest {
    /// SipHash-1-3 without keys of the key, 0xFF, the node and 0xFF.
    ///
    /// Where weights differ the least -ln(u) / weight is first, u the hash over 2^64 - 1,
    /// in doubles.
    SipHash,
    /// 32 bits of `MurmurHash3` of the node, `-` and the key, as UTF-8. No weights.
    Murmur {
        /// The seed.
        seed: u32,
    },
    /// As [`Murmur`](Self::Murmur), of the lower eight bits of each code point, in place
    /// of UTF-8. To ASCII it is the same.
    MurmurCodePoints {
        /// The seed.
        seed: u32,
    },
    /// SHA-256 of the key and the node, as a number of 256 bits, big-endian. No weights.
    Sha256,
}

/// A rendezvous in which a key and a node are hashed together, the greatest hash first.
///
/// There is no position of a key, which the placements of the families ask about: what is
/// hashed of the key cannot be told from what is hashed of the node. So this is no
/// placement: it has no shares, no plan and no fingerprint, and every lookup hashes as
/// many times as there are nodes. Equal hashes go to the greatest label, equal labels to
/// the greatest id.
///
/// # Examples
///
/// ```
/// use homing_compat::homing_core::{Error, Members};
/// use homing_compat::{Contest, Joined};
///
/// let nodes = Members::named(["node-0", "node-1", "node-2", "node-3", "node-4"])?;
/// let contest = Joined::new(Contest::Murmur { seed: 0 }, nodes)?;
/// let owner = contest.owner("foo");
/// assert_eq!(contest.members()[owner].id.as_str(), "node-2");
/// assert_eq!(contest.order("foo", 1), [owner]);
/// # Ok::<(), Error>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Joined {
    contest: Contest,
    members: Members,
    nodes: Vec<NodeIndex>, // those of a weight above 0, in order of label and id
    uneven: bool,          // whether weights above 0 differ
}

/// Where a node stands in the order of a key: the greatest is first.
#[derive(Eq, Ord, PartialEq, PartialOrd)]
struct Rank {
    score: [u64; 4],
    place: usize, // so that equal ones go to the greatest label
}

impl Joined {
    /// The contest of `members`.
    ///
    /// # Errors
    ///
    /// Fails if a weight is not 1 and the contest takes none.
    pub fn new(contest: Contest, members: Members) -> Result<Self, Error> {
        if contest != Contest::SipHash
            && let Some((_, node)) = members.iter().find(|(_, node)| node.weight != 1)
        {
            let given = alloc::format!("{} at node {:?}", node.weight, node.id);
            return Err(Error::parameter("weight", given, "1: the contest takes no weights"));
        }
        let nodes = members.iter().filter(|(_, node)| node.weight > 0);
        let mut nodes: Vec<NodeIndex> = nodes.map(|(index, _)| index).collect();
        // Stable, and the members are in order of id.
        nodes.sort_by_key(|&index| members[index].label());
        let uneven = !members.weighs_evenly();
        Ok(Self { contest, members, nodes, uneven })
    }

    /// The members.
    #[must_use]
    pub fn members(&self) -> &Members {
        &self.members
    }

    /// What is hashed, and by what.
    #[must_use]
    pub fn contest(&self) -> Contest {
        self.contest
    }

    /// The node that owns a key.
    ///
    /// # Panics
    ///
    /// Never: a membership has a node of a weight above 0.
    #[must_use]
    pub fn owner(&self, key: &str) -> NodeIndex {
        let first = self.first(key, 0..self.nodes.len());
        first.expect("a membership has a node of a weight above 0")
    }

    /// The first `count` nodes in the order of a key, the owner first; all if there are
    /// fewer.
    #[must_use]
    pub fn order(&self, key: &str, count: usize) -> Vec<NodeIndex> {
        let mut buffer = Vec::new();
        let places = 0..self.nodes.len();
        let mut ranks: Vec<Rank> = places.map(|place| self.rank(key, place, &mut buffer)).collect();
        ranks.sort_unstable_by(|a, b| b.cmp(a));
        ranks.iter().take(count).map(|rank| self.nodes[rank.place]).collect()
    }

    /// The owners of a key in `count` zones, one in each; in all if there are fewer.
    ///
    /// Zones are in order of their bytes. The first is the one whose number, from 0, is
    /// the sum of the code points of the key mod the number of zones; the others follow
    /// it, the least after the greatest.
    ///
    /// # Errors
    ///
    /// Fails if a node has no zone.
    pub fn order_by_zone(&self, key: &str, count: usize) -> Result<Vec<NodeIndex>, Error> {
        let zone = |index: NodeIndex| self.members[index].zone.as_ref();
        let mut zones = Vec::with_capacity(self.nodes.len());
        for &index in &self.nodes {
            zones.push(zone(index).ok_or_else(|| lacks_zone(&self.members[index]))?);
        }
        zones.sort_unstable();
        zones.dedup();
        let sum: u64 = key.chars().map(u64::from).sum();
        #[expect(clippy::cast_possible_truncation, reason = "it is below the number of zones")]
        let first = (sum % zones.len() as u64) as usize;
        let turned = zones[first..].iter().chain(&zones[..first]).copied();
        let owner = |wanted: &Zone| {
            let places = 0..self.nodes.len();
            self.first(key, places.filter(|&place| zone(self.nodes[place]) == Some(wanted)))
        };
        Ok(turned.take(count).filter_map(owner).collect())
    }

    /// The first in rank of some of the nodes, or `None` of none.
    fn first(&self, key: &str, places: impl Iterator<Item = usize>) -> Option<NodeIndex> {
        let mut buffer = Vec::new();
        let greatest = places.map(|place| self.rank(key, place, &mut buffer)).max();
        greatest.map(|rank| self.nodes[rank.place])
    }

    /// The rank of the node at a place; `joined` is a buffer for what is hashed.
    fn rank(&self, key: &str, place: usize, joined: &mut Vec<u8>) -> Rank {
        let node = &self.members[self.nodes[place]];
        let label = node.label();
        joined.clear();
        let mut join = |parts: [&[u8]; 4]| parts.iter().for_each(|part| joined.extend(*part));
        let score = match self.contest {
            Contest::SipHash => {
                join([key.as_bytes(), &[0xFF], label.as_bytes(), &[0xFF]]);
                let hash = Algorithm::SipHash13 { seed: [0; 2] }.hash(joined);
                // Costs are not negative: their bits are in the order of their values.
                let cost = || homing_rendezvous::cost_of_hash(hash, node.weight).to_bits();
                [if self.uneven { !cost() } else { hash }, 0, 0, 0]
            }
            Contest::Murmur { seed } => {
                join([label.as_bytes(), b"-", key.as_bytes(), b""]);
                [Algorithm::Murmur3Bits32 { seed }.hash(joined), 0, 0, 0]
            }
            Contest::MurmurCodePoints { seed } => {
                let points = label.chars().chain(['-']).chain(key.chars());
                #[expect(clippy::cast_possible_truncation, reason = "the rule of the contest")]
                joined.extend(points.map(|point| u32::from(point) as u8));
                [Algorithm::Murmur3Bits32 { seed }.hash(joined), 0, 0, 0]
            }
            Contest::Sha256 => {
                join([key.as_bytes(), label.as_bytes(), b"", b""]);
                let digest: [u8; 32] = Sha256::digest(joined).into();
                let mut words = digest.as_chunks::<8>().0.iter();
                core::array::from_fn(|_| words.next().map_or(0, |word| u64::from_be_bytes(*word)))
            }
        };
        Rank { score, place }
    }
}

fn lacks_zone(node: &Node) -> Error {
    let given = alloc::format!("missing at node {:?}", node.id);
    Error::parameter("zone", given, "known of every node")
}
