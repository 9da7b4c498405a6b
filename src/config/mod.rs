//! A tournament's configuration: from TOML to a validated plan.
//!
//! `file` is what was typed, [`Plan`] is what it means. Every error names the file, the line and
//! the column, what was expected there, and what would help.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use toml::Spanned;

use crate::clock::TimeControl;
use crate::player::{BuildLimits, Confinement, Launch, OutputLimits, Tier};
use crate::schedule::{Cut, Format, HopelessTerms};
use crate::text::{DisplayNames, visible};

mod adjudication;
mod amounts;
mod bounded;
mod file;
mod format;
mod grid;
mod limits;
mod openings;
mod own_terms;
mod paths;
mod planned_game;
mod players;
mod validate;
mod words;

pub use adjudication::{ADJUDICATION_KEYS, adjudication_numbers, adjudication_of_numbers};
pub use bounded::{
    BoundedRows, LARGEST_RECORD, LARGEST_TEXT, LONGEST_ROW, long_row, read_bounded, read_text,
    text_from,
};
pub use file::FormatTable;
pub use grid::GridValues;
pub use openings::{
    OpeningOrder, OpeningProblem, Openings, OpeningsError, OpeningsProblem, PlyProblem,
};
pub use own_terms::OwnTerms;
pub use planned_game::{PairStart, PlannedGame, PlannedOpening};
pub use words::toml_problem;

// What gradings are written with, too.
pub(crate) use file::{Amount, ClockSection, GameTable, LimitsSection, PlayerSection, read};
pub(crate) use format::format;
pub(crate) use limits::{limits, time_control};
pub(crate) use paths::Base;
pub(crate) use players::{course_files, entries};
pub(crate) use validate::{file_name, planned_game};
pub(crate) use words::{did_you_mean, in_brackets};

/// A tournament that can be run.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Its name.
    pub name: String,
    /// The master seed, from which all chance of a run comes; `None` leaves it to be drawn for the
    /// run.
    pub seed: Option<u64>,
    /// The games that are played. Each is a tournament of its own among the same players.
    pub games: Vec<PlannedGame>,
    /// Who meets whom, in each of the games.
    pub format: Format,
    /// The time control of the players without one of their own.
    pub time: TimeControl,
    /// What is taken of a bot's output, and how long it may take outside its own turns. Players may have
    /// limits of their own.
    pub limits: Limits,
    /// Of which games the logs are kept.
    pub keep_logs: KeepLogs,
    /// Whether the end of a run makes its pages; `None` if it has few enough games. The manifest does not
    /// have it: it changes nothing that is played.
    pub pages: Option<bool>,
    /// The players, at least two.
    pub players: Vec<Entry>,
    /// In how many shards it is played, if each decides by its own games who never plays.
    pub deciding_shards: Option<NonZeroU32>,
}

/// Of which games the log, and what the bots wrote, are kept. The journal has a row for every game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum KeepLogs {
    /// Of all.
    #[default]
    All,
    /// Of those that a player forfeited.
    Forfeits,
    /// Of none.
    None,
}

impl KeepLogs {
    /// Whether the logs of a game are kept, which somebody forfeited or nobody did.
    pub fn keeps(self, forfeited: bool) -> bool {
        match self {
            Self::All => true,
            Self::Forfeits => forfeited,
            Self::None => false,
        }
    }
}

/// Limits that are not part of the time control.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// For the answer to the handshake.
    pub handshake: Duration,
    /// For getting ready for a game.
    pub start: Duration,
    /// For exiting after `quit`, before the process is killed.
    pub quit: Duration,
    /// How much output is taken.
    pub output: OutputLimits,
    /// What a bot may use of the machine.
    pub confinement: Confinement,
    /// The tier of isolation to take where that of the confinement cannot hold.
    pub fallback: Option<Tier>,
    /// What the build of a bot may use.
    pub build: BuildLimits,
    /// After how many equal failures in a row before a first action a player forfeits its other games unplayed;
    /// `None` is never.
    pub hopeless_after: Option<u32>,
}

/// A player: a bot with its options, as entered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its name in this tournament, in files and options.
    pub name: String,
    /// What it is called on screens, where that is not its name.
    pub display_name: Option<String>,
    /// The house bot that plays, where it is one.
    pub house: Option<String>,
    /// How its bot is started.
    pub launch: Launch,
    /// What makes its program, once before the first game; in the same folder and environment.
    pub build: Option<Launch>,
    /// Whether its bot is started afresh for each game.
    pub fresh_process: bool,
    /// Its own clock and limits.
    pub terms: OwnTerms,
    /// Which of the variants of its entry it is; `None` where there is no grid.
    pub variant: Option<GridValues>,
}

/// An error in a configuration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}:{} {problem}", file.display(), place_text(*place))]
pub struct ConfigError {
    /// The file.
    pub file: PathBuf,
    /// Where in it: line and column, from 1; `None` where the file as a whole is meant.
    pub place: Option<(usize, usize)>,
    /// What is wrong, what was expected, and what would help.
    pub problem: String,
}

fn place_text(place: Option<(usize, usize)>) -> String {
    place.map_or_else(String::new, |(line, column)| format!("{line}:{column}:"))
}

impl Plan {
    /// Reads and validates a configuration file. Paths in it start at its folder.
    ///
    /// # Errors
    /// The file cannot be read, or what it says is not a tournament.
    pub fn load(path: &Path) -> Result<Self, ConfigError> {
        Self::parse(&text_of(path)?, path)
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

    /// When players forfeit their other games unplayed, in a run with this seed.
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

    /// What the players are called on screens.
    pub fn display_names(&self) -> DisplayNames {
        let players = self.players.iter();
        players
            .map(|entry| (entry.name.as_str(), entry.display_name.as_deref()))
            .collect()
    }

    /// Validates the text of a configuration; `path` is named in errors, and its folder is
    /// where paths start.
    ///
    /// # Errors
    /// What the text says is not a tournament.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        file::read(text)
            .and_then(|file| validate::validate(file, Base::of(path)))
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

/// What is wrong with the `[format]` table of a manifest.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FormatError(String);

/// What is wrong, and at which byte of the text.
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

    /// What the user is told of the flaw in a text.
    pub fn in_file(self, text: &str, path: &Path) -> ConfigError {
        ConfigError {
            file: path.to_owned(),
            place: self.at.map(|at| line_and_column(text, at)),
            // It may quote the file: a name with a line end would break the message.
            problem: visible(&self.problem),
        }
    }
}

/// Line and column, from 1, of a byte of `text`; columns count characters.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (line, column)
}
