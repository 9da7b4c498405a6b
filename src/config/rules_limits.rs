//! Limits of games whose rules are a program.

use std::path::PathBuf;
use std::time::Duration;

use crate::game::RulesCommand;

/// Limits of games whose rules are a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RulesLimits {
    /// Time for an answer.
    pub answer: Duration,
    /// Time for the hello, and to begin a game.
    pub start: Duration,
    /// Memory of the program with all its processes, in bytes.
    pub memory: u64,
    /// Greatest number of plies of a game.
    pub plies: u32,
}

impl Default for RulesLimits {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(10),
            start: Duration::from_secs(60),
            memory: 2 << 30,
            plies: MOST_PLIES,
        }
    }
}

impl RulesLimits {
    /// The command of a rules program with these limits.
    pub fn command(self, words: Vec<String>, dir: PathBuf, owns_dir: bool) -> RulesCommand {
        let millis = |time: Duration| time.as_millis().try_into().unwrap_or(u64::MAX);
        RulesCommand {
            words,
            dir,
            seats: None,
            answer_ms: millis(self.answer),
            start_ms: millis(self.start),
            memory: self.memory,
            owns_dir,
        }
    }
}

/// Default greatest number of plies of a game whose rules are a program.
const MOST_PLIES: u32 = 10_000;
