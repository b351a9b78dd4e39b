#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod maglev;
mod modulus;
mod permutation;
mod populate;
mod prime;
mod rounds;
mod rule;
mod table;
mod turns;
mod wrapping;

/// The core, so that this crate can be taken alone.
pub use homing_core;

pub use crate::maglev::{Config, Maglev};
pub use crate::permutation::Permutation;
pub use crate::populate::populate;
pub use crate::prime::prime_from;
pub use crate::rule::{Order, Stride, Surplus, Turns};
