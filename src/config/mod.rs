//! Configuration of a tournament: from TOML to a validated plan.
//!
//! `file` mirrors the file; [`Plan`] is its meaning. Every error names the file, the line and the column, the
//! expected value, and a remedy.

mod error;
mod file;
mod format;
mod games;
mod limits;
mod plan;
mod players;
mod validate;
mod without_file;

pub(crate) use error::Flaw;
pub use error::{ConfigError, FormatError};
pub(crate) use file::{
    Amount, Base, ClockSection, LimitsSection, PlayerSection, did_you_mean, file_name, in_brackets,
    read,
};
pub use file::{
    BoundedRows, FormatTable, GameTable, LARGEST_RECORD, LARGEST_TEXT, LONGEST_ROW, long_row,
    read_bounded, read_text, text_from, toml_problem,
};
pub(crate) use format::format;
pub use games::{
    BlockStart, MovedRulesError, OpeningOrder, OpeningUse, Openings, PlannedGame, PlannedOpening,
};
pub use limits::{KeepLogs, Limits, RulesLimits};
pub(crate) use limits::{limits, time_control};
pub use plan::Plan;
pub use players::{Entry, OwnTerms, is_told_legal};
pub(crate) use players::{course_files, entries, unfit_language};
pub(crate) use validate::{planned_game, text_of};
pub use without_file::{Match, MatchPlayer, Program};

// Shared with the configuration of gradings.
