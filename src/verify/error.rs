//! False records, and failures to read them.

use super::FaultProblem;
use crate::runs::{Difference, RowProblem, RunFileError, SealError, Stranger};

/// A false record, or a failure to read one.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum VerifyError {
    /// A file of the run cannot be read.
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    /// A contradiction within a row of the journal.
    #[error("{0}")]
    Row(#[source] RunFileError),
    /// A game is in the journal twice.
    #[error("game {0} is there twice, in games.csv or in set-aside.csv")]
    Twice(u64),
    /// A game does not belong to the plan.
    #[error("game {id}: {problem}")]
    NotOfThePlan {
        id: u64,
        #[source]
        problem: RowProblem,
    },
    /// A record of a game differs from its replay.
    #[error("game {id}: {difference}")]
    Game {
        id: u64,
        #[source]
        difference: Difference,
    },
    /// The end of a game contradicts the faults of its players.
    #[error("game {id}: {problem}")]
    Fault {
        id: u64,
        #[source]
        problem: FaultProblem,
    },
    /// A file of a game has another digest.
    #[error("game {id}: `{column}` does not fit the file: {file} was changed, removed or added")]
    File {
        id: u64,
        column: String,
        file: String,
    },
    /// A file of the run has another digest.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// A file or folder among the records that no run writes.
    #[error(transparent)]
    Stranger(#[from] Stranger),
    /// A game does not fit its block: other players, the same seats, or one more game.
    #[error("game {id}: it is not the other half of pair {block}")]
    Block { id: u64, block: u64 },
    /// The plan and the earlier results give another game this number.
    #[error("game {id}: it is {found}, and the plan and the results before it {planned}")]
    Unplanned {
        id: u64,
        found: String,
        planned: String,
    },
}
