#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod maglev;
mod modulus;
mod populate;
mod prime;
mod table;
mod turns;

pub use crate::maglev::{Config, Maglev};
pub use crate::populate::populate;
