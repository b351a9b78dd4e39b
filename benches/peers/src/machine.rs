//! The machine that a run is on, and how the program was built.

use std::env::consts;
use std::fs;
use std::path::Path;
use std::thread;

use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

use crate::lanes::Lanes;

/// The release profile of this package.
const PROFILE: &str = "fat LTO, one codegen unit, panic = abort";

/// What is known of the machine and the build.
#[derive(Clone, Debug, PartialEq, serde::Deserialize, serde::Serialize)]
pub(crate) struct Machine {
    /// The processor, as it calls itself.
    pub(crate) cpu: String,
    /// How many threads run at once.
    pub(crate) cores: usize,
    /// The data caches of a core, from the first on; empty where the system does
    /// not tell.
    pub(crate) cache_bytes: Vec<u64>,
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
    /// How it was built for release.
    #[serde(default = "unknown")]
    pub(crate) profile: String,
    /// The load average of the minute before, where the system tells.
    pub(crate) busy: Option<f64>,
}

impl Machine {
    /// Whether it had other work at the start: a load average above 0.5 a core.
    pub(crate) fn is_busy(&self) -> bool {
        self.busy.is_some_and(|busy| busy > 0.5 * self.cores as f64)
    }

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
            cache_bytes: caches(Path::new("/sys/devices/system/cpu/cpu0/cache")),
            memory_bytes: system.total_memory(),
            os: known(&System::long_os_version().unwrap_or_default()),
            arch: consts::ARCH.to_owned(),
            lanes: Lanes::here(),
            rustc: known(env!("PEERS_RUSTC")),
            release: env!("PEERS_PROFILE") == "release",
            profile: PROFILE.to_owned(),
            // Windows has no load average, and it is read there as 0.
            busy: cfg!(unix).then(|| System::load_average().one),
        }
    }
}

/// The data caches as Linux lists them, the first level first.
fn caches(folder: &Path) -> Vec<u64> {
    let read = |index: usize, name: &str| {
        fs::read_to_string(folder.join(format!("index{index}")).join(name))
            .map(|text| text.trim().to_owned())
    };
    let mut levels: Vec<(u32, u64)> = (0..8)
        .filter(|&index| read(index, "type").is_ok_and(|kind| kind != "Instruction"))
        .filter_map(|index| {
            Some((read(index, "level").ok()?.parse().ok()?, size(&read(index, "size").ok()?)?))
        })
        .collect();
    levels.sort_unstable();
    levels.into_iter().map(|(_, bytes)| bytes).collect()
}

/// Reads `512K` and `32M`.
fn size(text: &str) -> Option<u64> {
    let (digits, unit) = match text.strip_suffix('K') {
        Some(digits) => (digits, 1 << 10),
        None => text.strip_suffix('M').map_or((text, 1), |digits| (digits, 1 << 20)),
    };
    digits.parse::<u64>().ok()?.checked_mul(unit)
}

fn known(text: &str) -> String {
    if text.is_empty() { unknown() } else { text.to_owned() }
}

fn unknown() -> String {
    "unknown".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_profile_is_that_of_the_package() {
        // As the words of `PROFILE` say it.
        let expected = "[profile.release]\nlto = \"fat\"\ncodegen-units = 1\npanic = \"abort\"\n";
        assert!(include_str!("../Cargo.toml").contains(expected));
    }

    #[test]
    fn sizes_have_units_of_1024() {
        assert_eq!(
            ["7", "512K", "32M", "x"].map(size),
            [Some(7), Some(512 * 1024), Some(32 * 1024 * 1024), None]
        );
    }
}
