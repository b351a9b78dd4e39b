//! What each chart shows, in words: for who cannot see it, and for who reads on.
//! Every figure is from the record.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::charts::{extent, lines, loads};
use super::table::{percent, time};
use crate::record::{Comparison, LookupTime, Measured, Outcome, PointSpread, Row, Weighed};

/// What stands above the table of published results.
pub const PUBLISHED: &str = "\
Results that others have published, measured again. The interval is where a figure of ours agrees with theirs, in 99 of 100 cases; method.md says how it is found.

";

/// The chart of moves, in words.
#[must_use]
pub fn moved_alt(comparison: &Comparison) -> String {
    let told = each(comparison, |row| percent(row.moved));
    format!("Bars: moved of all keys: {told}; optimal {}", percent(comparison.optimal))
}

/// What the chart of moves shows.
#[must_use]
pub fn moved(comparison: &Comparison) -> String {
    let optimal = comparison.optimal;
    let mut said = format!(
        "Each bar is the part of the keys that changed owner, the dashed line the least that any placement must move, {}.",
        percent(optimal)
    );
    let rows: Vec<_> = measured(comparison).collect();
    let of = |row: &Measured| row.moved;
    if let Some((least, most)) = extremes(&rows, of, percent) {
        if least.1 == most.1 {
            let _ = write!(said, " Every row moved {}.", least.1);
        } else {
            let _ =
                write!(said, " {} moved least ({}), {} most ({}", least.0, least.1, most.0, most.1);
            let greatest = rows.iter().map(|(_, row)| row.moved).fold(0.0, f64::max);
            if optimal > 0.0 {
                let _ = write!(said, ", {:.2} times the optimal", greatest / optimal);
            }
            said += ").";
        }
    }
    let below: Vec<String> =
        rows.iter().filter(|(_, row)| is_below(row)).map(|(name, _)| name.clone()).collect();
    if !below.is_empty() {
        let _ = write!(
            said,
            " Whatever stays below the line ({}) is not at its ideal shares before or after the change.",
            list(&below)
        );
    }
    let stray: Vec<String> = rows
        .iter()
        .filter(|(_, row)| row.stray > 0.0)
        .map(|(name, row)| format!("{name} {}", percent(row.stray)))
        .collect();
    if !stray.is_empty() {
        let _ = write!(said, " Between nodes that stay with their weight moved: {}.", list(&stray));
    } else if !rows.is_empty() {
        said += " No row moved keys between nodes that stay with their weight.";
    }
    for (name, row) in &rows {
        if let Some(slots) = row.uncovered.filter(|&slots| slots > 0) {
            let _ = write!(said, " {name} left {slots} slots without an owner.");
        }
    }
    said + &unmeasured(comparison)
}

/// The chart of load, in words.
#[must_use]
pub fn load_alt(comparison: &Comparison) -> String {
    let told = each(comparison, |row| match extent(row) {
        Some((least, most)) => format!("{least:.2} to {most:.2}"),
        None => "no load".to_owned(),
    });
    format!("Dots: load of each node over what its weight is due, 1 being even: {told}")
}

/// What the chart of load shows.
#[must_use]
pub fn load(comparison: &Comparison) -> String {
    let mut said = format!(
        "Each dot is one of {} nodes after the change: its load by keys over what its weight is due, so 1 is even; dots on top of each other are darker.",
        comparison.nodes_after
    );
    let rows: Vec<_> = measured(comparison).collect();
    if let Some((least, most)) = extremes(&rows, |row| row.cv, percent) {
        if least.1 == most.1 {
            let _ = write!(said, " The coefficient of variation of every row is {}.", least.1);
        } else {
            let _ = write!(
                said,
                " The most even is {} (coefficient of variation {}), the least even {} ({}).",
                least.0, least.1, most.0, most.1
            );
        }
    }
    let peak = |row: &Measured| row.peak_to_mean;
    if let Some((_, most)) = extremes(&rows, peak, |peak| format!("{peak:.3}")) {
        let _ =
            write!(said, " The fullest node of all has {} times the mean, in {}.", most.1, most.0);
    }
    let idle = |row: &Measured| loads(row).filter(|&load| load == 0.0).count();
    for (name, row) in rows.iter().filter(|(_, row)| idle(row) > 0) {
        let nodes = idle(row);
        let owns = if nodes == 1 { "node has" } else { "nodes have" };
        let _ = write!(said, " In {name} {nodes} {owns} no load at all.");
    }
    said += &weighed(&rows, "bytes", |row| row.by_bytes.as_ref());
    said + &weighed(&rows, "requests", |row| row.by_requests.as_ref())
}

/// How even the load is by something other than keys, where that is known.
fn weighed(
    rows: &[(String, &Measured)],
    unit: &str,
    by: impl Fn(&Measured) -> Option<&Weighed>,
) -> String {
    let rows: Vec<_> = rows
        .iter()
        .filter(|(_, row)| by(row).is_some())
        .map(|(name, row)| (name.clone(), *row))
        .collect();
    let cv = |row: &Measured| by(row).map_or(0.0, |weighed| weighed.cv);
    match extremes(&rows, cv, percent) {
        None => String::new(),
        Some((least, most)) if least.1 == most.1 => {
            format!(" By {unit} the coefficient of variation of every row is {}.", least.1)
        }
        Some((least, most)) => format!(
            " By {unit} the coefficient of variation is from {} ({}) to {} ({}).",
            least.1, least.0, most.1, most.0
        ),
    }
}

/// The chart of lookup times, in words.
#[must_use]
pub fn lookup_alt(times: &[LookupTime]) -> String {
    let told: Vec<String> = lines(times)
        .iter()
        .map(|(name, line)| {
            let points: Vec<String> = line
                .iter()
                .map(|point| format!("{} at {} nodes", time(point.lookup_ns), point.nodes))
                .collect();
            format!("{name} {}", points.join(", "))
        })
        .collect();
    format!("Lines: time of one lookup: {}", told.join("; "))
}

/// What the chart of lookup times shows.
#[must_use]
pub fn lookup(times: &[LookupTime]) -> String {
    let mut said = String::from(
        "The median time of one lookup in a batch, the hash of the key counted, over equal nodes; both axes are logarithmic.",
    );
    let mut told = Vec::new();
    let mut ends: Vec<(String, f64)> = Vec::new();
    let lines = lines(times);
    let most = times.iter().map(|time| time.nodes).max().unwrap_or(0);
    for (name, line) in &lines {
        let Some(first) = line.iter().min_by_key(|time| time.nodes) else { continue };
        let Some(last) = line.iter().max_by_key(|time| time.nodes) else { continue };
        told.push(format!(
            "{name} {} at {} and {} at {} ({:.1} times)",
            time(first.lookup_ns),
            first.nodes,
            time(last.lookup_ns),
            last.nodes,
            last.lookup_ns / first.lookup_ns
        ));
        if last.nodes == most {
            ends.push(((*name).to_owned(), last.lookup_ns));
        }
    }
    let _ = write!(said, " From the fewest nodes to the most: {}.", told.join("; "));
    ends.sort_by(|a, b| a.1.total_cmp(&b.1));
    if let (Some(first), Some(last)) = (ends.first(), ends.last())
        && ends.len() > 1
    {
        let _ = write!(
            said,
            " At {most} nodes {} takes least ({}) and {} most ({}).",
            first.0,
            time(first.1),
            last.0,
            time(last.1)
        );
    }
    let mut other: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for point in times.iter().filter(|time| !time.parameters.is_empty()) {
        let nodes = other.entry((&point.family, &point.parameters)).or_default();
        nodes.push(point.nodes.to_string());
    }
    for ((family, parameters), nodes) in other {
        let _ = write!(said, " At {} nodes {family} is {family}:{parameters}.", list(&nodes));
    }
    said
}

/// The chart of spreads, in words.
#[must_use]
pub fn spread_alt(spreads: &[PointSpread]) -> String {
    let told: Vec<String> = spreads
        .iter()
        .map(|spread| {
            format!(
                "{}: median {}, from {} to {}, formula {}",
                of_points(spread.points),
                percent(spread.cv_median),
                percent(spread.cv_min),
                percent(spread.cv_max),
                percent(spread.cv_expected)
            )
        })
        .collect();
    format!("Line with a band: coefficient of variation of the shares: {}", told.join("; "))
}

/// What the chart of spreads shows.
#[must_use]
pub fn spread(spreads: &[PointSpread]) -> String {
    let (Some(first), Some(last)) = (
        spreads.iter().min_by_key(|spread| spread.points),
        spreads.iter().max_by_key(|spread| spread.points),
    ) else {
        return String::new();
    };
    let mut said = format!(
        "How unevenly the points of a {} of {} equal nodes share the positions: the coefficient of variation of the exact shares, for {} seeds of the hash. The median is {} with {} a node and {} with {}.",
        first.family,
        first.nodes,
        first.seeds,
        percent(first.cv_median),
        of_points(first.points),
        percent(last.cv_median),
        of_points(last.points)
    );
    let off = |spread: &PointSpread| (spread.cv_median / spread.cv_expected - 1.0).abs();
    let known = spreads.iter().filter(|spread| spread.cv_expected > 0.0);
    if let Some(furthest) = known.max_by(|a, b| off(a).total_cmp(&off(b))) {
        let _ = write!(
            said,
            " The median is nowhere further from the formula than by {:.0} % of it, which is at {}.",
            off(furthest) * 100.0,
            of_points(furthest.points)
        );
    }
    let spans = |spread: &&PointSpread| spread.cv_min > 0.0;
    let ratio = |spread: &PointSpread| spread.cv_max / spread.cv_min;
    if let Some(widest) = spreads.iter().filter(spans).max_by(|a, b| ratio(a).total_cmp(&ratio(b)))
    {
        let _ = write!(
            said,
            " One layout can be far from the median: with {} the least even seed has {:.1} times the spread of the most even.",
            of_points(widest.points),
            ratio(widest)
        );
    }
    said
}

fn of_points(points: u64) -> String {
    if points == 1 { "1 point".to_owned() } else { format!("{points} points") }
}

/// Names as they are read out: `a, b and c`.
#[must_use]
pub fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn is_below(row: &Measured) -> bool {
    // Not by what rounding alone can do.
    row.moved_high < row.optimal - 1e-9
}

/// The names with the least and the greatest figure, each with the figure; names
/// that show the same figure stand together.
fn extremes(
    rows: &[(String, &Measured)],
    of: impl Fn(&Measured) -> f64,
    show: impl Fn(f64) -> String,
) -> Option<((String, String), (String, String))> {
    let shown = |value: f64| {
        let names = rows.iter().filter(|(_, row)| show(of(row)) == show(value));
        let names: Vec<String> = names.map(|(name, _)| name.clone()).collect();
        (list(&names), show(value))
    };
    let least = rows.iter().map(|(_, row)| of(row)).min_by(f64::total_cmp)?;
    let most = rows.iter().map(|(_, row)| of(row)).max_by(f64::total_cmp)?;
    Some((shown(least), shown(most)))
}

fn each(comparison: &Comparison, show: impl Fn(&Measured) -> String) -> String {
    let told = comparison.rows.iter().map(|row| match &row.outcome {
        Outcome::Measured(figures) => format!("{} {}", row.label(), show(figures)),
        Outcome::Unsupported { .. } => format!("{} not measured", row.label()),
    });
    told.collect::<Vec<_>>().join(", ")
}

fn unmeasured(comparison: &Comparison) -> String {
    let mut said = String::new();
    for row in &comparison.rows {
        if let Outcome::Unsupported { unsupported } = &row.outcome {
            let _ = write!(said, " {} cannot do this: {unsupported}.", row.label());
        }
    }
    said
}

fn measured(comparison: &Comparison) -> impl Iterator<Item = (String, &Measured)> {
    comparison.rows.iter().filter_map(|row: &Row| Some((row.label(), row.measured()?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_out() {
        let names = ["a", "b", "c"].map(str::to_owned);
        assert_eq!(list(&names[..1]), "a");
        assert_eq!(list(&names[..2]), "a and b");
        assert_eq!(list(&names), "a, b and c");
    }
}
