#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod buckets;
mod divisor;
mod modulo;

/// The core, so that this crate can be taken alone.
pub use homing_core;

pub use crate::buckets::{Buckets, Order};
pub use crate::modulo::{Config, Modulo};
