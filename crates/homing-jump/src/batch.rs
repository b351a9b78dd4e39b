//! [`jump`](crate::jump()) over many keys at once, bit for bit the same.
//!
//! A key waits at each step for the step before, so many are in flight.

#[cfg(target_arch = "x86_64")]
use homing_core::Lanes;

#[cfg(target_arch = "x86_64")]
use crate::lanes::{Avx2, Avx512};

/// The multiplier of the linear congruential generator in figure 1.
pub(crate) const MULTIPLIER: u64 = 2_862_933_555_777_941_757;

/// How a batch is worked off.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Path {
    /// Eight keys in turn: where there are no lanes, and the reference of those.
    #[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
    Plain,
    /// Two lanes.
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    Sse2,
    /// Four lanes.
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// Eight lanes. Run in an emulator alone so far: no machine that we test on has it.
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Path {
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
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        let fallback = Self::Sse2;
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
        let fallback = Self::Plain;
        fallback
    }

    /// Writes the bucket of `keys[i]` to `reached[i]`.
    ///
    /// `buckets` is from 1 to 2^31 - 1.
    pub(crate) fn jump(self, keys: &[u64; KEYS], buckets: u32, reached: &mut [u32; KEYS]) {
        match self {
            #[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
            Self::Plain => {
                let (keys, _) = keys.as_chunks::<8>();
                let (reached, _) = reached.as_chunks_mut::<8>();
                for (reached, keys) in reached.iter_mut().zip(keys) {
                    *reached = plain(*keys, buckets);
                }
            }
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            Self::Sse2 => crate::pairs::jump(keys, buckets, reached),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(avx2) => avx2.jump(keys, buckets, reached),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(avx512) => avx512.jump(keys, buckets, reached),
        }
    }
}

/// How many keys make a batch.
pub(crate) const KEYS: usize = 32;

/// Finished keys idle until the last of the eight has finished.
#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
fn plain(mut keys: [u64; 8], buckets: u32) -> [u32; 8] {
    let buckets = f64::from(buckets);
    let mut reached = [0; 8];
    let mut running = [true; 8];
    loop {
        for ((key, reached), running) in keys.iter_mut().zip(&mut reached).zip(&mut running) {
            *key = key.wrapping_mul(MULTIPLIER).wrapping_add(1);
            let drawn = (*key >> 33) as u32 + 1;
            let leap = f64::from(*reached + 1) * (f64::from(1_u32 << 31) / f64::from(drawn));
            *running &= leap < buckets;
            // Below `buckets`, which is what a whole number and its fraction are together.
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is cut to a whole number on purpose"
            )]
            let next = leap as i64 as u32;
            *reached = if *running { next } else { *reached };
        }
        if !running.contains(&true) {
            return reached;
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use homing_core::mix64;

    use super::*;
    use crate::jump;

    /// Every path that this machine has.
    fn paths() -> Vec<Path> {
        #[cfg_attr(not(target_arch = "x86_64"), expect(unused_mut, reason = "no other path"))]
        let mut paths = vec![Path::Plain];
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        paths.push(Path::Sse2);
        #[cfg(target_arch = "x86_64")]
        {
            paths.extend(Avx2::detect().map(Path::Avx2));
            paths.extend(Avx512::detect().map(Path::Avx512));
        }
        paths
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn the_path_is_the_best_that_the_processor_has() {
        extern crate std;
        let avx2 = std::is_x86_feature_detected!("avx2");
        let avx512 = avx2
            && std::is_x86_feature_detected!("fma")
            && std::is_x86_feature_detected!("avx512f")
            && std::is_x86_feature_detected!("avx512dq");
        assert_eq!(Avx2::detect().is_some(), avx2);
        assert_eq!(Avx512::detect().is_some(), avx512);
        assert_eq!(Path::detect(), *paths().last().unwrap());
    }

    /// Figure 1 as it is printed.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "as printed"
    )]
    fn published(mut key: u64, buckets: u32) -> u32 {
        let (mut b, mut j) = (-1_i64, 0_i64);
        while j < i64::from(buckets) {
            b = j;
            key = key.wrapping_mul(2_862_933_555_777_941_757).wrapping_add(1);
            j = ((b + 1) as f64 * ((1_i64 << 31) as f64 / ((key >> 33) + 1) as f64)) as i64;
        }
        b as u32
    }

    fn check(keys: &[u64; KEYS], buckets: u32) {
        let expected = keys.map(|key| published(key, buckets));
        assert_eq!(keys.map(|key| jump(key, buckets)), expected.map(Some), "{buckets} buckets");
        for path in paths() {
            let mut reached = [u32::MAX; KEYS];
            path.jump(keys, buckets, &mut reached);
            assert_eq!(reached, expected, "{path:?}, {buckets} buckets");
        }
    }

    /// One of so many rounds is made.
    const ONE_OF: u32 = if cfg!(emulated) { 40 } else { 1 };

    fn draws(seed: u64) -> [u64; KEYS] {
        core::array::from_fn(|i| mix64(seed * KEYS as u64 + i as u64))
    }

    #[test]
    fn every_path_reaches_the_bucket_of_the_published_loop() {
        let counts = [1, 2, 3, 10, 15, 16, 17, 100, 1_000, 65_535, 65_536, 1 << 30, u32::MAX >> 1];
        for (i, buckets) in counts.into_iter().enumerate() {
            for round in 0..u64::from(5_000 / ONE_OF) {
                check(&draws(i as u64 * 5_000 + round), buckets);
            }
        }
        for buckets in 1..=2_000 / ONE_OF {
            check(&draws(1 << 40 | u64::from(buckets)), buckets);
        }
    }

    #[test]
    fn every_path_rounds_a_leap_twice() {
        // Rounded once, these go elsewhere, as hardly any other key does: jump/jump.csv of
        // the vectors, where `bucket` and `guava_bucket` differ.
        let rows = [
            (8_180_206_408_731_233_202, 65_536),
            (257_324_222_699_199_885, 10_000),
            (12_394_942_296_781_537_975, 4_096),
            (14_701_990_027_597_485_028, u32::MAX >> 1),
            (5_586_950_913_210_796_073, u32::MAX >> 1),
        ];
        for (key, buckets) in rows {
            assert_ne!(jump(key, buckets), Some(crate::once::jump(key, buckets)), "{key}");
            check(&[key; KEYS], buckets);
        }
    }

    #[test]
    fn every_path_follows_the_longest_and_the_shortest_leaps() {
        // The generator run backwards: keys whose first draw is what is given.
        let inverse = (0..6).fold(MULTIPLIER, |x, _| {
            x.wrapping_mul(2_u64.wrapping_sub(MULTIPLIER.wrapping_mul(x)))
        });
        let before = |state: u64| state.wrapping_sub(1).wrapping_mul(inverse);
        for i in 0..u64::from(20_000 / ONE_OF) {
            let mut keys = draws(1 << 41 | i);
            for (n, key) in keys.iter_mut().enumerate() {
                let low = *key & ((1 << 33) - 1);
                let drawn = [0, 1, 2, (1 << 31) - 1, (1 << 31) - 2, 1 << 30][n % 6];
                *key = before(drawn << 33 | low);
                if n % 4 == 3 {
                    *key = before(*key);
                }
            }
            for buckets in [1, 2, 3, 1_000, 1 << 30, u32::MAX >> 1] {
                check(&keys, buckets);
            }
        }
    }
}
