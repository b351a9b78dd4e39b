//! The contract of `Placement`, over jump consistent hash.

homing_core::contract!(homing_jump::Jump);
