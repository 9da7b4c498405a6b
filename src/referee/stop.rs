//! Why a game stopped before its rules ended it.

use super::{Blame, Termination};
use crate::game::{Game, Seat};
use crate::player::Fault;

/// A game that cannot go on.
pub(super) struct Stop {
    pub termination: Termination,
    pub blame: Blame,
    /// What went wrong, for the record.
    pub detail: String,
    /// What each player is told about what it did wrong itself, by seat.
    pub told: [String; 2],
}

impl Stop {
    /// The player of `seat` forfeits.
    pub fn forfeit(seat: Seat, termination: Termination, detail: String) -> Self {
        let mut told = [String::new(), String::new()];
        told[seat.index()].clone_from(&detail);
        Self {
            termination,
            blame: Blame::Of(seat),
            detail,
            told,
        }
    }

    /// The machine failed while it dealt with the player of `seat`.
    pub fn void(seat: Seat, game: Game, fault: &Fault) -> Self {
        Self {
            termination: Termination::Void,
            blame: Blame::Nobody,
            detail: format!("{}: {fault}", game.seat_name(seat)),
            told: Default::default(),
        }
    }

    /// The player of `seat` was late, and would not have been if the machine had not been so busy.
    pub fn spoilt(seat: Seat, game: Game, detail: &str) -> Self {
        Self {
            termination: Termination::Void,
            blame: Blame::Nobody,
            detail: format!(
                "{}: {detail}. The machine is too busy: play fewer games at a time (-j), stop what else \
                 runs, or give time on a processor instead of on the wall (measure = \"cpu\")",
                game.seat_name(seat)
            ),
            told: Default::default(),
        }
    }

    /// The opening cannot be played, which is nobody's fault who plays.
    pub fn bad_opening(action: &str, ply: u32) -> Self {
        Self {
            termination: Termination::Void,
            blame: Blame::Nobody,
            detail: format!("the opening has `{action}` at ply {ply}, which is illegal"),
            told: Default::default(),
        }
    }

    /// One verdict from those of both players, by seat: where both failed, both are to blame. A
    /// failure of the machine goes before a player's.
    pub fn both(game: Game, results: [Result<(), Stop>; 2]) -> Result<(), Stop> {
        match results {
            [Ok(()), Ok(())] => Ok(()),
            [Err(stop), Ok(())] | [Ok(()), Err(stop)] => Err(stop),
            [Err(first), Err(second)] => match (first.termination, second.termination) {
                (Termination::Void, _) => Err(first),
                (_, Termination::Void) => Err(second),
                // A player can be to blame for what became of the other.
                _ if first.blame == second.blame => Err(first),
                _ => {
                    let [one, other] = game.seat_names();
                    let told = match first.blame.includes(Seat::First) {
                        true => [first.detail, second.detail],
                        false => [second.detail, first.detail],
                    };
                    Err(Stop {
                        termination: first.termination,
                        blame: Blame::Both,
                        detail: format!("{one}: {}; {other}: {}", told[0], told[1]),
                        told,
                    })
                }
            },
        }
    }
}
