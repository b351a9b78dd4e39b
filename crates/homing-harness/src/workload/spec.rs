//! `NAME:PARAMETER=VALUE,...`: how keys, requests and sizes are asked for as a text.

use std::str::FromStr;

use crate::error::{Error, Result};

/// What may be asked for: each name, and its parameters.
pub(crate) type Names = &'static [(&'static str, &'static [&'static str])];

/// A name and its parameters, as they were given.
#[derive(Clone, Debug)]
pub(crate) struct Spec<'a> {
    field: &'static str, // what it is the value of, for errors
    name: &'static str,
    given: Vec<(&'a str, &'a str)>,
}

impl<'a> Spec<'a> {
    /// Takes a text apart.
    ///
    /// # Errors
    ///
    /// Fails if the name is none of `names`, or a parameter is not one of it, or
    /// is given twice.
    pub(crate) fn parse(field: &'static str, text: &'a str, names: Names) -> Result<Self> {
        let (name, rest) = text.split_once(':').map_or((text, None), |(a, b)| (a, Some(b)));
        let Some(&(name, parameters)) = names.iter().find(|(known, _)| *known == name) else {
            let all: Vec<_> = names.iter().map(|(name, _)| *name).collect();
            return Err(Error::Parameter {
                name: field.to_owned(),
                value: format!("{name:?}"),
                rule: format!("one of {}", all.join(", ")),
            });
        };
        let mut spec = Self { field, name, given: Vec::new() };
        for pair in rest.into_iter().flat_map(|rest| rest.split(',')) {
            let Some((parameter, value)) = pair.split_once('=') else {
                return Err(Error::Parameter {
                    name: format!("{field}: {name}: parameter"),
                    value: format!("{pair:?}"),
                    rule: "PARAMETER=VALUE".to_owned(),
                });
            };
            let reason = if !parameters.contains(&parameter) {
                let has = match parameters {
                    [] => "it has none".to_owned(),
                    some => format!("its parameters are {}", some.join(", ")),
                };
                format!("{name} has no parameter {parameter:?}, {has}")
            } else if spec.value(parameter).is_some() {
                format!("{name}: parameter {parameter:?} is given twice")
            } else {
                spec.given.push((parameter, value));
                continue;
            };
            return Err(Error::Usage(format!("{field}: {reason}")));
        }
        Ok(spec)
    }

    /// The name, as it stands in what may be asked for.
    pub(crate) fn name(&self) -> &'static str {
        self.name
    }

    /// A parameter, `None` if it is not given.
    ///
    /// # Errors
    ///
    /// Fails if it is no number of this kind; a range is for the caller to check.
    pub(crate) fn number<T: FromStr>(&self, parameter: &str, rule: &str) -> Result<Option<T>> {
        let Some(value) = self.value(parameter) else { return Ok(None) };
        // `parse` takes a leading plus.
        let number = value.parse().ok().filter(|_| !value.starts_with('+'));
        number.map(Some).ok_or_else(|| self.refused(parameter, &format!("{value:?}"), rule))
    }

    /// A parameter that must be given.
    ///
    /// # Errors
    ///
    /// As [`number`](Self::number), and if it is not given.
    pub(crate) fn needed<T: FromStr>(&self, parameter: &str, rule: &str) -> Result<T> {
        self.number(parameter, rule)?.ok_or_else(|| {
            let Self { field, name, .. } = self;
            Error::Usage(format!("{field}: {name} needs {parameter}, {rule}: {name}:{parameter}=N"))
        })
    }

    /// That a parameter is out of its range.
    pub(crate) fn refused(&self, parameter: &str, value: &str, rule: &str) -> Error {
        Error::Parameter {
            name: format!("{}: {}: {parameter}", self.field, self.name),
            value: value.to_owned(),
            rule: rule.to_owned(),
        }
    }

    fn value(&self, parameter: &str) -> Option<&'a str> {
        self.given.iter().find(|(name, _)| *name == parameter).map(|(_, value)| *value)
    }
}
