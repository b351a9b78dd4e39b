#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod divisor;
mod modulo;

pub use crate::modulo::{Config, Modulo};
