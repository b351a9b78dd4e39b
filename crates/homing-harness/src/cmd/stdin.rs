//! Standard input, which one argument alone can take.

use clap::builder::ValueHint;
use clap::{ArgMatches, Command};

use crate::{Error, Result};

/// Checks that of all files of a command at most one is `-`.
///
/// # Errors
///
/// Fails if there are two, naming them.
pub(super) fn check(command: &Command, matches: &ArgMatches) -> Result<()> {
    let Some((name, given)) = matches.subcommand() else { return Ok(()) };
    let Some(command) = command.find_subcommand(name) else { return Ok(()) };
    let mut takers = Vec::new();
    for arg in command.get_arguments() {
        let values: Vec<_> = match given.try_get_raw(arg.get_id().as_str()) {
            Ok(Some(values)) => values.collect(),
            _ => continue,
        };
        let places = values.iter().filter(|value| **value == "-").count();
        let places = match arg.get_value_hint() {
            // What is read into a path, but no folder.
            ValueHint::AnyPath => places,
            // Beside others it is a key.
            ValueHint::FilePath if values.len() == 1 => places,
            _ => continue,
        };
        let value = arg.get_value_names().and_then(<[_]>::first).map_or("FILE", |it| it.as_str());
        let shown = arg.get_long().map_or_else(|| value.to_owned(), |flag| format!("--{flag}"));
        takers.extend(std::iter::repeat_n(shown, places));
    }
    match &takers[..] {
        [] | [_] => Ok(()),
        [first, second, ..] => Err(Error::Usage(format!(
            "{first} and {second} are both -, but standard input must be given to one alone"
        ))),
    }
}
