//! `[[step]]` tables: steps as they are written in TOML.

use std::fmt;

use homing_core::{Members, Node, NodeId, Zone, mix64};
use serde::Deserialize;
use serde::de::{self, Deserializer, SeqAccess, Unexpected, Visitor};
use toml::Spanned;

use super::file::Place;
use super::{Action, Cluster, Step, grown};
use crate::Result;
use crate::members::{Table, Told, Written};

/// More steps than this, repeats counted, are a mistake, and a row each.
const MOST_STEPS: u64 = 1000;

/// The memberships after all steps may have this many nodes together: each is in
/// memory, beside the layouts of it.
const MOST_NODES: usize = 2_000_000;

/// What stands for the number of the round in a step that is repeated.
const ROUND: &str = "{round}";

const ONE: &str = "must have one of join, grow, leave, fail, replace, rename, reorder, \
                   reweight, drain, shift and rebalance = true";

/// A step, or steps that are repeated together.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepTable {
    name: Option<String>,
    join: Option<String>,
    grow: Option<Written>,
    leave: Option<Who>,
    fail: Option<Who>,
    replace: Option<String>,
    rename: Option<Table<Names>>,
    reorder: Option<Order>,
    reweight: Option<String>,
    drain: Option<Who>,
    shift: Option<String>,
    rebalance: Option<bool>,
    weight: Option<Written>,
    zone: Option<String>,
    attributes: Option<Table<Told>>,
    repeat: Option<Written>,
    step: Option<Vec<Spanned<Table<StepTable>>>>,
}

/// Nodes, by their id or by their zone.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged, expecting = "found neither an id nor a zone, but must be ID or { zone = ZONE }")]
enum Who {
    Id(String),
    Zone(InZone),
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct InZone {
    zone: String,
}

/// Two ids of one machine.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Names {
    from: String,
    to: String,
}

/// An order of the list.
#[derive(Clone, Debug)]
enum Order {
    Seed(u64),
    Word(String),
    Ids(Vec<String>),
}

/// Reads the steps of a file, and takes a cluster of `members` through them to
/// see that they can be.
pub(super) fn steps(
    place: Place<'_>,
    tables: Vec<Spanned<Table<StepTable>>>,
    members: &Members,
) -> Result<Vec<Step>> {
    let mut course = Course {
        place,
        members,
        cluster: Cluster::new(members.clone()),
        steps: Vec::new(),
        nodes: 0,
    };
    for table in tables {
        let start = table.span().start;
        let Table(mut table) = table.into_inner();
        let rounds =
            match table.repeat.take() {
                None => None,
                Some(count) => Some(count.within(1..=MOST_STEPS).map_err(|reason| {
                    course.refused(start, None, &format!("repeat is {reason}"))
                })?),
            };
        let group = match table.step.take() {
            None => vec![(start, table)],
            Some(_) if rounds.is_none() || table.is_more_than_a_group() => {
                let reason = "has steps of its own, but then must have repeat and nothing else";
                return Err(course.refused(start, None, reason));
            }
            Some(inner) => {
                inner.into_iter().map(|table| (table.span().start, table.into_inner().0)).collect()
            }
        };
        if group.is_empty() {
            return Err(course.refused(start, None, "repeats an empty list of steps"));
        }
        for round in 0..rounds.unwrap_or(1) {
            for (start, table) in &group {
                course.take(*start, table, rounds.map(|_| round))?;
            }
        }
    }
    Ok(course.steps)
}

/// The steps so far, and the cluster after them.
struct Course<'a> {
    place: Place<'a>,
    members: &'a Members, // at the start
    cluster: Cluster,
    steps: Vec<Step>,
    nodes: usize, // in the memberships after the steps
}

impl Course<'_> {
    fn take(&mut self, start: usize, table: &StepTable, round: Option<u64>) -> Result<()> {
        if self.steps.len() as u64 == MOST_STEPS {
            let reason =
                format!("is one too many: there are at most {MOST_STEPS}, repeats counted");
            return Err(self.refused(start, round, &reason));
        }
        let action = table
            .action(round, &self.cluster, self.members)
            .map_err(|reason| self.refused(start, round, &reason))?;
        if let Err(error) = self.cluster.make(&action) {
            return Err(self.refused(start, round, &format!("cannot be: {error}")));
        }
        self.nodes += self.cluster.members().len();
        if self.nodes > MOST_NODES {
            let reason = format!(
                "brings the nodes after all steps so far to {}, but there must be at most {MOST_NODES}",
                self.nodes
            );
            return Err(self.refused(start, round, &reason));
        }
        let name = match &table.name {
            Some(name) => filled(name, round),
            None => action.to_string(),
        };
        self.steps.push(Step { name, action });
        Ok(())
    }

    /// That the next step cannot be, at a byte of the file.
    fn refused(&self, start: usize, round: Option<u64>, reason: &str) -> crate::Error {
        let number = self.steps.len() + 1;
        let round = round.map_or_else(String::new, |round| format!(" (round {round})"));
        self.place.at(start, format!("step {number}{round} {reason}"))
    }
}

impl StepTable {
    fn is_more_than_a_group(&self) -> bool {
        self.given() > 0
            || self.name.is_some()
            || self.weight.is_some()
            || self.zone.is_some()
            || self.attributes.is_some()
    }

    /// How many things the step does.
    fn given(&self) -> usize {
        [
            self.join.is_some(),
            self.grow.is_some(),
            self.leave.is_some(),
            self.fail.is_some(),
            self.replace.is_some(),
            self.rename.is_some(),
            self.reorder.is_some(),
            self.reweight.is_some(),
            self.drain.is_some(),
            self.shift.is_some(),
            self.rebalance == Some(true),
        ]
        .into_iter()
        .map(usize::from)
        .sum()
    }

    fn action(
        &self,
        round: Option<u64>,
        cluster: &Cluster,
        start: &Members,
    ) -> Result<Action, String> {
        if self.repeat.is_some() || self.step.is_some() {
            return Err("is within a repeat, but must not repeat steps itself".into());
        }
        if self.given() != 1 || self.rebalance == Some(false) {
            return Err(ONE.into());
        }
        let weight = self.weight.as_ref().map(Written::weight).transpose();
        let weight = weight.map_err(|reason| format!("has the weight {reason}"))?;
        if weight.is_some() && self.join.is_none() && self.reweight.is_none() {
            return Err("has a weight, which goes with join and reweight only".into());
        }
        if self.zone.is_some() && self.join.is_none() {
            return Err("has a zone, which goes with join only".into());
        }
        if self.attributes.is_some() && self.join.is_none() {
            return Err("has attributes, which go with join only".into());
        }
        let id = |text: &String| NodeId::from(filled(text, round));
        let who = |who: &Who| who.ids(round, cluster);
        if let Some(text) = &self.join {
            let mut node = Node::new(id(text)).weighing(weight.unwrap_or(1));
            node.zone = self.zone.as_ref().map(|zone| Zone::from(filled(zone, round)));
            let told = self.attributes.clone().unwrap_or(Table(Told::default())).0;
            return Ok(Action::Join(vec![told.on(node)]));
        }
        if let Some(count) = &self.grow {
            let count = count.within(1..=MOST_NODES as u64);
            let count = count.map_err(|reason| format!("grows by {reason}"))?;
            let count = usize::try_from(count).expect("it is at most a usize");
            let joins = grown(cluster.members(), start, count).into_iter();
            let nodes = joins.filter_map(|change| match change {
                homing_core::Change::Add(node) => Some(node),
                _ => None,
            });
            return Ok(Action::Join(nodes.collect()));
        }
        if let Some(text) = &self.reweight {
            let weight = weight.ok_or("reweights a node, but has no weight")?;
            return Ok(Action::Reweight(id(text), weight));
        }
        if let Some(text) = &self.shift {
            let last = cluster.list().pop().ok_or("shifts an empty list")?;
            return Ok(Action::Shift { gone: id(text), last });
        }
        if let Some(Table(names)) = &self.rename {
            return Ok(Action::Rename { from: id(&names.from), to: id(&names.to) });
        }
        if let Some(order) = &self.reorder {
            return Ok(Action::Reorder(order.of(round, cluster)?));
        }
        Ok(match (&self.leave, &self.fail, &self.drain, &self.replace) {
            (Some(them), ..) => Action::Leave(who(them)?),
            (_, Some(them), ..) => Action::Fail(who(them)?),
            (_, _, Some(them), _) => Action::Drain(who(them)?),
            (.., Some(text)) => Action::Replace(id(text)),
            _ => Action::Rebalance,
        })
    }
}

impl Who {
    fn ids(&self, round: Option<u64>, cluster: &Cluster) -> Result<Vec<NodeId>, String> {
        let zone = match self {
            Self::Id(id) => return Ok(vec![NodeId::from(filled(id, round))]),
            Self::Zone(InZone { zone }) => filled(zone, round),
        };
        let within = |node: &&Node| node.zone.as_ref().is_some_and(|it| it.as_str() == zone);
        let nodes = cluster.members().iter().map(|(_, node)| node);
        let ids: Vec<NodeId> = nodes.filter(within).map(|node| node.id.clone()).collect();
        if ids.is_empty() {
            return Err(format!("is about the zone {zone:?}, but no member is in it"));
        }
        Ok(ids)
    }
}

impl<'de> Deserialize<'de> for Order {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OrderVisitor)
    }
}

struct OrderVisitor;

impl<'de> Visitor<'de> for OrderVisitor {
    type Value = Order;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"reverse\", a seed from 0 to 18446744073709551615, or a list of ids")
    }

    fn visit_i64<E: de::Error>(self, given: i64) -> Result<Order, E> {
        let seed = u64::try_from(given).ok().map(Order::Seed);
        seed.ok_or_else(|| E::invalid_value(Unexpected::Signed(given), &self))
    }

    fn visit_u64<E: de::Error>(self, given: u64) -> Result<Order, E> {
        Ok(Order::Seed(given))
    }

    fn visit_str<E: de::Error>(self, given: &str) -> Result<Order, E> {
        Ok(Order::Word(given.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Order, A::Error> {
        let mut ids = Vec::new();
        while let Some(id) = list.next_element()? {
            ids.push(id);
        }
        Ok(Order::Ids(ids))
    }
}

impl Order {
    fn of(&self, round: Option<u64>, cluster: &Cluster) -> Result<Vec<NodeId>, String> {
        let list = cluster.list();
        match self {
            Self::Ids(ids) => Ok(ids.iter().map(|id| filled(id, round).into()).collect()),
            Self::Word(word) if word == "reverse" => Ok(list.into_iter().rev().collect()),
            Self::Word(word) => Err(format!(
                "has the order {word:?}, but must have \"reverse\", a seed, or a list of ids"
            )),
            Self::Seed(seed) => Ok(shuffled(list, *seed)),
        }
    }
}

/// The list in order of the outputs of `SplitMix64`, one a place.
fn shuffled(list: Vec<NodeId>, seed: u64) -> Vec<NodeId> {
    let mut drawn: Vec<(u64, NodeId)> = (1_u64..)
        .zip(list)
        .map(|(i, id)| (mix64(seed.wrapping_add(i.wrapping_mul(0x9e37_79b9_7f4a_7c15))), id))
        .collect();
    drawn.sort();
    drawn.into_iter().map(|(_, id)| id).collect()
}

/// A text with the number of the round in it, where the step is repeated.
fn filled(text: &str, round: Option<u64>) -> String {
    match round {
        Some(round) => text.replace(ROUND, &round.to_string()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shuffle_goes_by_the_outputs_of_split_mix() {
        // The first outputs of seed 0, as published with the generator:
        // 16294208416658607535, 7960286522194355700, 487617019471545679.
        let ids = ["a", "b", "c"].map(NodeId::from).to_vec();
        let shuffled = shuffled(ids, 0);
        assert_eq!(shuffled.iter().map(NodeId::as_str).collect::<Vec<_>>(), ["c", "b", "a"]);
    }

    #[test]
    fn the_round_stands_only_where_there_is_one() {
        assert_eq!(filled("node-{round}", Some(3)), "node-3");
        assert_eq!(filled("node-{round}", None), "node-{round}");
    }
}
