//! A progress bar on standard error, for work over a second.

use std::cell::OnceCell;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// Steps of a known number; shown only once a second has gone by, and only on a
/// terminal.
#[derive(Debug)]
pub(crate) struct Progress {
    steps: u64,
    started: Instant,
    bar: OnceCell<ProgressBar>,
}

impl Progress {
    /// Nothing is done of `steps`.
    #[must_use]
    pub(crate) fn new(steps: usize) -> Self {
        Self { steps: steps as u64, started: Instant::now(), bar: OnceCell::new() }
    }

    /// A step begins.
    pub(crate) fn step(&self, what: impl Into<String>) {
        if self.started.elapsed() > Duration::from_secs(1) || self.bar.get().is_some() {
            let bar = self.bar.get_or_init(|| {
                let style = ProgressStyle::with_template("{bar:24} {pos}/{len} {msg}")
                    .unwrap_or_else(|_| ProgressStyle::default_bar());
                ProgressBar::new(self.steps).with_style(style)
            });
            bar.inc(1);
            bar.set_message(crate::error::printable(&what.into()).into_owned());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}
