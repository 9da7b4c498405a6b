//! Digests of bots, openings and files of games.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::folder::FolderDigests;
use crate::bot::Launch;
use crate::config::{Openings, Plan};

/// Upper bound on the bytes read for one bot's digest: its folder may hold anything.
pub(super) const MOST_BYTES: u64 = 256 << 20;

/// Digest of a file's content; `None` if it cannot be read.
pub(super) type Content = Option<[u8; 32]>;

/// Digests of a plan's bots. Digests of folders are cached, since hundreds of players may share one.
pub(super) struct PlayerDigests<'a> {
    plan: &'a Plan,
    folders: FolderDigests,
}

/// Prefixes of a digest: of the command's files alone, or of the whole folder.
pub(super) const BY_COMMAND: &str = "sha256:";
const WITH_FOLDER: &str = "folder-sha256:";

impl<'a> PlayerDigests<'a> {
    pub fn new(plan: &'a Plan) -> Self {
        Self {
            plan,
            folders: FolderDigests::default(),
        }
    }

    /// The digest of a bot without a build.
    pub fn of(&mut self, launch: &Launch, with_folder: bool) -> io::Result<String> {
        let command = digest_of_command(launch)?;
        let folders = self.folders(launch);
        if !with_folder || folders.is_empty() {
            return Ok(command);
        }
        let mut hasher = Sha256::new_with_prefix(&command);
        for folder in folders {
            match self.folders.of(&folder) {
                Some(digest) => hasher.update(digest),
                None => return Ok(command),
            }
        }
        Ok(format!("{WITH_FOLDER}{}", hex(&hasher.finalize())))
    }

    /// Extends a bot's digest by the files that its course puts beside it.
    pub fn with_course_files(&mut self, digest: String, launch: &Launch) -> String {
        let Some(folder) = &launch.course_files else {
            return digest;
        };
        let kind = digest.split_inclusive(':').next().unwrap_or(BY_COMMAND);
        let mut hasher = Sha256::new_with_prefix(&digest);
        // A folder that is too large has no digest, so its path stands in.
        match self.folders.of(folder) {
            Some(content) => hasher.update(content),
            None => hasher.update(folder.as_os_str().as_encoded_bytes()),
        }
        format!("{kind}{}", hex(&hasher.finalize()))
    }

    /// The folders of a bot: its `dir`. If other players share it, the subfolders named by its arguments
    /// replace it, if there are any: students' packages often lie side by side.
    fn folders(&self, launch: &Launch) -> Vec<PathBuf> {
        let Some(dir) = &launch.dir else {
            return Vec::new();
        };
        let players = self.plan.players.iter();
        let sharing = players.filter(|it| it.launch.dir.as_ref() == Some(dir));
        let is_below = |arg: &&String| {
            let parts = Path::new(arg.as_str()).components();
            parts.clone().count() > 0
                && parts
                    .into_iter()
                    .all(|it| matches!(it, Component::Normal(_)))
        };
        let named = launch.args.iter().filter(is_below).map(|arg| dir.join(arg));
        let named: Vec<PathBuf> = named.filter(|path| path.is_dir()).collect();
        if sharing.count() > 1 && !named.is_empty() {
            named
        } else {
            vec![dir.clone()]
        }
    }
}

/// A digest of a command: its program, and every argument that names a file.
fn digest_of_command(launch: &Launch) -> io::Result<String> {
    let mut hasher = match launch.find_program() {
        Some(program) => program_hasher(&program)?,
        None => Sha256::new(),
    };
    let dir = launch.dir.as_deref().unwrap_or(Path::new("."));
    for path in launch.args.iter().map(|arg| dir.join(arg)) {
        if path.is_file() {
            io::copy(&mut File::open(path)?, &mut HashWriter(&mut hasher))?;
        }
    }
    Ok(named(hasher))
}

/// Identity and version of a file: path, device, inode, length, and ctime in seconds and nanoseconds.
type FileStamp = (PathBuf, u64, u64, u64, i64, i64);

/// Cache of hashers that have read a program. Hundreds of players, in thousands of runs of a grading, may share
/// one, such as an interpreter.
static PROGRAMS: Mutex<BTreeMap<FileStamp, Sha256>> = Mutex::new(BTreeMap::new());

/// Size at which that cache is emptied.
const MOST_PROGRAMS: usize = 256;

/// A hasher that has read a program. The stamp is taken from the open file, so that it fits the bytes
/// even if the path is replaced meanwhile.
fn program_hasher(program: &Path) -> io::Result<Sha256> {
    let mut file = File::open(program)?;
    let what = file.metadata()?;
    let stamp = (
        program.to_owned(),
        what.dev(),
        what.ino(),
        what.len(),
        what.ctime(),
        what.ctime_nsec(),
    );
    // A poisoned lock is harmless: no code under it leaves the map half changed. The file is read
    // without the lock, so two threads may read it at once.
    let programs = || PROGRAMS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = programs().get(&stamp) {
        return Ok(known.clone());
    }
    let mut hasher = Sha256::new();
    io::copy(&mut file, &mut HashWriter(&mut hasher))?;
    let mut programs = programs();
    if programs.len() >= MOST_PROGRAMS {
        programs.clear();
    }
    programs.insert(stamp, hasher.clone());
    Ok(hasher)
}

/// A digest of a bot's sources: these files, and its program if the system has it installed.
pub(super) fn digest_of_sources(launch: &Launch, files: &[String]) -> io::Result<String> {
    let mut hasher = Sha256::new();
    if launch.is_installed()
        && let Some(program) = launch.find_program()
    {
        io::copy(&mut File::open(program)?, &mut HashWriter(&mut hasher))?;
    }
    let dir = launch.dir.as_deref().unwrap_or(Path::new("."));
    digest_files(dir, files, &mut hasher);
    Ok(named(hasher))
}

/// A digest of the openings. Comments in their file do not count.
pub(super) fn digest_of_openings(openings: &Openings) -> String {
    let mut hasher = Sha256::new();
    hasher.update(openings.text());
    named(hasher)
}

/// Adds the names and contents of files to a digest.
fn digest_files(dir: &Path, files: &[String], hasher: &mut Sha256) {
    let mut left = MOST_BYTES;
    for name in files {
        hasher.update(name.as_bytes());
        hasher.update([0]);
        if let Some(content) = content(&dir.join(name), &mut left) {
            hasher.update(content);
        }
    }
}

/// A digest of a file's length and its first `left` bytes. Subtracts the bytes read from `left`.
pub(super) fn content(path: &Path, left: &mut u64) -> Content {
    // Opening a pipe or a device could block.
    let length = fs::symlink_metadata(path)
        .ok()
        .filter(|what| what.is_file())?
        .len();
    let mut hasher = Sha256::new();
    hasher.update(length.to_le_bytes());
    let mut file = File::open(path).ok()?.take(*left);
    let read = io::copy(&mut file, &mut HashWriter(&mut hasher)).ok()?;
    *left -= read;
    Some(hasher.finalize().into())
}

fn named(hasher: Sha256) -> String {
    format!("sha256:{}", hex(&hasher.finalize()))
}

/// Length of the digest of a game's file, in bytes: 128 bits, beyond reach of a second preimage.
const FILE_DIGEST: usize = 16;

/// The digest of a game's file, from its bytes.
pub(super) fn digest_of_bytes(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes)[..FILE_DIGEST])
}

/// The digest of a game's file, from its path.
pub(super) fn digest_of_file(path: &Path) -> io::Result<String> {
    Ok(hex(&sha256_of_file(path)?[..FILE_DIGEST]))
}

/// The SHA-256 of a file.
pub(super) fn sha256_of_file(path: &Path) -> io::Result<[u8; 32]> {
    let mut hasher = Sha256::new();
    io::copy(&mut File::open(path)?, &mut HashWriter(&mut hasher))?;
    Ok(hasher.finalize().into())
}

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

struct HashWriter<'a>(&'a mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
