//! The figures of a failure, and of all failures of one kind.

use homing_core::{NodeIndex, Placement};

use super::by::By;
use super::cases::Case;
use super::flow::{Flow, marked};
use crate::measure::NO_REPLICAS;
use crate::record::Basis;
use crate::record::failures::{
    Extreme, Failure, FailureFigures, Load, LoadFigures, Losses, LossesOutcome,
};
use crate::statistics::{mean, peak_to_mean};

/// One failure, by keys, bytes and requests.
pub(super) fn failure(
    before: &dyn Placement,
    case: &Case,
    flows: By<Flow>,
    replicas: Option<By<Losses>>,
) -> Failure {
    let members = before.members();
    let failed = marked(before, &case.failed);
    let survivors: Vec<NodeIndex> =
        members.iter().map(|(index, _)| index).filter(|index| !failed[index.get()]).collect();
    let losses = match replicas {
        Some(losses) => losses.map(Some),
        None => By { keys: None, bytes: Some(None), requests: Some(None) },
    };
    let loads = flows.zip(losses).map(|(flow, losses)| load(before, &survivors, &flow, losses));
    Failure {
        zone: case.zone.as_ref().map(|zone| zone.as_str().to_owned()),
        nodes: case.failed.iter().map(|&index| members[index].id.as_str().to_owned()).collect(),
        survivors: survivors.iter().filter(|&&index| members[index].weight > 0).count(),
        by_keys: loads.keys,
        by_bytes: loads.bytes,
        by_requests: loads.requests,
    }
}

fn load(
    before: &dyn Placement,
    survivors: &[NodeIndex],
    flow: &Flow,
    replicas: Option<Losses>,
) -> Load {
    let members = before.members();
    let id = |index: NodeIndex| members[index].id.as_str().to_owned();
    // Over the weight alone: what all weigh together cancels out of every ratio.
    let loads: Vec<(NodeIndex, f64)> = survivors
        .iter()
        .filter(|&&index| members[index].weight > 0)
        .map(|&index| (index, flow.after[index.get()] as f64 / f64::from(members[index].weight)))
        .collect();
    let grown = |&index: &NodeIndex| {
        let (then, now) = (flow.before[index.get()], flow.after[index.get()]);
        (then > 0).then(|| (index, now as f64 / then as f64))
    };
    let (peak, growth) = if loads.is_empty() {
        (None, None)
    } else {
        (greatest(loads.iter().copied()), greatest(survivors.iter().filter_map(grown)))
    };
    let relative: Vec<f64> = loads.iter().map(|&(_, load)| load).collect();
    Load {
        lost: flow.part(flow.lost),
        peak_to_mean: peak.map(|_| peak_to_mean(&relative)),
        peak_node: peak.map(|(index, _)| id(index)),
        growth: growth.map(|(_, growth)| growth),
        growth_node: growth.map(|(index, _)| id(index)),
        takers: flow.taken.iter().filter(|&&taken| taken > 0).count(),
        effective_takers: effective(&flow.taken),
        stray: flow.part(flow.stray),
        unserved: flow.part(flow.unserved),
        replicas,
    }
}

/// The worst and the mean of the failures of one kind; of replicas where asked for.
pub(super) fn figures(basis: Basis, each: Vec<Failure>, replicas: bool) -> FailureFigures {
    // All failures of a row are over one workload.
    let by = |load: fn(&Failure) -> Option<&Load>| {
        let loads: Vec<(&Failure, &Load)> =
            each.iter().filter_map(|each| Some((each, load(each)?))).collect();
        (!loads.is_empty()).then(|| summed(basis, &loads, replicas))
    };
    FailureFigures {
        basis,
        by_keys: by(|each| Some(&each.by_keys)).expect("a kind has at least one failure"),
        by_bytes: by(|each| each.by_bytes.as_ref()),
        by_requests: by(|each| each.by_requests.as_ref()),
        each,
    }
}

fn summed(basis: Basis, each: &[(&Failure, &Load)], replicas: bool) -> LoadFigures {
    let most = |figure: fn(&Load) -> f64| greatest_of(each, |load| Some(figure(load)));
    let least = |figure: fn(&Load) -> f64| {
        let turned = greatest_of(each, |load| Some(-figure(load)));
        // Not 0 - x, since -0 is shown with its sign.
        Extreme { worst: turned.worst.abs(), mean: turned.mean.abs(), ..turned }
    };
    let some = |figure: fn(&Load) -> Option<f64>| {
        each.iter().any(|(_, load)| figure(load).is_some()).then(|| greatest_of(each, figure))
    };
    LoadFigures {
        lost: most(|load| load.lost),
        peak_to_mean: some(|load| load.peak_to_mean),
        growth: some(|load| load.growth),
        takers: least(|load| load.takers as f64),
        effective_takers: least(|load| load.effective_takers),
        stray: most(|load| load.stray),
        unserved: most(|load| load.unserved),
        replicas: replicas.then(|| lost(basis, each)),
    }
}

fn lost(basis: Basis, each: &[(&Failure, &Load)]) -> LossesOutcome {
    if each.iter().any(|(_, load)| load.replicas.is_none()) {
        return LossesOutcome::Unsupported { unsupported: NO_REPLICAS.to_owned() };
    }
    let most =
        |figure: fn(&Losses) -> f64| greatest_of(each, |load| load.replicas.as_ref().map(figure));
    let all_lost = most(|losses| losses.all_lost);
    let worst = each.iter().filter_map(|(_, load)| load.replicas.as_ref());
    // The interval of the same failure: its ends rise with the figure.
    let end = |end: fn(&Losses) -> f64| worst.clone().map(end).fold(0.0, f64::max);
    LossesOutcome::Measured {
        basis,
        all_lost_low: end(|losses| losses.all_lost_low),
        all_lost_high: end(|losses| losses.all_lost_high),
        all_lost,
        some_lost: most(|losses| losses.some_lost),
        few_zones_before: most(|losses| losses.few_zones_before).worst,
        few_zones_left: most(|losses| losses.few_zones_left),
        few_zones_after: most(|losses| losses.few_zones_after),
    }
}

/// The greatest, and the mean, of a figure over the failures that have it.
fn greatest_of(each: &[(&Failure, &Load)], figure: impl Fn(&Load) -> Option<f64>) -> Extreme {
    let figures = each.iter().filter_map(|(failure, load)| Some((figure(load)?, *failure)));
    let all: Vec<f64> = figures.clone().map(|(figure, _)| figure).collect();
    let worst = figures.reduce(|most, next| if next.0 > most.0 { next } else { most });
    Extreme {
        worst: worst.map_or(0.0, |(worst, _)| worst),
        mean: mean(&all),
        worst_of: worst.map(|(_, failure)| failure.named()).unwrap_or_default(),
    }
}

/// The first of the greatest.
fn greatest(figures: impl Iterator<Item = (NodeIndex, f64)>) -> Option<(NodeIndex, f64)> {
    figures.reduce(|most, next| if next.1 > most.1 { next } else { most })
}

/// 1 over the sum of the squared parts of a whole; 0 of nothing.
fn effective(parts: &[u128]) -> f64 {
    let whole = parts.iter().sum::<u128>() as f64;
    if whole == 0.0 {
        return 0.0;
    }
    parts.iter().map(|&part| (part as f64 / whole).powi(2)).sum::<f64>().recip()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_effective_number_is_that_of_equal_parts() {
        // Four equal parts are four; halves and quarters 1 / (1/4 + 1/16 + 1/16) = 8/3.
        assert!((effective(&[5, 5, 5, 5, 0]) - 4.0).abs() < 1e-12);
        assert!((effective(&[2, 1, 1]) - 8.0 / 3.0).abs() < 1e-12);
        assert!((effective(&[7]) - 1.0).abs() < 1e-12);
        assert_eq!(effective(&[0, 0]).to_bits(), 0.0_f64.to_bits());
    }
}
