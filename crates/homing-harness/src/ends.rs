//! [`Ends`]: the layout that a plan starts from, and what it is to come to.

use homing_core::{Change, Disruption, Members, Node, NodeId, Placement};
use serde_json::Value;

use crate::members::Given;
use crate::registry::Choice;
use crate::scenario::{chosen, no_family, stated};
use crate::{Error, Result};

/// A layout, with what builds it.
#[derive(Clone, Debug)]
pub struct End {
    /// The family and its parameters.
    pub choice: Choice,
    /// The layout.
    pub layout: Box<dyn Placement>,
    /// How many layouts came before.
    pub epoch: u64,
}

/// What a plan is to come to, as it was given.
#[derive(Clone, Debug)]
pub enum Goal {
    /// Members, or a manifest.
    Given(Box<Given>),
    /// Changes to the members before.
    Changes(Vec<Change>),
}

/// Two layouts of one family, or the first of them and the members of the other.
#[derive(Clone, Debug)]
pub struct Ends {
    /// The layout before.
    pub before: End,
    /// The layout after; `None` where an operator has still to plan it.
    pub after: Option<End>,
    /// The members after.
    pub members: Members,
    /// The changes that were given, or lead from the members before to those
    /// after.
    pub changes: Vec<Change>,
    /// The members of both, with the zones after: who joins has its weight, who
    /// leaves has none.
    pub joined: Members,
}

impl End {
    /// Builds the layout of a manifest, or of members under a choice.
    ///
    /// # Errors
    ///
    /// Fails if neither names a family, or there is no such layout.
    pub fn read(asked: Option<Choice>, given: Given) -> Result<Self> {
        let epoch = given.manifest.as_ref().map_or(0, |manifest| manifest.epoch);
        asked.iter().try_for_each(|choice| choice.check_labels(&given))?;
        let choice = chosen(asked, &given)?;
        let layout = choice.build(given.members)?;
        Ok(Self { choice, layout, epoch })
    }

    /// The manifest of the layout.
    ///
    /// # Errors
    ///
    /// Fails if the choice does not build it.
    #[expect(clippy::missing_panics_doc, reason = "a manifest is JSON")]
    pub fn manifest(&self) -> Result<Value> {
        let text = self.choice.describe(self.layout.members().clone(), self.epoch)?;
        Ok(serde_json::from_str(&text).expect("a manifest is JSON"))
    }

    /// The parameters that differ from the defaults, `points=500,hash=sha256`.
    #[must_use]
    pub fn parameters(&self) -> String {
        let choice = self.choice.to_string();
        choice.split_once(':').map_or_else(String::new, |(_, rest)| rest.to_owned())
    }
}

impl Ends {
    /// Builds the layouts from `before` to `goal`, of the family asked for or
    /// stated.
    ///
    /// # Errors
    ///
    /// Fails if there is no family or there are two, the changes cannot be made,
    /// or the family cannot be built of the members.
    pub fn between(asked: Option<Choice>, before: Given, goal: Goal) -> Result<Self> {
        if let Some(choice) = &asked {
            choice.check_labels(&before)?;
            if let Goal::Given(given) = &goal {
                choice.check_labels(given)?;
            }
        }
        let of_before = stated(&before)?;
        let of_after = match &goal {
            Goal::Given(given) => stated(given)?,
            Goal::Changes(_) => None,
        };
        let family = one_family(asked.as_ref(), of_before.as_ref(), of_after.as_ref())?;
        let choice = match (&asked, &of_before) {
            (Some(asked), stated) => asked.clone().or(stated.as_ref()),
            (None, Some(stated)) => stated.clone(),
            // The map after is no map of the members before.
            (None, None) if operates(&family) => Choice::plain(family.entry),
            (None, None) => family.clone(),
        };
        let epoch = before.manifest.as_ref().map_or(0, |manifest| manifest.epoch);
        let layout = choice.build(before.members)?;
        let before = End { choice, layout, epoch };
        let same = |stated: &Choice| stated.entry.family.name == family.entry.family.name;
        match (goal, of_after.filter(same)) {
            (Goal::Given(given), Some(stated)) => {
                let epoch = given.manifest.as_ref().map_or(0, |manifest| manifest.epoch);
                let choice = asked.unwrap_or_else(|| stated.clone()).or(Some(&stated));
                let layout = choice.build(given.members)?;
                Self::stated(before, End { choice, layout, epoch })
            }
            (Goal::Given(given), None) => {
                // What is hashed of a node is told by the list that it is in.
                let (_, listed) = before.choice.clone().settled(given.members)?;
                Self::to_members(before, listed)
            }
            (Goal::Changes(changes), _) => Self::by_changes(before, changes),
        }
    }

    fn stated(before: End, after: End) -> Result<Self> {
        let members = after.layout.members().clone();
        let changes = net(before.layout.members(), &members);
        let joined = joined(before.layout.members(), &members)?;
        Ok(Self { before, after: Some(after), members, changes, joined })
    }

    /// To the members of a file. Where ownership goes by index the list is that of
    /// the file; elsewhere who stays keeps its index.
    fn to_members(before: End, listed: Members) -> Result<Self> {
        let changes = net(before.layout.members(), &listed);
        let ordered = before.choice.entry.family.capabilities.ordered;
        let members = if ordered {
            listed
        } else {
            let mut members = rezoned(before.layout.members(), &listed);
            members.apply(&changes)?;
            members
        };
        let joined = joined(before.layout.members(), &members)?;
        let planned = operates(&before.choice);
        let after = if planned { None } else { Some(before.next(members.clone())?) };
        Ok(Self { before, after, members, changes, joined })
    }

    fn by_changes(before: End, changes: Vec<Change>) -> Result<Self> {
        let mut members = before.layout.members().clone();
        members.apply(&changes)?;
        let joined = joined(before.layout.members(), &members)?;
        let after = if operates(&before.choice) {
            None
        } else {
            before.choice.builder()?.check(&members)?;
            let mut layout = before.layout.clone();
            layout.apply(&changes)?;
            Some(End { choice: before.choice.clone(), layout, epoch: before.epoch + 1 })
        };
        Ok(Self { before, after, members, changes, joined })
    }
}

impl End {
    /// The layout of other members under the same choice, one epoch later.
    fn next(&self, members: Members) -> Result<Self> {
        let layout = self.choice.build(members)?;
        Ok(Self { choice: self.choice.clone(), layout, epoch: self.epoch + 1 })
    }
}

/// Whether the moves of a family are the operator's.
fn operates(choice: &Choice) -> bool {
    choice.entry.family.capabilities.disruption == Disruption::Operator
        && choice.entry.operator.is_some()
}

/// The one family that is asked for or stated.
fn one_family(
    asked: Option<&Choice>,
    before: Option<&Choice>,
    after: Option<&Choice>,
) -> Result<Choice> {
    match (asked, before, after) {
        (Some(asked), ..) => Ok(asked.clone()),
        (None, Some(before), Some(after))
            if before.entry.family.name != after.entry.family.name =>
        {
            Err(Error::Usage(format!(
                "a plan is within one family, but BEFORE states {:?} and AFTER {:?}: \
                 homing diff compares any two",
                before.entry.family.name, after.entry.family.name
            )))
        }
        (None, Some(stated), _) | (None, None, Some(stated)) => Ok(stated.clone()),
        (None, None, None) => Err(no_family()),
    }
}

/// The changes from one membership to another: who leaves, then other weights,
/// both in order of id, then who joins, in order of index.
fn net(before: &Members, after: &Members) -> Vec<Change> {
    let (there, here) = (before.matched_in(after), after.matched_in(before));
    let leaving = before.iter().filter(|(index, _)| there[index.get()].is_none());
    let mut changes: Vec<Change> =
        leaving.map(|(_, node)| Change::Remove(node.id.clone())).collect();
    for (index, node) in before.iter() {
        let weight = there[index.get()].map_or(node.weight, |there| after[there].weight);
        if weight != node.weight {
            changes.push(Change::Reweight(node.id.clone(), weight));
        }
    }
    let joining = after.iter_by_index().filter(|(index, _)| here[index.get()].is_none());
    changes.extend(joining.map(|(_, node)| Change::Add(node.clone())));
    changes
}

/// The members of both: weights as after, 0 for who leaves.
fn joined(before: &Members, after: &Members) -> Result<Members> {
    let mut members = rezoned(before, after);
    let changes: Vec<Change> = net(before, after)
        .into_iter()
        .map(|change| match change {
            Change::Remove(id) => Change::Reweight(id, 0),
            other => other,
        })
        .collect();
    members.apply(&changes)?;
    Ok(members)
}

/// The members with the zones and attributes that `after` says, indices as they are.
fn rezoned(members: &Members, after: &Members) -> Members {
    let there = |id: &NodeId| after.index_of(id).map(|index| &after[index]);
    let same = |node: &Node| {
        there(&node.id)
            .is_none_or(|after| after.zone == node.zone && after.attributes == node.attributes)
    };
    if members.iter().all(|(_, node)| same(node)) {
        return members.clone();
    }
    let as_after = |node: &Node| {
        let mut node = node.clone();
        if let Some(after) = there(&node.id) {
            node.zone = after.zone.clone();
            node.attributes = after.attributes.clone();
        }
        Ok(node)
    };
    members.with_nodes(as_after).expect("they were members before")
}
