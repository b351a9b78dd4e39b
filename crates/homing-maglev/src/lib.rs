#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod maglev;
mod populate;
mod prime;

pub use crate::maglev::{Config, Maglev};
pub use crate::populate::populate;
