#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod circle;
mod config;
#[cfg(feature = "serde")]
mod form;
mod ring;
mod search;
mod throw;
mod walk;

/// The core, so that this crate can be taken alone.
pub use homing_core;

pub use crate::config::{Config, Points};
pub use crate::ring::Ring;
