#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod maglev;
mod modulus;
mod populate;
mod prime;
mod table;
mod turns;

/// The core, so that this crate can be taken alone.
pub use homing_core;

pub use crate::maglev::{Config, Maglev};
pub use crate::populate::populate;
