//! The contract of `Placement`, over the hash ring.

homing_core::contract!(homing_ring::Ring);
