//! The same figure of keys, and, where they are told, of their bytes and requests.

use crate::workload::{Block, Workload};

/// One of keys, one of bytes and one of requests.
#[derive(Clone, Debug)]
pub(super) struct By<T> {
    pub(super) keys: T,
    pub(super) bytes: Option<T>,    // where the workload has them
    pub(super) requests: Option<T>, // likewise
}

impl<T> By<T> {
    /// Of keys, or of positions, alone.
    pub(super) fn keys(keys: T) -> Self {
        Self { keys, bytes: None, requests: None }
    }

    /// One of each that the workload has.
    pub(super) fn each_of(workload: &Workload, one: impl Fn() -> T) -> Self {
        Self {
            keys: one(),
            bytes: workload.has_bytes().then(&one),
            requests: workload.has_requests().then(&one),
        }
    }

    /// Gives each the amount of key `i` of the block: 1, its bytes, its requests.
    pub(super) fn add(&mut self, block: &Block<'_>, i: usize, mut add: impl FnMut(&mut T, u64)) {
        add(&mut self.keys, 1);
        for (one, amounts) in [(&mut self.bytes, block.bytes), (&mut self.requests, block.requests)]
        {
            if let (Some(one), Some(amounts)) = (one, amounts) {
                add(one, amounts[i]);
            }
        }
    }

    pub(super) fn map<U>(self, mut each: impl FnMut(T) -> U) -> By<U> {
        By {
            keys: each(self.keys),
            bytes: self.bytes.map(&mut each),
            requests: self.requests.map(&mut each),
        }
    }

    /// Both of the same workload.
    pub(super) fn zip<U>(self, other: By<U>) -> By<(T, U)> {
        By {
            keys: (self.keys, other.keys),
            bytes: self.bytes.zip(other.bytes),
            requests: self.requests.zip(other.requests),
        }
    }
}
