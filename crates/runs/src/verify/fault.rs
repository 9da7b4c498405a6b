//! Checks the faults of players in a row against the end of its game.

use crate::clock::Clock;
use crate::game::{Actors, Seat, Seats};
use crate::referee::{FaultKind, Termination};
use crate::runs::{GameRow, Recording};

/// Checks a row by itself. Where the game `drops` seats, it may have gone on without the players at fault.
pub(super) fn check_row(row: &GameRow, drops: bool) -> Result<(), String> {
    let end = &row.end;
    let found = end.termination.name();
    let before_play = end.termination.is_before_play();
    if before_play && end.plies > 0 {
        let plies = end.plies;
        return Err(format!(
            "`termination` is `{found}`, and {plies} plies were played"
        ));
    }
    let terminations = || {
        end.forfeiters()
            .iter()
            .map(|seat| end.termination_for(seat))
    };
    let is_named = drops || terminations().any(|it| it == end.termination);
    for at in row.game.seats() {
        let seat = row.game.seat_name(at);
        let Some(fault) = end.fault(at) else {
            continue;
        };
        if fault.detail.is_empty() {
            return Err(format!(
                "the detail of {seat} does not say what it did wrong"
            ));
        }
        let due = end.termination_for(at);
        let is_in_time = due.is_before_play() == before_play || drops && !before_play;
        let fits = fault.kind.fits(due) && is_in_time && is_named;
        if !fits {
            let fault = fault.kind.name();
            return Err(format!(
                "`termination` is `{found}`, and the fault of {seat} is `{fault}`"
            ));
        }
        if !drops && end.result != row.game.lost_by(end.forfeiters()) {
            return Err(format!(
                "the places are not the ones of a game that {seat} forfeited"
            ));
        }
    }
    Ok(())
}

/// Checks the faults of a game. `to_act` are the seats that were to act after its last ply.
pub(super) fn check_end(recording: &Recording, to_act: Actors) -> Result<(), String> {
    let row = &recording.row;
    let end = &row.end;
    let gone: Seats = recording.left().iter().flat_map(|set| set.iter()).collect();
    for seat in row.game.seats() {
        let Some(fault) = end.fault(seat) else {
            continue;
        };
        let found = end.termination_for(seat);
        if found.is_before_play() {
            continue;
        }
        let has_to_act = |actor| match fault.kind {
            FaultKind::DelayedOpponent => actor != seat,
            _ => actor == seat,
        };
        let is_over = gone.contains(seat) || to_act.is_nobody();
        if !is_over && !to_act.seats().any(has_to_act) {
            let forfeiter = row.game.seat_name(seat);
            let to_act = row.game.actor_names(to_act).unwrap_or_default();
            return Err(format!(
                "`forfeited_by` is the player of {forfeiter}, and {to_act} was to act"
            ));
        }
        let due = match is_capped(recording, seat) {
            true => Termination::Stall,
            false => Termination::Time,
        };
        // Of two that failed, the termination says nothing of the second one's clock.
        let is_named = row.game.seat_count() > 2 || end.forfeiters().iter().next() == Some(seat);
        if fault.kind == FaultKind::Late && is_named && found != due {
            let (found, due) = (found.name(), due.name());
            return Err(format!(
                "`termination` is `{found}`, and with this clock a late answer is `{due}`"
            ));
        }
    }
    Ok(())
}

/// Whether only the cap of wall time ends the wait for the next answer of a seat.
fn is_capped(recording: &Recording, seat: Seat) -> bool {
    let time = &recording.times[seat];
    let mut clock = Clock::new(time);
    for plies in recording.plies.iter().filter(|plies| !plies.is_drop()) {
        let spent = plies.actions().filter(|(actor, _)| *actor == seat);
        for spent in spent.filter_map(|(_, logged)| logged.spent) {
            // The game went on, so that no answer was too late.
            let _ = clock.charge(time, spent);
        }
    }
    clock.wait(time).wall >= time.wall_cap
}
