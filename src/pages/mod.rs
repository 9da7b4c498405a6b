//! Pages for a browser, from the records of a run. They work from a folder, without a network, and need
//! no server. This module runs nothing.

mod boards;
mod game_data;
mod games;
mod page;

use std::path::Path;

use crate::record::{Difference, RecordError, Run, make_folder};
pub use games::{DrawnGames, MOST_GAMES, game_page};
use page::Templates;

const VIEWER: &str = include_str!("assets/viewer.js");

/// Why a page was not made.
#[derive(Debug, thiserror::Error)]
pub enum PageError {
    /// A record of a game is not true.
    #[error("the records of game {id} do not fit: {difference}; see `referee verify`")]
    Untrue {
        /// The game.
        id: u64,
        /// What is not true.
        #[source]
        difference: Difference,
    },
    /// A record cannot be read, or a page cannot be written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A template and its values do not fit.
    #[error("a page cannot be made: {0}")]
    Template(#[from] minijinja::Error),
    /// A value has no form in JSON.
    #[error("a page cannot be made: {0}")]
    Json(#[from] serde_json::Error),
}

/// Writes the page on which all these games of a run are shown, and the games, into a folder. Returns how
/// many there are.
///
/// # Errors
/// A record cannot be read or is not true, or a file cannot be written.
pub fn write_games(run: &Run, drawn: &DrawnGames, folder: &Path) -> Result<u64, PageError> {
    make_folder(&folder.join("games"))?;
    games::write(run, drawn, &Templates::new()?, folder)
}
