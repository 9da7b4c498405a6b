//! The lines that a bot was sent in a recorded game.

use super::recording::Recording;
use crate::game::{Blame, Seat};
use crate::player::millis;
use crate::protocol::{Millis, Start, TimeTerms, ToBot, VERSION};
use crate::referee::Termination;

/// The transcript of one seat, a line each; of both, each below a line that names it.
pub(super) fn text(recording: &Recording, seat: Option<Seat>) -> String {
    if unknown_start(recording) {
        eprintln!(
            "referee: nobody can tell from the record whether the handshake of this game failed \
             before `start` was sent; the transcript leaves it out"
        );
    }
    let lines = |seat| lines(recording, seat).join("\n") + "\n";
    match seat {
        Some(seat) => lines(seat),
        None => Seat::BOTH
            .map(|seat| {
                let name = recording.game.seat_name(seat);
                let player = recording.names()[seat.index()];
                format!("{name} ({player}):\n{}", lines(seat))
            })
            .join("\n"),
    }
}

/// Whether the handshake failed, either before or after the game was announced.
fn unknown_start(recording: &Recording) -> bool {
    recording.row.end.termination == Termination::Handshake
}

/// Every line that the bot of `seat` was sent, from the first to `quit`, if its process played this
/// game alone.
pub(super) fn lines(recording: &Recording, seat: Seat) -> Vec<String> {
    let mut lines = vec![ToBot::Hello { version: VERSION }.to_string()];
    if !unknown_start(recording) {
        lines.push(start(recording, seat));
        for (index, ply) in recording.plies.iter().enumerate() {
            if ply.wall.is_some() && recording.actor(index) == Some(seat) {
                lines.push(act(recording, seat, index));
            }
            lines.push(
                ToBot::Did {
                    seat: &ply.seat,
                    action: &ply.action,
                    public: &ply.public,
                }
                .to_string(),
            );
        }
        if recording.asked_in_vain() == Some(seat) {
            lines.push(act(recording, seat, recording.plies.len()));
        }
    }
    lines.push(end(recording, seat));
    lines.push(ToBot::Quit.to_string());
    lines
}

fn start(recording: &Recording, seat: Seat) -> String {
    let conditions = &recording.conditions;
    let options = recording.options();
    ToBot::Start(Start {
        game: recording.game.name(),
        seat: recording.game.seat_name(seat),
        seed: recording.bot_seeds()[seat.index()],
        time: TimeTerms {
            measure: &conditions.measure,
            per_game: millis(conditions.per_game),
            increment: millis(Some(conditions.increment)),
            per_move: millis(conditions.per_move),
        },
        options: options
            .iter()
            .map(|(key, value)| (*key, value.as_str()))
            .collect(),
    })
    .to_string()
}

/// The request for the ply with `index` others before it.
fn act(recording: &Recording, seat: Seat, index: usize) -> String {
    let left = |seat: Seat| {
        let clocks = recording.clocks(index);
        clocks.map_or(Millis(None), |left| millis(Some(left[seat.index()])))
    };
    ToBot::Act {
        mine: left(seat),
        theirs: left(seat.other()),
    }
    .to_string()
}

fn end(recording: &Recording, seat: Seat) -> String {
    let end = &recording.row.end;
    let detail = match (end.reason, recording.blamed(seat)) {
        (Some(reason), _) => reason.name(),
        (None, true) => own_part(recording, seat),
        (None, false) => "",
    };
    ToBot::End {
        winner: end.result.name(recording.game),
        termination: end.termination.name(),
        detail,
    }
    .to_string()
}

/// What was told to the bot of `seat` of what is in the journal; where both failed, half of it.
fn own_part(recording: &Recording, seat: Seat) -> &str {
    let detail = recording.row.end.detail.as_str();
    if recording.row.end.blame != Blame::Both {
        return detail;
    }
    let [one, other] = recording.game.seat_names();
    let halves = detail
        .strip_prefix(&format!("{one}: "))
        .and_then(|rest| rest.split_once(&format!("; {other}: ")));
    match (halves, seat) {
        (Some((first, _)), Seat::First) => first,
        (Some((_, second)), Seat::Second) => second,
        (None, _) => detail,
    }
}
