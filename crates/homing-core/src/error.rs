//! [`Error`]: what a membership, a configuration or a change can get wrong.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

use crate::{Fingerprint, NodeId};

/// Why a layout could not be built or changed.
///
/// Each variant carries what was given and what is allowed; its text is one
/// line in lower case.
#[derive(Clone, Debug, Eq, PartialEq)]
#[non_exhaustive]
pub enum Error {
    /// No node has a weight above zero, so nobody could own a key.
    NoNodes,
    /// A node joins that is a member already.
    DuplicateNode {
        /// The id given twice.
        id: NodeId,
    },
    /// A change or a configuration names a node that is no member.
    UnknownNode {
        /// The id that no member has.
        id: NodeId,
    },
    /// The family cannot do what was asked.
    Unsupported {
        /// The name of the family.
        family: &'static str,
        /// What the family does instead.
        rule: &'static str,
    },
    /// A parameter is outside its range.
    InvalidParameter {
        /// The name of the parameter.
        name: &'static str,
        /// The value given.
        value: String,
        /// What it must be, to follow "but must be".
        rule: Cow<'static, str>,
    },
    /// A change was made from a layout that is no longer the current one.
    StaleEpoch {
        /// The epoch the change was made from.
        base: u64,
        /// The epoch that is current.
        current: u64,
    },
    /// A manifest states another family than the one asked to build it.
    WrongFamily {
        /// The family that the manifest states.
        stated: String,
        /// The family that was asked.
        expected: &'static str,
    },
    /// A manifest states another fingerprint than its own contents have.
    FingerprintMismatch {
        /// The fingerprint that the manifest states.
        stated: Fingerprint,
        /// The fingerprint of the layout that its contents describe.
        computed: Fingerprint,
    },
}

impl Error {
    /// An [`InvalidParameter`](Self::InvalidParameter): `name is value, but must be rule`.
    pub fn parameter(
        name: &'static str,
        value: impl fmt::Display,
        rule: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::InvalidParameter { name, value: alloc::format!("{value}"), rule: rule.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNodes => f.write_str("no nodes: at least one must have a weight above 0"),
            Self::DuplicateNode { id } => write!(f, "node {id:?} is a member already"),
            Self::UnknownNode { id } => write!(f, "node {id:?} is no member"),
            Self::Unsupported { family, rule } => write!(f, "{family}: {rule}"),
            Self::InvalidParameter { name, value, rule } => {
                write!(f, "{name} is {value}, but must be {rule}")
            }
            Self::StaleEpoch { base, current } => {
                write!(f, "change made from epoch {base}, but epoch {current} is current")
            }
            Self::WrongFamily { stated, expected } => {
                write!(f, "the manifest is of family {stated:?}, but must be of {expected:?}")
            }
            Self::FingerprintMismatch { stated, computed } => write!(
                f,
                "the manifest states fingerprint {stated}, but its contents have {computed}"
            ),
        }
    }
}

impl core::error::Error for Error {}
