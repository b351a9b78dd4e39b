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
/// Takes about P ln P steps for P entries if the permutations are drawn at random,
/// and P times the number of nodes if they are all alike.
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
    let turns = (0..permutations.len()).cycle();
    Ok(fill(entries, permutations, turns))
}

/// Fills a table as [`populate`] does, but with the turns given; there must be one
/// for each entry.
pub(crate) fn fill(
    entries: u32,
    permutations: &[(u32, u32)],
    turns: impl Iterator<Item = usize>,
) -> Vec<u32> {
    const FREE: u32 = u32::MAX;
    let mut table = vec![FREE; entries as usize];
    let mut next: Vec<u32> = permutations.iter().map(|&(offset, _)| offset).collect();
    for node in turns.take(table.len()) {
        let (at, skip) = (&mut next[node], permutations[node].1);
        while table[*at as usize] != FREE {
            *at = after(*at, skip, entries);
        }
        #[expect(clippy::cast_possible_truncation, reason = "whoever takes a turn has an entry")]
        let taken = node as u32;
        table[*at as usize] = taken;
        *at = after(*at, skip, entries);
    }
    table
}

/// `at + skip` mod `entries`; both are below `entries`, which is below 2^31.
fn after(at: u32, skip: u32, entries: u32) -> u32 {
    let sum = at + skip;
    if sum >= entries { sum - entries } else { sum }
}
