//! Why a game stopped before its rules ended it.

use super::{FaultKind, PlayerFault, Termination};
use crate::bot::Fault;
use crate::game::{RulesFault, Seat};

/// Why a game counts for nothing and is played again.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum Void {
    /// Somebody told the run to stop at once.
    #[error("the game was broken off")]
    BrokenOff,
    /// The machine or the harness failed while it dealt with a player.
    #[error("{seat}: {fault}")]
    Machine {
        seat: &'static str,
        #[source]
        fault: Fault,
    },
    /// A player was late because the machine was too busy.
    #[error(
        "{seat}: {detail}. The machine is too busy: play fewer games at a time (-j), stop what else \
         runs, or give time on a processor instead of on the wall (measure = \"cpu\")"
    )]
    Contention { seat: &'static str, detail: String },
    /// The opening cannot be played, which is not the fault of a player.
    #[error("the opening has `{action}` at ply {ply}, which is illegal")]
    Opening { action: String, ply: u32 },
    /// The rules of the game failed.
    #[error(transparent)]
    Rules(#[from] RulesFault),
}

/// A game that cannot go on.
pub(super) enum Stop {
    Forfeit(Forfeit),
    Void(Void),
}

/// A game that a player, or both, lost by their own fault.
pub(super) struct Forfeit {
    pub termination: Termination,
    /// The players' faults, by seat.
    pub faults: [Option<PlayerFault>; 2],
}

impl From<RulesFault> for Stop {
    fn from(fault: RulesFault) -> Self {
        Self::Void(Void::Rules(fault))
    }
}

impl Stop {
    /// The player of `seat` forfeits.
    pub fn forfeit(seat: Seat, kind: FaultKind, detail: String) -> Self {
        let mut faults = [None, None];
        faults[seat.index()] = Some(PlayerFault {
            kind,
            detail,
            late: None,
        });
        Self::Forfeit(Forfeit {
            termination: kind.termination(),
            faults,
        })
    }

    /// One verdict from those of both players, by seat: where both failed, both are to blame. A
    /// failure of the machine goes before a player's.
    pub fn both(results: [Result<(), Stop>; 2]) -> Result<(), Stop> {
        match results {
            [Ok(()), Ok(())] => Ok(()),
            // A player can be to blame for what became of the other.
            [Err(Stop::Forfeit(first)), Err(Stop::Forfeit(second))] => {
                let [one, other] = first.faults;
                let [one_later, other_later] = second.faults;
                Err(Stop::Forfeit(Forfeit {
                    termination: first.termination,
                    faults: [one.or(one_later), other.or(other_later)],
                }))
            }
            [Err(void @ Stop::Void(_)), _] | [_, Err(void @ Stop::Void(_))] => Err(void),
            [Err(stop), Ok(())] | [Ok(()), Err(stop)] => Err(stop),
        }
    }
}
