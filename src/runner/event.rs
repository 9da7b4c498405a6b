//! What happens in a run.

use super::VoidGame;
use crate::record::GameRow;
use crate::schedule::{Conclusion, GameCount, TestState};

/// Something that happened in a run.
#[derive(Debug)]
pub enum Event<'a> {
    /// A program is built, before the first game.
    Building {
        /// The names of the players whose program it is.
        players: &'a [&'a str],
        /// The command that makes it.
        command: &'a str,
    },
    /// A program could not be built: its player forfeits its games.
    Unbuilt {
        /// The player's name.
        player: &'a str,
        /// What went wrong.
        problem: &'a str,
    },
    /// The run begins.
    Begun {
        /// How many games there are to play.
        games: GameCount,
    },
    /// A game ended and is in the journal.
    Finished(&'a GameRow),
    /// How far a sequential test is after a game, of which the next event tells; or before the first game.
    Tested {
        /// The name of the game.
        game: &'static str,
        /// How far the test is.
        test: TestState,
    },
    /// A game was void and will be played again.
    Void {
        /// The number of the game.
        id: u64,
        /// Why it was void.
        cause: &'a VoidGame,
    },
    /// A game was void once more, though it had the machine to itself: it is not played.
    SetAside {
        /// The number of the game.
        id: u64,
        /// Why it was void.
        cause: &'a VoidGame,
    },
    /// The run was interrupted: no more games are begun.
    Stopping {
        /// How many games are finished.
        in_play: usize,
    },
    /// The run was interrupted again: the games in play are broken off.
    BreakingOff {
        /// How many there are.
        in_play: usize,
    },
    /// All games of one of the plan's games are over, or a sequential test was stopped, and the format has
    /// something to say.
    Concluded {
        /// The index of the game in the plan.
        game: usize,
        /// What it says.
        conclusion: &'a Conclusion,
    },
}
