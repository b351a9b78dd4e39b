//! The sentences of a recommendation: what was searched for, what would change the
//! order or let a family in, and the notes.

use super::{of, shown, word};
use crate::recommend::{
    Candidate, Constraint, LeastPeak, Loosened, Loosening, Recommendation, Shift, Stated,
};
use crate::record::Basis;
use crate::report::table::percent;
use crate::workload::Load;

pub(super) fn searched(candidate: &Candidate, load: Load) -> Option<String> {
    let search = candidate.search.as_ref()?;
    let values: Vec<String> = search.values.iter().map(u64::to_string).collect();
    let family = &candidate.first().family;
    let over = match search.basis {
        None => String::new(),
        Some(Basis::Exact) => " over all positions".to_owned(),
        Some(_) => format!(" by {load} of the keys", load = load.word()),
    };
    let built = format!("{family}: {} {} were built{over}", search.parameter, values.join(", "));
    Some(match search.found {
        Some(found) => format!("{built}; {}={found} was then measured", search.parameter),
        None => format!("{built}; none met the limits"),
    })
}

pub(super) fn shift(shift: &Shift, load: Load) -> String {
    let named = |constraint| named(constraint, load);
    match shift {
        Shift::LetIn { family, constraint, needs, before, .. } => {
            let place =
                before.as_ref().map_or("comes last".to_owned(), |it| format!("comes before {it}"));
            format!("{family} is let in {}, and {place}", if_(*constraint, *needs, load))
        }
        Shift::PutOut { family, constraint, below: Some(below), next } => {
            let limit = shown(*constraint, *below);
            format!("{family} is put out if {} is below {limit}; {next} is not", named(*constraint))
        }
        Shift::PutOut { family, constraint, below: None, next } => {
            let asked = match constraint {
                Constraint::Removal => "any node can leave".to_owned(),
                other => format!("{} is asked", other.name()),
            };
            format!("{family} is put out if {asked}; {next} is not")
        }
        Shift::RankBy { rank_by, order } => {
            format!("ranked by {} first: {}", word(*rank_by), order.join(", "))
        }
    }
}

/// The name of a constraint, with the load where it is of one.
fn named(constraint: Constraint, load: Load) -> String {
    format!("{}{}", constraint.name(), of(constraint.is_of_load().then_some(load)))
}

fn if_(constraint: Constraint, needs: Option<f64>, load: Load) -> String {
    match (constraint, needs) {
        (_, Some(needs)) => {
            format!("if {} is at least {}", named(constraint, load), shown(constraint, needs))
        }
        (Constraint::Removal, None) => "if only the node that joined last can leave".to_owned(),
        (Constraint::Weights, None) => "if all nodes weigh 1".to_owned(),
        (_, None) => format!("if {} is not asked", constraint.name()),
    }
}

pub(super) fn loosening(loosening: &Loosening, load: Load) -> String {
    let each: Vec<String> = loosening.loosen.iter().map(|it| loosened(it, load)).collect();
    format!("{}: lets in {}", each.join(", and "), loosening.family)
}

fn loosened(it: &Loosened, load: Load) -> String {
    let name = named(it.constraint, load);
    match (it.limit, it.needs) {
        (Some(limit), Some(needs)) => {
            let of = |figure| shown(it.constraint, figure);
            format!("{name} from {} to {}, by {}", of(limit), of(needs), of(needs - limit))
        }
        _ => match it.constraint {
            Constraint::Removal => "removal of only the node that joined last".to_owned(),
            Constraint::Weights => "weights of 1".to_owned(),
            _ => format!("{name} left out"),
        },
    }
}

/// What a reader must be told besides the figures.
pub(super) fn notes(answer: &Recommendation) -> Vec<String> {
    let load = answer.by.word();
    let mut notes = vec![
        format!(
            "figures are the worst of the measured rows, moves and balance by {load}; places differ \
             only by 0.1 % of all {load}, by 0.01 of peak/mean, or by a tenth of a lookup time or \
             of memory"
        ),
        "lookup times were measured on this machine in this run".to_owned(),
    ];
    if let Some(LeastPeak { part, nodes, peak_to_mean }) = answer.least_peak {
        notes.push(format!(
            "one key has {} of the {load}, and is on one node: over {nodes} nodes no family and no \
             parameter brings peak/mean by {load} below {peak_to_mean:.3}",
            percent(part)
        ));
    }
    let copies = |it: &Stated| it.constraint == Constraint::Replicas;
    if answer.by != Load::Keys && answer.constraints.iter().any(copies) {
        notes.push(format!("copies of replicas are counted by keys, not by {load}"));
    }
    let figures = answer.families.iter().flat_map(|it| &it.attempts).flat_map(|it| &it.figures);
    let noisy = figures.filter(|it| it.noise > 0.0 && it.constraint == Constraint::MostPeak);
    let noise = noisy.map(|it| it.noise).fold(0.0, f64::max);
    if noise > 0.0 {
        notes.push(format!(
            "of {} generated keys up to {noise:.3} of a sampled peak/mean by {load} may be chance, and puts no family out",
            answer.workload.keys
        ));
    }
    let found = answer.families.iter().filter_map(|it| it.search.as_ref());
    if found.clone().any(|it| it.basis == Some(Basis::Counted) && it.found.is_some()) {
        notes.push(format!(
            "a value that was found by {load} is one for these keys: others may fall otherwise"
        ));
    }
    notes
}
