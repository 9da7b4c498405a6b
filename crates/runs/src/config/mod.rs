//! Configuration of a tournament: from TOML to a validated plan.
//!
//! `file` mirrors the file; [`Plan`] is its meaning. Every error names the file, the line and the column, the
//! expected value, and a remedy.

mod command_line;
mod export;
mod file;
mod format;
mod games;
mod laying;
mod limits;
mod plan;
mod players;
mod stamped;
mod validate;

use std::path::{Path, PathBuf};

pub use command_line::{Draft, LINE_OPTIONS, LineOption, Manager};
pub use export::Export;
pub use file::{
    Amount, Base, ClockSection, Encoding, LimitsSection, PlayerSection, TextLines, did_you_mean,
    file_name, in_brackets, open_text,
};
pub use file::{
    BoundedRows, FormatTable, GameTable, LARGEST_RECORD, LARGEST_TEXT, LONGEST_ROW, as_text,
    read_bounded, read_text, text_from, toml_problem,
};
pub use format::format;
pub(crate) use games::table::is_option;
pub use games::{BlockStart, OpeningOrder, OpeningUse, Openings, PlannedGame, PlannedOpening};
pub use laying::read;
pub use limits::{KeepLogs, Limits, RulesLimits};
pub use limits::{limits, time_control};
pub use plan::Plan;
pub use players::{Entry, OwnTerms, is_interpreter, is_told_legal, unfit_house_bot};
pub use players::{bad_display_name, course_files, entries, filled, language, unfit_language};
use toml::Spanned;
pub use validate::{planned_game, text_of};

use crate::text::visible;

// Shared with the configuration of gradings.

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}:{} {problem}{}", file.display(), place_text(*place), lines_of(others))]
pub struct ConfigError {
    pub file: PathBuf,
    /// Line and column, from 1; `None` if the error concerns the whole file.
    pub place: Option<(usize, usize)>,
    pub problem: String,
    /// Whether the machine is to blame, and not the file.
    pub is_of_machine: bool,
    pub others: Vec<ConfigError>,
}

impl ConfigError {
    pub fn at_line(file: &Path, line: Option<usize>, problem: String) -> Self {
        Self {
            file: file.to_owned(),
            place: line.map(|line| (line, 1)),
            problem,
            is_of_machine: false,
            others: Vec::new(),
        }
    }
}

fn lines_of(errors: &[ConfigError]) -> String {
    errors.iter().map(|error| format!("\n{error}")).collect()
}

fn place_text(place: Option<(usize, usize)>) -> String {
    place.map_or_else(String::new, |(line, column)| format!("{line}:{column}:"))
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FormatError(String);

#[derive(Debug)]
pub struct Flaw {
    pub at: Option<usize>,
    pub problem: String,
    /// Whether the machine is to blame, and not the file.
    pub is_of_machine: bool,
    pub others: Vec<Flaw>,
}

impl Flaw {
    pub fn of<T>(value: &Spanned<T>, problem: impl Into<String>) -> Self {
        Self::at(value.span().start, problem)
    }

    pub fn at(at: usize, problem: impl Into<String>) -> Self {
        Self::new(Some(at), problem)
    }

    pub fn new(at: Option<usize>, problem: impl Into<String>) -> Self {
        Self {
            at,
            problem: problem.into(),
            is_of_machine: false,
            others: Vec::new(),
        }
    }

    pub fn in_file(self, text: &str, path: &Path) -> ConfigError {
        let others = self.others.into_iter();
        ConfigError {
            file: path.to_owned(),
            place: self.at.map(|at| line_and_column(text, at)),
            // The problem may quote the file: a line end in a name would break the message.
            problem: visible(&self.problem),
            is_of_machine: self.is_of_machine,
            others: others.map(|other| other.in_file(text, path)).collect(),
        }
    }
}

/// Line and column of a byte of `text`, from 1; columns count characters.
pub fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (line, column)
}
