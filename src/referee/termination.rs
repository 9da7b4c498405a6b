//! How a game can end. `docs/failures.md` says for each end whose fault it is, what is recorded
//! and what happens next.

use crate::clock::Spent;
use crate::game::{Game, Reason, Seat};

/// Every way in which a game can end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Termination {
    /// By the rules of the game.
    Rules,
    /// By a limit of ours that the rules of the game do not have.
    Adjudication,
    /// A player played an action that the rules forbid.
    IllegalAction,
    /// A player's answer was not an action at all, was not one line of text, or was not asked for.
    ProtocolError,
    /// A player used more time than it had.
    Time,
    /// A player gave no answer before the cap on the wall, whatever its clock said.
    Stall,
    /// A player's process ended or closed its stdout.
    Crash,
    /// A player with all its descendants held more memory than it may.
    Memory,
    /// A player did not complete the handshake, or did not get ready for the game.
    Handshake,
    /// The machine or the harness failed. The game counts for nothing and is played again.
    Void,
}

impl Termination {
    /// All terminations.
    pub const ALL: [Termination; 10] = [
        Termination::Rules,
        Termination::Adjudication,
        Termination::IllegalAction,
        Termination::ProtocolError,
        Termination::Time,
        Termination::Stall,
        Termination::Crash,
        Termination::Memory,
        Termination::Handshake,
        Termination::Void,
    ];

    /// The name in the protocol and in records.
    pub fn name(self) -> &'static str {
        match self {
            Termination::Rules => "rules",
            Termination::Adjudication => "adjudication",
            Termination::IllegalAction => "illegal_action",
            Termination::ProtocolError => "protocol_error",
            Termination::Time => "time",
            Termination::Stall => "stall",
            Termination::Crash => "crash",
            Termination::Memory => "memory",
            Termination::Handshake => "handshake",
            Termination::Void => "void",
        }
    }

    /// The termination of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }
}

/// Who is to blame for the end of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blame {
    /// Nobody, or nobody who plays.
    Nobody,
    /// The player of one seat, who forfeits the game.
    Of(Seat),
    /// Both players, who both forfeit: nobody wins, and it is no draw.
    Both,
}

impl Blame {
    /// Whether `seat` is to blame.
    pub fn includes(self, seat: Seat) -> bool {
        match self {
            Blame::Nobody => false,
            Blame::Of(blamed) => blamed == seat,
            Blame::Both => true,
        }
    }
}

/// How one game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameEnd {
    /// Who won; `None` is a draw, a void game, or one that both players forfeited.
    pub winner: Option<Seat>,
    /// In which way.
    pub termination: Termination,
    /// Through whose fault.
    pub blame: Blame,
    /// By which rule, where it ended by one.
    pub reason: Option<Reason>,
    /// More about a forfeit or a void game, in words that help.
    pub detail: String,
    /// How many plies were played, the opening included.
    pub plies: u32,
    /// The time that each player spent in all, by seat.
    pub spent: [Spent; 2],
}

impl GameEnd {
    /// The points of both seats: 1, ½ or 0 each, none for a void game.
    pub fn points(&self) -> Option<[f64; 2]> {
        match (self.termination, self.winner, self.blame) {
            (Termination::Void, _, _) => None,
            (_, Some(Seat::First), _) => Some([1.0, 0.0]),
            (_, Some(Seat::Second), _) => Some([0.0, 1.0]),
            (_, None, Blame::Both) => Some([0.0, 0.0]),
            (_, None, _) => Some([0.5, 0.5]),
        }
    }

    /// The seat that won by its name in `game`; `draw`, or `none` where nobody won and it was no
    /// draw either.
    pub fn winner_name(&self, game: Game) -> &'static str {
        match (self.winner, self.points()) {
            (Some(seat), _) => game.seat_name(seat),
            (None, Some([0.5, _])) => "draw",
            (None, _) => "none",
        }
    }
}
