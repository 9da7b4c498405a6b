//! Terms of a player's language, from its entry.

use std::fmt::Write as _;
use std::time::Duration;

/// The language of a bot.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Language {
    /// The protocol of `docs/protocol.md`.
    #[default]
    Own,
    /// A protocol of engines.
    Engine(EngineTerms),
}

impl Language {
    /// The name of our own protocol in configurations.
    const OWN: &'static str = "referee";

    /// The names of all languages in configurations.
    pub const NAMES: [&'static str; 4] = [
        Self::OWN,
        EngineProtocol::Uci.name(),
        EngineProtocol::Usi.name(),
        EngineProtocol::Gtp.name(),
    ];

    /// The name in configurations and records.
    pub fn name(&self) -> &'static str {
        self.engine()
            .map_or(Self::OWN, |terms| terms.protocol.name())
    }

    /// The language with this name, without terms.
    pub fn from_name(name: &str) -> Option<Self> {
        if name == Self::OWN {
            return Some(Self::Own);
        }
        let protocol = EngineProtocol::from_name(name)?;
        Some(Self::Engine(EngineTerms::new(protocol)))
    }

    /// The terms of an engine; `None` for a bot of our protocol.
    pub fn engine(&self) -> Option<&EngineTerms> {
        match self {
            Language::Own => None,
            Language::Engine(terms) => Some(terms),
        }
    }
}

/// A protocol of engines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EngineProtocol {
    /// The Universal Chess Interface.
    Uci,
    /// The Universal Shogi Interface.
    Usi,
    /// The Go Text Protocol, version 2.
    Gtp,
}

impl EngineProtocol {
    /// All protocols.
    pub const ALL: [Self; 3] = [Self::Uci, Self::Usi, Self::Gtp];

    /// The name in configurations, records and hellos of rules programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Usi => "usi",
            Self::Gtp => "gtp",
        }
    }

    /// The protocol with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|known| known.name() == name)
    }
}

/// How an engine is set up and asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EngineTerms {
    /// Its protocol.
    pub protocol: EngineProtocol,
    /// Options of the engine with their values, as they are set.
    pub options: Vec<(String, String)>,
    /// Limits of a search in place of the clock.
    pub go: SearchLimits,
}

impl EngineTerms {
    /// An engine without options that is told its clock.
    pub fn new(protocol: EngineProtocol) -> Self {
        Self {
            protocol,
            options: Vec::new(),
            go: SearchLimits::default(),
        }
    }
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
