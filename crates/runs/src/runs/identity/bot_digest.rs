//! Digests of bots, openings and files of games.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use sha2::{Digest, Sha256};

use super::{FolderDigests, MOST_BYTES, content};
use crate::bot::Launch;
use crate::config::Plan;
use crate::game::RulesCommand;
use crate::rules::launch as rules_launch;
use crate::runs::files::{HashWriter, hex};

/// Digests of a plan's bots. Digests of folders are cached, since hundreds of players may share one.
pub(in crate::runs) struct PlayerDigests<'a> {
    pub plan: &'a Plan,
    pub folders: FolderDigests,
}

/// Prefixes of a digest: of the command's files alone, or of the whole folder.
pub(in crate::runs) const BY_COMMAND: &str = "sha256:";
const WITH_FOLDER: &str = "folder-sha256:";

impl PlayerDigests<'_> {
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

    /// The digest of a rules program: of its own folder, or of the files in its command.
    pub fn of_rules(&mut self, command: &RulesCommand) -> io::Result<String> {
        self.of(&rules_launch(command), command.owns_dir)
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
pub(in crate::runs) fn digest_of_sources(launch: &Launch, files: &[String]) -> io::Result<String> {
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

fn named(hasher: Sha256) -> String {
    format!("sha256:{}", hex(&hasher.finalize()))
}
