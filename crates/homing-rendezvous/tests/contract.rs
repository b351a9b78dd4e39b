//! The contract of `Placement`, over rendezvous.

homing_core::contract!(homing_rendezvous::Rendezvous);
