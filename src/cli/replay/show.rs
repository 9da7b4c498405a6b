//! A recorded game drawn, or as JSON.

use serde::Serialize;

use super::super::drawing;
use super::recording::Recording;
use crate::game::{Reason, Seat};
use crate::player::seconds;
use crate::referee::Termination;

/// All positions, then the end.
pub(super) fn everything(recording: &Recording) -> String {
    let mut text = heading(recording);
    for index in 0..recording.positions.len() {
        text.push('\n');
        text.push_str(&position(recording, index));
    }
    text.push('\n');
    text.push_str(&end(recording));
    text
}

/// One position; the last with the end.
pub(super) fn ply(recording: &Recording, index: usize) -> String {
    let mut text = format!("{}\n{}", heading(recording), position(recording, index));
    if index == recording.plies.len() {
        text.push('\n');
        text.push_str(&end(recording));
    }
    text
}

/// Which game it is, and who plays.
fn heading(recording: &Recording) -> String {
    let row = &recording.row;
    let options = match row.options.as_str() {
        "" => String::new(),
        options => format!(" ({options})"),
    };
    let [one, other] = recording.game.seat_names();
    format!(
        "game {} of {}: {}{options}\n{one} is {}, {other} is {}\n",
        row.id,
        recording.run.display(),
        row.game.name(),
        row.players[0],
        row.players[1]
    )
}

/// The ply that led to a position, the board, and both clocks.
fn position(recording: &Recording, index: usize) -> String {
    let ply = index.checked_sub(1).map(|before| &recording.plies[before]);
    let mut text = match ply {
        None => "start\n".to_owned(),
        Some(ply) => drawing::ply(index as u32, &ply.seat, &ply.action, &ply.public, ply.wall),
    };
    text.push_str(&recording.positions[index].picture);
    if let Some(left) = recording.clocks(index) {
        let clock = |seat: Seat| {
            let name = recording.game.seat_name(seat);
            format!("{name} {}", seconds(left[seat.index()]))
        };
        let [one, other] = Seat::BOTH.map(clock);
        text.push_str(&format!("left on the clocks: {one}, {other}\n"));
    }
    text
}

/// How the game ended, why, and where there is more about it.
fn end(recording: &Recording) -> String {
    let row = &recording.row;
    let mut text = drawing::conclusion(row.game, &row.end);
    if row.end.termination == Termination::IllegalAction
        && let Some(last) = recording.positions.last()
    {
        text.push_str(&format!("legal: {}\n", last.legal.join(" ")));
    }
    for seat in Seat::BOTH {
        let name = recording.game.seat_name(seat);
        if let Some(path) = recording.bot_log(seat) {
            text.push_str(&format!("what {name} wrote: {}\n", path.display()));
        }
        if recording.blamed(seat) {
            text.push_str(&format!(
                "again, into the bot of {}: referee replay {} {} --seat {name} --into\n",
                recording.names()[seat.index()],
                recording.run.display(),
                row.id
            ));
        }
    }
    text
}

#[derive(Serialize)]
struct Position<'a> {
    ply: usize,
    /// Who acted to get here; absent at the start, and so the next three.
    #[serde(skip_serializing_if = "Option::is_none")]
    seat: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    action: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    public: Option<&'a str>,
    /// Absent in the opening too.
    #[serde(skip_serializing_if = "Option::is_none")]
    wall_us: Option<u64>,
    board: &'a str,
    to_act: Option<&'static str>,
    /// By seat, after this ply.
    left_us: Option<[u64; 2]>,
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
    detail: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    legal: Option<&'a [String]>,
}

/// Every position and the end, an object a line.
pub(super) fn json(recording: &Recording) -> String {
    let row = &recording.row;
    let mut text: String = (0..recording.positions.len())
        .map(|index| json_ply(recording, index))
        .collect();
    let end = &row.end;
    let illegal = end.termination == Termination::IllegalAction;
    text.push_str(&line(&End {
        game: row.game.name(),
        id: row.id,
        options: &row.options,
        players: row.names(),
        plies: end.plies,
        winner: end.result.name(row.game),
        termination: end.termination.name(),
        forfeited_by: row.forfeited_by(),
        reason: end.reason.map_or("", Reason::name),
        detail: &end.detail,
        legal: recording
            .positions
            .last()
            .filter(|_| illegal)
            .map(|last| last.legal.as_slice()),
    }));
    text
}

/// One position as an object.
pub(super) fn json_ply(recording: &Recording, index: usize) -> String {
    let ply = index.checked_sub(1).map(|before| &recording.plies[before]);
    let position = &recording.positions[index];
    let micros = |time: std::time::Duration| time.as_micros().try_into().unwrap_or(u64::MAX);
    line(&Position {
        ply: index,
        seat: ply.map(|ply| ply.seat.as_str()),
        action: ply.map(|ply| ply.action.as_str()),
        public: ply.map(|ply| ply.public.as_str()),
        wall_us: ply.and_then(|ply| ply.wall).map(micros),
        board: &position.rows,
        to_act: position.to_act.map(|seat| recording.game.seat_name(seat)),
        left_us: recording.clocks(index).map(|left| left.map(micros)),
    })
}

fn line(value: &impl Serialize) -> String {
    let mut line = String::new();
    super::super::push_json(value, &mut line);
    line
}
