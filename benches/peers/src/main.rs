#![doc = include_str!("../README.md")]

mod floors;
mod hashers;
mod heap;
mod keys;
mod lanes;
mod machine;
mod ours;
mod page;
mod peers;
mod subject;
mod tables;
mod timing;
mod verdict;

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PossibleValuesParser, RangedU64ValueParser};
use clap::{CommandFactory, Parser, Subcommand};

use crate::keys::Keys;
use crate::subject::{FAMILIES, Subject};
use crate::tables::Measure;
use crate::timing::{Lookups, Pace};
use crate::verdict::SIZES;

#[global_allocator]
static HEAP: heap::Counting = heap::Counting;

/// Measures the homing crates beside published ones and beside floors.
#[derive(Parser)]
#[command(name = "peers", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    options: Options,
}

#[derive(Subcommand)]
enum Command {
    /// Nanoseconds a lookup.
    Lookup,
    /// Nanoseconds a lookup, where each waits for the one before.
    Latency,
    /// The time of building a layout.
    Build,
    /// The times of adding a node and of removing it again.
    Change,
    /// The heap held after building, and the peak before.
    Memory,
    /// The greatest load, as a multiple of the mean.
    Balance,
    /// Judges every target; exits 1 if one is missed or without
    /// figures.
    Verdict {
        /// Write the figures, the verdicts and the machine to this file as JSON.
        #[arg(long, value_name = "FILE")]
        json: Option<PathBuf>,
    },
    /// Writes docs/performance.md from a result; to be run at the root of the
    /// repository.
    Page {
        /// What `verdict --json` wrote; the newest in docs/performance by default.
        result: Option<PathBuf>,
        /// The page.
        #[arg(long, value_name = "FILE", default_value = page::PAGE)]
        output: PathBuf,
        /// Only say whether the page is what the result gives; exits 1 if not.
        #[arg(long)]
        check: bool,
    },
}

#[derive(clap::Args)]
struct Options {
    /// Numbers of nodes; a verdict takes those that have targets.
    #[arg(long, global = true, value_delimiter = ',', default_values_t = SIZES,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000_000))]
    n: Vec<usize>,
    /// Families, all by default.
    #[arg(long, global = true, value_delimiter = ',',
          value_parser = PossibleValuesParser::new(FAMILIES))]
    family: Vec<String>,
    /// Only subjects with one of these texts in their names; not for a verdict.
    #[arg(long, global = true, value_delimiter = ',')]
    only: Vec<String>,
    /// How often every subject is timed.
    #[arg(long, global = true, default_value_t = timing::REPETITIONS,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=1_000))]
    reps: usize,
    /// How many keys there are.
    #[arg(long, global = true, default_value_t = 1_000_000,
          value_parser = RangedU64ValueParser::<usize>::new().range(1_000..=100_000_000))]
    keys: usize,
    /// The most seconds of one timed pass; a slow subject gets fewer keys.
    #[arg(long, global = true, default_value_t = 0.05)]
    budget: f64,
}

fn main() -> ExitCode {
    let Arguments { command, options } = Arguments::parse();
    let lookups = || Lookups {
        keys: Keys::make(options.keys),
        repetitions: options.reps,
        budget: options.budget,
        pace: Pace::Free,
    };
    let measure = match command {
        Command::Lookup => Measure::Lookup,
        Command::Latency => Measure::Latency,
        Command::Build => Measure::Build,
        Command::Change => Measure::Change,
        Command::Memory => Measure::Memory,
        Command::Balance => Measure::Balance,
        Command::Verdict { json } => {
            if !options.only.is_empty() {
                refuse("--only is for the tables: a verdict compares with every peer");
            }
            if let Some(nodes) = options.n.iter().find(|nodes| !SIZES.contains(nodes)) {
                refuse(&format!("n is {nodes}, but must be one of {SIZES:?}"));
            }
            let subjects = subjects(&options);
            return status(verdict::run(&subjects, &options.n, lookups(), json.as_deref()));
        }
        Command::Page { result, output, check } => {
            return status(page::run(result, &output, check));
        }
    };
    tables::print(measure, &subjects(&options), &options.n, options.reps, lookups());
    ExitCode::SUCCESS
}

/// The status of a command that fails, or checks something.
fn status(result: io::Result<bool>) -> ExitCode {
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("peers: {error}");
            ExitCode::from(2)
        }
    }
}

/// The subjects asked for, by family, and in a family floors first and ours last.
fn subjects(options: &Options) -> Vec<Subject> {
    let mut subjects = floors::all();
    subjects.extend(peers::all());
    subjects.extend(ours::all());
    let families = &options.family;
    subjects.retain(|subject| {
        (families.is_empty() || families.iter().any(|family| family == subject.family))
            && (options.only.is_empty()
                || options.only.iter().any(|text| subject.label().contains(text)))
    });
    subjects.sort_by_key(|subject| FAMILIES.iter().position(|family| *family == subject.family));
    subjects
}

/// Ends the program as wrong usage does, with status 2.
fn refuse(message: &str) -> ! {
    Arguments::command().error(clap::error::ErrorKind::ValueValidation, message).exit()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::subject::Role;

    #[test]
    fn the_arguments_are_sound() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn peers_and_ours_find_each_of_ten_nodes() {
        let keys = Keys::make(1_000);
        let mut subjects = peers::all();
        subjects.extend(ours::all());
        for subject in subjects {
            let built = subject.build(10);
            // The sum over one key is its id.
            let ids: HashSet<u64> =
                (0..keys.len()).map(|at| built.run(keys.at(at..at + 1))).collect();
            assert_eq!(ids, (0..10).collect(), "{}", subject.label());
        }
    }

    #[test]
    fn a_node_added_in_place_can_be_removed_again() {
        let keys = Keys::make(1_000);
        for subject in ours::all().into_iter().filter(|subject| subject.mode == subject::Mode::One)
        {
            let mut built = subject.build(10);
            let before = built.run(keys);
            assert!(built.add(10) && built.remove(10), "{}", subject.label());
            assert_eq!(built.run(keys), before, "{}", subject.label());
            assert_eq!(subject.role, Role::Ours);
        }
    }
}
