//! What the tests of the workspace share: an oracle of each family, the golden
//! vectors that other programs wrote, and the golden files that the oracles write.
//!
//! Only `bridge` uses crates of the workspace. The oracles share nothing with them, so
//! that agreement means something.

pub mod bridge;
pub mod golden;
pub mod oracle;
pub mod vectors;

/// The example of the workspace's README, run as a test.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
