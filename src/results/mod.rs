//! From the results of games to ratings: runs and other files of results → [`Results`] → a
//! [`Rated`] for each kind of game.

mod files;
mod games;
mod labels;
mod programs;
mod rated;
mod row;
mod settings;

pub use files::anchors::{AnchorFile, AnchorsError};
pub use files::problem::ResultsError;
pub use files::read::{BadRows, read_results};
pub use files::summary::{Encoding, ReadResults};
pub use games::Results;
pub use labels::GameLabels;
pub use programs::{programs, rules_digests};
pub use rated::{Rated, shared_ranks};
pub use row::ResultRow;
pub use settings::{ByResults, Settings, all_openings, run_test};
