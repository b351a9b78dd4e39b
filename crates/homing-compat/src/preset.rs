//! [`Preset`], a system by name with its settings.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::collections::BTreeSet;
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
        let mut taken = self.numbers(members);
        let mut place = 0;
        let prepared = members.with_nodes(|node| {
            if self.goes_by_place(node) {
                while !taken.insert(place as u64 + 1) {
                    place += 1;
                }
            }
            place += 1;
            self.prepare(node.clone(), place - 1)
        })?;
        self.check_names(&prepared)?;
        Ok(prepared)
    }

    /// Whether the place of a node in the list is hashed.
    fn goes_by_place(&self, node: &Node) -> bool {
        let told = [Attribute::Label, Attribute::ServerId];
        self.entry.label == Label::ServerId
            && told.iter().all(|&attribute| node.attributes.get(attribute).is_none())
    }

    /// The numbers that are hashed of the nodes that are told them.
    fn numbers(&self, members: &Members) -> BTreeSet<u64> {
        members.iter().filter_map(|(_, node)| self.entry.label.number(node)).collect()
    }

    /// Whether nothing of a node is hashed, and the list is in its own order.
    fn goes_by_order(&self) -> bool {
        self.entry.label == Label::Id && ["jump", "modulo"].contains(&self.entry.family)
    }

    /// What the program hashes of a node by the rest of what is known of it, whatever
    /// its [`Label`](Attribute::Label) says; `None` where the rest does not tell.
    #[must_use]
    pub fn label_beside(&self, node: &Node) -> Option<String> {
        let rest = Attribute::ALL.into_iter().filter(|&attribute| attribute != Attribute::Label);
        let bare = rest.fold(Node::new(node.id.clone()), |bare, attribute| {
            match node.attributes.get(attribute) {
                Some(text) => bare.with(attribute, text),
                None => bare,
            }
        });
        if self.goes_by_order() || self.goes_by_place(&bare) {
            return None;
        }
        match self.entry.label.of(self.entry.name, &self.chosen, &bare, 0) {
            Ok(Some((Attribute::Label, label))) => Some(label),
            _ => None,
        }
    }

    /// Checks that no two nodes have one label: the points of both would be the same.
    fn check_names(&self, members: &Members) -> Result<(), Error> {
        let Entry { name, label, .. } = self.entry;
        let Some(attribute) = label.once().filter(|_| !self.goes_by_order()) else {
            return Ok(());
        };
        let text = |node: &Node| match attribute {
            Attribute::HashKey => node.attributes.get(attribute).unwrap_or_default().to_owned(),
            _ => node.label().to_owned(),
        };
        let mut nodes: Vec<(String, &Node)> =
            members.iter().map(|(_, node)| (text(node), node)).collect();
        nodes.sort_by(|(a, _), (b, _)| a.cmp(b));
        match nodes.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            None => Ok(()),
            Some(pair) => {
                let (text, a, b) = (&pair[0].0, &pair[0].1.id, &pair[1].1.id);
                let value = alloc::format!("{text:?} in nodes {a:?} and {b:?}");
                let rule = alloc::format!("that of one node, as {name} has it");
                Err(Error::parameter(attribute.name(), value, rule))
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
        let mut place = members.len();
        if self.goes_by_place(node) {
            let taken = self.numbers(members);
            while taken.contains(&(place as u64 + 1)) {
                place += 1;
            }
        }
        self.prepare(node.clone(), place)
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
        let rule = match name {
            "redis" | "redis-cluster" | "valkey" | "valkey-cluster" => {
                "left out: a cluster of Redis or Valkey is the family slots".into()
            }
            _ => one_of(name, names),
        };
        Error::parameter("preset", alloc::format!("{name:?}"), rule)
    })
}
