//! Transcripts: the lines sent to the bots of a recorded game.
//!
//! They are not assembled from the record: the referee plays the game again between players that answer from the log,
//! and the lines sent to these are the transcript.

use std::collections::VecDeque;
use std::time::Duration;

use crate::bot::{Double, Fault, Player, Reply};
use crate::clock::{Measure, TimeControl};
use crate::game::{PerSeat, RulesFault, Seat, Seats};
use crate::protocol::{Hello, READY, RESIGN, ToBot};
use crate::referee::{FaultKind, Participant, PlayerFault, SeatTerms, play_recorded};
use crate::runs::{Difference, Recording};

/// Stands for an answer that was not played, and is not in the log. The referee does not judge it either, as seats leave first.
const UNPLAYED: &str = "unplayed";

/// The lines sent to each bot, up to `quit`, as if its process had played only this game.
///
/// A record does not tell whether a handshake failed before or after `start` was sent; the transcript of such a game
/// omits `start`.
///
/// # Errors
/// The rules failed.
pub fn transcripts(recording: &Recording) -> Result<PerSeat<Vec<String>>, RulesFault> {
    let unplayed = unplayed(recording)?;
    let mut participants = recording.game().per_seat(|seat| {
        let mut answers = answers(recording, seat, &unplayed);
        let player = Double::new(move |_: &[String]| match answers.pop_front() {
            Some(reply) => reply,
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

/// For each ply that seats left, the others whose answers were not played for it. Of a log without such a ply
/// nothing is played again.
///
/// # Errors
/// The rules failed.
pub fn unplayed(recording: &Recording) -> Result<Vec<Seats>, RulesFault> {
    if recording.left().is_empty() {
        return Ok(vec![Seats::default(); recording.plies.len()]);
    }
    let mut acting = Vec::new();
    let played = recording.play_again(&[], &mut |position| {
        acting.push(position.to_act().set());
        Ok(())
    });
    if let Err(Difference::Rules(fault)) = played {
        return Err(fault);
    }
    let plies = recording
        .plies
        .iter()
        .zip(acting.iter().zip(acting.iter().skip(1)));
    let unplayed = plies.map(|(ply, (before, after))| {
        let left = ply.actors();
        let others = before.iter().filter(|seat| !left.includes(*seat));
        let others: Seats = others.collect();
        match ply.is_drop() && ply.is_chosen() && others != *after {
            true => others,
            false => Seats::default(),
        }
    });
    Ok(unplayed.collect())
}

/// The reply of a bot whose seat left: it had no answer, or a wrong one.
fn failure(recording: &Recording, seat: Seat) -> Reply {
    match recording.row.end.fault(seat).map(|fault| fault.kind) {
        None => Reply::Line(RESIGN.to_owned(), Duration::ZERO),
        Some(FaultKind::Illegal | FaultKind::NoAction | FaultKind::NotAnAction) => {
            Reply::Line(String::new(), Duration::ZERO)
        }
        Some(_) => Reply::Fault(Fault::HungUp),
    }
}

/// The answers of the bot in a seat, each with the time subtracted from its clock. `unplayed` are the seats whose answers
/// were not played, by ply.
fn answers(recording: &Recording, seat: Seat, unplayed: &[Seats]) -> VecDeque<Reply> {
    let mut answers = VecDeque::new();
    let end = &recording.row.end;
    if end.termination.is_before_play() {
        return answers;
    }
    let left = recording.left();
    let has_left = left.iter().any(|set| set.contains(seat));
    let failed_early = |fault: &PlayerFault| fault.termination.is_before_play();
    if has_left && end.fault(seat).is_some_and(failed_early) {
        answers.push_back(Reply::Fault(Fault::HungUp));
        return answers;
    }
    let hello = Hello {
        name: "recorded".to_owned(),
        eager: false,
    };
    answers.push_back(Reply::Line(hello.to_string(), Duration::ZERO));
    answers.push_back(Reply::Line(READY.to_owned(), Duration::ZERO));
    let time = &recording.times[seat];
    let mut left = time.per_game;
    for (index, plies) in recording.plies.iter().enumerate() {
        if unplayed
            .get(index)
            .is_some_and(|seats| seats.contains(seat))
        {
            answers.push_back(Reply::Line(UNPLAYED.to_owned(), Duration::ZERO));
        }
        let Some(ply) = plies.of(seat) else {
            continue;
        };
        let Some(spent) = ply.spent else {
            continue;
        };
        if plies.is_drop() {
            answers.push_back(failure(recording, seat));
            continue;
        }
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
        answers.push_back(Reply::Line(ply.action.clone(), used));
    }
    answers
}

/// Maximum time of an action within the limits.
fn most(time: &TimeControl) -> Duration {
    let limit = time.per_move.unwrap_or(Duration::MAX);
    limit.saturating_add(time.margin)
}
