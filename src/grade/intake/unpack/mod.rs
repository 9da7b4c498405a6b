//! A submission as a new folder: copied from a folder, or unpacked from an archive. Whatever its author made,
//! nothing is written outside that folder, and no more than the limits allow.
//!
//! What is refused is refused as a whole, with the entry and what to do about it. The permissions are
//! 0644, or 0755 for folders and for what its owner may execute. What systems leave behind and tools install (`__MACOSX`,
//! `.git`, `venv` and such, see `name.rs`) is left out before anything is refused. A `\` in a path of an archive is taken
//! for `/`.

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

use crate::player::remove_tree;
use crate::text;

/// How much one submission may hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpackLimits {
    /// Files and folders.
    pub files: u32,
    /// Bytes of all files together.
    pub bytes: u64,
    /// Characters of a path.
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

    /// How many bytes are passed over of what is left out, and how long an archive may be.
    fn skipped(&self) -> u64 {
        8 * self.bytes
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
    /// The folder that the new folder stands for, where that is not the top: with courses, the name of a package.
    pub top: Option<String>,
    /// What of it is not as it was handed in, a sentence each. They are safe to be shown.
    pub notes: Vec<String>,
    /// Where several folders could be meant: which, in words that are safe to be shown.
    pub undecided: Option<String>,
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
/// An archive that lies in a folder alone, or beside documents alone, is unpacked. The new folder has what is in the
/// folder with the files that `program` names: in the outermost of several that lie in each other. Without such files it
/// has what is in the one folder at the top, if there is one; without names, documents may lie beside that.
///
/// # Errors
/// The submission is refused, `to` is there already, or a file cannot be read or written. What was made is
/// removed.
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

/// Where the new folder is until it is whole.
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
