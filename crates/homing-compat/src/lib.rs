#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;

mod apart;
mod bounded;
pub mod cluster;
mod entry;
mod joined;
mod label;
mod near;
mod options;
mod prepared;
mod preset;
mod presets;
mod retry;

pub use homing_core;

pub use crate::apart::Apart;
pub use crate::bounded::{Bounded, BoundedConfig};
pub use crate::entry::{Configuration, Entry, Limits, Vectors};
pub use crate::joined::{Contest, Joined};
pub use crate::options::{PresetOption, Values};
pub use crate::prepared::{Configured, Prepared};
pub use crate::preset::{PRESETS, Preset, entry};
pub use crate::retry::{Server, nginx_hash};
