//! The ways in which a family goes through the steps, and the layouts on them.

use homing_core::{
    Change, Disruption, Error as CoreError, Fingerprint, Members, Node, NodeId, Placement, Removal,
};

use crate::registry::{Builder, Choice};
use crate::scenario::{Action, Scenario, drains, removals, renamed, reordered};
use crate::{Error, Result};

/// The layouts of all steps together may have this many bytes.
const MOST_BYTES: usize = 4 << 30;

/// A family on its way through the steps.
pub(super) struct Route {
    /// The name of the rows.
    pub(super) name: String,
    /// The layouts, each once however often it comes back.
    pub(super) layouts: Vec<Box<dyn Placement>>,
    /// The layout before the first step and after each that was made.
    pub(super) at: Vec<usize>,
    /// Why the next step was not made.
    pub(super) stopped: Option<String>,
    /// What a reader must be told of the way.
    pub(super) note: Option<String>,
    prints: Vec<Fingerprint>, // of the layouts
    bytes: usize,             // of the layouts
}

/// How a family makes a step.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Way {
    /// As it is.
    Plain,
    /// With a rebalance after everything that changes the membership.
    Rebalancing,
    /// With the last of the list in the place of one that leaves.
    Swapping,
}

/// The routes of a family.
///
/// Where moves are the operator's there are two, without and with a rebalance after
/// each step; and where only the last of the list can be removed and another one
/// is, there is a second one in which the last takes its place.
///
/// # Errors
///
/// Fails if the family was given a parameter out of range, or the layouts would
/// not fit in memory.
pub(super) fn routes(choice: &Choice, scenario: &Scenario) -> Result<Vec<Route>> {
    let family = choice.entry.family;
    let name = family.name;
    let mut routes = vec![route(choice, scenario, Way::Plain, name.to_owned())?];
    if family.capabilities.disruption == Disruption::Operator {
        let name = format!("{name}+rebalance");
        routes.push(route(choice, scenario, Way::Rebalancing, name)?);
    }
    if family.capabilities.removal == Removal::Last && routes[0].stopped.is_some() {
        let mut swapping = route(choice, scenario, Way::Swapping, format!("{name}+swap"))?;
        if swapping.at.len() > routes[0].at.len() {
            swapping.note = Some(format!(
                "{name}+swap: the last of the list takes the place of the one that leaves, since {name} removes only the last"
            ));
            routes.push(swapping);
        }
    }
    Ok(routes)
}

fn route(choice: &Choice, scenario: &Scenario, way: Way, name: String) -> Result<Route> {
    let builder = choice.builder()?;
    let mut route = Route {
        name,
        layouts: Vec::new(),
        at: Vec::new(),
        stopped: None,
        note: None,
        prints: Vec::new(),
        bytes: 0,
    };
    let mut layout = match builder.build(scenario.members.clone()) {
        Ok(layout) => layout,
        Err(error) => {
            route.stopped = Some(told(choice, error)?);
            return Ok(route);
        }
    };
    route.push(&*layout)?;
    for step in &scenario.steps {
        match way.next(choice, &builder, &*layout, &step.action) {
            Ok(next) => layout = next,
            Err(error) => {
                route.stopped = Some(told(choice, error)?);
                break;
            }
        }
        route.push(&*layout)?;
    }
    Ok(route)
}

/// The reason that a row has for an error, unless the user asked for what failed.
fn told(choice: &Choice, error: CoreError) -> Result<String> {
    match error {
        CoreError::Unsupported { rule, .. } => Ok(rule.to_owned()),
        error if !choice.is_asked() => Ok(Error::Core(error).to_string()),
        error => {
            let said = Error::Usage(format!("{}: {error}", choice.entry.family.name));
            Err(choice.origin.located(said))
        }
    }
}

impl Route {
    fn push(&mut self, layout: &dyn Placement) -> Result<()> {
        let print = layout.fingerprint();
        if let Some(at) = self.prints.iter().position(|&known| known == print) {
            self.at.push(at);
            return Ok(());
        }
        self.bytes = self.bytes.saturating_add(layout.memory_usage());
        if self.bytes > MOST_BYTES {
            let name = &self.name;
            return Err(Error::Usage(format!(
                "{name}: the layouts of the first {} steps take {} bytes, but must take at most {MOST_BYTES}",
                self.at.len(),
                self.bytes
            )));
        }
        self.at.push(self.layouts.len());
        self.layouts.push(layout.dyn_clone());
        self.prints.push(print);
        Ok(())
    }
}

impl Way {
    /// The layout after a step.
    fn next(
        self,
        choice: &Choice,
        builder: &Builder,
        layout: &dyn Placement,
        action: &Action,
    ) -> Result<Box<dyn Placement>, CoreError> {
        let capabilities = choice.entry.family.capabilities;
        let operator = capabilities.disruption == Disruption::Operator;
        let members = layout.members();
        let mut changes = match action {
            Action::Join(nodes) => nodes.iter().cloned().map(Change::Add).collect(),
            Action::Leave(ids) | Action::Fail(ids) if self == Self::Swapping => {
                return builder.build(swapped(members, ids)?);
            }
            Action::Shift { last, .. } if self == Self::Swapping => {
                return builder.build(swapped(members, std::slice::from_ref(last))?);
            }
            Action::Leave(ids) => leave(ids, operator),
            Action::Shift { last, .. } => leave(std::slice::from_ref(last), operator),
            Action::Fail(ids) => removals(ids),
            Action::Drain(ids) => drains(ids),
            Action::Reweight(id, weight) => vec![Change::Reweight(id.clone(), *weight)],
            Action::Rename { from, to } if capabilities.ordered => {
                return builder.build(renamed(members, from, to)?);
            }
            Action::Rename { from, to } => rename(members, from, to, operator)?,
            Action::Reorder(order) if !operator => {
                let built = builder.build(reordered(members, order)?);
                // Where ownership does not go by the order, a configuration that
                // names nodes that have left since is no reason to stop.
                return if capabilities.ordered {
                    built
                } else {
                    Ok(built.unwrap_or_else(|_| layout.dyn_clone()))
                };
            }
            Action::Rebalance => vec![Change::Rebalance],
            Action::Reorder(_) | Action::Replace(_) => Vec::new(),
        };
        if self == Self::Rebalancing && !changes.is_empty() {
            changes.push(Change::Rebalance);
        }
        let mut after = members.clone();
        after.apply(&changes)?;
        builder.check(&after)?;
        let mut next = layout.dyn_clone();
        next.apply(&changes)?;
        Ok(next)
    }
}

/// How nodes leave: where moves are the operator's they are drained first, and
/// what they own is handed over.
fn leave(ids: &[NodeId], operator: bool) -> Vec<Change> {
    let mut changes = Vec::new();
    if operator {
        changes = drains(ids);
        changes.push(Change::Rebalance);
    }
    changes.extend(removals(ids));
    changes
}

/// How a node goes on under another id where ownership goes by ids: as one that
/// leaves and one that joins. An operator hands over what the first one has.
fn rename(
    members: &Members,
    from: &NodeId,
    to: &NodeId,
    operator: bool,
) -> Result<Vec<Change>, CoreError> {
    let unknown = || CoreError::UnknownNode { id: from.clone() };
    let index = members.index_of(from).ok_or_else(unknown)?;
    let mut node = members[index].clone();
    node.id = to.clone();
    let from = from.clone();
    Ok(if operator {
        vec![
            Change::Add(node),
            Change::Reweight(from.clone(), 0),
            Change::Rebalance,
            Change::Remove(from),
        ]
    } else {
        vec![Change::Remove(from), Change::Add(node)]
    })
}

/// The list without some, the last one then in the place of each.
fn swapped(members: &Members, ids: &[NodeId]) -> Result<Members, CoreError> {
    let mut list: Vec<Node> = members.iter_by_index().map(|(_, node)| node.clone()).collect();
    for id in ids {
        let place = list.iter().position(|node| node.id == *id);
        list.swap_remove(place.ok_or_else(|| CoreError::UnknownNode { id: id.clone() })?);
    }
    Members::new(list)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_takes_the_place_of_who_leaves() {
        let members = Members::named(["a", "b", "c", "d"]).unwrap();
        let ids = |members: &Members| -> Vec<String> {
            members.iter_by_index().map(|(_, node)| node.id.to_string()).collect()
        };
        assert_eq!(ids(&swapped(&members, &["b".into()]).unwrap()), ["a", "d", "c"]);
        assert_eq!(ids(&swapped(&members, &["d".into()]).unwrap()), ["a", "b", "c"]);
        assert_eq!(ids(&swapped(&members, &["a".into(), "d".into()]).unwrap()), ["c", "b"]);
    }

    #[test]
    fn an_operator_drains_who_leaves_and_nobody_else_does() {
        let (gone, ids) = (Change::Remove("a".into()), ["a".into()]);
        let drained = Change::Reweight("a".into(), 0);
        assert_eq!(leave(&ids, false), std::slice::from_ref(&gone));
        assert_eq!(leave(&ids, true), [drained, Change::Rebalance, gone]);
    }
}
