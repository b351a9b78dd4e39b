//! The search for the point that a position belongs to.

/// The first step away from where a point should be: one line of memory.
const STEP: usize = 8;

/// Returns the place of the least of `points` that is not below `position`, or
/// 0 if all are: above the greatest point the circle begins again.
///
/// `points` ascend. Of equal ones the first is found. Takes O(log P): it begins where
/// the point would be if all lay evenly, doubles its steps from there until they are
/// too far, and halves the last.
pub(crate) fn successor(points: &[u64], position: u64) -> usize {
    let (Some(&first), Some(&last)) = (points.first(), points.last()) else { return 0 };
    if position <= first || position > last {
        return 0;
    }
    // From here on `points[low] < position <= points[high]`.
    let (mut low, mut high) = (0, points.len() - 1);
    let guess = between(first, last, position, high);
    let mut step = STEP;
    if points[guess] < position {
        low = guess;
        while low + step < high && points[low + step] < position {
            low += step;
            step *= 2;
        }
        high = high.min(low + step);
    } else {
        high = guess;
        while high > low + step && points[high - step] >= position {
            high -= step;
            step *= 2;
        }
        low = high.saturating_sub(step);
    }
    low + 1 + points[low + 1..high].partition_point(|&point| point < position)
}

/// How far of `count` a position is on the way from `first` to `last`, which is above
/// `first`; it lies between.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "it is a guess, and cut to the count"
)]
fn between(first: u64, last: u64, position: u64, count: usize) -> usize {
    let way = (position - first) as f64 / (last - first) as f64;
    ((way * count as f64) as usize).min(count)
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

    #[test]
    fn the_point_is_found_however_they_lie() {
        use alloc::vec::Vec;
        use homing_core::mix64;
        for count in 1..200_u64 {
            for shift in [0, 30, 56, 60, 63] {
                // Even, crowded below, crowded above, and in two heaps.
                let lists = [0_u64, 1, 2, 3].map(|kind| {
                    let mut points: Vec<u64> = (0..count)
                        .map(|i| mix64(i * count) >> shift)
                        .map(|point| match kind {
                            0 => point,
                            1 => point.isqrt(),
                            2 => !point,
                            _ => {
                                if point % 2 == 0 {
                                    point
                                } else {
                                    !point
                                }
                            }
                        })
                        .collect();
                    points.sort_unstable();
                    points
                });
                for points in lists {
                    let near = points.iter().flat_map(|&point| {
                        [point.saturating_sub(1), point, point.saturating_add(1)]
                    });
                    for position in near.chain([0, u64::MAX, 1 << 63]) {
                        let at = points.iter().position(|&point| point >= position);
                        assert_eq!(successor(&points, position), at.unwrap_or(0));
                    }
                }
            }
        }
    }
}
