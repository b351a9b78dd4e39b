//! [`Rendezvous`], where nodes compete for every position.

use alloc::vec::Vec;

use homing_core::{
    Build, Capabilities, Change, Disruption, Error, Family, Fingerprint, Fingerprinter, KeyHash,
    Members, Node, NodeIndex, Placement, Removal, Spread, Step, draw,
};

use crate::contest::{Contest, Path, Rank};
use crate::rule::{Score, Ties};
use crate::seeds::Seeds;

/// What decides ownership beyond the members.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default))]
pub struct Config {
    /// The hash of the keys and of the ids.
    pub hash: KeyHash,
    /// What nodes compete by.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Score::is_default"))]
    pub score: Score,
    /// The hash of the labels, which then is the seed of a node as it is; by default the
    /// seed is draw 0 of the hash of the id.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Option::is_none"))]
    pub node_hash: Option<KeyHash>,
    /// Who is first among equals.
    #[cfg_attr(feature = "serde", serde(skip_serializing_if = "Ties::is_default"))]
    pub ties: Ties,
}

/// Rendezvous (highest random weight): the node with the greatest score owns.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Rendezvous {
    config: Config,
    members: Members,
    nodes: Vec<NodeIndex>, // the members that weigh more than 0, in the order of ties
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

const UNWEIGHTED: Family =
    Family { capabilities: Capabilities { weights: false, ..FAMILY.capabilities }, ..FAMILY };

const ORDERED: Family =
    Family { capabilities: Capabilities { ordered: true, ..FAMILY.capabilities }, ..FAMILY };

const UNWEIGHTED_ORDERED: Family =
    Family { capabilities: Capabilities { ordered: true, ..UNWEIGHTED.capabilities }, ..FAMILY };

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
        match (self.config.score.takes_weights(), self.config.ties) {
            (true, Ties::Id) => Self::FAMILY,
            (true, Ties::Index) => &ORDERED,
            (false, Ties::Id) => &UNWEIGHTED,
            (false, Ties::Index) => &UNWEIGHTED_ORDERED,
        }
    }

    fn members(&self) -> &Members {
        &self.members
    }

    #[inline(always)]
    #[expect(clippy::inline_always, reason = "else a batch calls it for each key")]
    fn position(&self, key: &[u8]) -> u64 {
        self.config.hash.hash(key)
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
        for change in changes {
            if let Change::Add(Node { weight, .. }) | Change::Reweight(_, weight) = change {
                check_weight(self.config.score, *weight)?;
            }
        }
        let Self { config, members, nodes, contest } = self;
        members.apply_with(changes, |members, step| {
            let (index, weighed, weighs) = match step {
                Step::Joined(index) => (index, 0, members[index].weight),
                Step::Left(index, node) => (index, node.weight, 0),
                Step::Reweighed(index, before) => (index, before, members[index].weight),
                Step::Rebalanced => return,
            };
            if weighed == 0 && weighs > 0 {
                let node = &members[index];
                let at = nodes.partition_point(|&other| match config.ties {
                    Ties::Id => members[other].id < node.id,
                    Ties::Index => other < index,
                });
                nodes.insert(at, index);
                contest.seeds.insert(at, seed(config, node));
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
    ///
    /// Where they are not the default, the score and the ties are digested by name, and
    /// the hash of the labels as a text; after the members, or after the members in
    /// order of index where ties go by it, the labels where they are hashed.
    fn fingerprint(&self) -> Fingerprint {
        let Config { hash, score, node_hash, ties } = &self.config;
        let mut parts = Fingerprinter::new(FAMILY.name).hash(*hash);
        if !score.is_default() {
            parts = parts.text("score").text(score.name());
        }
        if let Some(node_hash) = node_hash {
            parts = parts.text("node_hash").hash(*node_hash);
        }
        parts = match ties {
            Ties::Id => parts.members(&self.members),
            Ties::Index => parts.text("ties").text(ties.name()).members_by_index(&self.members),
        };
        if node_hash.is_some() {
            for (_, node) in self.members.iter() {
                parts = parts.text(node.label());
            }
        }
        parts.finish()
    }

    fn keying(&self) -> Fingerprint {
        Fingerprint::of_keying(self.max_position(), self.config.hash)
    }

    /// The greatest value of the hash.
    fn max_position(&self) -> u64 {
        self.config.hash.max_hash()
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

    /// Builds the layout of `members` under `config`.
    ///
    /// # Errors
    ///
    /// Fails if a weight is not 1 and the score takes none.
    fn build(config: Config, members: Members) -> Result<Self, Error> {
        for (_, node) in members.iter() {
            check_weight(config.score, node.weight)?;
        }
        let mut nodes = Vec::with_capacity(members.active());
        let weighs = |index: NodeIndex| members[index].weight > 0;
        match config.ties {
            Ties::Id => nodes.extend(members.iter().map(|it| it.0).filter(|&it| weighs(it))),
            Ties::Index => {
                nodes.extend(members.iter_by_index().map(|it| it.0).filter(|&it| weighs(it)));
            }
        }
        let mut seeds = Seeds::with_capacity(members.active());
        seeds.extend(nodes.iter().map(|&index| seed(&config, &members[index])));
        let contest = Contest::new(seeds, Path::of(config.score));
        let mut layout = Self { config, members, nodes, contest };
        layout.weigh();
        Ok(layout)
    }

    fn config(&self) -> Config {
        self.config.clone()
    }
}

fn seed(config: &Config, node: &Node) -> u64 {
    match config.node_hash {
        Some(hash) => hash.hash(node.label().as_bytes()),
        None => draw(config.hash.hash(node.id.as_str().as_bytes()), 0),
    }
}

fn check_weight(score: Score, weight: u32) -> Result<(), Error> {
    if weight == 1 || score.takes_weights() {
        return Ok(());
    }
    Err(Error::Unsupported { family: FAMILY.name, rule: "takes only nodes of weight 1" })
}
