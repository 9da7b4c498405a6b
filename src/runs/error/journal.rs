//! Problems with rows of the journal.

use std::io;

use crate::runs::error::file::FileError;
use crate::text::quoted;

/// A journal that cannot be read.
pub type JournalError = FileError<JournalProblem>;

/// Problem with a journal, or with the games set aside beside it.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum JournalProblem {
    /// It could not be read.
    #[error("cannot be read: {0}")]
    Read(#[source] io::Error),
    /// It is not a journal.
    #[error(
        "line 1 is not the header of a games.csv: its column {place} is `{is}`, and should be `{should}`"
    )]
    NotAJournal {
        place: usize,
        is: String,
        should: String,
    },
    /// A row of the journal is not a record of a game.
    #[error("line {line} is not a row of games.csv: {problem}")]
    Row {
        line: u64,
        #[source]
        problem: RowProblem,
    },
}

/// Problem with a row of the journal.
#[derive(Debug, thiserror::Error)]
pub enum RowProblem {
    /// The row does not have the form of one.
    #[error("{0}")]
    Malformed(String),
    /// The row is well-formed, but no game can have it.
    #[error(transparent)]
    Untrue(#[from] RowError),
    /// Two rows have this number.
    #[error("game {0} is there twice")]
    Twice(u64),
    /// It names a player that the plan does not have.
    #[error("it names a player that the plan does not have")]
    UnknownPlayer,
    /// It names a game that the plan does not have.
    #[error("it is of a game that the plan does not have")]
    UnknownGame,
    /// A number exceeds the bounds of [`DoneGames`](crate::runs::DoneGames).
    #[error("it has a result that no game can have")]
    TooLarge,
}

/// Why a row has the right form, and is not the record of a game that was played.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RowError {
    /// Both seats have one player.
    #[error("expected two players")]
    OnePlayer,
    /// The game has another number of seats.
    #[error("{game} has {due} seats, and the row has {found}")]
    Seats {
        game: &'static str,
        due: usize,
        found: usize,
    },
    /// A word that stands for nothing in this column.
    #[error("`{column}` is `{value}`: {expected}")]
    Unknown {
        column: String,
        value: String,
        expected: String,
    },
    /// Two columns contradict each other.
    #[error("`{column}` is `{is}`, and should be `{should}`")]
    Contradiction {
        column: Box<str>,
        is: String,
        should: String,
    },
}

impl RowError {
    pub(in crate::runs) fn unknown(column: &str, value: &str, expected: impl Into<String>) -> Self {
        Self::Unknown {
            column: column.to_owned(),
            value: quoted(value),
            expected: expected.into(),
        }
    }

    /// An error unless a column holds what it should.
    pub(in crate::runs) fn unless_equal(
        column: impl Into<String>,
        is: impl ToString,
        should: impl ToString,
    ) -> Result<(), Self> {
        let (is, should) = (is.to_string(), should.to_string());
        if is == should {
            Ok(())
        } else {
            Err(Self::contradiction(&column.into(), &is, &should))
        }
    }

    /// The error for a column that does not hold what it should.
    pub(in crate::runs) fn contradiction(column: &str, is: &str, should: &str) -> Self {
        Self::Contradiction {
            column: column.into(),
            is: quoted(is),
            should: quoted(should),
        }
    }
}
