#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod contest;
mod rendezvous;
mod rule;
mod score;
mod seeds;

/// The core, so that this crate can be taken alone.
pub use homing_core;

pub use crate::rendezvous::{Config, Rendezvous};
pub use crate::rule::{Score, Ties, cost_of_hash};
pub use crate::score::{cost, ln, score};
