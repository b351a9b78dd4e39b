//! [`Preset`], a system by name with its settings.

use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use homing_core::{Attribute, Change, Error, Members, Node, NodeId, Placement};
use homing_jump::Jump;
use homing_maglev::Maglev;
use homing_modulo::Modulo;
use homing_rendezvous::Rendezvous;
use homing_ring::Ring;

use crate::entry::{Configuration, Entry};
use crate::label::Label;
use crate::near::one_of;
use crate::options::Chosen;
use crate::prepared::Prepared;
use crate::{Apart, Bounded, Joined, presets};

/// Every preset, rings first, in the order in which they are listed.
pub static PRESETS: &[&Entry] = presets::ALL;

/// A preset with its settings: what fills a family's configuration, and the labels
/// of the nodes.
///
/// Its text form is the name, then, after a colon, the settings that are not the
/// default: `twemproxy:hash=md5,hash_tag={}`.
#[derive(Clone, Debug)]
pub struct Preset {
    entry: &'static Entry,
    chosen: Chosen,
}

impl Preset {
    /// A preset as it is by default.
    ///
    /// # Errors
    ///
    /// Fails, with the nearest names and all others, if no preset has this one.
    pub fn by_name(name: &str) -> Result<Self, Error> {
        let entry = entry(name)?;
        Ok(Self { entry, chosen: Chosen::parse(entry, None)? })
    }

    /// Reads `NAME` or `NAME:OPTION=VALUE,...`.
    ///
    /// # Errors
    ///
    /// As [`by_name`](Self::by_name), or if the preset has no such option, an option
    /// is given twice or has a value that it cannot have.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let (name, rest) = text.split_once(':').map_or((text, None), |(a, b)| (a, Some(b)));
        let entry = entry(name)?;
        Ok(Self { entry, chosen: Chosen::parse(entry, rest)? })
    }

    /// Every setting of a preset that is in use: the default, then the others.
    ///
    /// # Panics
    ///
    /// Panics if an entry has a variant that it does not know, which none has.
    #[must_use]
    pub fn variants(entry: &'static Entry) -> Vec<Self> {
        const SOUND: &str = "an entry knows its variants";
        let variants = entry.variants.iter().map(|&text| Some(text));
        core::iter::once(None)
            .chain(variants)
            .map(|text| Self { entry, chosen: Chosen::parse(entry, text).expect(SOUND) })
            .collect()
    }

    /// What is known of the preset.
    #[must_use]
    pub fn entry(&self) -> &'static Entry {
        self.entry
    }

    /// The node with its [`Label`](Attribute::Label), what the program hashes of it.
    ///
    /// `place` is its place in the list of the program, from 0: some hash that where
    /// nothing else is given. A label that the node has already stays.
    ///
    /// # Errors
    ///
    /// Fails, naming the node and the attribute, if what is hashed is not known, or
    /// the program does not hold such a label or weight.
    pub fn prepare(&self, node: Node, place: usize) -> Result<Node, Error> {
        let Entry { name, limits, label, .. } = self.entry;
        self.check_weight(&node.id, node.weight)?;
        let Some((attribute, label)) = label.of(name, &self.chosen, &node, place)? else {
            return Ok(node);
        };
        if let Some(most) = limits.label.filter(|&most| label.len() > most) {
            let value = alloc::format!("{label:?} of node {:?}, {} bytes", node.id, label.len());
            let rule = self.holds(alloc::format!("{most} bytes long"));
            return Err(Error::parameter("label", value, rule));
        }
        // What is the id is hashed without a label as well.
        let placed = self.entry.label == Label::ServerId;
        if attribute == Attribute::Label && label == node.id.as_str() && !placed {
            return Ok(node);
        }
        Ok(node.with(attribute, &label))
    }

    /// The members, each [prepared](Self::prepare); their indices stay.
    ///
    /// # Errors
    ///
    /// As [`prepare`](Self::prepare), or if there are more than the program holds, or
    /// two of a name that it has but once.
    pub fn members(&self, members: &Members) -> Result<Members, Error> {
        self.check_count(members.len())?;
        let mut place = 0;
        let prepared = members.with_nodes(|node| {
            place += 1;
            self.prepare(node.clone(), place - 1)
        })?;
        self.check_names(&prepared)?;
        Ok(prepared)
    }

    /// Checks that no two nodes have one label, where the program refuses that.
    fn check_names(&self, members: &Members) -> Result<(), Error> {
        let Some(name) = self.entry.label.once() else { return Ok(()) };
        let mut nodes: Vec<&Node> = members.iter().map(|(_, node)| node).collect();
        nodes.sort_by_key(|node| node.label());
        match nodes.windows(2).find(|pair| pair[0].label() == pair[1].label()) {
            None => Ok(()),
            Some(pair) => {
                let (label, a, b) = (pair[0].label(), &pair[0].id, &pair[1].id);
                let value = alloc::format!("{label:?} in nodes {a:?} and {b:?}");
                let rule = alloc::format!("that of one node, as {} has it", self.entry.name);
                Err(Error::parameter(name, value, rule))
            }
        }
    }

    /// Checks that the program holds so many nodes.
    ///
    /// # Errors
    ///
    /// Fails with the number and the limit if it does not.
    pub fn check_count(&self, count: usize) -> Result<(), Error> {
        match self.entry.limits.nodes {
            Some(most) if count > most => Err(Error::parameter("nodes", count, self.holds(most))),
            _ => Ok(()),
        }
    }

    /// The family's configuration, for these members.
    ///
    /// Of most presets it is the same for all members. Where points are given for
    /// each node, it holds those of the members.
    ///
    /// # Errors
    ///
    /// Fails if an attribute of a member that goes into it is none.
    pub fn configuration(&self, members: &Members) -> Result<Configuration, Error> {
        (self.entry.configure)(&self.chosen, members)
    }

    /// The changes, whoever joins being [prepared](Self::prepare) and at the end of the
    /// list.
    ///
    /// # Errors
    ///
    /// As [`members`](Self::members) of the membership to come.
    pub fn changes(&self, members: &Members, changes: &[Change]) -> Result<Vec<Change>, Error> {
        let mut next = members.clone();
        let mut prepared = Vec::with_capacity(changes.len());
        for change in changes {
            let change = match change {
                Change::Add(node) => Change::Add(self.joining(node, &next)?),
                Change::Reweight(id, weight) => {
                    self.check_weight(id, *weight)?;
                    change.clone()
                }
                change => change.clone(),
            };
            // Nobody may be left in between: the whole list is checked when it is made.
            let _ = next.apply(core::slice::from_ref(&change));
            prepared.push(change);
        }
        self.check_count(next.len())?;
        self.check_names(&next)?;
        Ok(prepared)
    }

    /// A node that joins, with a label that no member has where it is a place.
    fn joining(&self, node: &Node, members: &Members) -> Result<Node, Error> {
        let taken = |label: &str| members.iter().any(|(_, node)| node.label() == label);
        let mut place = members.len();
        let mut prepared = self.prepare(node.clone(), place)?;
        while self.entry.label == Label::ServerId
            && node.attributes.get(Attribute::ServerId).is_none()
            && node.attributes.get(Attribute::Label).is_none()
            && taken(prepared.label())
        {
            place += 1;
            prepared = self.prepare(node.clone(), place)?;
        }
        Ok(prepared)
    }

    fn check_weight(&self, id: &NodeId, weight: u32) -> Result<(), Error> {
        match self.entry.limits.weight {
            Some(most) if weight > most => {
                let value = alloc::format!("{weight} for node {id:?}");
                Err(Error::parameter("weight", value, self.holds(most)))
            }
            _ => Ok(()),
        }
    }

    /// The rule that the program holds so many.
    fn holds(&self, most: impl fmt::Display) -> String {
        alloc::format!("at most {most}, which is what {} holds", self.entry.name)
    }

    /// Builds the layout of `members`, which are prepared here.
    ///
    /// It is a [`Prepared`]: nodes that join it by a change are prepared as well.
    ///
    /// # Errors
    ///
    /// As [`members`](Self::members) and [`configuration`](Self::configuration), or
    /// if the family cannot be built so; where no family is it there is no layout.
    pub fn build(&self, members: &Members) -> Result<Box<dyn Placement>, Error> {
        Ok(match self.entry.family {
            "ring" => Box::new(Prepared::<Ring>::build(self, members)?),
            "maglev" => Box::new(Prepared::<Maglev>::build(self, members)?),
            "rendezvous" => Box::new(Prepared::<Rendezvous>::build(self, members)?),
            "jump" => Box::new(Prepared::<Jump>::build(self, members)?),
            "modulo" => Box::new(Prepared::<Modulo>::build(self, members)?),
            _ => {
                let rule = self.entry.apart_rule().unwrap_or("is of an unknown family");
                return Err(Error::Unsupported { family: self.entry.name, rule });
            }
        })
    }

    /// What places keys under a preset that no family is, of `members`, which are
    /// prepared here; `None` of every other preset.
    ///
    /// # Errors
    ///
    /// Fails if a member cannot be prepared, weighs what the program does not take, or
    /// has no zone where it goes by zones; or partitions find no node.
    pub fn apart(&self, members: &Members) -> Result<Option<Apart>, Error> {
        if !self.entry.is_apart() {
            return Ok(None);
        }
        let members = self.members(members)?;
        Ok(match self.configuration(&members)? {
            Configuration::Joined(contest) => Some(Apart::Joined(Joined::new(contest, members)?)),
            Configuration::Zoned(contest) => {
                let contest = Joined::new(contest, members)?;
                contest.order_by_zone("", 1)?;
                Some(Apart::Zoned(contest))
            }
            Configuration::Bounded(config) => {
                Some(Apart::Bounded(Bounded::build(&config, members)?))
            }
            _ => None,
        })
    }
}

impl PartialEq for Preset {
    fn eq(&self, other: &Self) -> bool {
        self.entry.name == other.entry.name && self.chosen.given() == other.chosen.given()
    }
}

impl Eq for Preset {}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.entry.name)?;
        for (i, (name, value)) in self.chosen.given().iter().enumerate() {
            write!(f, "{}{name}={value}", if i == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

impl FromStr for Preset {
    type Err = Error;

    /// As [`Preset::parse`].
    fn from_str(text: &str) -> Result<Self, Error> {
        Self::parse(text)
    }
}

/// Returns what is known of a preset.
///
/// # Errors
///
/// Fails, with the nearest names and all others, if no preset has this name.
pub fn entry(name: &str) -> Result<&'static Entry, Error> {
    PRESETS.iter().find(|entry| entry.name == name).copied().ok_or_else(|| {
        let names = PRESETS.iter().map(|entry| entry.name);
        Error::parameter("preset", alloc::format!("{name:?}"), one_of(name, names))
    })
}
