//! The machine that a run is on, how the program was built, and its lanes.

use std::env::consts;
use std::thread;

use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// What is known of the machine and the build.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub(crate) struct Machine {
    /// The processor, as it calls itself.
    pub(crate) cpu: String,
    /// How many threads run at once.
    pub(crate) cores: usize,
    /// Its memory.
    pub(crate) memory_bytes: u64,
    /// The operating system.
    pub(crate) os: String,
    /// The instruction set.
    pub(crate) arch: String,
    /// The widest lanes of it.
    pub(crate) lanes: Lanes,
    /// The compiler.
    pub(crate) rustc: String,
    /// Whether the program was built for release.
    pub(crate) release: bool,
    /// The load average of the minute before, where the system tells.
    pub(crate) busy: Option<f64>,
}

/// The widest vectors that a processor has, of those that a target depends on.
#[derive(Clone, Copy, Debug, Eq, PartialEq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Lanes {
    /// AVX-512 F and DQ.
    Avx512,
    /// AVX2.
    Avx2,
    /// What every processor of the architecture has.
    Portable,
}

impl Machine {
    /// This one; `unknown` where the system does not tell.
    pub(crate) fn here() -> Self {
        let kinds = RefreshKind::nothing()
            .with_cpu(CpuRefreshKind::nothing())
            .with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(kinds);
        let brand = system.cpus().first().map(|cpu| cpu.brand().trim()).unwrap_or_default();
        Self {
            cpu: known(brand),
            cores: thread::available_parallelism().map_or(1, usize::from),
            memory_bytes: system.total_memory(),
            os: known(&System::long_os_version().unwrap_or_default()),
            arch: consts::ARCH.to_owned(),
            lanes: Lanes::here(),
            rustc: known(env!("PEERS_RUSTC")),
            release: env!("PEERS_PROFILE") == "release",
            // Windows has no load average, and it is read there as 0.
            busy: cfg!(unix).then(|| System::load_average().one),
        }
    }
}

impl Lanes {
    /// Those of this machine.
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
        Self::Portable
    }

    /// What they are called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Avx512 => "AVX-512",
            Self::Avx2 => "AVX2",
            Self::Portable => "neither AVX2 nor AVX-512",
        }
    }
}

fn known(text: &str) -> String {
    if text.is_empty() { "unknown".to_owned() } else { text.to_owned() }
}
