//! The charts of a report, as SVG: the same figures give the same bytes.

use std::collections::BTreeMap;

use super::canvas::{COLOURS, Canvas, GREY, INK, PALE, Scale, Side, cut, drawn, width};
use super::table::{percent, time};
use crate::record::{Comparison, LookupTime, Measured, Outcome, PointSpread, Row};

const WIDTH: u32 = 760;
const RIGHT: i32 = 760;
const SMALL: u32 = 12;
const TITLE: u32 = 15;

/// The height of a row, and what stands above and below the rows.
const ROW: i32 = 30;
const ABOVE: i32 = 62;
const BELOW: i32 = 52;

/// What moved, a bar a family, with the least that any placement must move.
#[must_use]
pub fn moved(comparison: &Comparison) -> String {
    let most = measured(comparison).map(|row| row.moved).fold(comparison.optimal, f64::max);
    let lanes = Lanes::new(comparison, most, 80);
    let about = format!("{}: moved of all keys", cut(&comparison.scenario, 60));
    lanes.drawn(&about, "moved, % of all keys", round_percent, |canvas| {
        let least = lanes.scale.place(comparison.optimal);
        for (row, y) in lanes.each() {
            if let Some(figures) = row.measured() {
                let end = lanes.scale.place(figures.moved);
                canvas.bar((lanes.left, y - 9), (end.max(lanes.left + 1), y + 9), COLOURS[0]);
            }
        }
        canvas.dashes(&[(least, ABOVE - 4), (least, lanes.bottom())], COLOURS[1], 2);
        let told = format!("optimal {}", percent(comparison.optimal));
        canvas.text((least + 6, ABOVE - 12), &told, SMALL, COLOURS[1], Side::Start);
        for (row, y) in lanes.each() {
            match &row.outcome {
                Outcome::Unsupported { unsupported } => lanes.say(canvas, y, unsupported),
                Outcome::Measured(figures) => {
                    let end = lanes.scale.place(figures.moved);
                    canvas.label((end + 6, y), &percent(figures.moved), SMALL, INK);
                }
            }
        }
    })
}

/// The load of each node over what its weight is due, a dot a node.
#[must_use]
pub fn load(comparison: &Comparison) -> String {
    let most = measured(comparison).flat_map(loads).fold(1.0, f64::max);
    let lanes = Lanes::new(comparison, most, 100);
    let axis = "load of a node by keys, over what its weight is due";
    let about = format!("{}: load of each node after the change", cut(&comparison.scenario, 60));
    lanes.drawn(&about, axis, plain, |canvas| {
        let even = lanes.scale.place(1.0);
        canvas.dashes(&[(even, ABOVE - 4), (even, lanes.bottom())], COLOURS[1], 2);
        canvas.text((even, ABOVE - 12), "even", SMALL, COLOURS[1], Side::Middle);
        for (row, y) in lanes.each() {
            match &row.outcome {
                Outcome::Unsupported { unsupported } => lanes.say(canvas, y, unsupported),
                Outcome::Measured(figures) => {
                    for (x, nodes) in crowds(figures, &lanes.scale) {
                        canvas.dot((x, y), 5, COLOURS[0], shade(nodes));
                    }
                    if let Some((least, most)) = extent(figures) {
                        let told = format!("{least:.2} to {most:.2}");
                        canvas.text((lanes.right + 14, y), &told, SMALL, INK, Side::Start);
                    }
                }
            }
        }
    })
}

/// The time of one lookup against the number of nodes, a line a family.
#[must_use]
pub fn lookup(times: &[LookupTime]) -> String {
    let (left, right, top, bottom) = (78, RIGHT - 120, 44, 380);
    let lines = lines(times);
    let all = || times.iter().filter(|time| time.lookup_ns > 0.0);
    let Some((low, high)) = bounds(all().map(|time| time.lookup_ns)) else { return blank() };
    let Some((few, many)) = bounds(times.iter().map(|time| time.nodes as f64)) else {
        return blank();
    };
    let x = Scale::logarithmic(few, many, left, right);
    let y = Scale::logarithmic(low / 1.4, high * 1.4, bottom, top);
    drawn(WIDTH, 440, |canvas| {
        title(canvas, "Time of one lookup, the key's hash counted");
        grid(canvas, (left, right, top, bottom), (&x, &y), (&grouped, &short_time));
        canvas.text((i32::midpoint(left, right), 424), "nodes", SMALL, INK, Side::Middle);
        canvas.upwards((18, i32::midpoint(top, bottom)), "time of one lookup (median)", SMALL);
        let mut names = Vec::new();
        for (i, (name, points)) in lines.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            let places: Vec<_> = points
                .iter()
                .map(|time| (x.place(time.nodes as f64), y.place(time.lookup_ns)))
                .collect();
            canvas.line(&places, colour, 2);
            for &place in &places {
                canvas.dot(place, 4, colour, 1.0);
            }
            if let Some(&(_, end)) = places.last() {
                names.push((end, cut(name, 16), colour));
            }
        }
        for (at, (end, name, colour)) in apart(names) {
            canvas.line(&[(right + 6, end), (right + 18, at)], colour, 2);
            canvas.text((right + 23, at), &name, SMALL, INK, Side::Start);
        }
    })
}

/// How unevenly points share the positions, against their number a node.
#[must_use]
pub fn spread(spreads: &[PointSpread]) -> String {
    let (left, right, top, bottom) = (78, RIGHT - 30, 44, 380);
    let figures = |of: fn(&PointSpread) -> f64| spreads.iter().map(of).filter(|&cv| cv > 0.0);
    let all = figures(|s| s.cv_min).chain(figures(|s| s.cv_max)).chain(figures(|s| s.cv_expected));
    let (Some((low, high)), Some((few, many))) =
        (bounds(all), bounds(spreads.iter().map(|spread| spread.points as f64)))
    else {
        return blank();
    };
    let x = Scale::logarithmic(few, many, left, right);
    let y = Scale::logarithmic(low / 1.2, high * 1.2, bottom, top);
    drawn(WIDTH, 440, |canvas| {
        title(canvas, "Spread of the shares of nodes against points a node");
        grid(canvas, (left, right, top, bottom), (&x, &y), (&grouped, &round_percent));
        canvas.text((i32::midpoint(left, right), 424), "points a node", SMALL, INK, Side::Middle);
        canvas.upwards(
            (18, i32::midpoint(top, bottom)),
            "coefficient of variation of the shares",
            SMALL,
        );
        let places = |of: fn(&PointSpread) -> f64| -> Vec<_> {
            spreads.iter().map(|s| (x.place(s.points as f64), y.place(of(s)))).collect()
        };
        let mut band = places(|s| s.cv_max);
        band.extend(places(|s| s.cv_min).into_iter().rev());
        canvas.area(&band, COLOURS[5], 0.3);
        let median = places(|s| s.cv_median);
        canvas.line(&median, COLOURS[0], 2);
        for &place in &median {
            canvas.dot(place, 4, COLOURS[0], 1.0);
        }
        canvas.dashes(&places(|s| s.cv_expected), COLOURS[1], 2);
        let at = right - 250;
        canvas.bar((at - 12, top + 10), (right - 10, top + 84), plotters::style::WHITE);
        canvas.line(&[(at, top + 24), (at + 28, top + 24)], COLOURS[0], 2);
        canvas.dot((at + 14, top + 24), 4, COLOURS[0], 1.0);
        canvas.text((at + 36, top + 24), "median of the hash seeds", SMALL, INK, Side::Start);
        canvas.area(
            &[(at, top + 40), (at + 28, top + 40), (at + 28, top + 54), (at, top + 54)],
            COLOURS[5],
            0.3,
        );
        canvas.text((at + 36, top + 47), "least to greatest of them", SMALL, INK, Side::Start);
        canvas.dashes(&[(at, top + 70), (at + 28, top + 70)], COLOURS[1], 2);
        canvas.text(
            (at + 36, top + 70),
            "formula \u{221a}((N \u{2212} 1) / (N v + 1))",
            SMALL,
            INK,
            Side::Start,
        );
    })
}

/// A row for each family, one below the other, over one axis.
struct Lanes<'a> {
    rows: &'a [Row],
    names: Vec<String>,
    left: i32,
    right: i32,
    scale: Scale,
}

impl<'a> Lanes<'a> {
    fn new(comparison: &'a Comparison, most: f64, beside: i32) -> Self {
        let names: Vec<String> = comparison.rows.iter().map(|row| cut(&row.label(), 34)).collect();
        let widest = names.iter().map(|name| width(name, SMALL)).max().unwrap_or(0);
        let (left, right) = (widest + 28, RIGHT - beside);
        Self { rows: &comparison.rows, names, left, right, scale: Scale::linear(most, left, right) }
    }

    fn bottom(&self) -> i32 {
        ABOVE + ROW * i32::try_from(self.rows.len()).unwrap_or(1000)
    }

    /// Each row with the middle of its height.
    fn each(&self) -> impl Iterator<Item = (&'a Row, i32)> {
        self.rows.iter().zip((ABOVE + ROW / 2..).step_by(usize::try_from(ROW).unwrap_or(1)))
    }

    fn drawn(
        &self,
        about: &str,
        axis: &str,
        mark: impl Fn(f64) -> String,
        draw: impl FnOnce(&Canvas<'_>),
    ) -> String {
        let bottom = self.bottom();
        drawn(WIDTH, u32::try_from(bottom + BELOW).unwrap_or(WIDTH), |canvas| {
            title(canvas, about);
            for value in self.scale.marks() {
                let x = self.scale.place(value);
                canvas.line(&[(x, ABOVE), (x, bottom)], PALE, 1);
                canvas.text((x, bottom + 13), &mark(value), SMALL, INK, Side::Middle);
            }
            canvas.text(
                (i32::midpoint(self.left, self.right), bottom + 36),
                axis,
                SMALL,
                INK,
                Side::Middle,
            );
            for ((_, y), name) in self.each().zip(&self.names) {
                canvas.text((self.left - 10, y), name, SMALL, INK, Side::End);
            }
            draw(canvas);
            canvas.line(&[(self.left, ABOVE), (self.left, bottom)], INK, 1);
        })
    }

    /// Why a row has no figures.
    fn say(&self, canvas: &Canvas<'_>, y: i32, why: &str) {
        let room = usize::try_from((RIGHT - self.left) / width("m", SMALL)).unwrap_or(0);
        let told = cut(&format!("not measured: {why}"), room.saturating_sub(4));
        canvas.label((self.left + 8, y), &told, SMALL, GREY);
    }
}

/// The load over what the weight is due, of each node that is due some.
pub(super) fn loads(figures: &Measured) -> impl Iterator<Item = f64> {
    figures.load.iter().filter(|load| load.ideal > 0.0).map(|load| load.share / load.ideal)
}

/// The least and the greatest of [`loads`].
pub(super) fn extent(figures: &Measured) -> Option<(f64, f64)> {
    bounds(loads(figures))
}

/// The families of a sweep in order of appearance, each with its times.
pub(super) fn lines(times: &[LookupTime]) -> Vec<(&str, Vec<&LookupTime>)> {
    let mut lines: Vec<(&str, Vec<&LookupTime>)> = Vec::new();
    for time in times.iter().filter(|time| time.lookup_ns > 0.0) {
        match lines.iter_mut().find(|(name, _)| *name == time.family) {
            Some((_, line)) => line.push(time),
            None => lines.push((&time.family, vec![time])),
        }
    }
    lines
}

fn measured(comparison: &Comparison) -> impl Iterator<Item = &Measured> {
    comparison.rows.iter().filter_map(Row::measured)
}

/// How many nodes are drawn at each place.
fn crowds(figures: &Measured, scale: &Scale) -> BTreeMap<i32, i32> {
    let mut crowds = BTreeMap::new();
    for load in loads(figures) {
        *crowds.entry(scale.place(load)).or_default() += 1;
    }
    crowds
}

/// How dark dots on top of each other are.
fn shade(nodes: i32) -> f64 {
    let shade = 1.0 - 0.55_f64.powi(nodes);
    (shade * 100.0).round() / 100.0
}

fn bounds(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |bounds, value| match bounds {
        None => Some((value, value)),
        Some((low, high)) => Some((value.min(low), value.max(high))),
    })
}

/// Names moved apart so that none is on another, with where each goes.
fn apart<T>(mut names: Vec<(i32, String, T)>) -> Vec<(i32, (i32, String, T))> {
    const LINE: i32 = 16;
    names.sort_by_key(|(end, ..)| *end);
    let mut places: Vec<i32> = Vec::new();
    for (end, ..) in &names {
        places.push(places.last().map_or(*end, |last| (*end).max(last + LINE)));
    }
    // Those pushed below their line's end are taken halfway back, from the last.
    let mut below = i32::MAX;
    for (place, (end, ..)) in places.iter_mut().zip(&names).rev() {
        *place = (*place).min(below - LINE).min(i32::midpoint(*place, *end));
        below = *place;
    }
    places.into_iter().zip(names).collect()
}

fn blank() -> String {
    drawn(WIDTH, 60, |canvas| title(canvas, "no figures"))
}

fn title(canvas: &Canvas<'_>, text: &str) {
    canvas.text((14, 20), text, TITLE, INK, Side::Start);
}

fn grid(
    canvas: &Canvas<'_>,
    (left, right, top, bottom): (i32, i32, i32, i32),
    (x, y): (&Scale, &Scale),
    (across, up): (&dyn Fn(f64) -> String, &dyn Fn(f64) -> String),
) {
    for value in y.marks() {
        let at = y.place(value);
        canvas.line(&[(left, at), (right, at)], PALE, 1);
        canvas.text((left - 8, at), &up(value), SMALL, INK, Side::End);
    }
    for value in x.marks() {
        let at = x.place(value);
        canvas.line(&[(at, top), (at, bottom)], PALE, 1);
        canvas.text((at, bottom + 15), &across(value), SMALL, INK, Side::Middle);
    }
    canvas.line(&[(left, top), (left, bottom), (right, bottom)], INK, 1);
}

/// A number without needless digits.
fn plain(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    text.to_owned()
}

fn round_percent(fraction: f64) -> String {
    plain(fraction * 100.0) + " %"
}

fn short_time(ns: f64) -> String {
    time(ns).replace(".0 ", " ").replace(".00 ", " ")
}

/// A number with a comma before every three digits.
fn grouped(value: f64) -> String {
    let text = plain(value);
    let whole = text.find('.').unwrap_or(text.len());
    let mut shown = String::new();
    for (i, c) in text.char_indices() {
        if i > 0 && i < whole && (whole - i).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(c);
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stand_apart() {
        let names =
            vec![(100, "b".to_owned(), ()), (98, "a".to_owned(), ()), (300, "c".to_owned(), ())];
        let places: Vec<i32> = apart(names).into_iter().map(|(at, _)| at).collect();
        assert!(places.windows(2).all(|pair| pair[1] - pair[0] >= 16), "{places:?}");
        assert_eq!(places[2], 300);
    }

    #[test]
    fn marks_have_no_needless_digits() {
        assert_eq!([grouped(10.0), grouped(10_000.0), grouped(1e6)], ["10", "10,000", "1,000,000"]);
        assert_eq!([round_percent(0.02), round_percent(0.125)], ["2 %", "12.5 %"]);
        assert_eq!([short_time(1000.0), short_time(2.5e6)], ["1 us", "2.5 ms"]);
    }
}
