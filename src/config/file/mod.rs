//! The text of a configuration file: its keys as typed, and values with a unit, a path or a name.
//!
//! It is handed bytes of unknown origin, and gives the tables that the rest of the configuration gives a meaning,
//! with errors in the terms of the file.

mod amounts;
mod bounded;
mod keys;
mod messages;
mod names;
mod paths;
mod text_lines;

pub(crate) use crate::text::did_you_mean;
pub use amounts::{bytes, duration, duration_or, limit, size};
pub use bounded::{
    BoundedRows, LARGEST_BOOK, LARGEST_RECORD, LARGEST_TEXT, LONGEST_ROW, long_row, read_bounded,
    read_text, text_from,
};
pub(crate) use keys::{Amount, ClockSection, LimitsSection, PlayerSection, read};
pub use keys::{
    File, FormatKind, FormatTable, GameTable, OneOrMany, RecordSection, ReportSection, whole,
};
pub(crate) use messages::in_brackets;
pub use messages::toml_problem;
pub(crate) use names::file_name;
pub(crate) use paths::Base;
pub use paths::short;
pub use text_lines::TextLines;
