//! Whether another program agrees, and if not, under which known cause.

mod search;
mod trials;

use std::collections::HashMap;

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use homing_core::{Members, NodeId, NodeIndex, Placement};
use serde::Serialize;
use xxhash_rust::xxh3::xxh3_64;

use self::search::{Known, search};
pub use self::trials::{Skipped, Trial, Trials, Which, trials};
use super::parameters;
use crate::Result;
use crate::registry::Choice;
use crate::verify::pairs::Pairs;
use crate::workload::Reading;

/// How many keys are placed at a time.
const BLOCK: usize = 4096;

/// What a file of keys and nodes has to do with a layout.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verification {
    /// The family of the layout.
    pub family: String,
    /// Its parameters, where they are not the defaults.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub parameters: String,
    /// The file as it was given, or `standard input`.
    pub source: String,
    /// The rows on which both put the key on the same node.
    pub agree: u64,
    /// The rows that could be read.
    pub rows: u64,
    /// `agree` of `rows`, in 0..=1.
    pub share: f64,
    /// The rows that could not be read and were passed over.
    pub unreadable: u64,
    /// The rows whose node is no member, which cannot agree.
    pub unknown: Unknown,
    /// The rows whose key stood in a row before.
    pub duplicates: Duplicates,
    /// The first rows of members, or of no node, that do not agree.
    pub first_disagreements: Vec<Disagreement>,
    /// How many causes were tried, pairs of them included.
    pub tried: usize,
    /// The best of those under which at least a tenth of the rows that do not agree
    /// do, those that then no longer agree taken off; at most ten.
    pub causes: Vec<Tried>,
    /// The first of `causes`, if under it fewer than half of the rows that do not
    /// agree are left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Found>,
}

/// Nodes that are no members.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Unknown {
    /// How many rows name one.
    pub rows: u64,
    /// How many there are.
    pub nodes: usize,
    /// The first of them, in the order of the file.
    pub first: Vec<UnknownNode>,
}

/// A node that is no member.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct UnknownNode {
    /// Its name.
    pub node: String,
    /// The rows that name it.
    pub rows: u64,
    /// The line of the first of them.
    pub line: u64,
}

/// Keys on several rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Duplicates {
    /// How many rows have a key that stood in a row before.
    pub rows: u64,
    /// How many of these have another node than the first row of their key.
    pub conflicting: u64,
    /// The first of those with another node, or of all if there is none.
    pub first: Vec<Duplicate>,
}

/// A row whose key stood in a row before.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Duplicate {
    /// The line of the row.
    pub line: u64,
    /// The line of the first row of the key.
    pub before: u64,
    /// The key.
    #[serde(flatten)]
    pub key: Key,
}

/// A row that does not agree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Disagreement {
    /// The line that the row starts on, from 1.
    pub line: u64,
    /// The key.
    #[serde(flatten)]
    pub key: Key,
    /// The node in the file; none where it says that there is no owner.
    pub theirs: Option<String>,
    /// The owner in the layout.
    pub ours: Option<String>,
}

/// A key as text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Key {
    /// The key; where it is not UTF-8, not all of it.
    pub key: String,
    /// The bytes of a key that is not UTF-8, in hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_hex: Option<String>,
}

/// A cause, or two, with what it would explain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tried {
    /// What is done otherwise.
    pub name: String,
    /// The rows on which such a program agrees.
    pub agree: u64,
    /// `agree` of all rows, in 0..=1.
    pub share: f64,
}

/// The cause under which most agree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Found {
    /// What is done otherwise, and how many rows then agree.
    #[serde(flatten)]
    pub tried: Tried,
    /// How much it explains.
    pub explains: Explains,
    /// Causes that agree on as many rows and take no more to say.
    pub alike: Vec<String>,
    /// A bound of the probability that any cause agrees so well by chance, in 0..=1.
    pub chance: f64,
}

/// How much of a file a cause explains.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Explains {
    /// Every row agrees.
    All,
    /// More than half of the rows that did not agree do.
    Most,
}

/// The node of a row.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Theirs {
    Member(NodeIndex),
    Nobody,
    Stranger(usize), // a place among those that were found
}

/// The rows of a file.
#[derive(Debug, Default)]
struct Rows {
    text: Vec<u8>,
    ends: Vec<usize>, // key i is text[ends[i - 1]..ends[i]]
    lines: Vec<u64>,
    theirs: Vec<Theirs>,
    strangers: Vec<UnknownNode>, // in the order of the file
    duplicates: Duplicates,
}

/// Compares the rows of a file with a layout, and looks for a cause where any does
/// not agree. `show` is how many of each kind are told one by one.
///
/// # Errors
///
/// Fails if the layout cannot be built, or the file cannot be read or has no row
/// to use.
pub fn verify(
    choice: &Choice,
    placement: &dyn Placement,
    pairs: &mut Pairs,
    show: usize,
) -> Result<Verification> {
    let rows = Rows::read(placement.members(), pairs, show)?;
    verified(choice, placement, &rows, pairs.reading(), show)
}

fn verified(
    choice: &Choice,
    placement: &dyn Placement,
    rows: &Rows,
    reading: &Reading,
    show: usize,
) -> Result<Verification> {
    let suspects = choice.suspects(placement.members())?;
    let ours = rows.owners(placement);
    let known = rows.known(&ours);
    let agree = known.iter().filter(|row| row.theirs == row.ours).count() as u64;
    let total = rows.lines.len() as u64;
    let found = search(choice, placement.members(), &suspects, &known)?;
    let tried = |name: String, agree: u64| Tried { name, agree, share: part(agree, total) };
    let cause = found.cause.map(|cause| Found {
        tried: tried(suspects.name(&cause.causes), cause.agree),
        explains: if cause.agree == total { Explains::All } else { Explains::Most },
        alike: cause.alike.iter().map(|causes| suspects.name(causes)).collect(),
        chance: cause.chance,
    });
    Ok(Verification {
        family: choice.entry.family.name.to_owned(),
        parameters: parameters(choice),
        source: reading.name.clone(),
        agree,
        rows: total,
        share: part(agree, total),
        unreadable: reading.unreadable,
        unknown: rows.unknown(show),
        first_disagreements: rows.disagreements(placement, &ours, show),
        duplicates: rows.duplicates.clone(),
        tried: found.tried,
        causes: found
            .best
            .into_iter()
            .map(|(causes, agree)| tried(suspects.name(&causes), agree))
            .collect(),
        cause,
    })
}

impl Verification {
    /// Whether every row agrees.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.agree == self.rows
    }
}

impl Key {
    fn of(bytes: &[u8]) -> Self {
        let key = String::from_utf8_lossy(bytes).into_owned();
        let key_hex = str::from_utf8(bytes).is_err().then(|| hex::encode(bytes));
        Self { key, key_hex }
    }
}

impl Rows {
    fn read(members: &Members, pairs: &mut Pairs, show: usize) -> Result<Self> {
        let mut rows = Self::default();
        let mut index = HashTable::<usize>::new();
        let mut strangers = HashMap::<Vec<u8>, usize>::new();
        let mut repeated = Vec::new();
        while let Some(pair) = pairs.next_pair()? {
            let theirs = rows.theirs(members, pair.node, pair.line, &mut strangers);
            let entry = index.entry(
                xxh3_64(&pair.key),
                |&i| rows.key(i) == pair.key,
                |&i| xxh3_64(rows.key(i)),
            );
            match entry {
                Entry::Vacant(entry) => {
                    entry.insert(rows.lines.len());
                }
                Entry::Occupied(entry) => {
                    let first = *entry.get();
                    let told = Duplicate {
                        line: pair.line,
                        before: rows.lines[first],
                        key: Key::of(&pair.key),
                    };
                    let conflicting = rows.theirs[first] != theirs;
                    rows.duplicates.rows += 1;
                    rows.duplicates.conflicting += u64::from(conflicting);
                    let list = if conflicting { &mut rows.duplicates.first } else { &mut repeated };
                    if list.len() < show {
                        list.push(told);
                    }
                }
            }
            rows.text.extend_from_slice(&pair.key);
            rows.ends.push(rows.text.len());
            rows.lines.push(pair.line);
            rows.theirs.push(theirs);
        }
        pairs.reading().check()?;
        if rows.duplicates.conflicting == 0 {
            rows.duplicates.first = repeated;
        }
        Ok(rows)
    }

    /// The node of a row, counted where it is no member.
    fn theirs(
        &mut self,
        members: &Members,
        node: Option<Vec<u8>>,
        line: u64,
        strangers: &mut HashMap<Vec<u8>, usize>,
    ) -> Theirs {
        let Some(node) = node else { return Theirs::Nobody };
        let id = str::from_utf8(&node).ok().map(NodeId::new);
        if let Some(index) = id.and_then(|id| members.index_of(&id)) {
            return Theirs::Member(index);
        }
        let name = String::from_utf8_lossy(&node).into_owned();
        let next = self.strangers.len();
        let place = *strangers.entry(node).or_insert(next);
        if place == next {
            self.strangers.push(UnknownNode { node: name, rows: 0, line });
        }
        self.strangers[place].rows += 1;
        Theirs::Stranger(place)
    }

    /// The nodes that are no members.
    fn unknown(&self, show: usize) -> Unknown {
        Unknown {
            rows: self.strangers.iter().map(|node| node.rows).sum(),
            nodes: self.strangers.len(),
            first: self.strangers.iter().take(show).cloned().collect(),
        }
    }

    fn key(&self, i: usize) -> &[u8] {
        let start = if i == 0 { 0 } else { self.ends[i - 1] };
        &self.text[start..self.ends[i]]
    }

    fn owners(&self, placement: &dyn Placement) -> Vec<Option<NodeIndex>> {
        let mut owners = vec![None; self.lines.len()];
        for (block, owners) in owners.chunks_mut(BLOCK).enumerate() {
            let first = block * BLOCK;
            let keys: Vec<&[u8]> = (first..first + owners.len()).map(|i| self.key(i)).collect();
            placement.owners(&keys, owners);
        }
        owners
    }

    /// The rows that name a member, or nobody.
    fn known<'a>(&'a self, ours: &[Option<NodeIndex>]) -> Vec<Known<'a>> {
        let theirs = |i: usize| match self.theirs[i] {
            Theirs::Member(index) => Some(Some(index.get())),
            Theirs::Nobody => Some(None),
            Theirs::Stranger(_) => None,
        };
        (0..self.lines.len())
            .filter_map(|i| {
                let ours = ours[i].map(NodeIndex::get);
                Some(Known { key: self.key(i), theirs: theirs(i)?, ours })
            })
            .collect()
    }

    fn disagreements(
        &self,
        placement: &dyn Placement,
        ours: &[Option<NodeIndex>],
        show: usize,
    ) -> Vec<Disagreement> {
        let id = |index: NodeIndex| placement.node(index).id.as_str().to_owned();
        let rows = self.theirs.iter().zip(ours).enumerate();
        rows.filter_map(|(i, (theirs, &ours))| {
            let theirs = match *theirs {
                Theirs::Member(index) => Some(index),
                Theirs::Nobody => None,
                Theirs::Stranger(_) => return None,
            };
            (theirs != ours).then(|| Disagreement {
                line: self.lines[i],
                key: Key::of(self.key(i)),
                theirs: theirs.map(id),
                ours: ours.map(id),
            })
        })
        .take(show)
        .collect()
    }
}

fn part(agree: u64, rows: u64) -> f64 {
    agree as f64 / rows as f64
}
