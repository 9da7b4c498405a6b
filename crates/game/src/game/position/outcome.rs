//! The end of a game by its rules.

use std::collections::HashMap;
use std::fmt::{self, Display};
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::game::{GameResult, PerSeat, RulesPoints, Seat, is_name};

/// The end of a game by its rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub result: GameResult,
    pub reason: Reason,
    /// The points of the seats, where the rules count some.
    pub rules_points: Option<PerSeat<RulesPoints>>,
}

/// The end of a game of two by its rules, without points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OutcomeOfTwo {
    pub winner: Option<Seat>,
    pub reason: Reason,
}

impl OutcomeOfTwo {
    pub fn won(winner: impl Into<Seat>, reason: Reason) -> Self {
        Self {
            winner: Some(winner.into()),
            reason,
        }
    }

    pub fn drawn(reason: Reason) -> Self {
        Self {
            winner: None,
            reason,
        }
    }
}

impl From<OutcomeOfTwo> for Outcome {
    fn from(outcome: OutcomeOfTwo) -> Self {
        Self {
            result: outcome.winner.map_or(GameResult::Drawn, GameResult::Won),
            reason: outcome.reason,
            rules_points: None,
        }
    }
}

/// Maximum number of reasons with names read at run time.
const MOST_INTERNED: usize = 4096;

/// A rule by which a game can end, declared by the game. `docs/rules/` explains each. It is a reference to keep
/// positions small: searches copy them, and each holds a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Reason(pub &'static ReasonInfo);

#[derive(Debug, PartialEq, Eq, Hash)]
pub struct ReasonInfo {
    name: &'static str,
    is_ours: bool,
}

impl ReasonInfo {
    pub const fn rule(name: &'static str) -> Self {
        Self {
            name,
            is_ours: false,
        }
    }

    pub const fn ours(name: &'static str) -> Self {
        Self {
            name,
            is_ours: true,
        }
    }
}

impl Reason {
    /// One seat led by enough for long enough.
    pub const SCORE_LEAD: Self = Self(&ReasonInfo::ours("score_lead"));
    /// Too many plies in a row did not change the score.
    pub const SCORE_UNCHANGED: Self = Self(&ReasonInfo::ours("score_unchanged"));
    /// The bots held the game for lost.
    pub const RESIGN_SCORE: Self = Self(&ReasonInfo::ours("resign_score"));
    /// The bots held the game for drawn.
    pub const DRAW_SCORE: Self = Self(&ReasonInfo::ours("draw_score"));
    pub const TABLEBASE: Self = Self(&ReasonInfo::ours("tablebase"));
    pub const RESIGNED: Self = Self(&ReasonInfo::rule("resigned"));
    /// A game whose rules are a program had too many plies.
    pub const MAX_PLIES: Self = Self(&ReasonInfo::ours("max_plies"));
    pub const MAX_MOVES: Self = Self(&ReasonInfo::ours("max_moves"));
    /// Adjudications that a plan can enable for every game.
    pub(in crate::game) const PLANNED: [Self; 6] = [
        Self::SCORE_LEAD,
        Self::SCORE_UNCHANGED,
        Self::RESIGN_SCORE,
        Self::DRAW_SCORE,
        Self::MAX_MOVES,
        Self::TABLEBASE,
    ];

    /// The reason with a name read at run time; `None` where `name` is no name, or a process has met too many. Each name
    /// is kept as long as the process.
    pub fn interned(name: &str) -> Option<Self> {
        static KNOWN: LazyLock<Mutex<HashMap<&'static str, Reason>>> =
            LazyLock::new(Mutex::default);
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(reason) = known.get(name) {
            return Some(*reason);
        }
        if !is_name(name) || known.len() == MOST_INTERNED {
            return None;
        }
        let name = String::from(name).leak();
        let reason = Self(Box::leak(Box::new(ReasonInfo::rule(name))));
        known.insert(name, reason);
        Some(reason)
    }

    pub fn name(self) -> &'static str {
        self.0.name
    }

    /// Whether the end is the harness's own convention and not in the game's rule text.
    pub fn is_adjudication(self) -> bool {
        self.0.is_ours
    }
}

impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
