#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod rendezvous;
mod score;

pub use crate::rendezvous::{Config, Rendezvous};
pub use crate::score::{cost, ln, score};
