//! [`Reply`]: an answer as a tree, whichever notation it was read from.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::error::short;
use super::{ClusterError, Place};

/// A value, and where it stands.
#[derive(Debug)]
pub(super) struct Reply {
    pub(super) at: Place,
    pub(super) value: Value,
}

#[derive(Debug)]
pub(super) enum Value {
    Nil,
    Integer(i64),
    Text(String),
    List(Vec<Reply>),
    Map(Vec<(Reply, Reply)>),
}

impl Reply {
    pub(super) fn new(at: Place, value: Value) -> Self {
        Self { at, value }
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.value, Value::Text(_))
    }

    /// The items of a list.
    pub(super) fn list(&self, what: &str) -> Result<&[Self], ClusterError> {
        match &self.value {
            Value::List(items) => Ok(items),
            _ => Err(self.unfit(what, "a list")),
        }
    }

    /// The fields of a map, or of a list of names and values in turn.
    pub(super) fn fields(&self, what: &str) -> Result<Vec<(&str, &Self)>, ClusterError> {
        let name = |name: &'_ Self| match &name.value {
            Value::Text(_) => Ok(()),
            _ => Err(name.unfit("a name", "a text")),
        };
        let pairs: Vec<(&Self, &Self)> = match &self.value {
            Value::Map(fields) => fields.iter().map(|(name, value)| (name, value)).collect(),
            Value::List(items) if items.len().is_multiple_of(2) => {
                items.chunks_exact(2).map(|pair| (&pair[0], &pair[1])).collect()
            }
            Value::List(_) => {
                return Err(ClusterError::new(
                    self.at,
                    format!("cut short: {what} has a name without a value"),
                ));
            }
            _ => return Err(self.unfit(what, "a map")),
        };
        pairs
            .into_iter()
            .map(|(key, value)| {
                name(key)?;
                let Value::Text(key) = &key.value else { unreachable!("checked before") };
                Ok((key.as_str(), value))
            })
            .collect()
    }

    /// A text; nil and the empty text are none.
    pub(super) fn text(&self, what: &str) -> Result<Option<&str>, ClusterError> {
        match &self.value {
            Value::Nil => Ok(None),
            Value::Text(text) if text.is_empty() => Ok(None),
            Value::Text(text) => Ok(Some(text)),
            _ => Err(self.unfit(what, "a text")),
        }
    }

    /// A port, in `0..=65535`, as a number or in digits.
    pub(super) fn port(&self, what: &str) -> Result<u16, ClusterError> {
        let port = match &self.value {
            Value::Integer(port) => u16::try_from(*port).ok(),
            Value::Text(text) => text.parse().ok(),
            _ => None,
        };
        port.ok_or_else(|| self.unfit(what, "a port in 0-65535"))
    }

    /// A slot.
    pub(super) fn slot(&self) -> Result<u16, ClusterError> {
        let slot = match &self.value {
            Value::Integer(slot) => u16::try_from(*slot).ok(),
            Value::Text(text) => text.parse().ok(),
            _ => None,
        };
        match slot {
            Some(slot) if slot < homing_slots::SLOTS => Ok(slot),
            _ => Err(self.unfit("a slot", "a number in 0-16383")),
        }
    }

    /// The value as a text, to be kept as it is.
    pub(super) fn as_kept(&self) -> String {
        match &self.value {
            Value::Nil => String::new(),
            Value::Integer(number) => number.to_string(),
            Value::Text(text) => text.clone(),
            Value::List(items) => format!("{} items", items.len()),
            Value::Map(fields) => format!("{} fields", fields.len()),
        }
    }

    pub(super) fn unfit(&self, what: &str, rule: &str) -> ClusterError {
        let given = match &self.value {
            Value::Nil => "nil".to_string(),
            Value::Integer(number) => number.to_string(),
            Value::Text(text) => short(text),
            Value::List(items) => format!("a list of {}", items.len()),
            Value::Map(fields) => format!("a map of {}", fields.len()),
        };
        ClusterError::new(self.at, format!("{what} is {given}, but must be {rule}"))
    }
}
