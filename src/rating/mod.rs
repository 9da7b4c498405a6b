//! From results to ratings. Pure: it opens no file, and the order of the games does not matter.

mod bradley_terry;
mod matrix;
mod standings;

pub use bradley_terry::{Estimate, PRIOR_DEVIATION, fit};
pub use standings::{Line, Standings, Tally};
