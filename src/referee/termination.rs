//! The ends of games. `docs/failures.md` says for each one whose fault it is, how it is recorded and
//! how the run goes on.

/// Kinds of ends of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Termination {
    /// By the rules of the game.
    Rules,
    /// By a limit of the tournament that the game's rules do not have.
    Adjudication,
    /// A player's action was illegal.
    IllegalAction,
    /// A player's answer was not an action, not a line of text, or not requested.
    ProtocolError,
    /// A player used more time than it had.
    Time,
    /// A player gave no answer within the cap on wall time, whatever its clock said.
    Stall,
    /// A player's process ended or closed its stdout.
    Crash,
    /// A player with its descendants exceeded its memory limit.
    Memory,
    /// A player did not complete the handshake, or was not ready for the game.
    Handshake,
    /// A person left the game.
    Left,
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
        Termination::Left,
    ];

    /// Name in the protocol and in records.
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
            Termination::Left => "left",
        }
    }

    /// Whether no forfeit ended such a game: the rules did, or a limit.
    pub fn is_by_rules(self) -> bool {
        matches!(self, Termination::Rules | Termination::Adjudication)
    }

    /// Whether such a game ended before its first request for an action.
    pub fn is_before_play(self) -> bool {
        self == Termination::Handshake
    }

    /// The termination with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }
}
