#![doc = include_str!("../README.md")]
#![expect(clippy::cast_precision_loss, reason = "figures are told to a few digits")]

mod advice;
pub mod cmd;
pub mod ends;
pub mod error;
mod input;
mod machine;
pub mod measure;
pub mod members;
mod progress;
pub mod quantity;
pub mod recommend;
pub mod record;
pub mod registry;
pub mod report;
pub mod scenario;
pub mod statistics;
pub mod verify;
pub mod workload;

pub use error::{Error, Result};
