//! Checks the faults of players in a row against the end of its game.

use std::time::Duration;

use crate::clock::Wait;
use crate::game::{Blame, PerSeat, Seat};
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
    /// Both players forfeited after the handshake, where only the player to act can.
    #[error("`forfeited_by` is `both`, which can be in a handshake only, not by `{termination}`")]
    Both { termination: &'static str },
    /// The fault is of a player that was not to act.
    #[error("`forfeited_by` is the player of {blamed}, and {to_act} was to act")]
    Seat {
        blamed: &'static str,
        to_act: &'static str,
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
    let before_play = is_before_play(end.termination);
    if end.blame() == Blame::Both && !before_play {
        return Err(FaultProblem::Both { termination: found });
    }
    if before_play && end.plies > 0 {
        return Err(FaultProblem::Plies {
            termination: found,
            plies: end.plies,
        });
    }
    for at in Seat::BOTH {
        let seat = row.game.seat_name(at);
        let Some(fault) = end.fault(at) else {
            continue;
        };
        if fault.detail.is_empty() {
            return Err(FaultProblem::Missing { seat });
        }
        if !fault.kind.fits(end.termination) {
            return Err(FaultProblem::Termination {
                found,
                seat,
                fault: fault.kind.name(),
            });
        }
    }
    Ok(())
}

fn is_before_play(termination: Termination) -> bool {
    matches!(termination, Termination::Handshake | Termination::Unplayed)
}

/// Checks the end of a game that was forfeited while `to_act` was to act. `waits` are the maximum waits for an
/// answer, by seat.
pub(super) fn check_end(
    row: &GameRow,
    to_act: Seat,
    waits: PerSeat<Wait>,
    wall_cap: Duration,
) -> Result<(), FaultProblem> {
    let end = &row.end;
    let Blame::Of(blamed) = end.blame() else {
        return Ok(());
    };
    let kind = end.fault(blamed).map(|fault| fault.kind);
    let due = match kind {
        Some(FaultKind::DelayedOpponent) => to_act.other(),
        _ => to_act,
    };
    if is_before_play(end.termination) {
        return Ok(());
    }
    if blamed != due {
        return Err(FaultProblem::Seat {
            blamed: row.game.seat_name(blamed),
            to_act: row.game.seat_name(to_act),
        });
    }
    let due = match waits[to_act].wall >= wall_cap {
        true => Termination::Stall,
        false => Termination::Time,
    };
    match kind == Some(FaultKind::Late) && end.termination != due {
        true => Err(FaultProblem::Clock {
            found: end.termination.name(),
            due: due.name(),
        }),
        false => Ok(()),
    }
}
