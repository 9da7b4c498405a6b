//! A submission as a new folder: copied from a folder, or unpacked from an archive. Whatever its author made,
//! nothing is written outside that folder, and no more than the limits allow.
//!
//! What is refused is refused as a whole, with the entry and what to do about it. The permissions are
//! 0644, or 0755 for folders and for what its owner may execute. What systems leave behind (`__MACOSX`, `.DS_Store`, `._*`,
//! `.git`, `__pycache__`) is left out. A `\` in a path of an archive is taken for `/`.

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

use crate::text;

/// How much one submission may hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpackLimits {
    /// Files and folders.
    pub files: u32,
    /// Bytes of all files together, and of the archive.
    pub bytes: u64,
    /// Bytes of a path.
    pub path_length: usize,
    /// Folders in each other, with the file in the innermost.
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
    /// How many entries are looked at, with those that are left out.
    fn entries(&self) -> usize {
        20 * self.files as usize
    }
}

/// A submission that was unpacked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unpacked {
    /// SHA-256 in hexadecimal digits, over the names of all files, sorted, whether each is executable, and
    /// their contents. It does not depend on how they were packed.
    pub digest: String,
    /// How many files there are.
    pub files: u32,
    /// How many bytes they have together.
    pub bytes: u64,
    /// The one folder that was at the top, which the new folder stands for: with courses, the name of a package.
    pub top: Option<String>,
}

/// Why a submission was not unpacked.
#[derive(Debug, thiserror::Error)]
pub enum UnpackError {
    /// Its author has to change it.
    #[error("{0}")]
    Refused(Refusal),
    /// This machine could not read or write a file.
    #[error("{}: {source}", text::visible(&path.display().to_string()))]
    Disk {
        /// Which file or folder.
        path: PathBuf,
        /// What happened.
        source: io::Error,
    },
}

impl From<Refusal> for UnpackError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

/// Makes an error of the system one about a path.
fn at(path: &Path) -> impl FnOnce(io::Error) -> UnpackError {
    let path = path.to_owned();
    move |source| UnpackError::Disk { path, source }
}

/// Makes the new folder `to` of a submission, which is a folder or an archive. It is there whole or not at all.
///
/// An archive that lies in a folder alone, or beside documents alone, is unpacked. If everything lies in one folder at the top, the new
/// folder has what is in that.
///
/// # Errors
/// The submission is refused, `to` is there already, or a file cannot be read or written. What was made is
/// removed.
pub fn unpack(from: &Path, to: &Path, limits: &UnpackLimits) -> Result<Unpacked, UnpackError> {
    let staging = staging(to).map_err(at(to))?;
    remove_folder(&staging).map_err(at(&staging))?;
    if to.symlink_metadata().is_ok() {
        return Err(at(to)(io::ErrorKind::AlreadyExists.into()));
    }
    fs::create_dir(&staging).map_err(at(&staging))?;
    let unpacked = fill(from, Some(&staging), limits).and_then(|(inside, unpacked)| {
        fs::rename(&inside, to).map_err(at(to))?;
        Ok(unpacked)
    });
    let removed = remove_folder(&staging);
    let unpacked = unpacked?;
    removed.map_err(at(&staging))?;
    Ok(unpacked)
}

/// Where the new folder is until it is whole.
fn staging(to: &Path) -> io::Result<PathBuf> {
    let name = to.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(".unpacking");
    Ok(to.with_file_name(hidden))
}

/// Removes a folder that may not be there.
fn remove_folder(path: &Path) -> io::Result<()> {
    match fs::remove_dir_all(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Reads a submission as [`unpack`] does, and writes nothing.
///
/// # Errors
/// The submission is refused, or a file cannot be read.
pub fn inspect(from: &Path, limits: &UnpackLimits) -> Result<(), UnpackError> {
    fill(from, None, limits).map(|_| ())
}

/// Fills a new folder, if there is one.
fn fill(
    from: &Path,
    root: Option<&Path>,
    limits: &UnpackLimits,
) -> Result<(PathBuf, Unpacked), UnpackError> {
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
    tree.finish()
}
