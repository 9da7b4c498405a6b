//! From the results of games to ratings: runs and other files of results → [`Results`] → [`AllRated`], which has a
//! [`Rated`] for each game of two seats and a [`RatedTables`] for each with more.

mod files;
mod games;
mod labels;
mod programs;
mod rated;
mod rated_tables;
mod row;
mod settings;
mod strengths;
mod table_games;

pub use files::anchors::{AnchorFile, AnchorsError};
pub use files::problem::ResultsError;
pub use files::read::{BadRows, read_results};
pub use files::summary::{Encoding, ReadResults};
pub use games::{AllRated, Results};
pub use labels::GameLabels;
pub use programs::{programs, rules_digests};
pub use rated::{Rated, shared_ranks};
pub use rated_tables::RatedTables;
pub use row::ResultRow;
pub use settings::{ByResults, Settings, run_test};
pub use strengths::Strengths;
pub use table_games::{TableGames, TablePlayer};
