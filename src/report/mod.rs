//! Results as text for people and programs. This module runs no games, and the only files that it writes are the
//! tables of a run.

mod forfeits;
mod history;
mod json;
mod mixtures;
mod notes;
mod players;
mod progress;
mod screen;
mod stderr;
mod table;
mod tables;
mod text;

pub use forfeits::{ForfeitCount, Forfeits};
pub use history::{DEFAULT_K, History};
pub use json::json;
pub use mixtures::Mixtures;
pub use notes::{
    NotesOn, TOLD_APART, conclusion, conclusion_words, facts, stopping, strength,
    unit as unit_of_test, warnings,
};
pub use players::players;
pub use progress::{OpenWork, Progress, Stages, Work, rough};
pub use screen::{RunEnd, Style, forfeit_lines, plain, summary};
pub use stderr::{is_dumb, print_repeated_warnings, print_to_stderr, warn};
pub use table::{Cell, Column, ReportTable};
pub use tables::{
    PLACES, covariance, crosstable, finish_run, games, matches, pairings, places, ratings,
    standings, superiority, verdicts, write_tables,
};
pub use text::{in_lines, listed, sheet_text, shell_word, shortened, width};
