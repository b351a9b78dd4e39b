//! [`Rendezvous`], where nodes compete for every position.

use alloc::vec::Vec;

use homing_core::{
    Build, Capabilities, Change, Disruption, Error, Family, Fingerprint, Fingerprinter, KeyHash,
    Members, NodeId, NodeIndex, Placement, Removal, Spread, Step, draw,
};

use crate::{cost, score};

/// What decides ownership beyond the members.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct Config {
    /// The hash of the keys and of the ids.
    pub hash: KeyHash,
}

/// Rendezvous (highest random weight): the node with the greatest score owns.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Rendezvous {
    hash: KeyHash,
    members: Members,
    nodes: Vec<NodeIndex>, // the members that weigh more than 0, in order of id
    seeds: Vec<u64>,       // draw 0 of each of `nodes`
    weights: Vec<u32>,     // the weight of each of `nodes`; empty while they are equal
}

/// Where a node stands in the order of a position; the least is the owner.
#[derive(Clone, Copy, Eq, Ord, PartialEq, PartialOrd)]
struct Rank {
    cost: u64, // ascends with the cost, or descends with the score
    at: usize, // the place in `nodes`, so that equal ones go to the least id
}

const FAMILY: Family = Family {
    name: "rendezvous",
    title: "rendezvous",
    source: "David G. Thaler and Chinya V. Ravishankar, \"Using Name-Based Mappings to Increase Hit Rates\", 1998",
    lookup: "O(N)",
    capabilities: Capabilities {
        weights: true,
        removal: Removal::Any,
        disruption: Disruption::Minimal,
        replicas: true,
        ordered: false,
    },
};

impl Rendezvous {
    /// Fills `weights` anew.
    fn weigh(&mut self) {
        self.weights.clear();
        if !self.members.weighs_evenly() {
            self.weights.extend(self.nodes.iter().map(|&index| self.members[index].weight));
        }
    }

    fn rank(&self, position: u64, at: usize) -> Rank {
        let score = score(position, self.seeds[at]);
        let cost = match self.weights.get(at) {
            // Costs are positive, so their bits are in the order of their values.
            Some(&weight) => cost(score, weight).to_bits(),
            None => (!score).into(),
        };
        Rank { cost, at }
    }

    /// Moves nodes from `ranks` to `replicas` until there are `count`, each only if
    /// its zone has none yet. Those passed over are left, in their order.
    fn take_zones(&self, ranks: &mut Vec<Rank>, count: usize, replicas: &mut Vec<NodeIndex>) {
        ranks.retain(|rank| {
            if replicas.len() == count {
                return true;
            }
            let index = self.nodes[rank.at];
            let zone = &self.members[index].zone;
            let taken = zone.is_some()
                && replicas.iter().any(|&replica| self.members[replica].zone == *zone);
            if !taken {
                replicas.push(index);
            }
            taken
        });
    }
}

impl Placement for Rendezvous {
    fn family(&self) -> &'static Family {
        Self::FAMILY
    }

    fn members(&self) -> &Members {
        &self.members
    }

    fn position(&self, key: &[u8]) -> u64 {
        self.hash.hash(key)
    }

    fn owner_at(&self, position: u64) -> Option<NodeIndex> {
        let best = if self.weights.is_empty() {
            first_least(self.seeds.iter().map(|&seed| !score(position, seed)))
        } else {
            let nodes = self.seeds.iter().zip(&self.weights);
            first_least(nodes.map(|(&seed, &weight)| cost(score(position, seed), weight)))
        };
        best.map(|at| self.nodes[at])
    }

    fn apply(&mut self, changes: &[Change]) -> Result<(), Error> {
        let Self { hash, members, nodes, seeds, .. } = self;
        members.apply_with(changes, |members, step| {
            let (index, weighed, weighs) = match step {
                Step::Joined(index) => (index, 0, members[index].weight),
                Step::Left(index, node) => (index, node.weight, 0),
                Step::Reweighed(index, before) => (index, before, members[index].weight),
                Step::Rebalanced => return,
            };
            if weighed == 0 && weighs > 0 {
                let id = &members[index].id;
                let at = nodes.partition_point(|&other| members[other].id < *id);
                nodes.insert(at, index);
                seeds.insert(at, seed(*hash, id));
            } else if weighed > 0 && weighs == 0 {
                let at = nodes.iter().position(|&other| other == index);
                let at = at.expect("a node that weighed something was in the list");
                nodes.remove(at);
                seeds.remove(at);
            }
        })?;
        self.weigh();
        Ok(())
    }

    /// Digests the hash and the members in order of id.
    fn fingerprint(&self) -> Fingerprint {
        Fingerprinter::new(FAMILY.name).hash(self.hash).members(&self.members).finish()
    }

    fn keying(&self) -> Fingerprint {
        Fingerprint::of_keying(self.max_position(), self.hash)
    }

    fn memory_usage(&self) -> usize {
        self.nodes.capacity() * size_of::<NodeIndex>()
            + self.seeds.capacity() * size_of::<u64>()
            + self.weights.capacity() * size_of::<u32>()
            + self.members.memory_usage()
    }

    /// Clears `replicas` and fills it with up to `count` distinct nodes, those with
    /// the next scores after the owner.
    ///
    /// Allocates room for the rank of every node.
    fn replicas_at(
        &self,
        position: u64,
        count: usize,
        spread: Spread,
        replicas: &mut Vec<NodeIndex>,
    ) {
        replicas.clear();
        if count == 0 {
            return;
        }
        let mut ranks: Vec<Rank> =
            (0..self.nodes.len()).map(|at| self.rank(position, at)).collect();
        if spread == Spread::Nodes && count < ranks.len() {
            ranks.select_nth_unstable(count);
            ranks.truncate(count);
        }
        ranks.sort_unstable();
        if spread == Spread::Zones {
            self.take_zones(&mut ranks, count, replicas);
        }
        let left = count - replicas.len();
        replicas.extend(ranks.iter().take(left).map(|rank| self.nodes[rank.at]));
    }
}

impl Build for Rendezvous {
    type Config = Config;

    const FAMILY: &'static Family = &FAMILY;

    /// Builds the layout of `members` under `config`. Never fails.
    fn build(config: Config, members: Members) -> Result<Self, Error> {
        let mut nodes = Vec::with_capacity(members.active());
        let mut seeds = Vec::with_capacity(members.active());
        for (index, node) in members.iter().filter(|(_, node)| node.weight > 0) {
            nodes.push(index);
            seeds.push(seed(config.hash, &node.id));
        }
        let mut layout = Self { hash: config.hash, members, nodes, seeds, weights: Vec::new() };
        layout.weigh();
        Ok(layout)
    }

    fn config(&self) -> Config {
        Config { hash: self.hash }
    }
}

fn seed(hash: KeyHash, id: &NodeId) -> u64 {
    draw(hash.hash(id.as_str().as_bytes()), 0)
}

/// Returns the place of the least value, the first where several are equal.
fn first_least<T: PartialOrd>(mut values: impl Iterator<Item = T>) -> Option<usize> {
    let mut least = values.next()?;
    let mut place = 0;
    for (before, value) in values.enumerate() {
        if value < least {
            least = value;
            place = before + 1;
        }
    }
    Some(place)
}
