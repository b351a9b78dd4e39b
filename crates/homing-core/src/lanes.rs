//! [`Lanes`], how wide the vectors are that a kernel may use.

#[cfg(feature = "dev")]
use core::sync::atomic::{AtomicU8, Ordering};

/// The instruction sets beyond the least of the architecture, from none on.
///
/// For families: each asks [`allowed`](Self::allowed) when it chooses a kernel,
/// which is once a layout, or once a call where a function has no layout.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
#[non_exhaustive]
pub enum Lanes {
    /// What every processor of the architecture has.
    Baseline,
    /// As far as AVX2 and PCLMULQDQ.
    Avx2,
    /// All that there is.
    Avx512,
}

#[cfg(feature = "dev")]
static ALLOWED: AtomicU8 = AtomicU8::new(u8::MAX);

impl Lanes {
    /// The widest that a kernel may use if the processor has it.
    ///
    /// All, unless `homing_core::dev::allow` said otherwise.
    #[inline]
    #[must_use]
    pub fn allowed() -> Self {
        #[cfg(feature = "dev")]
        {
            let all = [Self::Baseline, Self::Avx2];
            let allowed = ALLOWED.load(Ordering::Relaxed);
            if let Some(&lanes) = all.get(usize::from(allowed)) {
                return lanes;
            }
        }
        Self::Avx512
    }
}

/// Keeps the kernels of layouts that are built from now on, in the whole process,
/// to `widest`.
///
/// For benchmarks and tests that compare instruction sets in one run. Owners are
/// the same under all.
#[cfg(feature = "dev")]
pub fn allow(widest: Lanes) {
    ALLOWED.store(widest as u8, Ordering::Relaxed);
}
