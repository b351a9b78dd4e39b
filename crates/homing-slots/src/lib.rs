#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;
#[cfg(test)]
extern crate std;

#[cfg(target_arch = "x86_64")]
mod carryless;
mod config;
mod coverage;
mod crc;
mod kernel;
mod migration;
mod operator;
mod planner;
mod rebalance;
mod slots;
mod tag;

/// The core, so that this crate can be taken alone.
pub use homing_core;

pub use crate::config::{Config, SlotRange};
pub use crate::coverage::{Coverage, Unserved};
pub use crate::migration::{
    Claim, Client, CrossSlot, Heard, Keys, NodeView, Release, Route, Sending, Withdrawal, slot_of,
};
pub use crate::operator::{Created, OperatorTool, Replica};
pub use crate::planner::{Prefer, RangesBound};
pub use crate::rebalance::Handover;
pub use crate::slots::Slots;
pub use crate::tag::{SLOTS, crc16, hash_tag, slot};
