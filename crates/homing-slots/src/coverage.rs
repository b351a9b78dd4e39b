//! [`Coverage`]: whether a map with uncovered slots is served at all.

use alloc::vec::Vec;
use core::fmt;
use core::ops::RangeInclusive;

/// What is served while some slots have no owner.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
#[non_exhaustive]
pub enum Coverage {
    /// Nothing, as by default in Redis: `cluster-require-full-coverage yes`.
    #[default]
    Full,
    /// The slots that have an owner.
    Partial,
}

/// Why a slot is not served.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Unserved {
    /// Full coverage is asked for, and these slots have no owner.
    ClusterDown {
        /// The uncovered slots, in ascending runs that do not touch; never empty.
        uncovered: Vec<RangeInclusive<u16>>,
    },
    /// This slot has no owner.
    Uncovered {
        /// The slot asked for.
        slot: u16,
    },
}

impl fmt::Display for Unserved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ClusterDown { uncovered } => {
                f.write_str("cluster down: without an owner are slots")?;
                for (i, run) in uncovered.iter().enumerate() {
                    f.write_str(if i == 0 { " " } else { ", " })?;
                    write!(f, "{}", run.start())?;
                    if run.end() > run.start() {
                        write!(f, "-{}", run.end())?;
                    }
                }
                Ok(())
            }
            Self::Uncovered { slot } => write!(f, "slot {slot} has no owner"),
        }
    }
}

impl core::error::Error for Unserved {}
