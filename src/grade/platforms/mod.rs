//! Learning platforms: marks for a sheet that they exported, and one submission alone in an autograder's container.
//!
//! It is handed a sheet or a submission, and gives the filled sheet or a class of one. The pages and files for a student
//! are in `feedback`.

mod container;
pub mod sheet;

pub use container::{Alone, shortfall};
