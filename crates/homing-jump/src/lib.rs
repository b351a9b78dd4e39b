#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod jump;

pub use crate::jump::{Config, Jump, jump};
