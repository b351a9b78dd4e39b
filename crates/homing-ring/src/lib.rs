#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod areas;
mod circle;
mod config;
mod count;
mod derived;
mod drawn;
#[cfg(feature = "serde")]
mod form;
mod lanes;
mod lines;
mod measure;
mod ring;
mod search;
mod table;
mod throw;
mod walk;

/// The core, so that this crate can be taken alone.
pub use homing_core;

pub use crate::config::{Boundary, Config, Points, Ties};
pub use crate::count::{Count, Rounding, Sums};
pub use crate::derived::{Place, Scheme};
pub use crate::ring::Ring;
