//! Transcripts: the lines sent to the bots of a recorded game.
//!
//! They are not assembled from the record: the referee plays the game again between players that answer from the log,
//! and the lines sent to these are the transcript.

use std::collections::VecDeque;
use std::time::Duration;

use crate::bot::{Double, Fault, Player, Reply};
use crate::clock::{Measure, TimeControl};
use crate::game::{PerSeat, RulesFault, Seat};
use crate::protocol::{Hello, READY, ToBot};
use crate::referee::{Participant, SeatTerms, Termination, play_recorded};
use crate::runs::Recording;

/// The lines sent to each bot, up to `quit`, as if its process had played only this game.
///
/// A record does not tell whether a handshake failed before or after `start` was sent; the transcript of such a game
/// omits `start`.
///
/// # Errors
/// The rules failed.
pub fn transcripts(recording: &Recording) -> Result<PerSeat<Vec<String>>, RulesFault> {
    let mut participants = recording.game().per_seat(|seat| {
        let mut answers = answers(recording, seat);
        let player = Double::new(move |_: &[String]| match answers.pop_front() {
            Some((line, took)) => Reply::Line(line, took),
            None => Reply::Fault(Fault::Left),
        });
        let mut participant = Participant::new(player);
        participant.set_told_legal(recording.told_legal[seat]);
        participant
    });
    let mut start = recording.start()?;
    let terms = recording.times.each_ref().map(|time| SeatTerms {
        time,
        handshake: Duration::MAX,
        start: Duration::MAX,
    });
    play_recorded(
        &start.spec(terms),
        start.position.as_mut(),
        participants
            .each_mut()
            .map(|participant| participant as &mut Participant<dyn Player>),
        start.opening.as_mut(),
        &recording.row.end,
    );
    Ok(participants.map(|participant| {
        let mut lines = participant.player.received().to_vec();
        lines.push(ToBot::Quit.to_string());
        lines
    }))
}

/// The answers of the bot in a seat, each with the time subtracted from its clock.
fn answers(recording: &Recording, seat: Seat) -> VecDeque<(String, Duration)> {
    let mut answers = VecDeque::new();
    if let Termination::Handshake | Termination::Unplayed = recording.row.end.termination {
        return answers;
    }
    let hello = Hello {
        name: "recorded".to_owned(),
        eager: false,
    };
    answers.push_back((hello.to_string(), Duration::ZERO));
    answers.push_back((READY.to_owned(), Duration::ZERO));
    let time = &recording.times[seat];
    let mut left = time.per_game;
    for ply in recording.plies.iter().filter_map(|ply| ply.of(seat)) {
        let Some(spent) = ply.spent else {
            continue;
        };
        // Recorded times are rounded down, so the time used is computed from the recorded clock. That reproduces the
        // clock shown at each request.
        let used = match (left, ply.left) {
            (Some(before), Some(after)) => (before + time.increment)
                .saturating_sub(after)
                .min(most(time)),
            _ => match time.measure {
                Measure::Wall => spent.wall,
                Measure::Cpu => spent.cpu,
            },
        };
        left = ply.left;
        answers.push_back((ply.action.clone(), used));
    }
    answers
}

/// Maximum time of an action within the limits.
fn most(time: &TimeControl) -> Duration {
    let limit = time.per_move.unwrap_or(Duration::MAX);
    limit.saturating_add(time.margin)
}
