//! Hash mod N, the control.

/// Returns the place in the list of `n` members, in order of index.
///
/// # Panics
///
/// Panics if `n` is 0.
#[must_use]
pub fn place(position: u64, n: usize) -> usize {
    let n = u64::try_from(n).expect("a length fits in 64 bits");
    usize::try_from(position % n).expect("a remainder is below a length")
}
