//! Pages for a browser, from the records of a run. They work from a folder, without a network or a
//! server. This module starts no bots.

mod article;
mod context;
mod exports;
mod game;
mod parts;
mod run;

pub use article::{Article, Passage, Words, table_markdown};
pub use game::{DrawnGames, GAME_PAGE, GAMES, GamesRead, WritePage, game_page, game_pages};
pub use parts::table::{CellView, ColumnView, TableView};
pub use run::{Wanted, page_files, run_pages};

use crate::game::{PerSeat, RulesFault, Seat};
use crate::runs::{Difference, RunFileError, player_column};

#[derive(Debug, thiserror::Error)]
pub enum PageError {
    #[error("the records of game {id} do not fit: {difference}; see `referee verify`")]
    Untrue {
        id: u64,
        #[source]
        difference: Difference,
    },
    #[error(transparent)]
    Rules(#[from] RulesFault),
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    #[error("a page cannot be made: {0}")]
    Template(#[from] minijinja::Error),
    #[error("a page cannot be made: {0}")]
    Json(#[from] serde_json::Error),
}

/// Upper bound on the seats with a column each. More share one.
const MOST: usize = 4;

pub fn seat_columns(seats: usize) -> Vec<ColumnView> {
    if seats > MOST {
        return vec![ColumnView::sentence("players by seat")];
    }
    let seats = Seat::all(seats);
    seats
        .map(|seat| ColumnView::name(&format!("{} seat", player_column(seat))))
        .collect()
}

/// The cells of these columns. `cell` makes the one of a player, and `shown` its name beside others.
pub fn seat_cells(
    players: &PerSeat<String>,
    cell: impl Fn(&str) -> CellView,
    shown: impl Fn(&str) -> String,
) -> Vec<CellView> {
    if players.count() > MOST {
        let names: Vec<String> = players.values().map(|name| shown(name)).collect();
        return vec![CellView::text(&names.join(", "))];
    }
    players.values().map(|name| cell(name)).collect()
}

/// The columns of the table `ratings` with the results of games: a game of two is won, drawn or lost, and one of more has
/// places.
pub fn result_columns(seats: usize) -> &'static [&'static str] {
    match seats {
        2 => &["wins", "draws", "losses"],
        _ => &["places"],
    }
}
