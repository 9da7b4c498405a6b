//! Copies or unpacks a submission into a new folder. However hostile the submission, nothing is written outside
//! that folder, and the limits hold.
//!
//! A refusal concerns the whole submission, and names the entry and a remedy. Permissions are 0644, or 0755 for
//! folders and for files that their owner may execute. Leftovers of systems and installed packages (`__MACOSX`,
//! `.git`, `venv` and others, see `name.rs`) are left out before anything is refused. A `\` in a path of an
//! archive counts as `/`.

mod archive;
mod from_tar;
mod from_zip;
mod name;
mod tree;

use std::ffi::OsString;
use std::fs::{File, FileType};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

pub use archive::without_ending;
use name::decoded;
pub use name::is_document;
use tree::Tree;
pub use tree::Unpacked;

use crate::bot::remove_tree;
use crate::grade::intake::shown;
use crate::text;

/// Creates the new folder `to` from a submission, which is a folder or an archive. The final rename is atomic.
///
/// An archive alone in a folder or archive, or beside documents only, is unpacked. The new folder is the folder with the
/// files named in `program`: the outermost if they are nested. Without such files it is the single folder at
/// the top, if there is one; if `program` is empty, documents may lie beside it. `named` decides: it is a folder, or a file
/// in the folder, by its path or by the end of it.
///
/// # Errors
/// The submission is refused, `to` exists, or a file cannot be read or written. Partial results are removed.
pub fn unpack(
    from: &Path,
    to: &Path,
    limits: &UnpackLimits,
    program: &[String],
    named: Option<&str>,
) -> Result<Unpacked, UnpackError> {
    let staging = staging(to).map_err(at(to))?;
    remove_tree(&staging, None).map_err(at(&staging))?;
    if to.symlink_metadata().is_ok() {
        return Err(at(to)(io::ErrorKind::AlreadyExists.into()));
    }
    fs::create_dir(&staging).map_err(at(&staging))?;
    let unpacked = within(from, &staging, limits, program).and_then(|tree| {
        let (inside, unpacked) = tree.finish(program, named)?;
        fs::rename(&inside, to).map_err(at(to))?;
        Ok(unpacked)
    });
    let removed = remove_tree(&staging, None);
    let unpacked = unpacked?;
    removed.map_err(at(&staging))?;
    Ok(unpacked)
}

fn staging(to: &Path) -> io::Result<PathBuf> {
    let name = to.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    let mut hidden = OsString::from(".");
    hidden.push(name);
    hidden.push(".unpacking");
    Ok(to.with_file_name(hidden))
}

const MOST_NESTED: usize = 4;

/// Fills a new folder below `staging`, from the innermost of archives that hold one archive each.
fn within<'a>(
    from: &Path,
    staging: &Path,
    limits: &'a UnpackLimits,
    program: &[String],
) -> Result<Tree<'a>, UnpackError> {
    let mut from = from.to_owned();
    let mut nested = 1;
    let mut notes = Vec::new();
    loop {
        let root = staging.join(nested.to_string());
        fs::create_dir(&root).map_err(at(&root))?;
        let mut tree = fill(&from, root, notes, limits)?;
        match tree.lone_archive(program) {
            Some(archive) if nested < MOST_NESTED => from = archive,
            _ => return Ok(tree),
        }
        notes = std::mem::take(&mut tree.notes);
        nested += 1;
    }
}

fn fill<'a>(
    from: &Path,
    root: PathBuf,
    notes: Vec<String>,
    limits: &'a UnpackLimits,
) -> Result<Tree<'a>, UnpackError> {
    let mut tree = Tree::new(root, notes, limits);
    let kind = from.symlink_metadata().map_err(at(from))?.file_type();
    if kind.is_dir() {
        copy(from, &mut tree)?;
    } else if kind.is_file() {
        archive::unpack(from, &mut tree)?;
    } else {
        let flaw = flaw(kind);
        return Err(Refusal::new(flaw).into());
    }
    Ok(tree)
}

#[derive(Debug, thiserror::Error)]
pub enum UnpackError {
    /// The author has to change it.
    #[error("{0}")]
    Refused(Refusal),
    /// This machine could not read or write a file.
    #[error("{}: {source}", text::visible(&path.display().to_string()))]
    Disk { path: PathBuf, source: io::Error },
}

impl From<Refusal> for UnpackError {
    fn from(refusal: Refusal) -> Self {
        Self::Refused(refusal)
    }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> UnpackError {
    let path = path.to_owned();
    move |source| UnpackError::Disk { path, source }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnpackLimits {
    pub files: u32,
    pub bytes: u64,
    pub path_length: usize,
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

/// Refusal of a submission: one line with the entry, the flaw and the remedy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// Name of the entry, if the flaw concerns one. It may be hostile.
    pub entry: Option<String>,
    pub flaw: Flaw,
}

/// Flaw of a submission, as the predicate of a sentence about the entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    #[error("is a path from the root of a disk: {INSIDE}")]
    Absolute,
    #[error("leads out of the folder with `..`: {INSIDE}")]
    Parent,
    #[error("is a symbolic link: put the file itself there")]
    Symlink,
    #[error("is a hard link: put the file itself there")]
    HardLink,
    #[error("is a {0}: only files and folders are taken, leave it out")]
    Device(&'static str),
    #[error("is neither a file nor a folder, or a sparse file: send a .zip, or leave it out")]
    UnknownKind,
    #[error("has a path of more than {0} characters: give it a shorter name")]
    LongPath(usize),
    #[error("lies more than {0} folders deep: move it up")]
    Deep(usize),
    #[error("is in the archive twice: {PACK}, as a new archive")]
    Twice,
    #[error("differs from `{}` by upper and lower case only: rename one of them", shown(.0))]
    CaseOnly(String),
    #[error("is a file and a folder at once: {PACK}, as a new archive")]
    FileAndFolder,
    #[error("is encrypted: {PACK}, without a password")]
    Encrypted,
    #[error("is compressed in an uncommon way: {PACK} as a plain .zip (\"deflate\")")]
    Compression,
    #[error("is damaged or cut off ({}): {PACK}, {OPEN}", text::excerpt(.0, 80))]
    DamagedMember(String),
    #[error("is a damaged or cut off archive ({}): {PACK}, {OPEN}", text::excerpt(.0, 80))]
    Damaged(String),
    #[error("is a {0} archive: send a .zip or .tar.gz")]
    OtherArchive(&'static str),
    #[error("is neither a folder nor an archive: send a .zip or .tar.gz")]
    NoArchive,
    #[error("holds no file: send the folder with the program")]
    Empty,
    #[error("holds nothing but {0}, which is left out: send the program's own files")]
    LeftOut(String),
    #[error("holds more than {0} files and folders: leave out what was installed or built")]
    ManyFiles(u32),
    #[error("holds more than {} MiB when unpacked: leave out what was installed, built or recorded", .0 >> 20)]
    ManyBytes(u64),
}

const INSIDE: &str = "pack the folder itself, so that paths begin inside it";
const PACK: &str = "pack the folder again";
const OPEN: &str = "and open the archive before you send it";

impl Refusal {
    fn new(flaw: Flaw) -> Self {
        Self { entry: None, flaw }
    }

    fn of(entry: &str, flaw: Flaw) -> Self {
        Self {
            entry: Some(entry.to_owned()),
            flaw,
        }
    }

    fn many_files(limits: &UnpackLimits) -> Self {
        Self::new(Flaw::ManyFiles(limits.files))
    }

    fn many_bytes(limits: &UnpackLimits) -> Self {
        Self::new(Flaw::ManyBytes(limits.bytes))
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.entry {
            Some(entry) => write!(f, "`{}` {}", shown(entry), self.flaw),
            None => write!(f, "it {}", self.flaw),
        }
    }
}

fn copy(folder: &Path, tree: &mut Tree) -> Result<(), UnpackError> {
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

fn flaw(kind: FileType) -> Flaw {
    match () {
        () if kind.is_symlink() => Flaw::Symlink,
        () if kind.is_fifo() => Flaw::Device("FIFO"),
        () if kind.is_socket() => Flaw::Device("socket"),
        () => Flaw::Device("device"),
    }
}
