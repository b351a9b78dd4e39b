//! Which presets agree with a file of keys and nodes.

use homing_compat::{PRESETS, Preset};
use homing_core::{Attribute, Members};
use serde::Serialize;

use super::{Duplicates, Rows, Theirs, Unknown, Verification, part, verified};
use crate::Result;
use crate::registry::{Choice, Entry, apart};
use crate::verify::pairs::Pairs;

/// How many presets are told where none agrees.
const NEAREST: usize = 5;

/// What a file of keys and nodes has to do with the presets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trials {
    /// The file as it was given, or `standard input`.
    pub source: String,
    /// The rows that could be read.
    pub rows: u64,
    /// The rows that could not be read and were passed over.
    pub unreadable: u64,
    /// The rows whose node is no member, which cannot agree.
    pub unknown: Unknown,
    /// The rows whose key stood in a row before.
    pub duplicates: Duplicates,
    /// How many presets and settings of presets were tried.
    pub tried: usize,
    /// Those under which every row agrees, in the order of the list.
    pub agree: Vec<Trial>,
    /// Those that come nearest, the best first, where none agrees; none under which no
    /// row does.
    pub nearest: Vec<Trial>,
    /// Those that could not be tried.
    pub skipped: Vec<Skipped>,
    /// Whether a member has a label, which presets hash in place of anything else.
    pub labelled: bool,
    /// The families that agree by themselves or but for a known cause, where no
    /// preset agrees.
    pub families: Vec<Verification>,
}

/// A preset with its settings, and the rows that agree.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Trial {
    /// The preset, as it is given.
    pub preset: String,
    /// The family.
    pub family: String,
    /// The program that it agrees with.
    pub agrees_with: String,
    /// The rows that agree.
    pub agree: u64,
    /// `agree` of all rows, in 0..=1.
    pub share: f64,
}

/// A preset that could not be tried.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Skipped {
    /// Its name.
    pub preset: String,
    /// Why.
    pub reason: String,
}

impl Trials {
    /// Whether every row agrees under a preset.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.agree.is_empty()
    }
}

/// Which presets are tried.
#[derive(Clone, Debug)]
pub enum Which {
    /// All.
    All,
    /// Those of a family.
    Of(&'static Entry),
    /// One.
    One(Preset),
}

impl Which {
    fn presets(&self) -> Vec<Preset> {
        match self {
            Self::One(preset) => vec![preset.clone()],
            Self::All => PRESETS.iter().flat_map(|entry| Preset::variants(entry)).collect(),
            Self::Of(family) => PRESETS
                .iter()
                .filter(|entry| entry.family == family.family.name)
                .flat_map(|entry| Preset::variants(entry))
                .collect(),
        }
    }

    /// The families that are tried where no preset agrees.
    fn families(&self) -> Vec<Choice> {
        match self {
            Self::One(_) => Vec::new(),
            Self::All => Choice::all(),
            Self::Of(family) => vec![Choice::plain(family)],
        }
    }
}

/// Tries presets on the rows of a file; where none agrees, the families by
/// themselves. `show` is how many of each kind are told one by one.
///
/// # Errors
///
/// Fails if the file cannot be read or has no row to use.
pub fn trials(members: &Members, which: &Which, pairs: &mut Pairs, show: usize) -> Result<Trials> {
    let rows = Rows::read(members, pairs, show)?;
    let reading = pairs.reading();
    let total = rows.lines.len() as u64;
    let mut found = Vec::new();
    let mut skipped: Vec<Skipped> = Vec::new();
    for preset in which.presets() {
        let entry = preset.entry();
        match agreed(&preset, members, &rows) {
            Ok(agree) => found.push(Trial {
                preset: preset.to_string(),
                family: entry.family.to_owned(),
                agrees_with: entry.agrees_with.to_owned(),
                agree,
                share: part(agree, total),
            }),
            Err(error) => {
                let skip = Skipped { preset: entry.name.to_owned(), reason: error.to_string() };
                if skipped.last() != Some(&skip) {
                    skipped.push(skip);
                }
            }
        }
    }
    let tried = found.len();
    let (agree, mut others): (Vec<Trial>, Vec<Trial>) =
        found.into_iter().partition(|trial| trial.agree == total);
    others.retain(|trial| trial.agree > 0);
    others.sort_by_key(|trial| std::cmp::Reverse(trial.agree));
    others.truncate(NEAREST);
    let mut families = Vec::new();
    if agree.is_empty() {
        for choice in which.families() {
            // A family that cannot be built of the members cannot be the one.
            let Ok(placement) = choice.build(members.clone()) else { continue };
            let verified = verified(&choice, &*placement, &rows, reading, show)?;
            if verified.is_whole() || verified.cause.is_some() {
                families.push(verified);
            }
        }
    }
    Ok(Trials {
        source: reading.name.clone(),
        rows: total,
        unreadable: reading.unreadable,
        unknown: rows.unknown(show),
        nearest: if agree.is_empty() { others } else { Vec::new() },
        duplicates: rows.duplicates,
        tried,
        agree,
        skipped,
        labelled: members.iter().any(|(_, node)| node.attributes.get(Attribute::Label).is_some()),
        families,
    })
}

/// How many rows agree under a preset.
fn agreed(preset: &Preset, members: &Members, rows: &Rows) -> Result<u64> {
    let ours = match apart(preset, members)? {
        // A family is built no larger than elsewhere.
        None => {
            let choice = Choice::by_preset(preset.clone())?;
            rows.owners(&*choice.build(members.clone())?)
        }
        // A key that the program does not take could not have been asked.
        Some(apart) => (0..rows.lines.len())
            .map(|i| apart.order(rows.key(i), 1).ok().and_then(|order| order.first().copied()))
            .collect(),
    };
    let agree = rows.theirs.iter().zip(&ours).filter(|(theirs, ours)| match (theirs, ours) {
        (Theirs::Member(theirs), Some(ours)) => theirs == ours,
        (Theirs::Nobody, None) => true,
        _ => false,
    });
    Ok(agree.count() as u64)
}
