//! The rules by which games end.

use std::fmt::{self, Display};

/// A rule by which a game can end, declared by the game. `docs/rules/` explains each. It is a reference to keep
/// positions small: searches copy them, and each holds a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Reason(pub &'static ReasonInfo);

/// Name and origin of a [`Reason`].
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct ReasonInfo {
    name: &'static str,
    is_ours: bool,
}

impl ReasonInfo {
    /// A rule of the game's rule text.
    pub const fn rule(name: &'static str) -> Self {
        Self {
            name,
            is_ours: false,
        }
    }

    /// A convention of the harness.
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
    /// Adjudications that a plan can enable for every game.
    pub(in crate::game) const PLANNED: [Self; 2] = [Self::SCORE_LEAD, Self::SCORE_UNCHANGED];

    /// The name in records and JSON.
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
