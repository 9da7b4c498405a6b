//! Why a page was not made.

use crate::game::RulesFault;
use crate::runs::{Difference, RunFileError};

/// Why a page was not made.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// Replaying a game contradicts its records.
    #[error("the records of game {id} do not fit: {difference}; see `referee verify`")]
    Untrue {
        /// The game.
        id: u64,
        /// The first contradiction.
        #[source]
        difference: Difference,
    },
    /// The rules of a game failed.
    #[error(transparent)]
    Rules(#[from] RulesFault),
    /// A record cannot be read, or a page cannot be written.
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    /// A template and its values do not fit.
    #[error("a page cannot be made: {0}")]
    Template(#[from] minijinja::Error),
    /// A value has no form in JSON.
    #[error("a page cannot be made: {0}")]
    Json(#[from] serde_json::Error),
}
