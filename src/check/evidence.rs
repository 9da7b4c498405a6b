//! Evidence of a check: observed facts, and their texts.

use std::fmt::{self, Display};
use std::time::Duration;

use super::Request;
use crate::bot::LateAnswer;
use crate::referee::{PlayerFault, Termination};

/// Observation of a bot in one respect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// No observation, because a precondition of the check was not met.
    Missing {
        /// The missing precondition.
        needs: &'static str,
    },
    /// The bot forfeited a game.
    Forfeit(ForfeitedGame),
    /// The bot's answer to the handshake.
    Hello {
        /// The bot's line.
        line: String,
        /// Longest time taken.
        took: Duration,
        /// Time limit.
        limit: Duration,
    },
    /// The bot got ready for games.
    Ready {
        /// Longest time taken.
        took: Duration,
        /// Time limit.
        limit: Duration,
    },
    /// Results of the bot's games.
    Results(Results),
    /// Slowest action of the bot.
    SlowestAction {
        /// Time taken.
        took: Duration,
        /// Time limit of an action.
        limit: Duration,
    },
    /// Peak memory of the bot and its descendants.
    PeakMemory {
        /// Peak, in bytes.
        bytes: u64,
        /// Memory limit, in bytes.
        limit: Option<u64>,
    },
    /// A game was replayed in a new process, with an equal seed.
    Repeated {
        /// The replayed game.
        game: GameLabel,
        /// First ply that differed, from 1; `None` if no ply did.
        differs_at: Option<usize>,
    },
    /// Maximum CPU time between two turns of the bot.
    OffTurn {
        /// CPU time.
        used: Duration,
    },
    /// The bot wrote an unrequested line at the end of a game.
    UnaskedLine {
        /// Number of the game, from 1.
        game: u32,
    },
    /// Amount of output besides answers.
    DebugOutput {
        /// Number of games.
        games: usize,
        /// Total bytes.
        bytes: u64,
        /// Bytes that were not kept.
        dropped: u64,
    },
    /// The bot exited after `quit`.
    Exited,
    /// The bot had to be killed after `quit`.
    Killed {
        /// Time it had to exit.
        waited: Duration,
    },
    /// Processes that outlived the bot.
    Leftovers {
        /// Number of killed processes.
        killed: u32,
        /// Number of processes that survived the kill.
        survivors: u32,
    },
}

/// Results of a bot's games.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Results {
    /// Number of games with a request for an action.
    pub begun: usize,
    /// Names of the seats that the bot had.
    pub seats: Vec<&'static str>,
    /// Number of games won.
    pub won: usize,
    /// Number of games drawn.
    pub drawn: usize,
    /// Number of games lost without a forfeit.
    pub lost: usize,
}

impl Results {
    /// Number of games without a forfeit of the bot.
    pub fn finished(&self) -> usize {
        self.won + self.drawn + self.lost
    }
}

impl Display for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} of {} to their end, as {}: {} won, {} drawn, {} lost against random",
            self.finished(),
            self.begun,
            self.seats.join(" and "),
            self.won,
            self.drawn,
            self.lost
        )
    }
}

/// A game that the bot forfeited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ForfeitedGame {
    /// The game.
    pub game: GameLabel,
    /// Termination of the game.
    pub termination: Termination,
    /// The bot's fault.
    pub fault: PlayerFault,
    /// The last request to the bot.
    pub request: Option<Request>,
    /// The answer that came late, if one did.
    pub late_answer: Option<LateAnswer>,
    /// Last lines of output before its process ended, escaped for a terminal.
    pub last_lines: Vec<String>,
}

/// A game of a check, as shown to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameLabel {
    /// Number of the game, from 1.
    pub number: u32,
    /// Name of the bot's seat.
    pub seat: &'static str,
}

impl Display for GameLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, as {}", self.number, self.seat)
    }
}
