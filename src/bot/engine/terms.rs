//! Terms of a player's language, from its entry.

use std::fmt::Write as _;
use std::time::Duration;

/// The language of a bot.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Language {
    /// The protocol of `docs/protocol.md`.
    #[default]
    Own,
    /// UCI, the protocol of chess engines.
    Uci(EngineTerms),
}

impl Language {
    /// The names of all languages in configurations.
    pub const NAMES: [&'static str; 2] = ["referee", "uci"];

    /// The name in configurations and records.
    pub fn name(&self) -> &'static str {
        match self {
            Language::Own => Self::NAMES[0],
            Language::Uci(_) => Self::NAMES[1],
        }
    }

    /// The language with this name, without terms.
    pub fn from_name(name: &str) -> Option<Self> {
        let all = [Language::Own, Language::Uci(EngineTerms::default())];
        all.into_iter().find(|language| language.name() == name)
    }

    /// The terms of an engine; `None` for a bot of our protocol.
    pub fn engine(&self) -> Option<&EngineTerms> {
        match self {
            Language::Own => None,
            Language::Uci(terms) => Some(terms),
        }
    }
}

/// How an engine is set up and asked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct EngineTerms {
    /// Options of the engine with their values, as they are set.
    pub options: Vec<(String, String)>,
    /// Limits of a search in place of the clock.
    pub go: SearchLimits,
}

/// Limits of a search. Without any, the engine is told its clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SearchLimits {
    /// Number of nodes.
    pub nodes: Option<u64>,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Time of each search.
    pub time: Option<Duration>,
}

impl SearchLimits {
    /// Whether the clock decides how long a search takes.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The limits as words of `go`, each after a space.
    pub(super) fn words(&self) -> String {
        let mut words = String::new();
        let Self { nodes, depth, time } = *self;
        let time = time.map(|time| u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        let limits = [
            ("nodes", nodes),
            ("depth", depth.map(u64::from)),
            ("movetime", time),
        ];
        for (word, limit) in limits {
            if let Some(limit) = limit {
                // Writing to a `String` cannot fail.
                let _ = write!(words, " {word} {limit}");
            }
        }
        words
    }
}
