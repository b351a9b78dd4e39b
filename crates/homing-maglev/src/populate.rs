//! [`populate`]: nodes take turns at a table, each going along its own sequence.

use alloc::vec;
use alloc::vec::Vec;

use homing_core::Error;

use crate::prime;

/// Fills a table of `entries` entries by the published algorithm, and returns for
/// each entry the place in `permutations` of the node that has it.
///
/// A permutation is an offset and a skip; its node goes along offset, offset +
/// skip, offset + 2 skip, ..., mod `entries`. The nodes take turns in the order
/// given, and in its turn a node takes the first entry of its sequence that is
/// free. Of more nodes than entries the last get none.
///
/// Takes about half of P ln P steps for P entries if the permutations are drawn at
/// random, and up to P times the number of nodes if they are all alike.
///
/// Source: Daniel E. Eisenbud et al., "Maglev: A Fast and Reliable Software Network
/// Load Balancer", NSDI 2016, section 3.4.
///
/// # Errors
///
/// Fails if `entries` is not a prime from 2 to 2147483647, there is no permutation,
/// an offset is not below `entries`, or a skip is not from 1 to `entries` - 1.
///
/// # Examples
///
/// ```
/// // The example of the paper, table 1.
/// let table = homing_maglev::populate(7, &[(3, 4), (0, 2), (3, 1)])?;
/// assert_eq!(table, [1, 0, 1, 0, 2, 2, 0]);
/// # Ok::<(), homing_core::Error>(())
/// ```
pub fn populate(entries: u32, permutations: &[(u32, u32)]) -> Result<Vec<u32>, Error> {
    prime::check(entries)?;
    if permutations.is_empty() {
        return Err(Error::NoNodes);
    }
    for &(offset, skip) in permutations {
        if offset >= entries {
            return Err(Error::parameter("offset", offset, alloc::format!("below {entries}")));
        }
        if skip == 0 || skip >= entries {
            let rule = alloc::format!("from 1 to {}", entries - 1);
            return Err(Error::parameter("skip", skip, rule));
        }
    }
    let walks = (0..).zip(permutations).map(|(node, &permutation)| Walk::new(permutation, node));
    let mut table = vec![0; entries as usize];
    fill(&mut table, &mut walks.collect::<Vec<_>>(), (0..permutations.len()).cycle());
    Ok(table)
}

/// A node on its way along its sequence.
pub(crate) struct Walk<E> {
    at: u32,   // where it is; below the number of entries
    skip: u32, // from 1 to the number of entries - 1
    entry: E,  // what it leaves in the entries that it takes
}

impl<E> Walk<E> {
    /// A node at the start of the sequence of a permutation, an offset and a skip.
    pub(crate) fn new((offset, skip): (u32, u32), entry: E) -> Self {
        Self { at: offset, skip, entry }
    }
}

/// Fills a table as [`populate`] does, but with the turns given; there must be one
/// for each entry. The number of entries is a prime below 2^31.
pub(crate) fn fill<E: Copy>(
    table: &mut [E],
    walks: &mut [Walk<E>],
    mut turns: impl Iterator<Item = usize>,
) {
    #[expect(clippy::cast_possible_truncation, reason = "the number is below 2^31")]
    let entries = table.len() as u32;
    let last = last_entries(entries);
    let mut taken = vec![0_u64; table.len() / 64 + 1];
    for node in turns.by_ref().take(table.len() - last) {
        let walk = &mut walks[node];
        let mut at = walk.at;
        while taken[at as usize / 64] >> (at % 64) & 1 == 1 {
            at = after(at, walk.skip, entries);
        }
        taken[at as usize / 64] |= 1 << (at % 64);
        table[at as usize] = walk.entry;
        walk.at = after(at, walk.skip, entries);
    }
    let mut free = Vec::with_capacity(last);
    free.extend((0..entries).filter(|at| taken[*at as usize / 64] >> (at % 64) & 1 == 0));
    drop(taken);
    fill_last(table, walks, turns, free);
}

/// Fills the entries that are `free`.
///
/// When few are, going along a sequence takes many steps to each. What is k steps from
/// `at` is the entry at + k skip, so the entry c is (c - at) / skip steps away, modulo
/// the number of entries, and the nearest of the free ones is next.
fn fill_last<E: Copy>(
    table: &mut [E],
    walks: &mut [Walk<E>],
    turns: impl Iterator<Item = usize>,
    mut free: Vec<u32>,
) {
    #[expect(clippy::cast_possible_truncation, reason = "the number is below 2^31")]
    let entries = table.len() as u32;
    let mut inverses = vec![0; walks.len()]; // 0 where not yet asked for
    for node in turns.take(free.len()) {
        let (walk, inverse) = (&mut walks[node], &mut inverses[node]);
        if *inverse == 0 {
            *inverse = prime::inverse(walk.skip, entries);
        }
        let at = free.swap_remove(nearest(&free, walk.at, *inverse, entries));
        table[at as usize] = walk.entry;
        walk.at = after(at, walk.skip, entries);
    }
}

/// The place in `free`, which is not empty, of the entry that the fewest steps lead to
/// from `at`, by a skip of this inverse.
fn nearest(free: &[u32], at: u32, inverse: u32, entries: u32) -> usize {
    const BLOCK: usize = 32;
    // Victor Shoup's multiplication by a constant: with floor(inverse 2^32 / entries) the
    // quotient is right or one too small, as long as the other factor is below 2^32.
    #[expect(clippy::cast_possible_truncation, reason = "the inverse is below the number")]
    let scaled = ((u64::from(inverse) << 32) / u64::from(entries)) as u32;
    let steps = |entry: u32| {
        let way = entry + (entries - at); // below 2 entries
        let quotient = ((u64::from(way) * u64::from(scaled)) >> 32) as u32;
        let rest = way.wrapping_mul(inverse).wrapping_sub(quotient.wrapping_mul(entries));
        rest.min(rest.wrapping_sub(entries))
    };
    let mut best = (u32::MAX, 0);
    for (block, entries) in free.chunks(BLOCK).enumerate() {
        let least = entries.iter().fold(u32::MAX, |least, &entry| least.min(steps(entry)));
        if least < best.0 {
            best = (least, BLOCK * block);
        }
    }
    let (least, start) = best;
    let within = free[start..].iter().position(|&entry| steps(entry) == least);
    start + within.expect("the least number of steps leads to an entry of the block")
}

/// How many entries are filled as the last: where a look at each of them costs as much
/// as the steps to one, which are all entries over those that are free.
fn last_entries(entries: u32) -> usize {
    (2 * entries.isqrt()).min(entries) as usize
}

/// `at + skip` mod `entries`; both are below `entries`, which is below 2^31.
#[inline]
fn after(at: u32, skip: u32, entries: u32) -> u32 {
    let sum = at + skip;
    sum.min(sum.wrapping_sub(entries))
}

#[cfg(test)]
mod tests {
    use homing_core::draw;

    use super::*;
    use crate::turns::Apportioned;

    /// The published algorithm to the letter: the table itself says what is free, and the
    /// place in a sequence is a multiplication and a remainder.
    fn plain(
        entries: u32,
        permutations: &[(u32, u32)],
        turns: impl Iterator<Item = usize>,
    ) -> Vec<u32> {
        let mut table = vec![None; entries as usize];
        let mut next = vec![0_u64; permutations.len()];
        for node in turns.take(entries as usize) {
            let (offset, skip) = permutations[node];
            loop {
                let at = (u64::from(offset) + next[node] * u64::from(skip)) % u64::from(entries);
                next[node] += 1;
                let entry = &mut table[usize::try_from(at).unwrap()];
                if entry.is_none() {
                    *entry = Some(u32::try_from(node).unwrap());
                    break;
                }
            }
        }
        table.into_iter().map(Option::unwrap).collect()
    }

    fn random(entries: u32, nodes: usize, seed: u64) -> Vec<(u32, u32)> {
        let below = |hash, i, bound: u32| u32::try_from(draw(hash, i) % u64::from(bound)).unwrap();
        let of = |node| {
            let hash = draw(seed, node);
            (below(hash, 0, entries), below(hash, 1, entries - 1) + 1)
        };
        (0..nodes as u64).map(of).collect()
    }

    const COUNTS: [usize; 8] = [1, 2, 3, 15, 16, 17, 100, 1_000];

    #[test]
    fn random_permutations_fill_as_published() {
        for entries in [2, 3, 5, 7, 13, 31, 251, 1_009, 4_099, 65_537] {
            for nodes in COUNTS {
                for seed in 0..if entries > 1_009 { 2 } else { 20 } {
                    let permutations = random(entries, nodes, seed);
                    let expected = plain(entries, &permutations, (0..nodes).cycle());
                    let table = populate(entries, &permutations).unwrap();
                    assert_eq!(table, expected, "{nodes} nodes, {entries} entries, seed {seed}");
                }
            }
        }
    }

    #[test]
    fn permutations_that_are_alike_fill_as_published() {
        for entries in [2, 5, 13, 251, 1_009] {
            for nodes in COUNTS {
                let permutations = vec![random(entries, 1, 7)[0]; nodes];
                let expected = plain(entries, &permutations, (0..nodes).cycle());
                assert_eq!(populate(entries, &permutations).unwrap(), expected);
            }
        }
    }

    #[test]
    fn uneven_turns_fill_as_published() {
        for (entries, nodes) in [(13, 3), (251, 17), (4_099, 100), (65_537, 1_000)] {
            let permutations = random(entries, nodes, 3);
            let weights: Vec<u32> = (1..).take(nodes).map(|i| i * i % 977 + 1).collect();
            let expected = plain(entries, &permutations, Apportioned::new(entries, &weights));
            let walks = (0..).zip(&permutations).map(|(node, &it)| Walk::new(it, node));
            let mut table = vec![0; entries as usize];
            let turns = Apportioned::new(entries, &weights);
            fill(&mut table, &mut walks.collect::<Vec<_>>(), turns);
            assert_eq!(table, expected, "{nodes} nodes, {entries} entries");
        }
    }

    #[test]
    fn the_nearest_entry_is_that_of_the_steps_taken_one_by_one() {
        // Up to the greatest prime there can be, where the products are the greatest.
        for entries in [2, 3, 13, 65_537, 1_000_003, (1 << 31) - 1] {
            for seed in 0..200 {
                let [(at, skip), (start, step)] = random(entries, 2, seed)[..] else { panic!() };
                // Free are entries a few steps on, among others.
                let mut free = vec![start];
                let mut expected = None;
                let mut entry = at;
                for i in 0..entries.min(40) {
                    if draw(seed, u64::from(i) + 9).is_multiple_of(8) && entry != start {
                        free.push(entry);
                    }
                    if free.contains(&entry) && expected.is_none() {
                        expected = Some(entry);
                    }
                    entry = after(entry, skip, entries);
                }
                let Some(expected) = expected else { continue };
                let middle = step as usize % free.len();
                free.rotate_left(middle);
                let found = nearest(&free, at, prime::inverse(skip, entries), entries);
                assert_eq!(free[found], expected, "{entries} entries, seed {seed}");
            }
        }
    }
}
