//! Errors of a grading.

use std::error::Error;
use std::io;
use std::path::PathBuf;

use rustix::io::Errno;

use super::UnpackError;
use super::intake::IntakeError;
use crate::check::CheckError;
use crate::config::{ConfigError, FormatError};
use crate::pages::PageError;
use crate::runner::{HostError, RunError};
use crate::runs::{CopyError, ResumeError, RunFileError};

/// Why a class could not be graded, or a league not go on. A flaw of a submission is no error: it is part of its mark.
#[derive(Debug, thiserror::Error)]
pub enum GradeError {
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Intake(#[from] IntakeError),
    #[error(transparent)]
    Unpack(#[from] UnpackError),
    #[error(transparent)]
    RunFile(#[from] RunFileError),
    #[error("{}: {problem}", path.display())]
    Resume {
        path: PathBuf,
        #[source]
        problem: Box<ResumeError>,
    },
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Host(#[from] HostError),
    #[error(transparent)]
    Check(#[from] CheckError),
    #[error(transparent)]
    Copy(#[from] CopyError),
    /// Something that the lecturer has to change, in words.
    #[error("{0}")]
    Usage(String),
    #[error("the build could not be run: {0}")]
    Build(#[source] io::Error),
    #[error("all is written but the feedback of {}", .0.join("; of "))]
    Feedback(Vec<String>),
    #[error("the grading was stopped; what was played is kept, and the same command goes on")]
    Stopped,
    #[error("[tournament]: {0}")]
    Format(#[from] FormatError),
    #[error(transparent)]
    Page(#[from] PageError),
    #[error("a worker failed: {0}")]
    Worker(String),
}

impl GradeError {
    pub fn usage(problem: impl Into<String>) -> Self {
        Self::Usage(problem.into())
    }

    pub(super) fn reference(name: &str, why: &str) -> Self {
        Self::Usage(format!("the reference `{name}`: {why}"))
    }

    /// Separates failures of one student, which are reported with that student's mark, from failures of the
    /// machine.
    pub fn apart<T>(result: Result<T, Self>) -> Result<Result<T, String>, Self> {
        match result {
            Ok(done) => Ok(Ok(done)),
            Err(error) if error.is_for_all() => Err(error),
            // Leave out the path: the message concerns the student's games.
            Err(Self::Resume { problem, .. }) => Ok(Err(problem.to_string())),
            Err(error) => Ok(Err(error.to_string())),
        }
    }

    fn is_for_all(&self) -> bool {
        let is_own = match self {
            Self::Stopped | Self::Worker(_) => true,
            Self::Run(error) => matches!(
                error,
                RunError::Stopped { .. } | RunError::Thread(_) | RunError::WorkerFailed { .. }
            ),
            _ => false,
        };
        let mut cause: Option<&(dyn Error + 'static)> = Some(self);
        while let Some(error) = cause {
            if error.downcast_ref().is_some_and(is_short) {
                return true;
            }
            cause = error.source();
        }
        is_own
    }
}

fn is_short(error: &io::Error) -> bool {
    const SHORT: [Errno; 6] = [
        Errno::NOSPC,
        Errno::DQUOT,
        Errno::ROFS,
        Errno::MFILE,
        Errno::NFILE,
        Errno::NOMEM,
    ];
    let number = error.raw_os_error();
    number.is_some_and(|number| SHORT.iter().any(|it| it.raw_os_error() == number))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::runs::RunFileProblem;

    #[test]
    fn a_full_disk_is_for_all_and_a_closed_folder_for_one() {
        let of = |number: Errno| io::Error::from_raw_os_error(number.raw_os_error());
        let path = Path::new("work/bot");
        let kinds: [&dyn Fn(io::Error) -> GradeError; 4] = [
            &|error| RunFileError::at(path, RunFileProblem::Write)(error).into(),
            &|source| {
                let path = path.to_owned();
                CopyError::File { path, source }.into()
            },
            &|source| {
                let path = path.to_owned();
                UnpackError::Disk { path, source }.into()
            },
            &GradeError::Build,
        ];
        for error in kinds {
            assert!(GradeError::apart::<()>(Err(error(of(Errno::NOSPC)))).is_err());
            let one = GradeError::apart::<()>(Err(error(of(Errno::ACCESS))));
            let words = one.expect("goes on").expect_err("is told");
            assert!(words.contains("Permission denied"), "{words}");
        }
        assert!(GradeError::apart::<()>(Err(GradeError::Stopped)).is_err());
    }
}
