//! Digest of a bot's folder. A folder may hold anything: files that tools install or bots write are left
//! out, and a folder that is too large has no digest.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use walkdir::WalkDir;

use super::content::{MOST_BYTES, MOST_FILES, content};
use crate::runs::files::digest::hex;
use crate::runs::{JOURNAL, MANIFEST};

/// Names of folders left out: installed or made by tools.
const IGNORED_FOLDERS: [&str; 4] = ["__pycache__", "node_modules", "target", "venv"];

/// Extensions of files left out: written while a bot runs.
const IGNORED_ENDINGS: [&str; 3] = ["log", "pyc", "tmp"];

/// Digests of folders, each computed once: many players may share one.
#[derive(Debug, Default)]
pub(in crate::runs) struct FolderDigests(HashMap<PathBuf, Option<[u8; 32]>>);

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
    digest(folder).map(|digest| hex(&digest))
}

fn digest(folder: &Path) -> Option<[u8; 32]> {
    let mut names = names_below(folder)?;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_bot_is_made_of_counts_and_what_it_makes_does_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let dir = folder.path();
        let write = |name: &str, text: &str| {
            let path = dir.join(name);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, text).expect("written");
        };
        write("bot.py", "import search");
        write("search/__init__.py", "1");
        let before = digest(dir);
        assert!(before.is_some());
        for made in [
            "__pycache__/bot.pyc",
            "bot.log",
            ".git/HEAD",
            "x/venv/a",
            "a.tmp",
        ] {
            write(made, "made");
            assert_eq!(digest(dir), before, "{made}");
        }
        write("results/demo/manifest.toml", "");
        write("results/demo/games.csv", "");
        assert_eq!(digest(dir), before, "a run");
        write("search/__init__.py", "2");
        let changed = digest(dir);
        assert_ne!(changed, before);
        write("search/more.py", "");
        assert_ne!(digest(dir), changed);
        let large = fs::File::create(dir.join("large")).expect("a file");
        large.set_len(MOST_BYTES).expect("room");
        assert_eq!(digest(dir), None);
    }
}
