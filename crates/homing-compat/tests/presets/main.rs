//! The presets: what agrees, what a node must have, what is refused.

mod agree;
mod nodes;
mod refused;
