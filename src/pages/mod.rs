//! Pages for a browser, from the records of a run. They work from a folder, without a network or a
//! server. This module starts no bots.

mod article;
mod bands;
mod boards;
mod charts;
mod conclusion;
mod game_data;
mod games;
mod gather;
mod histogram;
mod history;
mod index;
mod live;
mod matrix;
mod openings;
mod page;
mod player;
mod plot;
mod run_pages;
mod runs;
mod svg;
mod tables;
mod times;
mod usage;

pub use article::{Article, Block, Table, Words};
pub use games::{DrawnGames, GAMES, GamesRead, MOST_GAMES, WritePage, game_page, game_pages};
pub use live::{LIVE, LiveRun, LiveState};
pub use run_pages::{Checked, Overview, run_pages};
pub use runs::runs_page;

use crate::game::RulesFault;
use crate::runs::{Difference, RecordError};

const VIEWER: &str = include_str!("assets/viewer.js");

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
    Record(#[from] RecordError),
    /// A template and its values do not fit.
    #[error("a page cannot be made: {0}")]
    Template(#[from] minijinja::Error),
    /// A value has no form in JSON.
    #[error("a page cannot be made: {0}")]
    Json(#[from] serde_json::Error),
}
