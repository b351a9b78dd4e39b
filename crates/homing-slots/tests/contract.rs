//! The contract of `Placement`, over slots.

homing_core::contract!(homing_slots::Slots);
