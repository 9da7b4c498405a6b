//! The row of a game that is forfeited unplayed.

use std::time::{Duration, SystemTime};

use crate::bot::Log;
use crate::config::Plan;
use crate::game::{GameResult, PerSeat, Seat};
use crate::referee::{FaultKind, GameEnd, PlayerFault, Termination};
use crate::runner::queue::{Hopeless, QueuedGame};
use crate::runs::{GameLog, GameRow, GameStart, RunFileError, RunFolder, utc};
use crate::schedule::Streak;

/// Row of a game that one or both players forfeit. Its log has no ply, like the log of a failed handshake.
pub fn unplayed(
    plan: &Plan,
    folder: &RunFolder,
    queued: &QueuedGame,
    hopeless: &Hopeless,
    start: GameStart,
) -> Result<GameRow, RunFileError> {
    let planned = &plan.games[queued.game];
    let game = planned.game();
    let result = match hopeless.each_ref().into_array() {
        [Some(_), Some(_)] => GameResult::Nobody,
        [Some(_), None] => GameResult::Won(Seat::SECOND),
        [None, _] => GameResult::Won(Seat::FIRST),
    };
    let log = GameLog::new(game);
    let actions_digest = log.digest();
    let none = Log::default();
    let [first, second] = game.seat_names();
    let files = folder.logs().write(
        queued.id,
        true,
        &log.into_bytes(),
        [(first, &none), (second, &none)].into(),
    )?;
    let ticket = &queued.ticket;
    Ok(GameRow {
        id: queued.id,
        game,
        options: planned.options_text(),
        pair: ticket.pair,
        players: ticket
            .players
            .map(|player| plan.players[player].name.clone()),
        end: GameEnd {
            result,
            termination: Termination::Unplayed,
            reason: None,
            points: None,
            faults: hopeless.map(|streak| streak.map(|it| fault(&it))),
            plies: 0,
            spent: PerSeat::default(),
        },
        actions_digest,
        answers: String::new(),
        date: utc(SystemTime::now()),
        took: Duration::ZERO,
        peak_kib: PerSeat::default(),
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
        detail,
        late: None,
    }
}
