//! Merges the attempts that count into the run, and folds them into the next wave.

mod lead;
mod merging;
mod nodes;
mod parts;

pub use lead::{LeadError, Led, lead};
pub use merging::{Merged, merge};
pub use nodes::NODES;
pub use parts::MergeError;
