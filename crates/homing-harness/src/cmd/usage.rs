//! The command line that cannot be read, in one line: what was given, what is allowed.

use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::num::ParseFloatError;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory, FromArgMatches};

use super::{Cli, Status, print, stdin};
use crate::error::quoted;
use crate::{Error, Result};

/// Runs what the arguments ask, the name of the program first.
///
/// Without a command the help is printed, on standard error, and the process ends
/// there with status 2.
///
/// # Errors
///
/// Fails on wrong usage or input; the message is one line.
pub fn run(arguments: impl IntoIterator<Item = OsString>, out: &mut dyn Write) -> Result<Status> {
    let mut command = command();
    let read = command
        .try_get_matches_from_mut(arguments)
        .and_then(|matches| Ok((Cli::from_arg_matches(&matches)?, matches)));
    let error = match read {
        Ok((cli, matches)) => {
            stdin::check(&command, &matches)?;
            return cli.run(out);
        }
        Err(error) => error,
    };
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            let text = error.render();
            // Headings are bold for people alone.
            let text = if bold() { text.ansi().to_string() } else { text.to_string() };
            print(out, text.as_bytes()).map(|()| Status::Passed)
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => error.exit(),
        _ => Err(Error::Usage(in_one_line(&error))),
    }
}

/// The command line, whose flags take a value that begins with a minus as a value:
/// what is wrong with a number below 0 is then said of the number.
fn command() -> Command {
    Cli::command().mut_subcommands(|command| {
        command.mut_args(|arg| {
            let numbers = arg.get_action().takes_values() && !arg.is_positional();
            arg.allow_negative_numbers(numbers)
        })
    })
}

/// Whether standard output shows what is bold, and may.
fn bold() -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdout().is_terminal() && !set("NO_COLOR") && !dumb
}

fn in_one_line(error: &clap::Error) -> String {
    let flag = text_of(error, ContextKind::InvalidArg);
    let name = name_of(&flag);
    match error.kind() {
        ErrorKind::InvalidValue | ErrorKind::ValueValidation => {
            let value = text_of(error, ContextKind::InvalidValue);
            let given = if value.is_empty() && error.kind() == ErrorKind::InvalidValue {
                format!("{name} has no value")
            } else {
                format!("{name} is {}", quoted(value.as_bytes()))
            };
            let known = text_of(error, ContextKind::ValidValue);
            if !known.is_empty() {
                return format!("{given}, but must be one of {known}");
            }
            match std::error::Error::source(error) {
                Some(reason) => format!("{given}, but {}", rule_of(reason)),
                None => format!("{given}, but must have one: {flag}"),
            }
        }
        ErrorKind::UnknownArgument => {
            let near = text_of(error, ContextKind::SuggestedArg);
            let near = if near.is_empty() { near } else { format!(", the nearest is {near}") };
            let no = if flag.starts_with('-') { "no flag" } else { "no place for" };
            format!("{no} {}{near}{}", quoted(flag.as_bytes()), help_of(error))
        }
        ErrorKind::TooManyValues => {
            let value = text_of(error, ContextKind::InvalidValue);
            let value = quoted(value.as_bytes());
            format!("no place for {value}, {flag} has all it can{}", help_of(error))
        }
        ErrorKind::InvalidSubcommand => {
            let given = text_of(error, ContextKind::InvalidSubcommand);
            let known = Cli::command();
            let known = known.get_subcommands().map(Command::get_name).collect::<Vec<_>>();
            let given = quoted(given.as_bytes());
            format!("command is {given}, but must be one of {}", known.join(", "))
        }
        ErrorKind::MissingRequiredArgument => {
            format!("missing {flag}{}", help_of(error))
        }
        ErrorKind::ArgumentConflict => {
            let prior = text_of(error, ContextKind::PriorArg);
            if prior == flag {
                return format!("{name} is given twice, but must be once");
            }
            format!("{flag} does not go with {prior}")
        }
        ErrorKind::InvalidUtf8 => "an argument is not UTF-8, but must be text".to_owned(),
        _ => first_line(&error.render().to_string()),
    }
}

/// What a value must be, by what its parser says.
fn rule_of(reason: &(dyn std::error::Error + 'static)) -> String {
    if reason.is::<ParseFloatError>() {
        return "must be a number".to_owned();
    }
    reason.to_string()
}

/// A flag by its name alone: `sample` of `--sample <N>`.
fn name_of(flag: &str) -> &str {
    let name = flag.split([' ', '=', '[']).next().unwrap_or(flag);
    let name = name.trim_start_matches('-').trim_matches(['<', '>']);
    if name.is_empty() { flag } else { name }
}

/// Where the flags are told, with a semicolon before it; empty if that is not known.
fn help_of(error: &clap::Error) -> String {
    let usage = text_of(error, ContextKind::Usage);
    let words = usage.trim_start_matches("Usage:").split_whitespace();
    let command = words.take_while(|word| word.starts_with(|c: char| c.is_ascii_lowercase()));
    let command = command.collect::<Vec<_>>().join(" ");
    if command.is_empty() { command } else { format!("; see {command} --help") }
}

/// What clap says besides the message; several with commas between them.
fn text_of(error: &clap::Error, kind: ContextKind) -> String {
    match error.get(kind) {
        Some(ContextValue::String(text)) => text.clone(),
        Some(ContextValue::Strings(texts)) => texts.join(", "),
        Some(ContextValue::StyledStr(text)) => text.to_string(),
        Some(ContextValue::StyledStrs(texts)) => {
            texts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
        }
        _ => String::new(),
    }
}

fn first_line(text: &str) -> String {
    text.trim_start_matches("error: ").lines().next().unwrap_or_default().to_owned()
}
