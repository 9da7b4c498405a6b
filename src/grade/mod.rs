//! Grading: submissions, tests, marks, feedback.
//!
//! A class is graded in stages: submissions are unpacked and built, bots are checked, tests are played in
//! rounds over the whole class, more games are played for unsure marks, and marks are written. Each stage
//! reuses earlier results: an interrupted grading continues, and a repeated one plays only changes.

mod appeal;
mod bots;
mod class;
mod class_page;
mod config;
mod error;
mod feedback;
mod folder;
mod games;
mod graded;
mod grader;
mod intake;
mod lanes;
mod marks;
mod platforms;
mod precheck;
mod results;
mod scheme;
mod setup;
mod steps;

pub use appeal::Appeal;
pub use bots::CommonCause;
pub use class::{Candidate, Class};
pub use class_page::write_class_page;
pub use config::{Grading, PointScheme, Program, Test};
pub use error::GradeError;
pub use feedback::{
    FeedbackOptions, FeedbackWriter, Platform, ReturnedFeedback, results_path, write_returned,
};
pub use folder::GradeFolder;
pub use games::{TournamentRank, tournament_games};
pub use graded::{GradeOptions, Graded};
pub use grader::GradeRequest;
pub use intake::{
    Entrant, IntakeIssue, Layout, Matched, MatchedSubmission, Roster, RosterError, Student,
    SubmissionsError, UnpackError, UnpackLimits, Unpacked, submissions, unpack,
};
pub use marks::{ChangesError, Mark, Status, changed_marks, earlier_marks, given_marks, mark_text};
pub use platforms::{Alone, sheet, shortfall};
pub use precheck::ClassCheck;
pub use results::{Alike, alike, write_graded};
pub use scheme::{
    Change, Doubt, MarkRule, MarkedBlock, MarkedGame, Reliability, SIMULATIONS, Scheme, SchemeTest,
    TestGames, curve, fraction,
};
pub use steps::{Listen, Round, Step};
