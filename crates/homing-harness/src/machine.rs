//! The machine that a run is on, and how the program was built.

use std::env::consts;
use std::thread;

use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

use crate::record::Machine;

/// What is known of this machine; `unknown` where the system does not tell.
#[must_use]
pub(crate) fn machine() -> Machine {
    let kinds = RefreshKind::nothing()
        .with_cpu(CpuRefreshKind::nothing())
        .with_memory(MemoryRefreshKind::nothing().with_ram());
    let system = System::new_with_specifics(kinds);
    let brand = system.cpus().first().map(|cpu| cpu.brand().trim()).unwrap_or_default();
    Machine {
        cpu: known(brand),
        cores: thread::available_parallelism().map_or(1, usize::from),
        memory_bytes: system.total_memory(),
        os: known(&System::long_os_version().unwrap_or_default()),
        arch: consts::ARCH.to_owned(),
        rustc: known(env!("HOMING_RUSTC")),
        release: env!("HOMING_PROFILE") == "release",
        // Windows has no load average, and it is read there as 0.
        busy: cfg!(unix).then(|| System::load_average().one),
    }
}

fn known(text: &str) -> String {
    if text.is_empty() { "unknown".to_owned() } else { text.to_owned() }
}
