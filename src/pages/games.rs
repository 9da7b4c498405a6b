//! The page on which every game of a run is shown, and the files with the games.

use std::collections::BTreeSet;

use minijinja::{Value, context};
use serde_json::json;

use super::game_data::{self, BoardData, GameData};
use super::page::{Page, Templates, script_json};
use super::{PageError, VIEWER};
use crate::record::{RecordError, Recording, Run};
use crate::text::DisplayNames;

const ONE_GAME: &str = include_str!("assets/one_game.js");
const MANY_GAMES: &str = include_str!("assets/many_games.js");

/// The page on which they are shown.
pub(super) const GAME_PAGE: &str = "game.html";

/// The folder of the files with the games.
pub const GAMES: &str = "games";

/// How many games a file holds.
const GAMES_PER_FILE: u64 = 1000;

/// Of runs with more games, only those are drawn that are asked for.
pub const MOST_GAMES: u64 = 50_000;

/// Which games are drawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DrawnGames {
    /// Those of which there is a log.
    All,
    /// Those of them with these numbers.
    Some(BTreeSet<u64>),
}

impl DrawnGames {
    pub(super) fn includes(&self, id: u64) -> bool {
        match self {
            Self::All => true,
            Self::Some(ids) => ids.contains(&id),
        }
    }
}

/// A recorded game on its board, as one page that needs no other file.
///
/// # Errors
/// The records of the game are not true.
pub fn game_page(recording: &Recording, names: &DisplayNames) -> Result<String, PageError> {
    let board = game_data::board_of(&recording.planned);
    let data = json!({ "boards": [&board], "game": game(recording, names)? });
    let title = format!("game {}: {}", recording.row.id, recording.game().name());
    let script = [VIEWER, ONE_GAME].concat();
    page(&Templates::new()?, &title, &[board], &data, &script)
}

/// Takes the name of a file, which may be in a folder, and its text.
pub type WritePage<'a> = dyn FnMut(&str, &str) -> Result<(), RecordError> + 'a;

/// Makes the page on which games of a run are shown, and the files with the games. Returns how many games
/// there are.
///
/// # Errors
/// A record cannot be read or is not true, or `write` fails.
pub fn game_pages(
    run: &Run,
    drawn: &DrawnGames,
    write: &mut WritePage<'_>,
) -> Result<u64, PageError> {
    let boards: Vec<BoardData> = run.games().iter().map(game_data::board_of).collect();
    let data = json!({ "boards": boards, "perFile": GAMES_PER_FILE });
    let script = [VIEWER, MANY_GAMES].concat();
    let page = page(&Templates::new()?, "games", &boards, &data, &script)?;
    write(GAME_PAGE, &page)?;
    let names = run.manifest().display_names();
    let mut files = GameFiles {
        write,
        number: 0,
        games: Vec::new(),
        count: 0,
    };
    let mut outcome = Ok(());
    run.rows_in_order(&mut |row| {
        if outcome.is_ok() && drawn.includes(row.id) && run.keeps_log(row) {
            outcome = run
                .recording_of(row.clone())
                .map_err(PageError::from)
                .and_then(|recording| files.add(game(&recording, &names)?));
        }
    })?;
    outcome?;
    files.write()?;
    Ok(files.count)
}

fn game(recording: &Recording, names: &DisplayNames) -> Result<GameData, PageError> {
    let id = recording.row.id;
    game_data::read(recording, names).map_err(|difference| PageError::Untrue { id, difference })
}

fn page(
    templates: &Templates,
    title: &str,
    boards: &[BoardData],
    data: &serde_json::Value,
    script: &str,
) -> Result<String, PageError> {
    let drawn: Vec<Value> = boards
        .iter()
        .map(|board| {
            context! {
                key => &board.key,
                game => board.game,
                width => board.picture.width,
                height => board.picture.height,
                elements => &board.picture.elements,
            }
        })
        .collect();
    let body = templates.render("viewer", context! { boards => drawn })?;
    Ok(templates.page(&Page {
        title,
        body: &body,
        data: &script_json(data)?,
        script,
    })?)
}

/// The files with the games, each written once it is whole.
struct GameFiles<'a, 'w> {
    write: &'a mut WritePage<'w>,
    /// The file whose games are collected.
    number: u64,
    games: Vec<String>,
    count: u64,
}

impl GameFiles<'_, '_> {
    fn add(&mut self, game: GameData) -> Result<(), PageError> {
        let number = game.id / GAMES_PER_FILE;
        if number != self.number {
            self.write()?;
            self.number = number;
        }
        self.games.push(script_json(&game)?);
        self.count += 1;
        Ok(())
    }

    fn write(&mut self) -> Result<(), PageError> {
        if self.games.is_empty() {
            return Ok(());
        }
        let (number, games) = (self.number, self.games.join(",\n"));
        self.games.clear();
        let text = format!("refereeGames({number},[\n{games}\n]);\n");
        Ok((self.write)(&format!("{GAMES}/{number}.js"), &text)?)
    }
}
