//! Why a run ends early.

use std::fmt::{self, Display};
use std::io;

use super::UnfitGame;
use crate::game::RulesFault;
use crate::runs::RunFileError;

/// Why a run ended before all games were played.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum RunError {
    /// A file in the run's folder could not be written.
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    /// The rules failed in game after game.
    #[error(
        "the rules failed in {games} games in a row, each played twice, so the run was halted. The last time: {fault}"
    )]
    RulesKeepFailing {
        games: u32,
        #[source]
        fault: RulesFault,
    },
    /// The machine failed twice in a row at a build.
    #[error(
        "the build of `{player}` could not be run twice in a row, so the run was halted. The second time: \
         {cause}"
    )]
    Build {
        player: String,
        #[source]
        cause: io::Error,
    },
    /// It was interrupted.
    #[error("the run was stopped {}; what was played is kept", GamesLeft { left, broken_off })]
    Stopped {
        left: Option<u64>,
        broken_off: usize,
    },
    /// The journal of a resumed run has a game that contradicts the plan.
    #[error(transparent)]
    UnfitGame(#[from] UnfitGame),
    /// A thread could not be started.
    #[error("a thread could not be started: {0}")]
    Thread(#[source] io::Error),
    /// A thread panicked.
    #[error("a worker failed: {problem}")]
    WorkerFailed { problem: String },
    /// The schedule waits for a game although none is in play.
    #[error("the schedule waits for games that nobody plays")]
    Stalled,
}

/// Number of games left, and of games broken off.
struct GamesLeft<'a> {
    left: &'a Option<u64>,
    broken_off: &'a usize,
}

impl Display for GamesLeft<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.left {
            Some(left) => write!(f, "with {left} games left to play")?,
            None => f.write_str("before its end")?,
        }
        match self.broken_off {
            0 => Ok(()),
            count => write!(f, ", {count} of them broken off"),
        }
    }
}
