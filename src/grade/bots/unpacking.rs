//! Unpacks what a candidate handed in, and says which of its files are the program.

use std::fs;
use std::path::Path;

use super::cause::{BrokenBot, Cause};
use super::kit::KIT;
use crate::grade::class::Candidate;
use crate::grade::config::Program;
use crate::grade::error::GradeError;
use crate::grade::folder::GradeFolder;
use crate::grade::intake::{UnpackError, UnpackLimits, Unpacked, unpack};
use crate::runs::{RunFileError, RunFileProblem, make_parent, remove_folder};

/// Folder of the submission as handed in.
pub(super) const UNPACKED: &str = "unpacked";

/// Short digest of a submission, the name of its folder.
pub(super) fn short(unpacked: &Unpacked) -> String {
    unpacked.digest.chars().take(16).collect()
}

/// Unpacks a submission into the folder of its digest, unless that exists.
pub(super) fn unpack_new(
    folder: &GradeFolder,
    candidate: &Candidate,
    path: &Path,
    program: &Program,
) -> Result<Result<Unpacked, BrokenBot>, GradeError> {
    let new = folder.student(&candidate.key, "new").join(UNPACKED);
    remove_folder(&new)?;
    make_parent(&new)?;
    let unpacked = match unpack(path, &new, &UnpackLimits::default(), &files_of(program)) {
        Ok(unpacked) => unpacked,
        Err(UnpackError::Refused(problem)) => {
            return Ok(Err(BrokenBot {
                why: format!("what was handed in cannot be unpacked: {problem}"),
                cause: Cause::Unpacking(problem.flaw.to_string()),
            }));
        }
        Err(problem @ UnpackError::Disk { .. }) => return Err(problem.into()),
    };
    let place = folder
        .student(&candidate.key, &short(&unpacked))
        .join(UNPACKED);
    if place.exists() {
        remove_folder(&new)?;
    } else {
        make_parent(&place)?;
        fs::rename(&new, &place).map_err(RunFileError::at(&place, RunFileProblem::Write))?;
    }
    Ok(Ok(unpacked))
}

/// File names that mark the folder of a submission's program; empty for a package, which its adapter finds.
fn files_of(program: &Program) -> Vec<String> {
    let (command, build) = match program {
        Program::Kit => return vec![KIT.to_owned()],
        Program::Package { .. } => return Vec::new(),
        Program::Command { command, build } => (command, build),
    };
    let mut files = Vec::new();
    for command in [Some(command), build.as_ref()].into_iter().flatten() {
        let [program, arguments @ ..] = &command[..] else {
            continue;
        };
        // A program without a slash is the machine's.
        let own = Some(program).filter(|it| it.contains('/'));
        let words = own.into_iter().chain(arguments);
        let words = words.map(|word| word.trim_start_matches("./"));
        files.extend(
            words
                .filter(|it| !matches!(*it, "" | "."))
                .map(str::to_owned),
        );
        if program == "make" {
            files.extend(["Makefile", "makefile"].map(str::to_owned));
        }
    }
    files
}
