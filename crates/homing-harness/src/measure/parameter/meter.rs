//! What one value of the parameter costs and gives.

use homing_core::{Change, Error as CoreError, Placement, shares};
use rayon::prelude::*;

use super::{Parameter, SweepAsked, theory};
use crate::Result;
use crate::measure::balance::Balance;
use crate::measure::{balance, latency, lookup, migration};
use crate::record::sweep::{Over, SweepRow, Targets};
use crate::registry::Choice;
use crate::statistics::mean;
use crate::workload::Workload;

/// Measures layouts of one family that differ in one parameter.
pub(super) struct Meter<'a> {
    pub(super) asked: &'a SweepAsked,
    workload: &'a Workload,
    keys: Vec<Vec<u8>>, // for the times
    join: Vec<Change>,
    leave: Option<Vec<Change>>,
}

/// The figures that a target may be for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Even {
    pub(super) cv: Over,
    pub(super) peak_to_mean: Over,
    pub(super) memory_bytes: u64,
}

impl<'a> Meter<'a> {
    pub(super) fn new(
        asked: &'a SweepAsked,
        workload: &'a Workload,
        join: Vec<Change>,
        leave: Option<Vec<Change>>,
    ) -> Self {
        Self { asked, workload, keys: workload.sample(latency::SAMPLE), join, leave }
    }

    /// How many layouts there are of one value.
    pub(super) fn seeds(&self) -> u64 {
        match (self.asked.parameter, self.asked.choice.seed()) {
            (Parameter::Knob(_), Some(_)) => self.asked.seeds,
            _ => 1,
        }
    }

    /// The family without the parameter that takes the values.
    pub(super) fn fixed(&self) -> Choice {
        let mut choice = self.asked.choice.clone();
        match self.asked.parameter {
            Parameter::Seed => choice.unhashed(),
            Parameter::Knob(knob) => {
                choice.parameters.shift_remove(knob.name);
                choice
            }
        }
    }

    /// The layouts of a value: under the seed asked for, and those after it.
    fn choices(&self, value: u64) -> Vec<Choice> {
        let choice = &self.asked.choice;
        match self.asked.parameter {
            Parameter::Seed => vec![choice.seeded(value)],
            Parameter::Knob(_) => {
                let turned = choice.turned(value);
                match choice.seed() {
                    Some(first) => {
                        (0..self.seeds()).map(|i| turned.seeded(first.wrapping_add(i))).collect()
                    }
                    None => vec![turned],
                }
            }
        }
    }

    /// Whether the family has a layout of the members at this value.
    ///
    /// # Errors
    ///
    /// Fails if not, and not by a rule of the value alone.
    pub(super) fn allows(&self, value: u64) -> Result<bool> {
        let choice = &self.choices(value)[0];
        match choice.builder()?.build(self.asked.members.clone()) {
            Ok(_) => Ok(true),
            Err(CoreError::InvalidParameter { .. }) => Ok(false),
            Err(error) => Err(choice.origin.located(error.into())),
        }
    }

    /// Whether figures are over all positions, rather than over keys.
    pub(super) fn is_exact(&self, value: u64) -> Result<bool> {
        let choice = &self.choices(value)[0];
        Ok(choice.build(self.asked.members.clone())?.segments().is_some())
    }

    /// How even the load is at a value, and the memory it takes.
    pub(super) fn even(&self, value: u64) -> Result<Even> {
        let found: Vec<(Balance, u64)> = self
            .choices(value)
            .par_iter()
            .map(|choice| {
                let placement = choice.build(self.asked.members.clone())?;
                Ok((self.balance(&*placement), placement.memory_usage() as u64))
            })
            .collect::<Result<_>>()?;
        Ok(Even {
            cv: over(found.iter().map(|(even, _)| even.cv)),
            peak_to_mean: over(found.iter().map(|(even, _)| even.peak_to_mean)),
            memory_bytes: found.iter().map(|&(_, bytes)| bytes).max().unwrap_or_default(),
        })
    }

    /// How even the load is at a value: by arithmetic, without the memory, where that
    /// is the figure whatever the seed.
    pub(super) fn load(&self, value: u64) -> Result<Even> {
        match theory::load(self.asked.parameter, value, &self.asked.members) {
            Some((cv, peak)) => {
                let sure = |figure: f64| Over { mean: figure, min: figure, max: figure };
                Ok(Even { cv: sure(cv), peak_to_mean: sure(peak), memory_bytes: 0 })
            }
            None => self.even(value),
        }
    }

    /// How many seeds it takes to say that a value misses a target, whatever the
    /// load under the others; none if all of them do not.
    pub(super) fn misses_after(&self, value: u64, targets: &Targets) -> Result<Option<usize>> {
        const AT_ONCE: usize = 2; // so large layouts fill the memory
        let choices = self.choices(value);
        let all = choices.len() as f64;
        let above = |least: f64, target: Option<f64>| target.is_some_and(|it| least / all > it);
        let (mut cv, mut peak) = (0.0, all); // the least sums that are left
        for (i, some) in choices.chunks(AT_ONCE).enumerate() {
            let found: Vec<Balance> = some
                .par_iter()
                .map(|choice| Ok(self.balance(&*choice.build(self.asked.members.clone())?)))
                .collect::<Result<_>>()?;
            cv += found.iter().map(|even| even.cv).sum::<f64>();
            peak += found.iter().map(|even| even.peak_to_mean - 1.0).sum::<f64>();
            if above(cv, targets.cv) || above(peak, targets.peak_to_mean) {
                return Ok(Some(i * AT_ONCE + some.len()));
            }
        }
        Ok(None)
    }

    /// Every figure of a value.
    pub(super) fn row(&self, value: u64, listed: bool) -> Result<SweepRow> {
        let Even { cv, peak_to_mean, memory_bytes } = self.even(value)?;
        let moved_join = self.moved(value, &self.join)?;
        let moved_leave = match &self.leave {
            Some(leave) => self.moved(value, leave)?,
            None => None,
        };
        let choice = &self.choices(value)[0];
        let members = &self.asked.members;
        let placement = choice.build(members.clone())?;
        let keys: Vec<&[u8]> = self.keys.iter().map(Vec::as_slice).collect();
        let time = lookup(&*placement, &keys);
        Ok(SweepRow {
            value,
            listed,
            cv,
            cv_expected: theory::cv(self.asked.parameter, value, members),
            peak_to_mean,
            peak_expected: theory::peak(self.asked.parameter, value, members),
            moved_join,
            moved_leave,
            memory_bytes,
            build_ns: latency::build(&choice.builder()?, members),
            lookup_ns: time.lookup_ns,
            hash_ns: time.hash_ns,
            meets: None,
        })
    }

    fn balance(&self, placement: &dyn Placement) -> Balance {
        let loads = shares(placement).unwrap_or_else(|| {
            // Nothing moves, and the loads are counted on the way.
            migration::count(placement, placement, self.workload).keys.part().loads
        });
        balance(placement.members(), &loads)
    }

    /// What the changes move; none if the family refuses them.
    fn moved(&self, value: u64, changes: &[Change]) -> Result<Option<Over>> {
        let found: Vec<Option<f64>> = self
            .choices(value)
            .par_iter()
            .map(|choice| {
                let before = choice.build(self.asked.members.clone())?;
                let mut after = before.clone();
                if after.apply(changes).is_err() {
                    return Ok(None);
                }
                let exact = migration::exact(&*before, &*after).map(|part| part.moved);
                let count = || migration::count(&*before, &*after, self.workload).keys.part().moved;
                Ok(Some(exact.unwrap_or_else(count)))
            })
            .collect::<Result<_>>()?;
        let found: Option<Vec<f64>> = found.into_iter().collect();
        Ok(found.map(|found| over(found.into_iter())))
    }
}

fn over(figures: impl Iterator<Item = f64>) -> Over {
    let all: Vec<f64> = figures.collect();
    let min = all.iter().copied().fold(f64::INFINITY, f64::min);
    let max = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    // The sum is rounded, and equal figures must not miss a target that one meets.
    Over { mean: mean(&all).max(min).min(max), min, max }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Values;
    use crate::members::Given;
    use crate::registry::by_name;
    use crate::workload::{Generated, Source};

    #[test]
    fn a_value_misses_as_soon_as_the_other_seeds_cannot_mend_it() {
        let choice = Choice::plain(by_name("ring").unwrap());
        let asked = SweepAsked {
            members: Given::named(2).unwrap().members,
            parameter: Parameter::of(&choice, None).unwrap(),
            choice,
            values: Values::Default,
            seeds: 9,
            targets: Targets::default(),
        };
        let keys = Source::Generated(Generated { keys: 10, ..Generated::default() });
        let workload = Workload::load(&keys).unwrap();
        let meter = Meter::new(&asked, &workload, Vec::new(), None);
        let after = |targets| meter.misses_after(3, &targets).unwrap();
        let cv = |cv| after(Targets { cv: Some(cv), ..Targets::default() });
        let peak = |peak| after(Targets { peak_to_mean: Some(peak), ..Targets::default() });
        // Nine seeds of two nodes have a cv of 0 under none, and of two nodes the peak
        // is 1 + cv.
        assert_eq!((cv(0.0), peak(1.0)), (Some(2), Some(2)));
        let mean = meter.even(3).unwrap().cv.mean;
        assert_eq!((cv(mean * 1.001), peak(1.001 + mean)), (None, None));
        // A ninth of what the first two and the others have is not enough before the last.
        assert_eq!((cv(mean * 0.999), peak(1.0 + mean * 0.999)), (Some(9), Some(9)));
    }
}
