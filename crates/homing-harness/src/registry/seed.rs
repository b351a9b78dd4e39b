//! The seed of the hash of a family, where it has one.

use homing_core::KeyHash;
use serde_json::Value;

use super::Choice;

/// The name of the parameter, in every family that has it.
const HASH: &str = "hash";

impl Choice {
    /// The seed of the family's hash; none if it has no hash, or one without a seed.
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        if self.preset.is_some() {
            return None;
        }
        let given = self.parameters.get(HASH).cloned();
        let hash = given.or_else(|| (self.entry.defaults)().remove(HASH))?;
        match hash.as_str()?.parse() {
            Ok(KeyHash::Xxh3 { seed }) => Some(seed),
            _ => None,
        }
    }

    /// The same with another seed of its hash, if it has one.
    #[must_use]
    pub fn seeded(&self, seed: u64) -> Self {
        let mut parameters = self.parameters.clone();
        if self.seed().is_some() {
            let hash = KeyHash::Xxh3 { seed };
            parameters.insert(HASH.to_owned(), Value::from(hash.to_string()));
        }
        Self { parameters, ..self.clone() }
    }

    /// The same without a hash that is asked for.
    #[must_use]
    pub fn unhashed(&self) -> Self {
        let mut parameters = self.parameters.clone();
        parameters.shift_remove(HASH);
        Self { parameters, ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_is_there_where_the_hash_takes_one() {
        let seed = |text: &str| Choice::parse(text).unwrap().seed();
        assert_eq!(seed("ring"), Some(0));
        assert_eq!(seed("jump:hash=xxh3:42"), Some(42));
        assert_eq!([seed("ring:hash=sha256"), seed("slots")], [None, None]);
        let seeded = Choice::parse("ring:points=7").unwrap().seeded(3);
        assert_eq!(seeded.to_string(), "ring:points=7,hash=xxh3:3");
        assert_eq!(Choice::parse("slots").unwrap().seeded(3).to_string(), "slots");
    }
}
