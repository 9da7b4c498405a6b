//! Copies or unpacks a submission into a new folder. However hostile the submission, nothing is written outside
//! that folder, and the limits hold.
//!
//! A refusal concerns the whole submission, and names the entry and a remedy. Permissions are 0644, or 0755 for
//! folders and for files that their owner may execute. Leftovers of systems and installed packages (`__MACOSX`,
//! `.git`, `venv` and others, see `name.rs`) are left out before anything is refused. A `\` in a path of an
//! archive counts as `/`.

mod archive;
mod flaw;
mod from_folder;
mod from_tar;
mod from_zip;
mod name;
mod tree;

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

pub(super) use archive::without_ending;
pub use flaw::{Flaw, Refusal};
use tree::Tree;

use crate::bot::remove_tree;
use crate::text;

/// Limits of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpackLimits {
    /// Maximum number of files and folders.
    pub files: u32,
    /// Maximum bytes of all files.
    pub bytes: u64,
    /// Maximum characters of a path.
    pub path_length: usize,
    /// Maximum components of a path, including the file name.
    pub depth: usize,
}

impl Default for UnpackLimits {
    fn default() -> Self {
        Self {
            files: 10_000,
            bytes: 256 << 20,
            path_length: 400,
            depth: 32,
        }
    }
}

impl UnpackLimits {
    /// Maximum number of entries read, including those left out.
    fn entries(&self) -> usize {
        20 * self.files as usize
    }

    /// Maximum bytes of skipped entries, and of the archive file.
    fn skipped(&self) -> u64 {
        8 * self.bytes
    }
}

/// An unpacked submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpacked {
    /// SHA-256 in hex over all files, sorted by name: name, executable bit and contents. It is independent of
    /// the packing.
    pub digest: String,
    /// Number of files.
    pub files: u32,
    /// Bytes of all files written, also of files outside `top`.
    pub bytes: u64,
    /// Subfolder that became the new folder, if it is not the top. In some courses it is the name of a package.
    pub top: Option<String>,
    /// Differences from the submission as handed in, one sentence each, escaped for display.
    pub notes: Vec<String>,
    /// Candidates for the program's folder if it is ambiguous, escaped for display.
    pub undecided: Option<String>,
}

/// Why a submission was not unpacked.
#[derive(Debug, thiserror::Error)]
pub enum UnpackError {
    /// The author has to change it.
    #[error("{0}")]
    Refused(Refusal),
    /// This machine could not read or write a file.
    #[error("{}: {source}", text::visible(&path.display().to_string()))]
    Disk {
        /// Path of the file or folder.
        path: PathBuf,
        /// Cause.
        source: io::Error,
    },
}

impl From<Refusal> for UnpackError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Adds a path to an I/O error.
fn at(path: &Path) -> impl FnOnce(io::Error) -> UnpackError {
    let path = path.to_owned();
    move |source| UnpackError::Disk { path, source }
}

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
