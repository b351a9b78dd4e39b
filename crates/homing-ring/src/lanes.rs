//! [`Lanes`], sixteen numbers side by side: searched and shifted by vectors
//! where there are some, by loops elsewhere.
//!
//! Most x86-64 targets have SSE2 throughout, so nothing is chosen while running. On
//! other targets the loops are what the compiler makes of them.

#![cfg_attr(
    all(target_arch = "x86_64", target_feature = "sse2"),
    expect(unsafe_code, reason = "SSE2 compares or shifts eight numbers in one instruction")
)]

/// How many points a line holds itself: one lane is for something else.
pub(crate) const HELD: usize = LANES - 1;

/// How many numbers there are.
pub(crate) const LANES: usize = 16;

/// Sixteen numbers of 16 bits.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
#[repr(C, align(32))]
pub(crate) struct Lanes<T>(pub(crate) [T; LANES]);

/// A number of 16 bits.
pub(crate) trait Lane: Copy {
    /// The same bits.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    fn bits(self) -> i16;
}

impl Lane for i16 {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[inline]
    fn bits(self) -> i16 {
        self
    }
}

impl Lane for u16 {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    #[inline]
    fn bits(self) -> i16 {
        self.cast_signed()
    }
}

/// How many of the first fifteen numbers, which ascend, are below `bound`; that
/// is above `i16::MIN`.
#[inline]
pub(crate) fn below(lanes: &Lanes<i16>, bound: i16) -> usize {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    // SAFETY: this is compiled only where every processor of the target has SSE2.
    unsafe {
        sse2::below(lanes, bound)
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    plain::below(lanes, bound)
}

/// Moves the numbers from `at` on one further, and puts `value` there; the last
/// falls out.
#[inline]
pub(crate) fn shift_up<T: Lane>(lanes: &mut Lanes<T>, at: usize, value: T) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    // SAFETY: this is compiled only where every processor of the target has SSE2.
    unsafe {
        sse2::shift_up(lanes, at, value);
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    plain::shift_up(lanes, at, value);
}

/// Moves the numbers after `at` one nearer, and puts `last` behind them.
#[inline]
pub(crate) fn shift_down<T: Lane>(lanes: &mut Lanes<T>, at: usize, last: T) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    // SAFETY: this is compiled only where every processor of the target has SSE2.
    unsafe {
        sse2::shift_down(lanes, at, last);
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    plain::shift_down(lanes, at, last);
}

/// Brings the value at `at` near that is about to be read, where that can be asked for.
#[inline]
pub(crate) fn prefetch<T>(values: &[T], at: usize) {
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    // SAFETY: this is compiled only where every processor of the target has SSE2, and a
    // prefetch of any address is harmless.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(values.as_ptr().wrapping_add(at).cast());
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
    let _ = (values, at);
}

/// The definitions, for processors without the vectors and as the reference in tests.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
mod plain {
    use super::{HELD, Lane, Lanes};

    #[inline]
    pub(super) fn below(lanes: &Lanes<i16>, bound: i16) -> usize {
        lanes.0[..HELD].iter().map(|&lane| usize::from(lane < bound)).sum()
    }

    #[inline]
    pub(super) fn shift_up<T: Lane>(lanes: &mut Lanes<T>, at: usize, value: T) {
        lanes.0.copy_within(at..HELD, at + 1);
        lanes.0[at] = value;
    }

    #[inline]
    pub(super) fn shift_down<T: Lane>(lanes: &mut Lanes<T>, at: usize, last: T) {
        lanes.0.copy_within(at + 1.., at);
        lanes.0[HELD] = last;
    }
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod sse2 {
    use core::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_andnot_si128, _mm_cmpeq_epi16, _mm_cmpgt_epi16,
        _mm_insert_epi16, _mm_load_si128, _mm_movemask_epi8, _mm_or_si128, _mm_packs_epi16,
        _mm_set_epi16, _mm_set1_epi16, _mm_slli_si128, _mm_srli_si128, _mm_store_si128,
    };

    use super::{HELD, Lane, Lanes};

    #[target_feature(enable = "sse2")]
    #[inline]
    fn load<T: Lane>(lanes: &Lanes<T>) -> [__m128i; 2] {
        let lanes: *const __m128i = core::ptr::from_ref(lanes).cast();
        // SAFETY: `Lane` is 16 bits, so `Lanes` is two vectors, and aligned to both.
        unsafe { [_mm_load_si128(lanes), _mm_load_si128(lanes.add(1))] }
    }

    #[target_feature(enable = "sse2")]
    #[inline]
    fn store<T: Lane>(lanes: &mut Lanes<T>, [low, high]: [__m128i; 2]) {
        let lanes: *mut __m128i = core::ptr::from_mut(lanes).cast();
        // SAFETY: as in `load`, and any 16 bits are a `Lane`.
        unsafe {
            _mm_store_si128(lanes, low);
            _mm_store_si128(lanes.add(1), high);
        }
    }

    #[target_feature(enable = "sse2")]
    #[inline]
    pub(super) fn below(lanes: &Lanes<i16>, bound: i16) -> usize {
        let before = _mm_set1_epi16(bound - 1);
        let [low, high] = load(lanes).map(|lanes| _mm_cmpgt_epi16(lanes, before));
        // Whatever the last lane is, it counts as not below.
        let not_below = _mm_movemask_epi8(_mm_packs_epi16(low, high)) | 1 << HELD;
        not_below.trailing_zeros() as usize
    }

    /// For each lane whether it is before a place, and whether it is there.
    #[target_feature(enable = "sse2")]
    #[inline]
    #[expect(clippy::cast_possible_truncation, clippy::cast_possible_wrap, reason = "below 16")]
    fn places(at: usize) -> [[__m128i; 2]; 2] {
        let at = _mm_set1_epi16(at as i16);
        let low = _mm_set_epi16(7, 6, 5, 4, 3, 2, 1, 0);
        let high = _mm_set_epi16(15, 14, 13, 12, 11, 10, 9, 8);
        [
            [_mm_cmpgt_epi16(at, low), _mm_cmpgt_epi16(at, high)],
            [_mm_cmpeq_epi16(at, low), _mm_cmpeq_epi16(at, high)],
        ]
    }

    #[target_feature(enable = "sse2")]
    #[inline]
    fn choose(mask: __m128i, ones: __m128i, zeros: __m128i) -> __m128i {
        _mm_or_si128(_mm_and_si128(mask, ones), _mm_andnot_si128(mask, zeros))
    }

    #[target_feature(enable = "sse2")]
    #[inline]
    pub(super) fn shift_up<T: Lane>(lanes: &mut Lanes<T>, at: usize, value: T) {
        let [low, high] = load(lanes);
        let up = [
            _mm_slli_si128::<2>(low),
            _mm_or_si128(_mm_slli_si128::<2>(high), _mm_srli_si128::<14>(low)),
        ];
        let value = _mm_set1_epi16(value.bits());
        let [before, there] = places(at);
        let after = [choose(there[0], value, up[0]), choose(there[1], value, up[1])];
        let chosen = [choose(before[0], low, after[0]), choose(before[1], high, after[1])];
        store(lanes, chosen);
    }

    #[target_feature(enable = "sse2")]
    #[inline]
    pub(super) fn shift_down<T: Lane>(lanes: &mut Lanes<T>, at: usize, last: T) {
        let [low, high] = load(lanes);
        let down = [
            _mm_or_si128(_mm_srli_si128::<2>(low), _mm_slli_si128::<14>(high)),
            _mm_insert_epi16::<7>(_mm_srli_si128::<2>(high), i32::from(last.bits())),
        ];
        let [before, _] = places(at);
        store(lanes, [choose(before[0], low, down[0]), choose(before[1], high, down[1])]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use homing_core::mix64;

    const ROUNDS: u64 = if cfg!(miri) { 20 } else { 20_000 };

    #[expect(clippy::cast_possible_truncation, reason = "any 16 bits")]
    fn number(i: u64) -> i16 {
        mix64(i) as i16
    }

    /// Numbers that ascend, from all equal to all 65,536, and the last at random.
    fn ascending(round: u64) -> Lanes<i16> {
        let lanes = |i| number(round * 100 + i as u64) >> (round % 17).min(15);
        let mut lanes: [i16; LANES] = core::array::from_fn(lanes);
        lanes[..HELD].sort_unstable();
        Lanes(lanes)
    }

    #[test]
    fn the_vector_search_counts_as_the_plain_one() {
        for round in 0..ROUNDS {
            let lanes = ascending(round);
            let edges = [i16::MIN + 1, -1, 0, 1, i16::MAX - 1, i16::MAX];
            let near = |lane: i16| [lane.saturating_sub(1), lane, lane.saturating_add(1)];
            let bounds = (20..50).map(|i| number(round * 100 + i)).chain(edges);
            let bounds = bounds.chain(lanes.0.into_iter().flat_map(near));
            for bound in bounds.filter(|&bound| bound > i16::MIN) {
                let plain = plain::below(&lanes, bound);
                assert_eq!(below(&lanes, bound), plain, "{bound} in {lanes:?}");
            }
        }
    }

    #[test]
    fn the_vector_shifts_move_as_the_plain_ones() {
        for round in 0..ROUNDS {
            for at in 0..HELD {
                let lanes = ascending(round);
                let value = number(round * 100 + 99);
                let (mut vector, mut plain) = (lanes, lanes);
                shift_up(&mut vector, at, value);
                plain::shift_up(&mut plain, at, value);
                assert_eq!(vector, plain, "{value} up at {at} of {lanes:?}");
                shift_down(&mut vector, at, value);
                plain::shift_down(&mut plain, at, value);
                assert_eq!(vector, plain, "{value} down at {at} of {lanes:?}");
            }
        }
    }
}
