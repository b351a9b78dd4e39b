//! `jump/`: buckets under the paper's rounding and under the other.

use homing_jump::Rounding;
use serde::Deserialize;

use crate::tally::{Tally, read};

#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Row {
    pub(crate) key: u64,
    pub(crate) buckets: u32,
    pub(crate) bucket: u32,
    pub(crate) guava_bucket: u32,
}

pub(crate) fn jump(file: &str) -> Tally {
    let (rows, mut tally) = read::<Row>(file);
    for row in rows {
        assert_eq!(Rounding::Twice.jump(row.key, row.buckets), Some(row.bucket), "{file}: {row:?}");
        assert_eq!(
            Rounding::Once.jump(row.key, row.buckets),
            Some(row.guava_bucket),
            "{file}: {row:?}"
        );
        tally.agree("jump", 1, 0);
        tally.agree("guava", 1, 0);
    }
    tally
}
