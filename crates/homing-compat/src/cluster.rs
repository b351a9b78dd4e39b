//! [`Cluster`]: the slot map that a cluster prints.
//!
//! What `CLUSTER NODES`, `CLUSTER SLOTS` and `CLUSTER SHARDS` answer is read in every
//! form in which it comes: the text of `NODES`, as a payload or as the file
//! `nodes.conf`; the bytes of both wire protocols; and what `redis-cli` prints into a
//! pipe, on a terminal and as JSON. Which of them it is, [`Cluster::read`] finds out.
//!
//! ```
//! use homing_compat::cluster::Cluster;
//! use homing_compat::homing_core::{Build, Placement};
//! use homing_slots::Slots;
//!
//! let dump = b"\
//! 07c37dfeb235213a872192d90877d0cd55635b91 10.0.0.1:7000@17000 myself,master - 0 0 1 connected 0-8191\n\
//! 67ed2db8d677e59ec4a4cefb06858cf2a1a89fa1 10.0.0.2:7000@17000 master - 0 0 2 connected 8192-16383\n";
//! let cluster = Cluster::read(dump)?;
//! assert!(cluster.uncovered().is_empty());
//! let (members, config) = cluster.to_slots()?;
//! let slots = Slots::build(config, members)?;
//! assert!(slots.owner(b"foo").unwrap().id.as_str().starts_with("67ed"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
mod gather;
mod json;
mod nodes;
mod raw;
mod reply;
mod resp;
mod shards;
mod slots;
mod terminal;

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::RangeInclusive;

use homing_core::{Attribute, Error, Members, Node, NodeId};
use homing_slots::{Config, SLOTS, SlotRange};

pub use self::error::{ClusterError, Place};
use self::reply::{Reply, Value};

/// The nodes of a cluster, as one of them sees it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Cluster {
    /// What was asked.
    pub command: Command,
    /// How the answer was written.
    pub notation: Notation,
    /// The nodes, in the order in which they are first met; their ids differ.
    pub nodes: Vec<ClusterNode>,
    /// The greatest epoch that the node has seen; only `nodes.conf` has it.
    pub current_epoch: Option<u64>,
    /// The epoch in which the node last voted; only `nodes.conf` has it.
    pub last_vote_epoch: Option<u64>,
}

/// The command that a dump is the answer to.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Command {
    /// `CLUSTER NODES`, or the file `nodes.conf`.
    Nodes,
    /// `CLUSTER SLOTS`.
    Slots,
    /// `CLUSTER SHARDS`.
    Shards,
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Nodes => "CLUSTER NODES",
            Self::Slots => "CLUSTER SLOTS",
            Self::Shards => "CLUSTER SHARDS",
        })
    }
}

/// How a dump is written.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Notation {
    /// The lines of `CLUSTER NODES`.
    Lines,
    /// The file `nodes.conf`: those lines, and one of variables.
    File,
    /// The bytes of RESP2 or RESP3.
    Wire,
    /// What `redis-cli` prints into a pipe: one value a line.
    Raw,
    /// What `redis-cli` prints on a terminal: numbered lists.
    Terminal,
    /// What `redis-cli --json` prints.
    Json,
}

/// A node of a cluster.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ClusterNode {
    /// Its id: 40 hexadecimal digits, or `host:port` where a dump has no ids.
    pub id: NodeId,
    /// Its address, or its name where the address is not told; empty if neither is known.
    pub host: String,
    /// The port for clients; 0 if it is not known.
    pub port: u16,
    /// The port of the cluster bus.
    pub bus_port: Option<u16>,
    /// The name that it announces.
    pub hostname: Option<String>,
    /// Whatever else is told of it, by name: `shard-id`, `tls-port`, `availability-zone`.
    pub others: Vec<(String, String)>,
    /// Its flags in the words of `CLUSTER NODES`: `myself`, `master`, `slave`,
    /// `fail?`, `fail`, `handshake`, `noaddr`, `nofailover`; and `loading`.
    pub flags: Vec<String>,
    /// Whom it replicates.
    pub of: Option<NodeId>,
    /// Its configuration epoch; only `CLUSTER NODES` tells it.
    pub epoch: Option<u64>,
    /// Whether its link is up; only `CLUSTER NODES` tells it.
    pub connected: Option<bool>,
    /// The slots that it owns, in ascending ranges that do not touch.
    pub ranges: Vec<RangeInclusive<u16>>,
    /// The slots on the move, in the order told; only the node asked tells its own.
    pub open: Vec<OpenSlot>,
}

/// A slot that is on its way from one node to another.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OpenSlot {
    /// The slot.
    pub slot: u16,
    /// Which way it goes.
    pub way: Way,
    /// The other node: who gets it, or who has it.
    pub other: NodeId,
}

/// Which way an open slot goes, seen from the node that tells it.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Way {
    /// Away: `[93->-id]`.
    Migrating,
    /// Here: `[93-<-id]`.
    Importing,
}

impl fmt::Display for OpenSlot {
    /// The marker of `CLUSTER NODES`, without its brackets.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let way = if self.way == Way::Migrating { '>' } else { '<' };
        write!(f, "{}-{way}-{}", self.slot, self.other)
    }
}

/// Slots that several nodes claim.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Overlap {
    /// The slots, a run as long as it can be.
    pub slots: RangeInclusive<u16>,
    /// Who claims them, in the order of the dump; at least two.
    pub nodes: Vec<NodeId>,
}

impl ClusterNode {
    /// Whether it is an owner of slots, or could be: its flags say `master`.
    #[must_use]
    pub fn is_owner(&self) -> bool {
        self.has("master")
    }

    /// Whether it has a flag.
    #[must_use]
    pub fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|it| it == flag)
    }

    /// How many slots it owns, in `0..=16384`.
    #[must_use]
    pub fn slots(&self) -> usize {
        self.ranges.iter().map(ExactSizeIterator::len).sum()
    }

    /// Whether it owns slots, or could be given some.
    fn is_member(&self) -> bool {
        let is_gone = ["fail", "noaddr", "handshake"].iter().any(|flag| self.has(flag));
        !self.ranges.is_empty() || (self.is_owner() && !is_gone)
    }
}

impl Cluster {
    /// Reads a dump, whichever command it answers and however it is written.
    ///
    /// Lines may end in CRLF. Fields that later versions add are kept in
    /// [`others`](ClusterNode::others) or passed over.
    ///
    /// # Errors
    ///
    /// Fails, and tells the line, or of the wire protocols and JSON the byte, if the
    /// dump is cut short, is the answer to another command, has a slot beyond 16383,
    /// a range that runs backwards or a slot twice at one node, or is damaged
    /// otherwise. Slots that several nodes claim are no error here: see
    /// [`overlaps`](Self::overlaps). Nor are slots that none claims: a dump that is
    /// cut where a node ends may be told by [`uncovered`](Self::uncovered) alone.
    pub fn read(dump: &[u8]) -> Result<Self, ClusterError> {
        let Some(&first) = dump.iter().find(|byte| !byte.is_ascii_whitespace()) else {
            return Err(ClusterError::new(Place::Byte(0), "the dump is empty"));
        };
        match first {
            b'*' | b'$' | b'=' | b'-' | b'+' | b'%' | b'~' | b'_' | b'!' => {
                let reply = resp::read(dump)?;
                match &reply.value {
                    Value::Text(text) => Self::of_payload(text, Notation::Wire),
                    _ => Self::of_reply(&reply, Notation::Wire),
                }
            }
            b'[' | b'{' => Self::of_reply(&json::read(dump)?, Notation::Json),
            b'"' => match json::read(dump)?.value {
                Value::Text(text) => Self::of_payload(&text, Notation::Json),
                _ => unreachable!("a quote begins a text"),
            },
            _ => Self::of_text(error::as_text(dump)?),
        }
    }

    /// What a text says that came as a value.
    fn of_payload(text: &str, notation: Notation) -> Result<Self, ClusterError> {
        let first = text.lines().next().unwrap_or_default();
        if nodes::begins(first) {
            return nodes::read(text, notation);
        }
        Err(ClusterError::wrong_command(Place::Line(1), first))
    }

    fn of_text(text: &str) -> Result<Self, ClusterError> {
        let (line, first) = error::lines(text)
            .find(|(_, line)| !line.trim().is_empty())
            .expect("a text that is not blank has a line");
        if terminal::begins(first) {
            return Self::of_reply(&terminal::read(text)?, Notation::Terminal);
        }
        if raw::begins(first) {
            return Self::of_reply(&raw::read(text)?, Notation::Raw);
        }
        if nodes::begins(first) {
            return nodes::read(text, Notation::Lines);
        }
        Err(ClusterError::wrong_command(Place::Line(line), first))
    }

    /// What a list of ranges or of shards says.
    fn of_reply(reply: &Reply, notation: Notation) -> Result<Self, ClusterError> {
        let entries = reply.list("the answer")?;
        let Some(first) = entries.first() else {
            return Err(ClusterError::new(reply.at, "an empty list: no node is told"));
        };
        let by_name = match &first.value {
            Value::Map(_) => true,
            Value::List(items) => matches!(items.first(), Some(it) if it.is_text()),
            _ => return Err(ClusterError::wrong_command(first.at, "a list of single values")),
        };
        let (command, nodes) = if by_name {
            (Command::Shards, shards::nodes(entries)?)
        } else {
            (Command::Slots, slots::nodes(entries)?)
        };
        Ok(Self { command, notation, nodes, current_epoch: None, last_vote_epoch: None })
    }

    /// The node with this id.
    #[must_use]
    pub fn node(&self, id: &NodeId) -> Option<&ClusterNode> {
        self.nodes.iter().find(|node| node.id == *id)
    }

    /// The node that was asked; only `CLUSTER NODES` tells it.
    #[must_use]
    pub fn myself(&self) -> Option<&ClusterNode> {
        self.nodes.iter().find(|node| node.has("myself"))
    }

    /// The nodes that own slots or could, in the order of the dump.
    pub fn owners(&self) -> impl Iterator<Item = &ClusterNode> {
        self.nodes.iter().filter(|node| node.is_owner())
    }

    /// The nodes that replicate `owner`, in the order of the dump.
    pub fn replicas_of(&self, owner: &NodeId) -> impl Iterator<Item = &ClusterNode> {
        self.nodes.iter().filter(move |node| node.of.as_ref() == Some(owner))
    }

    /// The slots on the move, each with the node that tells it.
    pub fn open(&self) -> impl Iterator<Item = (&ClusterNode, &OpenSlot)> {
        self.nodes.iter().flat_map(|node| node.open.iter().map(move |slot| (node, slot)))
    }

    /// The slots that no node claims, in ascending runs that do not touch.
    #[must_use]
    pub fn uncovered(&self) -> Vec<RangeInclusive<u16>> {
        self.runs().filter(|(_, nodes)| nodes.is_empty()).map(|(run, _)| run).collect()
    }

    /// The slots that several nodes claim, ascending.
    #[must_use]
    pub fn overlaps(&self) -> Vec<Overlap> {
        let several = self.runs().filter(|(_, nodes)| nodes.len() > 1);
        let id = |&node: &usize| self.nodes[node].id.clone();
        several
            .map(|(slots, nodes)| Overlap { slots, nodes: nodes.iter().map(id).collect() })
            .collect()
    }

    /// The members and the map: what a layout of slots is built of.
    ///
    /// Members are the nodes that own slots, and those that could: owners without
    /// slots whose flags do not say that they are down or unknown. Each has the
    /// attributes [`Host`](Attribute::Host) and [`Port`](Attribute::Port). Open slots
    /// are still their owner's.
    ///
    /// # Errors
    ///
    /// Fails if several nodes claim a slot, or if there is no member.
    pub fn to_slots(&self) -> Result<(Members, Config), Error> {
        if let Some(Overlap { slots, nodes }) = self.overlaps().first() {
            let value = format!("{}-{} of {nodes:?}", slots.start(), slots.end());
            return Err(Error::parameter("range", value, "of one node"));
        }
        let members = self.nodes.iter().filter(|node| node.is_member()).map(|node| {
            let plain = Node::new(node.id.clone());
            let hosted = match node.host.as_str() {
                "" => plain,
                host => plain.with(Attribute::Host, host),
            };
            match node.port {
                0 => hosted,
                port => hosted.with(Attribute::Port, &format!("{port}")),
            }
        });
        let members = Members::new(members)?;
        let ranges = self.nodes.iter().flat_map(|node| {
            let range = |run: &RangeInclusive<u16>| SlotRange {
                first: *run.start(),
                last: *run.end(),
                node: node.id.clone(),
            };
            node.ranges.iter().map(range)
        });
        let mut ranges: Vec<SlotRange> = ranges.collect();
        ranges.sort_by_key(|range| range.first);
        Ok((members, Config { ranges: Some(ranges) }))
    }

    /// All slots in runs, each with the places of the nodes that claim it.
    fn runs(&self) -> impl Iterator<Item = (RangeInclusive<u16>, Vec<usize>)> {
        let ranges = self.nodes.iter().enumerate().flat_map(|(place, node)| {
            node.ranges.iter().flat_map(move |run| [(*run.start(), place), (run.end() + 1, place)])
        });
        // Where the claim of a node begins or ends; its own ranges do not touch.
        let mut edges: Vec<(u16, usize)> = ranges.collect();
        edges.sort_unstable();
        let mut runs = Vec::new();
        let mut first = 0;
        let mut claiming = BTreeSet::new();
        for edges in edges.chunk_by(|a, b| a.0 == b.0) {
            let edge = edges[0].0;
            if edge > first {
                runs.push((first..=edge - 1, claiming.iter().copied().collect()));
                first = edge;
            }
            for &(_, place) in edges {
                if !claiming.remove(&place) {
                    claiming.insert(place);
                }
            }
        }
        if first < SLOTS {
            runs.push((first..=SLOTS - 1, Vec::new()));
        }
        runs.into_iter()
    }
}
