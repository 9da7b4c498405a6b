//! Files that are there whole or not at all.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::path::Path;

use crate::runs::error::{RunFileError, RunFileProblem};

/// Writes a file under a temporary name and renames it, so that it is there whole or not at all.
///
/// # Errors
/// The file cannot be written.
pub fn write_whole(
    path: &Path,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<(), RunFileError> {
    write_and_rename(path, None, write)
}

/// Replaces a file that is there, as [`write_whole`] does. Its permissions stay, and a link still leads to it.
///
/// # Errors
/// The file is not there, or cannot be written.
pub fn rewrite_whole(
    path: &Path,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<(), RunFileError> {
    let read = RunFileError::at(path, RunFileProblem::Read);
    let target = fs::canonicalize(path).and_then(|target| {
        let permissions = fs::metadata(&target)?.permissions();
        Ok((target, permissions))
    });
    let (target, permissions) = target.map_err(read)?;
    write_and_rename(&target, Some(permissions), write)
}

fn write_and_rename(
    path: &Path,
    permissions: Option<Permissions>,
    write: &mut dyn FnMut(&mut dyn Write) -> io::Result<()>,
) -> Result<(), RunFileError> {
    let temporary = path.with_extension("tmp");
    let written = File::create(&temporary).and_then(|file| {
        // Before anything is in it, so that nobody reads what they may not.
        if let Some(permissions) = &permissions {
            file.set_permissions(permissions.clone())?;
        }
        let mut file = BufWriter::with_capacity(1 << 16, file);
        write(&mut file)?;
        file.flush()
    });
    written
        .and_then(|()| fs::rename(&temporary, path))
        .map_err(|error| {
            let _ = fs::remove_file(&temporary);
            RunFileError::new(path, RunFileProblem::Write(error))
        })
}
