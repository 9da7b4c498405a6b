//! Faults by which players forfeit, as the journal has them.

use std::fmt::{self, Display};

use super::termination::Termination;
use crate::bot::{Fault, LateCause};

/// A fault by which a player forfeits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerFault {
    /// Its kind.
    pub kind: FaultKind,
    /// How it ended the player's game.
    pub termination: Termination,
    /// An explanation, also sent to the bot.
    pub detail: String,
    /// Cause of an answer after the deadline. It is known only when the bot is closed, so the bot is not told.
    pub late: Option<LateCause>,
}

impl Display for PlayerFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let remark = match self.late {
            Some(LateCause::Buffered) => {
                "; its answer came only when its input was closed: flush standard output after each line"
            }
            Some(LateCause::Unended) => {
                "; its answer came without a line end: end each line with a newline"
            }
            Some(LateCause::Slow) | None => "",
        };
        write!(f, "{}{remark}", self.detail)
    }
}

/// The kinds of faults that forfeit a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultKind {
    /// [`Fault::NotStarted`].
    NotStarted,
    /// [`Fault::NotBuilt`].
    NotBuilt,
    /// [`Fault::Late`].
    Late,
    /// [`Fault::CpuSpent`].
    CpuSpent,
    /// [`Fault::OffTurn`].
    OffTurn,
    /// [`Fault::Uncounted`].
    Uncounted,
    /// [`Fault::Exited`].
    Exited,
    /// [`Fault::Memory`].
    Memory,
    /// [`Fault::HungUp`].
    HungUp,
    /// [`Fault::Left`].
    Left,
    /// [`Fault::OutOfTurn`], [`Fault::MoveUnasked`].
    OutOfTurn,
    /// [`Fault::LineTooLong`].
    LineTooLong,
    /// [`Fault::Flood`].
    Flood,
    /// [`Fault::NotText`].
    NotText,
    /// The answer to the handshake was wrong, or [`Fault::EngineOption`].
    BadHello,
    /// [`Fault::Refused`].
    Refused,
    /// The answer to the start of the game was wrong.
    NotReady,
    /// The answer is not in the game's notation.
    NotAnAction,
    /// The action is illegal.
    Illegal,
    /// An adapter reports that the program behind it gave no action.
    NoAction,
    /// The answer came, and took longer than the clock allows.
    Overrun,
    /// It used so much CPU time off turn that its opponent was late.
    DelayedOpponent,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [FaultKind; 22] = [
        FaultKind::NotStarted,
        FaultKind::NotBuilt,
        FaultKind::Late,
        FaultKind::CpuSpent,
        FaultKind::OffTurn,
        FaultKind::Uncounted,
        FaultKind::Exited,
        FaultKind::Memory,
        FaultKind::HungUp,
        FaultKind::Left,
        FaultKind::OutOfTurn,
        FaultKind::LineTooLong,
        FaultKind::Flood,
        FaultKind::NotText,
        FaultKind::BadHello,
        FaultKind::Refused,
        FaultKind::NotReady,
        FaultKind::NotAnAction,
        FaultKind::Illegal,
        FaultKind::NoAction,
        FaultKind::Overrun,
        FaultKind::DelayedOpponent,
    ];

    /// The kind of a bot's failure to answer; `None` if the bot is not to blame.
    pub fn of(fault: &Fault) -> Option<Self> {
        Some(match fault {
            Fault::NotStarted { .. } => FaultKind::NotStarted,
            Fault::NotBuilt { .. } => FaultKind::NotBuilt,
            Fault::Late { .. } => FaultKind::Late,
            Fault::CpuSpent { .. } => FaultKind::CpuSpent,
            Fault::OffTurn { .. } => FaultKind::OffTurn,
            Fault::Uncounted => FaultKind::Uncounted,
            Fault::Exited { .. } => FaultKind::Exited,
            Fault::Memory { .. } => FaultKind::Memory,
            Fault::HungUp => FaultKind::HungUp,
            Fault::Left => FaultKind::Left,
            Fault::OutOfTurn { .. } | Fault::MoveUnasked { .. } => FaultKind::OutOfTurn,
            Fault::EngineOption { .. } => FaultKind::BadHello,
            Fault::Refused { .. } => FaultKind::Refused,
            Fault::LineTooLong { .. } => FaultKind::LineTooLong,
            Fault::Flood { .. } => FaultKind::Flood,
            Fault::NotText => FaultKind::NotText,
            Fault::Starved { .. } | Fault::BrokenOff | Fault::Machine(_) => return None,
        })
    }

    /// Name in records, and the termination of a game after its handshake.
    fn name_and_termination(self) -> (&'static str, Termination) {
        match self {
            FaultKind::NotStarted => ("not_started", Termination::Crash),
            FaultKind::NotBuilt => ("not_built", Termination::Crash),
            FaultKind::Late => ("late", Termination::Time),
            FaultKind::CpuSpent => ("cpu_spent", Termination::Time),
            FaultKind::OffTurn => ("off_turn", Termination::Time),
            FaultKind::Uncounted => ("uncounted", Termination::Time),
            FaultKind::Exited => ("exited", Termination::Crash),
            FaultKind::Memory => ("memory", Termination::Memory),
            FaultKind::HungUp => ("hung_up", Termination::Crash),
            FaultKind::Left => ("left", Termination::Left),
            FaultKind::OutOfTurn => ("out_of_turn", Termination::ProtocolError),
            FaultKind::LineTooLong => ("line_too_long", Termination::ProtocolError),
            FaultKind::Flood => ("flood", Termination::ProtocolError),
            FaultKind::NotText => ("not_text", Termination::ProtocolError),
            FaultKind::BadHello => ("bad_hello", Termination::Handshake),
            FaultKind::Refused => ("refused", Termination::ProtocolError),
            FaultKind::NotReady => ("not_ready", Termination::Handshake),
            FaultKind::NotAnAction => ("not_an_action", Termination::ProtocolError),
            FaultKind::Illegal => ("illegal", Termination::IllegalAction),
            FaultKind::NoAction => ("no_action", Termination::IllegalAction),
            FaultKind::Overrun => ("overrun", Termination::Time),
            FaultKind::DelayedOpponent => ("delayed_opponent", Termination::Time),
        }
    }

    /// The name in records.
    pub fn name(self) -> &'static str {
        self.name_and_termination().0
    }

    /// The kind with this name in records.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }

    /// Termination of a game by such a fault after the handshake. An answer that is [late](Self::Late)
    /// beyond the cap on wall time makes it a stall instead.
    pub fn termination(self) -> Termination {
        self.name_and_termination().1
    }

    /// Whether such a fault can end a game with this termination.
    pub fn fits(self, termination: Termination) -> bool {
        match termination {
            Termination::Handshake => !matches!(
                self,
                FaultKind::NotAnAction
                    | FaultKind::Illegal
                    | FaultKind::NoAction
                    | FaultKind::Overrun
                    | FaultKind::Left
            ),
            Termination::Stall => self == FaultKind::Late,
            termination => termination == self.termination(),
        }
    }
}
