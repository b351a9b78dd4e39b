#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod batch;
mod jump;
#[cfg(target_arch = "x86_64")]
mod lanes;
mod leap;
mod once;
#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
mod pairs;

/// The core, so that this crate can be taken alone.
pub use homing_core;

pub use crate::jump::{Config, Jump, Rounding, jump};
