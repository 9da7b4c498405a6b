//! Folders and files that are made or removed.

use std::fs;
use std::io;
use std::path::Path;

use crate::bot::remove_tree;
use crate::runs::error::{RunFileError, RunFileProblem};

/// Whether a folder has no entries.
pub(in crate::runs) fn is_empty(folder: &Path) -> Result<bool, RunFileError> {
    let mut entries =
        fs::read_dir(folder).map_err(RunFileError::at(folder, RunFileProblem::Read))?;
    Ok(entries.next().is_none())
}

/// Makes the parent folder of a path.
///
/// # Errors
/// It cannot be made.
pub fn make_parent(path: &Path) -> Result<(), RunFileError> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).map_err(RunFileError::at(parent, RunFileProblem::Make))
}

/// Removes a folder and everything in it, including read-only folders left by a bot. A missing folder is no
/// error.
///
/// # Errors
/// It is there and cannot be removed.
pub fn remove_folder(path: &Path) -> Result<(), RunFileError> {
    remove_tree(path, None).map_err(RunFileError::at(path, RunFileProblem::Write))
}

/// Removes a file. A missing file is no error.
///
/// # Errors
/// The file is there and cannot be removed.
pub fn remove_if_there(path: &Path) -> Result<(), RunFileError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(RunFileError::new(path, RunFileProblem::Write(error)))
        }
        _ => Ok(()),
    }
}
