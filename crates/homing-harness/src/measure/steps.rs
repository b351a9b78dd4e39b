//! Several steps, one after the other, taken through the families of a scenario.

mod exact;
mod keys;
mod ways;

use homing_core::{Members, Node, Placement};

use self::ways::{Route, routes};
use super::{balance, optimal, parameters, summary, uncovered};
use crate::Result;
use crate::progress::Progress;
use crate::record::{
    Basis, Returned, StepMeasured, StepRow, StepRun, StepSummary, SumMeasured, SumRow, Told,
};
use crate::registry::Choice;
use crate::scenario::{Action, Cluster, Scenario};
use crate::statistics::Interval;
use crate::workload::{Basis as Taken, Workload};

/// Takes the steps of a scenario through its families, over the keys of
/// `workload`.
///
/// # Errors
///
/// Fails if a step cannot be, or a family was given a parameter out of range. What
/// a family cannot do by its nature is told in its rows instead.
pub fn steps(scenario: &Scenario, workload: &Workload) -> Result<StepRun> {
    let course = Course::of(scenario)?;
    let (first, last) = (&course.clusters[0], &course.clusters[scenario.steps.len()]);
    let progress = Progress::new(scenario.families.len());
    let mut run = StepRun {
        scenario: scenario.name.clone(),
        about: scenario.about.clone(),
        nodes_before: first.members().active(),
        nodes_after: last.members().active(),
        workload: summary(workload),
        optimal: course.steps.iter().map(|step| step.optimal).sum(),
        optimal_at_once: optimal(&by_machine(first)?, &by_machine(last)?),
        undone: first.is_as(last),
        steps: course.steps.clone(),
        rows: Vec::new(),
        sums: Vec::new(),
        notes: Vec::new(),
    };
    for choice in &scenario.families {
        progress.step(choice.to_string());
        for route in routes(choice, scenario)? {
            course.measure(&route, choice, workload, &mut run);
        }
    }
    if scenario.steps.iter().any(|step| matches!(step.action, Action::Replace(_))) {
        run.notes.push(
            "replace: no key changes its owner, but the new machine is empty: what its id owns has to be copied to it"
                .to_owned(),
        );
    }
    Ok(run)
}

/// The cluster before the first step and after each, and what the steps are.
struct Course {
    clusters: Vec<Cluster>, // one more than there are steps
    steps: Vec<StepSummary>,
}

/// A layout of a route, and the machines behind its nodes.
struct State<'a> {
    layout: usize, // which of the route's
    placement: &'a dyn Placement,
    machines: Vec<Option<usize>>, // by index: the number of the machine
    steady: Vec<bool>,            // by machine: there before the step too, with its weight
}

/// What moved in a step, as parts of a whole, and the loads after it.
struct Moves {
    moved: f64,
    moved_in: Interval,
    stray: f64,
    stray_in: Interval,
    bytes: Option<f64>,
    requests: Option<f64>,
    loads: Vec<f64>, // by index
}

/// What moved in the steps of a route, and in all of them together.
struct Figures {
    basis: Basis,
    steps: Vec<Moves>,
    once: f64, // in one step or more
    once_in: Interval,
    apart: f64, // elsewhere after the last step than before the first
    apart_in: Interval,
}

impl State<'_> {
    /// Whether what went from one machine to the other is stray.
    fn is_stray(&self, from: Option<usize>, to: Option<usize>) -> bool {
        from.is_some_and(|from| self.steady[from]) && to.is_some_and(|to| self.steady[to])
    }
}

impl Course {
    fn of(scenario: &Scenario) -> Result<Self> {
        let mut cluster = Cluster::new(scenario.members.clone());
        let mut clusters = vec![cluster.clone()];
        let mut steps = Vec::new();
        for (number, step) in (1..).zip(&scenario.steps) {
            let before = by_machine(&cluster)?;
            cluster.make(&step.action)?;
            clusters.push(cluster.clone());
            steps.push(StepSummary {
                step: number,
                name: step.name.clone(),
                action: step.action.to_string(),
                nodes: cluster.members().active(),
                optimal: optimal(&before, &by_machine(&cluster)?),
            });
        }
        Ok(Self { clusters, steps })
    }

    /// The layouts of a route, with the machines of the clusters they are of.
    fn states<'a>(&self, route: &'a Route) -> Vec<State<'a>> {
        let weights: Vec<Vec<Option<u32>>> = self.clusters.iter().map(Cluster::weights).collect();
        let steady = |after: usize| {
            let none = Vec::new();
            let before = after.checked_sub(1).map_or(&none, |before| &weights[before]);
            let mut steady = vec![false; self.clusters[self.clusters.len() - 1].weights().len()];
            for (steady, (then, now)) in steady.iter_mut().zip(before.iter().zip(&weights[after])) {
                *steady = then.is_some() && then == now;
            }
            steady
        };
        let states = route.at.iter().enumerate().map(|(i, &layout)| {
            let placement = &*route.layouts[layout];
            let mut machines = vec![None; placement.members().index_bound()];
            for (index, node) in placement.members().iter() {
                machines[index.get()] = self.clusters[i].machine(&node.id);
            }
            State { layout, placement, machines, steady: steady(i) }
        });
        states.collect()
    }

    /// Adds the rows of a route.
    fn measure(&self, route: &Route, choice: &Choice, workload: &Workload, run: &mut StepRun) {
        let states = self.states(route);
        let plain = workload.basis() == Taken::Generated
            && !workload.has_bytes()
            && !workload.has_requests();
        let exact = if plain { exact::figures(&states) } else { None };
        let figures = match exact {
            Some(figures) => Some(figures),
            None if states.is_empty() => None,
            None => Some(keys::figures(&states, route, workload)),
        };
        let made = figures.as_ref().map_or(&[][..], |figures| &figures.steps);
        let mut measured: Vec<StepMeasured> = Vec::new();
        for (moves, (step, state)) in made.iter().zip(self.steps.iter().zip(&states[1..])) {
            let even = balance(state.placement.members(), &moves.loads);
            measured.push(StepMeasured {
                moved: moves.moved,
                moved_low: moves.moved_in.low,
                moved_high: moves.moved_in.high,
                optimal: step.optimal,
                stray: moves.stray,
                stray_low: moves.stray_in.low,
                stray_high: moves.stray_in.high,
                peak_to_mean: even.peak_to_mean,
                cv: even.cv,
                basis: figures.as_ref().map_or(Basis::Exact, |figures| figures.basis),
                uncovered: uncovered(state.placement),
                moved_bytes: moves.bytes,
                moved_requests: moves.requests,
            });
        }
        let row = |step: &StepSummary, outcome| StepRow {
            family: route.name.clone(),
            parameters: parameters(choice),
            step: step.step,
            name: step.name.clone(),
            outcome,
        };
        let sum = match (&route.stopped, &figures) {
            (None, Some(figures)) => Told::Measured(self.sum(route, &measured, figures, run)),
            (stopped, _) => {
                let rule = stopped.clone().unwrap_or_default();
                let unsupported = match route.at.len() {
                    0 => rule,
                    step => format!("stopped at step {step}: {rule}"),
                };
                Told::Unsupported { unsupported }
            }
        };
        let mut measured = measured.into_iter();
        for step in &self.steps {
            let outcome = match (measured.next(), route.at.len()) {
                (Some(figures), _) => Told::Measured(figures),
                (None, stop) => {
                    let unsupported = match &route.stopped {
                        Some(rule) if step.step <= stop.max(1) => rule.clone(),
                        _ => format!("stopped at step {}", stop.max(1)),
                    };
                    Told::Unsupported { unsupported }
                }
            };
            run.rows.push(row(step, outcome));
        }
        run.notes.extend(route.note.clone());
        let left = sum.measured().and_then(|sum| sum.uncovered).unwrap_or(0);
        if left > 0 {
            run.notes.push(format!(
                "{}: {left} slots have no owner after the last step, and their keys none: a rebalance hands out no slot without one",
                route.name
            ));
        }
        run.sums.push(SumRow {
            family: route.name.clone(),
            parameters: parameters(choice),
            outcome: sum,
        });
    }

    /// What the steps of a route come to.
    fn sum(
        &self,
        route: &Route,
        steps: &[StepMeasured],
        figures: &Figures,
        run: &StepRun,
    ) -> SumMeasured {
        let sum = |of: &dyn Fn(&StepMeasured) -> Option<f64>| -> Option<f64> {
            steps.iter().map(of).sum()
        };
        let plain = |of: fn(&StepMeasured) -> f64| steps.iter().map(of).sum();
        let ends = (&route.layouts[route.at[0]], &route.layouts[route.at[self.steps.len()]]);
        let has = |of: &dyn Fn(&StepMeasured) -> Option<f64>| steps.first().and_then(of).is_some();
        let by = |of: &dyn Fn(&StepMeasured) -> Option<f64>| if has(of) { sum(of) } else { None };
        SumMeasured {
            moved: plain(|step| step.moved),
            optimal: run.optimal,
            stray: plain(|step| step.stray),
            moved_once: figures.once,
            moved_once_low: figures.once_in.low,
            moved_once_high: figures.once_in.high,
            moved_at_once: figures.apart,
            moved_at_once_low: figures.apart_in.low,
            moved_at_once_high: figures.apart_in.high,
            basis: figures.basis,
            uncovered: steps.last().and_then(|step| step.uncovered),
            moved_bytes: by(&|step| step.moved_bytes),
            moved_requests: by(&|step| step.moved_requests),
            returned: run.undone.then(|| Returned {
                fingerprint: ends.0.fingerprint() == ends.1.fingerprint(),
                map: figures.apart == 0.0,
            }),
        }
    }
}

/// The members under the numbers of their machines instead of their ids.
fn by_machine(cluster: &Cluster) -> Result<Members> {
    let nodes = cluster.members().iter().map(|(_, node)| {
        let number = cluster.machine(&node.id).map_or_else(String::new, |it| it.to_string());
        Node::new(number).weighing(node.weight)
    });
    Ok(Members::new(nodes)?)
}
