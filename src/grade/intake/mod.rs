//! What a class hands in: the roster, whose submission each entry of a folder is, how late it is, and its files in a
//! new folder.
//!
//! It is handed paths, and gives entrants with what was found of each. It knows nothing else of a grading: what is
//! wrong with one student is a [`Problem`], and the others go on.

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
pub use problem::{Problem, shown};
pub use roster::{COLUMNS, Entrant, Roster, RosterError, Student};
pub use submissions::{Found, Layout, Matched, Returned, SubmissionsError, submissions};
pub use table::{DELIMITERS, Field, Fields, POINTS_POSSIBLE, Unreadable, read_text, value};
pub use unpack::{Flaw, Refusal, UnpackError, UnpackLimits, Unpacked, unpack};
