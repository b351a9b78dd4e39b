//! [`Entry`], a preset as data.

use homing_core::{Error, Members};

use crate::bounded::BoundedConfig;
use crate::joined::Contest;
use crate::label::Label;
use crate::options::{Chosen, PresetOption};

/// What is known of a system whose placement a family reproduces.
///
/// An entry is data: it fills the parameters of a family, which knows no names.
#[derive(Debug)]
pub struct Entry {
    /// The name on the command line and in files: lower case, words joined by `-`.
    pub name: &'static str,
    /// The name of the family that is configured; `joined` or `partitions` where no
    /// family is.
    pub family: &'static str,
    /// The program it agrees with, and in which mode.
    pub agrees_with: &'static str,
    /// The versions of the program that made the vectors.
    pub versions: &'static [&'static str],
    /// What of a node is hashed.
    pub hashes: &'static str,
    /// How many answers of the program it was compared with, by file.
    pub vectors: &'static [Vectors],
    /// What can be set, in the words of the program.
    pub options: &'static [PresetOption],
    /// Other settings than the default that are in use, as [`Preset::parse`](crate::Preset::parse)
    /// reads them after the colon.
    pub variants: &'static [&'static str],
    /// What the program does not hold.
    pub limits: Limits,
    /// Where it parts from others that are taken for the same, a sentence each.
    pub differs: &'static [&'static str],
    pub(crate) label: Label,
    pub(crate) configure: fn(&Chosen, &Members) -> Result<Configuration, Error>,
}

/// The word in place of a family where key and node are hashed together: a key has no
/// position then.
pub(crate) const JOINED: &str = "joined";

/// The word in place of a family where partitions are dealt with bounded loads: where
/// one is depends on those before it.
pub(crate) const PARTITIONS: &str = "partitions";

impl Entry {
    /// Whether no family is it: [`Preset::apart`](crate::Preset::apart) places keys then.
    #[must_use]
    pub fn is_apart(&self) -> bool {
        self.apart_rule().is_some()
    }

    /// Why there is no layout, to follow the name; `None` of a preset of a family.
    #[must_use]
    pub fn apart_rule(&self) -> Option<&'static str> {
        match self.family {
            JOINED => Some("hashes key and node together, so that there is no layout"),
            PARTITIONS => Some(
                "deals partitions each of which depends on those before it, so that there is no \
                 layout",
            ),
            _ => None,
        }
    }
}

/// Answers of a program that are kept as vectors.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Vectors {
    /// The file, within the folder of vectors.
    pub file: &'static str,
    /// How many of its records are of this preset.
    pub records: usize,
    /// How many keys are looked up in these.
    pub lookups: usize,
}

/// What a program does not hold, none where nothing is known.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Limits {
    /// The greatest length of a label, in bytes.
    pub label: Option<usize>,
    /// The greatest number of nodes.
    pub nodes: Option<usize>,
    /// The greatest weight of a node.
    pub weight: Option<u32>,
}

impl Limits {
    pub(crate) const NONE: Self = Self { label: None, nodes: None, weight: None };
}

/// A family with the configuration under which it agrees with a program.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Configuration {
    /// A ring.
    Ring(homing_ring::Config),
    /// A Maglev table.
    Maglev(homing_maglev::Config),
    /// A rendezvous of positions.
    Rendezvous(homing_rendezvous::Config),
    /// Jump.
    Jump(homing_jump::Config),
    /// Hash mod N.
    Modulo(homing_modulo::Config),
    /// A contest in which key and node are hashed together.
    Joined(Contest),
    /// The same within each zone.
    Zoned(Contest),
    /// Partitions with bounded loads.
    Bounded(BoundedConfig),
}
