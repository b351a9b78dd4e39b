#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod circle;
mod config;
#[cfg(feature = "serde")]
mod form;
mod ring;
mod search;
mod throw;
mod walk;

pub use crate::config::{Config, Points};
pub use crate::ring::Ring;
