//! [`Record`], a line of a `.jsonl` file whose fields depend on the system that made it.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::DeserializeOwned;
use serde_json::Value;

/// A line, with where it stands.
pub(crate) struct Record {
    value: Value,
    /// The file and the line, for messages.
    pub(crate) context: String,
}

/// What an element of a lookup is, after the key.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Column {
    /// The hash of the key.
    Hash,
    /// The place of the owner.
    Owner,
    /// The places of the first nodes, the owner first.
    Order,
}

/// A recorded key, and what became of it.
#[derive(Clone)]
pub(crate) struct Answer {
    /// The bytes of the key.
    pub(crate) key: Vec<u8>,
    /// Its hash, where it is recorded.
    pub(crate) hash: Option<u64>,
    /// The owner, where it is recorded apart from the order.
    pub(crate) owner: Option<usize>,
    /// The first nodes in order; empty where not recorded.
    pub(crate) order: Vec<usize>,
}

/// The key as a text that an editor finds, and in hexadecimal digits.
impl fmt::Debug for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, hash, owner, order } = self;
        let digits = hex::encode(key);
        write!(f, "key \"{}\" ({digits}), ", String::from_utf8_lossy(key).escape_debug())?;
        write!(f, "hash {hash:?}, owner {owner:?}, order {order:?}")
    }
}

impl Answer {
    /// The place of the owner, or of the first in order.
    pub(crate) fn owner(&self) -> usize {
        self.owner.unwrap_or_else(|| self.order[0])
    }
}

impl Record {
    pub(crate) fn new(value: Value, context: String) -> Self {
        Self { value, context }
    }

    /// A field in the shape that the caller knows it to have, or `None` if there is none.
    pub(crate) fn get<T: DeserializeOwned>(&self, field: &str) -> Option<T> {
        let value = self.value.get(field)?.clone();
        Some(serde_json::from_value(value).unwrap_or_else(|e| panic!("{self}: {field}: {e}")))
    }

    /// The whole record, in the shape that the caller knows it to have.
    pub(crate) fn whole<T: DeserializeOwned>(&self) -> T {
        serde_json::from_value(self.value.clone()).unwrap_or_else(|e| panic!("{self}: {e}"))
    }

    /// A field that the record must have.
    pub(crate) fn field<T: DeserializeOwned>(&self, field: &str) -> T {
        self.get(field).unwrap_or_else(|| panic!("{self}: has no {field}"))
    }

    /// A text that the record must have.
    pub(crate) fn text(&self, field: &str) -> String {
        self.field(field)
    }

    /// The first of several fields that the record has.
    pub(crate) fn any<T: DeserializeOwned>(&self, fields: &[&str]) -> Option<T> {
        fields.iter().find_map(|field| self.get(field))
    }

    /// The lookups, whether their keys are texts or bytes in hex, with the columns that
    /// follow the key; the last ones may be missing.
    pub(crate) fn answers(&self, columns: &[Column]) -> Vec<Answer> {
        let (lookups, hex) = match self.get("lookups_hex") {
            Some(lookups) => (lookups, true),
            None => (self.field::<Vec<Vec<Value>>>("lookups"), false),
        };
        lookups.iter().map(|lookup| self.answer(lookup, hex, columns)).collect()
    }

    fn answer(&self, lookup: &[Value], in_hex: bool, columns: &[Column]) -> Answer {
        let key = lookup[0].as_str().unwrap_or_else(|| panic!("{self}: a key is a text"));
        let key = if in_hex {
            hex::decode(key).unwrap_or_else(|e| panic!("{self}: {key:?}: {e}"))
        } else {
            key.as_bytes().to_vec()
        };
        let mut answer = Answer { key, hash: None, owner: None, order: Vec::new() };
        assert!(lookup.len() - 1 <= columns.len(), "{self}: {lookup:?} has another column");
        for (value, column) in lookup[1..].iter().zip(columns) {
            match column {
                Column::Hash => answer.hash = Some(self.read(value)),
                Column::Owner => answer.owner = Some(self.read(value)),
                Column::Order => answer.order = self.read(value),
            }
        }
        assert!(answer.owner.is_some() || !answer.order.is_empty(), "{self}: {lookup:?}");
        answer
    }

    fn read<T: DeserializeOwned>(&self, value: &Value) -> T {
        T::deserialize(value).unwrap_or_else(|e| panic!("{self}: {value}: {e}"))
    }

    /// The fields of an object, as texts.
    pub(crate) fn options(&self, field: &str) -> BTreeMap<String, Value> {
        self.get(field).unwrap_or_default()
    }
}

impl std::fmt::Display for Record {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.context)
    }
}
