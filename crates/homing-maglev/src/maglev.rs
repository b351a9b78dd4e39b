//! [`Maglev`]: a table of entries, each with one owner.

use alloc::boxed::Box;
use alloc::collections::BinaryHeap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Ordering;

use homing_core::{
    Build, Capabilities, Change, Disruption, Error, Family, Fingerprint, Fingerprinter, KeyHash,
    Members, NodeIndex, Placement, Removal, Segment, Segments, apportion, draw,
};

use crate::populate::fill;
use crate::prime;

/// The size of the table, and the hash.
#[derive(Clone, Debug, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Config {
    /// The hash of keys and ids.
    pub hash: KeyHash,
    /// How many entries the table has: a prime from 2 to 2147483647, at least the
    /// number of nodes of a weight above 0.
    ///
    /// 65537 by default, as in the paper. More than 100 a node keep the extra
    /// movement low. Another number moves nearly every key.
    pub entries: u32,
}

impl Default for Config {
    fn default() -> Self {
        Self { hash: KeyHash::default(), entries: 65_537 }
    }
}

/// A Maglev table: the entry of a key says who owns it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Maglev {
    config: Config,
    members: Members,
    table: Box<[NodeIndex]>, // by entry, `config.entries` of them
}

const FAMILY: &Family = &Family {
    name: "maglev",
    title: "Maglev hashing",
    source: "Daniel E. Eisenbud et al., Maglev: A Fast and Reliable Software Network Load \
             Balancer, 2016",
    lookup: "one table load",
    capabilities: Capabilities {
        weights: true,
        removal: Removal::Any,
        disruption: Disruption::Near,
        replicas: false,
        ordered: false,
    },
};

impl Maglev {
    /// The owner of each entry, from entry 0.
    #[must_use]
    pub fn table(&self) -> impl ExactSizeIterator<Item = NodeIndex> {
        self.table.iter().copied()
    }

    /// How many entries a node has. Counts them.
    ///
    /// Its exact share of the entries, rounded down or up.
    #[must_use]
    pub fn entries_of(&self, index: NodeIndex) -> u32 {
        self.table.iter().map(|&owner| u32::from(owner == index)).sum()
    }
}

impl Placement for Maglev {
    fn family(&self) -> &'static Family {
        FAMILY
    }

    fn members(&self) -> &Members {
        &self.members
    }

    /// The entry of the key: its hash mod the number of entries.
    #[inline]
    fn position(&self, key: &[u8]) -> u64 {
        self.config.hash.hash(key) % u64::from(self.config.entries)
    }

    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a position is below 2^31")]
    fn owner_at(&self, position: u64) -> Option<NodeIndex> {
        Some(self.table[position as usize])
    }

    /// Makes `changes`, and fills the table afresh, once.
    fn apply(&mut self, changes: &[Change]) -> Result<(), Error> {
        check(self.config.entries, self.members.preview(changes)?.active)?;
        self.members.apply(changes)?;
        self.table = table(&self.config, &self.members);
        Ok(())
    }

    /// Digests, after the name, the number of entries, the hash, and the members in
    /// order of id.
    fn fingerprint(&self) -> Fingerprint {
        Fingerprinter::new(FAMILY.name)
            .number(self.config.entries.into())
            .hash(self.config.hash)
            .members(&self.members)
            .finish()
    }

    fn keying(&self) -> Fingerprint {
        Fingerprint::of_keying(self.max_position(), self.config.hash)
    }

    fn memory_usage(&self) -> usize {
        size_of_val(&*self.table) + self.members.memory_usage()
    }

    fn max_position(&self) -> u64 {
        u64::from(self.config.entries) - 1
    }

    fn segments(&self) -> Option<Segments<'_>> {
        let mut next = 0;
        let runs = self.table.chunk_by(|a, b| a == b);
        Some(Box::new(runs.map(move |run| {
            next += run.len() as u64;
            Segment { last: next - 1, owner: Some(run[0]) }
        })))
    }
}

impl Build for Maglev {
    type Config = Config;

    const FAMILY: &'static Family = FAMILY;

    /// Builds the layout of `members` under `config`.
    ///
    /// # Errors
    ///
    /// Fails if the number of entries is not a prime from 2 to 2147483647, or less
    /// than the number of nodes of a weight above 0.
    fn build(config: Config, members: Members) -> Result<Self, Error> {
        prime::check(config.entries)?;
        check(config.entries, members.active())?;
        let table = table(&config, &members);
        Ok(Self { config, members, table })
    }

    fn config(&self) -> Config {
        self.config.clone()
    }
}

/// Fails if there are fewer entries than nodes.
fn check(entries: u32, active: usize) -> Result<(), Error> {
    if (entries as usize) < active {
        let rule = alloc::format!("at least {active}, the number of nodes of a weight above 0");
        return Err(Error::parameter("entries", entries, rule));
    }
    Ok(())
}

/// The table of `members`, whose number was checked.
fn table(config: &Config, members: &Members) -> Box<[NodeIndex]> {
    let active = || members.iter().filter(|(_, node)| node.weight > 0);
    let (nodes, weights): (Vec<NodeIndex>, Vec<u32>) =
        active().map(|(index, node)| (index, node.weight)).unzip();
    let hashes = active().map(|(_, node)| config.hash.hash(node.id.as_str().as_bytes()));
    let permutations: Vec<_> = hashes.map(|hash| permutation(hash, config.entries)).collect();
    let filled = if members.weighs_evenly() {
        fill(config.entries, &permutations, (0..nodes.len()).cycle())
    } else {
        fill(config.entries, &permutations, Turns::new(config.entries, &weights))
    };
    filled.into_iter().map(|node| nodes[node as usize]).collect()
}

/// The offset and the skip of a node whose id hashes to `hash`.
#[expect(clippy::cast_possible_truncation, reason = "both are below the number of entries")]
fn permutation(hash: u64, entries: u32) -> (u32, u32) {
    let entries = u64::from(entries);
    let offset = draw(hash, 0) % entries;
    let skip = draw(hash, 1) % (entries - 1) + 1;
    (offset as u32, skip as u32)
}

/// The turns of nodes with these weights, in order of id, as places among them.
///
/// As many as there are entries. Turn t of a node of weight w, t from 0, is due at
/// the fraction t / w.
struct Turns {
    due: BinaryHeap<Turn>, // the next of each node that has one
    entries: Vec<u32>,     // of each node: how many turns it takes
}

impl Turns {
    fn new(entries: u32, weights: &[u32]) -> Self {
        let entries = apportion(entries, weights, &vec![0; weights.len()]);
        let turns = weights.iter().enumerate().filter(|&(node, _)| entries[node] > 0);
        Self { due: turns.map(|(node, &weight)| Turn { t: 0, weight, node }).collect(), entries }
    }
}

impl Iterator for Turns {
    type Item = usize;

    fn next(&mut self) -> Option<usize> {
        let turn = self.due.pop()?;
        let t = turn.t + 1;
        if t < self.entries[turn.node] {
            self.due.push(Turn { t, ..turn });
        }
        Some(turn.node)
    }
}

/// One turn; the greatest is the one due first, among equals that of the least node.
#[derive(Eq, PartialEq)]
struct Turn {
    t: u32,
    weight: u32, // at least 1
    node: usize,
}

impl Ord for Turn {
    fn cmp(&self, other: &Self) -> Ordering {
        // t / w < t' / w' as t w' < t' w, which fits: t is below 2^31.
        let product = |t: u32, weight: u32| u64::from(t) * u64::from(weight);
        let ours = product(self.t, other.weight);
        let theirs = product(other.t, self.weight);
        theirs.cmp(&ours).then(other.node.cmp(&self.node))
    }
}

impl PartialOrd for Turn {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offset_and_skip_are_the_first_two_draws() {
        // maglev.jsonl: node-0 and node-1 at m = 101, xxh3.
        let of = |id: &[u8]| permutation(KeyHash::default().hash(id), 101);
        assert_eq!(of(b"node-0"), (99, 13));
        assert_eq!(of(b"node-1"), (66, 15));
    }

    #[test]
    fn turns_are_due_at_t_over_w() {
        // By hand: weights 1, 2, 4 over 7 entries are due at 0; 0, 1/2; 0, 1/4, 1/2, 3/4.
        assert_eq!(Turns::new(7, &[1, 2, 4]).collect::<Vec<_>>(), [0, 1, 2, 2, 1, 2, 2]);
    }

    #[test]
    fn turns_of_the_greatest_weights_are_compared_exactly() {
        // By hand: 1 / (2^32 - 1) comes before 1 / (2^32 - 2), which an f32 cannot tell.
        let turns = Turns::new(5, &[u32::MAX - 1, u32::MAX]).collect::<Vec<_>>();
        assert_eq!(turns, [0, 1, 1, 0, 1]);
    }

    #[test]
    fn equal_weights_take_turns_in_order_of_id() {
        let turns = Turns::new(11, &[3; 4]).collect::<Vec<_>>();
        assert_eq!(turns, (0..4).cycle().take(11).collect::<Vec<_>>());
    }
}
