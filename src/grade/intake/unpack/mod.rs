//! Copies or unpacks a submission into a new folder. However hostile the submission, nothing is written outside
//! that folder, and the limits hold.
//!
//! A refusal concerns the whole submission, and names the entry and a remedy. Permissions are 0644, or 0755 for
//! folders and for files that their owner may execute. Leftovers of systems and installed packages (`__MACOSX`,
//! `.git`, `venv` and others, see `name.rs`) are left out before anything is refused. A `\` in a path of an
//! archive counts as `/`.

mod archive;
mod error;
mod flaw;
mod from_folder;
mod from_tar;
mod from_zip;
mod limits;
mod name;
mod tree;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(super) use archive::without_ending;
pub use error::UnpackError;
use error::at;
pub use flaw::Refusal;
pub use limits::UnpackLimits;
use tree::Tree;
pub use tree::Unpacked;

use crate::bot::remove_tree;

/// Creates the new folder `to` from a submission, which is a folder or an archive. The final rename is atomic.
///
/// An archive alone in a folder, or beside documents only, is unpacked. The new folder is the folder with the
/// files named in `program`: the outermost if they are nested. Without such files it is the single folder at
/// the top, if there is one; if `program` is empty, documents may lie beside it.
///
/// # Errors
/// The submission is refused, `to` exists, or a file cannot be read or written. Partial results are removed.
pub fn unpack(
    from: &Path,
    to: &Path,
    limits: &UnpackLimits,
    program: &[String],
) -> Result<Unpacked, UnpackError> {
    let staging = staging(to).map_err(at(to))?;
    remove_tree(&staging, None).map_err(at(&staging))?;
    if to.symlink_metadata().is_ok() {
        return Err(at(to)(io::ErrorKind::AlreadyExists.into()));
    }
    fs::create_dir(&staging).map_err(at(&staging))?;
    let unpacked = fill(from, &staging, limits).and_then(|tree| {
        let (inside, unpacked) = tree.finish(program)?;
        fs::rename(&inside, to).map_err(at(to))?;
        Ok(unpacked)
    });
    let removed = remove_tree(&staging, None);
    let unpacked = unpacked?;
    removed.map_err(at(&staging))?;
    Ok(unpacked)
}

/// Temporary path of the new folder until it is complete.
fn staging(to: &Path) -> io::Result<PathBuf> {
    let name = to.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(".unpacking");
    Ok(to.with_file_name(hidden))
}

/// Fills a new folder.
fn fill<'a>(
    from: &Path,
    root: &'a Path,
    limits: &'a UnpackLimits,
) -> Result<Tree<'a>, UnpackError> {
    let mut tree = Tree::new(root, limits);
    let kind = from.symlink_metadata().map_err(at(from))?.file_type();
    if kind.is_dir() {
        match from_folder::lone_archive(from)? {
            Some(archive) => archive::unpack(&archive, &mut tree)?,
            None => from_folder::copy(from, &mut tree)?,
        }
    } else if kind.is_file() {
        archive::unpack(from, &mut tree)?;
    } else {
        let flaw = from_folder::flaw(kind);
        return Err(Refusal::new(flaw).into());
    }
    Ok(tree)
}
