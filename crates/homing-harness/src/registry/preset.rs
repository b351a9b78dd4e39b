//! Presets as choices: a family, its parameters, and members that are prepared.

use homing_compat::{Apart, Configuration, Preset};
use homing_core::{Attribute, Error as CoreError, KeyHash, Members};
use homing_ring::{Count, Points, Scheme};
use serde::Serialize;
use serde_json::Value;

use super::{Choice, Origin, Parameters, by_name};
use crate::members::Given;
use crate::{Error, Result};

/// The most that is built by a preset of a family that has no knob.
const MOST: u64 = 1 << 23;

/// The parameters that a family has by itself.
const OWN: [&str; 7] = ["hash", "points", "prefix", "separator", "assigned", "entries", "ranges"];

impl Choice {
    /// Reads `PRESET` or `PRESET:OPTION=VALUE,...`.
    ///
    /// # Errors
    ///
    /// Fails if there is no such preset or option, or no family is it.
    pub fn of_preset(text: &str) -> Result<Self> {
        Self::by_preset(one_preset(text)?)
    }

    /// The family of a preset.
    ///
    /// # Errors
    ///
    /// Fails if no family is it.
    pub fn by_preset(preset: Preset) -> Result<Self> {
        let entry = preset.entry();
        let Ok(family) = by_name(entry.family) else {
            let rule = entry.apart_rule().unwrap_or("is of an unknown family");
            return Err(Error::Usage(format!(
                "{}: {rule}; homing locate and homing verify take it",
                entry.name
            )));
        };
        Ok(Self {
            entry: family,
            parameters: Parameters::new(),
            preset: Some(preset),
            origin: Origin::Flags,
        })
    }

    /// The same, if it is of this family.
    pub(super) fn of_family(self, name: &str) -> Result<Self> {
        if self.entry.family.name == name {
            return Ok(self);
        }
        let preset = self.preset.as_ref().map_or("", |preset| preset.entry().name);
        Err(Error::Parameter {
            name: format!("{name}: preset"),
            value: format!("{preset:?}"),
            rule: format!("of family {name}, not of {}", self.entry.family.name),
        })
    }

    /// The choice with the parameters that its preset has for members, and these
    /// prepared; as they are without a preset.
    ///
    /// # Errors
    ///
    /// Fails if a member cannot be prepared.
    pub fn settled(mut self, members: Members) -> Result<(Self, Members)> {
        let Some(preset) = &self.preset else { return Ok((self, members)) };
        let located = |error: CoreError| self.origin.located(error.into());
        let members = preset.members(&members).map_err(located)?;
        let configuration = preset.configuration(&members).map_err(located)?;
        self.parameters = parameters(&configuration);
        let defaults = (self.entry.defaults)();
        self.parameters.retain(|name, value| defaults.get(name) != Some(value));
        Ok((self, members))
    }

    /// Checks that members of a manifest have no labels that another preset than this has
    /// given them.
    ///
    /// # Errors
    ///
    /// Fails with the first node whose label is another than the preset gives it.
    pub fn check_labels(&self, given: &Given) -> Result<()> {
        let (Some(preset), Some(stated)) = (&self.preset, &given.manifest) else { return Ok(()) };
        for (_, node) in given.members.iter() {
            let Some(label) = node.attributes.get(Attribute::Label) else { continue };
            if let Some(ours) = preset.label_beside(node).filter(|ours| ours != label) {
                let value = format!("{label:?} in node {:?}", node.id);
                let name = preset.entry().name;
                let rule = format!(
                    "{ours:?}, which is what {name} hashes: a manifest has the labels of its own \
                     layout"
                );
                return Err(Error::in_file(
                    &stated.file,
                    CoreError::parameter("label", value, rule),
                ));
            }
        }
        Ok(())
    }

    /// Whether the family is asked to place as another system does.
    pub(super) fn is_foreign(&self) -> bool {
        let is_ours = |hash: &Value| {
            let hash = hash.as_str().and_then(|text| text.parse::<KeyHash>().ok());
            hash.is_none_or(|hash| matches!(hash, KeyHash::Xxh3 { .. } | KeyHash::Sha256))
        };
        self.preset.is_some()
            || self.parameters.keys().any(|name| !OWN.contains(&&**name))
            || self.parameters.get("hash").is_some_and(|hash| !is_ours(hash))
    }
}

/// Reads `PRESET` or `PRESET:OPTION=VALUE,...`, which is one and not any.
///
/// # Errors
///
/// Fails if there is no such preset or option.
pub fn one_preset(text: &str) -> Result<Preset> {
    if text == "any" {
        return Err(Error::Parameter {
            name: "preset".into(),
            value: format!("{text:?}"),
            rule: "one: homing presets lists them, and only homing verify tries all".into(),
        });
    }
    Ok(Preset::parse(text)?)
}

/// The parameters of a configuration.
fn parameters(configuration: &Configuration) -> Parameters {
    match configuration {
        Configuration::Ring(config) => table(config),
        Configuration::Maglev(config) => table(config),
        Configuration::Rendezvous(config) => table(config),
        Configuration::Jump(config) => table(config),
        Configuration::Modulo(config) => table(config),
        _ => Parameters::new(),
    }
}

fn table(config: &impl Serialize) -> Parameters {
    match serde_json::to_value(config) {
        Ok(Value::Object(parameters)) => parameters,
        other => unreachable!("a configuration is a table, not {other:?}"),
    }
}

/// What places keys under a preset that no family is, of `members`; `None` of every other
/// preset.
///
/// # Errors
///
/// As [`Preset::apart`], or if it is larger than the harness builds.
pub fn apart(preset: &Preset, members: &Members) -> Result<Option<Apart>, CoreError> {
    if !preset.entry().is_apart() {
        return Ok(None);
    }
    check_size(preset, members)?;
    preset.apart(members)
}

/// Checks that the layout of `members` is not larger than the harness builds.
pub(super) fn check_size(preset: &Preset, members: &Members) -> Result<(), CoreError> {
    let members = preset.members(members)?;
    let weight = members.total_weight();
    let (name, all, given) = match preset.configuration(&members)? {
        Configuration::Ring(config) => match config.points {
            Points::Drawn { per_weight } | Points::Labelled { per_weight, .. } => {
                each("points", per_weight, weight)
            }
            Points::Derived { count: Count::PerWeight(copies), .. } => {
                each("points", copies, weight)
            }
            Points::Derived {
                scheme: Scheme::Digest { words, .. },
                count: Count::Share { average, .. },
            } => {
                let (each, nodes) = (u64::from(average) * u64::from(words), members.len());
                let given = format!("about {each} for each of {nodes} nodes");
                ("points", u128::from(each) * nodes as u128, given)
            }
            _ => return Ok(()),
        },
        Configuration::Maglev(config) => {
            ("entries", config.entries.into(), config.entries.to_string())
        }
        Configuration::Bounded(config) => {
            let nodes = members.len();
            let given = format!("{} x {nodes} nodes", config.points);
            ("ReplicationFactor", u128::from(config.points) * nodes as u128, given)
        }
        Configuration::Modulo(_) => ("buckets", weight.into(), weight.to_string()),
        _ => return Ok(()),
    };
    let knob = by_name(preset.entry().family).ok().and_then(|family| family.knob);
    let most = knob.map_or(MOST, |knob| knob.most);
    if all <= most.into() {
        return Ok(());
    }
    let rule = format!("at most {most} in all, which is what homing builds");
    Err(CoreError::parameter(name, given, rule))
}

fn each(name: &'static str, count: u32, weight: u64) -> (&'static str, u128, String) {
    let given = format!("{count} x a total weight of {weight}");
    (name, u128::from(count) * u128::from(weight), given)
}

#[cfg(test)]
mod tests {
    use homing_core::Node;

    use super::*;

    #[test]
    fn a_preset_is_a_family_with_its_parameters() {
        let members = Members::named(["10.0.1.1:11211", "10.0.1.2:11211"]).unwrap();
        let choice = Choice::of_preset("libmemcached").unwrap();
        let (settled, prepared) = choice.clone().settled(members.clone()).unwrap();
        assert_eq!(settled.entry.family.name, "ring");
        assert_eq!(settled.parameters["hash"], Value::from("md5-le32"));
        let labels: Vec<&str> = prepared.iter().map(|(_, node)| node.label()).collect();
        assert_eq!(labels, ["10.0.1.1", "10.0.1.2"]);
        // The parameters alone build the same layout of the prepared members.
        let plain = Choice { preset: None, ..settled };
        let built = plain.build(prepared).unwrap().fingerprint();
        assert_eq!(choice.build(members).unwrap().fingerprint(), built);
    }

    #[test]
    fn a_choice_with_a_preset_is_read_as_it_is_written() {
        for text in ["ring:preset=libketama", "ring:preset=twemproxy,hash=md5,hash_tag={}"] {
            assert_eq!(Choice::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(Choice::of_preset("jump").unwrap().to_string(), "jump:preset=jump");
        let error = Choice::parse("jump:preset=libketama").unwrap_err().to_string();
        assert_eq!(error, "jump: preset is \"libketama\", but must be of family jump, not of ring");
    }

    #[test]
    fn what_a_preset_makes_too_large_is_refused_before_it_is_built() {
        let members = Members::new([Node::new("a:1").weighing(1_000_000)]).unwrap();
        let error = Choice::of_preset("nginx").unwrap().build(members).unwrap_err().to_string();
        assert!(error.starts_with("points is 160 x a total weight of 1000000, but"), "{error}");
        let many = Members::new((0..100_000).map(|i| Node::new(format!("node-{i}")))).unwrap();
        let error = Choice::of_preset("uhashring").unwrap().build(many).unwrap_err().to_string();
        let start = "points is about 160 for each of 100000 nodes, but must be at most 8388608";
        assert!(error.starts_with(start), "{error}");
    }
}
