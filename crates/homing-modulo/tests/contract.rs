//! The contract of `Placement`, over hash mod N.

homing_core::contract!(homing_modulo::Modulo);
