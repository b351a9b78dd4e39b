//! [`apportion`]: whole entries in proportion to weights.

use alloc::vec::Vec;
use core::cmp::Reverse;

/// Shares `total` out in proportion to `weights`, in whole numbers.
///
/// A weight w gets floor(total w / W), W the sum of the weights. What is left
/// over, fewer than there are weights above 0, goes one each to the greatest
/// total w mod W; among equals to the greatest `held`, then to the first. So each
/// part is its exact share rounded down or up, and the parts add up to `total`.
/// Without weights above 0 every part is 0.
///
/// Give the weights in order of id, so that ties go to the least id. `held` is
/// what each has already; pass all zeros where that plays no part.
///
/// Source: the largest-remainder method, known as Hamilton's; M. L. Balinski and
/// H. P. Young, "Fair Representation", 1982, chapter 3.
///
/// # Panics
///
/// Panics if the slices differ in length.
#[must_use]
pub fn apportion(total: u32, weights: &[u32], held: &[u32]) -> Vec<u32> {
    assert_eq!(weights.len(), held.len(), "one weight and one holding for each node");
    let sum: u64 = weights.iter().map(|&weight| u64::from(weight)).sum();
    if sum == 0 {
        return alloc::vec![0; weights.len()];
    }
    let share = |weight: u32| u64::from(total) * u64::from(weight);
    #[expect(clippy::cast_possible_truncation, reason = "a part is at most the total")]
    let mut parts: Vec<u32> = weights.iter().map(|&weight| (share(weight) / sum) as u32).collect();
    let given: u32 = parts.iter().sum();
    let left = (total - given) as usize;
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|&i| (Reverse(share(weights[i]) % sum), Reverse(held[i]), i));
    for &i in &order[..left] {
        parts[i] += 1;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_follow_the_weights() {
        // cases.md, C27: M w / W for weights 1, 2 and 1, 2, 5.
        assert_eq!(apportion(65_537, &[1, 2], &[0; 2]), [21_846, 43_691]);
        assert_eq!(apportion(65_537, &[1, 2, 5], &[0; 3]), [8_192, 16_384, 40_961]);
    }

    #[test]
    fn the_rest_is_shared_out_one_each() {
        // cases.md, C11: 16384 slots over 45 nodes are 4 of 365 and 41 of 364.
        let parts = apportion(16_384, &[1; 45], &[0; 45]);
        assert_eq!(parts.iter().filter(|&&part| part == 365).count(), 4);
        assert_eq!(parts.iter().filter(|&&part| part == 364).count(), 41);
    }

    #[test]
    fn equal_remainders_go_to_who_holds_more_then_to_the_first() {
        // 16384 = 3 x 5461 + 1, so one of three gets one more.
        assert_eq!(apportion(16_384, &[1; 3], &[0; 3]), [5_462, 5_461, 5_461]);
        assert_eq!(apportion(16_384, &[1; 3], &[5_461, 5_462, 5_461]), [5_461, 5_462, 5_461]);
    }

    #[test]
    fn a_weight_of_nothing_gets_nothing() {
        assert_eq!(apportion(7, &[0, u32::MAX, 0], &[9, 0, 0]), [0, 7, 0]);
        assert_eq!(apportion(7, &[0, 0], &[1, 1]), [0, 0]);
        assert!(apportion(7, &[], &[]).is_empty());
    }
}
