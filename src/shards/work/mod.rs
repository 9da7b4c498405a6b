//! Plays shards: a worker takes one after another and leaves attempts, whose state anybody can look up.

mod claim;
mod error;
mod status;
mod worker;

pub use error::WorkError;
pub use status::{ShardState, Status, status};
pub use worker::{Shards, Work, Worked, Worker};
