//! What was seen of a bot: facts, and the words for them.

use std::fmt::{self, Display};
use std::time::Duration;

use super::{Check, Finding, Request, Trouble};
use crate::player::{LateAnswer, mebibytes, seconds};
use crate::referee::Termination;

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
    /// What the bot did wrong, in words.
    pub detail: String,
    /// What the bot was asked for last.
    pub request: Option<Request>,
    /// Why it gave no answer, where it gave none.
    pub trouble: Option<Trouble>,
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

impl Display for Finding {
    /// What was seen, in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.evidence {
            Evidence::Missing { needs } => write!(f, "needs {needs}"),
            Evidence::Forfeit(forfeit) => {
                let (game, detail) = (&forfeit.game, &forfeit.detail);
                match self.check {
                    Check::Handshake | Check::Ready => f.write_str(detail),
                    Check::Games => {
                        write!(f, "{game}: {}: {detail}", forfeit.termination.name())
                    }
                    _ => write!(f, "{game}: {detail}"),
                }
            }
            Evidence::Hello { line, took, limit } => {
                write!(
                    f,
                    "`{line}` after {} of {}",
                    seconds(*took),
                    seconds(*limit)
                )
            }
            Evidence::Ready { took, limit } => {
                write!(
                    f,
                    "after {} at most, of {}",
                    seconds(*took),
                    seconds(*limit)
                )
            }
            Evidence::Results(results) => results.fmt(f),
            Evidence::SlowestAction { took, limit } => {
                write!(
                    f,
                    "slowest answer {} of {}",
                    seconds(*took),
                    seconds(*limit)
                )
            }
            Evidence::PeakMemory { bytes, limit } => {
                write!(f, "{} at most", mebibytes(*bytes))?;
                match limit {
                    Some(limit) => write!(f, ", of {}", mebibytes(*limit)),
                    None => f.write_str("; no limit was set"),
                }
            }
            Evidence::Repeated { game, differs_at } => match (self.check, differs_at) {
                (Check::NextGame, None) => write!(f, "{game} in a process of its own: the same"),
                (Check::NextGame, Some(ply)) => write!(
                    f,
                    "{game} in a process of its own: another game from ply {ply} on"
                ),
                (_, None) => write!(f, "{game} again: the same actions"),
                (_, Some(ply)) => write!(
                    f,
                    "{game} again, with the same seed: another game from ply {ply} on"
                ),
            },
            Evidence::OffTurn { used } => write!(
                f,
                "{} of processor time at most between its turns",
                seconds(*used)
            ),
            Evidence::UnaskedLine { game } => {
                write!(f, "an unrequested line as game {game} ended")
            }
            Evidence::DebugOutput {
                games,
                bytes,
                dropped,
            } => match (bytes, dropped) {
                (0, _) => f.write_str("nothing but answers"),
                (_, 0) => write!(f, "{bytes} bytes of debug output in {games} games"),
                (_, dropped) => write!(
                    f,
                    "{bytes} bytes of debug output in {games} games, of which {dropped} were not kept"
                ),
            },
            Evidence::Exited => f.write_str("exits when it is told to"),
            Evidence::Killed { waited } => write!(
                f,
                "still there {} after `quit`, and killed",
                seconds(*waited)
            ),
            Evidence::Leftovers { killed, survivors } => match (killed, survivors) {
                (0, 0) => f.write_str("no process is left"),
                (killed, 0) => {
                    write!(f, "{killed} processes outlived the bot, and were killed")
                }
                (_, survivors) => write!(f, "{survivors} processes could not be killed"),
            },
        }
    }
}
