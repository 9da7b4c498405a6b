//! A student's copies of the tests' runs, with pages made from the copies alone.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::copies::{Scrub, copy_ended_run};
use crate::game::Games;
use crate::grade::error::GradeError;
use crate::grade::folder::GradeFolder;
use crate::pages::{GAMES, run_pages};
use crate::runs::{
    JOURNAL, Run, RunFileError, RunFileProblem, make_parent, remove_folder, remove_if_there,
    sha256, write_whole,
};

/// Folder of a run's pages below the run's folder.
pub(super) const PAGES: &str = "report";

/// Feedback folder in commands: it lies in the program's folder.
pub(super) const AT_HOME: &str = "feedback";

/// A folder of copies for a student.
pub(super) struct Copies<'a> {
    key: &'a str,
    /// The folder.
    pub to: PathBuf,
    /// The file with the names of their runs.
    known: PathBuf,
    /// Whether the student gets the folder, so that it has pages.
    is_given: bool,
}

impl<'a> Copies<'a> {
    /// The folder of the student's feedback.
    pub fn given(folder: &GradeFolder, key: &'a str) -> Self {
        Self {
            key,
            to: folder.feedback(key),
            known: folder.work().join("feedback").join(key),
            is_given: true,
        }
    }

    /// Copies that the student does not get, from which the feedback is written.
    pub fn kept(folder: &GradeFolder, key: &'a str) -> Self {
        let withheld = folder.work().join("withheld");
        Self {
            key,
            to: withheld.join(key),
            known: withheld.join(format!("{key}.copied")),
            is_given: false,
        }
    }

    /// Creates the folder with copies of these runs, by the names of their tests. The folder is replaced as a whole. If
    /// the copies are current, nothing is done.
    ///
    /// # Errors
    /// A run cannot be read, or the copies cannot be written.
    pub fn make(
        &self,
        runs: &[(&str, PathBuf)],
        games: Games,
        scrub: &Scrub,
    ) -> Result<(), GradeError> {
        let Self { key, to, known, .. } = self;
        let state = state(runs)?;
        if to.exists() && fs::read_to_string(known).is_ok_and(|text| text == state) {
            return Ok(());
        }
        let beside = |name: &str| to.with_file_name(format!(".{key}.{name}"));
        let (new, old) = (beside("new"), beside("old"));
        remove_folder(&new)?;
        remove_folder(&old)?;
        fs::create_dir_all(&new).map_err(RunFileError::at(&new, RunFileProblem::Make))?;
        for (test, path) in runs {
            let copy = copy_ended_run(&Run::open(path, games)?, key, &new.join(test), scrub)?;
            if self.is_given {
                write_pages(&copy, &Path::new(AT_HOME).join(test))?;
            }
        }
        // Remove the state first: after a crash between the renames, it would describe the wrong copies.
        remove_if_there(known)?;
        if to.exists() {
            fs::rename(to, &old).map_err(RunFileError::at(to, RunFileProblem::Write))?;
        }
        fs::rename(&new, to).map_err(RunFileError::at(to, RunFileProblem::Write))?;
        remove_folder(&old)?;
        make_parent(known)?;
        write_whole(known, &mut |file| file.write_all(state.as_bytes()))?;
        Ok(())
    }
}

/// Page of all games of the student in a test, relative to the feedback.
pub(in crate::grade) fn all_games(test: &str) -> String {
    format!("{test}/{PAGES}/player-0.html")
}

/// Inputs of the copies, one line each.
fn state(runs: &[(&str, PathBuf)]) -> Result<String, RunFileError> {
    let mut text = format!("{}\n", env!("CARGO_PKG_VERSION"));
    for (test, path) in runs {
        let digest = sha256(&path.join(JOURNAL))?;
        text.push_str(&format!("{test} {digest}\n"));
    }
    Ok(text)
}

/// Writes the pages of a copy into it. Commands in them name it `shown`.
fn write_pages(copy: &Run, shown: &Path) -> Result<(), GradeError> {
    let out = copy.path().join(PAGES);
    let games = out.join(GAMES);
    fs::create_dir_all(&games).map_err(RunFileError::at(&games, RunFileProblem::Make))?;
    let mut write = |name: &str, page: &str| {
        write_whole(&out.join(name), &mut |file| file.write_all(page.as_bytes()))
    };
    run_pages(copy, None, BTreeSet::new(), shown, &mut write, None)?;
    Ok(())
}
