//! Which logs are kept.

use serde::{Deserialize, Serialize};

/// Selection of games whose logs are kept. The journal has a row for every game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeepLogs {
    /// All games.
    #[default]
    All,
    /// Games that a player forfeited.
    Forfeits,
    /// No games.
    None,
}

impl KeepLogs {
    /// Whether the logs of a game are kept, given whether it was forfeited.
    pub fn keeps(self, forfeited: bool) -> bool {
        match self {
            Self::All => true,
            Self::Forfeits => forfeited,
            Self::None => false,
        }
    }
}
