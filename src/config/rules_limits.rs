//! Limits of games whose rules are a program.

use std::time::Duration;

/// Limits of games whose rules are a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RulesLimits {
    /// Time for an answer.
    pub answer: Duration,
    /// Greatest number of plies of a game.
    pub plies: u32,
}

impl Default for RulesLimits {
    fn default() -> Self {
        Self {
            answer: RULES_DEADLINE,
            plies: MOST_PLIES,
        }
    }
}

/// Default time for an answer of a rules program.
pub const RULES_DEADLINE: Duration = Duration::from_secs(10);

/// Default greatest number of plies of a game whose rules are a program.
const MOST_PLIES: u32 = 10_000;
