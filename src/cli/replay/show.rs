//! Shows a recorded game as drawings or JSON.

use std::time::Duration;

use serde::Serialize;

use crate::bot::seconds;
use crate::cli::output::{json_line, style};
use crate::cli::{drawing, games};
use crate::clock::Spent;
use crate::game::{Blame, Board, Reason, Seat};
use crate::referee::Termination;
use crate::replay::ReplayedGame;
use crate::text::{counted, visible};
use crate::units::micros;

/// All positions, then the end.
pub(super) fn everything(game: &ReplayedGame) -> String {
    let mut text = heading(game);
    for index in 0..game.positions.len() {
        text.push('\n');
        text.push_str(&position(game, index));
    }
    text.push('\n');
    text.push_str(&end(game));
    text
}

/// One position; the last one with the end.
pub(super) fn ply(game: &ReplayedGame, index: usize) -> String {
    let mut text = format!("{}\n{}", heading(game), position(game, index));
    if index == game.recording.plies.len() {
        text.push('\n');
        text.push_str(&end(game));
    }
    text
}

/// Game, options and players.
fn heading(game: &ReplayedGame) -> String {
    let row = &game.recording.row;
    let options = match row.options.as_str() {
        "" => String::new(),
        options => format!(" ({})", visible(options)),
    };
    let [one, other] = game.game().seat_names();
    format!(
        "game {} of {}: {}{options}\n{one} is {}, {other} is {}\n",
        row.id,
        game.run.display(),
        row.game.name(),
        game.display_names.shown_with_name(&row.players[0]),
        game.display_names.shown_with_name(&row.players[1])
    )
}

/// Last ply, board and both clocks.
fn position(game: &ReplayedGame, index: usize) -> String {
    let ply = index
        .checked_sub(1)
        .map(|before| &game.recording.plies[before]);
    let mut text = match ply {
        None => "start\n".to_owned(),
        Some(ply) => drawing::ply(
            index as u32,
            game.game().seat_name(ply.seat),
            &ply.action,
            &ply.public,
            ply.spent.map(|spent| spent.wall),
        ),
    };
    let position = &game.positions[index];
    text.push_str(&drawing::boards(
        game.game(),
        &position.views,
        &Seat::BOTH,
        style(),
    ));
    text.push_str(&drawing::points(game.game(), position.score));
    let left = game.recording.clocks(index);
    let clocks = left.iter().filter_map(|(seat, left)| {
        let name = game.game().seat_name(seat);
        Some(format!("{name} {}", seconds((*left)?)))
    });
    let clocks: Vec<String> = clocks.collect();
    if !clocks.is_empty() {
        text.push_str(&format!("left on the clocks: {}\n", clocks.join(", ")));
    }
    text
}

/// End of the game with its cause, and pointers to more.
fn end(game: &ReplayedGame) -> String {
    let row = &game.recording.row;
    let mut text = drawing::conclusion(row.game, &row.end);
    if row.end.termination == Termination::IllegalAction
        && let Some(last) = game.positions.last()
    {
        text.push_str(&format!("legal: {}\n", last.legal.join(" ")));
    }
    if let (Termination::Time | Termination::Stall, Blame::Of(seat)) =
        (row.end.termination, row.end.blame())
    {
        text.push_str(&times_before(game, seat));
    }
    for seat in Seat::BOTH {
        let name = game.game().seat_name(seat);
        if let Some(path) = game.bot_log(seat) {
            text.push_str(&format!("what {name} wrote: {}\n", path.display()));
        }
        let has_left = row.end.termination == Termination::Left;
        if game.recording.blames(seat) && !has_left {
            text.push_str(&format!(
                "again, into the bot of {}: referee replay {} {} --seat {name} --into\n",
                game.display_names.shown(&row.players[seat.index()]),
                game.run.display(),
                row.id
            ));
        }
    }
    text
}

/// Answer times of a player that ran out of time: they show whether it was close, and whether a busy machine
/// kept it from a processor.
fn times_before(game: &ReplayedGame, seat: Seat) -> String {
    let plies = game.recording.plies.iter();
    let own = plies.filter(|ply| ply.seat == seat);
    let times: Vec<Spent> = own.filter_map(|ply| ply.spent).collect();
    let name = game.game().seat_name(seat);
    let slowest = |time: fn(&Spent) -> Duration| times.iter().map(time).max();
    let (Some(wall), Some(cpu)) = (slowest(|spent| spent.wall), slowest(|spent| spent.cpu)) else {
        return format!("that was the first action that {name} was asked for\n");
    };
    format!(
        "before that {name} acted {}: {} on the wall, {} of processor time; at most {} and {} for one action\n",
        counted(times.len() as u64, "time", "times"),
        seconds(times.iter().map(|spent| spent.wall).sum()),
        seconds(times.iter().map(|spent| spent.cpu).sum()),
        seconds(wall),
        seconds(cpu)
    )
}

#[derive(Serialize)]
struct Position<'a> {
    ply: usize,
    /// Seat that acted last; absent at the start, like the next three fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    public: Option<&'a str>,
    /// Also absent in the opening.
    #[serde(skip_serializing_if = "Option::is_none")]
    wall_us: Option<u64>,
    /// As the first seat sees it.
    board: Option<String>,
    to_act: Option<&'static str>,
    /// Time left by seat, after this ply.
    left_us: Option<[Option<u64>; 2]>,
}

#[derive(Serialize)]
struct End<'a> {
    game: &'a str,
    id: u64,
    options: &'a str,
    players: [&'a str; 2],
    plies: u32,
    winner: &'a str,
    termination: &'a str,
    forfeited_by: &'a str,
    reason: &'a str,
    faults: [Option<games::Fault<'a>>; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    legal: Option<&'a [String]>,
}

/// Every position and the end, one object per line.
pub(super) fn json(game: &ReplayedGame) -> String {
    let row = &game.recording.row;
    let mut text: String = (0..game.positions.len())
        .map(|index| json_ply(game, index))
        .collect();
    let end = &row.end;
    let illegal = end.termination == Termination::IllegalAction;
    text.push_str(&json_line(&End {
        game: row.game.name(),
        id: row.id,
        options: &row.options,
        players: row.names(),
        plies: end.plies,
        winner: end.result.name(row.game),
        termination: end.termination.name(),
        forfeited_by: row.forfeited_by(),
        reason: end.reason.map_or("", Reason::name),
        faults: games::faults(end),
        legal: game
            .positions
            .last()
            .filter(|_| illegal)
            .map(|last| last.legal.as_slice()),
    }));
    text
}

/// One position as an object.
pub(super) fn json_ply(game: &ReplayedGame, index: usize) -> String {
    let ply = index
        .checked_sub(1)
        .map(|before| &game.recording.plies[before]);
    let position = &game.positions[index];
    let left = game.recording.clocks(index).into_array();
    json_line(&Position {
        ply: index,
        seat: ply.map(|ply| game.game().seat_name(ply.seat)),
        action: ply.map(|ply| ply.action.as_str()),
        public: ply.map(|ply| ply.public.as_str()),
        wall_us: ply
            .and_then(|ply| ply.spent)
            .map(|spent| micros(spent.wall)),
        board: position.views[Seat::First].board.as_ref().map(Board::rows),
        to_act: position.to_act.map(|seat| game.game().seat_name(seat)),
        left_us: (left != [None, None]).then(|| left.map(|left| left.map(micros))),
    })
}
