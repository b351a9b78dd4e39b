//! One JSON object of a key file: its key, and where they exist its sizes and
//! requests.

use std::fmt;

use serde::Deserializer;
use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, Visitor};
use serde_json::{Map, Value};

use crate::error::{Error, quoted};
use crate::workload::form::Form;
use crate::workload::rows::not_whole;

/// The object read last, and the names of its fields.
#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) key: Vec<u8>,
    pub(crate) bytes: Option<u64>,
    pub(crate) requests: Option<u64>,
    names: [String; 3], // of key, bytes and requests
    needed: [bool; 3],  // whether a row must have it
    found: [Option<Value>; 3],
}

impl Object {
    pub(crate) fn new(form: &Form) -> Self {
        let or = |given: &Option<String>, else_name: &str| {
            given.clone().unwrap_or_else(|| else_name.to_owned())
        };
        Self {
            key: Vec::new(),
            bytes: None,
            requests: None,
            names: [
                form.key().to_owned(),
                or(&form.bytes_column, "bytes"),
                or(&form.requests_column, "requests"),
            ],
            needed: [true, form.bytes_column.is_some(), form.requests_column.is_some()],
            found: [None, None, None],
        }
    }

    /// Whether a line is an object with such a key.
    pub(crate) fn is_on(&mut self, line: &[u8]) -> bool {
        line.trim_ascii_start().starts_with(b"{")
            && self.parse(line).is_ok()
            && self.found[0].is_some()
    }

    /// Reads a line.
    ///
    /// # Errors
    ///
    /// Fails, saying why, if it is no object, or a field is missing, stands
    /// twice, or is out of its range.
    pub(crate) fn read(&mut self, line: &[u8]) -> Result<(), String> {
        self.parse(line)?;
        if let Some(i) = (0..3).find(|&i| self.needed[i] && self.found[i].is_none()) {
            return Err(missing(&self.names[i], line));
        }
        let [key, bytes, requests] = &self.found;
        self.key.clear();
        match key {
            Some(Value::String(text)) => self.key.extend_from_slice(text.as_bytes()),
            Some(Value::Number(number)) if !number.is_f64() => {
                self.key.extend_from_slice(number.to_string().as_bytes());
            }
            other => {
                let shown = other.as_ref().map(shown).unwrap_or_default();
                let name = quoted_name(&self.names[0]);
                return Err(format!("{name} is {shown}, but must be a text or a whole number"));
            }
        }
        let number = |name: &str, value: &Option<Value>| match value {
            None => Ok(None),
            Some(value) => match value.as_u64() {
                Some(number) => Ok(Some(number)),
                None => Err(not_whole(name, &shown(value))),
            },
        };
        self.bytes = number(&self.names[1], bytes)?;
        self.requests = number(&self.names[2], requests)?;
        Ok(())
    }

    /// Takes the fields of a line, whatever they are.
    fn parse(&mut self, line: &[u8]) -> Result<(), String> {
        self.found = [None, None, None];
        let mut reader = serde_json::Deserializer::from_slice(line);
        let read = (&mut *self).deserialize(&mut reader).and_then(|()| reader.end());
        read.map_err(|error| {
            let column = error.column();
            match Error::from_json("", &error) {
                Error::Input { reason, .. } => {
                    format!("no JSON object, {reason}, at column {column}")
                }
                other => other.to_string(),
            }
        })
    }
}

/// A value, cut if it is long.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => quoted(text.as_bytes()),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        other => other.to_string(),
    }
}

fn missing(name: &str, line: &[u8]) -> String {
    let fields: Map<String, Value> = serde_json::from_slice(line).unwrap_or_default();
    let names: Vec<_> = fields.keys().take(8).map(|name| quoted(name.as_bytes())).collect();
    let more = if fields.len() > 8 { ", ..." } else { "" };
    let has = if names.is_empty() {
        "there are none".to_owned()
    } else {
        format!("the fields are {}{more}", names.join(", "))
    };
    format!("no field {}, {has}", quoted(name.as_bytes()))
}

fn quoted_name(name: &str) -> String {
    if name == "key" { name.to_owned() } else { quoted(name.as_bytes()) }
}

impl<'de> DeserializeSeed<'de> for &mut Object {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, object: D) -> Result<(), D::Error> {
        object.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for &mut Object {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        while let Some(field) = fields.next_key_seed(Which(&self.names))? {
            let Some(i) = field else {
                fields.next_value::<IgnoredAny>()?;
                continue;
            };
            if self.found[i].is_some() {
                let name = quoted(self.names[i].as_bytes());
                return Err(A::Error::custom(format!("field {name} stands twice")));
            }
            self.found[i] = Some(fields.next_value()?);
        }
        Ok(())
    }
}

/// Which of the fields a name is, if it is one.
struct Which<'a>(&'a [String; 3]);

impl<'de> DeserializeSeed<'de> for Which<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, name: D) -> Result<Option<usize>, D::Error> {
        name.deserialize_str(self)
    }
}

impl Visitor<'_> for Which<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E>(self, name: &str) -> Result<Option<usize>, E> {
        Ok(self.0.iter().position(|known| known == name))
    }
}
