//! Every row of every file of the vectors, through the public interface of the crates.
//!
//! The files are read at run time, from the folder that `HOMING_VECTORS` names when it is
//! set. Each file tells how many rows it has, whether the output is captured or not, and
//! what was left out with the reason. A file that no check knows fails.

mod answers;
mod articles;
mod cassandra;
mod compatibility;
mod coverage;
mod envoy;
mod haproxy;
mod hashes;
mod homing;
mod hrw;
mod jump;
mod ketama;
mod maglev;
mod modulo;
mod nginx;
mod record;
mod redis;
mod rings;
mod samples;
mod system;
mod systems;
mod tally;
mod twemproxy;
