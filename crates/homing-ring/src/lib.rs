#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod circle;
mod config;
mod drawn;
#[cfg(feature = "serde")]
mod form;
mod lanes;
mod lines;
mod ring;
mod search;
mod table;
mod throw;
mod walk;

/// The core, so that this crate can be taken alone.
pub use homing_core;

pub use crate::config::{Config, Points};
pub use crate::ring::Ring;
