#![doc = include_str!("../README.md")]
#![no_std]

extern crate alloc;
#[cfg(any(test, feature = "dev", feature = "live"))]
extern crate std;

mod apportion;
mod attributes;
mod change;
mod error;
mod family;
mod fingerprint;
mod hash;
mod lanes;
mod members;
mod node;
mod placement;
mod plan;
mod segment;

#[cfg(feature = "compat")]
pub mod compat;
#[cfg(feature = "dev")]
pub mod dev;
#[cfg(feature = "live")]
mod live;
#[cfg(feature = "serde")]
mod manifest;

pub use crate::apportion::apportion;
pub use crate::attributes::{Attribute, Attributes};
pub use crate::change::{Change, Preview, Step};
pub use crate::error::Error;
pub use crate::family::{Capabilities, Disruption, Family, Removal};
pub use crate::fingerprint::{Fingerprint, Fingerprinter};
pub use crate::hash::{KeyHash, draw, mix64};
pub use crate::lanes::Lanes;
#[cfg(feature = "live")]
pub use crate::live::{Live, Snapshot};
#[cfg(feature = "serde")]
pub use crate::manifest::Manifest;
pub use crate::members::Members;
pub use crate::node::{Node, NodeId, NodeIndex, Zone};
pub use crate::placement::{Build, DynPlacement, Placement, Spread};
pub use crate::plan::{Move, Plan};
pub use crate::segment::{Segment, SegmentBlocks, Segments, shares};
