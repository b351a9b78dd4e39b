//! Filling with [`Stride::Wrapping`](crate::Stride::Wrapping).

use alloc::vec;

use homing_core::Error;

/// Fills a table by the turns given, of which there is one for each entry; each of
/// `permutations` is an offset, a skip, and what the node leaves in the entries it takes.
///
/// # Errors
///
/// Fails if no entry that the node comes by is free in its turn. Its sequence then goes
/// round for ever, which it can only where the skip is a multiple of a power of two that
/// is more than 2^32 / M.
pub(crate) fn fill<E: Copy>(
    table: &mut [E],
    permutations: &[(u32, u32, E)],
    mut turns: impl Iterator<Item = usize>,
) -> Result<(), Error> {
    let mut taken = vec![false; table.len()];
    let mut next = vec![0_u32; permutations.len()];
    for _ in 0..table.len() {
        let node = turns.next().expect("there is a turn for each entry");
        let (offset, skip, entry) = permutations[node];
        // After as many steps the sum is what it was.
        let mut left = 1_u64 << (32 - skip.trailing_zeros());
        loop {
            let at = offset.wrapping_add(next[node].wrapping_mul(skip)) as usize % table.len();
            next[node] = next[node].wrapping_add(1);
            if !taken[at] {
                (taken[at], table[at]) = (true, entry);
                break;
            }
            left -= 1;
            if left == 0 {
                return Err(Error::parameter("skip", skip, "one that comes by a free entry"));
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_skip_that_never_comes_by_the_last_entry_is_refused() {
        // By hand: the multiples of 65536 mod 2^32 are 65536, one less than the entries.
        let mut table = vec![0; 65_537];
        let refused = Error::parameter("skip", 65_536, "one that comes by a free entry");
        assert_eq!(fill(&mut table, &[(0, 65_536, 1)], [0].into_iter().cycle()), Err(refused));
        assert_eq!(fill(&mut table, &[(0, 65_535, 1)], [0].into_iter().cycle()), Ok(()));
    }
}
