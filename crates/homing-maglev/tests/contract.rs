//! The contract of `Placement`, over Maglev tables.

homing_core::contract!(homing_maglev::Maglev);
