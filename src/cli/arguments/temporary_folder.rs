//! A folder that is there for one command.

use std::path::{Path, PathBuf};

use crate::bot::supervise::make_temporary_folder;
use crate::runs::{RunFileError, RunFileProblem, remove_folder};

/// A new folder, which is removed on drop.
#[derive(Debug)]
pub struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// Makes a folder whose name begins with `prefix`.
    pub fn new(prefix: &str) -> Result<Self, RunFileError> {
        // Create it exclusively: another user could have planted a folder under a guessed name.
        make_temporary_folder(prefix)
            .map(Self)
            .map_err(RunFileError::at(
                &std::env::temp_dir(),
                RunFileProblem::Make,
            ))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // Leftovers vanish with the system's temporary files.
        let _ = remove_folder(&self.0);
    }
}
