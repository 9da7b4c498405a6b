//! A recorded game as data for the script in the browser: the first position, and the changes of each ply.

use std::mem;

use serde::Serialize;

use super::board::{self, BoardPicture, SymbolData};
use crate::config::PlannedGame;
use crate::game::{Game, GameResult, RulesFault, Seat};
use crate::runs::{Difference, LoggedAction, Recording};
use crate::text::{DisplayNames, visible};
use crate::units::{Score, micros};

/// One game.
#[derive(Debug, Serialize)]
pub struct GameData<'a> {
    pub id: u64,
    game: &'static str,
    options: String,
    seats: [&'static str; 2],
    players: [String; 2],
    /// Key of its [`BoardData`] on the page.
    board: String,
    /// The letters of the first position.
    start: String,
    /// The first position with hidden pieces revealed; absent if nothing is hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    layout: Option<String>,
    /// Points of both seats at the start; absent in a game without points.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Score>,
    /// Time on both clocks at the start, in microseconds; `None` for a player without a limit per game.
    left_us: [Option<u64>; 2],
    plies: Vec<PlyData<'a>>,
    /// The squares of the chain that won.
    decisive: Vec<usize>,
    end: EndData,
}

/// One ply and its changes.
#[derive(Debug, Serialize)]
struct PlyData<'a> {
    seat: usize,
    action: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    public: &'a str,
    /// Changed cells: index, letter before, letter after.
    changes: Vec<(usize, char, char)>,
    /// Wall time in microseconds; absent in the opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    wall_us: Option<u64>,
    /// Time left on its player's clock, in microseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_us: Option<u64>,
    /// Points of both seats, if they changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<Score>,
    /// The second seat's action, if both acted.
    #[serde(skip_serializing_if = "Option::is_none")]
    beside: Option<ActionBeside<'a>>,
}

/// The action of the second seat beside that of the first.
#[derive(Debug, Serialize)]
struct ActionBeside<'a> {
    seat: usize,
    action: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    public: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    wall_us: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    left_us: Option<u64>,
}

impl<'a> ActionBeside<'a> {
    fn new(seat: Seat, logged: &'a LoggedAction) -> Self {
        Self {
            seat: seat.index(),
            action: &logged.action,
            public: &logged.public,
            wall_us: logged.spent.map(|spent| micros(spent.wall)),
            left_us: logged.left.map(micros),
        }
    }
}

/// End of the game.
#[derive(Debug, Serialize)]
struct EndData {
    result: String,
    termination: &'static str,
    why: String,
    /// Seats that forfeited.
    forfeited: Vec<usize>,
}

/// A board, shared by all games with its key.
#[derive(Debug, Clone, Serialize)]
pub struct BoardData {
    pub key: String,
    pub game: &'static str,
    pub symbols: Vec<SymbolData>,
    #[serde(skip)]
    pub picture: BoardPicture,
}

/// The board of a planned game.
///
/// # Errors
/// The rules failed.
pub fn board_of(planned: &PlannedGame) -> Result<BoardData, RulesFault> {
    // Only the geometry is used, so any seed of the layout will do.
    let start = planned.start(0, 0)?.position;
    let rows = start.rows(Seat::First)?;
    let columns = rows.split('/').next().map_or(1, |row| row.chars().count());
    let cells = start.board(Seat::First)?.chars().count();
    Ok(board(planned.game(), cells, columns))
}

/// A recorded game.
///
/// # Errors
/// Replaying the game contradicts its records, or the rules failed.
pub fn read<'a>(
    recording: &'a Recording,
    names: &DisplayNames,
) -> Result<GameData<'a>, Difference> {
    let row = &recording.row;
    let start = recording.start()?.position;
    let mut board = start.board(Seat::First)?;
    let mut changed = Vec::with_capacity(recording.plies.len() + 1);
    let mut scores = Vec::with_capacity(recording.plies.len() + 1);
    let mut decisive = Vec::new();
    recording.play_again(&mut |position| {
        let before = mem::replace(&mut board, position.board(Seat::First)?);
        changed.push(changes(&before, &board));
        scores.push(position.score().map(Score));
        decisive = position.decisive_squares()?;
        Ok(())
    })?;
    let [board, revealed] = [start.board(Seat::First)?, start.revealed_board()?];
    // `play_again` also reports the first position, which changes nothing.
    let plies = recording.plies.iter().zip(changed.into_iter().skip(1));
    let plies = plies.enumerate().filter_map(|(index, (ply, changes))| {
        let mut actions = ply.actions();
        // A ply of a log has an action.
        let (seat, logged) = actions.next()?;
        Some(PlyData {
            seat: seat.index(),
            action: &logged.action,
            public: &logged.public,
            changes,
            wall_us: logged.spent.map(|spent| micros(spent.wall)),
            left_us: logged.left.map(micros),
            score: scores[index + 1].filter(|_| scores[index] != scores[index + 1]),
            beside: actions
                .next()
                .map(|(seat, logged)| ActionBeside::new(seat, logged)),
        })
    });
    Ok(GameData {
        id: row.id,
        game: row.game.name(),
        options: visible(&row.options),
        seats: row.game.seat_names(),
        players: row.names().map(|name| names.shown(name)),
        board: key(row.game, board.chars().count()),
        layout: (revealed != board).then_some(revealed),
        score: scores[0],
        left_us: recording
            .clocks(0)
            .map(|left| left.map(micros))
            .into_array(),
        plies: plies.collect(),
        decisive,
        end: end(recording),
        start: board,
    })
}

/// Key of a board in the data.
fn key(game: Game, cells: usize) -> String {
    format!("{}-{cells}", game.name())
}

fn board(game: Game, cells: usize, columns: usize) -> BoardData {
    BoardData {
        key: key(game, cells),
        game: game.name(),
        symbols: board::symbols(game.look()),
        picture: board::picture(game.look(), cells, columns),
    }
}

/// Cells that differ between two boards: index, letter before, letter after.
fn changes(before: &str, after: &str) -> Vec<(usize, char, char)> {
    debug_assert!(before.is_ascii() && after.is_ascii(), "a letter is a byte");
    let cells = before.bytes().zip(after.bytes()).enumerate();
    cells
        .filter(|(_, (before, after))| before != after)
        .map(|(place, (before, after))| (place, before.into(), after.into()))
        .collect()
}

fn end(recording: &Recording) -> EndData {
    let row = &recording.row;
    let result = match row.end.result {
        GameResult::Won(seat) => format!("{} wins", row.game.seat_name(seat)),
        GameResult::Drawn => "a draw".to_owned(),
        GameResult::Nobody => "nobody wins".to_owned(),
    };
    let blamed = Seat::BOTH
        .into_iter()
        .filter(|seat| recording.blames(*seat));
    EndData {
        result,
        termination: row.end.termination.name(),
        why: visible(&row.end.why(row.game)),
        forfeited: blamed.map(Seat::index).collect(),
    }
}
