#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

pub mod cluster;

pub use homing_core;
