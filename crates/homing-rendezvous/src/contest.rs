//! [`Contest`], where nodes compete for a position.
//!
//! The rule is [`Contest::rank`]. The search for the first in rank is made in one
//! of several ways, by what the processor has; all give the same place.

mod other;
mod plain;

use alloc::vec::Vec;

#[cfg(target_arch = "x86_64")]
use homing_core::Lanes;

#[cfg(target_arch = "x86_64")]
use crate::avx2::Avx2;
#[cfg(target_arch = "x86_64")]
use crate::avx512::Avx512;
use crate::cost;
use crate::rule::Score;
use crate::score::{fold, folded_score};
use crate::seeds::{LANES, Seeds};

/// What nodes compete by, each at its place in the order of ids.
#[derive(Clone, Debug)]
pub(crate) struct Contest {
    pub(crate) seeds: Seeds,
    unfolded: Vec<u64>, // the seeds as they are; empty under the default rule
    weights: Vec<u32>,  // of each node; empty while they are equal
    handicaps: Vec<Handicaps>, // of each block of `seeds`; empty while weights are equal
    reach: f32,         // a little more than the greatest weight
    #[cfg(target_arch = "x86_64")]
    rest_reaches: Vec<f32>, // the same of each group of blocks after the first, times 2^32
    path: Path,
}

/// For each node of a block the factor from a bound of -ln(u) to one of its cost.
///
/// It is at most 2^-32 / weight. Past the last node it is the greatest there is,
/// so that no such lane comes near the least.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Handicaps(pub(crate) [f32; LANES]);

/// How the first is searched for plays no part; the rest follows from seeds and weights.
impl PartialEq for Contest {
    fn eq(&self, other: &Self) -> bool {
        self.seeds == other.seeds && self.weights == other.weights
    }
}

impl Eq for Contest {}

/// How the first in rank is searched for.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Path {
    /// One node after the other.
    Plain,
    /// Eight nodes at a time.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// Sixteen nodes at a time where weights are equal; else as `Avx2`.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// One node after the other, by another rule.
    Other(Other),
}

/// A rule other than the default one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Other {
    /// [`Score::Xorshift`].
    Xorshift,
    /// [`Score::Murmur`].
    Murmur,
}

/// Where a node stands in the order of a position; the least is the owner.
#[derive(Clone, Copy, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Rank {
    cost: u64,               // ascends with the cost, or descends with the score
    pub(crate) place: usize, // so that equal ones go to the least id
}

/// The best of some nodes: its cost is within `bound..=limit`, and that of each other
/// is greater, or equal at a later place.
#[derive(Clone, Copy, Default)]
pub(crate) struct Best {
    pub(crate) place: usize,
    pub(crate) bound: f32,
    pub(crate) limit: f32,
}

/// A node and its score.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy, Default)]
pub(crate) struct Scored {
    pub(crate) score: u32,
    pub(crate) place: usize, // within what was searched
}

#[cfg(target_arch = "x86_64")]
impl Scored {
    /// The better of this and `later`, whose place is counted from the block `first`.
    #[inline]
    pub(crate) fn or(self, later: Self, first: usize) -> Self {
        if later.score > self.score {
            Self { place: first * LANES + later.place, ..later }
        } else {
            self
        }
    }
}

/// 2^32.
const POSITIONS: f64 = 4_294_967_296.0;
/// 1 - 2^-20: takes off more than the rounding of a bound, six times at most, can add.
const LESS: f32 = 1.0 - 1.0 / 1_048_576.0;
/// Up to which lack of u to 1 a bound has a limit.
pub(crate) const WITHIN: f32 = 0.4;
/// 1 + 2^-18: adds more than a handicap lacks and rounding takes off.
pub(crate) const MORE: f32 = 1.0 + 1.0 / 262_144.0;

#[cfg(target_arch = "x86_64")]
impl Best {
    /// Returns the least score that can be better at a weight of `reach` / 2^32.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive, and without a limit every score is enough"
    )]
    pub(crate) fn needed(self, reach: f32) -> u32 {
        !((self.limit * reach) as u32)
    }
}

/// Up to how many blocks every score is made to the end in one pass; a batch then has
/// positions side by side.
#[cfg(target_arch = "x86_64")]
pub(crate) const FEW_BLOCKS: usize = 64;

/// How many blocks a search by cost begins with, and by how many it goes on.
#[cfg(target_arch = "x86_64")]
pub(crate) const FIRST_BLOCKS: usize = 64;
#[cfg(target_arch = "x86_64")]
pub(crate) const GROUP_BLOCKS: usize = 4;

impl Path {
    /// How the first in rank by a score is searched for.
    pub(crate) fn of(score: Score) -> Self {
        match score {
            Score::Lowbias => Self::detect(),
            Score::Xorshift => Self::Other(Other::Xorshift),
            Score::Murmur => Self::Other(Other::Murmur),
        }
    }

    /// The best that the processor has and [`Lanes`] allow.
    pub(crate) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            let allowed = Lanes::allowed();
            if allowed >= Lanes::Avx512
                && let Some(avx512) = Avx512::detect()
            {
                return Self::Avx512(avx512);
            }
            if allowed >= Lanes::Avx2
                && let Some(avx2) = Avx2::detect()
            {
                return Self::Avx2(avx2);
            }
        }
        Self::Plain
    }
}

impl Contest {
    pub(crate) fn new(seeds: Seeds, path: Path) -> Self {
        Self {
            seeds,
            unfolded: Vec::new(),
            weights: Vec::new(),
            handicaps: Vec::new(),
            reach: 0.0,
            #[cfg(target_arch = "x86_64")]
            rest_reaches: Vec::new(),
            path,
        }
    }

    /// Takes the weight of each node, or none while they are equal. Called whenever the
    /// seeds have changed.
    pub(crate) fn weigh(&mut self, weights: impl IntoIterator<Item = u32>) {
        self.weights.clear();
        self.weights.extend(weights);
        self.handicaps.clear();
        self.handicaps.extend(self.weights.chunks(LANES).map(|weights| {
            let mut handicaps = Handicaps([f32::MAX; LANES]);
            for (handicap, &weight) in handicaps.0.iter_mut().zip(weights) {
                *handicap = handicap_of(weight);
            }
            handicaps
        }));
        self.reach = reach_of(&self.weights, 1.0);
        if let Path::Other(_) = self.path {
            self.unfold();
        }
        #[cfg(target_arch = "x86_64")]
        {
            let rest = self.weights.get(FIRST_BLOCKS * LANES..).unwrap_or(&[]);
            let groups = rest.chunks(GROUP_BLOCKS * LANES);
            self.rest_reaches.clear();
            self.rest_reaches.extend(groups.map(|weights| reach_of(weights, POSITIONS)));
        }
    }

    #[inline]
    pub(crate) fn rank(&self, position: u64, place: usize) -> Rank {
        if let Path::Other(other) = self.path {
            return self.other_rank(other, position, place);
        }
        let score = folded_score(fold(position), self.seeds.seed(place));
        let cost = match self.weights.get(place) {
            // Costs are positive, so their bits are in the order of their values.
            Some(&weight) => cost(score, weight).to_bits(),
            None => (!score).into(),
        };
        Rank { cost, place }
    }

    /// Returns the place of the first in rank. There is at least one node.
    #[inline]
    pub(crate) fn winner(&self, position: u64) -> usize {
        match self.path {
            Path::Plain => self.plain_winner(position),
            #[cfg(target_arch = "x86_64")]
            Path::Avx2(avx2) => avx2.winner(self, position),
            #[cfg(target_arch = "x86_64")]
            Path::Avx512(avx512) => avx512.winner(self, position),
            Path::Other(other) => self.other_winner(other, position),
        }
    }

    /// Writes the place of the first in rank at `positions[i]` to `winners[i]`.
    #[inline]
    pub(crate) fn winners(&self, positions: &[u64], winners: &mut [usize]) {
        match self.path {
            Path::Plain => self.plain_winners(positions, winners),
            #[cfg(target_arch = "x86_64")]
            Path::Avx2(avx2) => avx2.winners(self, positions, winners),
            #[cfg(target_arch = "x86_64")]
            Path::Avx512(avx512) => avx512.winners(self, positions, winners),
            Path::Other(other) => {
                for (winner, &position) in winners.iter_mut().zip(positions) {
                    *winner = self.other_winner(other, position);
                }
            }
        }
    }

    /// Returns the node at a place, of which a bound is known.
    #[inline]
    pub(crate) fn best(&self, place: usize, bound: f32) -> Best {
        // d, the lack of u to 1, is at most the bound at the weight 1. The bound lacks all
        // but two terms of the series of -ln(1 - d): less than d^2 / 2 of it up to d = 0.4.
        // `limits` of avx2::across is the same in lanes.
        let d = bound * self.reach;
        let limit =
            if (0.0..WITHIN).contains(&d) { bound * (MORE + d * d * 0.5) } else { f32::INFINITY };
        Best { place, bound, limit }
    }

    /// Returns the node at a place, its cost known to rounding.
    pub(crate) fn exact(&self, position: u64, place: usize) -> Best {
        let cost = f64::from_bits(self.rank(position, place).cost);
        Best { place, bound: to_f32(cost * f64::from(LESS)), limit: to_f32(cost * f64::from(MORE)) }
    }

    /// Returns the better of `best` and the node at `place`, which may be the same.
    pub(crate) fn better(&self, position: u64, best: Best, place: usize) -> Best {
        if place == best.place {
            return best;
        }
        let score = folded_score(fold(position), self.seeds.seed(place));
        let handicap = self.handicaps[place / LANES].0[place % LANES];
        let other = self.best(place, to_f32(bound(score) * f64::from(handicap)));
        if other.limit < best.bound {
            return other;
        }
        if best.limit < other.bound {
            return best;
        }
        let ranks = [best.place, place].map(|place| self.rank(position, place));
        self.exact(position, if ranks[1] < ranks[0] { place } else { best.place })
    }

    pub(crate) fn memory_usage(&self) -> usize {
        #[cfg(target_arch = "x86_64")]
        let reaches = self.rest_reaches.capacity() * size_of::<f32>();
        #[cfg(not(target_arch = "x86_64"))]
        let reaches = 0;
        reaches
            + self.seeds.memory_usage()
            + self.unfolded.capacity() * size_of::<u64>()
            + self.weights.capacity() * size_of::<u32>()
            + self.handicaps.capacity() * size_of::<Handicaps>()
    }
}

/// What the search in lanes reads.
#[cfg(target_arch = "x86_64")]
impl Contest {
    pub(crate) fn handicaps(&self) -> &[Handicaps] {
        &self.handicaps
    }

    pub(crate) fn reach(&self) -> f32 {
        self.reach
    }

    /// The reach of each group of blocks after the first, times 2^32.
    pub(crate) fn rest_reaches(&self) -> &[f32] {
        &self.rest_reaches
    }
}

/// Writes what `search` returns of every N positions, and returns those that are left.
#[inline]
pub(crate) fn in_groups<'a, const N: usize>(
    positions: &'a [u64],
    winners: &'a mut [usize],
    search: impl Fn(&[u64; N]) -> [usize; N],
) -> (&'a [u64], &'a mut [usize]) {
    let (groups, positions) = positions.as_chunks();
    let (places, winners) = winners.as_chunks_mut();
    for (places, group) in places.iter_mut().zip(groups) {
        *places = search(group);
    }
    (positions, winners)
}

fn handicap_of(weight: u32) -> f32 {
    to_f32(f64::from(LESS) / POSITIONS / f64::from(weight))
}

fn reach_of(weights: &[u32], scale: f64) -> f32 {
    let greatest = weights.iter().copied().max().unwrap_or(0);
    to_f32(f64::from(greatest) * scale * f64::from(MORE))
}

#[expect(clippy::cast_possible_truncation, reason = "rounding is made up for")]
fn to_f32(value: f64) -> f32 {
    value as f32
}

/// Returns at most 2^32 times -ln(u): the first two terms of the series of
/// -ln(1 - d), of a d that is not above 1 - u.
#[inline]
fn bound(score: u32) -> f64 {
    let d = f64::from(!score) + 0.5;
    d * (1.0 + d * (0.5 / POSITIONS))
}

#[cfg(test)]
mod tests;
