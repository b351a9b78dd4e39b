//! The known causes: those that families share, and a module for each family.

mod hashes;
mod jump;
mod maglev;
mod modulo;
mod nodes;
mod rendezvous;
mod ring;
mod slots;
mod texts;
