//! [`Lanes`], the levels of instruction sets that kernels are measured at.

use homing_core::dev::allow;

/// How wide the vectors of a kernel may be.
#[derive(
    Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, serde::Deserialize, serde::Serialize,
)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Lanes {
    /// What every processor of the architecture has.
    Baseline,
    /// As far as AVX2 and PCLMULQDQ.
    Avx2,
    /// AVX-512 F and DQ too.
    Avx512,
}

impl Lanes {
    /// Every level, from the least on.
    pub(crate) const ALL: [Self; 3] = [Self::Baseline, Self::Avx2, Self::Avx512];

    /// The widest of this machine.
    #[inline]
    pub(crate) fn here() -> Self {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512dq") {
                return Self::Avx512;
            }
            if is_x86_feature_detected!("avx2") {
                return Self::Avx2;
            }
        }
        Self::Baseline
    }

    /// The levels of this machine that are not above this one.
    pub(crate) fn to_here(self) -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(move |&lanes| lanes <= self.min(Self::here()))
    }

    /// What they are called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
        }
    }

    /// Returns what `build` does, the kernels of ours kept to these lanes.
    ///
    /// A layout chooses its kernels when it is built, and keeps them.
    pub(crate) fn keeping<T>(self, build: impl FnOnce() -> T) -> T {
        allow(match self {
            Self::Baseline => homing_core::Lanes::Baseline,
            Self::Avx2 => homing_core::Lanes::Avx2,
            Self::Avx512 => homing_core::Lanes::Avx512,
        });
        let built = build();
        allow(homing_core::Lanes::Avx512);
        built
    }
}
