//! What was seen of a bot: facts, and the words for them.

use std::fmt::{self, Display};
use std::time::Duration;

use super::Request;
use crate::player::LateAnswer;
use crate::referee::{PlayerFault, Termination};

/// What was seen of a bot in one respect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    /// Nothing was seen, because what the check needs did not come about.
    Missing {
        /// What it needs.
        needs: &'static str,
    },
    /// The bot lost a game by its own fault.
    Forfeit(Forfeit),
    /// How the bot introduced itself.
    Hello {
        /// Its line.
        line: String,
        /// The longest that this took.
        took: Duration,
        /// How long it may take.
        limit: Duration,
    },
    /// The bot got ready for games.
    Ready {
        /// The longest that this took.
        took: Duration,
        /// How long it may take.
        limit: Duration,
    },
    /// How the bot's games ended.
    Results(Results),
    /// How long the bot took for its slowest action.
    SlowestAction {
        /// What it took.
        took: Duration,
        /// How long an action may take.
        limit: Duration,
    },
    /// How much memory the bot with its descendants held at most.
    PeakMemory {
        /// What it held, in bytes.
        bytes: u64,
        /// What it may hold.
        limit: Option<u64>,
    },
    /// A game was played again in a new process, with the same seed.
    Repeated {
        /// Which game.
        game: GameLabel,
        /// The first ply that was not the same, from 1.
        differs_at: Option<usize>,
    },
    /// The most processor time that the bot used between two of its turns.
    OffTurn {
        /// How much.
        used: Duration,
    },
    /// The bot wrote a line that was not requested as a game ended.
    UnaskedLine {
        /// The number of the game, from 1.
        game: u32,
    },
    /// How much the bot wrote besides its answers.
    DebugOutput {
        /// In how many games.
        games: usize,
        /// How many bytes.
        bytes: u64,
        /// How many of them were not kept.
        dropped: u64,
    },
    /// The bot exited after `quit`.
    Exited,
    /// The bot had to be killed after `quit`.
    Killed {
        /// How long it had to exit.
        waited: Duration,
    },
    /// Processes that outlived the bot.
    Leftovers {
        /// How many were killed.
        killed: u32,
        /// How many could not be killed.
        survivors: u32,
    },
}

/// How the games of a bot ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Results {
    /// In how many games it was asked for an action.
    pub begun: usize,
    /// The names of the seats that it had.
    pub seats: Vec<&'static str>,
    /// How many games it won.
    pub won: usize,
    /// How many games were drawn.
    pub drawn: usize,
    /// How many games it lost without a forfeit.
    pub lost: usize,
}

impl Results {
    /// How many games were played without a forfeit of the bot.
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

/// A game that the bot lost by its own fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Forfeit {
    /// Which game.
    pub game: GameLabel,
    /// How the game ended.
    pub termination: Termination,
    /// What the bot did wrong.
    pub fault: PlayerFault,
    /// What the bot was asked for last.
    pub request: Option<Request>,
    /// What became of an answer that was late.
    pub late_answer: Option<LateAnswer>,
    /// The last lines that the bot wrote before its process ended, fit for a terminal.
    pub last_lines: Vec<String>,
}

/// A game of a check, as it is named to people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameLabel {
    /// Its number, from 1.
    pub number: u32,
    /// The name of the bot's seat.
    pub seat: &'static str,
}

impl Display for GameLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, as {}", self.number, self.seat)
    }
}
