//! The intake of a class: the roster, the submission of each entrant, its lateness, and its unpacked files.
//!
//! It is handed paths, and gives entrants with their submissions. It knows no other room of grading. A fault of one
//! student is a [`IntakeIssue`], and the class goes on without that student.

mod casefold;
mod keys;
mod lateness;
mod problem;
mod roster;
mod submissions;
mod table;
mod unpack;

pub use casefold::{by_folded, in_any_case};
pub use lateness::{DayKind, Deadline, Lateness};
pub use problem::{IntakeIssue, shown};
pub use roster::{COLUMNS, Entrant, Roster, RosterError, Student};
pub use submissions::{
    Layout, Matched, MatchedSubmission, Returned, SubmissionsError, submissions,
};
pub use table::{DELIMITERS, Field, Fields, POINTS_POSSIBLE, Unreadable, read_text, value};
pub use unpack::{UnpackError, UnpackLimits, Unpacked, unpack};
