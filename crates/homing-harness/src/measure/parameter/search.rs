//! The least value that meets the targets.

use super::meter::{Even, Meter};
use super::{Parameter, theory};
use crate::Result;
use crate::record::sweep::{Answer, Miss, SweepRow, Targets};

/// The greatest value below which all are tried, where seeds agree.
const ONE_BY_ONE: u64 = 1 << 13;

/// How far apart the coefficients of variation may be of seeds that agree.
const AGREE: f64 = 1e-12;

/// A search over the values of a parameter from `from` to `to`.
pub(super) struct Search<'a> {
    pub(super) meter: &'a Meter<'a>,
    pub(super) from: u64,
    pub(super) to: u64,
}

/// Where a search has come to: what is asked becomes true between the two.
struct Found {
    below: Option<u64>, // the greatest value of which it is not true
    at: Option<u64>,    // the least of which it is
}

impl Search<'_> {
    /// The first value from `value` to `to` that the family takes: the entries of a
    /// table are a prime.
    pub(super) fn allowed(&self, value: u64, to: u64) -> Result<Option<u64>> {
        // No gap between primes below 2^32 is longer than 336.
        for value in value..=to.min(value.saturating_add(1000)) {
            if self.meter.allows(value)? {
                return Ok(Some(value));
            }
        }
        Ok(None)
    }

    /// Says of each row whether it meets the targets, finds the value that was asked
    /// for, and adds its row. The second is why no value beyond the rows was looked
    /// at, if so.
    pub(super) fn answer(
        &self,
        rows: &mut Vec<SweepRow>,
    ) -> Result<(Option<Answer>, Option<String>)> {
        let targets = self.meter.asked.targets;
        if targets == Targets::default() {
            return Ok((None, None));
        }
        let mut stopped = None;
        for row in rows.iter_mut() {
            row.meets = Some(missed(&targets, &even(row)).is_empty());
        }
        let by_load = targets.cv.is_some() || targets.peak_to_mean.is_some();
        let value = match self.meter.asked.parameter {
            // Seeds are in no order, so that there is none to search.
            Parameter::Seed => rows.iter().find(|row| row.meets == Some(true)).map(|row| row.value),
            Parameter::Knob(_) if by_load => {
                let load = Targets { memory_bytes: None, ..targets };
                let is = |even: &Even| missed(&load, even).is_empty();
                if !rows.iter().any(|row| is(&even(row))) {
                    stopped = self.out_of_reach(rows, &load)?;
                }
                if stopped.is_some() {
                    None
                } else {
                    let found = self.least(rows, |value| Ok(is(&self.meter.load(value)?)), is)?;
                    found.at.or(found.below)
                }
            }
            Parameter::Knob(_) => {
                let is = |even: &Even| !missed(&targets, even).is_empty();
                let found = self.least(rows, |value| Ok(is(&self.meter.even(value)?)), is)?;
                found.below.or(found.at)
            }
        };
        if let Some(value) = value
            && !rows.iter().any(|row| row.value == value)
        {
            let mut row = self.meter.row(value, false)?;
            row.meets = Some(missed(&targets, &even(&row)).is_empty());
            rows.push(row);
        }
        let chosen = rows.iter().find(|row| Some(row.value) == value && row.meets == Some(true));
        let (from, to) = match self.meter.asked.parameter {
            Parameter::Seed => (rows[0].value, rows[rows.len() - 1].value),
            Parameter::Knob(_) => (self.from, self.to),
        };
        if let Some(row) = chosen {
            let answer = Answer { met: true, value: row.value, from, to, misses: Vec::new() };
            return Ok((Some(answer), None));
        }
        let far = |row: &SweepRow, of: fn(&Miss) -> f64| {
            missed(&targets, &even(row)).iter().map(of).fold(0.0, f64::max)
        };
        let nearest = rows.iter().min_by(|a, b| {
            let by = |of| far(a, of).total_cmp(&far(b, of));
            // Above a target of 0 all are by the same proportion.
            by(|miss| miss.found / miss.asked).then_with(|| by(|miss| miss.found - miss.asked))
        });
        let answer = nearest.map(|row| Answer {
            met: false,
            value: row.value,
            from,
            to,
            misses: missed(&targets, &even(row)),
        });
        Ok((answer, stopped))
    }

    /// Why no value beyond the rows meets the targets, where that is known without
    /// building all of them: by arithmetic, or since the greatest does not.
    fn out_of_reach(&self, rows: &[SweepRow], targets: &Targets) -> Result<Option<String>> {
        let asked = self.meter.asked;
        let (parameter, members) = (asked.parameter, &asked.members);
        let last = rows.last().map_or(self.from, |row| row.value);
        if last >= self.to {
            return Ok(None);
        }
        let above = |(cv, peak): (f64, f64)| {
            targets.cv.is_some_and(|target| cv > target)
                || targets.peak_to_mean.is_some_and(|target| peak > target)
        };
        let (name, to) = (parameter.name(), self.to);
        let floor = theory::floor(parameter, (self.from, to), members, self.meter.seeds());
        if floor.is_some_and(above) {
            return Ok(Some(format!(
                "beyond {name} {last} nothing was built: by the formula even {to}, the most that \
                 is looked for, is far from the target"
            )));
        }
        let expected = match parameter {
            Parameter::Knob(knob) if knob.each_weight => theory::cv(parameter, to, members),
            _ => None,
        };
        if !expected.is_some_and(|cv| above((cv, 1.0 + cv))) {
            return Ok(None);
        }
        Ok(self.meter.misses_after(to, targets)?.map(|seeds| {
            format!(
                "beyond {name} {last} only {to}, the most that is looked for, was built: the load \
                 under {seeds} of {} seeds alone is too uneven for the target",
                self.meter.seeds()
            )
        }))
    }

    /// Finds the least value of which something is true that is true of all greater
    /// ones, or nearly: between the rows that are there, and beyond them.
    fn least(
        &self,
        rows: &[SweepRow],
        holds: impl Fn(u64) -> Result<bool>,
        is: impl Fn(&Even) -> bool,
    ) -> Result<Found> {
        let first = rows.iter().position(|row| is(&even(row)));
        let known = |at: usize| rows[at].value;
        let (mut below, mut at) = match first {
            Some(first) => (first.checked_sub(1).map(known), Some(known(first))),
            None => (rows.len().checked_sub(1).map(known), None),
        };
        while at.is_none() {
            let last = below.unwrap_or(self.from);
            let next = last.saturating_mul(2).min(self.to);
            let next = if next > last { self.allowed(next, self.to)? } else { None };
            let Some(next) = next else { break };
            if holds(next)? {
                at = Some(next);
            } else {
                below = Some(next);
            }
        }
        let Some(mut least) = at else { return Ok(Found { below, at: None }) };
        // No value from here to `least` is allowed, that one apart.
        let mut end = least;
        let mut start = below.map_or(self.from, |below| below + 1);
        while start < end {
            let middle = start + (end - start) / 2;
            match self.allowed(middle, end - 1)? {
                None => end = middle,
                Some(value) if holds(value)? => {
                    least = value;
                    end = middle;
                }
                Some(value) => {
                    below = Some(value);
                    start = value + 1;
                }
            }
        }
        Ok(Found { below, at: Some(self.least_of_even(least, &holds)?) })
    }

    /// The least value of which something is true up to `found`, looked for one by
    /// one where all seeds agree: then a value is even by arithmetic, not by luck, and
    /// one may be so below others that are not.
    fn least_of_even(&self, found: u64, holds: impl Fn(u64) -> Result<bool>) -> Result<u64> {
        let even = self.meter.load(found)?;
        let agree = self.meter.seeds() > 1 && even.cv.max - even.cv.min < AGREE;
        if !agree || found > ONE_BY_ONE {
            return Ok(found);
        }
        let mut next = self.from;
        while let Some(value) = self.allowed(next, found)?.filter(|&value| value < found) {
            if holds(value)? {
                return Ok(value);
            }
            next = value + 1;
        }
        Ok(found)
    }
}

fn even(row: &SweepRow) -> Even {
    Even { cv: row.cv, peak_to_mean: row.peak_to_mean, memory_bytes: row.memory_bytes }
}

/// The targets that figures miss.
fn missed(targets: &Targets, even: &Even) -> Vec<Miss> {
    let pairs = [
        ("cv", targets.cv, even.cv.mean),
        ("peak_to_mean", targets.peak_to_mean, even.peak_to_mean.mean),
        ("memory_bytes", targets.memory_bytes.map(|bytes| bytes as f64), even.memory_bytes as f64),
    ];
    let miss = |(figure, asked, found): (_, Option<f64>, f64)| {
        let asked = asked?;
        (found > asked).then_some(Miss { figure, asked, found })
    };
    pairs.into_iter().filter_map(miss).collect()
}
