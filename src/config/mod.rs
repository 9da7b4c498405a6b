//! Configuration of a tournament: from TOML to a validated plan.
//!
//! `file` mirrors the file; [`Plan`] is its meaning. Every error names the file, the line and the column, the
//! expected value, and a remedy.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::bot::{BuildLimits, Confinement, Launch, OutputLimits, Tier};
use crate::clock::TimeControl;
use crate::game::Games;
use crate::schedule::{Cut, Format, HopelessTerms};
use crate::text::{DisplayNames, visible};

mod file;
mod format;
mod games;
mod limits;
mod players;
mod validate;

pub use file::{
    BoundedRows, FormatTable, LARGEST_RECORD, LARGEST_TEXT, LONGEST_ROW, long_row, read_bounded,
    read_text, text_from, toml_problem,
};
pub use games::{
    ADJUDICATION_KEYS, OpeningOrder, OpeningProblem, Openings, OpeningsError, OpeningsProblem,
    PairStart, PlannedGame, PlannedOpening, PlyProblem, adjudication_numbers,
    adjudication_of_numbers,
};
pub use players::{GridValues, OwnTerms};

// Shared with the configuration of gradings.
pub(crate) use file::{
    Amount, Base, ClockSection, GameTable, LimitsSection, PlayerSection, did_you_mean, file_name,
    in_brackets, read,
};
pub(crate) use format::format;
pub(crate) use limits::{limits, time_control};
pub(crate) use players::{course_files, entries};
pub(crate) use validate::planned_game;

/// A validated tournament.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Name of the tournament.
    pub name: String,
    /// Master seed of all randomness in a run; `None` draws one for each run.
    pub seed: Option<u64>,
    /// Games that the configuration and records of its runs may name.
    pub known_games: Games,
    /// Games to play. Each is its own tournament among all players.
    pub games: Vec<PlannedGame>,
    /// Format of each game's tournament.
    pub format: Format,
    /// Time control of players without their own.
    pub time: TimeControl,
    /// Limits of players without their own.
    pub limits: Limits,
    /// Selection of games whose logs are kept.
    pub keep_logs: KeepLogs,
    /// Whether pages are written at the end of a run; `None` decides by the number of games. The manifest omits
    /// it, because it does not affect play.
    pub pages: Option<bool>,
    /// Players, at least two.
    pub players: Vec<Entry>,
    /// Number of shards that apply `hopeless-after` by themselves; `None` applies it to the whole run.
    pub deciding_shards: Option<NonZeroU32>,
}

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

/// Limits outside the time control.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Time for the answer to the handshake.
    pub handshake: Duration,
    /// Time to get ready for a game.
    pub start: Duration,
    /// Time between `quit` and the kill.
    pub quit: Duration,
    /// Bounds on the bot's output.
    pub output: OutputLimits,
    /// Bounds on the bot's use of the machine.
    pub confinement: Confinement,
    /// Isolation tier to take if the confinement's tier cannot hold.
    pub fallback: Option<Tier>,
    /// Limits of the bot's build.
    pub build: BuildLimits,
    /// Equal failures in a row, before a first action, after which a player forfeits its other games unplayed;
    /// `None` is never.
    pub hopeless_after: Option<u32>,
}

/// A player of the tournament: a bot with its options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Unique name, safe in files and options.
    pub name: String,
    /// Name on screens, if it differs.
    pub display_name: Option<String>,
    /// Name of the house bot, if the player is one.
    pub house: Option<String>,
    /// Command that starts the bot.
    pub launch: Launch,
    /// Command that builds the program before the first game, in the bot's folder and environment.
    pub build: Option<Launch>,
    /// Whether each game gets a new process.
    pub fresh_process: bool,
    /// The player's own clock and limits.
    pub terms: OwnTerms,
    /// Grid values of the player; `None` without a grid.
    pub variant: Option<GridValues>,
}

/// An error in a configuration, with its position.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}:{} {problem}", file.display(), place_text(*place))]
pub struct ConfigError {
    /// Path of the configuration.
    pub file: PathBuf,
    /// Line and column, from 1; `None` if the error concerns the whole file.
    pub place: Option<(usize, usize)>,
    /// Problem, expected value and remedy.
    pub problem: String,
}

fn place_text(place: Option<(usize, usize)>) -> String {
    place.map_or_else(String::new, |(line, column)| format!("{line}:{column}:"))
}

impl Plan {
    /// Reads and validates a configuration file, which may name `games`. Its paths are relative to its folder.
    ///
    /// # Errors
    /// The file cannot be read, or is no valid tournament.
    pub fn load(path: &Path, games: Games) -> Result<Self, ConfigError> {
        Self::parse(&text_of(path)?, path, games)
    }

    /// The time control of a player, by its index.
    pub fn time_of(&self, player: usize) -> &TimeControl {
        self.players[player]
            .terms
            .time
            .as_ref()
            .unwrap_or(&self.time)
    }

    /// The limits of a player, by its index.
    pub fn limits_of(&self, player: usize) -> &Limits {
        let limits = self.players[player].terms.limits.as_ref();
        limits.unwrap_or(&self.limits)
    }

    /// Terms of `hopeless-after` in a run with this seed.
    pub fn hopeless_terms(&self, seed: u64) -> HopelessTerms {
        HopelessTerms {
            after: (0..self.players.len())
                .map(|player| self.limits_of(player).hopeless_after)
                .collect(),
            cut: self.deciding_shards.map(|shards| Cut {
                seed,
                shards,
                twice: 0,
            }),
        }
    }

    /// Names of the players on screens.
    pub fn display_names(&self) -> DisplayNames {
        let players = self.players.iter();
        players
            .map(|entry| (entry.name.as_str(), entry.display_name.as_deref()))
            .collect()
    }

    /// Validates the text of a configuration, which may name `games`. Errors name `path`, and paths are relative to its folder.
    ///
    /// # Errors
    /// The text is no valid tournament.
    pub fn parse(text: &str, path: &Path, games: Games) -> Result<Self, ConfigError> {
        file::read(text)
            .and_then(|file| validate::validate(file, Base::of(path, games)))
            .map_err(|flaw| flaw.in_file(text, path))
    }
}

/// The text of a configuration.
pub(crate) fn text_of(path: &Path) -> Result<String, ConfigError> {
    read_text(path).map_err(|error| ConfigError {
        file: path.to_owned(),
        place: None,
        problem: format!("cannot be read: {error}"),
    })
}

/// A problem with the `[format]` table of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FormatError(String);

/// A problem, with its byte offset in the text.
#[derive(Debug)]
pub(crate) struct Flaw {
    pub at: Option<usize>,
    pub problem: String,
}

impl Flaw {
    /// A problem with a value of the file.
    pub fn of<T>(value: &Spanned<T>, problem: impl Into<String>) -> Self {
        Self::at(value.span().start, problem)
    }

    pub fn at(at: usize, problem: impl Into<String>) -> Self {
        Self {
            at: Some(at),
            problem: problem.into(),
        }
    }

    /// The flaw as an error of a file, with line and column.
    pub fn in_file(self, text: &str, path: &Path) -> ConfigError {
        ConfigError {
            file: path.to_owned(),
            place: self.at.map(|at| line_and_column(text, at)),
            // The problem may quote the file: a line end in a name would break the message.
            problem: visible(&self.problem),
        }
    }
}

/// Line and column of a byte of `text`, from 1; columns count characters.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (line, column)
}
