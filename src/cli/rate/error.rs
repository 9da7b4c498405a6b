//! Why games could not be rated.

use std::path::PathBuf;

use crate::cli::arguments::FilterError;
use crate::cli::exit::{CommandError, Exit};
use crate::config::in_brackets;
use crate::rating::MAX_EXACT_PLAYERS;
use crate::results::{AnchorsError, ResultsError};
use crate::runs::RunFileError;
use crate::text::visible;

/// Why games could not be rated.
#[derive(Debug, thiserror::Error)]
pub(super) enum RateError {
    #[error("CSV has one table: give one --table")]
    SeveralTables,
    #[error("{}: is given twice, and its games would count twice: leave one out", visible(&.0.display().to_string()))]
    Twice(PathBuf),
    #[error("--k {0}: expected a number above 0")]
    K(f64),
    #[error("--player {name}: nobody of that name plays{}", in_brackets(.hint.clone()))]
    UnknownPlayer { name: String, hint: Option<String> },
    #[error("--anchor {0}: expected the name of a player of these games, or NAME=ELO")]
    Anchor(String),
    #[error(
        "--anchors: {game} has {players} players, more than {MAX_EXACT_PLAYERS}: choose some with --player and --among"
    )]
    AnchoredPlayers { game: String, players: usize },
    #[error(
        "--sprt: `{0}` plays games with more than two seats alone, and the test is for games of two"
    )]
    SprtOfMore(String),
    #[error("--sprt: `{0}` plays none of these games")]
    SprtPlayer(String),
    #[error("--plan: `{0}` plays none of these games")]
    PlanPlayer(String),
    #[error(
        "--table {table}: {game} has {players} players, more than {most}: choose some with --player and --among"
    )]
    TablePlayers {
        table: String,
        game: String,
        players: usize,
        most: usize,
    },
    #[error(transparent)]
    Filter(#[from] FilterError),
    #[error(transparent)]
    Run(#[from] RunFileError),
    #[error(transparent)]
    Results(#[from] ResultsError),
    #[error(transparent)]
    Anchors(#[from] AnchorsError),
}

impl CommandError for RateError {
    fn exit(&self) -> Exit {
        match self {
            Self::Run(error) => error.exit(),
            Self::Results(_) | Self::Anchors(_) => Exit::File,
            Self::SeveralTables
            | Self::Filter(_)
            | Self::K(_)
            | Self::UnknownPlayer { .. }
            | Self::Anchor(_)
            | Self::AnchoredPlayers { .. }
            | Self::SprtOfMore(_)
            | Self::SprtPlayer(_)
            | Self::PlanPlayer(_)
            | Self::TablePlayers { .. }
            | Self::Twice(_) => Exit::Usage,
        }
    }
}
