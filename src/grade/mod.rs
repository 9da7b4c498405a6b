//! Grading: submissions, tests, marks, feedback.
//!
//! A class is graded in stages: submissions are unpacked and built, bots are checked, tests are played in
//! rounds over the whole class, more games are played for unsure marks, and marks are written. Each stage
//! reuses earlier results: an interrupted grading continues, and a repeated one plays only changes.

mod any_case;
mod appeal;
mod bot;
mod beforehand;
mod by_hand;
mod cause;
mod changes;
mod class;
mod config;
mod container;
pub mod copies;
mod error;
mod feedback;
mod fitness;
mod folder;
mod graded;
mod grader;
mod integrity;
mod keys;
mod kit;
mod lanes;
mod lateness;
mod loaded;
mod marks;
mod missing;
mod module;
mod outcome;
mod play;
mod problem;
pub mod pseudonyms;
mod publish;
mod ready;
mod roster;
mod rounds;
mod setup;
pub mod sheet;
pub mod standings;
mod submissions;
mod table;
mod tournament;
mod unpack;

pub use appeal::{Appeal, DifferentGame, appeal};
pub use beforehand::{Beforehand, Unfit};
pub use by_hand::given_marks;
pub use cause::{Broken, Cause, CommonCause};
pub use changes::{ChangedMark, ChangesError, changed_marks, earlier_marks};
pub use class::{Candidate, Class};
pub use config::{ByHand, ClassTournament, Grading, Points, Program, SubmissionKind, Test};
pub use container::{Alone, shortfall};
pub use error::GradeError;
pub use feedback::{
    FeedbackOptions, Platform, ReturnedFeedback, results_path, write_all_feedback, write_returned,
};
pub use fitness::{Fitness, FoundFault};
pub use folder::GradeFolder;
pub use graded::{Asked, Graded, Listen, Step, write_graded};
pub use grader::{grade, grade_class};
pub use integrity::{Alike, alike};
pub use lateness::{DayKind, Deadline, Lateness};
pub use marks::{Mark, Status, TestMark, mark_text};
pub use problem::Problem;
pub use publish::publish;
pub use roster::{Entrant, Roster, RosterError, Student};
pub use rounds::Round;
pub use submissions::{Found, Layout, Matched, SubmissionsError, submissions};
pub use tournament::{Stand, tournament_games};
pub use unpack::{Flaw, Refusal, UnpackError, UnpackLimits, Unpacked, unpack};
