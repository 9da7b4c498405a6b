//! The bots that played: digests of their programs, folders and sources.

pub(super) mod bot_digest;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use walkdir::{DirEntry, WalkDir};

use crate::config::Plan;
use crate::runs::files::{HashWriter, hex};
use crate::runs::{JOURNAL, MANIFEST};

/// Upper bound on the bytes read for one bot's digest: its folder may hold anything.
pub(super) const MOST_BYTES: u64 = 256 << 20;

/// Upper bound on the files of a bot's folder: it may hold anything.
pub(super) const MOST_FILES: usize = 4096;

/// Digest of a file's content; `None` if it cannot be read.
pub(super) type Content = Option<[u8; 32]>;

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

#[derive(Debug, Default)]
pub(super) struct Sources {
    /// Source files of built bots by player, as paths relative to the bot's folder.
    pub built: BTreeMap<String, Vec<String>>,
    /// Players without a digest of their folder, because it was too large.
    pub without_folder: BTreeSet<String>,
}

impl Sources {
    pub fn of(&self, player: &str) -> Option<&[String]> {
        self.built.get(player).map(Vec::as_slice)
    }

    /// Whether the digest of a player's bot covers its folder.
    pub fn has_folder(&self, player: &str) -> bool {
        !self.without_folder.contains(player)
    }

    /// Forgets the files of a player, so that its next build finds them again.
    pub fn forget(&mut self, player: &str) {
        self.built.remove(player);
        self.without_folder.remove(player);
    }

    pub fn add(&mut self, before: Unbuilt) {
        for folder in before.0 {
            let now = look(&folder.dir);
            let same = |file: &(String, Content)| now.get(&file.0) == Some(&file.1);
            let files = folder.files.into_iter().filter(same);
            self.built
                .insert(folder.player, files.map(|(name, _)| name).collect());
        }
    }
}

/// Snapshots of the folders of bots before their first build.
#[derive(Debug)]
pub struct Unbuilt(Vec<Folder>);

#[derive(Debug)]
struct Folder {
    player: String,
    dir: PathBuf,
    files: BTreeMap<String, Content>,
}

impl Unbuilt {
    /// Takes a snapshot for each built bot without known source files.
    pub(super) fn look(plan: &Plan, known: &Sources) -> Self {
        let new = plan
            .players
            .iter()
            .filter(|entry| entry.build.is_some() && known.of(&entry.name).is_none());
        let folders = new.filter_map(|entry| {
            let dir = entry.launch.dir.clone()?;
            Some(Folder {
                player: entry.name.clone(),
                files: look(&dir),
                dir,
            })
        });
        Self(folders.collect())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// The files below a folder with digests of their content. Hidden files are left out, and links are not
/// followed.
fn look(dir: &Path) -> BTreeMap<String, Content> {
    let is_shown = |entry: &DirEntry| !entry.file_name().to_string_lossy().starts_with('.');
    let entries = WalkDir::new(dir).min_depth(1).into_iter();
    let entries = entries.filter_entry(is_shown).flatten();
    let files = entries.filter(|entry| entry.file_type().is_file());
    // The manifest is UTF-8, so other names are left out.
    let names =
        files.filter_map(|file| Some(file.path().strip_prefix(dir).ok()?.to_str()?.to_owned()));
    let mut names: Vec<String> = names.take(MOST_FILES).collect();
    names.sort_unstable();
    let mut left = MOST_BYTES;
    names
        .into_iter()
        .map(|name| {
            let content = content(&dir.join(&name), &mut left);
            (name, content)
        })
        .collect()
}

/// Names of folders left out: installed or made by tools.
const IGNORED_FOLDERS: [&str; 4] = ["__pycache__", "node_modules", "target", "venv"];

/// Extensions of files left out: written while a bot runs.
const IGNORED_ENDINGS: [&str; 3] = ["log", "pyc", "tmp"];

/// Digests of folders, each computed once: many players may share one.
#[derive(Debug, Default)]
pub(super) struct FolderDigests(HashMap<PathBuf, Option<[u8; 32]>>);

impl FolderDigests {
    /// The digest of all files below a folder, or `None` if they are too many or too large.
    pub fn of(&mut self, folder: &Path) -> Option<[u8; 32]> {
        if let Some(known) = self.0.get(folder) {
            return *known;
        }
        let digest = digest(folder);
        self.0.insert(folder.to_owned(), digest);
        digest
    }
}

/// The digest of a bot's folder, in hexadecimal digits, or `None` if it has too many or too large files.
pub fn folder_digest(folder: &Path) -> Option<String> {
    folder_digest_without(folder, "")
}

/// The digest of a folder without the file of this name in it.
pub fn folder_digest_without(folder: &Path, left_out: &str) -> Option<String> {
    digest_without(folder, left_out).map(|digest| hex(&digest))
}

fn digest(folder: &Path) -> Option<[u8; 32]> {
    digest_without(folder, "")
}

fn digest_without(folder: &Path, left_out: &str) -> Option<[u8; 32]> {
    let mut names = names_below(folder)?;
    names.retain(|name| name.as_os_str() != left_out);
    names.sort_unstable();
    let mut hasher = Sha256::new();
    let mut left = MOST_BYTES;
    for name in names {
        let path = folder.join(&name);
        hasher.update(name.as_os_str().as_encoded_bytes());
        hasher.update([0]);
        if let Ok(target) = fs::read_link(&path) {
            hasher.update(target.as_os_str().as_encoded_bytes());
            hasher.update([0]);
        } else if let Some(content) = content(&path, &mut left) {
            hasher.update(content);
        }
    }
    Some(hasher.finalize().into())
}

/// The files and links below a folder, as paths from there; `None` if they are too many or too large.
fn names_below(folder: &Path) -> Option<Vec<PathBuf>> {
    let mut names = Vec::new();
    let (mut bytes, mut seen) = (0_u64, 0);
    let mut entries = WalkDir::new(folder).into_iter();
    while let Some(entry) = entries.next() {
        if seen > MOST_FILES {
            return None;
        }
        seen += 1;
        let Ok(entry) = entry else { continue };
        let (path, kind) = (entry.path(), entry.file_type());
        // The folder itself may be a link.
        let is_folder = kind.is_dir() || entry.depth() == 0;
        // The results of a tournament may lie below the folder of one of its bots.
        let is_run = || {
            [MANIFEST, JOURNAL]
                .iter()
                .all(|file| path.join(file).exists())
        };
        if is_folder && (entry.depth() > 0 && is_ignored(path) || is_run()) {
            entries.skip_current_dir();
        } else if !is_folder && !is_ignored(path) {
            if kind.is_file() {
                bytes = bytes.saturating_add(entry.metadata().map_or(0, |it| it.len()));
                if bytes > MOST_BYTES {
                    return None;
                }
            } else if !kind.is_symlink() {
                continue;
            }
            names.extend(path.strip_prefix(folder).map(Path::to_owned));
        }
    }
    Some(names)
}

/// Whether a file or folder is left out: a hidden one, or one that tools and running bots make.
fn is_ignored(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    name.starts_with('.')
        || IGNORED_FOLDERS.contains(&name.as_ref())
        || IGNORED_ENDINGS.contains(&ending.as_ref())
}

/// Folders that are not copied, because tools make them anew where they are needed.
const LEFT_OUT: [&str; 2] = [".git", "__pycache__"];

const MOST_COPIED: usize = 100_000;
const MOST_COPIED_BYTES: u64 = 4 << 30;

#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    #[error("{} cannot be copied: {source}", path.display())]
    File {
        path: PathBuf,
        #[source]
        source: io::Error,
    },
    #[error(
        "{} has more than {MOST_COPIED} files or {} GiB, and is copied for all machines: give the player a \
         smaller `dir`",
        .0.display(),
        MOST_COPIED_BYTES >> 30
    )]
    TooLarge(PathBuf),
}

/// Copies a folder into a new one. Links are kept; folders that tools make anew are skipped.
pub fn copy_folder(from: &Path, to: &Path) -> Result<(), CopyError> {
    copy_except(from, to, to)
}

/// Copies a file or a folder, without the folder `except` in it. Links are kept; folders that tools make anew are
/// skipped.
pub fn copy_except(from: &Path, to: &Path, except: &Path) -> Result<(), CopyError> {
    let (mut files, mut bytes) = (MOST_COPIED, MOST_COPIED_BYTES);
    let mut left = vec![(from.to_owned(), to.to_owned())];
    while let Some((from_here, to_here)) = left.pop() {
        let failed = |source| CopyError::File {
            path: from_here.clone(),
            source,
        };
        let what = fs::symlink_metadata(&from_here).map_err(failed)?;
        files = files.saturating_sub(1);
        if what.is_file() {
            bytes = bytes.saturating_sub(what.len());
        }
        if files == 0 || bytes == 0 {
            return Err(CopyError::TooLarge(from.to_owned()));
        }
        // Compare inodes: canonicalizing each entry's path takes a minute in deeply nested folders.
        let is_excepted = || {
            fs::metadata(except).is_ok_and(|it| (it.dev(), it.ino()) == (what.dev(), what.ino()))
        };
        if what.is_symlink() {
            fs::read_link(&from_here)
                .and_then(|target| std::os::unix::fs::symlink(target, &to_here))
                .map_err(failed)?;
        } else if what.is_dir() && !is_excepted() {
            fs::create_dir(&to_here).map_err(failed)?;
            for entry in fs::read_dir(&from_here).map_err(failed)? {
                let entry = entry.map_err(failed)?;
                let name = entry.file_name();
                let left_out = LEFT_OUT.iter().any(|known| name == *known);
                if !left_out {
                    left.push((entry.path(), to_here.join(name)));
                }
            }
        } else if what.is_file() {
            fs::copy(&from_here, &to_here).map_err(failed)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_below_the_folder_of_a_bot_is_no_part_of_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, "").expect("written");
        };
        write("bot.py");
        let before = digest(folder.path());
        write("results/demo/manifest.toml");
        write("results/demo/games.csv");
        assert_eq!(digest(folder.path()), before);
        write("results/other/notes");
        assert_ne!(digest(folder.path()), before);
    }
}
