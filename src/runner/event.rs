//! Events of a run.

use crate::bot::Fault;
use crate::referee::Void;
use crate::runs::{GameRow, SlowRules};
use crate::schedule::{Conclusion, GameCount, TestState};

/// An event of a run.
#[derive(Debug)]
pub enum Event<'a> {
    /// A program is being built, before the first game.
    Building {
        /// Names of the players that share the program.
        players: &'a [&'a str],
        /// The build command.
        command: &'a str,
    },
    /// A build failed: its player forfeits all games.
    Unbuilt {
        /// Name of the player.
        player: &'a str,
        /// Reason of the failure.
        problem: &'a str,
    },
    /// The run begins.
    Begun {
        /// Number of games to play.
        games: GameCount,
    },
    /// A game ended and is in the journal.
    Finished(&'a GameRow),
    /// The game that has just [`Finished`](Self::Finished) as PGN, if the run writes it and keeps all logs.
    Pgn {
        /// Number of the game.
        id: u64,
        /// The game, and an empty line.
        text: &'a str,
    },
    /// State of a sequential test: before the first game, and then just before each
    /// [`Finished`](Self::Finished).
    Tested {
        /// Name of the game.
        game: &'static str,
        /// State of the test.
        test: TestState,
    },
    /// A game was void and will be played again.
    Void {
        /// Number of the game.
        id: u64,
        /// Why it was void.
        cause: &'a VoidGame,
    },
    /// A game was void again although it had the machine to itself: it is not played.
    SetAside {
        /// Number of the game.
        id: u64,
        /// Why it was void.
        cause: &'a VoidGame,
    },
    /// First interrupt: no more games begin.
    Stopping {
        /// Number of games that are being finished.
        in_play: usize,
    },
    /// Second interrupt: the games in play are broken off.
    BreakingOff {
        /// Number of games in play.
        in_play: usize,
    },
    /// The rules program of a game was much slower for some plies than for others. Comes at the end.
    SlowRules {
        /// Name of the game.
        game: &'static str,
        /// These plies.
        slow: &'a SlowRules,
    },
    /// One of the plan's games is over, or its sequential test was stopped, and its format has a conclusion.
    Concluded {
        /// Index of the game in the plan.
        game: usize,
        /// The conclusion.
        conclusion: &'a Conclusion,
    },
}

/// Why a game is void.
#[derive(Debug, thiserror::Error)]
pub enum VoidGame {
    /// A bot could not be started, and the machine is to blame.
    #[error("the bot of `{player}` could not be started: {fault}")]
    Start {
        /// Name of the player.
        player: String,
        /// The fault.
        #[source]
        fault: Fault,
    },
    /// The game began, and became void.
    #[error(transparent)]
    Play(#[from] Void),
}
