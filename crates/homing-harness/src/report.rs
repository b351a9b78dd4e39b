//! Results for people and for programs: each module writes, none measures.

mod canvas;
pub mod charts;
pub mod comparison;
pub mod diff;
pub mod difference;
pub mod failures;
pub mod markdown;
pub mod plan;
pub mod presets;
pub mod recommend;
pub mod steps;
pub mod sweep;
pub mod table;
pub mod trials;
pub mod verify;
pub mod words;

pub use self::table::{Format, Table};
