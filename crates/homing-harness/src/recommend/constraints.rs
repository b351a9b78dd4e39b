//! [`Constraints`]: what is asked, from flags and from a TOML file.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use homing_core::{Members, Node, Spread};
use serde::Deserialize;
use serde_json::Value;

use super::Stated;
use super::names::{Constraint, Criterion, Removed};
use super::units::{Bytes, Fraction, Nanoseconds, Peak};
use crate::input;
use crate::members::{self, Given, MOST_NAMED};
use crate::quantity::whole;
use crate::scenario::{MOST_REPLICAS, NODES, check_replicas};
use crate::workload::Load;
use crate::{Error, Result};

/// Constraints as they are asked, by flags or in a file.
#[derive(Args, Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Asked {
    /// N equal nodes now, node-0 to node-(N-1) [default: 8]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=MOST_NAMED as u64))]
    nodes: Option<usize>,

    /// The nodes now, from a file as `compare` reads it; - is standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["nodes", "weights", "zones"])]
    members: Option<PathBuf>,

    /// The weights of the nodes now, in order
    #[arg(long, value_name = "W,...", value_delimiter = ',', conflicts_with = "nodes",
        value_parser = whole::<u32>(0..=u32::MAX.into()))]
    weights: Option<Vec<u32>>,

    /// The nodes are dealt over Z zones in turn; for replicas
    #[arg(long, value_name = "Z", value_parser = whole::<usize>(1..=MOST_NAMED as u64))]
    zones: Option<usize>,

    /// How many nodes there will be at most [default: one more than now]
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1..=MOST_NAMED as u64))]
    most_nodes: Option<usize>,

    /// Which nodes can leave [default: any]
    #[arg(long, value_enum, value_name = "WHICH")]
    removal: Option<Removed>,

    /// R nodes for each key, the owner first
    #[arg(long, value_name = "R", value_parser = whole::<usize>(1..=MOST_REPLICAS as u64))]
    replicas: Option<usize>,

    /// What load families are judged by: what moves, and how even it is; keys that
    /// have bytes or requests [default: keys]
    #[arg(long, value_enum, value_name = "LOAD")]
    by: Option<Load>,

    /// The greatest part of the load that a step may move above the optimal: 0.005
    /// or 0.5%
    #[arg(long, value_name = "PART")]
    most_excess: Option<Fraction>,

    /// The greatest part of the load that a step may move between nodes that stay
    #[arg(long, value_name = "PART")]
    most_stray: Option<Fraction>,

    /// The greatest load of a node over the mean load: 1.05
    #[arg(long, value_name = "RATIO")]
    most_peak: Option<Peak>,

    /// The greatest time of a lookup in batches, the hash included, in nanoseconds
    #[arg(long, value_name = "NS")]
    most_lookup_ns: Option<Nanoseconds>,

    /// The most memory behind a layout: 64MiB
    #[arg(long, value_name = "SIZE")]
    most_memory: Option<Bytes>,

    /// No key may move but when the operator says
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    staged: Option<bool>,

    /// The keys of a node that leaves must have an owner without an operator
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    unattended: Option<bool>,

    /// Clients know the members as a list and no more: no map can be given to them
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    list_only: Option<bool>,

    /// Clients may have the members in different orders
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    unordered: Option<bool>,

    /// Keys that share a tag, {tag}, must be on one node
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    tags: Option<bool>,

    /// What moves must be known beforehand, as ranges of positions
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    ranges: Option<bool>,

    /// What to rank by first; the others follow in this order [default: moved]
    #[arg(long, value_enum, value_name = "WHAT")]
    rank_by: Option<Criterion>,
}

/// What is asked, checked: no two constraints contradict each other.
#[derive(Clone, Debug)]
pub struct Constraints {
    /// The members now, and the manifest that gave them if one did.
    pub given: Given,
    /// The members now.
    pub members: Members,
    /// How many nodes there are at most, not fewer than now.
    pub most_nodes: usize,
    /// Which nodes can leave.
    pub removal: Removed,
    /// How many nodes a key has, where that is asked.
    pub replicas: Option<usize>,
    /// How they are kept apart.
    pub spread: Spread,
    /// The load that moves and balance are judged by.
    pub by: Load,
    /// The order of what families are ranked by.
    pub rank_by: Vec<Criterion>,
    limits: Vec<(Constraint, f64)>,
    required: Vec<Constraint>,
}

impl Asked {
    /// Reads a file of constraints; a path of members in it is relative to its
    /// folder.
    ///
    /// # Errors
    ///
    /// Fails with the file, and the line where there is one.
    pub fn read(path: &Path) -> Result<Self> {
        let (name, bytes) = input::read(path)?;
        let text = members::utf8(&name, &bytes)?;
        let mut asked: Self =
            toml::from_str(text).map_err(|error| Error::from_toml(&name, text, &error))?;
        if asked.sources() > 1 || (asked.members.is_some() && asked.zones.is_some()) {
            let reason = "has members twice, but must have one of nodes, weights and members, \
                          and zones without members";
            return Err(Error::in_file(&name, reason));
        }
        let folder = path.parent().unwrap_or(Path::new(""));
        let beside = asked.members.map(|members| input::beside(folder, &members)).transpose();
        asked.members = beside.map_err(|error| error.within(&name))?;
        Ok(asked)
    }

    /// These constraints, and where they say nothing those of `others`.
    #[must_use]
    pub fn over(self, others: Self) -> Self {
        let ours = self.sources() > 0;
        let theirs = |it: Option<PathBuf>| it.filter(|_| !ours);
        Self {
            members: self.members.or(theirs(others.members)),
            nodes: self.nodes.or(others.nodes.filter(|_| !ours)),
            weights: self.weights.or(others.weights.filter(|_| !ours)),
            zones: self.zones.or(others.zones),
            most_nodes: self.most_nodes.or(others.most_nodes),
            removal: self.removal.or(others.removal),
            replicas: self.replicas.or(others.replicas),
            by: self.by.or(others.by),
            most_excess: self.most_excess.or(others.most_excess),
            most_stray: self.most_stray.or(others.most_stray),
            most_peak: self.most_peak.or(others.most_peak),
            most_lookup_ns: self.most_lookup_ns.or(others.most_lookup_ns),
            most_memory: self.most_memory.or(others.most_memory),
            staged: self.staged.or(others.staged),
            unattended: self.unattended.or(others.unattended),
            list_only: self.list_only.or(others.list_only),
            unordered: self.unordered.or(others.unordered),
            tags: self.tags.or(others.tags),
            ranges: self.ranges.or(others.ranges),
            rank_by: self.rank_by.or(others.rank_by),
        }
    }

    /// In how many ways the members are given.
    fn sources(&self) -> usize {
        [self.nodes.is_some(), self.members.is_some(), self.weights.is_some()]
            .iter()
            .filter(|&&given| given)
            .count()
    }

    /// The constraints, checked.
    ///
    /// # Errors
    ///
    /// Fails if a value is out of range, members cannot be read, or two
    /// constraints contradict each other.
    pub fn check(self) -> Result<Constraints> {
        let given = self.given()?;
        let members = given.members.clone();
        let active = members.active();
        let most_nodes = self.most_nodes.unwrap_or(active + 1);
        if !(active..=MOST_NAMED).contains(&most_nodes) {
            return Err(Error::Parameter {
                name: "most-nodes".into(),
                value: most_nodes.to_string(),
                rule: format!("from {active}, the nodes now, to {MOST_NAMED}"),
            });
        }
        let removal = self.removal.unwrap_or_default();
        if let Some(replicas) = self.replicas {
            check_replicas(replicas)?;
            let leaves = removal != Removed::None && active > 1;
            let least = active - usize::from(leaves);
            if replicas > least {
                let left = if leaves { "left when one leaves" } else { "there are now" };
                return Err(Error::Parameter {
                    name: "replicas".into(),
                    value: replicas.to_string(),
                    rule: format!("from 1 to {least}, the nodes {left}"),
                });
            }
        }
        let zoned = members.iter().any(|(_, node)| node.zone.is_some());
        if self.zones.is_some() && self.replicas.is_none() {
            return Err(Error::Usage(
                "zones are for replicas, but nothing says how many there are: --replicas R".into(),
            ));
        }
        let on = |asked: Option<bool>| asked == Some(true);
        for (constraint, asked) in [("list-only", self.list_only), ("unattended", self.unattended)]
        {
            if on(self.staged) && on(asked) {
                return Err(Error::Usage(format!(
                    "staged and {constraint} contradict each other: where the operator decides \
                     each move there is a map to give out, and a node that leaves waits for the \
                     operator; give one of them"
                )));
            }
        }
        let limits = [
            (Constraint::MostExcess, self.most_excess.map(|it| it.0)),
            (Constraint::MostStray, self.most_stray.map(|it| it.0)),
            (Constraint::MostPeak, self.most_peak.map(|it| it.0)),
            (Constraint::MostLookupNs, self.most_lookup_ns.map(|it| it.0)),
            (Constraint::MostMemory, self.most_memory.map(|it| it.0 as f64)),
        ];
        let required = [
            (
                Constraint::Weights,
                !members.weighs_evenly() || members.total_weight() != active as u64,
            ),
            (Constraint::Removal, removal != Removed::None),
            (Constraint::Replicas, self.replicas.is_some()),
            (Constraint::Staged, on(self.staged)),
            (Constraint::Unattended, on(self.unattended)),
            (Constraint::ListOnly, on(self.list_only)),
            (Constraint::Unordered, on(self.unordered)),
            (Constraint::Tags, on(self.tags)),
            (Constraint::Ranges, on(self.ranges)),
        ];
        let first = self.rank_by.unwrap_or(Criterion::Moved);
        let mut rank_by = vec![first];
        rank_by.extend(Criterion::value_variants().iter().filter(|&&it| it != first));
        Ok(Constraints {
            given,
            members,
            most_nodes,
            removal,
            replicas: self.replicas,
            spread: if zoned { Spread::Zones } else { Spread::Nodes },
            by: self.by.unwrap_or_default(),
            rank_by,
            limits: limits.into_iter().filter_map(|(it, limit)| Some((it, limit?))).collect(),
            required: required.into_iter().filter(|(_, asked)| *asked).map(|it| it.0).collect(),
        })
    }

    fn given(&self) -> Result<Given> {
        if let Some(path) = &self.members {
            return members::read(path);
        }
        let count = self.weights.as_ref().map_or(self.nodes.unwrap_or(NODES), Vec::len);
        let named = Given::named(count)?;
        let Some(zones) = self.zones else { return self.weighed(&named, |node, _| node) };
        if !(1..=count).contains(&zones) {
            return Err(Error::Parameter {
                name: "zones".into(),
                value: zones.to_string(),
                rule: format!("from 1 to {count}, the nodes now"),
            });
        }
        self.weighed(&named, |node, i| node.in_zone(format!("zone-{}", i % zones)))
    }

    fn weighed(&self, named: &Given, zoned: impl Fn(Node, usize) -> Node) -> Result<Given> {
        let nodes = named.members.iter_by_index().map(|(index, node)| {
            let i = index.get();
            let weight = self.weights.as_ref().map_or(1, |weights| weights[i]);
            zoned(node.clone().weighing(weight), i)
        });
        Ok(Members::new(nodes.collect::<Vec<_>>())?.into())
    }
}

impl Constraints {
    /// What a limit is, where it is asked.
    #[must_use]
    pub fn limit(&self, constraint: Constraint) -> Option<f64> {
        self.limits.iter().find(|(it, _)| *it == constraint).map(|(_, limit)| *limit)
    }

    /// Whether a requirement is asked.
    #[must_use]
    pub fn requires(&self, constraint: Constraint) -> bool {
        self.required.contains(&constraint)
    }

    /// All of them, as they were asked.
    #[must_use]
    pub fn stated(&self) -> Vec<Stated> {
        let stated = |constraint: Constraint, value| Stated {
            constraint,
            by: constraint.is_of_load().then_some(self.by),
            value,
        };
        let mut all = vec![stated(Constraint::MostNodes, Some(self.most_nodes.into()))];
        let removal = serde_json::to_value(self.removal).ok();
        all.push(stated(Constraint::Removal, removal));
        if let Some(replicas) = self.replicas {
            all.push(stated(Constraint::Replicas, Some(replicas.into())));
        }
        let others = |it: &&Constraint| !matches!(it, Constraint::Removal | Constraint::Replicas);
        all.extend(self.required.iter().filter(others).map(|&it| stated(it, None)));
        all.extend(self.limits.iter().map(|&(it, limit)| stated(it, Some(Value::from(limit)))));
        all
    }

    /// The same without a constraint: only the last node can leave, all nodes weigh 1,
    /// or a requirement is not asked. Limits stay.
    #[must_use]
    pub(super) fn without(&self, constraint: Constraint) -> Self {
        let mut relaxed = self.clone();
        match constraint {
            Constraint::Removal => relaxed.removal = Removed::Last,
            Constraint::Weights => {
                let even = self.members.iter_by_index().map(|(_, node)| node.clone().weighing(1));
                if let Ok(members) = Members::new(even.collect::<Vec<_>>()) {
                    relaxed.most_nodes = relaxed.most_nodes.max(members.active());
                    relaxed.given = members.clone().into();
                    relaxed.members = members;
                }
            }
            _ => {}
        }
        relaxed.required.retain(|it| *it != constraint);
        relaxed
    }
}
