#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

pub mod cluster;
mod joined;
mod retry;

pub use homing_core;

pub use crate::joined::{Contest, Joined};
pub use crate::retry::{Server, nginx_hash};
