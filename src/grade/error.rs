//! Why a class could not be graded.

use std::io;
use std::path::PathBuf;

use super::pseudonyms::SecretError;
use super::{RosterError, SubmissionsError, UnpackError};
use crate::check::CheckError;
use crate::config::FormatError;
use crate::pages::PageError;
use crate::record::{RecordError, ResumeError};
use crate::runner::{HostError, RunError};
use crate::shards::FreezeError;

/// Why a class could not be graded. What is wrong with a submission is no error: it is in its mark.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum GradeError {
    /// The roster is of no use.
    #[error(transparent)]
    Roster(#[from] RosterError),
    /// The folder of the submissions is of no use.
    #[error(transparent)]
    Submissions(#[from] SubmissionsError),
    /// A submission cannot be unpacked because of this machine.
    #[error(transparent)]
    Unpack(#[from] UnpackError),
    /// A file or folder cannot be read or written.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Games of a student belong to something else than they should.
    #[error("{}: {problem}", path.display())]
    Resume {
        path: PathBuf,
        #[source]
        problem: Box<ResumeError>,
    },
    /// Games could not be played to their end.
    #[error(transparent)]
    Run(#[from] RunError),
    /// This machine cannot play them.
    #[error(transparent)]
    Host(#[from] HostError),
    /// The references cannot be kept.
    #[error(transparent)]
    Freeze(#[from] FreezeError),
    /// A bot that students meet cannot be built.
    #[error("the reference `{name}`: {problem}")]
    Reference { name: String, problem: String },
    /// A bot could not be checked.
    #[error("{key} could not be checked: {problem}")]
    Check {
        key: String,
        #[source]
        problem: CheckError,
    },
    /// A build could not be run.
    #[error("the build of {key} could not be run: {problem}")]
    Build {
        key: String,
        #[source]
        problem: io::Error,
    },
    /// It was interrupted.
    #[error("the grading was stopped; what was played is kept, and the same command goes on")]
    Stopped,
    /// No student has this id, and no team this name; or several have it in another case.
    #[error(
        "--only {0}: no student of the roster has this id, and no team this name, or several have it in another case"
    )]
    NoStudent(String),
    /// The student has no games to play once more.
    #[error("{student} has no bot to play once more: {why}")]
    NoBot { student: String, why: String },
    /// There is no secret for pseudonyms.
    #[error(transparent)]
    Secret(#[from] SecretError),
    /// The class tournament cannot be played like that.
    #[error("[tournament]: {0}")]
    Format(#[from] FormatError),
    /// Pages of a student cannot be made.
    #[error(transparent)]
    Page(#[from] PageError),
    /// A thread failed.
    #[error("a worker failed: {0}")]
    Worker(String),
}
