//! Pages for a browser, from the records of a run. They work from a folder, without a network, and need
//! no server. This module runs nothing.

use minijinja::context;
use serde_json::json;

mod boards;
mod game_data;
mod page;

use crate::record::{Difference, Recording};
use page::{Page, Templates, script_json};

const VIEWER: &str = include_str!("assets/viewer.js");
const ONE_GAME: &str = include_str!("assets/one_game.js");

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
    /// A template and its values do not fit.
    #[error("a page cannot be made: {0}")]
    Template(#[from] minijinja::Error),
    /// A value has no form in JSON.
    #[error("a page cannot be made: {0}")]
    Json(#[from] serde_json::Error),
}

/// A recorded game on its board, as one page that needs no other file.
///
/// # Errors
/// The records of the game are not true.
pub fn game_page(recording: &Recording) -> Result<String, PageError> {
    let id = recording.row.id;
    let untrue = |difference| PageError::Untrue { id, difference };
    let (game, board) = game_data::read(recording).map_err(untrue)?;
    let templates = Templates::new()?;
    let drawn = context! {
        key => &board.key,
        game => recording.game().name(),
        width => board.picture.width,
        height => board.picture.height,
        elements => &board.picture.elements,
    };
    let body = templates.render("viewer", context! { boards => [drawn] })?;
    let data = script_json(&json!({ "boards": [board], "game": game }))?;
    let title = format!("game {id}: {}", recording.game().name());
    Ok(templates.page(&Page {
        title: &title,
        body: &body,
        data: &data,
        script: &[VIEWER, ONE_GAME].concat(),
    })?)
}
