//! [`Rendezvous`], where nodes compete for every position.

use alloc::vec::Vec;

use homing_core::{
    Build, Capabilities, Change, Disruption, Error, Family, Fingerprint, Fingerprinter, KeyHash,
    Members, NodeId, NodeIndex, Placement, Removal, Spread, Step, draw,
};

use crate::contest::{Contest, Path, Rank};
use crate::seeds::Seeds;

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
    contest: Contest,      // among `nodes`, each at its place there
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
    /// Tells the contest the weights.
    fn weigh(&mut self) {
        let uneven = !self.members.weighs_evenly();
        let weighed = if uneven { &self.nodes[..] } else { &[] };
        self.contest.weigh(weighed.iter().map(|&index| self.members[index].weight));
    }

    /// Moves nodes from `ranks` to `replicas` until there are `count`, each only if
    /// its zone has none yet. Those passed over are left, in their order.
    fn take_zones(&self, ranks: &mut Vec<Rank>, count: usize, replicas: &mut Vec<NodeIndex>) {
        ranks.retain(|rank| {
            if replicas.len() == count {
                return true;
            }
            let index = self.nodes[rank.place];
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

    #[inline]
    fn position(&self, key: &[u8]) -> u64 {
        self.hash.hash(key)
    }

    #[inline]
    fn owner_at(&self, position: u64) -> Option<NodeIndex> {
        Some(self.nodes[self.contest.winner(position)])
    }

    fn owners_at(&self, positions: &[u64], owners: &mut [Option<NodeIndex>]) {
        assert_eq!(positions.len(), owners.len(), "one owner is written for each position");
        let mut winners = [0; 64];
        for (positions, owners) in positions.chunks(64).zip(owners.chunks_mut(64)) {
            let winners = &mut winners[..positions.len()];
            self.contest.winners(positions, winners);
            for (owner, &mut winner) in owners.iter_mut().zip(winners) {
                *owner = Some(self.nodes[winner]);
            }
        }
    }

    fn apply(&mut self, changes: &[Change]) -> Result<(), Error> {
        let Self { hash, members, nodes, contest } = self;
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
                contest.seeds.insert(at, seed(*hash, id));
            } else if weighed > 0 && weighs == 0 {
                let at = nodes.iter().position(|&other| other == index);
                let at = at.expect("a node that weighed something was in the list");
                nodes.remove(at);
                contest.seeds.remove(at);
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
            + self.contest.memory_usage()
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
            (0..self.nodes.len()).map(|place| self.contest.rank(position, place)).collect();
        if spread == Spread::Nodes && count < ranks.len() {
            ranks.select_nth_unstable(count);
            ranks.truncate(count);
        }
        ranks.sort_unstable();
        if spread == Spread::Zones {
            self.take_zones(&mut ranks, count, replicas);
        }
        let left = count - replicas.len();
        replicas.extend(ranks.iter().take(left).map(|rank| self.nodes[rank.place]));
    }
}

impl Build for Rendezvous {
    type Config = Config;

    const FAMILY: &'static Family = &FAMILY;

    /// Builds the layout of `members` under `config`. Never fails.
    fn build(config: Config, members: Members) -> Result<Self, Error> {
        let weighing = || members.iter().filter(|(_, node)| node.weight > 0);
        let mut nodes = Vec::with_capacity(members.active());
        nodes.extend(weighing().map(|(index, _)| index));
        let mut seeds = Seeds::with_capacity(members.active());
        seeds.extend(weighing().map(|(_, node)| seed(config.hash, &node.id)));
        let contest = Contest::new(seeds, Path::detect());
        let mut layout = Self { hash: config.hash, members, nodes, contest };
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
