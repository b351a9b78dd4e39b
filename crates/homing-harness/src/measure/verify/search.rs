//! The search for the cause under which most rows agree.

use std::collections::BTreeMap;

use homing_core::{Disruption, Members, NodeIndex, Removal};
use rayon::prelude::*;
use statrs::function::beta::beta_reg;

use crate::Result;
use crate::progress::Progress;
use crate::registry::Choice;
use crate::verify::Suspects;

/// The most rows of those that agree, and of those that do not, that causes are
/// first tried on.
const SAMPLE: usize = 256;

/// The most nodes that causes are first tried with, in a family that allows fewer.
const FEW: usize = 32;

/// How many causes are then counted over all rows.
const BEST: usize = 10;

/// A cause is told if under it one in so many of the rows that do not agree does.
const LEAST_PART: u64 = 10;

/// How many pairs of causes are tried between two looks at the clock.
const BATCH: usize = 64;

/// A row of which the node is known; owners by their index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a> {
    pub(super) key: &'a [u8],
    pub(super) theirs: Option<usize>,
    pub(super) ours: Option<usize>,
}

/// What came of the search.
#[derive(Debug, Default)]
pub(super) struct Searched {
    pub(super) tried: usize,
    pub(super) best: Vec<(Vec<usize>, u64)>, // causes, and how many rows agree
    pub(super) cause: Option<Named>,
}

/// The cause that leaves fewer than half of the rows that do not agree.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) causes: Vec<usize>,
    pub(super) agree: u64,
    pub(super) alike: Vec<Vec<usize>>,
    pub(super) chance: f64,
}

/// Some rows that stand for all.
struct Sample<'a> {
    rows: Vec<Known<'a>>, // those that do not agree first
    apart: usize,         // how many these are
    weights: [f64; 2],    // how many rows stand behind one that does not agree, and one that does
}

/// Tries every cause, and every pair of causes where no single one explains all.
///
/// # Errors
///
/// As [`Choice::suspects`].
pub(super) fn search(
    choice: &Choice,
    members: &Members,
    suspects: &Suspects,
    rows: &[Known<'_>],
) -> Result<Searched> {
    let (agreeing, apart): (Vec<Known<'_>>, Vec<Known<'_>>) =
        rows.iter().partition(|row| row.theirs == row.ours);
    if apart.is_empty() {
        return Ok(Searched::default());
    }
    let narrow = narrow(choice, members, &apart, &agreeing)?;
    let (first, sample) = match &narrow {
        Some((few, apart, agreeing)) => (few, Sample::of(apart, agreeing)),
        None => (suspects, Sample::of(&apart, &agreeing)),
    };
    let singles = sample.singles(first);
    let mut tried = suspects.count();
    let mut scored: Vec<(Vec<usize>, f64)> =
        singles.iter().map(|(cause, score)| (vec![*cause], *score)).collect();
    let mut best = counted(suspects, &mut scored, rows);
    if best.first().is_none_or(|&(_, agree)| agree < rows.len() as u64) {
        let causes: Vec<usize> = singles.into_iter().map(|(cause, _)| cause).collect();
        let pairs = pairs(suspects, &causes);
        tried += pairs.len();
        scored.extend(sample.pairs(first, &pairs));
        best = counted(suspects, &mut scored, rows);
    }
    // What chance gives is no cause.
    best.retain(|&(_, agree)| {
        let more = agree.saturating_sub(agreeing.len() as u64);
        LEAST_PART * more >= apart.len() as u64
    });
    let cause = best.first().and_then(|(causes, agree)| {
        let left = rows.len() as u64 - agree;
        (2 * left < apart.len() as u64).then(|| Named {
            causes: causes.clone(),
            agree: *agree,
            alike: alike(&best),
            chance: chance(suspects, causes, &apart, tried),
        })
    });
    Ok(Searched { tried, best, cause })
}

/// Suspects over a few of many nodes, with the rows of these, those that do not agree
/// first.
type Narrow<'a> = (Suspects, Vec<Known<'a>>, Vec<Known<'a>>);

/// The nodes that most rows name, and no others, if the family allows that.
///
/// Where a node that leaves moves no key but its own, whoever owns a key among all
/// owns it among a few as well. A cause that is right agrees with as many rows.
fn narrow<'a>(
    choice: &Choice,
    members: &Members,
    apart: &[Known<'a>],
    agreeing: &[Known<'a>],
) -> Result<Option<Narrow<'a>>> {
    let can = &choice.entry.family.capabilities;
    let minimal = can.disruption == Disruption::Minimal && can.removal == Removal::Any;
    if members.active() <= FEW || !minimal {
        return Ok(None);
    }
    let mut named = BTreeMap::<usize, usize>::new();
    for index in apart.iter().filter_map(|row| row.theirs) {
        *named.entry(index).or_default() += 1;
    }
    let mut named: Vec<(usize, usize)> = named.into_iter().collect();
    named.sort_by(|(a, one), (b, other)| other.cmp(one).then_with(|| a.cmp(b)));
    named.truncate(FEW);
    let few: BTreeMap<usize, usize> =
        named.iter().enumerate().map(|(i, &(at, _))| (at, i)).collect();
    let nodes = named.iter().filter_map(|&(at, _)| members.get(NodeIndex::new(at)).cloned());
    // Nodes that all weigh nothing own nothing, in any program.
    let Ok(members) = Members::new(nodes) else { return Ok(None) };
    let rows = |rows: &[Known<'a>]| -> Vec<Known<'a>> {
        let place = |row: &Known<'a>| few.get(&row.theirs?).copied();
        rows.iter().filter_map(|row| Some(Known { theirs: Some(place(row)?), ..*row })).collect()
    };
    Ok(Some((choice.suspects(&members)?, rows(apart), rows(agreeing))))
}

impl<'a> Sample<'a> {
    fn of(apart: &[Known<'a>], agreeing: &[Known<'a>]) -> Self {
        let some = |rows: &[Known<'a>]| -> Vec<Known<'a>> {
            let count = rows.len().min(SAMPLE);
            (0..count).map(|i| rows[i * rows.len() / count]).collect()
        };
        let (first, second) = (some(apart), some(agreeing));
        let weight = |all: usize, taken: usize| all as f64 / taken.max(1) as f64;
        let weights = [weight(apart.len(), first.len()), weight(agreeing.len(), second.len())];
        Self { apart: first.len(), rows: [first, second].concat(), weights }
    }

    /// The owners of the rows in a program.
    fn owners(&self, suspects: &Suspects, causes: &[usize]) -> Vec<Option<usize>> {
        let program = suspects.program(causes);
        self.rows.iter().map(|row| program(row.key)).collect()
    }

    /// About how many of all rows agree with such owners.
    fn score(&self, owners: &[Option<usize>]) -> f64 {
        let hits = |from: usize, to: usize| {
            let rows = self.rows[from..to].iter().zip(&owners[from..to]);
            rows.filter(|(row, owner)| row.theirs == **owner).count() as f64
        };
        let [apart, agreeing] = self.weights;
        apart * hits(0, self.apart) + agreeing * hits(self.apart, self.rows.len())
    }

    /// The causes that have an effect, each with its score.
    ///
    /// Of causes with the same effect all stay: nothing tells them apart.
    fn singles(&self, suspects: &Suspects) -> Vec<(usize, f64)> {
        let ours = self.owners(suspects, &[]);
        (0..suspects.count())
            .into_par_iter()
            .filter_map(|cause| {
                let owners = self.owners(suspects, &[cause]);
                (owners != ours).then(|| (cause, self.score(&owners)))
            })
            .collect()
    }

    fn pairs(&self, suspects: &Suspects, pairs: &[Vec<usize>]) -> Vec<(Vec<usize>, f64)> {
        let progress = Progress::new(pairs.len().div_ceil(BATCH));
        let mut scored = Vec::new();
        for batch in pairs.chunks(BATCH) {
            progress.step("causes in pairs");
            scored.par_extend(batch.par_iter().map(|causes| {
                let score = self.score(&self.owners(suspects, causes));
                (causes.clone(), score)
            }));
        }
        scored
    }
}

/// The pairs of causes that concern different things.
fn pairs(suspects: &Suspects, causes: &[usize]) -> Vec<Vec<usize>> {
    let mut pairs = Vec::new();
    for (i, &first) in causes.iter().enumerate() {
        let others = causes[i + 1..].iter();
        let apart = others.filter(|&&second| suspects.part(first) != suspects.part(second));
        pairs.extend(apart.map(|&second| vec![first, second]));
    }
    pairs
}

/// The best, and on how many rows each agrees; of equal ones those of fewer causes
/// first, then in the order of the causes.
fn counted(
    suspects: &Suspects,
    scored: &mut [(Vec<usize>, f64)],
    rows: &[Known<'_>],
) -> Vec<(Vec<usize>, u64)> {
    scored.sort_by(|(a, one), (b, other)| {
        other.total_cmp(one).then_with(|| a.len().cmp(&b.len())).then_with(|| a.cmp(b))
    });
    let mut best: Vec<(Vec<usize>, u64)> = scored
        .iter()
        .take(BEST)
        .map(|(causes, _)| {
            let program = suspects.program(causes);
            let agree = rows.par_iter().filter(|row| program(row.key) == row.theirs).count();
            (causes.clone(), agree as u64)
        })
        .collect();
    best.sort_by(|(a, one), (b, other)| {
        other.cmp(one).then_with(|| a.len().cmp(&b.len())).then_with(|| a.cmp(b))
    });
    best
}

/// Those that are as good as the first, and of as many causes.
fn alike(best: &[(Vec<usize>, u64)]) -> Vec<Vec<usize>> {
    let Some(((causes, agree), rest)) = best.split_first() else { return Vec::new() };
    let same = rest.iter().filter(|(other, rows)| rows == agree && other.len() == causes.len());
    same.map(|(other, _)| other.clone()).collect()
}

/// A bound of the probability that one of so many causes agrees as well as this one
/// with the rows that do not agree, if what it does has nothing to do with them.
///
/// Then each row agrees with the probability that two nodes, one drawn as often as
/// the file names it and one as often as the program does, are the same: a binomial
/// tail, times the causes (Bonferroni).
fn chance(suspects: &Suspects, causes: &[usize], apart: &[Known<'_>], tried: usize) -> f64 {
    let program = suspects.program(causes);
    let mut named = BTreeMap::<Option<usize>, [f64; 2]>::new(); // by them, by the program
    let mut hits = 0_u32;
    let mut rows = 0_u32;
    for row in apart {
        let owner = program(row.key);
        named.entry(row.theirs).or_default()[0] += 1.0;
        named.entry(owner).or_default()[1] += 1.0;
        hits += u32::from(owner == row.theirs);
        rows += 1;
    }
    let all = f64::from(rows);
    let same: f64 = named.values().map(|[theirs, its]| theirs / all * (its / all)).sum();
    let (hits, misses) = (f64::from(hits), f64::from(rows - hits));
    let tail = if hits == 0.0 || same >= 1.0 { 1.0 } else { beta_reg(hits, misses + 1.0, same) };
    (tail * tried as f64).min(1.0)
}
