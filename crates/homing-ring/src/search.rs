//! The search for the point that a position belongs to.

/// Returns the place of the least of `points` that is not below `position`, or
/// 0 if all are: above the greatest point the circle begins again.
///
/// `points` ascend. Of equal ones the first is found. Takes O(log P).
pub(crate) fn successor(points: &[u64], position: u64) -> usize {
    let at = points.partition_point(|&point| point < position);
    if at == points.len() { 0 } else { at }
}

#[cfg(test)]
mod tests {
    use super::successor;

    #[test]
    fn a_position_belongs_to_the_least_point_not_below_it() {
        // facts.md, section 1: points 20, 50, 80.
        let found = [0, 20, 21, 50, 51, 80, 81].map(|at| successor(&[20, 50, 80], at));
        assert_eq!(found, [0, 0, 1, 1, 2, 2, 0]);
    }

    #[test]
    fn of_equal_points_the_first_is_found() {
        assert_eq!(successor(&[20, 50, 50, 50, 80], 21), 1);
        assert_eq!(successor(&[20, 20], u64::MAX), 0);
    }

    #[test]
    fn the_ends_of_the_range_are_positions_like_others() {
        assert_eq!(successor(&[0, u64::MAX], 0), 0);
        assert_eq!(successor(&[0, u64::MAX], 1), 1);
        assert_eq!(successor(&[0, u64::MAX], u64::MAX), 1);
    }
}
