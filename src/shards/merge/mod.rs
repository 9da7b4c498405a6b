//! Merges the shards into the run, and folds them into the next wave.

mod lead;
mod merging;

pub use lead::{LeadError, Led, lead};
pub use merging::{Merged, merge};
