//! Under which conditions the players of a run met, read back from its manifest.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::Deserialize;

use super::{MANIFEST, RecordError};

/// The clock of a run, and its players.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// Which time counted: `wall` or `cpu`.
    pub measure: String,
    /// For all actions of a player in one game; `None` is no limit.
    pub per_game: Option<Duration>,
    /// What a player was given back after each action.
    pub increment: Duration,
    /// For each action; `None` is no limit.
    pub per_move: Option<Duration>,
    /// The players.
    pub players: Vec<Entrant>,
}

/// A player as it was entered.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct Entrant {
    /// Its name.
    pub name: String,
    /// The house bot, where it was one.
    pub house: Option<String>,
    /// The program and its arguments, where it was no house bot.
    #[serde(default)]
    pub command: Vec<String>,
    /// The arguments of a house bot.
    #[serde(default)]
    pub args: Vec<String>,
    /// Its working directory, where one was set.
    pub dir: Option<PathBuf>,
    /// Variables added to its environment.
    #[serde(default)]
    pub env: BTreeMap<String, String>,
}

/// As far as it is read here; the rest is passed over.
#[derive(Deserialize)]
struct Manifest {
    clock: Clock,
    player: Vec<Entrant>,
}

#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
struct Clock {
    measure: String,
    per_game: String,
    increment: String,
    per_move: String,
}

impl Conditions {
    /// Reads the manifest of a run.
    pub fn read(run: &Path) -> Result<Self, RecordError> {
        let path = run.join(MANIFEST);
        let bad = |problem: String| RecordError::new(&path, problem);
        let text =
            fs::read_to_string(&path).map_err(|error| bad(format!("cannot be read: {error}")))?;
        let Manifest { clock, player } = toml::from_str(&text)
            .map_err(|error| bad(format!("is no manifest: {}", error.message())))?;
        let time = |key: &str, text: &str| {
            humantime::parse_duration(text)
                .map_err(|error| bad(format!("has `{text}` as `clock.{key}`: {error}")))
        };
        let limit = |key: &str, text: &str| match text {
            "none" => Ok(None),
            text => time(key, text).map(Some),
        };
        Ok(Self {
            per_game: limit("per-game", &clock.per_game)?,
            increment: time("increment", &clock.increment)?,
            per_move: limit("per-move", &clock.per_move)?,
            measure: clock.measure,
            players: player,
        })
    }
}
