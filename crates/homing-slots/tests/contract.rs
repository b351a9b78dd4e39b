//! The contract of `Placement`, over hash slots.

use homing_core::NodeId;
use homing_slots::{Config, SlotRange, Slots};

homing_core::contract!(Slots);

/// Maps of the one node that is a member in every check: of all slots, of one in the
/// middle, of runs with gaps, and of none.
fn partial() -> Vec<Config> {
    let runs: [&[(u16, u16)]; 4] =
        [&[(0, 16_383)], &[(8_000, 8_000)], &[(1, 99), (101, 8_191), (16_000, 16_382)], &[]];
    let range =
        |&(first, last): &(u16, u16)| SlotRange { first, last, node: NodeId::new("node-0") };
    runs.map(|runs| Config { ranges: Some(runs.iter().map(range).collect()) }).to_vec()
}

mod partial {
    homing_core::contract!(
        super::Slots,
        configs: super::partial(),
        checks: rebuilds ignores_order ignores_lanes keeps_positions_and_indices
            disrupts_as_promised undoes refuses_whole refuses_what_it_cannot batches
            segments_agree replicates
    );
}
