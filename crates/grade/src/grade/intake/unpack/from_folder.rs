//! Copies a submission that is a folder.

use std::ffi::OsString;
use std::fs::{self, File, FileType};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};

use super::name::decoded;
use super::tree::Tree;
use super::{Flaw, Refusal, UnpackError, at};

pub(super) fn copy(folder: &Path, tree: &mut Tree) -> Result<(), UnpackError> {
    let mut seen = 0;
    let mut below = vec![PathBuf::new()];
    while let Some(path) = below.pop() {
        let here = folder.join(&path);
        let mut names: Vec<OsString> = Vec::new();
        for entry in fs::read_dir(&here).map_err(at(&here))? {
            seen += 1;
            if seen > tree.limits().entries() {
                return Err(Refusal::many_files(tree.limits()).into());
            }
            names.push(entry.map_err(at(&here))?.file_name());
        }
        names.sort_unstable();
        for name in &names {
            tree.find_environment(&decoded(path.join(name).as_os_str().as_bytes()));
        }
        for name in names {
            let path = path.join(name);
            if entry(folder, &path, tree)? {
                below.push(path);
            }
        }
    }
    Ok(())
}

/// Copies a file or creates a folder. Returns whether it is a folder whose entries are to be copied too.
fn entry(folder: &Path, path: &Path, tree: &mut Tree) -> Result<bool, UnpackError> {
    let Some(name) = tree.name(&decoded(path.as_os_str().as_bytes()))? else {
        return Ok(false);
    };
    let source = folder.join(path);
    let metadata = source.symlink_metadata().map_err(at(&source))?;
    if metadata.is_dir() {
        tree.folder(&name)?;
        return Ok(true);
    }
    if !metadata.is_file() {
        return Err(Refusal::of(&path.to_string_lossy(), flaw(metadata.file_type())).into());
    }
    let mut file = File::open(&source).map_err(at(&source))?;
    let executable = metadata.permissions().mode() & 0o100 != 0;
    tree.file(&name, executable, &mut file, &source)?;
    Ok(false)
}

/// Flaw of an entry that is neither a file nor a folder.
pub(super) fn flaw(kind: FileType) -> Flaw {
    match () {
        () if kind.is_symlink() => Flaw::Symlink,
        () if kind.is_fifo() => Flaw::Device("FIFO"),
        () if kind.is_socket() => Flaw::Device("socket"),
        () => Flaw::Device("device"),
    }
}
