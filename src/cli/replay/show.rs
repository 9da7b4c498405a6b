//! Shows a recorded game as drawings or JSON.

use std::time::Duration;

use serde::Serialize;

use crate::bot::seconds;
use crate::cli::drawing;
use crate::cli::drawing::Legal;
use crate::cli::games::ListedGame;
use crate::cli::output::{json_line, style};
use crate::clock::Spent;
use crate::game::{Board, ForfeitedBy, Seat};
use crate::referee::Termination;
use crate::replay::{ReplayedGame, ReplayedPosition};
use crate::runs::{LoggedAction, LoggedPly};
use crate::text::{counted, visible};
use crate::units::micros;

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

pub(super) fn ply(game: &ReplayedGame, index: usize) -> String {
    let mut text = format!("{}\n{}", heading(game), position(game, index));
    if index == game.recording.plies.len() {
        text.push('\n');
        text.push_str(&end(game));
    }
    text
}

fn heading(game: &ReplayedGame) -> String {
    let row = &game.recording.row;
    let options = match row.options.as_str() {
        "" => String::new(),
        options => format!(" ({})", visible(options)),
    };
    let players = row.players.iter();
    let players = players.map(|(_, player)| game.display_names.shown_with_name(player));
    format!(
        "game {} of {}: {}{options}\n{}",
        row.id,
        game.run.display(),
        row.game.label(),
        drawing::seating(row.game, &players.collect())
    )
}

fn position(game: &ReplayedGame, index: usize) -> String {
    let ply = index
        .checked_sub(1)
        .map(|before| &game.recording.plies[before]);
    let mut text = match ply {
        None => "start\n".to_owned(),
        Some(ply) => {
            let lines = ply.actions().map(|(seat, logged)| {
                if ply.is_drop() {
                    let took = logged.spent.map(|spent| spent.wall);
                    return drawing::left(index as u32, game.game().seat_name(seat), took);
                }
                drawing::action(
                    index as u32,
                    game.game().seat_name(seat),
                    &logged.action,
                    &logged.public,
                    logged.spent.map(|spent| spent.wall),
                )
            });
            let mut text: String = lines.collect();
            text.push_str(&reported(game, ply));
            text
        }
    };
    let position = &game.positions[index];
    text.push_str(&drawing::boards(
        game.game(),
        &position.views,
        &game.game().seats().collect::<Vec<_>>(),
        style(),
    ));
    text.push_str(&drawing::points(
        game.game(),
        position.rules_points.as_ref(),
    ));
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

/// Values that the bots reported with a ply, on a line; empty without any.
fn reported(game: &ReplayedGame, ply: &LoggedPly) -> String {
    let reports = ply
        .actions()
        .filter(|(_, logged)| !logged.values.is_empty());
    let reports = reports.map(|(seat, logged)| {
        let score = logged.score_and_depth(game.game());
        let score = score.map_or_else(String::new, |score| format!(" {score}:"));
        let seat = game.game().seat_name(seat);
        format!("{seat} reported{score} {}", logged.values)
    });
    let reports: Vec<String> = reports.collect();
    match reports.is_empty() {
        true => String::new(),
        false => reports.join("; ") + "\n",
    }
}

fn end(game: &ReplayedGame) -> String {
    let row = &game.recording.row;
    let players = row.players.iter();
    let players = players.map(|(_, player)| game.display_names.shown(player));
    let mut text = drawing::conclusion(row.game, &row.end, &players.collect());
    if row.end.termination == Termination::IllegalAction
        && let Some(last) = game.positions.last()
    {
        for line in legal(game, last).lines() {
            text.push_str(&line);
            text.push('\n');
        }
    }
    if let (Termination::Time | Termination::Stall, ForfeitedBy::Of(seat)) =
        (row.end.termination, row.end.forfeited_by())
    {
        text.push_str(&times_before(game, seat));
    }
    for seat in game.game().seats() {
        let name = game.game().seat_name(seat);
        if let Some(path) = game.bot_log(seat) {
            text.push_str(&format!("what {name} wrote: {}\n", path.display()));
        }
        // A person left it, or nobody was asked for an action.
        let cannot_repeat = [Termination::Left, Termination::Handshake];
        if game.recording.forfeited(seat) && !cannot_repeat.contains(&row.end.termination) {
            text.push_str(&format!(
                "again, into the bot of {}: referee replay {} {} --seat {name} --into\n",
                game.display_names.shown(&row.players[seat]),
                game.run.display(),
                row.id
            ));
        }
    }
    text
}

fn legal(game: &ReplayedGame, last: &ReplayedPosition) -> Legal {
    Legal::of(game.game(), last.to_act, game.legal.clone())
}

/// Answer times of a player that ran out of time: they show whether it was close, and whether a busy machine
/// kept it from a processor.
fn times_before(game: &ReplayedGame, seat: Seat) -> String {
    let plies = game.recording.plies.iter();
    let own = plies.filter_map(|ply| ply.of(seat));
    let times: Vec<Spent> = own.filter_map(|action| action.spent).collect();
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
struct PositionLine<'a> {
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
    /// Values that the bot reported; absent without any.
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<serde_json::Map<String, serde_json::Value>>,
    board: Option<String>,
    to_act: Option<String>,
    /// Time left by seat, after this ply.
    left_us: Option<Vec<Option<u64>>>,
}

#[derive(Serialize)]
struct End<'a> {
    #[serde(flatten)]
    game: ListedGame<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    legal: Option<Legal>,
}

pub(super) fn json(game: &ReplayedGame) -> String {
    let row = &game.recording.row;
    let mut text: String = (0..game.positions.len())
        .map(|index| json_ply(game, index))
        .collect();
    let illegal = row.end.termination == Termination::IllegalAction;
    text.push_str(&json_line(&End {
        game: ListedGame::from(row),
        legal: game
            .positions
            .last()
            .filter(|_| illegal)
            .map(|last| legal(game, last)),
    }));
    text
}

/// One position as an object for each action that led to it.
pub(super) fn json_ply(game: &ReplayedGame, index: usize) -> String {
    let before = index.checked_sub(1);
    let Some(ply) = before.map(|before| &game.recording.plies[before]) else {
        return json_action(game, index, None);
    };
    let actions = ply.actions();
    let objects = actions.map(|action| json_action(game, index, Some(action)));
    objects.collect()
}

fn json_values(logged: &LoggedAction) -> Option<serde_json::Map<String, serde_json::Value>> {
    let values = logged.values.iter();
    let values = values.map(|(name, number)| (name.to_owned(), number.into()));
    (!logged.values.is_empty()).then(|| values.collect())
}

fn json_action(game: &ReplayedGame, index: usize, logged: Option<(Seat, &LoggedAction)>) -> String {
    let position = &game.positions[index];
    let left: Vec<_> = game.recording.clocks(index).into_values().collect();
    let (seat, logged) = logged.unzip();
    let spent = logged.and_then(|logged| logged.spent);
    json_line(&PositionLine {
        ply: index,
        seat: seat.map(|seat| game.game().seat_name(seat)),
        action: logged.map(|logged| logged.action.as_str()),
        public: logged.map(|logged| logged.public.as_str()),
        wall_us: spent.map(|spent| micros(spent.wall)),
        values: logged.and_then(json_values),
        board: position.views[Seat::FIRST].board.as_ref().map(Board::rows),
        to_act: game.game().actor_names(position.to_act),
        left_us: left.iter().any(Option::is_some).then(|| {
            let left = left.iter();
            left.map(|left| left.map(micros)).collect()
        }),
    })
}
