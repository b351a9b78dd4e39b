//! [`Record`]: one run of `homing record`, as it is kept.

use serde::{Deserialize, Serialize};

use super::{Comparison, Evenness, Measured, Single, StepRun, Throughput};

/// One run over all scenarios and sweeps, on one machine.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Record {
    /// The form of the record, [`Record::VERSION`].
    pub version: u32,
    /// What the record is called: its file without `.json`.
    pub name: String,
    /// When the run began, in UTC, as RFC 3339 has it.
    pub time: String,
    /// The command that made it.
    pub command: String,
    /// The version of this package.
    pub package: String,
    /// Where it ran.
    pub machine: Machine,
    /// The scenarios of one change, in order of their files.
    pub comparisons: Vec<Comparison>,
    /// The scenarios of several steps, in order of their files; none in records
    /// made before there were any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<StepRun>,
    /// Figures over a range of one parameter.
    pub sweeps: Sweeps,
    /// Results that others have published, measured again; records of older
    /// versions have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub published: Vec<Published>,
}

/// The machine of a run, and how the program was built.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Machine {
    /// The model of the processor, in its maker's words.
    pub cpu: String,
    /// How many threads the run could use at once.
    pub cores: usize,
    /// The memory of the machine, in bytes.
    pub memory_bytes: u64,
    /// The operating system with its version.
    pub os: String,
    /// The architecture, `x86_64`.
    pub arch: String,
    /// The compiler, as `rustc --version` has it.
    pub rustc: String,
    /// Whether the program was built in release.
    pub release: bool,
    /// How many threads were busy on average in the minute before the run, where
    /// the system tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub busy: Option<f64>,
}

/// Figures over a range of one parameter.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Sweeps {
    /// The time of one lookup against the number of nodes.
    pub lookup: Vec<LookupTime>,
    /// The spread of shares against the number of points a node.
    pub spread: Vec<PointSpread>,
}

/// The time of one lookup of a family at a number of equal nodes.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct LookupTime {
    /// The name of the family.
    pub family: String,
    /// The parameters that differ from the defaults, `entries=655373`.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub parameters: String,
    /// How many nodes there are.
    pub nodes: usize,
    /// As [`Measured::lookup_ns`].
    pub lookup_ns: f64,
    /// As [`Measured::hash_ns`].
    pub hash_ns: f64,
    /// As [`Measured::single`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub single: Option<Single>,
    /// As [`Measured::throughput`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub throughput: Option<Throughput>,
}

/// How unevenly points share the positions, over layouts that differ in the
/// seed of the hash alone.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct PointSpread {
    /// The name of the family.
    pub family: String,
    /// How many equal nodes there are.
    pub nodes: usize,
    /// How many points each has.
    pub points: u64,
    /// How many layouts there are, of the seeds from 0.
    pub seeds: u64,
    /// The least coefficient of variation of the exact shares of a layout.
    pub cv_min: f64,
    /// The median of them.
    pub cv_median: f64,
    /// The greatest of them.
    pub cv_max: f64,
    /// What theory expects: `sqrt((N - 1) / (N v + 1))` for N nodes of v points.
    pub cv_expected: f64,
}

/// One result that others have published, and what comes out here.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Published {
    /// The name of the family.
    pub family: String,
    /// What is measured, over what.
    pub what: String,
    /// What was published, or follows from it.
    pub published: f64,
    /// What comes out here.
    pub measured: f64,
    /// The least of what agrees with it.
    pub low: f64,
    /// The greatest of what agrees with it.
    pub high: f64,
    /// Where it was published.
    pub source: String,
}

impl Published {
    /// Whether the two agree.
    #[must_use]
    pub fn agrees(&self) -> bool {
        (self.low..=self.high).contains(&self.measured)
    }
}

impl Record {
    /// The form that is written and read.
    pub const VERSION: u32 = 1;

    /// Checks that every figure that is drawn is in its range.
    ///
    /// # Errors
    ///
    /// Names the first that is not, and the range.
    pub fn check(&self) -> Result<(), String> {
        for comparison in &self.comparisons {
            let of = &comparison.scenario;
            part(of, "optimal", comparison.optimal)?;
            for measured in comparison.rows.iter().filter_map(super::Row::measured) {
                measured.check(of)?;
            }
        }
        self.steps.iter().try_for_each(StepRun::check)?;
        for time in &self.sweeps.lookup {
            positive(&time.family, "nodes", time.nodes as u64)?;
            duration(&time.family, "lookup_ns", time.lookup_ns)?;
            duration(&time.family, "hash_ns", time.hash_ns)?;
            lookups(&time.family, time.single, time.throughput)?;
        }
        for spread in &self.sweeps.spread {
            positive(&spread.family, "nodes", spread.nodes as u64)?;
            positive(&spread.family, "points", spread.points)?;
            for (name, cv) in [
                ("cv_min", spread.cv_min),
                ("cv_median", spread.cv_median),
                ("cv_max", spread.cv_max),
                ("cv_expected", spread.cv_expected),
            ] {
                within(&spread.family, name, cv, MOST)?;
            }
        }
        for result in &self.published {
            for (name, figure) in [
                ("published", result.published),
                ("measured", result.measured),
                ("low", result.low),
                ("high", result.high),
            ] {
                within(&result.family, name, figure, MOST)?;
            }
        }
        Ok(())
    }
}

impl Measured {
    fn check(&self, of: &str) -> Result<(), String> {
        part(of, "moved", self.moved)?;
        part(of, "stray", self.stray)?;
        for by in [&self.by_bytes, &self.by_requests].into_iter().flatten() {
            by.evenness.map_or(Ok(()), |evenness| evenness.check(of))?;
        }
        within(of, "peak_to_mean", self.peak_to_mean, MOST)?;
        within(of, "cv", self.cv, MOST)?;
        self.evenness.map_or(Ok(()), |evenness| evenness.check(of))?;
        for load in &self.load {
            part(of, "share", load.share)?;
            part(of, "ideal", load.ideal)?;
        }
        duration(of, "lookup_ns", self.lookup_ns)?;
        lookups(of, self.single, self.throughput)
    }
}

impl Evenness {
    fn check(&self, of: &str) -> Result<(), String> {
        within(of, "cv_corrected", self.cv_corrected, MOST)?;
        within(of, "peak_to_mean_low", self.peak_to_mean_low, MOST)?;
        within(of, "peak_to_mean_high", self.peak_to_mean_high, MOST)?;
        part(of, "gini", self.gini)?;
        part(of, "chi_square_p", self.chi_square_p.unwrap_or(0.0))
    }
}

/// More than any ratio of loads among the nodes that fit in memory.
pub(super) const MOST: f64 = 1e12;

/// More than a month, in nanoseconds.
const LONGEST: f64 = 1e16;

pub(super) fn part(of: &str, name: &str, value: f64) -> Result<(), String> {
    // Sums of parts may end a rounding above 1.
    within(of, name, value, 1.0 + 1e-9)
        .map_err(|_| format!("{of}: {name} is {value}, but must be from 0 to 1"))
}

fn duration(of: &str, name: &str, value: f64) -> Result<(), String> {
    within(of, name, value, LONGEST)
}

fn lookups(of: &str, single: Option<Single>, throughput: Option<Throughput>) -> Result<(), String> {
    if let Some(Single { lookups, p50_ns, p99_ns, p999_ns, timer_ns }) = single {
        positive(of, "lookups", lookups)?;
        for (name, ns) in
            [("p50_ns", p50_ns), ("p99_ns", p99_ns), ("p999_ns", p999_ns), ("timer_ns", timer_ns)]
        {
            duration(of, name, ns as f64)?;
        }
    }
    let Some(throughput) = throughput else { return Ok(()) };
    within(of, "one_thread_keys_per_s", throughput.one_thread_keys_per_s, MOST)?;
    let two = throughput.two_threads_keys_per_s.unwrap_or(0.0);
    within(of, "two_threads_keys_per_s", two, MOST)
}

fn positive(of: &str, name: &str, value: u64) -> Result<(), String> {
    if value == 0 { Err(format!("{of}: {name} is 0, but must be at least 1")) } else { Ok(()) }
}

pub(super) fn within(of: &str, name: &str, value: f64, most: f64) -> Result<(), String> {
    if (0.0..=most).contains(&value) {
        return Ok(());
    }
    Err(format!("{of}: {name} is {value:e}, but must be from 0 to {most:e}"))
}
