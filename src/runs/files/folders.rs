//! Folders and files that are made or removed.

use std::fs;
use std::io;
use std::path::Path;

use crate::bot::remove_tree;
use crate::runs::error::{RecordError, RecordProblem};

/// Whether a folder has no entries.
pub(in crate::runs) fn is_empty(folder: &Path) -> Result<bool, RecordError> {
    let mut entries = fs::read_dir(folder).map_err(RecordError::at(folder, RecordProblem::Read))?;
    Ok(entries.next().is_none())
}

/// Makes the parent folder of a path.
///
/// # Errors
/// It cannot be made.
pub fn make_parent(path: &Path) -> Result<(), RecordError> {
    let parent = path.parent().unwrap_or(path);
    fs::create_dir_all(parent).map_err(RecordError::at(parent, RecordProblem::Make))
}

/// Removes a folder and everything in it, including read-only folders left by a bot. A missing folder is no
/// error.
///
/// # Errors
/// It is there and cannot be removed.
pub fn remove_folder(path: &Path) -> Result<(), RecordError> {
    remove_tree(path, None).map_err(RecordError::at(path, RecordProblem::Write))
}

/// Removes a file. A missing file is no error.
///
/// # Errors
/// The file is there and cannot be removed.
pub fn remove_if_there(path: &Path) -> Result<(), RecordError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(RecordError::new(path, RecordProblem::Write(error)))
        }
        _ => Ok(()),
    }
}
