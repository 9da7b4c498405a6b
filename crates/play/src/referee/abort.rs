//! Games that cannot be played to their end, or not by all.

use super::{FaultKind, PlayerFault, Termination};
use crate::bot::Fault;
use crate::clock::{Clock, Spent};
use crate::game::{PerSeat, RulesFault, Seat, Seats};

#[derive(Debug, thiserror::Error)]
pub enum Void {
    #[error("the game was broken off")]
    BrokenOff,
    /// The machine or the harness failed while it dealt with a player.
    #[error("{seat}: {fault}")]
    Machine {
        seat: &'static str,
        #[source]
        fault: Fault,
    },
    #[error(
        "{seat}: {detail}. The machine is too busy: play fewer games at a time (-j), stop what else \
         runs, or give time on a processor instead of on the wall (measure = \"cpu\")"
    )]
    Contention {
        seat: &'static str,
        detail: String,
        /// The other seat whose bot computed more than it may meanwhile, where that was one.
        by: Option<Seat>,
    },
    #[error("the opening has `{action}` at ply {ply}, which is illegal")]
    Opening { action: String, ply: u32 },
    #[error(transparent)]
    Rules(RulesFault),
    /// The rules of the game failed on the actions of these seats.
    #[error("{fault}. The rules were given {actions}")]
    RulesAfter {
        actors: Seats,
        actions: String,
        #[source]
        fault: RulesFault,
    },
}

impl Void {
    pub fn rules_fault(&self) -> Option<&RulesFault> {
        match self {
            Self::Rules(fault) | Self::RulesAfter { fault, .. } => {
                (!fault.is_of_machine()).then_some(fault)
            }
            _ => None,
        }
    }

    /// The seat whose bot alone computed more than it may while another waited for a processor.
    pub fn delayed_by(&self) -> Option<Seat> {
        match self {
            Self::Contention { by, .. } => *by,
            _ => None,
        }
    }

    pub fn actors(&self) -> Seats {
        match self {
            Self::RulesAfter { actors, .. } => *actors,
            _ => Seats::default(),
        }
    }
}

impl From<RulesFault> for Void {
    fn from(fault: RulesFault) -> Self {
        match fault {
            RulesFault::BrokenOff => Self::BrokenOff,
            fault => Self::Rules(fault),
        }
    }
}

pub(super) enum Abort {
    Resigned(Seat),
    Forfeit(Box<FaultyEnd>),
    Void(Void),
}

pub(super) struct FaultyEnd {
    pub termination: Termination,
    pub faults: PerSeat<Option<PlayerFault>>,
}

impl FaultyEnd {
    /// The game ended in another way than the kinds of the faults say.
    pub fn end_by(&mut self, termination: Termination) {
        self.termination = termination;
        let faults = self.faults.iter_mut();
        faults
            .filter_map(|(_, fault)| fault.as_mut())
            .for_each(|fault| fault.termination = termination);
    }
}

impl From<RulesFault> for Abort {
    fn from(fault: RulesFault) -> Self {
        Self::Void(fault.into())
    }
}

impl Abort {
    pub fn forfeit(seats: usize, seat: Seat, kind: FaultKind, detail: String) -> Self {
        let mut faults = PerSeat::defaults(seats);
        faults[seat] = Some(PlayerFault {
            kind,
            termination: kind.termination(),
            detail,
            late: None,
        });
        Self::Forfeit(Box::new(FaultyEnd {
            termination: kind.termination(),
            faults,
        }))
    }

    /// Combines the verdicts on all players: every failed player is to blame, and the first failure names the
    /// termination. A failure of the machine goes before a player's.
    pub fn all(verdicts: PerSeat<Result<(), Abort>>) -> Result<(), Abort> {
        let mut forfeit: Option<Box<FaultyEnd>> = None;
        for verdict in verdicts.into_values() {
            match (verdict, &mut forfeit) {
                (Ok(()), _) => {}
                (Err(other @ (Abort::Void(_) | Abort::Resigned(_))), _) => return Err(other),
                (Err(Abort::Forfeit(first)), None) => forfeit = Some(first),
                // A player can be to blame for what became of another.
                (Err(Abort::Forfeit(mut later)), Some(forfeit)) => {
                    for (seat, fault) in forfeit.faults.iter_mut() {
                        *fault = fault.take().or_else(|| later.faults[seat].take());
                    }
                }
            }
        }
        forfeit.map_or(Ok(()), |forfeit| Err(Abort::Forfeit(forfeit)))
    }
}

/// The seats that left a game, and the others whose answers stand.
pub(super) struct Dropping {
    /// The seats that left, the earliest first, in sets by ply.
    pub left: Vec<Seats>,
    /// The faults by which they left. A seat that resigned has none.
    pub faults: PerSeat<Option<PlayerFault>>,
    /// Seats whose players failed before the first request. They leave after the opening.
    pub early: Seats,
    /// Seats whose answers stand, since others failed in the turn.
    pub standing: Seats,
    /// The clocks and the sums of times before that turn.
    pub before: Option<(PerSeat<Clock>, PerSeat<Spent>)>,
}

impl Dropping {
    pub fn new(seats: usize) -> Self {
        Self {
            left: Vec::new(),
            faults: PerSeat::defaults(seats),
            early: Seats::default(),
            standing: Seats::default(),
            before: None,
        }
    }

    pub fn gone(&self) -> Seats {
        let left = self.left.iter().flat_map(|set| set.iter());
        left.chain(self.early.iter()).collect()
    }
}
