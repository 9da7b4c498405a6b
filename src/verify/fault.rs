//! Checks the faults of players in a row against the end of its game.

use std::time::Duration;

use crate::clock::Wait;
use crate::game::{Actors, PerSeat};
use crate::referee::{FaultKind, Termination};
use crate::runs::GameRow;

/// A contradiction in the record of a forfeit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum FaultProblem {
    /// The fault has no explanation.
    #[error("the detail of {seat} does not say what it did wrong")]
    Missing { seat: &'static str },
    /// Such a fault cannot end a game with this termination.
    #[error("`termination` is `{found}`, and the fault of {seat} is `{fault}`")]
    Termination {
        found: &'static str,
        seat: &'static str,
        fault: &'static str,
    },
    /// A game that ended before its first ply has plies.
    #[error("`termination` is `{termination}`, and {plies} plies were played")]
    Plies {
        termination: &'static str,
        plies: u32,
    },
    /// The fault is of a player that was not to act.
    #[error("`forfeited_by` is the player of {blamed}, and {to_act} was to act")]
    Seat {
        blamed: &'static str,
        to_act: String,
    },
    /// With this clock a late answer ends a game by another termination.
    #[error("`termination` is `{found}`, and with this clock a late answer is `{due}`")]
    Clock {
        found: &'static str,
        due: &'static str,
    },
}

/// Checks a row by itself.
pub(super) fn check_row(row: &GameRow) -> Result<(), FaultProblem> {
    let end = &row.end;
    let found = end.termination.name();
    let before_play = end.termination.is_before_play();
    if before_play && end.plies > 0 {
        return Err(FaultProblem::Plies {
            termination: found,
            plies: end.plies,
        });
    }
    for at in row.game.seats() {
        let seat = row.game.seat_name(at);
        let Some(fault) = end.fault(at) else {
            continue;
        };
        if fault.detail.is_empty() {
            return Err(FaultProblem::Missing { seat });
        }
        let due = end.termination_for(at);
        let fits = fault.kind.fits(due) && due.is_before_play() == before_play;
        if !fits {
            return Err(FaultProblem::Termination {
                found,
                seat,
                fault: fault.kind.name(),
            });
        }
    }
    Ok(())
}

/// Checks the end of a game that was forfeited while `to_act` were to act. `waits` are the maximum waits for an
/// answer, by seat.
pub(super) fn check_end(
    row: &GameRow,
    to_act: Actors,
    waits: PerSeat<Wait>,
    wall_caps: PerSeat<Duration>,
) -> Result<(), FaultProblem> {
    let end = &row.end;
    let Some(actors) = row.game.actor_names(to_act) else {
        return Ok(());
    };
    if end.termination.is_before_play() {
        return Ok(());
    }
    for seat in row.game.seats() {
        let Some(fault) = end.fault(seat) else {
            continue;
        };
        let has_to_act = |actor| match fault.kind {
            FaultKind::DelayedOpponent => actor != seat,
            _ => actor == seat,
        };
        if !to_act.seats().any(has_to_act) {
            return Err(FaultProblem::Seat {
                blamed: row.game.seat_name(seat),
                to_act: actors,
            });
        }
        let due = match waits[seat].wall >= wall_caps[seat] {
            true => Termination::Stall,
            false => Termination::Time,
        };
        // The termination says nothing of the clocks of later seats where several failed.
        let is_named = end.blamed().iter().next() == Some(seat);
        if fault.kind == FaultKind::Late && is_named && end.termination != due {
            return Err(FaultProblem::Clock {
                found: end.termination.name(),
                due: due.name(),
            });
        }
    }
    Ok(())
}
