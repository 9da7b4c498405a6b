//! Grading: submissions, tests, marks, feedback.

pub mod copies;
pub mod leaks;
pub mod pseudonyms;
pub mod sheet;
pub mod standings;

mod keys;
mod lateness;
mod problem;
mod roster;
mod submissions;
mod unpack;

pub use lateness::{DayKind, Lateness};
pub use problem::Problem;
pub use roster::{Entrant, Roster, RosterError, Student};
pub use submissions::{Found, Layout, Matched, SubmissionsError, submissions};
pub use unpack::{Flaw, Refusal, UnpackError, UnpackLimits, Unpacked, unpack};
