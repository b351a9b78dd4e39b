//! A family under constraints: what is measured of it, and the verdicts.

use homing_core::{Capabilities, Disruption, Placement, Removal};

use super::loads::{Due, Loads};
use super::search;
use super::steps::{Stage, Step};
use super::{
    Ability, Attempt, Candidate, Constraint, Constraints, Evidence, Ground, Verdict, Worst,
};
use crate::record::{Measured, Outcome, Replicas, Row};
use crate::registry::Choice;
use crate::scenario::Scenario;
use crate::{Result, measure};

/// A figure of a comparison is a sum of few roundings: below this it is none.
pub(super) const ROUNDING: f64 = 1e-12;

/// Measures and judges a family; where it is put out by what its parameter changes,
/// with other values too.
pub(super) fn candidate(
    constraints: &Constraints,
    steps: &[Stage],
    choice: &Choice,
    loads: &Loads<'_>,
) -> Result<Candidate> {
    let first = attempt(constraints, steps, choice, loads)?;
    let (choices, search) = search::turned(constraints, steps, &first, loads);
    let mut attempts = vec![first];
    for choice in &choices {
        let next = attempt(constraints, steps, choice, loads)?;
        if next.is_in() && !attempts[0].is_in() {
            attempts.insert(0, next);
        } else {
            attempts.push(next);
        }
    }
    Ok(Candidate { place: None, attempts, search })
}

/// Measures and judges a family with the parameters it has.
pub(super) fn attempt(
    constraints: &Constraints,
    steps: &[Stage],
    choice: &Choice,
    loads: &Loads<'_>,
) -> Result<Attempt> {
    let mut evidence = Vec::new();
    for stage in steps {
        let scenario = scenario(constraints, stage, choice)?;
        let rows = measure::compare(&scenario, loads.workload)?.rows;
        // Where the moves are an operator's the last row is the planned way.
        let last = rows.len().saturating_sub(1);
        let row = |(i, row)| Evidence { step: stage.step, counts: i == last, row };
        evidence.extend(rows.into_iter().enumerate().map(row));
    }
    let figures = figures(loads, &evidence);
    let abilities = abilities(constraints, choice, &evidence);
    let verdicts = verdicts(constraints, &figures, &abilities, &evidence);
    Ok(Attempt {
        family: choice.entry.family.name.to_owned(),
        parameters: measure::parameters(choice),
        verdicts,
        figures,
        abilities,
        evidence,
        choice: choice.clone(),
    })
}

/// The scenario of one step for one family.
fn scenario(constraints: &Constraints, stage: &Stage, choice: &Choice) -> Result<Scenario> {
    let mut scenario = Scenario::of(constraints.given.clone())?;
    stage.step.word().clone_into(&mut scenario.name);
    scenario.changes.clone_from(&stage.changes);
    scenario.replicas = constraints.replicas;
    scenario.spread = constraints.spread;
    scenario.choose(vec![choice.clone()]);
    Ok(scenario)
}

fn counted(evidence: &[Evidence]) -> impl Iterator<Item = (Step, &Row)> {
    evidence.iter().filter(|it| it.counts).map(|it| (it.step, &it.row))
}

/// The worst figure of each limit; none where no step could be measured.
fn figures(loads: &Loads<'_>, evidence: &[Evidence]) -> Vec<Worst> {
    let mut figures: Vec<Worst> = Vec::new();
    for constraint in Constraint::LIMITS {
        let by = constraint.is_of_load().then_some(loads.by);
        let measured = counted(evidence).filter_map(|(step, row)| Some((step, row.measured()?)));
        let each = measured.map(|(step, row)| {
            let (figure, noise) = figure(constraint, row, loads);
            Worst { constraint, by, step, figure, noise }
        });
        figures.extend(each.reduce(|a, b| if b.needs() > a.needs() { b } else { a }));
    }
    figures
}

/// A figure of a row in the unit of its limit, and how much of it may be chance.
fn figure(constraint: Constraint, row: &Measured, loads: &Loads<'_>) -> (f64, f64) {
    let of_load = || loads.judged(constraint, &loads.figures(row), Due::of_row(row));
    match constraint {
        Constraint::MostLookupNs => (row.lookup_ns, 0.0),
        Constraint::MostMemory => (row.memory_bytes as f64, 0.0),
        _ => of_load().unwrap_or_else(|| unreachable!("{constraint:?} is no limit")),
    }
}

/// What the family can and cannot do, from its capabilities and its layout.
fn abilities(constraints: &Constraints, choice: &Choice, evidence: &[Evidence]) -> Vec<Ability> {
    let can = choice.entry.family.capabilities;
    let operator = can.disruption == Disruption::Operator;
    let layout = choice.build(constraints.members.clone()).ok();
    let tags = layout.as_deref().is_some_and(keeps_tags);
    let ranges = layout.as_deref().is_some_and(|layout| layout.segments().is_some());
    let removal = match can.removal {
        Removal::Any => "removes any node",
        _ => "removes only the node that joined last",
    };
    let any = can.removal == Removal::Any || constraints.removal == super::Removed::Last;
    let able = |constraint, met, yes: &str, no: &str| Ability {
        constraint,
        met,
        ability: if met { yes } else { no }.to_owned(),
    };
    let mut abilities = vec![
        able(Constraint::Weights, can.weights, "takes weights", "takes no weight but 1"),
        able(Constraint::Removal, any, removal, removal),
        replicas(can, evidence),
        able(
            Constraint::Staged,
            operator,
            "keys move only where the operator says",
            "keys move as soon as the members change",
        ),
        able(
            Constraint::Unattended,
            !operator,
            "the keys of a node that leaves have another owner at once",
            "the keys of a node that leaves have no owner until the operator acts",
        ),
        able(
            Constraint::ListOnly,
            !operator,
            "the list of members and the configuration are the map",
            "a map that the operator keeps must be given out",
        ),
        able(
            Constraint::Unordered,
            !can.ordered,
            "the order of the members plays no part",
            "the order of the members is part of the map",
        ),
        able(
            Constraint::Tags,
            tags,
            "every pair of keys of one tag had one position",
            "pairs of keys of one tag had two positions",
        ),
        able(
            Constraint::Ranges,
            ranges,
            "its layout is a list of ranges",
            "its layout is no list of ranges",
        ),
    ];
    if layout.is_none() {
        abilities.retain(|it| !matches!(it.constraint, Constraint::Tags | Constraint::Ranges));
    }
    abilities
}

/// Whether the family orders nodes after the owner, and how many copies then moved.
fn replicas(can: Capabilities, evidence: &[Evidence]) -> Ability {
    let worst = counted(evidence)
        .filter_map(|(_, row)| match row.measured()?.replicas.as_ref()? {
            Replicas::Moved { copies_moved, short, .. } => Some((*copies_moved, *short)),
            Replicas::Unsupported { .. } => None,
        })
        .reduce(|a, b| (a.0.max(b.0), a.1.max(b.1)));
    let constraint = Constraint::Replicas;
    match worst {
        Some((copies, short)) => Ability {
            constraint,
            met: short == 0.0,
            ability: format!(
                "orders further nodes: a step moved at most {:.2} % of the copies, and left {:.2} % of the keys short",
                copies * 100.0,
                short * 100.0
            ),
        },
        None if can.replicas => {
            Ability { constraint, met: true, ability: "orders further nodes".into() }
        }
        None => Ability { constraint, met: false, ability: measure::NO_REPLICAS.into() },
    }
}

/// Whether keys that share a tag share a position, over 64 tags.
fn keeps_tags(layout: &dyn Placement) -> bool {
    (0..64).all(|i| {
        let position = |rest: &str| layout.position(format!("{{tag-{i}}}{rest}").as_bytes());
        position(".a") == position(".b")
    })
}

/// The verdicts of what is asked: of requirements, of steps that could not be taken,
/// of limits.
fn verdicts(
    constraints: &Constraints,
    figures: &[Worst],
    abilities: &[Ability],
    evidence: &[Evidence],
) -> Vec<Verdict> {
    let mut verdicts: Vec<Verdict> = abilities
        .iter()
        .filter(|it| constraints.requires(it.constraint))
        .map(|it| Verdict {
            constraint: it.constraint,
            met: it.met,
            ground: Ground::Able { ability: it.ability.clone() },
        })
        .collect();
    // A family that takes no weights can take no step, and has said so.
    let weightless = verdicts.iter().any(|it| it.constraint == Constraint::Weights && !it.met);
    let refused = counted(evidence).filter_map(|(step, row)| match &row.outcome {
        Outcome::Unsupported { unsupported } if !weightless => Some((step, unsupported)),
        _ => None,
    });
    for (step, rule) in refused {
        let constraint = match step {
            Step::Rest | Step::Join => Constraint::Nodes,
            Step::Grow => Constraint::MostNodes,
            Step::Leave => Constraint::Removal,
        };
        verdicts.retain(|it| it.constraint != constraint);
        let ground = Ground::Able { ability: rule.clone() };
        verdicts.push(Verdict { constraint, met: false, ground });
    }
    for &worst in figures {
        let Some(limit) = constraints.limit(worst.constraint) else { continue };
        let met = worst.needs() <= limit + ROUNDING;
        let ground = Ground::Measured { worst, limit };
        verdicts.push(Verdict { constraint: worst.constraint, met, ground });
    }
    verdicts
}
