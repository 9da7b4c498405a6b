//! The row of a game that is forfeited unplayed.

use std::time::{Duration, SystemTime};

use crate::bot::Log;
use crate::clock::Spent;
use crate::config::Plan;
use crate::referee::{FaultKind, GameEnd, PlayerFault, Termination};
use crate::runner::queue::{Hopeless, QueuedGame};
use crate::runs::{GameLog, GameRow, GameStart, RunFileError, RunFolder, utc};
use crate::schedule::Streak;

/// Row of a game that one player or several forfeit. Its log has no ply, like the log of a failed handshake.
pub fn unplayed(
    plan: &Plan,
    folder: &RunFolder,
    queued: &QueuedGame,
    hopeless: &Hopeless,
    start: GameStart,
) -> Result<GameRow, RunFileError> {
    let planned = &plan.games[queued.game];
    let game = planned.game();
    let at_fault = hopeless.iter().filter(|(_, streak)| streak.is_some());
    let result = game.lost_by(at_fault.map(|(seat, _)| seat).collect());
    let log = GameLog::new(game);
    let actions_digest = log.digest();
    let none = Log::default();
    let files = folder.logs().write(
        queued.id,
        true,
        &log.into_bytes(),
        game.per_seat(|seat| (game.seat_name(seat), &none)),
    )?;
    let ticket = &queued.ticket;
    Ok(GameRow {
        id: queued.id,
        game,
        options: planned.options_text(),
        block: ticket.block,
        players: ticket
            .players
            .clone()
            .map(|player| plan.players[player].name.clone()),
        end: GameEnd {
            result,
            termination: Termination::Unplayed,
            reason: None,
            rules_points: None,
            faults: hopeless.each_ref().map(|streak| streak.as_ref().map(fault)),
            plies: 0,
            spent: game.per_seat(|_| Spent::default()),
        },
        actions_digest,
        answers: String::new(),
        date: utc(SystemTime::now()),
        took: Duration::ZERO,
        peak_kib: game.per_seat(|_| None),
        files,
        start,
    })
}

fn fault(streak: &Streak<Termination>) -> PlayerFault {
    let detail = format!(
        "not played: the bot has failed {} games in a row before its first action, all by `{}`, the last one in game {}",
        streak.games,
        streak.kind.name(),
        streak.last
    );
    PlayerFault {
        kind: FaultKind::Unplayed,
        termination: Termination::Unplayed,
        detail,
        late: None,
    }
}
